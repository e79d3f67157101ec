// SPDX-License-Identifier: MIT
// The verb layout: what is said of arrays, how deep values are opened, and what stays as it is declared.
#include <gtest/gtest.h>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kShop = unpackedDump("shop-10");
const std::string kPlain = unpackedDump("waste/plain-10");
const std::string kBest = unpackedDump("waste/best-10");

CliRun layoutOf(const std::string& dump, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"layout", dump});
  CliRun run = runCli(arguments);
  EXPECT_EQ(run.status, 0) << run.errors;
  return run;
}

json layoutIn(const std::string& dump, std::vector<std::string> arguments) {
  arguments.push_back("--json");
  return layoutOf(dump, std::move(arguments)).json().at("layouts").at(0);
}

std::uint64_t bytesOfType(const std::string& dump, const std::string& type) {
  const json types = runCli({"types", dump, "--json"}).json();
  for (const json& row : types.at("types")) {
    if (row.at("name") == type) return row.at("bytes");
  }
  throw std::runtime_error("no type " + type);
}

std::uint64_t drawnPadding(const json& layout) {
  std::uint64_t bytes = 0;
  for (const json& padding : layout.at("paddings")) bytes += padding.at("size").get<std::uint64_t>();
  return bytes;
}

TEST(LayoutOfArrays, CountsByTheElementThroughout) {
  const json array = layoutIn(kShop, {"Shop.SequentialStruct[]", "--best"});
  EXPECT_EQ(array.at("elementSize"), 24);
  const json& best = array.at("best");
  EXPECT_EQ(best.at("unit"), "element");
  EXPECT_EQ(best.at("size"), 24);
  EXPECT_EQ(best.at("bestSize"), 16);
  for (const json& advice : array.at("advice"))
    EXPECT_NE(advice.at("text").get<std::string>().find("of 24 bytes of every element"), std::string::npos) << advice;

  const std::string text = layoutOf(kShop, {"Shop.SequentialStruct[]", "--best"}).output;
  EXPECT_NE(text.find("Paddings: 12 bytes in each element (%50 of empty space in the element)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("Best: 16 instead of 24 bytes, 33% fewer in every element."), std::string::npos) << text;
  const std::string columns = layoutOf(kShop, {"Shop.SequentialStruct[]", "--side-by-side", "actual,best"}).output;
  EXPECT_NE(columns.find("16 bytes an element, 8 fewer than 24"), std::string::npos) << columns;
  EXPECT_NE(columns.find("padding 4, 25% of the element"), std::string::npos) << columns;
  EXPECT_NE(columns.find("Int16 E (2 bytes) ↕ was 18-19"), std::string::npos) << columns;
}

/// The same heap, whose types were declared so, is the referee.
TEST(LayoutOfArrays, SavesWhatAHeapWithTheBestDeclarationDoesWithout) {
  for (const char* type : {"Weather.Triple[]", "Weather.Packed[]", "Weather.Area[]"}) {
    const json best = layoutIn(kPlain, {type, "--best"}).at("best");
    EXPECT_EQ(best.at("savedOnHeap"), bytesOfType(kPlain, type) - bytesOfType(kBest, type)) << type;
    EXPECT_GT(best.at("savedOnHeap"), 0) << type;
  }
}

TEST(DeclaredKind, StaysThatOfTheMetadataWhateverRulesAreAskedFor) {
  for (const char* rules : {"auto", "sequential", "best", "declared"}) {
    const json layout = layoutIn(kShop, {"Shop.SequentialStruct", "--rules", rules});
    EXPECT_EQ(layout.at("declared").at("layoutKind"), "sequential") << rules;
    EXPECT_EQ(layout.at("effective"), std::string(rules) == "auto" ? "auto" : "sequential") << rules;
  }
  const json packed = layoutIn(kShop, {"Shop.SequentialStruct", "--rules", "sequential", "--pack", "2"});
  EXPECT_EQ(packed.at("declared").at("pack"), 0);
  EXPECT_EQ(packed.at("pack"), 2);
  const json elements = layoutIn(kShop, {"Shop.SequentialStruct[]", "--rules", "auto"});
  EXPECT_EQ(elements.at("elementLayout").at("declared").at("layoutKind"), "sequential");
  const std::string text = layoutOf(kShop, {"Shop.SequentialStruct", "--rules", "auto"}).output;
  EXPECT_TRUE(
      text.starts_with("Type layout for 'Shop.SequentialStruct' (struct, declared sequential, laid out auto)\n"))
      << text;
  EXPECT_TRUE(text.ends_with("By .NET 10, auto.\n")) << text;
}

TEST(NestedValues, AreOpenedAsDeepAsAskedAndAllSumsStay) {
  struct Form {
    const char* nested;
    std::uint64_t drawn;  // bytes of padding that are told one by one
  };
  // Own: 7. In Middle 7, in Nullable<Inner> 7, in each Inner 5.
  for (const Form& form : {Form{"none", 7}, Form{"0", 7}, Form{"1", 14}, Form{"2", 26}, Form{"all", 31}}) {
    const json layout = layoutIn(kShop, {"Shop.Deep", "--nested", form.nested});
    EXPECT_EQ(layout.at("paddingBytes"), 31) << form.nested;
    EXPECT_EQ(layout.at("ownPaddingBytes"), 7) << form.nested;
    EXPECT_EQ(layout.at("nestedPaddingBytes"), 24) << form.nested;
    EXPECT_EQ(drawnPadding(layout), form.drawn) << form.nested;
    EXPECT_EQ(layout.value("closedPaddingBytes", 0u), 31 - form.drawn) << form.nested;
  }
  EXPECT_EQ(layoutIn(kShop, {"Shop.Deep"}), layoutIn(kShop, {"Shop.Deep", "--nested", "all"}));
}

TEST(NestedValues, AreRowsOfTheBoxWhereNoneIsOpened) {
  const std::string text = layoutOf(kShop, {"Shop.Deep", "--nested", "none"}).output;
  EXPECT_EQ(text,
            "Type layout for 'Shop.Deep' (class, declared auto)\n"
            "Size: 96 bytes (80 of fields). Paddings: 31 bytes (%38 of empty space in the fields, %32 of the object; "
            "7 own, 24 nested, 24 of these not drawn)\n"
            "|=================================|\n"
            "| Object header (8 bytes)         |\n"
            "|---------------------------------|\n"
            "| Method table pointer (8 bytes)  |\n"
            "|=================================|\n"
            "|   0-7: Middle[] more (8 bytes)  |\n"
            "|---------------------------------|\n"
            "|     8: Byte tail (1 byte)       |\n"
            "|---------------------------------|\n"
            "|  9-15: padding (7 bytes)        |\n"
            "|---------------------------------|\n"
            "| 16-79: Middle middle (64 bytes) |\n"
            "|=================================|\n");
  const std::string one = layoutOf(kShop, {"Shop.Deep", "--nested", "1"}).output;
  EXPECT_NE(one.find("Inner one (24 bytes)"), std::string::npos) << one;
  EXPECT_EQ(one.find("Half h"), std::string::npos) << one;
}

TEST(NestedValues, RefuseADepthThatIsNone) {
  for (const char* wrong : {"some", "-1", "2x", ""}) {
    const CliRun run = runCli({"layout", kShop, "Shop.Deep", "--nested", wrong});
    EXPECT_EQ(run.status, 2) << wrong;
    EXPECT_EQ(run.output, "") << wrong;
  }
}

}  // namespace
}  // namespace heapscape::cli::test
