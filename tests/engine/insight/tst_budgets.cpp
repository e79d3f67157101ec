// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "insight/budgets/budget_check.h"
#include "insight/budgets/budgets.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

Budget sentence(std::string_view text) {
  auto budget = parseBudgetSentence(text);
  if (!budget) throw std::runtime_error(budget.error().message());
  return std::move(*budget);
}

TEST(Quantities, are_read_with_their_unit) {
  EXPECT_EQ(parseQuantity("200 MB")->value, 200.0 * 1024 * 1024);
  EXPECT_EQ(parseQuantity("1.5gb")->value, 1.5 * 1024 * 1024 * 1024);
  EXPECT_EQ(parseQuantity("10%")->unit, BudgetQuantity::Unit::Percent);
  EXPECT_EQ(parseQuantity("1000 objects")->unit, BudgetQuantity::Unit::Objects);
  for (const char* wrong :
       {"", "MB", "-5 MB", "1e400", "nan", "inf", "5 bananas", "99999999999999999999 TB", "5 M B x"})
    EXPECT_FALSE(parseQuantity(wrong)) << wrong;
}

TEST(Sentences, say_what_the_issue_says) {
  const Budget strings = sentence("System.String <= 200 MB");
  EXPECT_EQ(strings.subject, BudgetSubject::Type);
  EXPECT_EQ(strings.name, "System.String");
  EXPECT_EQ(strings.limit, 200.0 * 1024 * 1024);
  EXPECT_EQ(sentence("System.String ≤ 200 MB").name, "System.String");
  const Budget padding = sentence("no type over 10% padding");
  EXPECT_EQ(padding.subject, BudgetSubject::AnyType);
  EXPECT_EQ(padding.measure, BudgetMeasure::PaddingPercent);
  EXPECT_EQ(padding.limit, 10);
  const Budget grown = sentence("no growth over 5% against last week.core");
  EXPECT_EQ(grown.subject, BudgetSubject::Heap);
  EXPECT_TRUE(grown.isGrowth && grown.isPercent);
  EXPECT_EQ(grown.against, "last week.core");
}

TEST(Sentences, have_more_to_say) {
  EXPECT_EQ(sentence("Shop.Cache retained <= 1 MB").measure, BudgetMeasure::Retained);
  EXPECT_EQ(sentence("Shop.Order <= 100 objects").measure, BudgetMeasure::Count);
  EXPECT_EQ(sentence("Dictionary<System.String, Shop.Order>+Entry[] padding <= 10%").measure,
            BudgetMeasure::PaddingPercent);
  const Budget own = sentence("no own type above 1 MB over 10% padding");
  EXPECT_TRUE(own.isOwn);
  EXPECT_EQ(own.leastBytes, 1u << 20);
  EXPECT_EQ(sentence("memory jitCode <= 20 MB").subject, BudgetSubject::Memory);
  EXPECT_EQ(sentence("insight duplicateStrings <= 1 MB").subject, BudgetSubject::Insight);
  EXPECT_EQ(sentence("no type growth over 1 MB").isGrowth, true);
  EXPECT_EQ(sentence("growth of Shop.Order <= 5%").isPercent, true);
  EXPECT_EQ(sentence("No type retained over 1 MB").measure, BudgetMeasure::Retained);
  EXPECT_EQ(sentence("Growth of heap <= 5%").isGrowth, true);
}

TEST(Sentences, that_cannot_be_understood_are_named) {
  for (const char* wrong : {"", "no", "no ", "<= 5 MB", "System.String", "System.String <=", "System.String <= lots",
                            "no thing over 5 MB", "no type over", "heap <= 10%", "no over 5 MB"}) {
    const auto budget = parseBudgetSentence(wrong);
    ASSERT_FALSE(budget) << wrong;
    EXPECT_EQ(budget.error().code, ErrorCode::BadQuery);
    EXPECT_NE(budget.error().what.find("The budget \""), std::string::npos) << budget.error().what;
  }
}

