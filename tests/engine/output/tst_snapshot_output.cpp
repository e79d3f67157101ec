// SPDX-License-Identifier: MIT
// What a dump is: the runtime, the process, and what could not be read.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "output/heap/snapshot_output.h"
#include "session/open/missing_files.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

Contents contentsOfShop() {
  return test::openedDump("shop-10").contents();
}

Snapshot snapshotOf(Contents contents) {
  return Snapshot(std::make_shared<const Contents>(std::move(contents)));
}

std::string infoText(Contents contents) {
  return written([snapshot = snapshotOf(std::move(contents))](Output& output) {
    writeInfoText(output, snapshot, readCrash(snapshot, {}).value(), false);
  });
}

nlohmann::json infoJson(Contents contents) {
  const Snapshot snapshot = snapshotOf(std::move(contents));
  return nlohmann::json::parse(
             writtenJson([&](JsonWriter& json) { writeInfo(json, snapshot, readCrash(snapshot, {}).value(), false); }))
      .at("info");
}

bool holdsLine(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

std::size_t linesBeginning(const std::string& text, const std::string& start) {
  std::size_t count = 0;
  for (std::size_t at = ("\n" + text).find("\n" + start); at != std::string::npos;
       at = ("\n" + text).find("\n" + start, at + 1))
    ++count;
  return count;
}

TEST(InfoJson, TotalsAreThoseOfClrMd) {
  const nlohmann::json info = infoJson(contentsOfShop());
  const Snapshot& snapshot = test::openedDump("shop-10");
  std::uint64_t objects = 0;
  for (const std::uint64_t count : snapshot.typeCounts().count) objects += count;
  EXPECT_EQ(info.at("objects"), objects);
  EXPECT_EQ(info.at("runtime").at("version"), "10.0.12");
  EXPECT_EQ(info.at("runtime").at("gc"), "workstation");
  EXPECT_EQ(info.at("coverage"), 1.0);
  EXPECT_FALSE(info.at("dump").contains("nameInArchive"));
}

TEST(InfoJson, BeforeTheObjectsAreReadThereAreNoTotals) {
  Contents contents = contentsOfShop();
  contents.stage = Stage::Segments;
  const nlohmann::json info = infoJson(contents);
  for (const char* member : {"objects", "bytes", "freeObjects", "freeBytes", "coverage"})
    EXPECT_FALSE(info.contains(member)) << member;
  const std::string text = infoText(contents);
  EXPECT_EQ(linesBeginning(text, "Objects"), 0u) << text;
  EXPECT_EQ(linesBeginning(text, "Free"), 0u) << text;
}

TEST(InfoJson, TextOfTheProcessIsEscaped) {
  Contents contents = contentsOfShop();
  contents.summary.dump.command = "shop \"a b\"\n\x1b[31m";
  contents.summary.missing = {{"No \"names\".", "Give\tthem."}};
  const nlohmann::json info = infoJson(contents);
  EXPECT_EQ(info.at("dump").at("command"), "shop \"a b\"\n\x1b[31m");
  EXPECT_EQ(info.at("missing"), nlohmann::json({{{"what", "No \"names\"."}, {"help", "Give\tthem."}}}));
  const std::string text = infoText(contents);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
}

TEST(InfoText, SaysWhichGcItWasAndWhetherItWasBusy) {
  Contents contents = contentsOfShop();
  RuntimeSummary& runtime = contents.summary.runtime;
  runtime.isServerGc = false;
  runtime.hasRegions = true;
  runtime.gcInProgress = false;
  EXPECT_TRUE(holdsLine(infoText(contents), "GC         workstation, regions, 1 heap")) << infoText(contents);
  runtime.isServerGc = true;
  runtime.hasRegions = false;
  runtime.gcInProgress = true;
  EXPECT_TRUE(holdsLine(infoText(contents),
                        "GC         server, segments, 1 heap; the dump was taken in the middle of a collection"))
      << infoText(contents);
}

TEST(InfoText, SaysProcessorAndCLibrary) {
  Contents contents = contentsOfShop();
  RuntimeSummary& runtime = contents.summary.runtime;
  runtime.version = "10.0.12";
  runtime.architecture = "x64";
  runtime.cLibrary = CLibrary::Musl;
  EXPECT_TRUE(holdsLine(infoText(contents), "Runtime    .NET 10.0.12, x64, musl")) << infoText(contents);
  runtime.cLibrary = std::nullopt;
  EXPECT_TRUE(holdsLine(infoText(contents), "Runtime    .NET 10.0.12, x64")) << infoText(contents);
}

TEST(InfoText, SaysWhereOffsetsAndGlobalsComeFrom) {
  Contents contents = contentsOfShop();
  RuntimeSummary& runtime = contents.summary.runtime;
  runtime.contractVersion = "10.0";
  runtime.contractVerifiedOn = {"10.0.0", "10.0.12"};
  runtime.contractVerified = false;
  runtime.buildId.clear();
  const std::map<ContractSource, std::string> sources{
      {ContractSource::Dump, "           described by the dump itself"},
      {ContractSource::File, "           described by its libcoreclr.so on this disk"},
      {ContractSource::Shipped, "           described by a file that comes with Heapscape"}};
  for (const auto& [source, line] : sources) {
    runtime.contract = source;
    EXPECT_TRUE(holdsLine(infoText(contents), line)) << infoText(contents);
  }
  EXPECT_TRUE(holdsLine(infoText(contents),
                        "           offsets of .NET 10.0, verified on 10.0.0, 10.0.12, not verified on this build"));
  runtime.contractVerified = true;
  EXPECT_TRUE(holdsLine(infoText(contents), "           offsets of .NET 10.0, verified on this build"));
  EXPECT_EQ(linesBeginning(infoText(contents), "Build id"), 0u);
  runtime.globals = GlobalsSource::Dump;
  EXPECT_EQ(infoText(contents).find("table of globals"), std::string::npos);
  runtime.globals = GlobalsSource::Shape;
  EXPECT_TRUE(holdsLine(infoText(contents), "           its table of globals read from its structure, no symbols"));
  runtime.globals = GlobalsSource::File;
  EXPECT_NE(infoText(contents).find("by the symbols of its file on this disk"), std::string::npos);
}

TEST(InfoText, EveryKindOfDumpHasAName) {
  Contents contents = contentsOfShop();
  contents.summary.dump.fileBytes = 0;
  contents.summary.dump.isCompressed = false;
  const std::map<DumpKind, std::string> kinds{{DumpKind::Heap, "heap dump"},
                                              {DumpKind::Full, "full dump"},
                                              {DumpKind::Mini, "mini dump"},
                                              {DumpKind::Triage, "triage dump"},
                                              {DumpKind::Gcore, "core file of gcore"},
                                              {DumpKind::Kernel, "core file of the kernel"},
                                              {DumpKind::Unknown, "dump, not known by which program"}};
  for (const auto& [kind, name] : kinds) {
    contents.summary.dump.kind = kind;
    EXPECT_TRUE(holdsLine(infoText(contents), "Dump       " + name + ", 0 B")) << infoText(contents);
  }
  contents.summary.dump.isCompressed = true;
  contents.summary.dump.fileBytes = UINT64_MAX;
  EXPECT_TRUE(holdsLine(infoText(contents), "Dump       dump, not known by which program, 16.0 EB decompressed"));
}

TEST(InfoText, ThreadsOfTheProcessAreCounted) {
  Contents contents = contentsOfShop();
  contents.summary.dump.pid = UINT32_MAX;
  contents.summary.dump.threads = 1;
  contents.summary.dump.command = "";
  EXPECT_TRUE(holdsLine(infoText(contents), "Process    4294967295, 1 thread, ")) << infoText(contents);
}

TEST(InfoText, OfManyModulesWithoutNamesFiveAreNamed) {
  Contents contents = contentsOfShop();
  contents.summary.missing.clear();
  for (int i = 0; i < 5; ++i) {
    MissingMetadata missing{};
    missing.name = "Lib" + std::to_string(i) + ".dll";
    contents.summary.missing.push_back(describe(missing));
  }
  contents.summary.missing.push_back({"No stacks.", "Take a full dump."});
  ASSERT_TRUE(isMissingMetadata(contents.summary.missing[0]));
  EXPECT_EQ(linesBeginning(infoText(contents), "Missing"), 6u) << infoText(contents);
  contents.summary.missing.push_back(contents.summary.missing[0]);
  EXPECT_TRUE(holdsLine(infoText(contents), "Missing    Names of 1 more module, see --json.")) << infoText(contents);
  contents.summary.missing.push_back(contents.summary.missing[0]);
  const std::string text = infoText(contents);
  EXPECT_TRUE(holdsLine(text, "Missing    Names of 2 more modules, see --json.")) << text;
  EXPECT_TRUE(holdsLine(text, "Missing    No stacks. Take a full dump.")) << text;
  EXPECT_EQ(infoJson(contents).at("missing").size(), 8u) << "programs get all";
}

TEST(InfoText, TenFindingsAreShownAndTheOthersCounted) {
  Contents contents = contentsOfShop();
  contents.findings = {};
  EXPECT_EQ(linesBeginning(infoText(contents), "Finding"), 0u);
  for (std::uint64_t i = 0; i < 10; ++i)
    contents.findings.add(FindingKind::HeapDamaged, Address{0x10 * i}, "Torn\n" + std::to_string(i));
  const std::string ten = infoText(contents);
  EXPECT_EQ(linesBeginning(ten, "Finding"), 10u) << ten;
  EXPECT_TRUE(holdsLine(ten, "Finding    heapDamaged: Torn\\n0")) << "no address is not told\n" << ten;
  EXPECT_TRUE(holdsLine(ten, "Finding    heapDamaged at 0x90: Torn\\n9")) << ten;
  EXPECT_EQ(ten.find("more finding"), std::string::npos);
  contents.findings.add(FindingKind::GcInProgress, {}, "eleventh");
  EXPECT_TRUE(holdsLine(infoText(contents), "           1 more finding, see --json"));
}

}  // namespace
}  // namespace heapscape::engine
