// SPDX-License-Identifier: MIT
#include "output/heap/gc_json.h"

#include <algorithm>
#include <utility>

#include "output/table_output.h"
#include "tables/gap_tables.h"
#include "tables/gc_tables.h"

namespace heapscape::engine {
namespace {

class GcWriter {
 public:
  GcWriter(JsonWriter& json, const GcReport& report, const RowSelection& selection)
      : m_json(json), m_report(report), m_selection(selection) {}

  void write() {
    m_json.key("gc");
    m_json.beginObject();
    writeSettings();
    writeCollections();
    writeLast();
    writeGenerations();
    writeOutOfMemory();
    writePhase();
    writeFreeRegions();
    writeMechanisms();
    writePins();
    writeFinalizers();
    m_json.endObject();
  }

 private:
  RowSelection whole() const { return {.isRedacted = m_selection.isRedacted}; }

  void writeSettings() {
    m_json.key("settings");
    m_json.beginObject();
    m_json.member("gc", m_report.isServer ? "server" : "workstation");
    m_json.member("library", m_report.library.empty() ? "libcoreclr.so" : m_report.library);
    m_json.member("regions", m_report.hasRegions);
    m_json.member("heaps", m_report.heaps.active);
    m_json.member("heapsCreated", m_report.heaps.created);
    m_json.member("dynamicAdaptation", toString(m_report.heaps.adaptation));
    m_json.key("latencyMode");
    m_report.figures.plan ? m_json.value(pauseMode(m_report.figures.plan->pauseMode)) : m_json.null();
    m_json.key("memory");
    if (const auto& limits = m_report.figures.limits) {
      m_json.beginObject();
      m_json.member("totalPhysicalBytes", limits->totalPhysicalBytes);
      m_json.member("restricted", limits->isRestricted);
      m_json.member("hardLimitBytes", limits->hardLimitBytes);
      m_json.member("highLoadPercent", limits->highLoadPercent);
      m_json.member("veryHighLoadPercent", limits->veryHighLoadPercent);
      m_json.member("how", "shape");
      m_json.endObject();
    } else {
      m_json.null();
    }
    writeTable(m_json, gcSettingsTable().with(m_report.settings.settings), whole());
    m_json.member("environmentMissing", m_report.settings.environmentMissing);
    m_json.member("configurationMissing", m_report.settings.configurationMissing);
    m_json.endObject();
  }

  void writeCollections() {
    writeTable(m_json, collectionCountsTable().with(listCollectionCounts(m_report)), whole());
    m_json.member("collectionsHow", m_report.figures.budgets.empty() ? "unknown" : "shape");
  }

  void writeLast() {
    const GcFigures& figures = m_report.figures;
    m_json.key("last");
    if (figures.recorded.empty() && !figures.plan) {
      m_json.null();
    } else {
      m_json.beginObject();
      m_json.key("begun");
      if (figures.plan) {
        m_json.beginObject();
        m_json.member("index", figures.plan->index);
        m_json.member("generation", figures.plan->generation);
        m_json.member("reason", collectionReason(figures.plan->reason));
        m_json.member("background", figures.plan->isBackground);
        m_json.member("compacting", figures.plan->isCompacting);
        m_json.member("promoting", figures.plan->isPromoting);
        m_json.member("demoting", figures.plan->isDemoting);
        m_json.endObject();
      } else {
        m_json.null();
      }
      writeTable(m_json, recordedCollectionsTable().with(figures.recorded), whole());
      m_json.member("how", "shape");
      m_json.endObject();
    }
  }

  void writeGenerations() {
    // What stands between gaps is as long as wanted; generations are few.
    const Table table = limitInner(generationFiguresTable().with(listGenerationFigures(m_report)), m_selection.limit);
    writeTable(m_json, table, whole());
  }

  void writeOutOfMemory() { writeTable(m_json, outOfMemoryTable().with(m_report.history.outOfMemory), whole()); }

  void writeCoverage(const char* name, const char* of, const Coverage& coverage) {
    m_json.beginObject();
    m_json.member(name, of);
    m_json.member("bytes", coverage.bytes);
    m_json.member("unreadBytes", coverage.unreadBytes);
    m_json.member("percent", coverage.percent());
    m_json.endObject();
  }

  void writePhase() {
    m_json.key("phase");
    m_json.beginObject();
    m_json.member("name", toString(m_report.phase));
    m_json.member("text", m_report.phaseText);
    m_json.member("trust", m_report.trustText);
    m_json.key("coverage");
    m_json.beginArray();
    for (const SegmentCoverage& of : m_report.coverage) writeCoverage("kind", toString(of.kind), of);
    m_json.endArray();
    m_json.key("coverageByGeneration");
    m_json.beginArray();
    for (const GenerationCoverage& of : m_report.coverageByGeneration)
      writeCoverage("generation", toString(of.generation), of);
    m_json.endArray();
    m_json.endObject();
  }

  void writeFreeRegions() { writeTable(m_json, freeRegionsTable().with(m_report.history.freeRegions), whole()); }

  void writeMechanisms() {
    writeTable(m_json, gcMechanismsTable().with(m_report.history.mechanisms), whole());
    m_json.member("mechanismsKnown", m_report.history.hasMechanisms);
    m_json.member("internalRoots", m_report.history.internalRoots);
    m_json.member("bookkeepingElements", m_report.history.bookkeepingElements);
  }

  void writePins() {
    m_json.member("pinnedObjects", m_report.pinnedObjects);
    m_json.key("pins");
    writeRows(m_json, pinsTable().with(m_report.pins), m_selection);
  }

  void writeFinalizers() {
    m_json.key("finalizers");
    m_json.beginObject();
    m_json.member("ready", m_report.finalizers.ready);
    m_json.member("readyBytes", m_report.finalizers.readyBytes);
    m_json.member("registered", m_report.finalizers.registered);
    writeTable(m_json, finalizerBacklogTable().with(m_report.finalizers.types), m_selection);
    m_json.endObject();
  }

  JsonWriter& m_json;
  const GcReport& m_report;
  const RowSelection& m_selection;
};

}  // namespace

void writeGc(JsonWriter& json, const GcReport& report, const RowSelection& selection) {
  GcWriter(json, report, selection).write();
}

}  // namespace heapscape::engine
