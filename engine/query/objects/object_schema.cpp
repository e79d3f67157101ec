// SPDX-License-Identifier: MIT
#include "query/objects/object_schema.h"

#include "heap/segment.h"

namespace heapscape::engine {
namespace {

std::vector<std::string> generationNames() {
  std::vector<std::string> names;
  for (const Generation generation : kGenerations) names.emplace_back(toString(generation));
  return names;
}

// In the order of ObjectField.
QuerySchema makeSchema() {
  using enum QueryKind;
  QuerySchema schema{.noun = "objects", .fields = {}, .hasObjectFields = true};
  schema.fields = {
      {.name = "type", .kind = Text, .help = "Full name of the type.", .isPlain = true},
      {.name = "assembly", .kind = Text, .help = "File name of the type's assembly."},
      {.name = "namespace", .kind = Text, .help = "Namespace of the type."},
      {.name = "address", .kind = Address, .help = "Where the object begins."},
      {.name = "size", .kind = Bytes, .help = "Exact size of the object itself."},
      {.name = "bytes", .kind = Bytes, .help = "What it takes up in the heap: its size, rounded up to 8."},
      {.name = "retained", .kind = Bytes, .help = "What would be freed with it; 0 if nothing holds it."},
      {.name = "retainedObjects", .kind = Number, .help = "How many objects would be freed with it, itself included."},
      {.name = "gen",
       .kind = Choice,
       .help = "Generation, or the heap beside them.",
       .aliases = {"generation"},
       .choices = generationNames()},
      {.name = "heap", .kind = Number, .help = "Number of the GC's heap; 0 without server GC."},
      {.name = "segment", .kind = Address, .help = "Address of its segment or region, as the segments' list has it."},
      {.name = "pinned", .kind = Flag, .help = "A pinned handle keeps it in place, or it lies in the pinned heap."},
      {.name = "reachable", .kind = Flag, .help = "A root leads to it."},
      {.name = "free", .kind = Flag, .help = "It is a gap. Gaps are left out unless the query names this field."},
      {.name = "length", .kind = Number, .help = "Elements of an array, UTF-16 units of a string."},
      {.name = "count", .kind = Number, .help = "Items of a collection, elements of an array."},
      {.name = "capacity", .kind = Number, .help = "Slots that a collection has allocated, used or not."},
      {.name = "text", .kind = Text, .help = "Characters of a string.", .holdsContents = true},
      {.name = "references", .kind = Number, .help = "References that it holds and that are not null."},
      {.name = "referrers", .kind = Number, .help = "Other objects that refer to it."},
      {.name = "heldBy",
       .kind = Text,
       .help = "Type of the object that alone holds it; null if roots do, or several objects.",
       .aliases = {"dominator"}},
      {.name = "owner",
       .kind = Text,
       .help = "The nearest class of the program's own, no array, that alone holds it, however far up, else the root."},
  };
  return schema;
}

}  // namespace

const QuerySchema& objectSchema() {
  static const QuerySchema schema = makeSchema();
  return schema;
}

}  // namespace heapscape::engine
