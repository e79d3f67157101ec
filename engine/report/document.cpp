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

void beginDocument(JsonWriter& json, std::string_view verb, const Snapshot& snapshot, const FindingList& more) {
  json.beginObject();
  json.member("schema", "heapscape/1");
  json.member("verb", verb);
  json.member("complete", snapshot.isComplete() && more.items().empty());
  json.key("findings");
  json.beginRows();
  writeFindings(json, snapshot.findings());
  writeFindings(json, more.items());
  json.endArray();
  const std::size_t leftOut = snapshot.findingsLeftOut() + more.leftOut();
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
