// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "insight/insight.h"
#include "session/layouts/layout_query.h"
#include "session/layouts/waste_query.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

Waste measured(const Snapshot& snapshot, ProgressSink* progress = nullptr) {
  const auto layouts = DeclaredLayouts::ofDump(snapshot);
  if (!layouts) throw std::runtime_error(layouts.error().message());
  auto waste = wasteOf(snapshot, *layouts, progress, {});
  if (!waste) throw std::runtime_error("the waste was not measured");
  return std::move(*waste);
}

const WasteRow* findRow(const Waste& waste, std::string_view type) {
  const auto row = std::ranges::find(waste.rows, type, &WasteRow::type);
  return row == waste.rows.end() ? nullptr : &*row;
}

/// Counts as if nobody had thought about it: each object by itself, each byte by itself.
class NaiveWaste {
 public:
  struct Counts {
    std::uint64_t objects = 0, elements = 0, nested = 0, derived = 0, padding = 0, ownPadding = 0;
    bool operator==(const Counts&) const = default;
  };

  explicit NaiveWaste(const Snapshot& snapshot) : m_snapshot(snapshot) {
    forEachObject(snapshot, {}, [this](const ObjectRow& row) { return add(row), true; });
  }

  std::map<Address, Counts> types;
  std::uint64_t arrayEndBytes = 0;

 private:
  void add(const ObjectRow& row) {
    const TypeRow& type = m_snapshot.types()[row.type.value];
    if (type.isFree) return;
    const TypeLayout& layout = layoutOf(type.methodTable);
    if (type.componentSize) {
      // Read anew: an empty string is said to be 24 bytes long, as the smallest object, but uses 22 of them.
      std::uint32_t length = 0;
      m_snapshot.contents().memory->tryRead(row.address + 8, length);
      arrayEndBytes += row.alignedBytes - type.baseSize - std::uint64_t{length} * type.componentSize;
    }
    if (layout.kind == TypeKind::Array && !layout.elementLayout.empty()) {
      const std::uint64_t length = (row.sizeBytes - type.baseSize) / type.componentSize;
      for (std::uint64_t i = 0; i < length; ++i) {
        ++types[layout.elementLayout.front().methodTable].elements;
        addBytes(layout.elementLayout.front());
      }
    } else if (layout.kind != TypeKind::Array && layout.kind != TypeKind::String) {
      ++types[layout.methodTable].objects;
      for (const InheritanceLevel& level : layout.levels) {
        if (level.methodTable != layout.methodTable) ++types[level.methodTable].derived;
      }
      addBytes(layout);
    }
  }

  void addBytes(const TypeLayout& layout) {
    countFields(layout.fields);
    std::vector<bool> isUsed(layout.fieldsBytes);
    markUsed(layout.fields, 0, isUsed);
    for (std::uint32_t i = 0; i < layout.fieldsBytes; ++i) {
      if (isUsed[i]) continue;
      ++types[layout.methodTable].padding;
      ++types[ownerOf(layout.fields, i, layout.methodTable)].ownPadding;
    }
  }

  void countFields(const std::vector<LayoutField>& fields) {
    for (const LayoutField& field : fields) {
      for (std::uint32_t i = 0; field.methodTable && field.kind == FieldKind::ValueType && i < field.repeat; ++i) {
        ++types[field.methodTable].nested;
        countFields(field.nested);
      }
    }
  }

  static void markUsed(const std::vector<LayoutField>& fields, std::uint32_t shift, std::vector<bool>& isUsed) {
    for (const LayoutField& field : fields) {
      for (std::uint32_t i = 0; i < field.repeat; ++i) {
        const std::uint32_t more = shift + i * field.sizeBytes;
        if (!field.nested.empty()) markUsed(field.nested, more, isUsed);
        for (std::uint32_t at = 0; field.nested.empty() && at < field.sizeBytes; ++at)
          isUsed[more + field.offset + at] = true;
      }
    }
  }

