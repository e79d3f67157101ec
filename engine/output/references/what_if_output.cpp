// SPDX-License-Identifier: MIT
#include "output/references/what_if_output.h"

#include <fmt/format.h>

#include "output/references/retained_output.h"
#include "output/table_output.h"
#include "output/text.h"
#include "tables/cut_tables.h"
#include "tables/retained_tables.h"

namespace heapscape::engine {
namespace {

Table objectsOf(const WhatIfAnswer& answer) {
  const RetainedList list{.objects = answer.objects, .types = {}, .totals = {}, .findings = {}};
  return retainedTable().with(listRetained(answer.whatIf.snapshot(), list));
}

Table typesOf(const WhatIfAnswer& answer) {
  return freedTypesTable().with(listFreedTypes(answer.whatIf.snapshot(), answer.types));
}

}  // namespace

void writeWhatIf(JsonWriter& json, const WhatIfAnswer& answer, const RowSelection& selection) {
  writeTable(json, cutsTable().over(answer.whatIf.cuts()), {.isRedacted = selection.isRedacted});
  json.key("freed");
  json.beginObject();
  json.member("objects", answer.whatIf.freed().objects);
  json.member("bytes", answer.whatIf.freed().bytes);
  json.endObject();
  writeTable(json, objectsOf(answer), selection);
  writeTable(json, typesOf(answer), selection);
  writeRetainedTotals(json, answer.whatIf.snapshot().retainedTotals());
}

void writeWhatIfTsv(Output& output, const WhatIfAnswer& answer, bool byType, const RowSelection& selection) {
  writeTableTsv(output, byType ? typesOf(answer) : objectsOf(answer), selection);
}

void writeWhatIfText(Output& output, const WhatIfAnswer& answer, bool byType, const RowSelection& selection) {
  const std::vector<CutShare>& cuts = answer.whatIf.cuts();
  writeTableText(output, cutsTable().over(cuts), {.isRedacted = selection.isRedacted});
  const Retained freed = answer.whatIf.freed();
  if (freed.objects == 0) return output.write("Nothing would be freed: something else holds all of it.\n");
  output.write(fmt::format("{}{}, {} bytes, would be freed: {}% of what is held.\n\n",
                           cuts.size() > 1 ? "Together: " : "", countOf(freed.objects, "object"),
                           readableCount(freed.bytes),
                           percentOf(freed.bytes, answer.whatIf.snapshot().retainedTotals().reachableBytes)));
  writeTableText(output, byType ? typesOf(answer) : objectsOf(answer), selection);
}

}  // namespace heapscape::engine
