// SPDX-License-Identifier: MIT
// How far dictionaries have come in a program that brought them there: tests/targets/lookups.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/types/generic_dictionary.h"
#include "session/snapshot/contents.h"
#include "session/types/type_details.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::DictionaryFigures;
using engine::DictionarySlot;
using engine::LookupSource;
using engine::SlotState;
using engine::TypeDetails;

TypeDetails detailsIn(const engine::Snapshot& snapshot, const std::string& name) {
  const auto type = engine::findType(snapshot, name);
  if (!type) throw std::runtime_error(type.error().message());
  auto details = engine::typeDetails(snapshot, *type);
  if (!details) throw std::runtime_error(details.error().message());
  return std::move(*details);
}

class GenericLookups : public testing::TestWithParam<std::string> {
 protected:
  static TypeDetails detailsOf(const std::string& name) {
    TypeDetails details = detailsIn(openedDump(GetParam()), name);
    EXPECT_TRUE(details.findings.empty()) << name;
    return details;
  }
};

INSTANTIATE_TEST_SUITE_P(OfLookups, GenericLookups, testing::Values("lookups-8", "lookups-10", "lookups-11"),
                         [](const auto& dump) { return testName(dump.param); });

std::string countsOf(const DictionaryFigures& figures) {
  return std::to_string(figures.used) + " used, " + std::to_string(figures.filled) + " filled, " +
         std::to_string(figures.empty) + " empty, " + std::to_string(figures.beyond) + " beyond, room for " +
         std::to_string(figures.room) + " of " + std::to_string(figures.layoutSlots);
}

const DictionarySlot& slotFor(const std::vector<DictionarySlot>& slots, const std::string& wanted) {
  const auto slot = std::ranges::find(slots, wanted, &DictionarySlot::wanted);
  if (slot == slots.end()) throw std::runtime_error("nothing looks up " + wanted);
  return *slot;
}

TEST_P(GenericLookups, EveryDictionaryTellsHowFarItHasCome) {
  EXPECT_EQ(countsOf(detailsOf("Lookups.Shelf<string>").dictionaryFigures),
            "3 used, 3 filled, 0 empty, 0 beyond, room for 4 of 4");
  EXPECT_EQ(countsOf(detailsOf("Lookups.Shelf<System.Version>").dictionaryFigures),
            "3 used, 1 filled, 2 empty, 0 beyond, room for 4 of 4");
  EXPECT_EQ(countsOf(detailsOf("Lookups.Shelf<object>").dictionaryFigures),
            "3 used, 0 filled, 3 empty, 0 beyond, room for 4 of 4");
  EXPECT_EQ(countsOf(detailsOf("Lookups.Rack<string>").dictionaryFigures),
            "9 used, 9 filled, 0 empty, 0 beyond, room for 16 of 16");
  EXPECT_EQ(countsOf(detailsOf("Lookups.Rack<System.Version>").dictionaryFigures),
            "9 used, 1 filled, 7 empty, 1 beyond, room for 8 of 16");
}

TEST_P(GenericLookups, ASlotSaysWhatIsLookedUpAndWhatItCostsNext) {
  const TypeDetails small = detailsOf("Lookups.Rack<System.Version>");
  const DictionarySlot& filled = slotFor(small.dictionary, "Lookups.Box<T>");
  EXPECT_EQ(filled.state, SlotState::Filled);
  EXPECT_EQ(filled.kind, "type");
  EXPECT_EQ(filled.meaning, "Lookups.Box<System.Version>");
  EXPECT_FALSE(filled.checksSize);
  const DictionarySlot& empty = slotFor(small.dictionary, "Lookups.Pot<T>");
  EXPECT_EQ(empty.state, SlotState::Empty);
  EXPECT_FALSE(empty.value);
  const DictionarySlot& beyond = slotFor(small.dictionary, "Lookups.Cup<T>");
  EXPECT_EQ(beyond.state, SlotState::Beyond);
  EXPECT_FALSE(beyond.address);
  EXPECT_TRUE(beyond.checksSize);
  EXPECT_EQ(small.dictionary[0].meaning, "T = System.Version");
  EXPECT_EQ(small.dictionary[1].state, SlotState::Size);
  EXPECT_EQ(slotFor(detailsOf("Lookups.Rack<string>").dictionary, "Lookups.Cup<T>").state, SlotState::Filled);
}

TEST_P(GenericLookups, ATypeThatKeepsAnOldDictionaryOfItsParentIsTold) {
  const TypeDetails early = detailsOf("Lookups.EarlyRack");
  ASSERT_EQ(early.inheritedLookups.size(), 1u);
  EXPECT_EQ(early.inheritedLookups[0].owner, "Lookups.Rack<System.String>");
  EXPECT_TRUE(early.inheritedLookups[0].isOutdated);
  EXPECT_EQ(early.inheritedLookups[0].room, 8u);
  EXPECT_EQ(early.inheritedLookups[0].used, 9u);
  // The runtime fills old dictionaries, too, as far as they reach.
  EXPECT_EQ(early.inheritedLookups[0].missed, 1u);
  for (const char* name : {"Lookups.UsedRack", "Lookups.LateRack"}) {
    const TypeDetails type = detailsOf(name);
    ASSERT_EQ(type.inheritedLookups.size(), 1u) << name;
    EXPECT_FALSE(type.inheritedLookups[0].isOutdated) << name;
    EXPECT_EQ(type.inheritedLookups[0].missed, 0u) << name;
  }
}

