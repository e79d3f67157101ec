// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/insights/insights_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

BudgetResult result(const char* text, double most, double actual, BudgetUnit unit) {
  return {.budget = {.text = text, .most = most}, .isKept = actual <= most, .actual = actual, .unit = unit};
}

std::string textOf(const std::vector<BudgetResult>& results, bool isComplete = true) {
  return written([&](Output& output) { writeBudgetsText(output, results, isComplete); });
}

TEST(BudgetsText, EachHasItsFigureInItsUnit) {
  const std::string text = textOf({result("bytes of generations", 2048, 1024, BudgetUnit::Bytes),
                                   result("growth", 10, 12.25, BudgetUnit::Percent)});
  EXPECT_NE(text.find("kept      1.00 KB  2.00 KB  bytes of generations\n"), std::string::npos) << text;
  EXPECT_NE(text.find("EXCEEDED    12.2%    10.0%  growth\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of 2 budgets exceeded.\n"), std::string::npos) << text;
}

TEST(BudgetsText, RowsOfAnExceededOneStandBelow) {
  BudgetResult over = result("types: own", 0, 120, BudgetUnit::Rows);
  for (int i = 0; i < 7; ++i) over.rows.push_back("T" + std::to_string(i));
  over.rowCount = 120;
  over.unreadable = 2;
  const std::string text = textOf({over});
  EXPECT_NE(text.find("  T4\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("  T5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  and 115 more\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  2 values could not be compared\n"), std::string::npos) << text;
}

TEST(BudgetsText, AHeapThatCouldNotBeReadIsSaid) {
  const BudgetResult kept = result("bytes", 2048, 1, BudgetUnit::Bytes);
  EXPECT_NE(textOf({kept}, false).find("The budget is kept, as far as the heap could be read."), std::string::npos);
  EXPECT_NE(textOf({kept, kept}).find("All budgets are kept.\n"), std::string::npos);
}

TEST(BudgetsJson, AllButPercentagesAreWhole) {
  BudgetResult over = result("types: own", 0, 1, BudgetUnit::Rows);
  over.rows = {"Zoo.Price"};
  over.rowCount = 1;
  const auto json = nlohmann::json::parse(writtenJson([&](JsonWriter& writer) {
    writeBudgets(writer, {result("bytes", 2048, 1024, BudgetUnit::Bytes), over,
                          result("growth", 10, 12.25, BudgetUnit::Percent)});
  }));
  EXPECT_FALSE(json["kept"].get<bool>());
  EXPECT_EQ(json["budgets"][0]["limit"], 2048);
  EXPECT_EQ(json["budgets"][0]["actual"].dump(), "1024");
  EXPECT_EQ(json["budgets"][0]["unit"], "bytes");
  EXPECT_EQ(json["budgets"][1]["unit"], "rows");
  EXPECT_EQ(json["budgets"][1]["rowCount"], 1);
  EXPECT_EQ(json["budgets"][1]["rows"][0], "Zoo.Price");
  EXPECT_EQ(json["budgets"][2]["actual"], 12.25);
}

}  // namespace
}  // namespace heapscape::engine
