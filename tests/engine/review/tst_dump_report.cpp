// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "insight/insight.h"
#include "output/text.h"
#include "review/board.h"
#include "review/dump_report.h"
#include "review/html_page.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

// Both are in the shop: texts of strings, and a key by which a dictionary holds something large.
constexpr const char* kText = "duplicate number ";

/// With retained sizes; the last one asked for stays open.
const Snapshot& retained(const std::string& dump) {
  static std::pair<std::string, std::optional<Snapshot>> kept;
  if (kept.first != dump)
    kept = {dump, heapscape::test::openSnapshot(heapscape::test::dumpPath(dump), Stage::Retained)};
  return *kept.second;
}

ReviewBoard reportOn(const std::string& dump, const DumpReportOptions& options = {}) {
  const auto board = reportOf(retained(dump), options, nullptr, {});
  if (!board) throw std::runtime_error(board.error().error().message());
  return *board;
}

const ReviewPage& pageOf(const ReviewBoard& board, const std::string& title) {
  const auto found = std::ranges::find(board.pages, title, &ReviewPage::title);
  if (found == board.pages.end()) throw std::runtime_error("no page " + title);
  return *found;
}

TEST(DumpReport, HasAPageForEachQuestion) {
  const ReviewBoard board = reportOn("shop-10");
  for (const char* title :
       {"Summary", "The heap by generation", "Generations", "Whose the process's memory is", "Memory by owner",
        "What the garbage collector was doing", "What stands between free objects", "What the threads were doing",
        "Largest types by their own bytes", "Largest types by what they retain", "Insights", "Layouts that waste",
        "Objects that retain most", "Equal strings", "Completeness"}) {
    EXPECT_NO_THROW(pageOf(board, title)) << title;
  }
  EXPECT_GE(std::ranges::count_if(board.pages, [](const auto& page) { return page.title.starts_with("Layout of "); }),
            1);
  EXPECT_EQ(board.dump, "shop-10.core");
  EXPECT_TRUE(board.summary.starts_with(".NET 10.")) << board.summary;
}

TEST(DumpReport, LeadsWithWhatToDo) {
  for (const bool isRedacted : {false, true}) {
    const ReviewBoard board = reportOn("flaws-10", {.isRedacted = isRedacted});
    EXPECT_EQ(board.pages.front().title, "Fix first");
    EXPECT_NE(board.pages.front().remark.find(" on the heap, each byte counted once"), std::string::npos);
    const auto insights = findInsights(retained("flaws-10"), {}, nullptr, {});
    ASSERT_TRUE(insights);
    const auto& actions = std::get<ReviewTable>(board.pages.front().content);
    ASSERT_EQ(actions.rows.size(), std::min(insights->plan.actions.size(), DumpReportOptions().rows));
    for (std::size_t i = 0; i < actions.rows.size(); ++i)
      EXPECT_EQ(actions.rows[i][2].number, static_cast<std::int64_t>(insights->plan.actions[i].bytes));
  }
}

TEST(DumpReport, SaysWhatThreadsAndAsyncMethodsWaitFor) {
  const ReviewBoard board = reportOn("asyncs-10");
  const auto& threads = std::get<ReviewTable>(pageOf(board, "What the threads were doing").content);
  EXPECT_TRUE(std::ranges::any_of(threads.rows, [](const auto& row) {
    return row[0].text == "waits for Stacks.Chains.BlockedAsync in Task.Wait";
  }));
  const auto& chains = std::get<ReviewTable>(pageOf(board, "Async methods that have not ended").content);
  ASSERT_FALSE(chains.rows.empty());
  EXPECT_EQ(chains.rows[0][0].text, "Stacks.Chains.QueryAsync ← Stacks.Chains.RequestAsync");
  EXPECT_EQ(chains.rows[0][2].number, 50);
}

TEST(DumpReport, SaysWhatTheSnapshotSays) {
  const Snapshot& snapshot = retained("shop-10");
  const ReviewBoard board = reportOn("shop-10");
  std::uint64_t bytes = 0;
  for (const auto& row : std::get<ReviewTable>(pageOf(board, "Generations").content).rows) {
    bytes += static_cast<std::uint64_t>(row[3].number.value());
  }
  EXPECT_EQ(bytes, snapshot.totals().bytes - snapshot.totals().freeBytes);
  const auto& types = std::get<ReviewTable>(pageOf(board, "Largest types by their own bytes").content);
  const TypeId first = heapscape::test::findType(snapshot, types.rows[0][0].text);
  ASSERT_FALSE(first.isNone());
  EXPECT_EQ(types.rows[0][2].number, static_cast<std::int64_t>(snapshot.typeCounts().bytes[first.value]));
  EXPECT_EQ(types.rows[0][3].number, static_cast<std::int64_t>(snapshot.typeRetained()[first.value].retainedBytes));
  EXPECT_EQ(types.rows.size(), DumpReportOptions().rows);
}