TEST(BudgetFiles, take_sentences_and_objects_with_several_limits) {
  const auto budgets = parseBudgets(R"({"budgets": ["System.String <= 1 MB",
      {"type": "A", "maxBytes": "1 MB", "maxCount": 5, "optional": true},
      {"anyType": true, "own": true, "leastBytes": "1 KB", "maxPaddingPercent": 10.5, "except": ["B*"]},
      {"against": "x.core", "maxGrowthPercent": 5}]})");
  ASSERT_TRUE(budgets) << budgets.error().message();
  ASSERT_EQ(budgets->size(), 5u);
  EXPECT_EQ((*budgets)[1].limit, 1024.0 * 1024);
  EXPECT_EQ((*budgets)[2].measure, BudgetMeasure::Count);
  EXPECT_EQ((*budgets)[3].limit, 10.5);
  EXPECT_EQ((*budgets)[3].except.front(), "B*");
  EXPECT_TRUE((*budgets)[4].isGrowth);
  EXPECT_TRUE(parseBudgets(R"(["heap <= 1 GB"])"));
}

TEST(BudgetFiles, may_have_comments_and_tell_where_they_are_broken) {
  EXPECT_TRUE(parseBudgets("[ // of the nightly build\n \"heap <= 1 GB\" /* for now */ ]"));
  const auto broken = parseBudgets("[\n\"heap <= 1 GB\",\n]");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().what.find("line 3"), std::string::npos) << broken.error().what;
}

TEST(BudgetFiles, refuse_members_that_do_nothing) {
  for (const char* wrong :
       {R"([{"type": "A", "maxBytes": 1, "own": true}])", R"([{"heap": true, "maxBytes": 1, "optional": true}])",
        R"([{"heap": true, "maxBytes": 1, "except": ["A"]}])",
        R"([{"heap": true, "maxBytes": 1, "against": "x.core"}])"}) {
    EXPECT_FALSE(parseBudgets(wrong)) << wrong;
  }
  const auto misspelled = parseBudgets(R"([{"type": "A", "maxSize": 1}])");
  ASSERT_FALSE(misspelled);
  EXPECT_NE(misspelled.error().what.find("maxSize"), std::string::npos) << misspelled.error().what;
}

TEST(BudgetFiles, that_are_hostile_are_refused) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const std::string& wrong : {std::string(),
                                   std::string("{"),
                                   std::string("[]"),
                                   std::string("{}"),
                                   std::string("null"),
                                   std::string("[5]"),
                                   std::string("[[\"heap <= 1 GB\"]]"),
                                   std::string("{\"budgets\": {}}"),
                                   std::string("[{}]"),
                                   std::string("[{\"type\": 5, \"maxBytes\": 1}]"),
                                   std::string("[{\"type\": \"\", \"maxBytes\": 1}]"),
                                   std::string("[{\"type\": \"a\", \"maxBytes\": -1}]"),
                                   std::string("[{\"type\": \"a\", \"maxBytes\": 1e300}]"),
                                   std::string("[{\"type\": \"a\", \"maxBytes\": 1e999}]"),
                                   std::string("1e999"),
                                   std::string("[{\"type\": \"a\", \"maxBites\": 1, \"maxBytes\": 1}]"),
                                   std::string("[{\"type\": \"a\", \"heap\": true, \"maxBytes\": 1}]"),
                                   std::string("[{\"type\": \"a\", \"maxBytes\": \"10%\"}]"),
                                   std::string("[{\"maxBytes\": 1}]"),
                                   std::string("[{\"anyType\": \"yes\", \"maxBytes\": 1}]"),
                                   std::string("[\"\xff\xfe <= 1\"]"),
                                   deep,
                                   std::string(5 << 20, ' ')}) {
    const auto budgets = parseBudgets(wrong);
    ASSERT_FALSE(budgets) << wrong.substr(0, 60);
    EXPECT_FALSE(budgets.error().what.empty());
  }
}

