// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/table_output.h"
#include "output/text.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

TEST(Output, HandsOnLargePiecesAndTheRestWhenFlushed) {
  std::vector<std::size_t> pieces;
  Output output([&](std::string_view piece) {
    pieces.push_back(piece.size());
    return true;
  });
  const std::string line(1000, 'x');
  for (int i = 0; i < 300; ++i) output.write(line);
  ASSERT_EQ(pieces.size(), 1u);
  output.flush();
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0] + pieces[1], 300'000u);
}

TEST(Output, DropsEverythingOnceTheSinkHasRefused) {
  std::size_t asked = 0;
  Output output([&](std::string_view) {
    ++asked;
    return false;
  });
  output.write("one");
  output.flush();
  EXPECT_TRUE(output.hasFailed());
  output.write("two");
  output.flush();
  EXPECT_EQ(asked, 1u);
}

TEST(Output, WritesNumbersAndAddressesAtTheirLargest) {
  EXPECT_EQ(written([](Output& output) {
              output.writeNumber(0);
              output.write(' ');
              output.writeNumber(UINT64_MAX);
              output.write(' ');
              output.writeAddress(Address{0});
              output.write(' ');
              output.writeAddress(Address{UINT64_MAX});
            }),
            "0 18446744073709551615 0x0 0xffffffffffffffff");
}

TEST(TextTable, ColumnsAreAlignedAndLinesHaveNoTail) {
  TextTable table({{"Bytes", TextTable::Align::Right}, {"Name"}, {"Note"}});
  table.addRow({"7", "Größe", ""});
  table.addRow({"1234567", "a\tb", "x"});
  EXPECT_EQ(written([&](Output& output) { table.write(output); }),
            "  Bytes  Name   Note\n"
            "      7  Größe\n"
            "1234567  a\\tb   x\n");
}

TEST(TsvLine, CellsNeverHoldTabsOrLineEnds) {
  EXPECT_EQ(written([](Output& output) { writeTsvLine(output, {"a\tb", "", "c\nd"}); }), "a\\tb\t\tc\\nd\n");
}

TEST(FindingText, TellsHowManyMoreThereAre) {
  const std::vector<Finding> findings{{FindingKind::MemoryMissing, Address{0x10}, "First."},
                                      {FindingKind::MemoryMissing, {}, "Second."}};
  const auto text = [&](std::size_t leftOut, std::size_t limit) {
    return written([&](Output& output) { writeFindingsText(output, findings, leftOut, limit); });
  };
  EXPECT_NE(text(0, 10).find("0x10"), std::string::npos);
  EXPECT_EQ(text(0, 10).find("more"), std::string::npos);
  EXPECT_NE(text(3, 1).find("and 4 more findings.\n"), std::string::npos);
  EXPECT_EQ(text(3, 1).find("Second."), std::string::npos);
  EXPECT_EQ(written([](Output& output) { writeFindingsText(output, {}, 0, 5); }), "");
}

TEST(JsonWriter, NestsAndSeparates) {
  EXPECT_EQ(writtenJson([](JsonWriter& json) {
              json.member("name", "a \"b\"\\\n\x01");
              json.member("none", std::optional<std::uint64_t>());
              json.member("address", Address{0x7f});
              json.member("share", 0.5);
              json.member("yes", true);
              json.key("list");
              json.beginArray();
              json.value(1u);
              json.value(2u);
              json.endArray();
              json.key("wide");
              json.number("-36893488147419103232");
            }),
            "{\"name\":\"a \\\"b\\\"\\\\\\n\\u0001\",\"none\":null,\"address\":\"0x7f\",\"share\":0.500000,"
            "\"yes\":true,\"list\":[1,2],\"wide\":-36893488147419103232}");
}

TEST(JsonWriter, RowsStandOnLinesOfTheirOwn) {
  EXPECT_EQ(writtenJson([](JsonWriter& json) {
              json.key("rows");
              json.beginRows();
              for (const char* name : {"a", "b"}) {
                json.beginObject();
                json.member("name", name);
                json.endObject();
              }
              json.endArray();
              json.key("none");
              json.beginRows();
              json.endArray();
            }),
            "{\"rows\":[\n{\"name\":\"a\"},\n{\"name\":\"b\"}\n],\"none\":[]}");
}

TEST(JsonWriter, WhateverMemoryHoldsIsValidJson) {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
  const std::string json = writtenJson([&](JsonWriter& writer) { writer.member("text", text); });
  EXPECT_TRUE(nlohmann::json::accept(json)) << json;
}

}  // namespace
}  // namespace heapscape::engine
