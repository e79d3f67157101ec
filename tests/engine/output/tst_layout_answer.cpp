// SPDX-License-Identifier: MIT
// What is told about one type: its layout, why it is so, and what would be better.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/layouts/layout_output.h"
#include "support/hand_made_layouts.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

LayoutAnswer answerOf(TypeLayout layout, RuleSet rules = RuleSet::Declared) {
  LayoutAnswer answer;
  answer.layouts = {{.question = {.rules = rules}, .layout = std::move(layout)}};
  return answer;
}

LayoutAnswer bestAnswer(BestOrder best) {
  LayoutAnswer answer = answerOf(handmade::order());
  answer.study = TypeStudy{};
  answer.study->best = std::move(best);
  answer.showsBest = true;
  return answer;
}

BestOrder reordered() {
  return {.means = AdviceKind::Reorder,
          .order = {"Id", "Paid", "Customer"},
          .instanceBytes = 32,
          .bestBytes = 24,
          .declaration = "class Order\n{\n}",
          .caution = {}};
}

std::string answerText(const LayoutAnswer& answer) {
  return written([&](Output& output) { writeLayoutAnswer(output, answer); });
}

nlohmann::json answerJson(const LayoutAnswer& answer) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) {
           json.key("layouts");
           json.beginArray();
           writeLayoutAnswer(json, answer);
           json.endArray();
         }))
      .at("layouts");
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(LayoutTitles, SayHowATypeIsDeclaredAndLaidOut) {
  const auto titleOf = [](const TypeLayout& layout) {
    return written([&](Output& output) { writeLayoutTitle(output, layout); });
  };
  EXPECT_EQ(titleOf(handmade::order()), "Type layout for 'Zoo.Order' (class, declared auto)\n");
  TypeLayout layout = handmade::order();
  layout.declaredKind = LayoutKind::Sequential;
  layout.declaredPack = 4;
  layout.declaredSize = 64;
  EXPECT_EQ(titleOf(layout),
            "Type layout for 'Zoo.Order' (class, declared sequential with pack 4 with size 64, laid out auto)\n");
  layout.declaredKind.reset();
  layout.typeName = "Zoo.\x1b[31m";
  EXPECT_EQ(titleOf(layout), "Type layout for 'Zoo.\\u001b[31m' (class, laid out auto)\n") << "without metadata";
}

TEST(LayoutTitles, AnArraySaysWhatItsElementsAre) {
  TypeLayout array;
  array.typeName = "Zoo.Union[]";
  array.kind = TypeKind::Array;
  array.elementLayout = {handmade::unionOfFields()};
  EXPECT_EQ(written([&](Output& output) { writeLayoutTitle(output, array); }),
            "Type layout for 'Zoo.Union[]' (array, each element a struct, declared explicit)\n");
}

TEST(LayoutText, PaddingIsOfTheFieldsAndOfTheObject) {
  const std::string text = answerText(answerOf(handmade::order()));
  EXPECT_TRUE(says(text,
                   "\nSize: 32 bytes (16 of fields). Paddings: 3 bytes (%18 of empty space in the fields, %9 of "
                   "the object)\n"))
      << text;
}

TEST(LayoutText, OfAValueTypeTheBoxIsToldToo) {
  const std::string text = answerText(answerOf(handmade::unionOfFields()));
  EXPECT_TRUE(says(text, "\nSize: 8 bytes (boxed 24). Paddings: 0 bytes (%0 of empty space in the value)\n")) << text;
}

TEST(LayoutText, NestedPaddingIsToldApart) {
  const std::string text = answerText(answerOf(handmade::priced()));
  EXPECT_TRUE(says(text, "Paddings: 7 bytes")) << text;
  EXPECT_TRUE(says(text, "; 0 own, 7 nested")) << text;
}

TEST(LayoutText, OnlyRulesThatAreNotItsOwnAreNamed) {
  EXPECT_FALSE(says(answerText(answerOf(handmade::order())), "\nBy "));
  EXPECT_FALSE(says(answerText(answerOf(handmade::order(), RuleSet::Actual)), "\nBy "));
  EXPECT_TRUE(says(answerText(answerOf(handmade::order(), RuleSet::Best)), "best.\n"));
  LayoutAnswer remarked = answerOf(handmade::order());
  remarked.layouts[0].remark = "the runtime keeps auto\nlayout";
  EXPECT_TRUE(says(answerText(remarked), ": the runtime keeps auto\\nlayout.\n")) << answerText(remarked);
  LayoutAnswer packed = answerOf(handmade::order());
  packed.layouts[0].question.pack = 1;
  EXPECT_TRUE(says(answerText(packed), "Pack=1.\n")) << answerText(packed);
}

TEST(LayoutJson, MembersFollowFromTheQuestion) {
  LayoutAnswer answer = answerOf(handmade::order(), RuleSet::Sequential);
  nlohmann::json layout = answerJson(answer).at(0);
  for (const char* member : {"alignment", "pack", "runtime", "remark", "reasons", "valueSize", "rank", "best"})
    EXPECT_FALSE(layout.contains(member)) << member;
  EXPECT_EQ(layout.at("rules"), "sequential");
  EXPECT_EQ(layout.at("declared"), nlohmann::json({{"layoutKind", "auto"}, {"pack", 0}, {"size", 0}}));
  EXPECT_EQ(layout.at("paddings"), nlohmann::json({{{"offset", 13}, {"size", 3}, {"in", "Zoo.Order"}}}));
  answer.layouts[0].alignment = 8;
  answer.layouts[0].question.pack = 0;
  answer.layouts[0].question.runtimeMajor = 8;
  answer.layouts[0].remark = "as it is";
  answer.layouts[0].reasons = {{"Zoo.Order", "Id", 8, "It is \"next\"."}};
  answer.layouts[0].layout.declaredKind.reset();
  layout = answerJson(answer).at(0);
  EXPECT_EQ(layout.at("alignment"), 8);
  EXPECT_EQ(layout.at("pack"), 0) << "asked for is not left out";
  EXPECT_EQ(layout.at("runtime"), 8);
  EXPECT_EQ(layout.at("reasons").at(0).at("why"), "It is \"next\".");
  EXPECT_TRUE(layout.at("declared").is_null());
}

