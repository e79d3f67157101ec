// SPDX-License-Identifier: MIT
#include "insight/trend/dump_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "graph/retained/retained_parts.h"
#include "heap/object_types.h"
#include "insight/comparison/dump_order.h"
#include "insight/insight_input.h"
#include "insight/ownership.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

// Owners of all objects, by kind and name.
std::vector<OwnerFigures> ownerFiguresOf(const Ownership& ownership) {
  // Several types, or threads that have ended and begun, may have one name.
  std::map<std::pair<InsightOwner::Kind, std::string>, OwnerFigures> owners;
  for (InsightOwner& owner : ownership.ownersOfAll()) {
    OwnerFigures& figures = owners[{owner.kind, owner.name}];
    figures.kind = owner.kind;
    figures.name = std::move(owner.name);
    figures.objects += owner.objects;
    figures.bytes += owner.bytes;
  }
  std::vector<OwnerFigures> all;
  for (auto& [key, figures] : owners) all.push_back(std::move(figures));
  return all;
}

using RootKey = std::pair<RootKind, std::string>;

/// The roots of one name, and where their objects stand in the dominator tree.
struct NamedRoots {
  std::uint64_t roots = 0;
  std::vector<std::uint32_t> numbers;
};

/// Name of a root that is the same in other dumps of the program: a static without its thread, a stack without its
/// slots, handles without their addresses.
std::string filmNameOf(const RootRow& root, const Snapshot& snapshot) {
  constexpr std::string_view kStatic = "static ";
  const std::vector<RootGroup>& groups = snapshot.roots().groups;
  switch (root.kind) {
    case RootKind::Static:
    case RootKind::Given:
      return root.name;
    case RootKind::ThreadStatic: {
      const std::size_t field = root.name.find(kStatic);
      return field == std::string::npos ? root.name : root.name.substr(field);
    }
    case RootKind::Stack: {
      const std::uint32_t thread = root.group < groups.size() ? groups[root.group].parent : RootGroup::kNone;
      return thread < groups.size() ? groups[thread].name : root.name;
    }
    default: {
      const auto object = retainedOf(snapshot, root.object);
      const std::string& type = snapshot.typeName(object ? object->type : TypeId{});
      return type.empty() ? root.name : fmt::format("{} → {}", root.name, type);
    }
  }
}

}  // namespace

Outcome<std::vector<RootFigures>> rootFiguresOf(const Snapshot& snapshot, const std::stop_token& stop) {
  const Retention& retention = *snapshot.contents().retention;
  std::map<RootKey, NamedRoots> named;
  std::uint32_t steps = 0;
  for (const RootRow& root : snapshot.roots().roots) {
    if (++steps % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    NamedRoots& roots = named[{root.kind, filmNameOf(root, snapshot)}];
    ++roots.roots;
    const ObjectId object = snapshot.contents().heap->index.idOf(root.object);
    const std::uint32_t number = object.isNone() ? 0 : retention.tree.numberOf(object.value);
    if (number) roots.numbers.push_back(number);
  }
  std::vector<RootFigures> figures;
  for (auto& [key, roots] : named) {
    std::ranges::sort(roots.numbers);
    const RetainedParts parts = outermostParts(retention.tree, retention.sizes, roots.numbers);
    figures.push_back({key.first, key.second, roots.roots, parts.bytes});
  }
  return figures;
}

std::vector<OwnerFigures> ownerFiguresOf(const Snapshot& snapshot) {
  const std::shared_ptr<const ObjectTypes> types = snapshot.contents().typesOfObjects();
  return ownerFiguresOf(Ownership(snapshot, *types));
}

namespace {

Outcome<void> addInsightsAndOwners(DumpSample& sample, const Snapshot& snapshot, ProgressSink* progress,
                                   std::stop_token stop) {
  const InsightOptions options;
  StageProgress preparing(progress, "looking for insights", 0, kInsightInputShare);
  HEAPSCAPE_TRY(const auto input, InsightInput::make(snapshot, options.minimumBytes, preparing, stop));
  sample.owners = ownerFiguresOf(input->ownership);
  HEAPSCAPE_TRY(const InsightList list, findInsights(*input, options, progress, stop));
  sample.insights = insightFiguresOf(list);
  sample.wasteBytes = list.wasteBytes;
  sample.leakBytes = list.leakBytes;
  sample.findings.append(list.findings);
  return {};
}

}  // namespace

Outcome<DumpSample> takeSample(const Snapshot& snapshot, const SampleOptions& options, ProgressSink* progress,
                               std::stop_token stop) {
  if (!snapshot.has(Stage::Retained) || snapshot.typeRetained().empty())
    return failure(ErrorCode::NoHeap, "A dump's figures can be taken once its retained sizes are known.");
  DumpSample sample;
  sample.summary = snapshot.summary();
  sample.written = timeOfFile(sample.summary.dump.path);
  sample.isComplete = snapshot.isComplete();
  for (const Finding& finding : snapshot.findings())
    sample.findings.add(finding.kind, finding.address, finding.message);
  sample.totals = snapshot.totals();
  sample.retained = snapshot.retainedTotals();
  sample.types = typeFiguresOf(snapshot);
  sample.modules = namedModulesOf(snapshot);
  HEAPSCAPE_TRY(sample.roots, rootFiguresOf(snapshot, stop));
  sample.hasInsights = options.withInsights;
  if (options.withInsights) {
    HEAPSCAPE_CHECK(addInsightsAndOwners(sample, snapshot, progress, stop));
  } else {
    sample.owners = ownerFiguresOf(snapshot);
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return sample;
}

Outcome<SampledDump> sampleDump(const std::string& path, const DumpOpener& open, const SampleOptions& options,
                                ProgressSink* progress, std::stop_token stop) {
  auto sample = [&]() -> Outcome<DumpSample> {
    HEAPSCAPE_TRY(const Snapshot snapshot, open(path));
    return takeSample(snapshot, options, progress, stop);
  }();
  if (sample) return SampledDump{path, std::make_shared<const DumpSample>(std::move(*sample)), std::nullopt};
  if (sample.error().isCancelled()) return tl::unexpected(Unfinished::cancelled());
  return SampledDump{path, nullptr, sample.error().error()};
}

}  // namespace heapscape::engine
