// SPDX-License-Identifier: MIT
// A type: what it is called, how large it is, what it declares.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "output/types/type_output.h"
#include "support/details.h"
#include "support/opened_snapshot.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

TypeDetails orderType() {
  TypeDetails type;
  type.name = "Shop.Order";
  type.clrName = "Shop.Order";
  type.kind = "class";
  type.methodTable = type.canonical.methodTable = Address{0x7f10};
  type.canonical.name = "Shop.Order";
  type.eeClass = Address{0x7f20};
  type.moduleName = "Shop.dll";
  type.module = Address{0x7f30};
  type.token = 0x02000002;
  type.parents = {{"Shop.Entity", Address{0x7f40}}, {"System.Object", Address{0x7f50}}};
  type.baseSize = 32;
  return type;
}

TypeField fieldOf(const char* name, const char* type, const char* declared) {
  TypeField field;
  field.name = name;
  field.typeName = type;
  field.declaredType = declared;
  field.declaringType = "Shop.Order";
  return field;
}

std::string typeText(const TypeDetails& type, const RowSelection& selection = {}) {
  return written([&](Output& output) { writeTypeText(output, type, {}, selection); });
}

nlohmann::json typeJson(const TypeDetails& type, const RowSelection& selection = {}) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeType(json, type, {}, selection); })).at("type");
}

bool containsLine(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TypeText, FactsThatATypeHasNotAreLeftOut) {
  const std::string text = typeText(orderType());
  EXPECT_TRUE(
      text.starts_with("Shop.Order\n"
                       "metadata        Shop.Order\n"
                       "kind            class\n"
                       "method table    0x7f10\n"
                       "EEClass         0x7f20\n"
                       "module          Shop.dll  0x7f30\n"
                       "token           0x02000002\n"
                       "parents         Shop.Entity, System.Object\n"))
      << text;
  for (const char* part : {"canonical", "load context", "elements", "initialised", "\nInterfaces\n", "\nFields",
                           "\nMethods\n", "\nType arguments\n", "\nStatics\n"})
    EXPECT_FALSE(contains(text, part)) << part;
}

TEST(TypeText, SharedCodeAndArraysSayWhoseTheyAre) {
  TypeDetails type = orderType();
  type.canonical = {"Shop.Box<System.__Canon>", Address{0x99}};
  type.elementTypeLink = TypeLink{"Shop.Order", {}};
  type.rank = 2;
  const std::string text = typeText(type);
  EXPECT_TRUE(containsLine(text, "canonical       Shop.Box<System.__Canon>  0x99")) << text;
  EXPECT_TRUE(containsLine(text, "elements        Shop.Order, 2 dimensions")) << "not loaded, no address\n" << text;
}

TEST(TypeText, FiguresSayWhatTheyCount) {
  TypeDetails type = orderType();
  type.componentSize = 2;
  type.vtableSlots = 4;
  type.totalSlots = 9;
  type.instanceFieldCount = 3;
  type.staticFieldCount = 2;
  type.threadStaticFieldCount = 1;
  type.isClassInitialised = false;
  type.objects = 12'345;
  type.bytes = UINT64_MAX;
  const std::string text = typeText(type);
  for (const char* line :
       {"base size       32 bytes and 2 for each element", "slots           4 in the vtable, 9 in all",
        "fields          3 of instances, 2 static, 1 of these per thread",
        "initialised     not yet: its static constructor has not run", "objects         12,345, 16.0 EB"})
    EXPECT_TRUE(containsLine(text, line)) << line << "\n" << text;
}

TEST(TypeText, DeclaredTypesAreShownOnlyWhereTheyDiffer) {
  TypeDetails type = orderType();
  type.fields = {fieldOf("Id", "System.Int32", "System.Int32"), fieldOf("Tag", "System.String", "")};
  const auto headOf = [](const std::string& text) {
    const std::size_t begin = text.find("Offset", text.find("\nFields"));
    const std::size_t head = text.find("\n", text.find("\nFields") + 1) + 1;
    return begin == std::string::npos ? std::string() : text.substr(head, text.find('\n', head) - head);
  };
  EXPECT_FALSE(contains(headOf(typeText(type)), "eclared as")) << headOf(typeText(type));
  const std::size_t columns = headOf(typeText(type)).size();
  type.fields.push_back(fieldOf("Item", "System.String", "T"));
  EXPECT_GT(headOf(typeText(type)).size(), columns) << "one column more";
}

