// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "output/document.h"
#include "support/opened_snapshot.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;

const Finding kTruncated{FindingKind::DumpTruncated, {}, "The dump ends early."};
const Finding kMissing{FindingKind::MemoryMissing, Address{0x7f10}, "Memory is missing."};

nlohmann::json documentOf(const InputFacts& input, const FindingList& more = {}, const RunFigures* figures = nullptr) {
  return nlohmann::json::parse(written([&](Output& output) {
    JsonWriter json(output);
    beginDocument(json, "ty\"pes", input, more);
    json.member("own", 1u);
    endDocument(json, figures);
  }));
}

InputFacts factsWith(std::vector<Finding> findings, std::size_t leftOut = 0) {
  InputFacts facts;
  facts.isComplete = false;
  facts.findings = std::move(findings);
  facts.findingsLeftOut = leftOut;
  return facts;
}

FindingList listOf(const std::vector<Finding>& findings) {
  FindingList list;
  for (const Finding& finding : findings) list.add(finding.kind, finding.address, finding.message);
  return list;
}

TEST(Document, SaysWhatItIsAndThatItIsComplete) {
  const nlohmann::json json = documentOf({});
  EXPECT_EQ(json.at("schema"), "heapscape/1");
  EXPECT_EQ(json.at("verb"), "ty\"pes");
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(json.at("findings"), nlohmann::json::array());
  EXPECT_EQ(json.at("own"), 1);
  EXPECT_FALSE(json.contains("findingsLeftOut"));
  EXPECT_FALSE(json.contains("timings"));
}

TEST(Document, WhatIsMetWhileAskingMakesItIncomplete) {
  const nlohmann::json json = documentOf({}, listOf({kMissing}));
  EXPECT_EQ(json.at("complete"), false);
  ASSERT_EQ(json.at("findings").size(), 1u);
  EXPECT_EQ(json.at("findings").at(0).at("kind"), "memoryMissing");
  EXPECT_EQ(json.at("findings").at(0).at("address"), "0x7f10");
}

TEST(Document, WhatOpeningHasToldIsNotToldAgain) {
  const InputFacts input = factsWith({kTruncated, kMissing});
  EXPECT_EQ(documentOf(input, listOf({kMissing})).at("findings").size(), 2u);
  Finding elsewhere = kMissing;
  elsewhere.address = Address{0x7f18};
  EXPECT_EQ(documentOf(input, listOf({kMissing, elsewhere})).at("findings").size(), 3u);
  elsewhere = kMissing;
  elsewhere.kind = FindingKind::HeapDamaged;
  EXPECT_EQ(documentOf(input, listOf({elsewhere})).at("findings").size(), 3u);
}

TEST(Document, FindingsThatWereNotKeptAreCountedOnce) {
  FindingList many;
  for (std::uint64_t i = 0; many.leftOut() < 7; ++i) many.add(FindingKind::HeapDamaged, Address{i}, "Damaged.");
  const InputFacts told = factsWith(many.items(), many.leftOut());
  EXPECT_EQ(documentOf(told, many).at("findingsLeftOut"), 7) << "the same findings, met again";
  EXPECT_EQ(documentOf(factsWith({}, 3), many).at("findingsLeftOut"), 10) << "others";
  EXPECT_EQ(documentOf(factsWith({}, 3)).at("findingsLeftOut"), 3);
}

TEST(Document, FiguresOfTheRunStandAtItsEnd) {
  const RunFigures figures{.timings = {{"walk", 0.25}, {"names", 0}}, .indexBytes = UINT64_MAX, .peakBytes = 0};
  const nlohmann::json json = documentOf({}, {}, &figures);
  EXPECT_EQ(json.at("timings"), nlohmann::json({{"walk", 0.25}, {"names", 0.0}}));
  EXPECT_EQ(json.at("indexBytes").dump(), "18446744073709551615");
  EXPECT_EQ(json.at("peakBytes"), 0);
}

TEST(Document, FactsOfOneDumpAreTheDumps) {
  const Snapshot& snapshot = test::openedDump("shop-10");
  const Snapshot* one[] = {&snapshot};
  const InputFacts facts = factsOf(one);
  EXPECT_TRUE(facts.isComplete);
  EXPECT_TRUE(facts.note.empty());
  EXPECT_EQ(facts.indexBytes, snapshot.indexBytes());
  ASSERT_EQ(facts.timings.size(), snapshot.timings().size());
  EXPECT_EQ(facts.timings.front().stage, snapshot.timings().front().stage);
}

TEST(Document, OfSeveralDumpsItIsSaidWhoseAFindingIs) {
  const Snapshot& whole = test::openedDump("shop-10");
  const Snapshot triage = test::openSnapshot(HEAPSCAPE_TEST_DATA "/shop-10-triage.core.zst", Stage::Summary);
  const std::array<const Snapshot*, 3> dumps{&triage, &whole, &triage};
  const InputFacts facts = factsOf(dumps);
  ASSERT_FALSE(triage.isComplete());
  EXPECT_FALSE(facts.isComplete);
  const std::string& path = triage.summary().dump.path;
  EXPECT_EQ(facts.note,
            "something was missing or damaged in " + path + " and in " + path + ", see heapscape-cli info.");
  ASSERT_EQ(facts.findings.size(), 2 * triage.findings().size() + whole.findings().size());
  for (const Finding& finding : facts.findings) EXPECT_TRUE(finding.message.starts_with(path)) << finding.message;
  EXPECT_EQ(facts.timings.front().stage, triage.timings().front().stage + " 1");
  EXPECT_EQ(facts.timings.back().stage, triage.timings().back().stage + " 3");
  EXPECT_EQ(facts.indexBytes, whole.indexBytes()) << "one that was not walked has none";
}

}  // namespace
}  // namespace heapscape::engine
