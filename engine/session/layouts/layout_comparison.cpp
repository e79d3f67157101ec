// SPDX-License-Identifier: MIT
#include "session/layouts/layout_comparison.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <tuple>

#include "base/progress.h"

namespace heapscape::engine {

namespace {

/// The types of one side by assembly and name. A dump has those of all its assemblies; beside an assembly only that
/// one's are asked for.
Outcome<std::vector<LayoutRow>> typesOf(const DeclaredLayouts& side, const DeclaredLayouts& other,
                                        const std::stop_token& stop) {
  HEAPSCAPE_TRY(std::vector<LayoutRow> types, side.types(stop));
  if (side.isOfDump() && !other.isOfDump()) {
    const std::string name = other.assemblies().front().name;
    std::erase_if(types, [&](const LayoutRow& type) { return type.assembly != name; });
  }
  std::ranges::stable_sort(types, {}, [](const LayoutRow& type) { return std::tie(type.assembly, type.name); });
  return types;
}

std::int64_t magnitude(const ComparedLayout& row) {
  return std::abs(row.difference.instanceBytes);
}

class Comparer {
 public:
  Comparer(const DeclaredLayouts& before, LayoutQuestion questionBefore, const DeclaredLayouts& after,
           LayoutQuestion questionAfter)
      : m_before(before), m_after(after), m_questionBefore(questionBefore), m_questionAfter(questionAfter) {
    m_questionBefore.withReasons = m_questionAfter.withReasons = false;
  }

  void addPair(const LayoutRow& before, const LayoutRow& after) {
    const auto laidBefore = lay(m_before, before, m_questionBefore);
    const auto laidAfter = lay(m_after, after, m_questionAfter);
    if (!laidBefore || !laidAfter) return;
    ComparedLayout row = rowOf(after);
    row.before = before.id;
    row.after = after.id;
    setBefore(row, laidBefore->layout);
    setAfter(row, laidAfter->layout);
    row.difference = compareLayouts(laidBefore->layout, laidAfter->layout);
    if (row.difference.isSame) {
      ++m_comparison.same;
    } else {
      m_comparison.changed.push_back(std::move(row));
    }
  }

  void addRemoved(const LayoutRow& before) {
    const auto variant = lay(m_before, before, m_questionBefore);
    if (!variant) return;
    ComparedLayout row = rowOf(before);
    row.before = before.id;
    setBefore(row, variant->layout);
    m_comparison.removed.push_back(std::move(row));
  }

  void addAdded(const LayoutRow& after) {
    const auto variant = lay(m_after, after, m_questionAfter);
    if (!variant) return;
    ComparedLayout row = rowOf(after);
    row.after = after.id;
    setAfter(row, variant->layout);
    m_comparison.added.push_back(std::move(row));
  }

  LayoutComparison take() {
    std::ranges::stable_sort(m_comparison.changed, [](const ComparedLayout& a, const ComparedLayout& b) {
      return magnitude(a) != magnitude(b) ? magnitude(a) > magnitude(b) : a.type < b.type;
    });
    // What neither of the two can lay out fails twice.
    std::ranges::sort(m_comparison.failures);
    const auto twice = std::ranges::unique(m_comparison.failures);
    m_comparison.failures.erase(twice.begin(), twice.end());
    return std::move(m_comparison);
  }

 private:
  static ComparedLayout rowOf(const LayoutRow& type) {
    ComparedLayout row;
    row.type = type.name;
    row.assembly = type.assembly;
    return row;
  }
  static void setBefore(ComparedLayout& row, const TypeLayout& layout) {
    row.instanceBytesBefore = layout.unitBytes();
    row.paddingBefore = layout.unitLayout().paddingBytes();
  }
  static void setAfter(ComparedLayout& row, const TypeLayout& layout) {
    row.instanceBytesAfter = layout.unitBytes();
    row.paddingAfter = layout.unitLayout().paddingBytes();
  }

  /// Nothing, and a failure noted, if it cannot be laid out.
  std::optional<LayoutVariant> lay(const DeclaredLayouts& layouts, const LayoutRow& type,
                                   const LayoutQuestion& question) {
    if (type.id.isNone()) {
      m_comparison.failures.push_back(type.name + ": " + type.failure);
      return std::nullopt;
    }
    auto variant = layouts.layout(type.id, question);
    if (variant) return std::move(*variant);
    m_comparison.failures.push_back(type.name + ": " + variant.error().what);
    return std::nullopt;
  }

  const DeclaredLayouts& m_before;
  const DeclaredLayouts& m_after;
  LayoutQuestion m_questionBefore;
  LayoutQuestion m_questionAfter;
  LayoutComparison m_comparison;
};

}  // namespace

Outcome<LayoutComparison> compareLayouts(const DeclaredLayouts& before, const LayoutQuestion& questionBefore,
                                         const DeclaredLayouts& after, const LayoutQuestion& questionAfter,
                                         std::stop_token stop) {
  HEAPSCAPE_TRY(const std::vector<LayoutRow> typesBefore, typesOf(before, after, stop));
  HEAPSCAPE_TRY(const std::vector<LayoutRow> typesAfter, typesOf(after, before, stop));
  Comparer comparer(before, questionBefore, after, questionAfter);
  auto left = typesBefore.begin();
  auto right = typesAfter.begin();
  for (std::size_t steps = 0; left != typesBefore.end() || right != typesAfter.end(); ++steps) {
    if (steps % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const bool isLeftOver = right == typesAfter.end();
    const auto order = left == typesBefore.end() ? std::strong_ordering::greater
                       : isLeftOver              ? std::strong_ordering::less
                                    : std::tie(left->assembly, left->name) <=> std::tie(right->assembly, right->name);
    if (order == 0) {
      comparer.addPair(*left++, *right++);
    } else if (order < 0) {
      comparer.addRemoved(*left++);
    } else {
      comparer.addAdded(*right++);
    }
  }
  return comparer.take();
}

}  // namespace heapscape::engine