TEST(LayoutJson, FieldsThatShareBytesSayThatTheyDo) {
  const nlohmann::json fields = answerJson(answerOf(handmade::unionOfFields())).at(0).at("fields");
  ASSERT_EQ(fields.size(), 4u);
  for (const nlohmann::json& field : fields) EXPECT_EQ(field.at("overlaps"), true) << field;
  const nlohmann::json alone = answerJson(answerOf(handmade::order())).at(0).at("fields");
  for (const nlohmann::json& field : alone) EXPECT_FALSE(field.contains("overlaps")) << field;
  EXPECT_EQ(alone.at(0).at("kind"), "reference");
}

TEST(LayoutJson, AStringIsAClassAndAnAssemblyHasNoEnding) {
  TypeLayout layout = handmade::order();
  layout.kind = TypeKind::String;
  layout.assembly = "System.Private.CoreLib.dll";
  const nlohmann::json json = answerJson(answerOf(layout)).at(0);
  EXPECT_EQ(json.at("kind"), "class");
  EXPECT_EQ(json.at("assembly"), "System.Private.CoreLib");
  for (const char* name : {"Zoo", "Zoo.dll.so", ".exe"}) {
    layout.assembly = name;
    const std::string found = answerJson(answerOf(layout)).at(0).at("assembly");
    EXPECT_EQ(found, std::string(name) == ".exe" ? "" : name);
  }
}

TEST(LayoutJson, AnArrayHasItsElementsLayout) {
  TypeLayout array;
  array.kind = TypeKind::Array;
  array.rank = 1;
  array.componentSize = 8;
  array.elementTypeName = "Zoo.Union";
  EXPECT_FALSE(answerJson(answerOf(array)).at(0).contains("elementLayout"));
  array.elementLayout = {handmade::unionOfFields()};
  EXPECT_EQ(answerJson(answerOf(array)).at(0).at("elementLayout").at("type"), "Zoo.Union");
}

TEST(BestDeclaration, SaysWhatItWinsAndHow) {
  EXPECT_TRUE(says(answerText(bestAnswer(reordered())),
                   "Best: 24 instead of 32 bytes, 25% fewer in every object.\n"
                   "Order: Id, Paid, Customer\n"
                   "\nclass Order\n{\n}\n"))
      << answerText(bestAnswer(reordered()));
  EXPECT_TRUE(says(answerText(bestAnswer({})), "Best: as it is; no declaration takes fewer bytes.\n"));
}

TEST(BestDeclaration, ATypeThatIsSeparatedOnPurposeStaysAsItIs) {
  BestOrder best = reordered();
  best.separation = "It keeps processors apart.";
  const std::string text = answerText(bestAnswer(best));
  EXPECT_TRUE(text.ends_with("Best: as it is. It keeps processors apart.\n")) << text;
  EXPECT_EQ(answerJson(bestAnswer(best)).at(0).at("best").at("separated"), "It keeps processors apart.");
}

TEST(BestDeclaration, CautionAndAdviceFollow) {
  BestOrder best = reordered();
  best.caution = "Interop reads it.";
  LayoutAnswer answer = bestAnswer(best);
  answer.study->advice = {{AdviceKind::MergeBools, "Merge the bools.", -4}};
  const std::string text = answerText(answer);
  EXPECT_TRUE(says(text, "Mind: Interop reads it.\n")) << text;
  EXPECT_TRUE(text.ends_with("- Merge the bools.\n")) << text;
  const nlohmann::json json = answerJson(answer).at(0);
  EXPECT_EQ(json.at("advice").at(0).at("savedBytes"), -4);
  EXPECT_EQ(json.at("best").at("order"), nlohmann::json({"Id", "Paid", "Customer"}));
  EXPECT_FALSE(json.at("best").contains("separated"));
  EXPECT_FALSE(json.at("best").contains("savedOnHeap")) << "no heap, no saving on it";
}

TEST(BestDeclaration, WithoutBeingAskedNothingOfItIsTold) {
  LayoutAnswer answer = bestAnswer(reordered());
  answer.showsBest = false;
  EXPECT_FALSE(says(answerText(answer), "Best"));
  EXPECT_FALSE(answerJson(answer).at(0).contains("best"));
  answer.showsWhy = true;
  answer.study->whyNotAsDeclared = "Declared sequential, laid out auto.";
  answer.layouts[0].reasons = {{"Zoo.Order", "Customer", 0, "References come first."}};
  const std::string text = answerText(answer);
  EXPECT_TRUE(says(text, "Declared sequential, laid out auto.\n")) << text;
  EXPECT_TRUE(says(text, "     0  Customer  References come first.\n")) << text;
  EXPECT_EQ(answerJson(answer).at(0).at("whyNotAsDeclared"), "Declared sequential, laid out auto.");
}

TEST(BestDeclaration, OfSeveralLayoutsTheFirstHasWhatBelongsToTheType) {
  LayoutAnswer answer = bestAnswer(reordered());
  answer.layouts.push_back(answer.layouts.front());
  answer.layouts[1].question.rules = RuleSet::Best;
  const nlohmann::json json = answerJson(answer);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_TRUE(json.at(0).contains("best"));
  EXPECT_FALSE(json.at(1).contains("best"));
}

}  // namespace
}  // namespace heapscape::engine