TEST(TypeText, MethodsThatAreNotListedAreCounted) {
  TypeDetails type = orderType();
  for (const char* name : {"A()", "B()", "C()"}) {
    TypeMethod method;
    method.name = name;
    type.methods.push_back(method);
  }
  EXPECT_FALSE(contains(typeText(type), "more\n"));
  EXPECT_FALSE(contains(typeText(type, {.limit = 3}), "more\n"));
  const std::string one = typeText(type, {.limit = 1});
  EXPECT_TRUE(containsLine(one, "and 2 more")) << one;
  EXPECT_FALSE(contains(one, "B()")) << one;
}

TEST(TypeText, TwentyOfThoseThatShareItsCodeAreNamed) {
  TypeDetails type = orderType();
  for (std::uint64_t i = 0; i < 20; ++i) type.sharedWith.push_back({"Shop.Box" + std::to_string(i), Address{i + 1}});
  EXPECT_FALSE(contains(typeText(type), "Runs the same code")) << "no generic type shares code";
  type.typeArguments = {{"T", {"System.String", Address{0x60}}, "System.__Canon", true}};
  EXPECT_TRUE(contains(typeText(type), "\nRuns the same code\n"));
  EXPECT_FALSE(contains(typeText(type), "and 1 more"));
  type.sharedWith.push_back({"Shop.Last", Address{0x99}});
  const std::string text = typeText(type);
  EXPECT_TRUE(containsLine(text, "and 1 more")) << text;
  EXPECT_FALSE(contains(text, "Shop.Last")) << text;
  EXPECT_EQ(typeJson(type).at("sharedWith").size(), 21u) << "programs get all";
}

TEST(TypeJson, OnlyAnArrayHasAnElement) {
  TypeDetails type = orderType();
  nlohmann::json json = typeJson(type);
  EXPECT_FALSE(json.contains("element"));
  EXPECT_FALSE(json.contains("rank"));
  EXPECT_EQ(json.at("token"), 0x02000002);
  EXPECT_EQ(json.at("parents").size(), 2u);
  EXPECT_EQ(json.at("eeClassOptionalFields"), "0x0");
  type.elementTypeLink = TypeLink{"Shop.\"Order\"", Address{0x77}};
  type.rank = 32;
  json = typeJson(type);
  EXPECT_EQ(json.at("element"), nlohmann::json({{"name", "Shop.\"Order\""}, {"methodTable", "0x77"}}));
  EXPECT_EQ(json.at("rank"), 32);
}

TEST(TypeJson, FieldsHoldWhatTheObjectHoldsThatWasAskedFor) {
  TypeDetails type = orderType();
  type.fields = {fieldOf("Id", "System.Int32", "System.Int32"), fieldOf("Tag", "System.String", "System.String")};
  type.fields[0].value = Value{.kind = ValueKind::Integer, .text = "-42"};
  const nlohmann::json fields = typeJson(type).at("fields");
  EXPECT_EQ(fields.at(0).at("value"), -42);
  EXPECT_FALSE(fields.at(1).contains("value")) << "none was asked for";
  const nlohmann::json redacted = typeJson(type, {.isRedacted = true}).at("fields").at(0);
  EXPECT_TRUE(redacted.at("value").is_null());
  EXPECT_EQ(redacted.dump().find("-42"), std::string::npos) << redacted;
}

TEST(TypeJson, MethodsOfATypeAreThoseThatClrMdFinds) {
  const Snapshot& snapshot = test::openedDump("shop-10");
  const auto methodTable = findType(snapshot, "Shop.OrderBox");
  ASSERT_TRUE(methodTable.has_value());
  std::set<std::string> expected;
  const nlohmann::json details = test::detailsOf("shop-10");
  for (const nlohmann::json& method : details["methods"])
    if (test::addressIn(method, "methodTable") == *methodTable) expected.insert(method["methodDesc"]);
  ASSERT_FALSE(expected.empty());
  std::set<std::string> found;
  const auto type = typeDetails(snapshot, *methodTable);
  ASSERT_TRUE(type.has_value());
  const nlohmann::json json = typeJson(*type);
  for (const nlohmann::json& method : json.at("methods")) found.insert(method.at("methodDesc"));
  for (const std::string& method : expected) EXPECT_TRUE(found.contains(method)) << method;
  EXPECT_EQ(json.at("methodTable"), toString(*methodTable));
}

}  // namespace
}  // namespace heapscape::engine