  Address ownerOf(const std::vector<LayoutField>& fields, std::uint32_t offset, Address outer) {
    for (const LayoutField& field : fields) {
      if (field.nested.empty() || offset < field.offset || offset >= field.offset + field.sizeBytes * field.repeat)
        continue;
      ++types[field.methodTable].padding;
      const std::uint32_t element = (offset - field.offset) / field.sizeBytes;
      return ownerOf(field.nested, offset - element * field.sizeBytes, field.methodTable);
    }
    return outer;
  }

  const TypeLayout& layoutOf(Address methodTable) {
    const auto known = m_layouts.find(methodTable);
    if (known != m_layouts.end()) return known->second;
    return m_layouts.emplace(methodTable, engine::layoutOf(m_snapshot, methodTable).value()).first->second;
  }

  const Snapshot& m_snapshot;
  std::map<Address, TypeLayout> m_layouts;
};

NaiveWaste::Counts countsOf(const WasteRow& row) {
  return {row.count, row.elements, row.nested, row.derived, row.paddingBytes, row.ownPaddingBytes};
}

TEST(Waste, CountsEveryPlaceAndPaddingOfAType) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"));
  const Waste waste = measured(snapshot);
  const NaiveWaste naive(snapshot);
  std::map<Address, NaiveWaste::Counts> found;
  for (const WasteRow& row : waste.rows) {
    found[row.methodTable] = countsOf(row);
    const auto expected = naive.types.find(row.methodTable);
    ASSERT_NE(expected, naive.types.end()) << row.type;
    EXPECT_EQ(countsOf(row), expected->second) << row.type;
  }
  for (const auto& [methodTable, counts] : naive.types) {
    if (counts.padding) {
      EXPECT_TRUE(found.contains(methodTable)) << toString(methodTable);
    }
  }
  EXPECT_EQ(waste.arrayEndBytes, naive.arrayEndBytes);
  EXPECT_GT(waste.rows.size(), 100u);
}

class WasteOfShop : public testing::TestWithParam<std::string> {};

TEST_P(WasteOfShop, AddsUpToThePaddingOfTheHeap) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()));
  const Waste waste = measured(snapshot);
  std::uint64_t own = 0;
  for (const WasteRow& row : waste.rows) own += row.ownPaddingBytes;
  const auto& paddings = snapshot.typePaddingBytes();
  EXPECT_EQ(own + waste.roundingBytes, waste.paddingBytes);
  EXPECT_EQ(waste.paddingBytes, std::accumulate(paddings.begin(), paddings.end(), std::uint64_t{0}));
  EXPECT_EQ(waste.heapBytes, snapshot.totals().bytes - snapshot.totals().freeBytes);
  EXPECT_EQ(waste.typesNotComputed, 0u);
  EXPECT_GT(own, 0u);
}

TEST_P(WasteOfShop, TheBestIsNeverWorseThanAnAttributeAlone) {
  const Waste waste = measured(openSnapshot(dumpPath(GetParam())));
  std::map<std::string, std::array<std::int64_t, 3>> byDefinition;  // closed types of a generic one share a declaration
  for (const WasteRow& row : waste.rows) {
    EXPECT_EQ(row.means == AdviceKind::NothingToGain, row.order.empty()) << row.type;
    if (row.means == AdviceKind::NothingToGain) {
      EXPECT_EQ(row.savedByBest, 0) << row.type;
    }
    auto& saved = byDefinition[row.assembly + row.type.substr(0, row.type.find('<'))];
    saved[0] += row.savedByBest;
    saved[1] += row.savedByAuto;
    saved[2] += row.savedBySequential;
  }
  for (const auto& [definition, saved] : byDefinition) EXPECT_GE(saved[0], 0) << definition;
  EXPECT_GE(waste.savedByAllBest, 0);
  EXPECT_TRUE(std::ranges::is_sorted(waste.rows, std::greater(), &WasteRow::savedByBest));
}

