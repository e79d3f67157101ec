// SPDX-License-Identifier: MIT
#include "insight/budgets/budgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace heapscape::engine {
namespace {

using Json = nlohmann::json;
using Unit = BudgetQuantity::Unit;

constexpr std::size_t kLargestFile = 4 << 20;
constexpr std::size_t kMostBudgets = 10'000;

struct LimitName {
  const char* name;
  BudgetMeasure measure;
  bool isGrowth;
  Unit unit;  // of a limit that is a bare number
};
constexpr LimitName kLimitNames[] = {{"maxBytes", BudgetMeasure::Bytes, false, Unit::Bytes},
                                     {"maxCount", BudgetMeasure::Count, false, Unit::Objects},
                                     {"maxRetained", BudgetMeasure::Retained, false, Unit::Bytes},
                                     {"maxPadding", BudgetMeasure::Padding, false, Unit::Bytes},
                                     {"maxPaddingPercent", BudgetMeasure::PaddingPercent, false, Unit::Percent},
                                     {"maxGrowth", BudgetMeasure::Bytes, true, Unit::Bytes},
                                     {"maxGrowthPercent", BudgetMeasure::Bytes, true, Unit::Percent},
                                     {"maxGrowthCount", BudgetMeasure::Count, true, Unit::Objects}};

/// The budgets of one object in the file: one for each limit in it.
class ObjectParser {
 public:
  ObjectParser(const Json& object, std::size_t number) : m_object(object), m_number(number) {}

  Result<std::vector<Budget>> parse() {
    HEAPSCAPE_TRY(const Budget common, parseCommon());
    std::vector<Budget> budgets;
    for (const LimitName& limit : kLimitNames) {
      const auto value = m_object.find(limit.name);
      if (value == m_object.end()) continue;
      m_known.insert(limit.name);
      HEAPSCAPE_TRY(const double number, parseLimit(*value, limit));
      Budget& budget = budgets.emplace_back(common);
      budget.measure = limit.measure;
      budget.isGrowth = limit.isGrowth;
      budget.isPercent = limit.isGrowth && limit.unit == Unit::Percent;
      budget.limit = number;
      budget.text = fmt::format("{} {} {}", subjectText(budget), limit.name,
                                value->is_string() ? value->get<std::string>() : value->dump());
    }
    for (const auto& [key, value] : m_object.items())
      if (!m_known.contains(key)) return misunderstood(fmt::format("\"{}\" means nothing here", key));
    if (budgets.empty()) return misunderstood("it has no limit such as maxBytes");
    if (!common.against.empty() && std::ranges::none_of(budgets, &Budget::isGrowth))
      return misunderstood("\"against\" needs a limit such as maxGrowthPercent");
    return budgets;
  }

 private:
  tl::unexpected<Error> misunderstood(std::string_view why) const {
    return failure(ErrorCode::BadQuery, fmt::format("Budget {} cannot be understood: {}.", m_number, why),
                   "resources/manual/budgets.md describes how budgets are written.");
  }

  static std::string subjectText(const Budget& budget) {
    switch (budget.subject) {
      case BudgetSubject::Heap:
        return "heap";
      case BudgetSubject::Type:
        return budget.name;
      case BudgetSubject::AnyType:
        return budget.isOwn ? "any own type" : "any type";
      case BudgetSubject::Insight:
        return "insight " + budget.name;
      case BudgetSubject::Memory:
        return "memory " + budget.name;
    }
    return {};
  }

  Result<Budget> parseCommon() {
    Budget budget;
    std::size_t subjects = 0;
    HEAPSCAPE_CHECK(takeName("type", BudgetSubject::Type, budget, subjects));
    HEAPSCAPE_CHECK(takeName("insight", BudgetSubject::Insight, budget, subjects));
    HEAPSCAPE_CHECK(takeName("memory", BudgetSubject::Memory, budget, subjects));
    HEAPSCAPE_CHECK(takeFlagged("heap", BudgetSubject::Heap, budget, subjects));
    HEAPSCAPE_CHECK(takeFlagged("anyType", BudgetSubject::AnyType, budget, subjects));
    if (subjects > 1) return misunderstood("it is about several things at once");
    HEAPSCAPE_TRY(budget.against, text("against"));
    if (subjects == 0 && budget.against.empty()) return misunderstood("it does not say what it is about");
    if (budget.subject == BudgetSubject::Type) {
      HEAPSCAPE_TRY(budget.isOptional, flag("optional"));
    }
    if (budget.subject == BudgetSubject::AnyType) HEAPSCAPE_CHECK(takeSelection(budget));
    return budget;
  }

