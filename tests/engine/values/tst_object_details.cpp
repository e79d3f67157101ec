// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "shop_objects.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

// What is expected follows from tests/targets/shop: Arrays.cs, Strings.cs and Code.cs.
namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class ShopDetails : public testing::TestWithParam<std::string> {
 protected:
  std::optional<ObjectDetails> arrayOf(const std::string& type, const std::vector<std::uint32_t>& lengths) const {
    for (ObjectDetails& details : objectsOf(m_snapshot, type)) {
      if (details.array && details.array->lengths == lengths) return std::move(details);
    }
    return std::nullopt;
  }
  std::optional<ObjectDetails> stringWith(const std::string& text) const {
    for (const ObjectRow& row : rowsOf(m_snapshot, "System.String", SIZE_MAX)) {
      auto details = objectDetails(m_snapshot, row.address);
      if (details && details->string && details->string->text == text) return std::move(*details);
    }
    return std::nullopt;
  }

  const Snapshot& m_snapshot = openedDump(GetParam());
};

INSTANTIATE_TEST_SUITE_P(OfVersions, ShopDetails,
                         testing::Values("shop-8", "shop-9", "shop-10", "shop-11", "shop-arm64-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ShopDetails, ArraysOfSeveralDimensionsCountInRowOrder) {
  const auto cube = arrayOf("System.Int32[,,]", {2, 3, 4});
  ASSERT_TRUE(cube);
  EXPECT_EQ(cube->array->rank, 3u);
  EXPECT_EQ(cube->array->count, 24u);
  EXPECT_EQ(cube->array->elementSize, 4u);
  EXPECT_EQ(cube->array->elementOffset, 40u);
  ASSERT_EQ(cube->array->elements.size(), 24u);
  EXPECT_EQ(cube->array->elements.front().name, "[0, 0, 0]");
  EXPECT_EQ(cube->array->elements[5].name, "[0, 1, 1]");
  EXPECT_EQ(cube->array->elements.back().name, "[1, 2, 3]");
  EXPECT_EQ(cube->array->elements.back().offset, 40u + 23 * 4);
}

TEST_P(ShopDetails, LowerBoundsShiftTheIndices) {
  const auto shifted = arrayOf("System.Int32[,]", {3, 2});
  ASSERT_TRUE(shifted);
  EXPECT_EQ(shifted->array->lowerBounds, (std::vector<std::int32_t>{10, -1}));
  EXPECT_EQ(shifted->array->elements.front().name, "[10, -1]");
  EXPECT_EQ(shifted->array->elements.back().name, "[12, 0]");
}

TEST_P(ShopDetails, ElementsArePagedFromAnywhere) {
  const auto cube = arrayOf("System.Int32[,,]", {2, 3, 4});
  ASSERT_TRUE(cube);
  const auto page = arrayElements(m_snapshot, cube->row.address, 20, 10);
  ASSERT_TRUE(page);
  ASSERT_EQ(page->size(), 4u);
  EXPECT_EQ(page->front().name, "[1, 2, 0]");
  EXPECT_EQ(page->front().address, cube->array->elements[20].address);
  EXPECT_TRUE(arrayElements(m_snapshot, cube->row.address, 24, 10)->empty());
  EXPECT_FALSE(arrayElements(m_snapshot, objectsOf(m_snapshot, "Shop.Buffer").front().row.address, 0, 1));
}

TEST_P(ShopDetails, ElementsThatAreStructsShowTheirFields) {
  const auto array = arrayOf("Shop.AutoStruct[]", {2});
  ASSERT_TRUE(array);
  const FieldValue& first = array->array->elements.front();
  ASSERT_EQ(first.nested.size(), 5u);
  EXPECT_EQ(first.nested.front().name, "Text");
  EXPECT_EQ(first.nested.front().value.text, "\"in a struct\"");
  EXPECT_EQ(first.nested.front().offset, 16u);
  EXPECT_TRUE(first.value.isString) << "the text in short holds the string's";
}

TEST_P(ShopDetails, StringsTellWhereTheirBytesAre) {
  const auto details = stringWith(std::string("zero\0inside", 11));
  ASSERT_TRUE(details);
  const StringDetails& string = *details->string;
  EXPECT_EQ(string.length, 11u);
  EXPECT_EQ(string.lengthOffset, 8u);
  EXPECT_EQ(string.charactersOffset, 12u);
  EXPECT_EQ(string.terminatorBytes, 2u);
  EXPECT_EQ(8 + string.charactersOffset + 2 * string.length + string.terminatorBytes + string.alignmentBytes,
            details->row.alignedBytes);
  EXPECT_TRUE(string.damage.empty());
  const auto empty = stringWith("");
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->string->alignmentBytes, 2u);
  EXPECT_TRUE(stringWith("Grüße, 世界, 🚀"));
}

