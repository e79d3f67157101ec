// SPDX-License-Identifier: MIT
#include "insight/budgets/budget_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/ascii_case.h"
#include "insight/comparison/comparison_parts.h"
#include "insight/insight.h"
#include "layout/framework_assembly.h"
#include "query/lexer.h"
#include "session/process/process_memory.h"
#include "session/snapshot/contents.h"
#include "session/types/type_details.h"

namespace heapscape::engine {
namespace {

/// Whether a name fits a pattern, where * stands for any text.
bool fits(std::string_view name, std::string_view pattern) {
  std::size_t at = 0, mark = 0, star = std::string_view::npos, i = 0;
  while (at < name.size()) {
    if (i < pattern.size() && pattern[i] == '*') {
      star = i++;
      mark = at;
    } else if (i < pattern.size() && pattern[i] == name[at]) {
      ++i;
      ++at;
    } else if (star != std::string_view::npos) {
      i = star + 1;
      at = ++mark;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', i) == std::string_view::npos;
}

/// What a budget's subject comes to in both dumps; `before` stays 0 without another dump.
struct Measured {
  std::string name;
  Change value;
  Change bytes;  // of the same, for percentages
};

double actualOf(const Budget& budget, const Measured& measured) {
  const auto after = static_cast<double>(measured.value.after);
  const auto before = static_cast<double>(measured.value.before);
  if (budget.measure == BudgetMeasure::PaddingPercent)
    return measured.bytes.after ? 100.0 * after / static_cast<double>(measured.bytes.after) : 0;
  if (!budget.isGrowth) return after;
  if (!budget.isPercent) return after - before;
  if (before == 0) return after == 0 ? 0 : 100.0 * after;  // from nothing: 100% for each byte or object
  return 100.0 * (after - before) / before;
}

Change measureOf(const TypeChange& type, BudgetMeasure measure) {
  switch (measure) {
    case BudgetMeasure::Bytes:
      return type.bytes;
    case BudgetMeasure::Count:
      return type.count;
    case BudgetMeasure::Retained:
      return type.retained;
    case BudgetMeasure::Padding:
    case BudgetMeasure::PaddingPercent:
      return type.padding;
  }
  return {};
}

void addTo(Change& sum, const Change& change) {
  sum.before += change.before;
  sum.after += change.after;
}

class BudgetCheck {
 public:
  BudgetCheck(const Snapshot& snapshot, const std::map<std::string, Snapshot>& others, ProgressSink* progress,
              std::stop_token stop)
      : m_snapshot(snapshot), m_others(others), m_progress(progress), m_stop(std::move(stop)) {}

  Outcome<BudgetResult> check(const Budget& budget) {
    BudgetResult result{.budget = budget, .offenders = {}};
    if (budget.subject == BudgetSubject::AnyType) {
      HEAPSCAPE_CHECK(checkEach(budget, result));
      return result;
    }
    HEAPSCAPE_TRY(const Measured measured, measure(budget));
    result.actual = actualOf(budget, measured);
    result.isKept = result.actual <= budget.limit;
    return result;
  }

 private:
  static tl::unexpected<Unfinished> bad(ErrorCode code, std::string what, std::string help = {}) {
    return tl::unexpected(Unfinished(Error{code, std::move(what), std::move(help)}));
  }

  Outcome<const Snapshot*> otherOf(const Budget& budget) const {
    if (!budget.isGrowth) return nullptr;
    const auto other = m_others.find(budget.against);
    if (other != m_others.end()) return &other->second;
    return bad(ErrorCode::BadQuery, fmt::format("The budget \"{}\" needs a dump to compare with.", budget.text),
               "Name it with --against FILE.");
  }

  /// Types with what they were in the other dump; kept, because several budgets ask for them.
  Outcome<const std::vector<TypeChange>*> types(const Budget& budget) {
    HEAPSCAPE_TRY(const Snapshot* other, otherOf(budget));
    const auto [place, isNew] = m_types.try_emplace(other);
    if (isNew) place->second = compareTypes(other ? *other : m_snapshot, m_snapshot);
    return &place->second;
  }

  Outcome<Measured> measure(const Budget& budget) {
    switch (budget.subject) {
      case BudgetSubject::Heap:
        return measureHeap(budget);
      case BudgetSubject::Type:
        return measureType(budget);
      case BudgetSubject::Insight:
        return measureInsights(budget);
      case BudgetSubject::Memory:
        return measureMemory(budget);
      case BudgetSubject::AnyType:
        break;
    }
    return Measured{};
  }

  Outcome<Measured> measureHeap(const Budget& budget) {
    HEAPSCAPE_TRY(const std::vector<TypeChange>* all, types(budget));
    Measured measured{"heap", {}, {}};
    for (const TypeChange& type : *all) {
      if (budget.measure != BudgetMeasure::Retained) addTo(measured.value, measureOf(type, budget.measure));
      addTo(measured.bytes, type.bytes);
    }
    if (budget.measure == BudgetMeasure::Retained) {
      HEAPSCAPE_TRY(const Snapshot* other, otherOf(budget));
      measured.value = {other ? other->retainedTotals().reachableBytes : 0, m_snapshot.retainedTotals().reachableBytes};
    }
    return measured;
  }

  Outcome<Measured> measureType(const Budget& budget) {
    HEAPSCAPE_TRY(const std::vector<TypeChange>* all, types(budget));
    Measured measured{budget.name, {}, {}};
    bool isKnown = budget.isOptional;
    for (const TypeChange& type : *all) {
      if (!fits(type.name, budget.name)) continue;
      isKnown = true;
      addTo(measured.value, measureOf(type, budget.measure));
      addTo(measured.bytes, type.bytes);
    }
    if (isKnown || isLoaded(budget.name)) return measured;
    const std::string likely = fullNameOf(budget.name, *all);
    return bad(ErrorCode::NotFound, fmt::format("The budget \"{}\" is about a type that is not there.", budget.text),
               likely.empty() ? "Check its name, or set \"optional\": true if it need not be loaded."
                              : fmt::format("Did you mean {}?", likely));
  }

  /// The largest type that is called so but for its namespace and case; empty if there is none.
  static std::string fullNameOf(std::string_view name, const std::vector<TypeChange>& types) {
    const TypeChange* likely = nullptr;
    for (const TypeChange& type : types) {
      const std::string_view full = type.name;
      const bool isInNamespace = full.size() > name.size() && full[full.size() - name.size() - 1] == '.';
      const bool isSame =
          full.size() >= name.size() && equalsIgnoringCase(full.substr(full.size() - name.size()), name);
      if (isSame && (isInNamespace || full.size() == name.size()) &&
          (!likely || type.bytes.after > likely->bytes.after))
        likely = &type;
    }
    return likely ? likely->name : std::string();
  }

  // A type without objects is known all the same, so that it may be held to none.
  bool isLoaded(const std::string& name) const {
    const auto type = findType(m_snapshot, name, m_stop);
    return type && m_snapshot.contents().readers->names.nameOf({type->value}) == name;
  }

  Outcome<Measured> measureInsights(const Budget& budget) {
    const auto kind = insightKindOf(budget.name);
    const bool isRead = budget.measure == BudgetMeasure::Bytes || budget.measure == BudgetMeasure::Count;
    if ((!kind && budget.name != "any") || budget.isGrowth || !isRead)
      return bad(ErrorCode::BadQuery,
                 fmt::format("The budget \"{}\" asks for an insight that there is not.", budget.text),
                 "Kinds are listed by heapscape-cli insights; they have maxBytes and maxCount.");
    if (!m_insights) {
      HEAPSCAPE_TRY(m_insights, findInsights(m_snapshot, {}, m_progress, m_stop));
    }
    Measured measured{budget.name, {}, {}};
    if (!kind && budget.measure == BudgetMeasure::Bytes) {
      measured.value.after = m_insights->wasteBytes + m_insights->leakBytes;  // each byte once
      return measured;
    }
    for (const Insight& insight : m_insights->insights)
      if (!kind || insight.kind == *kind)
        measured.value.after += budget.measure == BudgetMeasure::Count ? insight.objects : insight.bytes;
    return measured;
  }

  Outcome<Measured> measureMemory(const Budget& budget) {
    HEAPSCAPE_TRY(const Snapshot* other, otherOf(budget));
    if (budget.measure != BudgetMeasure::Bytes)
      return bad(ErrorCode::BadQuery, fmt::format("The budget \"{}\" can only be for bytes.", budget.text));
    Measured measured{budget.name, {}, {}};
    HEAPSCAPE_TRY(measured.value.after, memoryOf(m_snapshot, budget));
    if (other) {
      HEAPSCAPE_TRY(measured.value.before, memoryOf(*other, budget));
    }
    return measured;
  }

  Outcome<std::uint64_t> memoryOf(const Snapshot& snapshot, const Budget& budget) const {
    HEAPSCAPE_TRY(const ProcessMemory memory, processMemoryOf(snapshot, m_stop));
    if (budget.name == "mapped") return memory.mappedBytes;
    std::uint64_t bytes = 0;
    bool isCategory = false;
    for (int owner = 0; owner <= static_cast<int>(MemoryOwner::Other); ++owner)
      isCategory = isCategory || budget.name == toString(static_cast<MemoryOwner>(owner));
    if (!isCategory)
      return bad(ErrorCode::BadQuery, fmt::format("The budget \"{}\" is for memory of no category.", budget.text),
                 "Categories are listed by heapscape-cli memory --json; mapped is all of them.");
    for (const MemoryPart& part : memory.parts)
      if (budget.name == toString(part.owner)) bytes += part.bytes;
    return bytes;
  }

  Outcome<void> checkEach(const Budget& budget, BudgetResult& result) {
    HEAPSCAPE_TRY(const std::vector<TypeChange>* all, types(budget));
    for (const TypeChange& type : *all) {
      if (type.isFree || type.bytes.after < budget.leastBytes || (budget.isOwn && isFrameworkAssembly(type.assembly)))
        continue;
      const bool isExcepted = std::any_of(budget.except.begin(), budget.except.end(),
                                          [&](const std::string& pattern) { return fits(type.name, pattern); });
      if (isExcepted) continue;
      const double actual = actualOf(budget, {type.name, measureOf(type, budget.measure), type.bytes});
      result.actual = std::max(result.actual, actual);
      if (actual > budget.limit) result.offenders.push_back({type.name, actual});
    }
    std::stable_sort(
        result.offenders.begin(), result.offenders.end(),
        [](const BudgetOffender& left, const BudgetOffender& right) { return left.actual > right.actual; });
    result.offenderCount = result.offenders.size();
    result.isKept = result.offenders.empty();
    if (result.offenders.size() > BudgetResult::kMaximumOffenders)
      result.offenders.resize(BudgetResult::kMaximumOffenders);
    return {};
  }

  const Snapshot& m_snapshot;
  const std::map<std::string, Snapshot>& m_others;
  ProgressSink* m_progress;
  std::stop_token m_stop;
  std::map<const Snapshot*, std::vector<TypeChange>> m_types;
  std::optional<InsightList> m_insights;
};

}  // namespace

Stage stageFor(std::span<const Budget> budgets) {
  const bool needsRetained = std::any_of(budgets.begin(), budgets.end(), [](const Budget& budget) {
    return budget.measure == BudgetMeasure::Retained || budget.subject == BudgetSubject::Insight;
  });
  return needsRetained ? Stage::Retained : Stage::Layouts;
}

Outcome<std::vector<BudgetResult>> checkBudgets(const Snapshot& snapshot, std::span<const Budget> budgets,
                                                const std::map<std::string, Snapshot>& others, ProgressSink* progress,
                                                std::stop_token stop) {
  BudgetCheck check(snapshot, others, progress, stop);
  std::vector<BudgetResult> results;
  for (const Budget& budget : budgets) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    HEAPSCAPE_TRY(BudgetResult result, check.check(budget));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace heapscape::engine
