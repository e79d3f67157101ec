// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <memory>
#include <set>
#include <thread>

#include "reopened_dump.h"
#include "session/cache/answer_cache.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class Reopening : public testing::TestWithParam<std::string> {};

TEST_P(Reopening, AnswersAsTheFirstTimeFromWhatWasKept) {
  const auto path = dumpPath(GetParam());
  const KeepingFolder folder;
  const std::string fresh = reopen(path, nullptr).answers;
  const ReopenedDump first = reopen(path, folder.cache());
  EXPECT_FALSE(first.isGraphKept);
  EXPECT_EQ(first.answers, fresh);
  EXPECT_TRUE(folder.files().empty()) << "written before it was asked for";
  first.keep();
  EXPECT_EQ(folder.files().size(), 3U);
  const ReopenedDump second = reopen(path, folder.cache());
  EXPECT_TRUE(second.isGraphKept);
  EXPECT_TRUE(second.areTypesKept);
  EXPECT_FALSE(hasAnswersToKeep(second.snapshot)) << "insights were found anew";
  EXPECT_EQ(second.answers, fresh);
}

INSTANTIATE_TEST_SUITE_P(Dumps, Reopening,
                         testing::Values("shop-10", "shop-9-server", "shop-8-segments", "shop-10-gcore", "flaws-10",
                                         "flaws-8", "asyncs-10", "library-9", "callbacks-10"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Reopening, KnowsAPackedDumpAgain) {
  const KeepingFolder folder;
  const auto path = packedDumpPath("shop-9");
  keepAll(path, folder);
  const ReopenedDump again = reopen(path, folder.cache());
  EXPECT_TRUE(again.isGraphKept);
  EXPECT_EQ(again.answers, reopen(path, nullptr).answers);
}

TEST(Reopening, KeepsEachChoiceOfRootsApart) {
  const KeepingFolder folder;
  const auto path = dumpPath("shop-10");
  const RootOptions exact{.includeInexact = false};
  const RootOptions withoutStacks{.includeStacks = false};
  keepAll(path, folder);
  for (const RootOptions& roots : {exact, withoutStacks}) {
    const ReopenedDump first = reopen(path, folder.cache(), roots);
    EXPECT_FALSE(first.isGraphKept);
    EXPECT_EQ(first.answers, reopen(path, nullptr, roots).answers);
    first.keep();
    const ReopenedDump second = reopen(path, folder.cache(), roots);
    EXPECT_TRUE(second.isGraphKept);
    EXPECT_EQ(second.answers, first.answers);
  }
}

TEST(Reopening, ChangesTheRootsOfADumpThatWasKept) {
  const KeepingFolder folder;
  const auto path = dumpPath("shop-10");
  const RootOptions withoutStacks{.includeStacks = false};
  const std::string expected = reopen(path, nullptr, withoutStacks).answers;
  keepAll(path, folder);
  const ReopenedDump kept = reopen(path, folder.cache());
  ASSERT_TRUE(kept.isGraphKept);
  const auto changed = addRetained(kept.snapshot, {.roots = withoutStacks, .cache = folder.cache()}, nullptr, {});
  ASSERT_TRUE(changed) << messageOf(changed);
  const RetainedTotals totals = changed->retainedTotals();
  const RetainedTotals fresh = reopen(path, nullptr, withoutStacks).snapshot.retainedTotals();
  EXPECT_EQ(totals.reachableBytes, fresh.reachableBytes);
  EXPECT_EQ(totals.reachableObjects, fresh.reachableObjects);
}

TEST(Reopening, KeepsNothingOfRootsThatWereGiven) {
  const KeepingFolder folder;
  const auto path = dumpPath("shop-10");
  const Address object = reopen(path, nullptr).snapshot.roots().roots.front().object;
  const ReopenedDump given = reopen(path, folder.cache(), {.only = std::vector{object}});
  given.keep();
  EXPECT_TRUE(folder.files().empty());
}

TEST(Reopening, KeepsNothingThatWasFoundSoon) {
  const KeepingFolder folder;
  const auto usual = std::make_shared<const AnswerCache>(folder.folder(), CacheLimits{.leastSeconds = 1000});
  reopen(dumpPath("shop-10"), usual).keep();
  EXPECT_TRUE(folder.files().empty());
}

TEST(Reopening, TakesWhatIsThereAndAddsTheRest) {
  const KeepingFolder folder;
  const auto path = dumpPath("flaws-10");
  keepAll(path, folder);
  for (const char* part : {".types", ".insights", ".retained"}) {
    std::filesystem::remove(folder.fileOf(part));
    const ReopenedDump again = reopen(path, folder.cache());
    EXPECT_EQ(again.answers, reopen(path, nullptr).answers) << part;
    again.keep();
    EXPECT_EQ(folder.files().size(), 3U) << part;
  }
}

TEST(Reopening, FindsADumpAnewThatWasChangedInPlace) {
  const KeepingFolder folder;
  PatchedCore core("shop-10");
  struct stat before {};
  ASSERT_EQ(::stat(core.path().c_str(), &before), 0);
  keepAll(core.path(), folder);
  // A reference of some object that is gone, in a file of the same size and time.
  const Snapshot snapshot = openSnapshot(core.path(), Stage::Retained);
  const Contents& contents = snapshot.contents();
  const auto& tree = contents.retention->tree;
  std::set<std::uint64_t> held;
  for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number) {
    const std::uint32_t vertex = tree.vertexOf(number);
    if (tree.isObject(vertex)) held.insert(contents.heap->index.addressOf({vertex}).value);
  }
  bool isPatched = false;
  for (const Segment& segment : *contents.segments) {
    for (Address at = segment.objects.start; at + 8 <= segment.objects.end && !isPatched; at = at + 8) {
      std::uint64_t word = 0;
      if (!contents.memory->tryRead(at, word) || !held.contains(word)) continue;
      core.write(at, std::uint64_t{0});
      isPatched = true;
    }
  }
  ASSERT_TRUE(isPatched);
  const std::array<timespec, 2> times{before.st_atim, before.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, core.path().c_str(), times.data(), 0), 0);
  const ReopenedDump changed = reopen(core.path(), folder.cache());
  EXPECT_FALSE(changed.isGraphKept);
  EXPECT_EQ(changed.answers, reopen(core.path(), nullptr).answers);
}

