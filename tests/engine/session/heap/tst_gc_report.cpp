// SPDX-License-Identifier: MIT
// What the GC says of itself, on dumps of every kind of it: held against the walk of the heap, and against how the
// dumped programs were started.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

#include "runtime/gc/gc_state.h"
#include "session/heap/gc_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::test {
namespace {

using engine::CollectionPhase;
using engine::GcReport;
using engine::Generation;
using engine::Stage;

const std::vector<const char*> kDumps{
    "shop-8",          "shop-9",          "shop-10",          "shop-8-server", "shop-9-server", "shop-10-server",
    "shop-8-segments", "shop-9-segments", "shop-10-segments", "exhibits-8",    "exhibits-9",    "exhibits-10",
    "flaws-10-server", "stacks-9",        "shop-10-gcore",    "storm-8-calm",  "storm-9-calm",  "storm-10-calm"};

GcReport reportOf(const engine::Snapshot& snapshot) {
  auto report = readGcReport(snapshot, {});
  EXPECT_TRUE(report);
  return report ? std::move(*report) : GcReport{};
}
GcReport reportOf(const char* dump) {
  return reportOf(openedDump(dump));
}

std::uint64_t walkedBytes(const GcReport& report, Generation generation) {
  std::uint64_t bytes = 0;
  for (const engine::GenerationGaps& gaps : report.gaps)
    if (gaps.generation == generation) bytes += gaps.bytes;
  return bytes;
}

// Nothing is allocated in gen1, and on these heaps nothing in gen2, until the next collection.
TEST(GcReport, RecordsOfTheLastCollectionAreWhatTheWalkFinds) {
  for (const char* dump : kDumps) {
    SCOPED_TRACE(dump);
    const GcReport report = reportOf(dump);
    ASSERT_FALSE(report.figures.recorded.empty());
    const engine::RecordedCollection& last = report.figures.recorded.front();
    EXPECT_EQ(last.generations[1].sizeAfter, walkedBytes(report, Generation::Gen1));
    EXPECT_EQ(last.generations[2].sizeAfter, walkedBytes(report, Generation::Gen2));
    EXPECT_EQ(last.generations[3].sizeAfter, walkedBytes(report, Generation::Large));
    EXPECT_EQ(report.collectionCounts().at(0), last.index);
    ASSERT_TRUE(report.figures.plan);
    EXPECT_EQ(report.figures.plan->index, last.index);
    EXPECT_EQ(report.phase, CollectionPhase::None);
  }
}

TEST(GcReport, BudgetsAreThoseOfEachHeap) {
  for (const char* dump : kDumps) {
    SCOPED_TRACE(dump);
    const GcReport report = reportOf(dump);
    EXPECT_EQ(report.figures.budgets.size(), 5u * report.heaps.active);
    std::uint64_t sizeBytes = 0;
    for (const engine::GenerationBudget& budget : report.figures.budgets) {
      EXPECT_EQ(budget.collectionCount, report.figures.budgets[budget.generation].collectionCount);
      if (budget.generation == 2) sizeBytes += budget.sizeBytes + budget.fragmentationBytes;
    }
    EXPECT_EQ(sizeBytes, walkedBytes(report, Generation::Gen2));
    EXPECT_EQ(report.budgetOf(0, Generation::Frozen), nullptr);
  }
}

// The storms say 0x80000 of GCgen0size.
TEST(GcReport, SettingsOfTheEnvironmentCount) {
  const GcReport storm = reportOf("storm-9-calm");
  ASSERT_EQ(storm.settings.settings.size(), 1u);
  const engine::GcSetting& size = storm.settings.settings.front();
  EXPECT_EQ(size.name, "GCgen0size");
  EXPECT_EQ(size.key, "DOTNET_GCgen0size");
  EXPECT_EQ(size.number, 0x80000u);
  EXPECT_EQ(storm.budgetOf(0, Generation::Gen0)->smallestBudgetBytes, 0x80000u);

  const GcReport limited = reportOf("stacks-9");
  ASSERT_TRUE(limited.figures.limits);
  EXPECT_EQ(limited.figures.limits->hardLimitBytes, 0x1000000u);
  EXPECT_EQ(reportOf("shop-9").figures.limits->hardLimitBytes, 0u);
  // In .NET 11 they lie elsewhere for each GC.
  for (const char* dump : {"shop-11", "shop-11-server", "shop-11-segments", "stacks-11"}) {
    const GcReport report = reportOf(dump);
    ASSERT_TRUE(report.figures.limits) << dump;
    EXPECT_EQ(report.figures.limits->hardLimitBytes, dump == std::string("stacks-11") ? 0x1000000u : 0u) << dump;
    EXPECT_EQ(report.figures.limits->highLoadPercent, 90u) << dump;
    EXPECT_EQ(report.figures.limits->veryHighLoadPercent, 97u) << dump;
    EXPECT_FALSE(report.figures.limits->isRestricted) << dump;
    EXPECT_EQ(report.figures.limits->totalPhysicalBytes % 4096, 0u) << dump;
  }
  EXPECT_TRUE(reportOf("shop-9").settings.settings.empty());
  EXPECT_EQ(reportOf("shop-9").settings.environmentMissing, "");
  EXPECT_EQ(reportOf("shop-9").settings.configurationMissing, "");

  std::vector<std::string> names;
  for (const engine::GcSetting& setting : reportOf("shop-10-server").settings.settings) names.push_back(setting.name);
  EXPECT_EQ(names, (std::vector<std::string>{"GCHeapCount", "GCNoAffinitize", "gcServer"}));
  EXPECT_EQ(reportOf("shop-10-segments").library, "libclrgc.so");
  EXPECT_EQ(reportOf("shop-10").library, "");
}

/// Overwrites each text of this one's length in the objects of a heap.
void rename(PatchedCore& core, const engine::Snapshot& snapshot, const std::u16string& from, const std::u16string& to) {
  ASSERT_EQ(from.size(), to.size());
  const auto bytesOf = [](const std::u16string& text) { return std::as_bytes(std::span(text)); };
  std::size_t found = 0;
  for (const engine::Segment& segment : snapshot.segments()) {
    const auto view = snapshot.contents().memory->view(segment.objects);
    if (!view) continue;
    for (auto at = view->bytes.begin();; ++at) {
      at = std::ranges::search(at, view->bytes.end(), bytesOf(from).begin(), bytesOf(from).end()).begin();
      if (at == view->bytes.end()) break;
      core.writeAt(core.fileOffset(segment.objects.start + static_cast<std::uint64_t>(at - view->bytes.begin())),
                   bytesOf(to));
      ++found;
    }
  }
  EXPECT_GT(found, 0u);
}

// No program of the tests' dumps asks the GC for anything in its runtimeconfig.json, so one of its other properties is
// given another name.
TEST(GcReport, PropertiesOfAppContextCount) {
  for (const char* dump : {"shop-8", "shop-9", "shop-10"}) {
    SCOPED_TRACE(dump);
    PatchedCore core(dump);
    rename(core, openSnapshot(core.path(), Stage::Segments), u"System.Globalization.Invariant",
           u"System.GC.HeapHardLimitPercent");
    const GcReport report = reportOf(openSnapshot(core.path(), Stage::Objects));
    ASSERT_EQ(report.settings.settings.size(), 1u);
    const engine::GcSetting& setting = report.settings.settings.front();
    EXPECT_EQ(setting.name, "GCHeapHardLimitPercent");
    EXPECT_EQ(setting.source, engine::GcSettingSource::Configuration);
    EXPECT_EQ(setting.key, "System.GC.HeapHardLimitPercent");
    EXPECT_EQ(setting.value, "true");
    EXPECT_EQ(setting.number, 1u);
    EXPECT_FALSE(setting.isOverruled);
  }
}

TEST(GcReport, GapsAddUpToTheGenerations) {
  for (const char* dump : {"flaws-10", "shop-9-server", "shop-8-segments"}) {
    SCOPED_TRACE(dump);
    const engine::Snapshot snapshot = openedDump(dump);
    const GcReport report = reportOf(snapshot);
    for (const engine::GenerationRow& row : snapshot.generations()) {
      const auto gaps = std::ranges::find_if(report.gaps, [&](const engine::GenerationGaps& of) {
        return of.heap == row.heap && of.generation == row.generation;
      });
      ASSERT_NE(gaps, report.gaps.end());
      EXPECT_EQ(gaps->bytes, row.totals.bytes);
      EXPECT_EQ(gaps->freeBytes, row.totals.freeBytes);
      std::uint64_t before = 0;
      for (const engine::GapNeighbour& neighbour : gaps->neighbours) before += neighbour.gapBytes;
      EXPECT_LE(before, gaps->freeBytes);
      EXPECT_LE(gaps->gaps, row.totals.freeObjects);
    }
  }
}

// flaws pins 511 arrays by handles that a list keeps.
TEST(GcReport, PinsAreToldByWhoKeepsThem) {
  const GcReport report = reportOf("flaws-10");
  const auto group = std::ranges::max_element(report.pins, {}, &engine::PinGroup::objects);
  ASSERT_NE(group, report.pins.end());
  EXPECT_EQ(group->kind, "pinned handle");
  EXPECT_EQ(group->holder, "System.Runtime.InteropServices.GCHandle[]");
  EXPECT_EQ(report.pinnedObjects, 512u);
  EXPECT_EQ(report.finalizers.ready, 120u);
}

// Those of critical objects wait in a part of the queue of their own; SOS counts both as ready.
TEST(GcReport, PendingFinalizersAreAllThatAreReady) {
  EXPECT_EQ(reportOf("shop-10").finalizers.ready, 13u);
  EXPECT_EQ(reportOf("shop-10").finalizers.registered, 96u);
}

TEST(GcReport, FramesThatPinAreTold) {
  const GcReport report = reportOf("stacks-10");
  EXPECT_TRUE(std::ranges::any_of(report.pins, [](const engine::PinGroup& group) {
    return group.kind == "stack" && group.holder.starts_with("Stacks.");
  }));
}

TEST(GcReport, ACollectionOnItsWayIsTold) {
  const GcReport report = reportOf("storm-8-collecting");
  EXPECT_EQ(report.phase, CollectionPhase::Moving);
  EXPECT_EQ(report.phaseText, "Collection 1013, of gen0, was marking, moving or sweeping objects.");
  EXPECT_FALSE(report.trustText.empty());
  EXPECT_TRUE(
      std::ranges::any_of(report.coverage, [](const auto& of) { return of.unreadBytes > 0 && of.percent() < 100; }));
  EXPECT_EQ(report.figures.recorded.front().index, 1012u);
}

/// Where a structure of the GC lies that something points to.
engine::Address variableOf(const engine::Snapshot& snapshot, std::string_view name, std::uint32_t heap = 0) {
  const auto variables = engine::GcVariables::of(snapshot.contents().readers->runtime);
  const auto place = variables->placeOf(snapshot.contents().gc->isServer, heap, name);
  EXPECT_TRUE(place);
  return place.value_or(engine::Address{});
}

// As SOS's analyzeoom: the figures of a program that met a hard limit of 64 MB.
TEST(GcReport, FailedAllocationsAreSentences) {
  for (const char* dump : {"shop-8", "shop-10-server"}) {
    SCOPED_TRACE(dump);
    PatchedCore core(dump);
    const engine::Snapshot before = openSnapshot(core.path(), Stage::Objects);
    EXPECT_TRUE(reportOf(before).history.outOfMemory.empty());
    const std::uint32_t heap = before.contents().gc->isServer ? 3 : 0;
    const engine::Address record = variableOf(before, "OomInfo", heap);
    core.write(record, std::int32_t{2});
    core.write(record + 8, std::uint64_t{1'000'056});
    core.write(record + 32, std::uint64_t{17});
    const GcReport report = reportOf(openSnapshot(core.path(), Stage::Objects));
    ASSERT_EQ(report.history.outOfMemory.size(), 1u);
    EXPECT_EQ(describe(report.history.outOfMemory.front()),
              "Heap " + std::to_string(heap) +
                  ": an allocation of 977 KB failed after collection 17: memory could not be committed.");
    core.write(record + 40, std::int32_t{1});
    core.write(record + 48, std::uint64_t{4 << 20});
    core.write(record + 64, std::int32_t{1});
    const GcReport detailed = reportOf(openSnapshot(core.path(), Stage::Objects));
    EXPECT_TRUE(describe(detailed.history.outOfMemory.front())
                    .ends_with("; address space could not be reserved (4.00 MB), for large objects."));
  }
}

TEST(GcReport, CompactionsAddUpToThoseOfTheProcess) {
  for (const char* dump : {"shop-8", "shop-9", "shop-10", "storm-10-calm"}) {
    SCOPED_TRACE(dump);
    const GcReport report = reportOf(dump);
    std::uint64_t reasons = 0, compactions = 0;
    for (const engine::GcMechanismCount& count : report.history.mechanisms) {
      if (count.kind == "compaction") reasons += count.count;
      if (count.kind == "collections" && count.name == "compaction") compactions += count.count;
    }
    EXPECT_TRUE(report.history.hasMechanisms);
    EXPECT_EQ(reasons, compactions);
    EXPECT_LE(compactions, report.collectionCounts().front());
  }
  EXPECT_FALSE(reportOf("shop-10-segments").history.hasMechanisms);
}

// What has lost its shape, or has it twice, is not taken for anything.
TEST(GcReport, FiguresThatDoNotProveThemselvesAreNotKnown) {
  PatchedCore core("shop-10");
  const engine::Snapshot before = openSnapshot(core.path(), Stage::Objects);
  const engine::Address anchor = variableOf(before, "CurrentCGcState");
  ASSERT_FALSE(reportOf(before).figures.budgets.empty());
  constexpr std::uint64_t kReach = 256 << 10;
  for (const engine::AddressRange& part : before.contents().memory->present({anchor - kReach, anchor + kReach})) {
    for (engine::Address at{engine::alignUp(part.start.value, 8)}; at + 8 <= part.end; at += 8) {
      if (at - part.start < 2 * 168) continue;
      // References of budgets to the tuning data, neighbours to neighbours.
      const auto word = core.read<std::uint64_t>(at);
      if (word > 0x10000 && word == core.read<std::uint64_t>(at - 168) + 56 &&
          word == core.read<std::uint64_t>(at - 2 * 168) + 2 * 56)
        core.write(at, word + 8);
    }
  }
  const GcReport report = reportOf(openSnapshot(core.path(), Stage::Objects));
  EXPECT_TRUE(report.figures.budgets.empty());
  EXPECT_TRUE(report.figures.recorded.empty());
  EXPECT_FALSE(report.figures.plan);
  EXPECT_TRUE(report.collectionCounts().empty());
  EXPECT_EQ(report.budgetOf(0, Generation::Gen0), nullptr);
  EXPECT_TRUE(report.figures.limits);  // which proves itself alone
}

TEST(GcReport, CanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  const auto report = readGcReport(openedDump("shop-10"), stop.get_token());
  ASSERT_FALSE(report);
  EXPECT_TRUE(report.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
