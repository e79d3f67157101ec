// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <set>

#include "insight/insight_record.h"
#include "reopened_dump.h"
#include "session/cache/cached_retention.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// A dump with all that is kept of it, and what it is kept as.
class DamagedCache : public testing::Test {
 protected:
  static constexpr Hash128 kDigest{3, 4};
  using Sections = std::vector<std::vector<std::byte>>;

  DamagedCache() : m_opened(reopen(dumpPath("flaws-10"), m_folder.cache())) { m_opened.keep(); }

  const Contents& contents() const { return m_opened.snapshot.contents(); }
  std::uint32_t objectCount() const { return contents().heap->index.objectCount(); }
  std::uint32_t rootCount() const {
    return static_cast<std::uint32_t>(contents().retention->roots.groups.size() +
                                      contents().retention->roots.roots.size());
  }

  static Sections copyOf(const CacheContents& contents) {
    Sections sections;
    for (const Bytes& section : contents.sections) sections.emplace_back(section.begin(), section.end());
    return sections;
  }

  /// A file with hashes that are right, whatever is in it.
  std::shared_ptr<const CacheFile> fileOf(const Sections& sections) const {
    const std::vector<Bytes> bytes(sections.begin(), sections.end());
    const auto path = m_files / "changed.kept";
    EXPECT_TRUE(writeCacheFile(path, kDigest, bytes, {}));
    return CacheFile::open(path, kDigest);
  }
  bool isRead(const Sections& sections) const {
    return readRetention(fileOf(sections), objectCount(), rootCount(), {}).has_value();
  }

  const KeepingFolder m_folder;
  const TemporaryFolder m_files;
  const ReopenedDump m_opened;
};

TEST_F(DamagedCache, IsFoundAnewWhateverHappenedToAFile) {
  const auto path = dumpPath("flaws-10");
  const std::string fresh = reopen(path, nullptr).answers;
  std::mt19937 random(7);
  for (const char* part : {".retained", ".types", ".insights"}) {
    const auto file = m_folder.fileOf(part);
    std::string whole;
    {
      std::ifstream stream(file, std::ios::binary);
      whole.assign(std::istreambuf_iterator<char>(stream), {});
    }
    for (int i = 0; i < 6; ++i) {
      std::string damaged = whole;
      if (i < 4) {
        const std::size_t place = i < 2 ? random() % 300 : random() % whole.size();
        for (std::size_t at = place; at < std::min(place + 5000, whole.size()); ++at)
          damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      } else {
        damaged.resize(i == 4 ? whole.size() / 3 : 0);
      }
      std::ofstream(file, std::ios::binary) << damaged;
      const ReopenedDump again = reopen(path, m_folder.cache());
      EXPECT_EQ(again.answers, fresh) << part << " " << i;
    }
    std::ofstream(file, std::ios::binary) << whole;
  }
  EXPECT_TRUE(reopen(path, m_folder.cache()).isGraphKept);
}

TEST_F(DamagedCache, IsNotTakenForAnotherDump) {
  const auto other = dumpPath("shop-10");
  const KeepingFolder ofOther;
  keepAll(other, ofOther);
  for (const char* part : {".retained", ".types", ".insights"}) {
    std::filesystem::copy_file(m_folder.fileOf(part), ofOther.fileOf(part),
                               std::filesystem::copy_options::overwrite_existing);
  }
  const ReopenedDump opened = reopen(other, ofOther.cache());
  EXPECT_FALSE(opened.isGraphKept);
  EXPECT_FALSE(opened.areTypesKept);
  EXPECT_EQ(opened.answers, reopen(other, nullptr).answers);
}

TEST_F(DamagedCache, LeadsNowhereThoughItsHashesAreRight) {
  const CacheContents kept = contentsOf(contents().graph, {}, contents().retention);
  const Sections good = copyOf(kept);
  ASSERT_TRUE(isRead(good));
  // Of all but units and bytes, which are figures: whatever they are, they lead nowhere. Counts of a byte each hardly
  // lead out of anything; see below.
  const std::set<std::size_t> figures{4, 5, 9, 10, 11};
  for (std::size_t section = 1; section < good.size(); ++section) {
    if (figures.contains(section)) continue;
    const std::size_t count = good[section].size() / sizeof(std::uint32_t);
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}, count / 2, count - 1}) {
      for (const std::uint32_t value : {0xffffffffu, 0x80000000u, std::max(objectCount() + rootCount() + 1, 1u) * 2}) {
        Sections changed = good;
        std::memcpy(changed[section].data() + place * sizeof(value), &value, sizeof(value));
        EXPECT_FALSE(isRead(changed)) << "section " << section << ", place " << place << ", value " << value;
      }
    }
  }
}

