// SPDX-License-Identifier: MIT
// Exceptions, locks and values of threads, held against what the program itself has printed of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "session/details/exceptions_query.h"
#include "session/stacks/exception_traces.h"
#include "session/threads/local_values.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;
using nlohmann::json;

class Traces : public testing::TestWithParam<std::string> {
 protected:
  Traces() {
    std::ifstream planted(packedDumpPath(GetParam()).parent_path() / (GetParam() + ".planted.jsonl"));
    for (std::string line; std::getline(planted, line);) m_planted.push_back(json::parse(line));
    for (const json& line : m_planted) {
      if (line.contains("thread"))
        m_threads[line["thread"].get<std::string>()] = line["managedId"].get<std::uint32_t>();
    }
  }
  const Snapshot& snapshot() const { return retainedDump(GetParam()); }
  /// The first with that message.
  ExceptionDetails exceptionWith(const std::string& message) const {
    const auto all = listExceptions(snapshot(), true, {});
    for (const ExceptionRow& row : all->exceptions) {
      if (row.message == message) return *ExceptionTraces(snapshot()).of(row.object);
    }
    ADD_FAILURE() << "no exception says " << message;
    return {};
  }
  /// Lines of the program's own files, innermost first.
  static std::vector<std::uint32_t> linesOf(const ExceptionDetails& exception) {
    std::vector<std::uint32_t> lines;
    for (const ExceptionDetails::Frame& frame : exception.stack) {
      if (frame.file == "/src/traces/Thrown.cs") lines.push_back(frame.line);
    }
    return lines;
  }
  static std::vector<std::uint32_t> linesIn(const std::string& trace) {
    const std::string place = "/src/traces/Thrown.cs:line ";
    std::vector<std::uint32_t> lines;
    for (std::size_t at = trace.find(place); at != std::string::npos; at = trace.find(place, at + 1))
      lines.push_back(static_cast<std::uint32_t>(std::stoul(trace.substr(at + place.size()))));
    return lines;
  }
  std::uint32_t threadOf(const std::string& name) const { return m_threads.at(name); }

  std::vector<json> m_planted;
  std::map<std::string, std::uint32_t> m_threads;
};
INSTANTIATE_TEST_SUITE_P(, Traces, testing::Values("traces-10", "traces-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(Traces, HaveTheLinesThatTheProgramPrints) {
  int compared = 0;
  for (const json& line : m_planted) {
    if (!line.contains("exception") || !line["trace"].is_string()) continue;
    // What .NET puts together of several messages is in no object.
    if (line["exception"] == "aggregate" || line["exception"] == "dynamic") continue;
    const ExceptionDetails exception = exceptionWith(line["message"].get<std::string>());
    EXPECT_EQ(linesOf(exception), linesIn(line["trace"].get<std::string>())) << line["exception"];
    EXPECT_EQ(exception.type, line["type"].get<std::string>());
    for (const ExceptionDetails::Frame& frame : exception.stack) EXPECT_TRUE(frame.stackPointer && frame.methodDesc);
    ++compared;
  }
  EXPECT_EQ(compared, 8);
}

TEST_P(Traces, SayWhereAnEarlierOneEnds) {
  const ExceptionDetails again = exceptionWith("thrown again");
  ASSERT_GE(again.stack.size(), 4u);
  EXPECT_FALSE(again.stack[0].isLastOfEarlier);
  EXPECT_TRUE(again.stack[1].isLastOfEarlier);
  EXPECT_EQ(std::ranges::count(again.stack, true, &ExceptionDetails::Frame::isLastOfEarlier), 1);
  const ExceptionDetails awaited = exceptionWith("awaited");
  EXPECT_EQ(std::ranges::count(awaited.stack, true, &ExceptionDetails::Frame::isLastOfEarlier), 3);
  EXPECT_EQ(awaited.stack.front().method, "Traces.Thrown.Inner");
  EXPECT_TRUE(awaited.stack.front().isAsync);
  EXPECT_NE(exceptionWith("remote").remoteStackText.find("Elsewhere.Near.By()"), std::string::npos);
}

TEST_P(Traces, LeadToWhatCausedThem) {
  const ExceptionDetails outer = exceptionWith("outer");
  ASSERT_EQ(outer.causes.size(), 1u);
  EXPECT_EQ(outer.causes[0].message, "middle, never thrown");
  EXPECT_TRUE(outer.causes[0].stack.empty());
  ASSERT_EQ(outer.causes[0].causes.size(), 1u);
  EXPECT_EQ(outer.causes[0].causes[0].message, "innermost");
  EXPECT_EQ(linesOf(outer.causes[0].causes[0]).size(), 2u);
  const ExceptionDetails several = exceptionWith("One or more errors occurred.");
  ASSERT_EQ(several.causes.size(), 3u);
  EXPECT_EQ(several.causes[0].message, "first of several");
  EXPECT_EQ(several.causes[1].type, "System.NullReferenceException");
  EXPECT_EQ(several.causes[2].message, "rethrown");
}

TEST_P(Traces, AreListedTogetherWhereTheySayTheSame) {
  const auto list = listExceptions(snapshot(), false, {});
  ASSERT_TRUE(list);
  const auto rows = [&](bool isThrown) {
    std::uint64_t count = 0;
    for (const ExceptionRow& row : list->exceptions) {
      if (row.message != "many" || row.isThrown != isThrown) continue;
      EXPECT_EQ(row.typeName, "Traces.TracesException");
      EXPECT_EQ(row.method, isThrown ? "Traces.Thrown.Throw(System.String)" : "");
      EXPECT_EQ(row.file, isThrown ? "/src/traces/Thrown.cs" : "");
      EXPECT_EQ(row.unreachable, 0u);
      EXPECT_TRUE(row.threads.empty());
      count += row.count;
    }
    return count;
  };
  EXPECT_EQ(rows(true), 5u);
  EXPECT_EQ(rows(false), 3u);
  const auto each = listExceptions(snapshot(), true, {});
  EXPECT_EQ(std::ranges::count(each->exceptions, "many", &ExceptionRow::message), 8);
}

TEST_P(Traces, KnowLocksOfEveryKind) {
  const auto list = listLocksWithActivities(snapshot(), {});
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->findings.items().empty());
  std::map<std::string, LockRow> byOwner;
  std::vector<LockRow> read;
  for (const LockRow& row : list->locks) {
    if (isMonitor(row.kind)) continue;
    for (const auto& [name, id] : m_threads) {
      if (row.ownerManagedId == id) byOwner[name] = row;
    }
    if (row.ownerManagedId == 0) read.push_back(row);
  }
  const LockRow& written = byOwner["writes, awaits crossed"];
  EXPECT_EQ(written.kind, LockKind::ReaderWriterLock);
  EXPECT_EQ(written.waitingThreads, std::vector{threadOf("reads crossed, awaits written")});
  EXPECT_EQ(byOwner["writes three times"].recursion, 3u);
  EXPECT_TRUE(byOwner["may upgrade"].isUpgradeable);
  EXPECT_EQ(byOwner["may upgrade"].readers, std::vector{threadOf("reads beside")});
  EXPECT_EQ(byOwner["may upgrade"].readerCount, 1u);
  ASSERT_EQ(read.size(), 2u);
  const LockRow& both = read[0].readers.size() == 2 ? read[0] : read[1];
  EXPECT_EQ(both.readers, (std::vector{threadOf("first reader"), threadOf("second reader")}));
  EXPECT_EQ(both.waitingThreads, std::vector{threadOf("awaits both readers")});
  std::set<std::vector<std::uint32_t>> circles(list->cycles.begin(), list->cycles.end());
  const auto circle = [&](const char* one, const char* other) {
    return std::vector{std::min(threadOf(one), threadOf(other)), std::max(threadOf(one), threadOf(other))};
  };
  EXPECT_TRUE(circles.contains(circle("writes, awaits crossed", "reads crossed, awaits written")));
  if (!m_threads.contains("holds Lock 0")) return;  // since .NET 9
  EXPECT_TRUE(circles.contains(circle("holds Lock 0", "holds Lock 1")));
  EXPECT_EQ(byOwner["holds Lock 0"].kind, LockKind::Lock);
  EXPECT_EQ(byOwner["holds Lock 0"].waiting, 1u);
  EXPECT_EQ(byOwner["holds Lock 0"].waitingThreads, std::vector{threadOf("holds Lock 1")});
  EXPECT_EQ(byOwner["holds Lock 2 three times"].recursion, 2u);
}

