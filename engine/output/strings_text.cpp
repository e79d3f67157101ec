// SPDX-License-Identifier: MIT
#include "output/strings_text.h"

#include <fmt/format.h>

#include "output/text.h"
#include "output/text_table.h"
#include "output/tsv_line.h"

namespace heapscape::engine {

void writeStringsText(Output& output, const StringList& list, const RowSelection& selection) {
  using Align = TextTable::Align;
  TextTable table({{"Wasted", Align::Right},
                   {"Bytes", Align::Right},
                   {"Count", Align::Right},
                   {"Length", Align::Right},
                   {"Example"},
                   {"Characters"}});
  for (const StringGroup& group : selection.of(list.groups)) {
    table.addRow({readableBytes(group.wastedBytes), readableBytes(group.bytes), readableCount(group.count),
                  readableCount(group.length), toString(group.example),
                  selection.isRedacted ? std::string("(left out)") : group.value});
  }
  table.write(output);
  output.write(fmt::format("{} with {} distinct values: {}, of which {} are repetitions\n",
                           countOf(list.strings, "string"), readableCount(list.distinct), readableBytes(list.bytes),
                           readableBytes(list.wastedBytes)));
}

void writeStringsTsv(Output& output, const StringList& list, const RowSelection& selection) {
  writeTsvLine(output, {"length", "count", "bytes", "wastedBytes", "example", "value"});
  for (const StringGroup& group : selection.of(list.groups)) {
    if (output.hasFailed()) return;
    writeTsvLine(output, {fmt::format("{}", group.length), fmt::format("{}", group.count),
                          fmt::format("{}", group.bytes), fmt::format("{}", group.wastedBytes), toString(group.example),
                          selection.isRedacted ? std::string() : group.value});
  }
}

}  // namespace heapscape::engine
