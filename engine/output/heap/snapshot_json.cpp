// SPDX-License-Identifier: MIT
#include "output/heap/snapshot_json.h"

#include <algorithm>
#include <cmath>

#include "session/heap/gc_heaps.h"

namespace heapscape::engine {

namespace {

void writeTotals(JsonWriter& json, const ObjectTotals& totals) {
  json.member("objects", totals.objects);
  json.member("bytes", totals.bytes);
  json.member("freeObjects", totals.freeObjects);
  json.member("freeBytes", totals.freeBytes);
}

void writeRuntime(JsonWriter& json, const RuntimeSummary& runtime, const GcHeaps& heaps) {
  json.key("runtime");
  json.beginObject();
  json.member("version", runtime.version);
  json.member("architecture", runtime.architecture);
  json.member("buildId", runtime.buildId);
  json.member("library", runtime.libraryPath);
  json.member("gc", runtime.isServerGc ? "server" : "workstation");
  json.member("heaps", runtime.heaps);
  json.member("heapsCreated", heaps.created);
  json.member("dynamicAdaptation", toString(heaps.adaptation));
  json.member("regions", runtime.hasRegions);
  json.member("gcInProgress", runtime.gcInProgress);
  json.member("contract", toString(runtime.contract));
  json.member("contractVerified", runtime.contractVerified);
  json.member("contractVersion", runtime.contractVersion);
  json.key("contractVerifiedOn");
  json.beginArray();
  for (const std::string& release : runtime.contractVerifiedOn) json.value(release);
  json.endArray();
  json.member("globals", toString(runtime.globals));
  json.endObject();
}

void writeDump(JsonWriter& json, const Snapshot& snapshot) {
  const DumpSummary& dump = snapshot.summary().dump;
  json.key("dump");
  json.beginObject();
  json.member("kind", toString(dump.kind));
  json.member("pid", dump.pid);
  json.member("command", dump.command);
  json.member("bytes", dump.fileBytes);
  json.member("compressed", dump.isCompressed);
  if (!snapshot.nameInArchive().empty()) {
    json.member("nameInArchive", snapshot.nameInArchive());
    json.member("coresInArchive", snapshot.coresInArchive());
  }
  json.member("threads", dump.threads);
  json.endObject();
}

// Numbers have six decimals; what is not whole must not look so.
void writeCoverage(JsonWriter& json, double share) {
  json.member("coverage", std::floor(share * 1e6) / 1e6);
}

}  // namespace

void writeInfo(JsonWriter& json, const Snapshot& snapshot) {
  const Summary& summary = snapshot.summary();
  json.key("info");
  json.beginObject();
  writeRuntime(json, summary.runtime, gcHeaps(snapshot));
  writeDump(json, snapshot);
  if (snapshot.has(Stage::Objects)) {
    writeTotals(json, snapshot.totals());
    writeCoverage(json, snapshot.coverage());
  }
  json.key("missing");
  json.beginArray();
  for (const Missing& missing : summary.missing) {
    json.beginObject();
    json.member("what", missing.what);
    json.member("help", missing.help);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

}  // namespace heapscape::engine
