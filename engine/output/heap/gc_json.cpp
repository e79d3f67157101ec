// SPDX-License-Identifier: MIT
#include "output/heap/gc_json.h"

#include <cmath>

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
    m_json.key("asked");
    m_json.beginArray();
    for (const GcSetting& setting : m_report.settings.settings) {
      m_json.beginObject();
      m_json.member("name", setting.name);
      // A path or a list may say more than its owner would give away.
      m_json.key("value");
      m_selection.isRedacted && !setting.number ? m_json.null() : m_json.value(setting.value);
      m_json.member("number", setting.number);
      m_json.member("from", toString(setting.source));
      m_json.member("key", setting.key);
      m_json.member("overruled", setting.isOverruled);
      m_json.endObject();
    }
    m_json.endArray();
    m_json.member("environmentMissing", m_report.settings.environmentMissing);
    m_json.member("configurationMissing", m_report.settings.configurationMissing);
    m_json.endObject();
  }

  void writeCollections() {
    m_json.key("collections");
    m_json.beginArray();
    std::uint32_t generation = 0;
    for (const std::uint64_t count : m_report.collectionCounts()) {
      m_json.beginObject();
      m_json.member("generation", generation++);
      m_json.member("count", count);
      m_json.endObject();
    }
    m_json.endArray();
    m_json.member("collectionsHow", m_report.figures.budgets.empty() ? "unknown" : "shape");
  }

  void writeRecord(const RecordedCollection& record) {
    m_json.beginObject();
    m_json.member("index", record.index);
    m_json.member("generation", record.generation);
    m_json.member("compacting", record.isCompacting);
    m_json.member("background", record.isBackground);
    m_json.member("heapBytes", record.heapSizeBytes);
    m_json.member("fragmentedBytes", record.fragmentedBytes);
    m_json.member("committedBytes", record.committedBytes);
    m_json.member("promotedBytes", record.promotedBytes);
    m_json.member("pinnedObjects", record.pinnedObjects);
    m_json.member("finalizationPending", record.finalizationPending);
    m_json.member("memoryLoadPercent", record.memoryLoadPercent);
    m_json.member("pauseTimePercent", static_cast<double>(record.pausePercent));
    m_json.key("pauseMicroseconds");
    m_json.beginArray();
    for (const std::uint64_t pause : record.pauseMicroseconds) m_json.value(pause);
    m_json.endArray();
    m_json.key("generations");
    m_json.beginArray();
    for (const RecordedGeneration& generation : record.generations) {
      m_json.beginObject();
      m_json.member("sizeBefore", generation.sizeBefore);
      m_json.member("fragmentationBefore", generation.fragmentationBefore);
      m_json.member("sizeAfter", generation.sizeAfter);
      m_json.member("fragmentationAfter", generation.fragmentationAfter);
      m_json.endObject();
    }
    m_json.endArray();
    m_json.endObject();
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
      m_json.key("recorded");
      m_json.beginArray();
      for (const RecordedCollection& record : figures.recorded) writeRecord(record);
      m_json.endArray();
      m_json.member("how", "shape");
      m_json.endObject();
    }
  }

  void writeGenerations() {
    m_json.key("generations");
    m_json.beginArray();
    for (const GenerationGaps& gaps : m_report.gaps) {
      m_json.beginObject();
      m_json.member("heap", gaps.heap);
      m_json.member("generation", toString(gaps.generation));
      const GenerationBudget* budget = m_report.budgetOf(gaps.heap, gaps.generation);
      const auto figure = [&](std::string_view name, auto of) {
        m_json.key(name);
        budget ? m_json.value(of(*budget)) : m_json.null();
      };
      figure("budget", [](const GenerationBudget& of) { return of.budgetBytes; });
      m_json.key("budgetLeft");
      // May be less than nothing, which the writer has no way to say of whole numbers.
      budget ? m_json.number(std::to_string(budget->budgetLeftBytes)) : m_json.null();
      m_json.key("survival");
      budget&& std::isfinite(budget->survival) ? m_json.value(static_cast<double>(budget->survival)) : m_json.null();
      figure("survivedBytes", [](const GenerationBudget& of) { return of.survivedBytes; });
      figure("pinnedSurvivedBytes", [](const GenerationBudget& of) { return of.pinnedSurvivedBytes; });
      figure("promotedBytes", [](const GenerationBudget& of) { return of.promotedBytes; });
      figure("sizeAfterLast", [](const GenerationBudget& of) { return of.sizeBytes; });
      figure("fragmentationAfterLast", [](const GenerationBudget& of) { return of.fragmentationBytes; });
      figure("lastCollection", [](const GenerationBudget& of) { return of.gcClock; });
      m_json.member("bytes", gaps.bytes);
      m_json.member("fragmentation", gaps.freeBytes);
      m_json.member("gaps", gaps.gaps);
      m_json.member("largestGap", gaps.largestGapBytes);
      m_json.key("betweenGaps");
      m_json.beginArray();
      for (const GapNeighbour& neighbour : m_selection.of(gaps.neighbours)) {
        m_json.beginObject();
        m_json.member("type", neighbour.typeName);
        m_json.member("methodTable", neighbour.methodTable);
        m_json.member("gaps", neighbour.gaps);
        m_json.member("gapBytes", neighbour.gapBytes);
        m_json.member("objectBytes", neighbour.objectBytes);
        m_json.member("pinned", neighbour.pinned);
        m_json.member("example", neighbour.example);
        m_json.endObject();
      }
      m_json.endArray();
      m_json.endObject();
    }
    m_json.endArray();
  }

  void writeOutOfMemory() {
    m_json.key("outOfMemory");
    m_json.beginArray();
    for (const OutOfMemoryRecord& record : m_report.history.outOfMemory) {
      m_json.beginObject();
      m_json.member("heap", record.heap);
      m_json.member("reason", outOfMemoryReason(record.reason));
      m_json.member("allocationBytes", record.allocationBytes);
      m_json.member("afterCollection", record.gcIndex);
      m_json.member("large", record.isLarge);
      m_json.member("memoryFailure", getMemoryFailure(record.getMemoryFailure));
      m_json.member("failedBytes", record.failedBytes);
      m_json.member("availablePagefileMb", record.availablePagefileMb);
      m_json.member("text", describe(record));
      m_json.endObject();
    }
    m_json.endArray();
  }

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

  void writeFreeRegions() {
    m_json.key("freeRegions");
    m_json.beginArray();
    for (const FreeRegions& list : m_report.history.freeRegions) {
      m_json.beginObject();
      m_json.member("list", list.list);
      m_json.member("kind", list.kind);
      m_json.member("waitsFor", list.isForRelease ? "release" : "use");
      m_json.member("regions", list.regions);
      m_json.member("bytes", list.bytes);
      m_json.member("committedBytes", list.committedBytes);
      m_json.endObject();
    }
    m_json.endArray();
  }

  void writeMechanisms() {
    m_json.key("mechanisms");
    m_json.beginArray();
    for (const GcMechanismCount& mechanism : m_report.history.mechanisms) {
      m_json.beginObject();
      m_json.member("heap", mechanism.heap);
      m_json.member("kind", mechanism.kind);
      m_json.member("name", mechanism.name);
      m_json.member("count", mechanism.count);
      m_json.endObject();
    }
    m_json.endArray();
    m_json.member("mechanismsKnown", m_report.history.hasMechanisms);
    m_json.member("internalRoots", m_report.history.internalRoots);
    m_json.member("bookkeepingElements", m_report.history.bookkeepingElements);
  }

  void writePins() {
    m_json.member("pinnedObjects", m_report.pinnedObjects);
    m_json.key("pins");
    m_json.beginArray();
    for (const PinGroup& group : m_selection.of(m_report.pins)) {
      m_json.beginObject();
      m_json.member("by", group.kind);
      m_json.member("holder", group.holder);
      m_json.member("type", group.typeName);
      m_json.member("objects", group.objects);
      m_json.member("bytes", group.bytes);
      m_json.member("example", group.example);
      m_json.endObject();
    }
    m_json.endArray();
  }

  void writeFinalizers() {
    m_json.key("finalizers");
    m_json.beginObject();
    m_json.member("ready", m_report.finalizers.ready);
    m_json.member("readyBytes", m_report.finalizers.readyBytes);
    m_json.member("registered", m_report.finalizers.registered);
    m_json.key("types");
    m_json.beginArray();
    for (const FinalizerBacklog::Type& type : m_selection.of(m_report.finalizers.types)) {
      m_json.beginObject();
      m_json.member("type", type.typeName);
      m_json.member("objects", type.objects);
      m_json.member("bytes", type.bytes);
      m_json.endObject();
    }
    m_json.endArray();
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