TEST_P(WasteOfShop, GroupsHoldEveryRowOnce) {
  const Waste waste = measured(openSnapshot(dumpPath(GetParam())));
  for (const WasteGrouping grouping : {WasteGrouping::Namespace, WasteGrouping::Assembly}) {
    std::uint64_t types = 0, padding = 0;
    std::int64_t saved = 0;
    for (const WasteGroup& group : groupWaste(waste, grouping)) {
      types += group.types;
      padding += group.ownPaddingBytes;
      saved += group.savedByBest;
    }
    EXPECT_EQ(types, waste.rows.size());
    EXPECT_EQ(padding + waste.roundingBytes, waste.paddingBytes);
    std::int64_t expected = 0;
    for (const WasteRow& row : waste.rows) expected += row.savedByBest;
    EXPECT_EQ(saved, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Shops, WasteOfShop, testing::Values("shop-8", "shop-9-segments", "shop-10-server"),
                         [](const auto& info) { return testName(info.param); });

/// What the objects of the sample's own types take up, and arrays and collections of them: all that another declaration
/// can change.
std::map<std::string, std::int64_t> bytesOfSample(const Snapshot& snapshot) {
  std::map<std::string, std::int64_t> bytes;
  for (std::uint32_t i = 0; i < snapshot.types().size(); ++i) {
    const std::string& name = snapshot.types()[i].name;
    if (name.find("Weather.") != std::string::npos)
      bytes[name] += static_cast<std::int64_t>(snapshot.typeCounts().bytes[i]);
  }
  return bytes;
}

std::int64_t shrinkage(const std::map<std::string, std::int64_t>& before,
                       const std::map<std::string, std::int64_t>& after, std::string_view part) {
  std::int64_t saved = 0;
  for (const auto& [name, bytes] : before) {
    if (name.find(part) != std::string::npos) saved += bytes - after.at(name);
  }
  return saved;
}

TEST(Waste, SavesWhatItPromises) {
  const Snapshot asIs = openSnapshot(dumpPath("waste/plain-10"));
  const auto before = bytesOfSample(asIs);
  const auto after = bytesOfSample(openSnapshot(dumpPath("waste/best-10")));
  ASSERT_EQ(before.size(), after.size());
  const Waste waste = measured(asIs);
  EXPECT_EQ(waste.savedByAllBest, shrinkage(before, after, "Weather."));
  EXPECT_GT(waste.savedByAllBest, 10'000);
  // Nothing else changes the size of these, so their own rows have to be right, too.
  for (const char* type : {"Weather.Numbers", "Weather.Packed", "Weather.Area", "Weather.Circle"}) {
    const char* declared = std::string_view(type) == "Weather.Circle" ? "Weather.Shape" : type;
    const WasteRow* row = findRow(waste, declared);
    ASSERT_TRUE(row) << declared;
    EXPECT_EQ(row->savedByBest, shrinkage(before, after, type)) << type;
    EXPECT_GT(row->savedByBest, 0) << type;
  }
}

TEST(Waste, TheRebuiltSampleHasNothingMoreToSave) {
  const Waste waste = measured(openSnapshot(dumpPath("waste/best-10")));
  EXPECT_EQ(waste.savedByAllBest, 0);
}

TEST(Waste, OneDeclarationServesAllClosedTypes) {
  const Waste waste = measured(openSnapshot(dumpPath("waste/plain-10")));
  std::size_t slots = 0;
  for (const WasteRow& row : waste.rows) {
    if (!row.type.starts_with("Weather.Slot<")) continue;
    ++slots;
    EXPECT_EQ(row.means, AdviceKind::AutoAttribute) << row.type;
  }
  EXPECT_EQ(slots, 4u);
}

TEST(Waste, TellsTheFrameworksTypesApart) {
  const Waste waste = measured(openSnapshot(dumpPath("waste/plain-10")));
  for (const WasteRow& row : waste.rows)
    EXPECT_EQ(row.owner == CodeOwner::Framework,
              row.assembly.starts_with("System.") || row.assembly.starts_with("Microsoft."))
        << row.type;
  EXPECT_EQ(findRow(waste, "Weather.Reading")->owner, CodeOwner::Own);
}

TEST(Waste, MeasuresWhatIsThereOfADumpWithoutMetadata) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10-gcore"));
  const Waste waste = measured(snapshot);
  const auto& paddings = snapshot.typePaddingBytes();
  EXPECT_EQ(waste.paddingBytes, std::accumulate(paddings.begin(), paddings.end(), std::uint64_t{0}));
  EXPECT_EQ(waste.heapBytes, snapshot.totals().bytes - snapshot.totals().freeBytes);
}

TEST(Waste, OfADumpWithoutAHeapIsNothing) {
  const auto opened =
      openDump(dumpPath("shop-10-triage"), {.stopAfter = Stage::Summary, .searchFolders = {}}, nullptr, {});
  if (!opened) GTEST_SKIP() << messageOf(opened);
  const Waste waste = measured(*opened);
  EXPECT_TRUE(waste.rows.empty());
  EXPECT_EQ(waste.heapBytes, 0u);
}

class WasteOfDump : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Waste, WasteOfDump, testing::Values("shop-8", "shop-10", "shop-11", "library-9", "flaws-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(WasteOfDump, TellsWhatToWinBackWithoutTheRest) {
  const Snapshot& snapshot = openedDump(GetParam());
  const auto layouts = DeclaredLayouts::ofDump(snapshot);
  ASSERT_TRUE(layouts);
  const auto rows = wasteToWinBack(snapshot, *layouts, {});
  ASSERT_TRUE(rows);
  Waste all = measured(snapshot);
  std::erase_if(all.rows, [](const WasteRow& row) {
    return row.owner == CodeOwner::Framework || (row.savedByBest <= 0 && row.separation.empty());
  });
  const auto textOf = [](const WasteRow& row) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {}", row.type, row.methodTable.value, row.savedByBest, row.bestBytes,
                       toString(row.means), fmt::join(row.order, ","), row.separation, row.paddingBytes,
                       row.holders.size(), row.count + row.elements + row.nested + row.derived);
  };
  std::vector<std::string> expected, found;
  std::ranges::transform(all.rows, std::back_inserter(expected), textOf);
  std::ranges::transform(*rows, std::back_inserter(found), textOf);
  EXPECT_EQ(found, expected);
}

