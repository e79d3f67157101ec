// SPDX-License-Identifier: MIT
#include "report/document.h"

namespace heapscape::engine {

namespace {

void writeFindings(JsonWriter& json, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    json.beginObject();
    json.member("kind", toString(finding.kind));
    json.member("address", finding.address);
    json.member("message", finding.message);
    json.endObject();
  }
}

}  // namespace

InputFacts factsOf(const Snapshot& snapshot) {
  InputFacts facts{snapshot.isComplete(), snapshot.findings(), snapshot.findingsLeftOut(), snapshot.timings()};
  if (snapshot.has(Stage::Objects)) facts.indexBytes = snapshot.indexBytes();
  return facts;
}

void beginDocument(JsonWriter& json, std::string_view verb, const InputFacts& input, const FindingList& more) {
  json.beginObject();
  json.member("schema", "heapscape/1");
  json.member("verb", verb);
  json.member("complete", input.isComplete && more.items().empty());
  json.key("findings");
  json.beginRows();
  writeFindings(json, input.findings);
  writeFindings(json, more.items());
  json.endArray();
  const std::size_t leftOut = input.findingsLeftOut + more.leftOut();
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
