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
      {.name = "type", .title = "Type", .meaning = "Full name of the type.", .kind = TypeName, .isSearched = true},
      {.name = "assembly", .title = "Assembly", .meaning = "File name of the type's assembly."},
      {.name = "loadContext",
       .title = "Load context",
       .meaning = "Name or type of the type's AssemblyLoadContext, of a collectible one with its address."},
      {.name = "namespace", .title = "Namespace", .meaning = "Namespace of the type."},
      {.name = "address", .title = "Address", .meaning = "Where the object begins.", .kind = Address},
      {.name = "size", .title = "Size", .meaning = "Exact size of the object itself.", .kind = Bytes},
      {.name = "bytes",
       .title = "Bytes",
       .meaning = "What it takes up in the heap: its size, rounded up to 8.",
       .kind = Bytes},
      {.name = "retained",
       .title = "Retained",
       .meaning = "What would be freed with it; 0 if nothing holds it.",
       .kind = Bytes},
      {.name = "retainedObjects",
       .title = "Retained objects",
       .meaning = "How many objects would be freed with it, itself included.",
       .kind = Count},
      {.name = "gen",
       .title = "Generation",
       .meaning = "Generation, or the heap beside them.",
       .kind = Choice,
       .choices = namesOf<Generation>()},
      {.name = "heap", .title = "Heap", .meaning = "Number of the GC's heap; 0 without server GC.", .kind = Id},
      {.name = "segment",
       .title = "Segment",
       .meaning = "Address of its segment or region, as the segments' list has it.",
       .kind = Address},
      {.name = "pinned",
       .title = "Pinned",
       .meaning = "A pinned handle keeps it in place, or it lies in the pinned heap.",
       .kind = Flag},
      {.name = "reachable", .title = "Reachable", .meaning = "A root leads to it.", .kind = Flag},
      {.name = "free",
       .title = "Free",
       .meaning = "It is a free object. These are left out unless the query names this field.",
       .kind = Flag},
      {.name = "length",
       .title = "Length",
       .meaning = "Elements of an array, UTF-16 units of a string.",
       .kind = Count},
      {.name = "count", .title = "Count", .meaning = "Items of a collection, elements of an array.", .kind = Count},
      {.name = "capacity",
       .title = "Capacity",
       .meaning = "Slots that a collection has allocated, used or not.",
       .kind = Count},
      {.name = "text",
       .title = "Text",
       .meaning = "Characters of a string; sorted by its first 256 bytes as UTF-8.",
       .holdsContents = true},
      {.name = "references",
       .title = "References",
       .meaning = "References that it holds and that are not null.",
       .kind = Count},
      {.name = "referrers",
       .title = "Referrers",
       .meaning = "Other objects that refer to it; not the array that keeps a static field, which is a root.",
       .kind = Count},
      {.name = "heldBy",
       .title = "Held by",
       .meaning = "Type of the object that alone holds it; null if roots do, or several objects.",
       .kind = TypeName},
      {.name = "owner",
       .title = "Owner",
       .meaning = "The nearest class of the program's own, no array, that alone holds it, however far up, else the "
                  "root.",
       .kind = TypeName},
      objectValueColumn(),
      {.name = "set",
       .title = "Set",
       .meaning = "Name of a set of objects that was saved, or given on the command line, if it belongs to one."},
  };
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