TEST_P(GenericLookups, PathsAreThoseThatTheCodeGoes) {
  const auto readsBy = [](const TypeDetails& type, LookupSource source) {
    const auto path = std::ranges::find(type.lookupPaths, source, &engine::LookupPath::source);
    return path == type.lookupPaths.end() ? 0u : path->reads();
  };
  const TypeDetails shelf = detailsOf("Lookups.Shelf<string>");
  EXPECT_EQ(readsBy(shelf, LookupSource::This), 4u);
  EXPECT_EQ(readsBy(shelf, LookupSource::MethodTable), 3u);
  for (const char* name : {"Lookups.Crate<string>", "Lookups.ILabel<string>"}) {
    const TypeDetails type = detailsOf(name);
    EXPECT_EQ(readsBy(type, LookupSource::This), 0u) << name;
    EXPECT_EQ(readsBy(type, LookupSource::MethodTable), 3u) << name;
  }
  EXPECT_EQ(readsBy(detailsOf("Lookups.Maker"), LookupSource::Method), 2u);
  EXPECT_TRUE(detailsOf("System.Version").lookupPaths.empty());
}

TEST_P(GenericLookups, GenericMethodsHaveDictionariesOfTheirOwn) {
  const TypeDetails maker = detailsOf("Lookups.Maker");
  const auto figuresOf = [&](const std::string& name) {
    const auto method = std::ranges::find(maker.methodLookups, name, &engine::MethodLookups::name);
    return method == maker.methodLookups.end() ? "no " + name : countsOf(method->figures);
  };
  EXPECT_EQ(figuresOf("Lookups.Maker.Make<System.String>()"), "1 used, 1 filled, 0 empty, 0 beyond, room for 4 of 4");
  EXPECT_EQ(figuresOf("Lookups.Maker.MakeAll<System.String>()"),
            "6 used, 6 filled, 0 empty, 0 beyond, room for 8 of 8");
  EXPECT_EQ(figuresOf("Lookups.Maker.MakeAll<System.__Canon>()"),
            "6 used, 0 filled, 4 empty, 2 beyond, room for 4 of 8");
}

// Open forms, arrays and canonical types too, which no object is of.
TEST_P(GenericLookups, NoTypeOfAHealthyDumpMakesAFinding) {
  const engine::Snapshot& snapshot = openedDump(GetParam());
  const engine::RuntimeReaders& readers = *snapshot.contents().readers;
  std::size_t generic = 0;
  for (const Address address : readers.loadedTypes.all()) {
    const auto type = engine::typeDetails(snapshot, address);
    if (!type) continue;
    for (const engine::Finding& finding : type->findings) ADD_FAILURE() << type->name << ": " << finding.message;
    generic += !type->dictionary.empty();
    const DictionaryFigures& figures = type->dictionaryFigures;
    EXPECT_EQ(figures.used, figures.filled + figures.empty + figures.beyond) << type->name;
    EXPECT_LE(figures.initialSlots, figures.layoutSlots) << type->name;
  }
  EXPECT_GT(generic, 100u);
}

TEST(DictionaryLayouts, AreFullWhereNoNumberIsLeftForASlot) {
  engine::DictionaryLayout layout;
  layout.slots = 32768;
  layout.lookups.resize(32767);
  EXPECT_FALSE(layout.isFull(1));
  layout.lookups.resize(32768);
  EXPECT_TRUE(layout.isFull(1));
  layout.slots = 4;
  layout.lookups.resize(4);
  EXPECT_FALSE(layout.isFull(1));
}

/// The same program's dump with a dictionary that was changed.
class DamagedLookups : public testing::Test {
 protected:
  static constexpr const char* kDump = "lookups-10";
  static PatchedCore& core() {
    static PatchedCore unpacked{kDump};
    return unpacked;
  }
  void TearDown() override { core().restore(); }
};

TEST_F(DamagedLookups, ALayoutOfNoSlotsIsAFinding) {
  const TypeDetails rack = detailsIn(openedDump(kDump), "Lookups.Rack<string>");
  core().write(rack.dictionaryFigures.layout, std::uint16_t{0});
  const TypeDetails details = detailsIn(openSnapshot(core().path(), engine::Stage::Objects), "Lookups.Rack<string>");
  EXPECT_FALSE(details.findings.empty());
  EXPECT_EQ(details.methods.size(), rack.methods.size());
}

TEST_F(DamagedLookups, ASizeThatIsNoneIsAFindingOfAllThatUseIt) {
  const TypeDetails early = detailsIn(openedDump(kDump), "Lookups.EarlyRack");
  const Address size = early.inheritedLookups.at(0).dictionary + 8;
  core().write(size, std::uint32_t{0xfffffff1});
  const TypeDetails details = detailsIn(openSnapshot(core().path(), engine::Stage::Objects), "Lookups.EarlyRack");
  EXPECT_FALSE(details.findings.empty());
  EXPECT_TRUE(details.inheritedLookups.empty());
}

TEST_F(DamagedLookups, ASignatureThatIsNoneLeavesTheSlotWithoutWords) {
  const TypeDetails rack = detailsIn(openedDump(kDump), "Lookups.Rack<string>");
  core().write(rack.dictionaryFigures.layout + 8, std::uint64_t{0x10});
  const TypeDetails details = detailsIn(openSnapshot(core().path(), engine::Stage::Objects), "Lookups.Rack<string>");
  EXPECT_EQ(details.dictionary.at(2).wanted, "");
  EXPECT_EQ(details.dictionary.at(2).meaning, "Lookups.Box<System.String>");
  EXPECT_EQ(details.dictionary.at(3).wanted, "Lookups.Can<T>");
}

}  // namespace
}  // namespace heapscape::test
