// SPDX-License-Identifier: MIT
#include <flatbuffers/flatbuffers.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "output/arrow_file.h"
#include "output/typed_columns.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using Type = TypedColumn::Type;

QueryValue valueOfNumber(long double number) {
  return {.state = QueryValue::State::There, .number = number};
}

TypedColumn columnOf(QueryColumn column, const std::vector<QueryValue>& values) {
  TypedColumns columns({std::move(column)});
  for (const QueryValue& value : values) columns.add({value});
  EXPECT_EQ(columns.rows(), values.size());
  return columns.columns().front();
}

std::vector<std::string> textsByRow(const TypedColumn& column) {
  std::vector<std::string> texts;
  for (const std::int32_t place : column.places) texts.emplace_back(column.text(static_cast<std::size_t>(place)));
  return texts;
}

TEST(TypedColumns, HaveTheTypeOfWhatTheyAreAbout) {
  EXPECT_EQ(columnOf({"bytes", QueryKind::Bytes}, {QueryValue::ofNumber(24)}).type, Type::Unsigned);
  EXPECT_EQ(columnOf({"address", QueryKind::Address}, {QueryValue::ofAddress(0x7f00)}).type, Type::Unsigned);
  EXPECT_EQ(columnOf({"pinned", QueryKind::Flag}, {QueryValue::ofFlag(true)}).type, Type::Flag);
  EXPECT_EQ(columnOf({"type", QueryKind::Text}, {QueryValue::ofText("A")}).type, Type::Text);
  // Also where nothing is there to tell it, and where all shares happen to be whole.
  EXPECT_EQ(columnOf({"bytes", QueryKind::Bytes}, {}).type, Type::Unsigned);
  EXPECT_EQ(columnOf({"share", QueryKind::Number, true}, {QueryValue::ofNumber(1)}).type, Type::Fraction);
}

TEST(TypedColumns, HoldNumbersExactly) {
  const std::uint64_t largest = UINT64_MAX;
  EXPECT_EQ(columnOf({"n", QueryKind::Number}, {QueryValue::ofNumber(largest)}).numbers,
            std::vector<std::uint64_t>{largest});
  const TypedColumn negative = columnOf({"n", QueryKind::Number}, {QueryValue::ofNumber(7), valueOfNumber(-8)});
  EXPECT_EQ(negative.type, Type::Signed);
  EXPECT_EQ(std::bit_cast<std::int64_t>(negative.numbers[1]), -8);
  const TypedColumn halves = columnOf({"n", QueryKind::Number}, {QueryValue::ofNumber(7), valueOfNumber(0.5)});
  EXPECT_EQ(halves.type, Type::Fraction);
  EXPECT_EQ(std::bit_cast<double>(halves.numbers[0]), 7.0);
  // No number type has both of these.
  const TypedColumn both = columnOf({"n", QueryKind::Number}, {QueryValue::ofNumber(largest), valueOfNumber(-1)});
  EXPECT_EQ(both.type, Type::Text);
  EXPECT_EQ(textsByRow(both), (std::vector<std::string>{"18446744073709551615", "-1"}));
}

TEST(TypedColumns, OfFieldsTakeTheTypeOfTheirValues) {
  EXPECT_EQ(columnOf({"Number", QueryKind::Text}, {QueryValue::ofNull(), QueryValue::ofNumber(4)}).type,
            Type::Unsigned);
  EXPECT_EQ(columnOf({"Gift", QueryKind::Text}, {QueryValue::ofNull(), QueryValue::ofFlag(true)}).type, Type::Flag);
  const TypedColumn mixed =
      columnOf({"F", QueryKind::Text}, {QueryValue::ofFlag(true), QueryValue::ofNumber(4), QueryValue::ofText("x")});
  EXPECT_EQ(mixed.type, Type::Text);
  EXPECT_EQ(textsByRow(mixed), (std::vector<std::string>{"true", "4", "x"}));
  QueryValue member = QueryValue::ofText("Paid");
  member.number = 3;
  EXPECT_EQ(textsByRow(columnOf({"State", QueryKind::Text}, {member})), std::vector<std::string>{"Paid"});
  QueryValue reference = QueryValue::ofAddress(0x7f10);
  reference.text = "Shop.Customer";
  const TypedColumn references = columnOf({"Customer", QueryKind::Text}, {reference, QueryValue::ofText("x")});
  EXPECT_EQ(textsByRow(references), (std::vector<std::string>{"0x7f10", "x"}));
}

TEST(TypedColumns, KnowWhichValuesAreMissing) {
  const TypedColumn column = columnOf({"n", QueryKind::Number},
                                      {QueryValue::ofNull(), QueryValue::ofNumber(5), QueryValue(), valueOfNumber(-1)});
  EXPECT_EQ(column.missing, 2u);
  EXPECT_EQ(column.present, std::vector<std::uint8_t>{0b1010});
  EXPECT_EQ(column.numbers.size(), 4u);
}