TEST_P(ShopDetails, LongStringsAreCutAndSayHowLongTheyAre) {
  DetailLimits limits;
  limits.stringUnits = 10;
  const auto rows = rowsOf(m_snapshot, "System.String", 5, 100'000);
  EXPECT_FALSE(rows.empty());
  for (const ObjectRow& row : rows) {
    const auto details = objectDetails(m_snapshot, row.address, limits);
    ASSERT_TRUE(details);
    EXPECT_EQ(details->string->shown, 10u);
    EXPECT_EQ(details->string->text.size(), 10u);
    EXPECT_GE(details->string->length, 49'000u);
  }
}

TEST_P(ShopDetails, DelegatesNameWhatTheyCall) {
  std::set<std::string> methods;
  bool isMulticast = false;
  for (const ObjectDetails& details : objectsOf(m_snapshot, "System.Action")) {
    ASSERT_FALSE(details.delegate.empty());
    for (const DelegateTarget& target : details.delegate) methods.insert(target.method);
    if (details.delegate.size() != 3) continue;
    isMulticast = true;
    EXPECT_TRUE(details.delegate[0].targetType.starts_with("Shop.Code+<>c__DisplayClass"));
    EXPECT_NE(details.delegate[0].target, details.delegate[1].target) << "a closure for each turn of the loop";
    EXPECT_EQ(details.delegate[2].method, "Shop.Code.Quiet()");
    EXPECT_EQ(details.delegate[2].target, Address{});
    EXPECT_FALSE(details.delegate[2].isClosed);
  }
  EXPECT_TRUE(isMulticast) << "inLoop[0] + inLoop[1] + Quiet";
  std::set<std::string> functions;
  for (const ObjectDetails& details : objectsOf(m_snapshot, "System.Func<System.Int32, System.Int32>"))
    for (const DelegateTarget& target : details.delegate) functions.insert(target.method);
  EXPECT_TRUE(functions.contains("Shop.Code.Square(System.Int32)"));
  std::set<std::string> closed;
  for (const ObjectDetails& details : objectsOf(m_snapshot, "System.Func<System.String>"))
    for (const DelegateTarget& target : details.delegate) {
      if (target.isClosed && target.targetType == "System.String") closed.insert(target.method);
    }
  EXPECT_TRUE(closed.contains("System.String.Trim()")) << "bound to a string";
}

TEST_P(ShopDetails, ExceptionsTellMessageCauseAndStack) {
  const auto thrown = objectsOf(m_snapshot, "Shop.Code+OrderException");
  ASSERT_FALSE(thrown.empty());
  for (const ObjectDetails& details : thrown) {
    ASSERT_TRUE(details.exception);
    EXPECT_EQ(details.exception->message, "out of stock");
    EXPECT_EQ(static_cast<std::uint32_t>(details.exception->hresult), 0x80131500u);
    EXPECT_EQ(details.exception->damage, "");
    ASSERT_EQ(details.exception->stack.size(), 1u);
    EXPECT_EQ(details.exception->stack.front().method, "Shop.Code.Thrown()");
    EXPECT_GT(details.exception->stack.front().offset, 0u);
    EXPECT_LT(details.exception->stack.front().offset, 4096u);
  }
  const auto aggregates = objectsOf(m_snapshot, "System.AggregateException");
  const auto several = std::ranges::find_if(
      aggregates, [](const ObjectDetails& details) { return details.exception->message == "several"; });
  ASSERT_NE(several, aggregates.end());
  EXPECT_EQ(several->exception->innerExceptions.size(), 2u);
  EXPECT_EQ(several->exception->inner, several->exception->innerExceptions.front());
  EXPECT_EQ(several->exception->innerType, "Shop.Code+OrderException");
}

TEST_P(ShopDetails, TypesOtherThanTheseHaveNoneOfTheseParts) {
  const ObjectDetails details = std::move(objectsOf(m_snapshot, "Shop.Buffer").front());
  EXPECT_FALSE(details.string || details.array || details.boxed || details.exception || details.collection);
  EXPECT_TRUE(details.delegate.empty());
  EXPECT_TRUE(details.findings.empty());
}

TEST_P(ShopDetails, AnAddressInsideAnObjectFindsIt) {
  const ObjectDetails details = std::move(objectsOf(m_snapshot, "Shop.Buffer").front());
  const auto inside = objectDetails(m_snapshot, details.row.address + 21);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->row.address, details.row.address);
  EXPECT_FALSE(objectDetails(m_snapshot, Address{8}));
}

TEST_P(ShopDetails, ValuesOutsideOfObjectsAreReadByTheirType) {
  const ObjectDetails buffer = std::move(objectsOf(m_snapshot, "Shop.Buffer").front());
  const auto numbers = std::ranges::find(buffer.fields, "numbers", &FieldValue::name);
  ASSERT_NE(numbers, buffer.fields.end());
  const auto value = valueAt(m_snapshot, numbers->methodTable, numbers->address);
  ASSERT_TRUE(value);
  EXPECT_EQ(value->nested.size(), 8u);
  EXPECT_EQ(value->nested[1].offset, 4u) << "from the value's own start";
  EXPECT_FALSE(valueAt(m_snapshot, Address{16}, numbers->address));
}

}  // namespace
}  // namespace heapscape::engine
