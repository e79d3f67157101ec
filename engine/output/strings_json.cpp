// SPDX-License-Identifier: MIT
#include "output/strings_json.h"

namespace heapscape::engine {

void writeStrings(JsonWriter& json, const StringList& list, const RowSelection& selection) {
  json.key("strings");
  json.beginRows();
  for (const StringGroup& group : selection.of(list.groups)) {
    json.beginObject();
    if (!selection.isRedacted) json.member("value", group.value);
    json.member("length", group.length);
    json.member("count", group.count);
    json.member("bytes", group.bytes);
    json.member("wastedBytes", group.wastedBytes);
    json.member("example", group.example);
    json.endObject();
  }
  json.endArray();
  json.key("totals");
  json.beginObject();
  json.member("strings", list.strings);
  json.member("bytes", list.bytes);
  json.member("distinct", list.distinct);
  json.member("wastedBytes", list.wastedBytes);
  json.member("unreadable", list.unreadable);
  json.endObject();
}

}  // namespace heapscape::engine
