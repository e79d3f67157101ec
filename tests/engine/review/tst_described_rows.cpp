// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/given_name.h"
#include "review/review_cells.h"

namespace heapscape::engine {
namespace {

struct Row {
  std::string name;
  std::string text;
  std::optional<std::uint64_t> bytes;
  std::int64_t saved = 0;
  double share = 0;
  Address address;
};

Table table() {
  ColumnOf<Row> name = textColumn<Row>("name", "Name", "A thread.", &Row::name);
  name.redacted = [](const Row& row) { return Cell(withoutGivenName(row.name)); };
  const TableOf<Row> described("rows", {name, textColumn<Row>("text", "Text", "Contents.", &Row::text).contents(),
                                        bytesColumn<Row>("bytes", "Bytes", "Bytes.", &Row::bytes),
                                        savedBytesColumn<Row>("saved", "Saved", "Bytes.", &Row::saved),
                                        shareColumn<Row>("share", "Share", "A share.", &Row::share),
                                        addressColumn<Row>("address", "At", "Where.", &Row::address)});
  return described.with({{"thread 5 \"worker\"", "secret", 2048, -512, 0.25, {0x10}}, {"b", "", {}, 0, 0, {}}});
}

TEST(DescribedRows, haveTheColumnsThatAreAskedForAsTheListDescribesThem) {
  const ReviewTable page = describedRows(table(), {"bytes", "saved", "share", "address"}, {});
  ASSERT_EQ(page.columns.size(), 4u);
  EXPECT_EQ(page.columns[0].title, "Bytes");
  EXPECT_EQ(page.columns[3].kind, ColumnKind::Address);
  ASSERT_EQ(page.rows.size(), 2u);
  EXPECT_EQ(page.rows[0][0].text, "2.00 KB");
  EXPECT_EQ(page.rows[0][0].number, 2048);
  EXPECT_EQ(page.rows[0][1].number, -512);
  EXPECT_EQ(page.rows[0][2].text, "25.0%");
  EXPECT_EQ(page.rows[0][3].text, "0x10");
  EXPECT_EQ(page.rows[1][0].text, "");  // not known is not 0
  EXPECT_FALSE(page.rows[1][0].number);
}

TEST(DescribedRows, moreThanAreWantedAreCounted) {
  const ReviewTable page = describedRows(table(), {"name"}, {.limit = 1});
  EXPECT_EQ(page.rows.size(), 1u);
  EXPECT_EQ(page.rowsLeftOut, 1u);
}

TEST(DescribedRows, contentsCanBeLeftOutNowOrLater) {
  const ReviewTable page = describedRows(table(), {"name", "text"}, {});
  EXPECT_TRUE(page.columns[1].holdsContents);
  EXPECT_FALSE(page.columns[0].holdsContents);
  EXPECT_EQ(page.rows[0][0].text, "thread 5 \"worker\"");
  EXPECT_EQ(page.rows[0][0].redacted, "thread 5");
  EXPECT_FALSE(page.rows[1][0].redacted);
  const ReviewTable redacted = describedRows(table(), {"name", "text"}, {.isRedacted = true});
  EXPECT_EQ(redacted.rows[0][0].text, "thread 5");
  EXPECT_EQ(redacted.rows[0][1].text, "");
}

}  // namespace
}  // namespace heapscape::engine