TEST_P(WasteOfDump, FindsTheLargestWithoutTheRest) {
  constexpr std::size_t kRows = 7, kOwn = 3;
  const Snapshot& snapshot = openedDump(GetParam());
  const auto layouts = DeclaredLayouts::ofDump(snapshot);
  ASSERT_TRUE(layouts);
  const auto largest = largestWaste(snapshot, *layouts, kRows, kOwn, nullptr, {});
  ASSERT_TRUE(largest);
  Waste all = measured(snapshot);
  std::erase_if(all.rows, [](const WasteRow& row) { return row.paddingBytes == 0 && row.savedByBest <= 0; });
  EXPECT_EQ(largest->rowsInAll, all.rows.size());
  EXPECT_EQ(largest->paddingBytes, all.paddingBytes);
  EXPECT_EQ(largest->heapBytes, all.heapBytes);
  EXPECT_EQ(largest->savedByAllBest, all.savedByAllBest);

  const auto isOwn = [](const WasteRow& row) { return row.owner != CodeOwner::Framework && row.paddingBytes; };
  const auto ownOf = [&](const std::vector<WasteRow>& rows) {
    return static_cast<std::size_t>(std::ranges::count_if(rows, isOwn));
  };
  ASSERT_LE(largest->rows.size(), all.rows.size());
  EXPECT_GE(largest->rows.size(), std::min(kRows, all.rows.size()));
  EXPECT_GE(ownOf(largest->rows), std::min(kOwn, ownOf(all.rows)));
  const auto textOf = [](const WasteRow& row) {
    return fmt::format("{} {} {} {} {} {} {} {}", row.type, row.methodTable.value, row.savedByBest, row.bestBytes,
                       toString(row.means), fmt::join(row.order, ","), row.separation, row.paddingBytes);
  };
  for (std::size_t i = 0; i < largest->rows.size(); ++i) EXPECT_EQ(textOf(largest->rows[i]), textOf(all.rows[i])) << i;
}

