// SPDX-License-Identifier: MIT
// Addresses of methods wherever they can be kept: tests/targets/lookups/Pointers.cs.
#include <gtest/gtest.h>

#include <algorithm>

#include "session/roots/statics_query.h"
#include "shop_objects.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::FieldValue;
using engine::PointedKind;
using engine::Value;
using engine::ValueKind;

class FunctionPointers : public testing::TestWithParam<std::string> {
 protected:
  static const engine::Snapshot& snapshot() { return openedDump(GetParam()); }
  static Value fieldNamed(const std::string& name) {
    return fieldOf(onlyObjectOf(snapshot(), "Lookups.Pointers").fields, name).value;
  }
  static Value staticNamed(const std::string& name) {
    const auto statics = engine::listStatics(snapshot(), {.typeText = "Lookups.Pointers"}, {});
    const auto row = std::ranges::find(statics->statics, name, &engine::StaticRow::field);
    return row == statics->statics.end() ? Value{} : row->value.value;
  }
  static std::vector<FieldValue> elementsOf(const std::string& name) {
    const auto details = engine::objectDetails(snapshot(), fieldNamed(name).object);
    return details && details->array ? details->array->elements : std::vector<FieldValue>{};
  }
};

INSTANTIATE_TEST_SUITE_P(OfLookups, FunctionPointers, testing::Values("lookups-8", "lookups-10", "lookups-11"),
                         [](const auto& dump) { return testName(dump.param); });

/// A number stays one, with the method behind it.
bool leadsTo(const Value& value, const std::string& method) {
  const bool isAddress = value.kind == ValueKind::Pointer && value.text.starts_with("0x");
  return (isAddress || value.kind == ValueKind::Integer) && value.text.ends_with(" " + method);
}

constexpr const char* kTwice = "Lookups.Pointers.Twice(System.Int32)";
constexpr const char* kThrice = "Lookups.Pointers.Thrice(System.Int32)";

TEST_P(FunctionPointers, OfObjectsAreShownByMethod) {
  EXPECT_TRUE(leadsTo(fieldNamed("OfObject"), kTwice));
  EXPECT_TRUE(leadsTo(fieldNamed("Fixed"), "Lookups.Pointers.Optimised(System.Int32)"));
  const FieldValue nested = fieldOf(onlyObjectOf(snapshot(), "Lookups.Pointers").fields, "Nested");
  EXPECT_TRUE(leadsTo(fieldOf(nested.nested, "Call").value, kThrice));
  EXPECT_EQ(fieldOf(nested.nested, "Code").value.text, "7");
}

TEST_P(FunctionPointers, OfStaticsAreShownByMethodWhateverTheirType) {
  EXPECT_TRUE(leadsTo(staticNamed("Typed"), kTwice));
  EXPECT_TRUE(leadsTo(staticNamed("Number"), kTwice));
  EXPECT_TRUE(leadsTo(staticNamed("Untyped"), kThrice));
  EXPECT_TRUE(leadsTo(staticNamed("Unmanaged"), "Lookups.Pointers.FromNative(System.Int32)"));
  // .NET 8 gives out the address of its own code in C++, which is no managed method's.
  const bool isNative = GetParam() == "lookups-8";
  EXPECT_NE(leadsTo(staticNamed("OfLibrary"), "System.Math.Cbrt(System.Double)"), isNative);
  EXPECT_TRUE(leadsTo(staticNamed("Prepared"), "System.String.IsNullOrEmpty(System.String)"));
}

TEST_P(FunctionPointers, OfArraysAreShownByMethod) {
  const auto elements = elementsOf("Elements");
  ASSERT_EQ(elements.size(), 3u);
  EXPECT_TRUE(leadsTo(elements[0].value, kTwice));
  EXPECT_TRUE(leadsTo(elements[1].value, kThrice));
  EXPECT_EQ(elements[2].value.kind, ValueKind::Null);
  const auto numbers = elementsOf("Numbers");
  ASSERT_EQ(numbers.size(), 2u);
  EXPECT_TRUE(leadsTo(numbers[0].value, kTwice));
  EXPECT_EQ(numbers[1].value.text, "0x2a");
  const auto structs = elementsOf("Structs");
  ASSERT_EQ(structs.size(), 1u);
  EXPECT_TRUE(leadsTo(fieldOf(structs[0].nested, "Call").value, kTwice));
}

TEST_P(FunctionPointers, NumbersThatLeadNowhereStayNumbers) {
  EXPECT_EQ(staticNamed("Odd").kind, ValueKind::Pointer);
  EXPECT_EQ(staticNamed("Odd").pointed, PointedKind::Nothing);
  EXPECT_EQ(staticNamed("Odd").text, "0x123456789abc");
  EXPECT_EQ(staticNamed("None").kind, ValueKind::Null);
}

}  // namespace
}  // namespace heapscape::test
