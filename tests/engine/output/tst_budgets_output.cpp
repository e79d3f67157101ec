// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/insights/budgets_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

BudgetResult result(const char* sentence, double actual, bool isKept) {
  return {.budget = parseBudgetSentence(sentence).value(),
          .isKept = isKept,
          .actual = actual,
          .offenders = {},
          .offenderCount = 0};
}

std::string textOf(const std::vector<BudgetResult>& results, bool isComplete = true) {
  return written([&](Output& output) { writeBudgetsText(output, results, isComplete); });
}

TEST(BudgetsText, EachHasItsFigureInItsUnit) {
  const std::string text =
      textOf({result("heap <= 2 KB", 1024, true), result("no type over 10% padding", 12.25, false)});
  EXPECT_NE(text.find("kept      1.00 KB  2.00 KB  heap <= 2 KB\n"), std::string::npos) << text;
  EXPECT_NE(text.find("EXCEEDED    12.2%    10.0%  no type over 10% padding\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of 2 budgets exceeded.\n"), std::string::npos) << text;
}

TEST(BudgetsText, TheWorstOffendersStandBelow) {
  BudgetResult over = result("no type over 10% padding", 90, false);
  for (int i = 0; i < 7; ++i) over.offenders.push_back({"T" + std::to_string(i), 90.0 - i});
  over.offenderCount = 120;
  const std::string text = textOf({over});
  EXPECT_NE(text.find("90.0%           T0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  T4\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("  T5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  and 115 types more\n"), std::string::npos) << text;
}

TEST(BudgetsText, AHeapThatCouldNotBeReadIsSaid) {
  EXPECT_NE(
      textOf({result("heap <= 2 KB", 1, true)}, false).find("The budget is kept, as far as the heap could be read."),
      std::string::npos);
  EXPECT_NE(textOf({result("heap <= 2 KB", 1, true), result("heap <= 2 KB", 1, true)}).find("All budgets are kept.\n"),
            std::string::npos);
}

TEST(BudgetsJson, BytesAreWholeAndPercentagesAreNot) {
  BudgetResult over = result("no type over 10% padding", 12.25, false);
  over.offenders = {{"Zoo.Price", 12.25}};
  over.offenderCount = 1;
  const auto json = nlohmann::json::parse(writtenJson([&](JsonWriter& writer) {
    writeBudgets(writer, {result("heap <= 2 KB", 1024, true), over});
  }));
  EXPECT_FALSE(json["kept"].get<bool>());
  EXPECT_EQ(json["budgets"][0]["limit"], 2048);
  EXPECT_EQ(json["budgets"][0]["actual"].dump(), "1024");
  EXPECT_EQ(json["budgets"][0]["unit"], "bytes");
  EXPECT_FALSE(json["budgets"][0].contains("types"));
  EXPECT_EQ(json["budgets"][1]["unit"], "percent");
  EXPECT_EQ(json["budgets"][1]["exceededBy"], 1);
  EXPECT_EQ(json["budgets"][1]["types"][0]["type"], "Zoo.Price");
  EXPECT_EQ(json["budgets"][1]["types"][0]["actual"], 12.25);
}

}  // namespace
}  // namespace heapscape::engine
