// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include "base/figures.h"
#include "layout/framework_assembly.h"
#include "session/types/generics_query.h"

namespace heapscape::engine {
namespace {

/// Tells of generic types that are instantiated over very many value types: each of them has method tables and code of
/// its own. These lie outside the heap, so the insight's bytes are 0 and the figures are among its facts.
class GenericGrowth : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::GenericGrowth}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  static constexpr std::uint32_t kManyOfProgram = 20;  // instantiations with code of their own
  static constexpr std::uint32_t kManyOfFramework = 60;
};

FoundInsight describe(const GenericDefinition& definition, std::uint32_t own, bool isFramework) {
  FoundInsight found;
  Insight& insight = found.insight;
  insight.kind = InsightKind::GenericGrowth;
  insight.meaning = InsightMeaning::Held;
  insight.title = fmt::format("{} has {} with code of its own", definition.name, countOf(own, "instantiation"));
  insight.subject = definition.name;
  insight.advice =
      "Each value type as an argument makes code of its own. Move what does not depend on the argument into "
      "a class that is not generic, or use fewer value types.";
  insight.isFramework = isFramework;
  insight.objects = own;
  insight.facts = {{"Method tables", readableCount(definition.methodTables)},
                   {"Bytes of method tables", readableCount(definition.methodTableBytes)},
                   {"Methods", readableCount(definition.methods)},
                   {"Methods with code", readableCount(definition.methodsWithCode)},
                   {"Bytes of code", readableCount(definition.codeBytes)},
                   {"Of these jitted", readableCount(definition.jittedBytes)}};
  if (definition.codeSizeUnknown)
    insight.facts.push_back({"Methods with code of unknown size", readableCount(definition.codeSizeUnknown)});
  for (const GenericInstantiation& instantiation : definition.instantiations) {
    if (instantiation.sharesCode || insight.items.size() == Insight::kMaximumItems) continue;
    insight.items.push_back({{}, 0, instantiation.name});
  }
  return found;
}

}  // namespace

Outcome<void> GenericGrowth::find(const InsightInput& input, FoundInsights& found, FindingList&,
                                  StageProgress& progress, std::stop_token stop) {
  const FewestInstantiations fewest = [](const std::string& assembly) {
    return isFrameworkAssembly(assembly) ? kManyOfFramework : kManyOfProgram;
  };
  HEAPSCAPE_TRY(const auto definitions, listGenericsOfMany(input.snapshot, fewest, std::move(stop)));
  for (const GenericDefinition& definition : definitions) {
    if (definition.methodsWithCode == 0) continue;  // interfaces, and what nobody has called
    std::uint32_t own = 0;
    for (const GenericInstantiation& instantiation : definition.instantiations) own += !instantiation.sharesCode;
    found.insights.push_back(describe(definition, own, isFrameworkAssembly(definition.assembly)));
  }
  progress.report(1);
  return {};
}

std::unique_ptr<Detector> makeGenericGrowth() {
  return std::make_unique<GenericGrowth>();
}

}  // namespace heapscape::engine
