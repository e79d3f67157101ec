// SPDX-License-Identifier: MIT
#include "session/layouts/best_declarations.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "layout/advice/best_order.h"
#include "layout/advice/separation.h"

namespace heapscape::engine {
namespace {

/// Closed types by their definition.
using Definitions = std::map<std::pair<AssemblyId, std::uint32_t>, std::vector<std::uint32_t>>;

Definitions definitionsOf(HeapSavings& savings, std::size_t partCount) {
  Definitions definitions;
  for (std::uint32_t part = 0; part < partCount; ++part) {
    if (savings.closed(part).isNone()) continue;
    const ClosedType& type = savings.rules().types().type(savings.closed(part));
    definitions[{type.assembly, type.typeDefRow}].push_back(part);
  }
  return definitions;
}

HeapSavings::Changes changeAll(const std::vector<std::uint32_t>& parts, const DeclarationChange& change) {
  HeapSavings::Changes changes;
  for (const std::uint32_t part : parts) changes.emplace(part, change);
  return changes;
}

/// Tries declarations of one definition on the whole heap.
class DeclarationChooser {
 public:
  DeclarationChooser(HeapSavings& savings, std::vector<std::uint32_t> parts) : m_savings(savings) {
    m_chosen.parts = std::move(parts);
  }

  BestDeclarationOnHeap choose() {
    const auto declaration = m_savings.rules().types().declarationOf(m_savings.closed(m_chosen.parts.front()));
    const bool canChange =
        declaration && ((*declaration)->kind == TypeKind::Class || (*declaration)->kind == TypeKind::Struct);
    if (!canChange || (*declaration)->fields.empty()) return std::move(m_chosen);
    findSeparation();
    if (!m_chosen.separation.empty()) return std::move(m_chosen);
    for (const std::uint32_t part : m_chosen.parts) tryBestOrderOf(part);
    tryAttributes(**declaration);
    return std::move(m_chosen);
  }

 private:
  // One that is meant so is left alone, and with it all that share its declaration.
  void findSeparation() {
    for (const std::uint32_t part : m_chosen.parts) {
      const auto why = separationOf(m_savings.rules(), m_savings.closed(part));
      if (why && m_chosen.separation.empty()) m_chosen.separation = *why;
    }
  }

  void tryBestOrderOf(std::uint32_t part) {
    const auto best = bestOrderOf(m_savings.rules(), m_savings.closed(part));
    if (best && best->best.means != AdviceKind::NothingToGain)
      take(best->best.means, best->best.order, best->change, true);
  }

  // An attribute alone can make derived classes and surrounding types smaller where the type itself has nothing to
  // gain. Declared offsets and sizes mean something, so they stay.
  void tryAttributes(const TypeDeclaration& declaration) {
    if (declaration.layoutKind == LayoutKind::Explicit || declaration.size || declaration.inlineArrayLength) return;
    std::vector<std::string> order;
    for (const FieldDeclaration& field : declaration.fields) order.emplace_back(field.name);
    if (declaration.layoutKind != LayoutKind::Auto)
      take(AdviceKind::AutoAttribute, order, changeFor(LayoutKind::Auto), false);
    if (declaration.layoutKind != LayoutKind::Sequential)
      take(AdviceKind::SequentialOrder, order, changeFor(LayoutKind::Sequential), false);
  }

  void take(AdviceKind means, const std::vector<std::string>& order, const DeclarationChange& change,
            bool makesTypeSmaller) {
    if (!m_tried.insert({change.layoutKind, change.pack, change.size, change.order, change.explicitOffsets}).second)
      return;
    const auto saved = m_savings.savedBy(changeAll(m_chosen.parts, change));
    if (!saved) return;
    const bool isFirst = m_chosen.means == AdviceKind::NothingToGain;
    // A smaller type is worth declaring even where rounding eats what it saves: others may hold it tomorrow.
    const bool isBetter = *saved > m_chosen.savedBytes || (isFirst && makesTypeSmaller && *saved == 0);
    if (!isBetter) return;
    m_chosen.means = means;
    m_chosen.order = order;
    m_chosen.change = change;
    m_chosen.savedBytes = *saved;
  }

  // All that a change says.
  using Tried = std::tuple<std::optional<LayoutKind>, std::optional<std::uint32_t>, std::optional<std::uint32_t>,
                           std::vector<std::uint32_t>, std::vector<std::uint32_t>>;

  HeapSavings& m_savings;
  BestDeclarationOnHeap m_chosen;
  std::set<Tried> m_tried;
};

}  // namespace

HeapSavings::Changes BestDeclarationOnHeap::changes() const {
  return means == AdviceKind::NothingToGain ? HeapSavings::Changes{} : changeAll(parts, change);
}

Outcome<std::vector<BestDeclarationOnHeap>> chooseDeclarations(HeapSavings& savings, std::size_t partCount,
                                                               StageProgress& progress, std::stop_token stop) {
  std::vector<BestDeclarationOnHeap> chosen;
  const Definitions definitions = definitionsOf(savings, partCount);
  for (const auto& [definition, parts] : definitions) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    chosen.push_back(DeclarationChooser(savings, parts).choose());
    progress.report(static_cast<double>(chosen.size()) / static_cast<double>(definitions.size()));
  }
  return chosen;
}

Outcome<std::int64_t> savedByAll(HeapSavings& savings, std::vector<const BestDeclarationOnHeap*> chosen,
                                 std::stop_token stop) {
  std::ranges::stable_sort(chosen, std::greater(), &BestDeclarationOnHeap::savedBytes);
  HeapSavings::Changes together;
  for (const BestDeclarationOnHeap* one : chosen) together.merge(one->changes());
  if (const auto saved = savings.savedBy(together)) return *saved;

  // A class declared sequential cannot derive from one declared auto: add what still loads, one after the other.
  together.clear();
  std::int64_t best = 0;
  for (const BestDeclarationOnHeap* one : chosen) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    HeapSavings::Changes with = together;
    with.merge(one->changes());
    const auto saved = savings.savedBy(with);
    if (!saved) continue;
    together = std::move(with);
    best = *saved;
  }
  return best;
}

}  // namespace heapscape::engine
