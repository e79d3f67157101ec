// SPDX-License-Identifier: MIT
#include "reopened_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/content_hash.h"
#include "insight/insight.h"
#include "output/insights/insights_output.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {

using namespace engine;

namespace {

using LargeUnits = engine::MostlySmall<std::uint16_t>::Large;
using LargeCount = engine::MostlySmall<std::uint8_t>::Large;

template <class T>
std::string hashText(std::span<const T> values) {
  return fmt::format("{} of hash {:x}\n", values.size(), hashOf(std::as_bytes(values)));
}

std::string insightsText(const Snapshot& snapshot) {
  const InsightList list = findInsights(snapshot, {}, nullptr, {}).value();
  std::string text;
  {
    Output output(appendTo(text));
    JsonWriter json(output);
    json.beginObject();
    writeInsights(json, list, {SIZE_MAX, false});
    json.endObject();
    writeInsightsText(output, list, InsightsForm::Details, {SIZE_MAX, false});
    output.flush();
  }
  for (const Insight& insight : list.insights) text += hashText<std::uint32_t>(insight.ids);
  for (const Finding& finding : list.findings.items()) text += finding.message + "\n";
  return text;
}

std::string answersOf(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  const DominatorTree::Arrays tree = contents.retention->tree.arrays();
  std::string text = findingsText(snapshot);
  for (const auto& numbers : {contents.graph->rows.wideStarts(), contents.graph->targets.elements(), tree.numbers,
                              tree.vertices, tree.dominators})
    text += hashText(numbers);
  text += hashText(contents.graph->rows.lines());
  text += hashText(contents.graph->units.small());
  text += hashText(contents.graph->units.large());
  text += hashText(contents.retention->sizes.bytes.stored());
  text += hashText<LargeUnits>(contents.retention->sizes.bytes.large());
  text += hashText(contents.retention->sizes.objects.small());
  text += hashText<LargeCount>(contents.retention->sizes.objects.large());
  text += fmt::format("{} damaged\n", contents.graph->damagedReferences);
  const RetainedTotals totals = snapshot.retainedTotals();
  text += fmt::format("{} {} {} {}\n", totals.reachableObjects, totals.reachableBytes, totals.unreachableObjects,
                      totals.unreachableBytes);
  for (const RetainedOfType& type : snapshot.typeRetained())
    text += fmt::format("{} {} {}\n", type.instances, type.bytes, type.retainedBytes);
  return text + insightsText(snapshot);
}

bool hasStage(const Snapshot& snapshot, std::string_view stage) {
  return std::ranges::any_of(snapshot.timings(), [&](const StageTiming& timing) { return timing.stage == stage; });
}

}  // namespace

std::vector<std::filesystem::path> KeepingFolder::files() const {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(folder())) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::filesystem::path KeepingFolder::fileOf(const std::string& part) const {
  for (const auto& file : files()) {
    if (file.filename().string().find(part) != std::string::npos) return file;
  }
  return {};
}

void ReopenedDump::keep() const {
  if (const auto kept = keepAnswers(snapshot, {}); !kept) throw std::runtime_error(kept.error().error().message());
}

ReopenedDump reopen(const std::filesystem::path& path, const std::shared_ptr<const AnswerCache>& cache,
                    const RootOptions& roots) {
  OpenOptions options;
  options.stopAfter = Stage::Retained;
  options.retained.roots = roots;
  options.retained.cache = cache;
  auto opened = openDump(path, options, nullptr, {});
  if (!opened) throw std::runtime_error(messageOf(opened));
  ReopenedDump dump{*opened, answersOf(*opened)};
  dump.isGraphKept = !hasStage(*opened, "dominators");
  dump.areTypesKept = !hasStage(*opened, "retainedByType");
  return dump;
}

void keepAll(const std::filesystem::path& path, const KeepingFolder& folder) {
  reopen(path, folder.cache()).keep();
}

}  // namespace heapscape::test