TEST(Reopening, FindsADumpAnewThatTakesThePlaceOfAnother) {
  const KeepingFolder folder;
  const PatchedCore core("shop-10");
  keepAll(core.path(), folder);
  ASSERT_TRUE(reopen(core.path(), folder.cache()).isGraphKept);
  const std::filesystem::path copy = core.path().string() + ".copy";
  std::filesystem::copy_file(core.path(), copy);
  std::filesystem::rename(copy, core.path());
  EXPECT_FALSE(reopen(core.path(), folder.cache()).isGraphKept);
}

TEST(Reopening, KeepsNothingOfADumpThatIsChangedMeanwhile) {
  const KeepingFolder folder;
  PatchedCore core("shop-10");
  const ReopenedDump opened = reopen(core.path(), folder.cache());
  const Address object = opened.snapshot.roots().roots.front().object;
  core.write(object + 8, core.read<std::uint64_t>(object + 8) ^ 1);
  EXPECT_FALSE(keepAnswers(opened.snapshot, {}));
  EXPECT_TRUE(folder.files().empty());
}

TEST(Reopening, SaysThatWhatWasKeptIsLost) {
  const KeepingFolder folder;
  keepAll(dumpPath("flaws-10"), folder);
  const ReopenedDump again = reopen(dumpPath("flaws-10"), folder.cache());
  ASSERT_TRUE(again.isGraphKept);
  const FileChanges files(again.snapshot);
  EXPECT_FALSE(files.error());
  std::filesystem::resize_file(folder.fileOf(".retained"), 4096);
  const ReferenceGraph& graph = *again.snapshot.contents().graph;
  std::uint64_t sum = 0;
  for (const std::uint32_t target : graph.targets.elements()) sum += target;
  EXPECT_EQ(sum, 0U) << "what is gone reads as zeros";
  ASSERT_TRUE(files.error());
  EXPECT_EQ(files.error()->what.find("The cache of the dump was shortened"), 0U) << files.error()->what;
}

TEST(Reopening, GoesOnWithoutAFolder) {
  const TemporaryFolder folder;
  { std::ofstream(folder / "file") << "no folder"; }
  const auto nowhere = std::make_shared<const AnswerCache>(folder / "file" / "kept", CacheLimits{.leastSeconds = 0});
  const ReopenedDump opened = reopen(dumpPath("shop-10"), nowhere);
  EXPECT_EQ(opened.answers, reopen(dumpPath("shop-10"), nullptr).answers);
  const auto kept = keepAnswers(opened.snapshot, {});
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().error().what.find("cannot be made"), std::string::npos) << kept.error().error().what;
}

TEST(Reopening, LeavesNothingBehindWhenItIsStopped) {
  const KeepingFolder folder;
  const ReopenedDump opened = reopen(dumpPath("shop-10"), folder.cache());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(keepAnswers(opened.snapshot, stop.get_token()));
  EXPECT_TRUE(folder.files().empty());
}

TEST(Reopening, LetsGoOfADumpOnceNobodyHasIt) {
  const KeepingFolder folder;
  std::weak_ptr<const RuntimeReaders> readers;
  {
    const ReopenedDump opened = reopen(dumpPath("flaws-10"), folder.cache());
    readers = opened.snapshot.contents().readers;
    EXPECT_FALSE(readers.expired());
  }
  EXPECT_TRUE(readers.expired());
}

TEST(Reopening, ServesProgramsThatWriteAndReadAtOnce) {
  const KeepingFolder folder;
  const auto path = dumpPath("flaws-10");
  const std::string fresh = reopen(path, nullptr).answers;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> programs;
  for (int i = 0; i < 4; ++i) {
    programs.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        const auto cache = std::make_shared<const AnswerCache>(folder.folder(), CacheLimits{.leastSeconds = 0});
        const ReopenedDump opened = reopen(path, cache);
        wrong += opened.answers != fresh;
        if (round % 2 == 0) cache->clear();
        opened.keep();
      }
    });
  }
  programs.clear();
  EXPECT_EQ(wrong, 0);
  for (const auto& file : folder.files()) EXPECT_EQ(file.extension(), ".kept") << file;
}

}  // namespace
}  // namespace heapscape::engine