TEST_F(DamagedCache, HasArraysThatFitEachOther) {
  const Sections good = copyOf(contentsOf(contents().graph, {}, contents().retention));
  for (std::size_t section = 0; section < good.size(); ++section) {
    if (good[section].empty()) continue;  // no object is that large
    for (const int change : {-8, -4, -1, 1, 4, 8}) {
      // References may be fewer or more only if the last row says so.
      Sections changed = good;
      changed[section].resize(changed[section].size() + static_cast<std::size_t>(change));
      EXPECT_FALSE(isRead(changed)) << "section " << section << " by " << change;
    }
    Sections changed = good;
    changed[section].clear();
    EXPECT_FALSE(isRead(changed)) << "section " << section << " empty";
  }
  Sections changed = good;
  changed.pop_back();
  EXPECT_FALSE(isRead(changed));
  EXPECT_FALSE(isRead({}));
  EXPECT_FALSE(readRetention(fileOf(good), objectCount() + 1, rootCount(), {}));
  EXPECT_FALSE(readRetention(fileOf(good), objectCount(), rootCount() + 1, {}));
  EXPECT_FALSE(readRetention(fileOf(good), 0, 0, {}));
}

TEST_F(DamagedCache, HasWaysThatEnd) {
  const Sections good = copyOf(contentsOf(contents().graph, {}, contents().retention));
  const DominatorTree& tree = contents().retention->tree;
  std::uint32_t object = 1;
  while (!tree.isObject(tree.vertexOf(object))) ++object;
  const auto with = [&](std::size_t section, std::size_t place, std::uint32_t value) {
    Sections changed = good;
    std::memcpy(changed[section].data() + place * sizeof(value), &value, sizeof(value));
    return changed;
  };
  EXPECT_FALSE(isRead(with(8, object, object))) << "dominates itself";
  EXPECT_FALSE(isRead(with(8, object, object + 1))) << "dominated by one of its own";
  Sections nothing = good;
  nothing[11][object] = std::byte{0};
  EXPECT_FALSE(isRead(nothing)) << "retains nothing, not even itself";
  Sections more = good;
  ASSERT_EQ(more[11].size(), tree.reachedCount() + std::size_t{1}) << "a byte each";
  more[11][tree.reachedCount()] = std::byte{2};
  EXPECT_FALSE(isRead(more)) << "retains more than there is behind it";
  ASSERT_GT(good[12].size(), 0u);
  EXPECT_FALSE(isRead(with(12, 0, 1))) << "is not the one of which so many are told";
  EXPECT_FALSE(isRead(with(12, 1, 254))) << "is told of as large, and is not";
  EXPECT_FALSE(isRead(with(12, 1, tree.reachedCount() + 2))) << "retains more than all";
  const std::size_t middleLine = good[1].size() / sizeof(RowLine) / 2;
  EXPECT_FALSE(isRead(with(1, (middleLine + 1) * sizeof(RowLine) / 4 - 1, 0))) << "rows go back";
}

TEST_F(DamagedCache, HasInsightsThatCanBe) {
  const InsightList list = findInsights(m_opened.snapshot, {}, nullptr, {}).value();
  ASSERT_FALSE(list.insights.empty());
  const Sections good = copyOf(contentsOf(list).value());
  ASSERT_TRUE(readInsights(*fileOf(good), objectCount(), {}));
  std::mt19937 random(11);
  // Whatever the words are, nothing leads out of the list or the heap, and nothing takes for ever.
  for (int i = 0; i < 400; ++i) {
    Sections changed = good;
    std::vector<std::byte>& words = changed[0];
    const std::size_t place = random() % words.size();
    if (i % 4 == 0) {
      words.resize(place);
    } else {
      for (std::size_t at = place; at < std::min(place + 8, words.size()); ++at)
        words[at] = i % 4 == 1 ? std::byte{0xff} : static_cast<std::byte>(random());
    }
    const auto read = readInsights(*fileOf(changed), objectCount(), {});
    if (!read) continue;
    EXPECT_STRNE(toString(read->insights.front().kind), "");
    for (const InsightAction& action : read->plan.actions) {
      ASSERT_FALSE(action.insights.empty());
      for (const std::uint32_t insight : action.insights) EXPECT_LT(insight, read->insights.size());
    }
  }
  Sections changed = good;
  changed[0].push_back(std::byte{0});
  EXPECT_FALSE(readInsights(*fileOf(changed), objectCount(), {})) << "something behind the end";
  changed = good;
  ASSERT_FALSE(changed[1].empty());
  std::fill_n(changed[1].begin(), 4, std::byte{0xff});
  EXPECT_FALSE(readInsights(*fileOf(changed), objectCount(), {})) << "no such object";
  changed = good;
  changed[1].resize(changed[1].size() - 4);
  EXPECT_FALSE(readInsights(*fileOf(changed), objectCount(), {})) << "fewer objects than are told";
}

}  // namespace
}  // namespace heapscape::engine
