// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "output/heap/gc_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

GcReport reportOf(std::uint32_t heaps) {
  GcReport report;
  report.heaps = {.active = heaps, .created = heaps};
  report.phaseText = "No collection was on its way.";
  return report;
}

std::string gcText(const GcReport& report, const RowSelection& rows = {}) {
  return written([&](Output& output) { writeGcText(output, report, rows); });
}

nlohmann::json gcJson(const GcReport& report, const RowSelection& rows = {}) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeGc(json, report, rows); })).at("gc");
}

bool tells(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// The cells of the line that begins so, with bars between them.
std::string cellsOf(const std::string& text, std::string_view first) {
  const std::size_t begin = text.find("\n" + std::string(first)) + 1;
  const std::string line = text.substr(begin, text.find('\n', begin) - begin);
  return std::regex_replace(line, std::regex(" {2,}"), "|");
}

GcReport withFigures() {
  GcReport report = reportOf(1);
  for (std::uint32_t generation = 0; generation < 5; ++generation) {
    GenerationBudget budget;
    budget.generation = generation;
    budget.collectionCount = 1'000 - generation;
    report.figures.budgets.push_back(budget);
  }
  report.figures.plan = CollectionPlan{.index = 42, .generation = 2, .reason = 1, .pauseMode = 1};
  report.figures.limits = GcMemoryLimits{.totalPhysicalBytes = 1ull << 30, .highLoadPercent = 90};
  return report;
}

TEST(GcText, WhatIsNotKnownIsSaidRatherThanShownAsNone) {
  const std::string text = gcText(reportOf(1));
  EXPECT_TRUE(text.starts_with("Workstation GC, segments, 1 heap\nNo collection was on its way.\n\nSettings\n"))
      << text;
  for (const char* sentence :
       {"Nothing was asked of the GC; all other settings are its defaults.\n",
        "The memory limits that it saw are not known.\n", "How many there were is not known.\n",
        "What the last one did is not known.\n", "Budgets and survival are not known.\n", "No allocation has failed.\n",
        "Nothing is pinned by a handle or a stack.\n", "0 finalizers due (0 B), 0 registered.\n"})
    EXPECT_TRUE(tells(text, sentence)) << sentence << text;
  const nlohmann::json json = gcJson(reportOf(1));
  EXPECT_TRUE(json.at("last").is_null());
  EXPECT_TRUE(json.at("settings").at("memory").is_null());
  EXPECT_TRUE(json.at("settings").at("latencyMode").is_null());
  EXPECT_EQ(json.at("collectionsHow"), "unknown");
}

TEST(GcText, HeadSaysWhichGcItIsAndWhatToTrust) {
  GcReport report = reportOf(4);
  report.isServer = report.hasRegions = true;
  report.library = "libclrgc.so";
  report.trustText = "Sizes may be off.";
  GenerationCoverage whole;
  whole.bytes = 100;
  GenerationCoverage partly;
  partly.generation = Generation::Gen2;
  partly.bytes = 1'000'000;
  partly.unreadBytes = 1;
  report.coverageByGeneration = {whole, partly};
  EXPECT_TRUE(
      gcText(report).starts_with("Server GC of libclrgc.so, regions, 4 heaps\n"
                                 "No collection was on its way.\n"
                                 "Sizes may be off.\n"
                                 "Of gen2 99.99% could be read as objects.\n"
                                 "\nSettings\n"))
      << gcText(report);
  const nlohmann::json json = gcJson(report);
  EXPECT_EQ(json.at("settings").at("library"), "libclrgc.so");
  EXPECT_EQ(json.at("phase").at("coverageByGeneration").at(1).at("percent"), 99.99);
}

TEST(GcText, FiguresOfTheGcAreReadOut) {
  const std::string text = gcText(withFigures());
  EXPECT_TRUE(tells(text, "\ngen0 1,000, gen1 999, gen2 998\n")) << text;
  EXPECT_TRUE(tells(text, "The last one that began was number 42, of gen2: induced.\n")) << text;
  EXPECT_EQ(cellsOf(text, "Latency mode"), "Latency mode|interactive|the GC");
  EXPECT_EQ(cellsOf(text, "Memory that it sees"), "Memory that it sees|1.00 GB|the GC");
  EXPECT_EQ(cellsOf(text, "Hard limit"), "Hard limit of the heap|none|the GC");
  EXPECT_EQ(cellsOf(text, "High memory load"), "High memory load from|90%|the GC");
  GcReport restricted = withFigures();
  restricted.figures.limits->isRestricted = true;
  restricted.figures.limits->hardLimitBytes = 512ull << 20;
  EXPECT_EQ(cellsOf(gcText(restricted), "Memory that it sees"), "Memory that it sees|1.00 GB (restricted)|the GC");
  EXPECT_EQ(cellsOf(gcText(restricted), "Hard limit"), "Hard limit of the heap|512 MB|the GC");
  EXPECT_EQ(gcJson(restricted).at("settings").at("memory").at("hardLimitBytes"), 512ull << 20);
  EXPECT_EQ(gcJson(restricted).at("last").at("begun").at("reason"), "induced");
}

TEST(GcText, SettingsThatAreNoNumbersAreContents) {
  GcReport report = reportOf(1);
  report.settings.settings = {
      {.name = "GCName", .value = "/home/alice/gc.so", .number = {}, .key = "DOTNET_GCName"},
      {.name = "GCHeapCount", .value = "0x4", .number = 4, .key = "DOTNET_GCHeapCount", .isOverruled = true}};
  EXPECT_TRUE(tells(gcText(report), "/home/alice/gc.so"));
  const std::string redacted = gcText(report, {.isRedacted = true});
  EXPECT_FALSE(tells(redacted, "alice")) << redacted;
  EXPECT_TRUE(tells(redacted, "(left out)")) << redacted;
  EXPECT_TRUE(tells(redacted, "0x4")) << redacted;
  EXPECT_TRUE(tells(redacted, "DOTNET_GCHeapCount (overruled)\n")) << redacted;
  EXPECT_FALSE(tells(gcJson(report, {.isRedacted = true}).dump(), "alice"));
}

TEST(GcText, ListsAreShortUnlessAskedForMore) {
  GcReport report = reportOf(1);
  GenerationGaps gaps;
  for (int i = 0; i < 9; ++i) {
    report.pins.push_back({.kind = "stack", .holder = {}, .typeName = "Pinned" + std::to_string(i), .example = {}});
    report.finalizers.types.push_back({"Final" + std::to_string(i), 1, 24});
    gaps.neighbours.push_back({.typeName = "Behind" + std::to_string(i), .methodTable = {}, .example = {}});
  }
  report.gaps = {gaps};
  report.finalizers.ready = 9;
  const auto shown = [&](const char* name, const RowSelection& rows) {
    const std::string text = gcText(report, rows);
    int count = 0;
    for (int i = 0; i < 9; ++i) count += tells(text, name + std::to_string(i)) ? 1 : 0;
    return count;
  };
  for (const char* name : {"Pinned", "Final", "Behind"}) {
    EXPECT_EQ(shown(name, {}), 5) << name;
    EXPECT_EQ(shown(name, {.limit = 7}), 7) << name;
    EXPECT_EQ(shown(name, {.limit = 0}), 0) << name;
  }
  EXPECT_TRUE(tells(gcText(report), "9 finalizers due (0 B), 0 registered.\n"));
  EXPECT_EQ(gcJson(report, {.limit = 7}).at("pins").size(), 7u);
  EXPECT_EQ(gcJson(report).at("pins").size(), 9u);
}

TEST(GcText, AllocationsThatFailedAreSentences) {
  GcReport report = reportOf(2);
  report.history.outOfMemory = {{.heap = 1, .reason = 1, .allocationBytes = 2'048, .gcIndex = 7}};
  const std::string text = gcText(report);
  EXPECT_TRUE(tells(text, "\nOut of memory\nHeap 1: an allocation of 2.00 KB failed after collection 7: ")) << text;
  EXPECT_FALSE(tells(text, "No allocation has failed."));
  EXPECT_EQ(gcJson(report).at("outOfMemory").size(), 1u);
}

}  // namespace
}  // namespace heapscape::engine
