// SPDX-License-Identifier: MIT
#include "query/objects/object_schema.h"

#include "heap/segment.h"

namespace heapscape::engine {
namespace {

// In the order of ObjectField.
TableDescription makeDescription() {
  using enum ColumnKind;
  TableDescription objects{.noun = "objects", .columns = {}, .shown = {"address", "type", "size", "retained", "gen"}};
  objects.columns = {
      listColumn(TypeName, "type", "Type", "Full name of the type."),
      listColumn(Text, "assembly", "Assembly", "File name of the type's assembly."),
      listColumn(Text, "loadContext", "Load context",
                 "Name or type of the type's AssemblyLoadContext, of a collectible one with its address."),
      listColumn(Text, "namespace", "Namespace", "Namespace of the type."),
      listColumn(Address, "address", "Address", "Where the object begins."),
      listColumn(Bytes, "size", "Size", "Exact size of the object itself."),
      listColumn(Bytes, "bytes", "Bytes", "What it takes up in the heap: its size, rounded up to 8."),
      listColumn(Bytes, "retained", "Retained", "What would be freed with it; 0 if nothing holds it."),
      listColumn(Count, "retainedObjects", "Retained objects",
                 "How many objects would be freed with it, itself included."),
      listColumn(Choice, "gen", "Generation", "Generation, or the heap beside them."),
      listColumn(Id, "heap", "Heap", "Number of the GC's heap; 0 without server GC."),
      listColumn(Address, "segment", "Segment", "Address of its segment or region, as the segments' list has it."),
      listColumn(Flag, "pinned", "Pinned", "A pinned handle keeps it in place, or it lies in the pinned heap."),
      listColumn(Flag, "reachable", "Reachable", "A root leads to it."),
      listColumn(Flag, "garbage", "Garbage",
                 "No root leads to it: it waits to be collected, as frozen objects never do."),
      listColumn(Flag, "free", "Free", "It is a free object. These are left out unless the query names this field."),
      listColumn(Count, "length", "Length", "Elements of an array, UTF-16 units of a string."),
      listColumn(Count, "count", "Count", "Items of a collection, elements of an array."),
      listColumn(Count, "capacity", "Capacity", "Slots that a collection has allocated, used or not."),
      listColumn(Text, "text", "Text", "Characters of a string; sorted by its first 256 bytes as UTF-8."),
      listColumn(Count, "references", "References", "References that it holds and that are not null."),
      listColumn(Count, "referrers", "Referrers",
                 "Other objects that refer to it; not the array that keeps a static field, which is a root."),
      listColumn(TypeName, "heldBy", "Held by",
                 "Type of the object that alone holds it; null if roots do, or several objects."),
      listColumn(TypeName, "owner", "Owner",
                 "The nearest class of the program's own, no array, that alone holds it, however far up, else the "
                 "root."),
      objectValueColumn(),
      listColumn(Text, "set", "Set",
                 "Name of a set of objects that was saved, or given on the command line, if it belongs to one.")};
  const auto field = [&objects](ObjectField of) -> ListColumn& {
    return objects.columns[static_cast<std::size_t>(of)];
  };
  field(ObjectField::Type).isSearched = true;
  field(ObjectField::Gen).choices = namesOf<Generation>();
  field(ObjectField::Text).holdsContents = true;
  return objects;
}

QuerySchema makeSchema() {
  QuerySchema schema = schemaOf(objectsDescription());
  schema.hasObjectFields = true;
  schema.fields[static_cast<std::size_t>(ObjectField::Gen)].aliases = {"generation"};
  schema.fields[static_cast<std::size_t>(ObjectField::HeldBy)].aliases = {"dominator"};
  return schema;
}

}  // namespace

const TableDescription& objectsDescription() {
  static const TableDescription description = makeDescription();
  return description;
}

const QuerySchema& objectSchema() {
  static const QuerySchema schema = makeSchema();
  return schema;
}

}  // namespace heapscape::engine
