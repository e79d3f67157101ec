// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layout/advice/best_order.h"
#include "layout/advice/type_advice.h"
#include "session/layouts/declared_layouts_parts.h"
#include "session/layouts/field_use.h"

namespace heapscape::engine {

namespace {

using Parts = DeclaredLayouts::Parts;

constexpr std::size_t kInstancesLookedAt = 100'000;

bool liesAlike(const TypeLayout& one, const TypeLayout& other) {
  return compareLayouts(one, other).isSame;
}

class TypeStudier {
 public:
  TypeStudier(Parts& parts, ClosedTypeId type, std::stop_token stop)
      : m_parts(parts), m_type(type), m_stop(std::move(stop)) {}

  Result<TypeStudy> run() {
    HEAPSCAPE_TRY(LayoutVariant declared, layOut(m_parts, m_type, {}));
    m_study.type = describe(m_parts, m_type);
    if (m_study.type.methodTable) add({.rules = RuleSet::Actual});
    m_study.layouts.push_back(std::move(declared));
    if (canBeDeclaredOtherwise(m_parts, m_parts.subjectOf(m_type))) {
      for (const RuleSet rules : {RuleSet::Auto, RuleSet::Sequential, RuleSet::Best}) add({.rules = rules});
    }
    addClassic();
    addAdvice();
    addHeap();
    return std::move(m_study);
  }

 private:
  void add(const LayoutQuestion& question) {
    if (m_stop.stop_requested()) return;
    if (auto variant = layOut(m_parts, m_type, question)) m_study.layouts.push_back(std::move(*variant));
  }

  const LayoutVariant& declared() const {
    return *std::ranges::find(m_study.layouts, RuleSet::Declared,
                              [](const LayoutVariant& l) { return l.question.rules; });
  }

  void addClassic() {
    if (m_stop.stop_requested()) return;
    auto classic = layOut(m_parts, m_type, {.rules = RuleSet::Classic});
    if (classic && !liesAlike(classic->layout, declared().layout)) m_study.layouts.push_back(std::move(*classic));
  }

  void addAdvice() {
    const TypeLayout& layout = declared().layout;
    m_study.unit = layout.unit();
    m_study.best.instanceBytes = m_study.best.bestBytes = layout.unitBytes();
    if (m_stop.stop_requested() || !canBeDeclaredOtherwise(m_parts, m_parts.subjectOf(m_type))) return;
    LayoutRules& rules = m_parts.rules();
    const ClosedTypeId subject = m_parts.subjectOf(m_type);
    if (auto best = bestOrderOf(rules, subject)) m_study.best = std::move(best->best);
    if (auto advice = adviceFor(rules, subject, fieldUses(subject), m_study.unit)) m_study.advice = std::move(*advice);
    if (auto why = whyNotAsDeclared(rules, subject)) m_study.whyNotAsDeclared = std::move(*why);
  }

  void addHeap() {
    const Address methodTable = m_study.type.methodTable;
    if (!methodTable || !m_parts.dump->has(Stage::Objects)) return;
    if (auto onHeap = typeOnHeap(*m_parts.dump, declared().layout, methodTable, m_stop))
      m_study.onHeap = std::move(*onHeap);
  }

  /// Empty where no heap tells.
  std::vector<FieldUse> fieldUses(ClosedTypeId subject) const {
    const Address methodTable = m_parts.methodTableOf(subject);
    if (!methodTable || !m_parts.dump->has(Stage::Objects)) return {};
    return fieldUse(*m_parts.dump, methodTable, kInstancesLookedAt, m_stop).value_or(std::vector<FieldUse>());
  }

  Parts& m_parts;
  ClosedTypeId m_type;
  std::stop_token m_stop;
  TypeStudy m_study;
};

}  // namespace

std::optional<std::int64_t> TypeStudy::savedOnHeap() const {
  const auto best = std::ranges::find(layouts, RuleSet::Best, [](const LayoutVariant& l) { return l.question.rules; });
  if (!onHeap || best == layouts.end()) return std::nullopt;
  return static_cast<std::int64_t>(onHeap->bytesBy(layouts.front().layout) - onHeap->bytesBy(best->layout));
}

Result<TypeStudy> studyOf(Parts& parts, ClosedTypeId type, const std::stop_token& stop) {
  return TypeStudier(parts, type, stop).run();
}

}  // namespace heapscape::engine
