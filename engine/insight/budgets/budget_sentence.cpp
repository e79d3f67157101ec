// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/ascii_case.h"
#include "insight/budgets/budgets.h"
#include "query/lexer.h"

namespace heapscape::engine {
namespace {

using Unit = BudgetQuantity::Unit;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool takePrefix(std::string_view& text, std::string_view prefix) {
  if (!startsIgnoringCase(text, prefix)) return false;
  text = trimmed(text.substr(prefix.size()));
  return true;
}

bool takeSuffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text = trimmed(text.substr(0, text.size() - suffix.size()));
  return true;
}

/// Takes what stands behind a word, and leaves what stands before it.
std::string_view takeBehind(std::string_view& text, std::string_view word) {
  const auto at = text.find(word);
  if (at == std::string_view::npos) return {};
  const std::string_view behind = trimmed(text.substr(at + word.size()));
  text = trimmed(text.substr(0, at));
  return behind;
}

class Sentence {
 public:
  explicit Sentence(std::string_view text) : m_text(trimmed(text)) { m_budget.text = m_text; }

  Result<Budget> parse() {
    std::string_view rest = m_text;
    if (const std::string_view file = takeBehind(rest, " against "); !file.empty()) {
      m_budget.against = file;
      m_budget.isGrowth = true;
    }
    if (takePrefix(rest, "no ")) return parseProhibition(rest);
    std::string_view limit = takeBehind(rest, "<=");
    if (limit.empty()) limit = takeBehind(rest, "≤");
    if (limit.empty() || rest.empty()) return misunderstood();
    if (takePrefix(rest, "growth of ")) m_budget.isGrowth = true;
    return parseSubject(rest, limit);
  }

 private:
  tl::unexpected<Error> misunderstood(std::string_view why = {}) const {
    return failure(
        ErrorCode::BadQuery,
        fmt::format("The budget \"{}\" cannot be understood{}{}.", m_text, why.empty() ? "" : ": ", why),
        "Write it as \"System.String <= 200 MB\", \"no type over 10% padding\" or \"no growth over 5% against "
        "FILE\".");
  }

  /// "type over 10% padding", "own type above 1 MB over 10% padding", "growth over 5%", "insight over 1 MB".
  Result<Budget> parseProhibition(std::string_view rest) {
    std::string_view limit = takeBehind(rest, "over ");
    if (limit.empty()) return misunderstood();
    if (const std::string_view least = takeBehind(rest, "above "); !least.empty()) {
      const auto quantity = parseQuantity(least);
      if (!quantity) return misunderstood(fmt::format("\"{}\" is no quantity such as 1 MB", least));
      m_budget.leastBytes = static_cast<std::uint64_t>(quantity->value);
    }
    if (takeSuffix(rest, " padding")) m_budget.measure = BudgetMeasure::Padding;
    if (takeSuffix(rest, " retained")) m_budget.measure = BudgetMeasure::Retained;
    if (takeSuffix(rest, "growth") || takeSuffix(limit, "growth")) m_budget.isGrowth = true;
    m_budget.isOwn = takePrefix(rest, "own ");
    if (rest == "type") {
      m_budget.subject = BudgetSubject::AnyType;
    } else if (rest == "insight") {
      m_budget.subject = BudgetSubject::Insight;
      m_budget.name = "any";
    } else if (!rest.empty() || !m_budget.isGrowth) {
      return misunderstood();
    }
    return setLimit(limit);
  }

  Result<Budget> parseSubject(std::string_view rest, std::string_view limit) {
    if (takeSuffix(rest, " retained")) m_budget.measure = BudgetMeasure::Retained;
    if (takeSuffix(rest, " padding")) m_budget.measure = BudgetMeasure::Padding;
    if (rest == "heap") {
      m_budget.subject = BudgetSubject::Heap;
    } else if (takePrefix(rest, "insight ")) {
      m_budget.subject = BudgetSubject::Insight;
      m_budget.name = rest;
    } else if (takePrefix(rest, "memory ")) {
      m_budget.subject = BudgetSubject::Memory;
      m_budget.name = rest;
    } else {
      m_budget.subject = BudgetSubject::Type;
      m_budget.name = rest;
    }
    return setLimit(limit);
  }

  Result<Budget> setLimit(std::string_view limit) {
    if (takeSuffix(limit, "padding")) m_budget.measure = BudgetMeasure::Padding;
    if (takeSuffix(limit, "retained")) m_budget.measure = BudgetMeasure::Retained;
    const auto quantity = parseQuantity(trimmed(limit));
    if (!quantity)
      return misunderstood(fmt::format("\"{}\" is no quantity such as 200 MB, 10% or 1000 objects", limit));
    m_budget.limit = quantity->value;
    if (quantity->unit == Unit::Objects) m_budget.measure = BudgetMeasure::Count;
    if (quantity->unit == Unit::Percent) {
      if (m_budget.isGrowth) {
        m_budget.isPercent = true;
      } else if (m_budget.measure == BudgetMeasure::Padding) {
        m_budget.measure = BudgetMeasure::PaddingPercent;
      } else {
        return misunderstood();
      }
    }
    return m_budget;
  }

  std::string_view m_text;
  Budget m_budget;
};

}  // namespace

Result<Budget> parseBudgetSentence(std::string_view sentence) {
  return Sentence(sentence).parse();
}

}  // namespace heapscape::engine