TEST_P(Traces, TellOfOwnersThatHaveEnded) {
  const auto list = listLocks(snapshot(), {});
  ASSERT_TRUE(list);
  std::size_t hashed = 0, kept = 0;
  for (const LockRow& row : list->locks) {
    if (row.typeName != "Traces.Orphan") continue;
    EXPECT_TRUE(row.isHeld);
    if (row.kind == LockKind::SyncBlock) {
      ++hashed;
      // From .NET 11 on it keeps an id, as those in the header do, which may be that of a later thread.
      if (GetParam() == "traces-11" && !row.hasOwnerEnded) continue;
      EXPECT_TRUE(row.hasOwnerEnded);
      EXPECT_EQ(row.ownerOsId, 0u);
    } else if (row.hasOwnerEnded) {
      EXPECT_NE(row.ownerManagedId, 0u);
      ++kept;
    }
  }
  EXPECT_EQ(hashed, 2u);
  EXPECT_GE(kept, 1u) << "the id of the other may be that of a later thread";
}

TEST_P(Traces, HaveTheValuesOfEachThread) {
  const auto list = listLocalValues(snapshot(), {}, {});
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->findings.items().empty());
  std::map<int, std::uint32_t> ids;
  for (const json& line : m_planted) {
    if (line.contains("local")) ids[line["local"].get<int>()] = line["managedId"].get<std::uint32_t>();
  }
  std::map<std::string, std::vector<std::string>> values;  // by name: thread and value
  std::size_t tracked = 0;
  for (const LocalValueRow& row : list->values) {
    EXPECT_EQ(row.damage, "");
    tracked += row.hasThreadEnded;
    if (row.hasThreadEnded) {
      EXPECT_EQ(row.value, "4711");
    }
    for (const auto& [n, id] : ids) {
      if (std::ranges::find(row.threads, id) != row.threads.end())
        values[row.name].push_back(std::to_string(n) + " " + row.value);
    }
    if (row.name == "Traces.Locals.last") {
      EXPECT_EQ(row.holders.front(), "Traces.Locals.Serve");
    }
  }
  for (auto& [name, rows] : values) std::ranges::sort(rows);
  using Rows = std::vector<std::string>;
  EXPECT_EQ(values["Traces.Locals.number"], (Rows{"1 100", "2 200", "3 300"}));
  EXPECT_EQ(values["Traces.Locals.point"], (Rows{"2 { X = 2, Y = -2 }", "3 { X = 3, Y = -3 }"}));
  EXPECT_EQ(values["Traces.Locals.session"].size(), 3u);
  EXPECT_EQ(values["Traces.Locals.request"], (Rows{"1 \"request 1\"", "2 \"request 2\"", "3 \"request 3\""}));
  EXPECT_FALSE(values.contains("Traces.Locals.unused"));
  EXPECT_EQ(tracked, 1u);
}

}  // namespace
}  // namespace heapscape::test
