// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/types/type_details.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

const engine::Snapshot& shop() {
  return openedDump("shop-10");
}

/// The name of what is found, or the error's sentences.
std::string found(const std::string& text) {
  const auto type = engine::findType(shop(), text);
  if (!type) return type.error().message();
  const auto details = engine::typeDetails(shop(), *type);
  return details ? details->name : details.error().message();
}

TEST(FindType, TakesNamesAsTheRuntimeAndAsCSharpHaveThem) {
  const std::string list = "System.Collections.Generic.List<System.String>";
  for (const char* text : {"System.Collections.Generic.List<System.String>", "List<string>", "List<System.String>",
                           "System.Collections.Generic.List<string>", "List`1<System.String>",
                           "System.Collections.Generic.List`1<System.String>"}) {
    EXPECT_EQ(found(text), list) << text;
  }
  EXPECT_EQ(found("string"), "System.String");
  EXPECT_EQ(found("int"), "System.Int32");
  EXPECT_EQ(found("int?"), "System.Nullable<System.Int32>");
  EXPECT_EQ(found("(int,string,double)"), "System.ValueTuple<System.Int32, System.String, System.Double>");
  EXPECT_EQ(found("int[,]"), "System.Int32[,]");
}

TEST(FindType, TakesAddresses) {
  const auto type = engine::findType(shop(), "Shop.Statics");
  ASSERT_TRUE(type);
  EXPECT_EQ(found(toString(*type)), "Shop.Statics");
  EXPECT_EQ(found(toString(*type).substr(2)), "Shop.Statics");
  EXPECT_NE(found("0x1234").find("no method table at 0x1234"), std::string::npos);
}

TEST(FindType, TakesAPartThatOnlyOneNameHas) {
  EXPECT_EQ(found("op.Fourt"), "Shop.Fourth");
}

TEST(FindType, NamesSomeWhereSeveralFit) {
  const std::string message = found("System.Collections.Generic.List`1");
  EXPECT_NE(message.find("loaded types fit"), std::string::npos) << message;
  EXPECT_NE(message.find("System.Collections.Generic.List<"), std::string::npos) << message;
  EXPECT_NE(message.find("Give the whole name"), std::string::npos) << message;
}

TEST(FindType, SaysThatNothingFits) {
  EXPECT_NE(found("No.Such.Type").find("No loaded type is named No.Such.Type"), std::string::npos);
  EXPECT_NE(found("").find("No type was named"), std::string::npos);
  EXPECT_NE(found("List<<<").find("No loaded type"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::test
