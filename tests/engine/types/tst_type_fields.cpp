// SPDX-License-Identifier: MIT
// The field table in the columns of SOS (DisplayFields in dotnet/diagnostics, src/SOS/Strike/util.cpp).
#include <gtest/gtest.h>

#include <algorithm>

#include "session/objects/object_query.h"
#include "session/types/type_details.h"
#include "session/types/type_parts.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::TypeDetails;
using engine::TypeField;

class TypeFields : public testing::TestWithParam<std::string> {
 protected:
  static const engine::Snapshot& snapshot() { return openedDump(GetParam()); }
  static Address typeNamed(const std::string& name) {
    const auto type = engine::findType(snapshot(), name);
    EXPECT_TRUE(type) << name;
    return type.value_or(Address{});
  }
  static Address objectOf(const std::string& name) {
    engine::ObjectFilter filter;
    filter.type = test::findType(snapshot(), name);
    const auto rows = engine::listObjects(snapshot(), filter, 0, 1);
    EXPECT_EQ(rows.size(), 1u) << name;
    return rows.empty() ? Address{} : rows.front().address;
  }
};

INSTANTIATE_TEST_SUITE_P(OfLookups, TypeFields, testing::Values("lookups-8", "lookups-10", "lookups-11"),
                         [](const auto& dump) { return testName(dump.param); });

const TypeField& fieldOf(const TypeDetails& type, std::string_view name) {
  const auto field = std::ranges::find(type.fields, name, &TypeField::name);
  if (field == type.fields.end()) throw std::runtime_error("no field " + std::string(name));
  return *field;
}

TEST_P(TypeFields, CountFromTheObjectAndFromTheFirstField) {
  const auto type = engine::typeDetails(snapshot(), typeNamed("Lookups.Counts"));
  ASSERT_TRUE(type);
  EXPECT_EQ(fieldOf(*type, "Two").offset, 0u);  // references come first
  EXPECT_EQ(fieldOf(*type, "Two").objectOffset, 8u);
  EXPECT_EQ(fieldOf(*type, "Three").objectOffset, 16u);
  EXPECT_EQ(fieldOf(*type, "One").objectOffset, 24u);
  for (const TypeField& field : type->fields)
    EXPECT_EQ(field.objectOffset, field.offset + (field.isStatic ? 0 : 8)) << field.name;
}

TEST_P(TypeFields, TellWhoDeclaresThemAndWhetherTheyHoldValues) {
  const auto type = engine::typeDetails(snapshot(), typeNamed("Lookups.Pointers"));
  ASSERT_TRUE(type);
  for (const TypeField& field : type->fields) EXPECT_EQ(field.declaringMethodTable, type->methodTable) << field.name;
  EXPECT_TRUE(fieldOf(*type, "Nested").isValueType);
  EXPECT_TRUE(fieldOf(*type, "Fixed").isValueType);  // a primitive: SOS says so, too
  EXPECT_FALSE(fieldOf(*type, "Closed").isValueType);
  EXPECT_FALSE(fieldOf(*type, "OfObject").isValueType);
  const auto counts = engine::typeDetails(snapshot(), typeNamed("Lookups.Counts"));
  EXPECT_EQ(fieldOf(*counts, "Two").typeMethodTable, typeNamed("System.String"));
}

TEST_P(TypeFields, HoldWhatTheGivenObjectHolds) {
  const Address object = objectOf("Lookups.Counts");
  const auto type = engine::typeDetails(snapshot(), typeNamed("Lookups.Counts"), object);
  ASSERT_TRUE(type) << type.error().message();
  ASSERT_TRUE(fieldOf(*type, "One").value && fieldOf(*type, "Two").value);
  EXPECT_EQ(fieldOf(*type, "One").value->text, "0");
  EXPECT_EQ(fieldOf(*type, "Two").value->text, "\"two\"");
  EXPECT_FALSE(fieldOf(*type, "Text").value);
}

TEST_P(TypeFields, HoldTheStaticsOfTheType) {
  auto type = engine::typeDetails(snapshot(), typeNamed("Lookups.Counts"));
  ASSERT_TRUE(type);
  EXPECT_FALSE(fieldOf(*type, "One").value);
  const auto statics = engine::listStatics(snapshot(), {.methodTable = type->methodTable}, {});
  ASSERT_TRUE(statics);
  engine::addStaticValues(*type, *statics);
  EXPECT_EQ(fieldOf(*type, "Text").value->text, "\"text\"");
  EXPECT_EQ(fieldOf(*type, "Plain").value->text, "1");
  EXPECT_FALSE(fieldOf(*type, "PerThread").value);  // each thread has its own
}

TEST_P(TypeFields, AnObjectOfAnotherTypeIsRefused) {
  const Address object = objectOf("Lookups.Counts");
  const auto type = engine::typeDetails(snapshot(), typeNamed("Lookups.Pointers"), object);
  ASSERT_FALSE(type);
  EXPECT_EQ(type.error().code, engine::ErrorCode::BadQuery);
  EXPECT_FALSE(engine::typeDetails(snapshot(), typeNamed("Lookups.Counts"), object + 8));
  // What a parent declares can be asked of a derived object.
  EXPECT_TRUE(engine::typeDetails(snapshot(), typeNamed("Lookups.Rack<string>"), objectOf("Lookups.EarlyRack")));
}

}  // namespace
}  // namespace heapscape::test
