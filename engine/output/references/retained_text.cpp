// SPDX-License-Identifier: MIT
#include "output/references/retained_text.h"

#include <fmt/format.h>

#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {

namespace {

using Align = TextTable::Align;

}  // namespace

void writeRetainedText(Output& output, const Snapshot& snapshot, const RetainedList& list, bool byType,
                       const RowSelection& selection) {
  if (byType) {
    TextTable table({{"Retained", Align::Right}, {"Objects", Align::Right}, {"Bytes", Align::Right}, {"Type"}});
    for (const RetainedTypeRow& row : selection.of(list.types)) {
      table.addRow({readableBytes(row.retainedBytes), readableCount(row.instances), readableBytes(row.bytes),
                    snapshot.typeName(row.type)});
    }
    table.write(output);
  } else {
    TextTable table(
        {{"Retained", Align::Right}, {"Objects", Align::Right}, {"Bytes", Align::Right}, {"Address"}, {"Type"}});
    for (const RetainedRow& row : selection.of(list.objects)) {
      table.addRow({readableBytes(row.retainedBytes), readableCount(row.retainedCount), readableBytes(row.bytes),
                    toString(row.object), snapshot.typeName(row.type)});
    }
    table.write(output);
  }
  output.write(fmt::format("Reachable: {}, {} bytes. Unreachable: {}, {} bytes.\n",
                           countOf(list.totals.reachableObjects, "object"), readableCount(list.totals.reachableBytes),
                           countOf(list.totals.unreachableObjects, "object"),
                           readableCount(list.totals.unreachableBytes)));
}

void writeRetainedSetText(Output& output, const RetainedSet& set) {
  output.write(fmt::format("{}, {} bytes, retain {}, {} bytes, themselves included.\n",
                           countOf(set.members.objects, "object"), readableCount(set.members.bytes),
                           countOf(set.retained.objects, "object"), readableCount(set.retained.bytes)));
}

}  // namespace heapscape::engine