TEST(TypedColumns, KeepEachTextOnce) {
  const TypedColumn column =
      columnOf({"type", QueryKind::Text}, {QueryValue::ofText("A"), QueryValue::ofText("B"), QueryValue::ofText("A")});
  EXPECT_EQ(column.textCount(), 2u);
  EXPECT_EQ(column.places, (std::vector<std::int32_t>{0, 1, 0}));
}

/// What of Arrow's file format these tests read: format/File.fbs, Message.fbs and Schema.fbs.
class ArrowFile {
 public:
  explicit ArrowFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    m_bytes.assign(std::istreambuf_iterator<char>(file), {});
  }

  bool hasMagic() const { return m_bytes.starts_with("ARROW1") && m_bytes.ends_with("ARROW1"); }
  const flatbuffers::Table* footer() const {
    std::uint32_t size = 0;
    std::memcpy(&size, m_bytes.data() + m_bytes.size() - 10, sizeof size);
    const char* begin = m_bytes.data() + m_bytes.size() - 10 - size;
    return flatbuffers::GetRoot<flatbuffers::Table>(begin);
  }
  std::vector<std::string> fieldNames() const {
    std::vector<std::string> names;
    const auto* schema = footer()->GetPointer<const flatbuffers::Table*>(6);
    for (const auto* field : *schema->GetPointer<const Tables*>(6))
      names.push_back(field->GetPointer<const flatbuffers::String*>(4)->str());
    return names;
  }
  /// Where the body of the only batch of rows begins, and where its buffers lie in it.
  struct Batch {
    std::int64_t rows = 0;
    std::vector<std::string> buffers = {};
  };
  Batch batch() const {
    const auto* blocks = footer()->GetPointer<const flatbuffers::Vector<std::int64_t>*>(10);
    EXPECT_EQ(blocks->size(), 1u);
    const auto at = static_cast<std::size_t>(blocks->Get(0));  // of the first member of the first structure
    std::int32_t metadata = 0;
    std::memcpy(&metadata, blocks->Data() + 8, sizeof metadata);
    const auto* message = flatbuffers::GetRoot<flatbuffers::Table>(m_bytes.data() + at + 8);
    EXPECT_EQ(message->GetField<std::uint8_t>(6, 0), 3);  // a record batch
    const auto* record = message->GetPointer<const flatbuffers::Table*>(8);
    Batch batch{.rows = record->GetField<std::int64_t>(4, 0)};
    const auto* places = record->GetPointer<const flatbuffers::Vector<std::int64_t>*>(8);
    for (std::size_t i = 0; i < places->size(); ++i) {
      std::int64_t place[2];
      std::memcpy(place, places->Data() + 16 * i, sizeof place);
      batch.buffers.push_back(
          m_bytes.substr(at + static_cast<std::size_t>(metadata + place[0]), static_cast<std::size_t>(place[1])));
    }
    return batch;
  }

 private:
  using Tables = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::Table>>;
  std::string m_bytes;
};

template <class Item>
std::vector<Item> itemsOf(const std::string& bytes) {
  std::vector<Item> items(bytes.size() / sizeof(Item));
  std::memcpy(items.data(), bytes.data(), bytes.size());
  return items;
}

TEST(ArrowFile, HoldsTheColumnsAsTheyAre) {
  TypedColumns columns({{"address", QueryKind::Address}, {"type", QueryKind::Text}, {"pinned", QueryKind::Flag}});
  columns.add({QueryValue::ofAddress(0x7f00), QueryValue::ofText("A"), QueryValue::ofFlag(true)});
  columns.add({QueryValue(), QueryValue::ofText("B"), QueryValue::ofFlag(false)});
  columns.add({QueryValue::ofAddress(0x7f40), QueryValue::ofText("A"), QueryValue::ofFlag(true)});
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "rows.arrow";
  ASSERT_TRUE(writeArrowFile(path, columns));
  const ArrowFile file(path);
  ASSERT_TRUE(file.hasMagic());
  EXPECT_EQ(file.fieldNames(), (std::vector<std::string>{"address", "type", "pinned"}));
  const ArrowFile::Batch batch = file.batch();
  EXPECT_EQ(batch.rows, 3);
  ASSERT_EQ(batch.buffers.size(), 6u);  // what is there, and the values, of each column
  EXPECT_EQ(batch.buffers[0], std::string(1, 0b101));
  EXPECT_EQ(itemsOf<std::uint64_t>(batch.buffers[1]), (std::vector<std::uint64_t>{0x7f00, 0, 0x7f40}));
  EXPECT_EQ(batch.buffers[2], "");
  EXPECT_EQ(itemsOf<std::int32_t>(batch.buffers[3]), (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(batch.buffers[5], std::string(1, 0b101));
}

TEST(ArrowFile, IsNotWrittenByHalves) {
  const TypedColumns columns({{"address", QueryKind::Address}});
  const auto written = writeArrowFile("/nowhere/rows.arrow", columns);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::FileUnreadable);
}

}  // namespace
}  // namespace heapscape::engine