TEST(Waste, ReportsItsProgressAndCanBeStopped) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"));
  RecordingListener listener;
  measured(snapshot, &listener);
  ASSERT_GT(listener.reports.size(), 3u);
  EXPECT_TRUE(std::ranges::is_sorted(listener.reports, {}, &Progress::fraction));
  EXPECT_DOUBLE_EQ(listener.reports.back().fraction, 1);

  std::stop_source source;
  source.request_stop();
  const auto layouts = DeclaredLayouts::ofDump(snapshot);
  ASSERT_TRUE(layouts);
  const auto stopped = wasteOf(snapshot, *layouts, nullptr, source.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().isCancelled());
}

/// Weather.Sample, renamed in the metadata that the dump holds.
class PaddedDump {
 public:
  PaddedDump() {
    constexpr std::string_view kName{"\0Sample\0", 8};
    constexpr std::string_view kNewName{"\0Padded\0", 8};
    const auto file = m_core.readAt(0, m_core.sizeBytes());
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    for (std::size_t at = text.find(kName); at != std::string_view::npos; at = text.find(kName, at + 1))
      m_core.writeAt(at, std::as_bytes(std::span(kNewName)));
  }
  Snapshot open(Stage stage) const { return openSnapshot(m_core.path(), stage); }

 private:
  PatchedCore m_core{"waste/plain-10"};
};

TEST(Waste, LeavesOutWhatIsSeparatedOnPurpose) {
  const Waste before = measured(openSnapshot(dumpPath("waste/plain-10")));
  const WasteRow* sample = findRow(before, "Weather.Sample");
  ASSERT_TRUE(sample);
  EXPECT_GT(sample->savedByBest, 0);
  EXPECT_EQ(before.separatedBytes, 0u);

  const PaddedDump dump;
  const Waste waste = measured(dump.open(Stage::Layouts));
  const WasteRow* padded = findRow(waste, "Weather.Padded");
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->separation, "Separated on purpose, for processors' caches: its name says so.");
  EXPECT_EQ(padded->means, AdviceKind::NothingToGain);
  EXPECT_EQ(padded->savedByBest, 0);
  EXPECT_EQ(padded->savedByAuto, 0);
  EXPECT_EQ(padded->ownPaddingBytes, sample->ownPaddingBytes);
  EXPECT_EQ(waste.separatedBytes, sample->ownPaddingBytes);
  EXPECT_EQ(waste.paddingBytes, before.paddingBytes);
  EXPECT_LT(waste.savedByAllBest, before.savedByAllBest);
}

TEST(Waste, TellsOfWhatIsSeparatedAsHeldAndInNoSum) {
  const PaddedDump dump;
  const auto list =
      findInsights(dump.open(Stage::Retained), {.minimumBytes = 1, .kinds = {InsightKind::PaddingWaste}}, nullptr, {});
  ASSERT_TRUE(list);
  const auto padded = std::ranges::find(list->insights, "Weather.Padded", &Insight::subject);
  ASSERT_NE(padded, list->insights.end());
  EXPECT_EQ(padded->meaning, InsightMeaning::Held);
  EXPECT_TRUE(padded->advice.starts_with("Separated on purpose, for processors' caches: ")) << padded->advice;
  std::uint64_t waste = 0;
  for (const Insight& insight : list->insights) {
    if (insight.meaning == InsightMeaning::Waste) waste += insight.bytes - insight.sharedBytes;
  }
  EXPECT_EQ(list->wasteBytes, waste);
}

}  // namespace
}  // namespace heapscape::engine