  /// Which types "anyType" passes over.
  Result<void> takeSelection(Budget& budget) {
    HEAPSCAPE_TRY(budget.isOwn, flag("own"));
    HEAPSCAPE_CHECK(takeExceptions(budget));
    if (const auto least = m_object.find("leastBytes"); least != m_object.end()) {
      m_known.insert("leastBytes");
      HEAPSCAPE_TRY(const double bytes, parseLimit(*least, {"leastBytes", BudgetMeasure::Bytes, false, Unit::Bytes}));
      budget.leastBytes = static_cast<std::uint64_t>(bytes);
    }
    return {};
  }

  Result<void> takeName(const char* key, BudgetSubject subject, Budget& budget, std::size_t& subjects) {
    HEAPSCAPE_TRY(std::string name, text(key));
    if (name.empty()) return {};
    budget.subject = subject;
    budget.name = std::move(name);
    ++subjects;
    return {};
  }

  Result<void> takeFlagged(const char* key, BudgetSubject subject, Budget& budget, std::size_t& subjects) {
    HEAPSCAPE_TRY(const bool isSet, flag(key));
    if (!isSet) return {};
    budget.subject = subject;
    ++subjects;
    return {};
  }

  Result<void> takeExceptions(Budget& budget) {
    const auto list = m_object.find("except");
    if (list == m_object.end()) return {};
    m_known.insert("except");
    if (!list->is_array()) return misunderstood("\"except\" is no list of names");
    for (const Json& name : *list) {
      if (!name.is_string()) return misunderstood("\"except\" is no list of names");
      budget.except.push_back(name.get<std::string>());
    }
    return {};
  }

  Result<std::string> text(const char* key) {
    const auto value = m_object.find(key);
    if (value == m_object.end()) return std::string();
    m_known.insert(key);
    if (!value->is_string() || value->get_ref<const std::string&>().empty())
      return misunderstood(fmt::format("\"{}\" is no name", key));
    return value->get<std::string>();
  }

  Result<bool> flag(const char* key) {
    const auto value = m_object.find(key);
    if (value == m_object.end()) return false;
    m_known.insert(key);
    if (!value->is_boolean()) return misunderstood(fmt::format("\"{}\" is neither true nor false", key));
    return value->get<bool>();
  }

  Result<double> parseLimit(const Json& value, const LimitName& limit) const {
    Result<BudgetQuantity> quantity = failure(ErrorCode::BadQuery, {});
    if (value.is_string()) quantity = parseQuantity(value.get_ref<const std::string&>());
    if (value.is_number()) quantity = parseQuantity(fmt::format("{:f}", value.get<double>()));
    if (!quantity) return misunderstood(fmt::format("{} is no quantity for \"{}\"", value.dump(), limit.name));
    if (quantity->unit != Unit::Number && quantity->unit != limit.unit)
      return misunderstood(fmt::format("the unit of \"{}\" does not fit", limit.name));
    return quantity->value;
  }

  const Json& m_object;
  std::size_t m_number;
  std::set<std::string, std::less<>> m_known;
};

Result<std::vector<Budget>> parseEntry(const Json& entry, std::size_t number) {
  if (entry.is_object()) return ObjectParser(entry, number).parse();
  if (!entry.is_string())
    return failure(ErrorCode::BadQuery, fmt::format("Budget {} is neither a sentence nor an object.", number));
  HEAPSCAPE_TRY(Budget budget, parseBudgetSentence(entry.get_ref<const std::string&>()));
  return std::vector<Budget>{std::move(budget)};
}

}  // namespace

Result<std::vector<Budget>> parseBudgets(std::string_view json) {
  const auto bad = [](std::string_view why) { return failure(ErrorCode::BadQuery, std::string(why)); };
  if (json.size() > kLargestFile) return bad("The file of budgets is larger than any list of budgets.");
  constexpr bool kThrows = true, kWithComments = true;
  Json document;
  try {
    document = Json::parse(json, nullptr, kThrows, kWithComments);
  } catch (const Json::parse_error& error) {
    const auto line = std::ranges::count(json.substr(0, error.byte), '\n') + 1;
    return bad(fmt::format("The file of budgets is no JSON: something is wrong in line {}.", line));
  } catch (const Json::out_of_range&) {
    return bad("The file of budgets has a number that is larger than any.");
  }
  const bool isWrapped = document.is_object() && document.contains("budgets");
  const Json& entries = isWrapped ? document["budgets"] : document;
  if (!entries.is_array() || entries.empty() || entries.size() > kMostBudgets)
    return bad("The file of budgets has no list \"budgets\" with at least one budget.");
  std::vector<Budget> budgets;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    HEAPSCAPE_TRY(std::vector<Budget> parsed, parseEntry(entries[i], i + 1));
    budgets.insert(budgets.end(), std::make_move_iterator(parsed.begin()), std::make_move_iterator(parsed.end()));
  }
  return budgets;
}

}  // namespace heapscape::engine
