// SPDX-License-Identifier: MIT
#include "output/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "output/table_output.h"
#include "tables/findings_table.h"

namespace heapscape::engine {

namespace {

bool isAmong(const std::vector<Finding>& told, const Finding& finding) {
  return std::ranges::any_of(told, [&](const Finding& known) {
    return known.kind == finding.kind && known.address == finding.address && known.message == finding.message;
  });
}

}  // namespace

InputFacts factsOf(const Snapshot& snapshot) {
  InputFacts facts{snapshot.isComplete(), snapshot.findings(), snapshot.findingsLeftOut(), snapshot.timings()};
  if (snapshot.has(Stage::Objects)) facts.indexBytes = snapshot.indexBytes();
  return facts;
}

InputFacts factsOf(std::span<const Snapshot* const> snapshots) {
  if (snapshots.size() == 1) return factsOf(*snapshots.front());
  InputFacts all;
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    const std::string& path = snapshots[i]->summary().dump.path;
    InputFacts facts = factsOf(*snapshots[i]);
    if (!facts.isComplete) {
      all.isComplete = false;
      all.note += fmt::format("{}{}", all.note.empty() ? "something was missing or damaged in " : " and in ", path);
    }
    for (Finding& finding : facts.findings) {
      finding.message = fmt::format("{}: {}", path, finding.message);
      all.findings.push_back(std::move(finding));
    }
    for (const StageTiming& timing : facts.timings)
      all.timings.push_back({fmt::format("{} {}", timing.stage, i + 1), timing.seconds});
    all.findingsLeftOut += facts.findingsLeftOut;
    all.indexBytes += facts.indexBytes;
  }
  if (!all.note.empty()) all.note += ", see heapscape-cli info.";
  return all;
}

void beginDocument(JsonWriter& json, std::string_view verb, const InputFacts& input, const FindingList& more) {
  json.beginObject();
  json.member("schema", "heapscape/1");
  json.member("verb", verb);
  json.member("complete", input.isComplete && more.items().empty());
  std::vector<Finding> findings = input.findings;
  // A question may meet again what opening has told, such as what is wrong with roots.
  bool isAllTold = !more.items().empty();
  for (const Finding& finding : more.items()) {
    if (isAmong(input.findings, finding)) continue;
    isAllTold = false;
    findings.push_back(finding);
  }
  writeTable(json, findingsTable().with(std::move(findings)), {});
  const std::size_t leftOut = input.findingsLeftOut + (isAllTold ? 0 : more.leftOut());
  if (leftOut) json.member("findingsLeftOut", leftOut);
}

void endDocument(JsonWriter& json, const RunFigures* figures) {
  if (figures) {
    json.key("timings");
    json.beginObject();
    for (const StageTiming& timing : figures->timings) json.member(timing.stage, timing.seconds);
    json.endObject();
    json.member("indexBytes", figures->indexBytes);
    json.member("peakBytes", figures->peakBytes);
  }
  json.endObject();
}

}  // namespace heapscape::engine
