// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/objects/value_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using nlohmann::json;
using test::written;
using test::writtenJson;

json jsonOf(const Value& value, bool redact = false) {
  return json::parse(writtenJson([&](JsonWriter& writer) { writeValueMembers(writer, value, redact); }));
}

Value value(ValueKind kind, const char* text) {
  return {.kind = kind, .text = text};
}

Value stringOf(const char* text) {
  return {.kind = ValueKind::Reference,
          .text = text,
          .object = Address{0x1000},
          .objectType = "System.String",
          .isString = true};
}

TEST(ValueJson, NumbersAndTruthsAreSuch) {
  EXPECT_EQ(jsonOf(value(ValueKind::Integer, "-42"))["value"], -42);
  EXPECT_EQ(jsonOf(value(ValueKind::Real, "1.5"))["value"], 1.5);
  EXPECT_EQ(jsonOf(value(ValueKind::Boolean, "false"))["value"], false);
  EXPECT_EQ(jsonOf(value(ValueKind::Boolean, "true (2)"))["value"], true);
  EXPECT_TRUE(jsonOf(value(ValueKind::Null, "null"))["value"].is_null());
}

TEST(ValueJson, NumbersThatJsonLacksAreText) {
  EXPECT_EQ(jsonOf(value(ValueKind::Real, "NaN"))["value"], "NaN");
  EXPECT_EQ(jsonOf(value(ValueKind::Real, "-Infinity"))["value"], "-Infinity");
}

TEST(ValueJson, WhatCannotBeReadIsNullAndSaysWhy) {
  Value damaged;
  damaged.damage = "the dump does not hold it";
  const json found = jsonOf(damaged);
  EXPECT_TRUE(found["value"].is_null());
  EXPECT_EQ(found["kind"], "damaged");
  EXPECT_EQ(found["damage"], "the dump does not hold it");
}

TEST(ValueJson, APointerToCodeNamesItsMethod) {
  Value pointer = value(ValueKind::Pointer, "0x7f01 Shop.Warehouse.Restock()");
  pointer.pointed = PointedKind::Code;
  const json found = jsonOf(pointer);
  EXPECT_EQ(found["value"], "0x7f01");
  EXPECT_EQ(found["method"], "Shop.Warehouse.Restock()");
}

TEST(ValueJson, APointerSaysWhatItLeadsTo) {
  Value handle = value(ValueKind::Pointer, "0x7f01 strong handle to Shop.Order at 0x2000");
  handle.pointed = PointedKind::Handle;
  handle.target = Address{0x2000};
  const json found = jsonOf(handle);
  EXPECT_EQ(found["value"], "0x7f01");
  EXPECT_EQ(found["pointsTo"], "handle");
  EXPECT_EQ(found["meaning"], "strong handle to Shop.Order at 0x2000");
  EXPECT_EQ(found["target"], "0x2000");
  EXPECT_FALSE(found.contains("method"));
  EXPECT_FALSE(jsonOf(value(ValueKind::Pointer, "0x7f01")).contains("pointsTo"));
}

TEST(ValueJson, AStringIsItsCharacters) {
  Value text = stringOf("\"a \\\"quoted\\\" word\"");
  text.characters = "a \"quoted\" word";
  EXPECT_EQ(jsonOf(text)["value"], "a \"quoted\" word");
}

TEST(ValueJson, RedactionKeepsWhichObjectButNotWhatItSays) {
  const json found = jsonOf(stringOf("\"secret\""), true);
  EXPECT_EQ(found.dump().find("secret"), std::string::npos);
  EXPECT_TRUE(found["value"].is_null());
  EXPECT_TRUE(found["redacted"].get<bool>());
  EXPECT_EQ(found["object"], "0x1000");
  EXPECT_EQ(found["objectType"], "System.String");
}

TEST(ValueText, IsOneLineForEveryKind) {
  EXPECT_EQ(valueText(value(ValueKind::Integer, "42"), false), "42");
  EXPECT_EQ(valueText(stringOf("\"secret\""), false), "0x1000 \"secret\"");
  EXPECT_EQ(valueText(stringOf("\"secret\""), true), "0x1000 (redacted)");
  Value order = stringOf("Order 7");
  order.objectType = "Shop.Order";
  order.isString = false;
  EXPECT_EQ(valueText(order, true), "0x1000 Shop.Order");
  Value damaged;
  EXPECT_EQ(valueText(damaged, false), "");
  damaged.damage = "cut";
  EXPECT_EQ(valueText(damaged, false), "damaged: cut");
  damaged.text = "1";
  EXPECT_EQ(valueText(damaged, false), "1, damaged: cut");
}

FieldValue field(const char* name, std::uint64_t offset, Value holds) {
  FieldValue made;
  made.name = name;
  made.typeName = "System.Int32";
  made.address = Address{0x2000 + offset};
  made.offset = offset;
  made.sizeBytes = 4;
  made.value = std::move(holds);
  return made;
}

TEST(FieldValues, NestedFieldsAreSetInAndNested) {
  FieldValue price = field("Price", 8, value(ValueKind::Struct, ""));
  price.declaringType = "Shop.Order";
  price.nested = {field("Amount", 8, value(ValueKind::Integer, "7"))};
  EXPECT_EQ(written([&](Output& output) { writeFieldTable(output, {price}, false); }),
            "Offset  Size  Name      Type          Value\n"
            "     8     4  Price     System.Int32\n"
            "     8     4    Amount  System.Int32  7\n");
  const json found =
      json::parse(writtenJson([&](JsonWriter& writer) { writeFieldValues(writer, "fields", {price}, false); }));
  EXPECT_EQ(found["fields"][0]["declaringType"], "Shop.Order");
  EXPECT_EQ(found["fields"][0]["nested"][0]["value"], 7);
  EXPECT_EQ(found["fields"][0]["nested"][0]["address"], "0x2008");
  EXPECT_FALSE(found["fields"][0]["nested"][0].contains("declaringType"));
}

}  // namespace
}  // namespace heapscape::engine
