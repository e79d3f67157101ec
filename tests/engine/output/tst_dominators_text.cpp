// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "output/objects/object_details_output.h"
#include "output/references/dominators_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;

DominatorOutlineRow row(std::uint32_t depth, DominatorKind kind, const char* name, std::uint64_t retained) {
  DominatorOutlineRow made;
  made.depth = depth;
  made.node.kind = kind;
  made.node.name = name;
  made.node.retainedBytes = retained;
  made.node.retainedCount = 2;
  return made;
}

std::string textOf(const std::vector<DominatorOutlineRow>& rows, bool isRedacted = false) {
  return written([&](Output& output) {
    DominatorTextWriter writer(output, isRedacted);
    for (const DominatorOutlineRow& each : rows) writer.write(each);
    writer.finish();
  });
}

TEST(DominatorsText, WhatIsNotShownStandsBehindTheLastChild) {
  DominatorOutlineRow top = row(0, DominatorKind::Whole, "all", 1000);
  top.childNodes = 7;
  top.shownNodes = 2;
  top.hiddenBytes = 50;
  DominatorOutlineRow type = row(1, DominatorKind::Type, "Shop.Order", 750);
  type.node.objects = 3;
  type.node.bytes = 72;
  DominatorOutlineRow inner = row(2, DominatorKind::Namespace, "Shop", 700);
  DominatorOutlineRow last = row(1, DominatorKind::Object, "", 200);
  last.node.object = Address{0x1000};
  EXPECT_EQ(textOf({top, type, inner, last}),
            "Retained   Share  Objects  Bytes  Name\n"
            "  1000 B  100.0%        2         all\n"
            "   750 B   75.0%        2   72 B    3 × Shop.Order\n"
            "   700 B   70.0%        2             Shop.*\n"
            "   200 B   20.0%        2           (unknown) 0x1000\n"
            "    50 B    5.0%                    … 5 more\n");
}

TEST(DominatorsText, RedactionLeavesOutNamesOfThreadsOnly) {
  const DominatorOutlineRow thread = row(0, DominatorKind::RootGroup, "stack of thread 5 \"my secret\"", 10);
  EXPECT_EQ(dominatorName(thread.node, true), "stack of thread 5");
  EXPECT_EQ(dominatorName(thread.node, false), "stack of thread 5 \"my secret\"");
  const DominatorOutlineRow type = row(0, DominatorKind::Type, "Odd \"name\"", 10);
  EXPECT_EQ(dominatorName(type.node, true), "Odd \"name\"");
  EXPECT_EQ(textOf({thread}, true).find("secret"), std::string::npos);
}

TEST(ObjectBytesText, RunsAreCutIntoLinesAndSayWhatIsMissing) {
  ObjectBytes bytes;
  bytes.totalBytes = 40;
  bytes.bytes.resize(24);
  for (std::size_t i = 0; i < bytes.bytes.size(); ++i) bytes.bytes[i] = static_cast<std::uint8_t>(i);
  bytes.runs = {{ByteOwner::Field, -8, 18, "Big", "Zoo.Big"}, {ByteOwner::Missing, 10, 6, "Gone", "System.Int32"}};
  EXPECT_EQ(written([&](Output& output) { writeObjectBytesText(output, bytes); }),
            "\nBytes\n"
            "Offset  Bytes                                            Owner    Name  Type\n"
            "    -8  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f  field    Big   Zoo.Big\n"
            "     8  10 11\n"
            "    10  (not in the dump)                                missing  Gone  System.Int32\n"
            "16 more bytes\n");
}

}  // namespace
}  // namespace heapscape::engine