class Budgets : public testing::Test {
 protected:
  static Snapshot opened(const std::string& name) { return openSnapshot(dumpPath(name), Stage::Retained); }

  static Outcome<std::vector<BudgetResult>> check(const std::string& json) {
    static const Snapshot snapshot = opened("growth/after-10");
    static const std::map<std::string, Snapshot> others{{"", opened("growth/before-10")}};
    const auto budgets = parseBudgets(json);
    if (!budgets) throw std::runtime_error(budgets.error().message());
    return checkBudgets(snapshot, *budgets, others, nullptr, {});
  }
  static BudgetResult only(const std::string& json) {
    auto results = check("[" + json + "]");
    if (!results) throw std::runtime_error("the budget was not checked");
    return results->front();
  }
  static ErrorCode errorOf(const std::string& json) {
    const auto results = check("[" + json + "]");
    return results || results.error().isCancelled() ? ErrorCode::Damaged : results.error().error().code;
  }
};

TEST_F(Budgets, are_kept_up_to_the_limit_and_exceeded_behind_it) {
  EXPECT_TRUE(only(R"({"type": "Growth.Session", "maxBytes": 2184000})").isKept);
  EXPECT_FALSE(only(R"({"type": "Growth.Session", "maxBytes": 2183999})").isKept);
  EXPECT_EQ(only(R"("Growth.Session <= 20999 objects")").actual, 21'000);
  EXPECT_EQ(only(R"({"type": "Growth.*Form", "maxCount": 50})").actual, 50);
}

TEST_F(Budgets, measure_padding_of_each_type) {
  const BudgetResult result = only(R"("no own type above 1 KB over 10% padding")");
  EXPECT_FALSE(result.isKept);
  ASSERT_EQ(result.offenders.size(), 1u);
  EXPECT_EQ(result.offenders[0].name, "Growth.Account");
  EXPECT_NEAR(result.offenders[0].actual, 100.0 * 7 / 48, 0.001);
  EXPECT_TRUE(only(R"({"anyType": true, "own": true, "leastBytes": "1 KB", "maxPaddingPercent": 10,
                       "except": ["Growth.Acc*"]})")
                  .isKept);
}

TEST_F(Budgets, measure_growth_since_the_other_dump) {
  EXPECT_FALSE(only(R"("no growth over 5%")").isKept);
  EXPECT_EQ(only(R"({"type": "Growth.Session", "maxGrowth": "1 MB"})").actual, 20'000 * 104);
  EXPECT_EQ(only(R"("growth of Growth.Draft <= 0%")").actual, -80);
  EXPECT_EQ(errorOf(R"("no growth over 5% against nothing.core")"), ErrorCode::BadQuery);
}

TEST_F(Budgets, know_memory_insights_and_what_is_retained) {
  EXPECT_GT(only(R"("memory mapped <= 1 GB")").actual, 50 << 20);
  EXPECT_FALSE(only(R"({"insight": "duplicateStrings", "maxBytes": "50 KB"})").isKept);
  EXPECT_EQ(only(R"("Growth.Session retained <= 1 GB")").actual, 2'184'000);
}

TEST_F(Budgets, about_what_is_not_there_are_errors) {
  EXPECT_EQ(errorOf(R"("Growth.Sesion <= 1 MB")"), ErrorCode::NotFound);
  EXPECT_EQ(errorOf(R"({"insight": "duplicates", "maxBytes": 1})"), ErrorCode::BadQuery);
  EXPECT_EQ(errorOf(R"({"memory": "cache", "maxBytes": 1})"), ErrorCode::BadQuery);
  EXPECT_TRUE(only(R"({"type": "Growth.Sesion", "maxBytes": 1, "optional": true})").isKept);
}

}  // namespace
}  // namespace heapscape::engine
