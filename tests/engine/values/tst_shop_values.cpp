// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "shop_objects.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

// The values are those that tests/targets/shop/Layouts.cs gives them.
namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class ShopValues : public testing::TestWithParam<std::string> {
 protected:
  std::set<std::string> boxedTexts(const std::string& type) const {
    std::set<std::string> texts;
    for (const ObjectDetails& details : objectsOf(m_snapshot, type)) {
      if (details.boxed && details.boxed->value.damage.empty()) texts.insert(details.boxed->value.text);
    }
    return texts;
  }
  const Snapshot& m_snapshot = openedDump(GetParam());
};

INSTANTIATE_TEST_SUITE_P(OfVersions, ShopValues,
                         testing::Values("shop-8", "shop-9", "shop-10", "shop-11", "shop-arm64-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ShopValues, BoxesReadAsCSharpWritesThem) {
  const std::pair<const char*, const char*> expected[] = {
      {"System.Boolean", "true"},
      {"System.Char", "'x'"},
      {"System.Byte", "1"},
      {"System.SByte", "-1"},
      {"System.Int16", "-2"},
      {"System.UInt16", "2"},
      {"System.Int32", "3"},
      {"System.UInt32", "4"},
      {"System.Int64", "5"},
      {"System.UInt64", "6"},
      {"System.Single", "7"},
      {"System.Double", "8"},
      {"System.Decimal", "9"},
      {"System.IntPtr", "0xa"},
      {"System.UIntPtr", "0xb"},
      {"System.Half", "12"},
      {"System.Int128", "13"},
      {"System.UInt128", "14"},
      {"System.Numerics.BigInteger", "1000000000000000019884624838656"},
      {"System.DateTime", "2024-02-29 00:00:00"},
      {"System.TimeSpan", "1.00:00:00"},
      {"System.DateOnly", "2024-02-29"},
      {"System.TimeOnly", "12:30:00"},
      {"System.Guid", "00000001-0002-0003-0405-060708090a0b"},
      {"System.ValueTuple<System.Int32, System.String, System.Double>", "(1, \"two\", 3)"},
      {"System.Collections.Generic.KeyValuePair<System.String, System.Int32>", "[\"key\", 1]"},
      {"System.Index", "1"},
      {"System.Range", "2..5"},
      {"Shop.SmallEnum", "B"},
      {"Shop.ULongEnum", "B"},
      {"Shop.RecordStruct", "{ <Name>k__BackingField = null, <Id>k__BackingField = 2 }"},
  };
  for (const auto& [type, text] : expected) {
    const auto texts = boxedTexts(type);
    EXPECT_TRUE(texts.contains(text)) << type << " is not " << text << (texts.empty() ? "" : " but " + *texts.begin());
  }
  const auto all = m_snapshot.types();
  const auto tuple = std::ranges::find_if(all, [](const TypeRow& row) {
    return row.name.starts_with("System.ValueTuple<System.Int32, System.Int32, System.Int32") &&
           row.name.find("System.String>>") != std::string::npos;
  });
  ASSERT_NE(tuple, all.end());
  EXPECT_TRUE(boxedTexts(tuple->name).contains("(1, 2, 3, 4, 5, 6, 7, 8, 9, \"ten\")"));
}

TEST_P(ShopValues, BoxesHaveTheirValueBehindTheMethodTable) {
  const auto guids = objectsOf(m_snapshot, "System.Guid");
  ASSERT_FALSE(guids.empty());
  EXPECT_EQ(guids.front().boxed->valueOffset, 8u);
  EXPECT_EQ(guids.front().boxed->valueSize, 16u);
  EXPECT_EQ(guids.front().fields.front().offset, 8u);
}

TEST_P(ShopValues, NullablesAreNullOrTheirValue) {
  const ObjectDetails details = onlyObjectOf(m_snapshot, "Shop.Nullables");
  const Value& day = fieldOf(details.fields, "Day").value;
  EXPECT_EQ(day.kind, ValueKind::Known);
  EXPECT_EQ(day.text, "Friday");
  for (const std::string name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    EXPECT_EQ(fieldOf(details.fields, name).value.kind, ValueKind::Null) << name;
    EXPECT_EQ(fieldOf(details.fields, name).nested.size(), 2u) << name;
  }
}

TEST_P(ShopValues, InlineArraysAndFixedBuffersShowAllTheirElements) {
  const ObjectDetails buffer = onlyObjectOf(m_snapshot, "Shop.Buffer");
  const FieldValue& numbers = fieldOf(buffer.fields, "numbers");
  ASSERT_EQ(numbers.nested.size(), 8u);
  EXPECT_EQ(numbers.nested[7].name, "[7]");
  EXPECT_EQ(numbers.nested[7].offset, numbers.offset + 28);
  EXPECT_EQ(fieldOf(buffer.fields, "names").nested.size(), 3u);
  EXPECT_EQ(fieldOf(buffer.fields, "Length").value.text, "4");
  const ObjectDetails fixed = onlyObjectOf(m_snapshot, "Shop.FixedBuffers");
  EXPECT_EQ(fieldOf(fixed.fields, "Bytes").nested.size(), 13u);
  EXPECT_EQ(fieldOf(fixed.fields, "Longs").nested.size(), 3u);
  EXPECT_EQ(fieldOf(fixed.fields, "Chars").nested.size(), 5u);
}

TEST_P(ShopValues, FieldsOfBaseTypesComeFirst) {
  const ObjectDetails details = onlyObjectOf(m_snapshot, "Shop.Fourth");
  std::vector<std::string> names;
  for (const FieldValue& field : details.fields) names.push_back(field.declaringType + "." + field.name);
  ASSERT_GE(names.size(), 7u);
  EXPECT_EQ(names[0], "Shop.First.o");
  EXPECT_EQ(names[1], "Shop.First.a");
  EXPECT_EQ(names[2], "Shop.Second.i");
  EXPECT_TRUE(names.back().starts_with("Shop.Fourth."));
}

TEST_P(ShopValues, OverlappingFieldsEachHaveTheirValue) {
  const auto unions = objectsOf(m_snapshot, "Shop.Union");
  ASSERT_FALSE(unions.empty());
  const auto& fields = unions.front().fields;
  EXPECT_EQ(fieldOf(fields, "Whole").value.text, "4607182418800017408");
  EXPECT_EQ(fieldOf(fields, "real").value.text, "1");
  EXPECT_EQ(fieldOf(fields, "high").value.text, "1072693248");
  EXPECT_EQ(fieldOf(fields, "top").value.text, "63");
}

TEST_P(ShopValues, PointersAreShownAsSuch) {
  const ObjectDetails details = onlyObjectOf(m_snapshot, "Shop.Pointers");
  for (const std::string name : {"a", "b", "c", "e"})
    EXPECT_EQ(fieldOf(details.fields, name).value.kind, ValueKind::Null) << name;
  EXPECT_EQ(fieldOf(details.fields, "d").value.text, "0x0");
  EXPECT_EQ(fieldOf(details.fields, "b").typeName, "System.Int32**");
}

TEST_P(ShopValues, GenericFieldsHaveTheTypesOfTheInstantiation) {
  const auto boxes = objectsOf(m_snapshot, "Shop.Box<System.Int32>");
  ASSERT_FALSE(boxes.empty());
  EXPECT_EQ(fieldOf(boxes.front().fields, "content").typeName, "System.Int32");
  EXPECT_EQ(fieldOf(boxes.front().fields, "content").value.kind, ValueKind::Integer);
  const auto texts = objectsOf(m_snapshot, "Shop.Box<System.String>");
  ASSERT_FALSE(texts.empty());
  EXPECT_EQ(fieldOf(texts.front().fields, "content").typeName, "System.String");
}

}  // namespace
}  // namespace heapscape::engine