TEST(DumpReport, HoldsNoContentsWhenRedacted) {
  const ReviewBoard open = reportOn("shop-10");
  ASSERT_NE(writtenBoard(open).find(kText), std::string::npos);
  for (const ReviewBoard& board : {redacted(open), reportOn("shop-10", {.isRedacted = true})}) {
    EXPECT_EQ(writtenBoard(board).find(kText), std::string::npos);
    EXPECT_EQ(htmlPage(board).find(kText), std::string::npos);
  }
}

TEST(DumpReport, RedactedLaterOrAtOnceHoldsTheSame) {
  const ReviewBoard later = redacted(reportOn("shop-10"));
  const ReviewBoard atOnce = reportOn("shop-10", {.isRedacted = true});
  for (const char* title : {"Insights", "Objects that retain most"}) {
    const auto& left = std::get<ReviewTable>(pageOf(later, title).content);
    const auto& right = std::get<ReviewTable>(pageOf(atOnce, title).content);
    ASSERT_EQ(left.columns.size(), right.columns.size()) << title;
    ASSERT_EQ(left.rows.size(), right.rows.size()) << title;
    for (std::size_t row = 0; row < left.rows.size(); ++row) {
      for (std::size_t column = 0; column < left.columns.size(); ++column) {
        EXPECT_EQ(left.rows[row][column].text, right.rows[row][column].text);
      }
    }
  }
}

TEST(DumpReport, CanBeReadBack) {
  for (const char* dump : {"exhibits-8", "shop-9-server", "storm-8-collecting", "shop-10-gcore"}) {
    const ReviewBoard board = reportOn(dump);
    const auto read = parseBoard(writtenBoard(board));
    ASSERT_TRUE(read) << dump << ": " << read.error().message();
    EXPECT_EQ(read->pages.size(), board.pages.size());
  }
}

TEST(DumpReport, TellsWhatIsMissing) {
  const ReviewBoard board = reportOn("storm-8-collecting");
  const auto& page = pageOf(board, "Completeness");
  ASSERT_TRUE(std::holds_alternative<ReviewTable>(page.content));
  EXPECT_FALSE(std::get<ReviewTable>(page.content).rows.empty());
}

TEST(DumpReport, OfADumpWithoutHeapSaysWhyItDiedWhatThreadsDidAndThatThereIsNoHeap) {
  const Snapshot mini = heapscape::test::openSnapshot(heapscape::test::dumpPath("crashes/chain-8"), Stage::Retained);
  const auto board = reportOf(mini, {}, nullptr, {});
  ASSERT_TRUE(board);
  ASSERT_FALSE(board->pages.empty());
  EXPECT_EQ(board->pages.front().title, "Why the process died");
  EXPECT_NE(pageOf(*board, "No heap").remark.find("without the managed heap"), std::string::npos);
  EXPECT_TRUE(std::holds_alternative<ReviewTable>(pageOf(*board, "What the threads were doing").content));
  EXPECT_TRUE(
      std::ranges::none_of(board->pages, [](const ReviewPage& page) { return page.title.starts_with("Async"); }));
  EXPECT_TRUE(std::ranges::none_of(board->pages, [](const ReviewPage& page) { return page.title == "Largest types"; }));
}

TEST(DumpReport, GoesOnTellingHowFarItIs) {
  heapscape::test::RecordingListener listener;
  ASSERT_TRUE(reportOf(retained("shop-10"), {}, &listener, {}));
  ASSERT_GE(listener.reports.size(), 8u);
  double last = 0;
  for (const Progress& progress : listener.reports) {
    EXPECT_GE(progress.fraction, last - 1e-9) << progress.activity;
    EXPECT_LE(progress.fraction, 1 + 1e-9);
    last = progress.fraction;
  }
}

TEST(DumpReport, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto board = reportOf(retained("shop-10"), {}, nullptr, stop.get_token());
  ASSERT_FALSE(board);
  EXPECT_TRUE(board.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::engine
