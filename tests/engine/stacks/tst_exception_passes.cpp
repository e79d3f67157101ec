// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"
#include "stacks/exception_handling.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"
#include "support/zstandard.h"

namespace heapscape::test {
namespace {

using namespace engine;
using nlohmann::json;

/// The threads of the program of stacks, with what they were started for and with their frames as ClrMD has them.
class ThrowingThreads : public testing::TestWithParam<std::string> {
 protected:
  struct Frame {
    std::string method;
    Address stackPointer;
  };
  ThrowingThreads() {
    std::ifstream planted(packedDumpPath(GetParam()).parent_path() / (GetParam() + ".planted.jsonl"));
    for (std::string line; std::getline(planted, line);) {
      const json one = json::parse(line);
      if (one.contains("thread")) m_managedIds[one["thread"]] = one["managedId"].get<std::uint32_t>();
    }
    FindingList findings;
    for (const RuntimeThread& thread : readThreads(m_readers.runtime, findings))
      m_addresses[thread.managedId] = thread.address;
    readFrames();
  }

  std::vector<ExceptionOnItsWay> exceptionsOfThread(const std::string& name) const {
    return exceptionsOf(m_readers.runtime, m_addresses.at(m_managedIds.at(name)));
  }
  std::string typeOf(const ExceptionOnItsWay& exception) const {
    Address type;
    m_readers.runtime.memory().tryRead(exception.object, type);
    return m_readers.names.nameOf(type);
  }
  /// The outermost frame of a method.
  Address frameOf(const std::string& thread, const std::string& method) const {
    Address found;
    for (const Frame& frame : m_frames.at(m_managedIds.at(thread)))
      if (frame.method.starts_with("Stacks.Handlers." + method + "(")) found = frame.stackPointer;
    return found;
  }
  void expectToBeCaught(const std::string& thread, const std::string& type, const std::string& thrower,
                        const std::string& catcher) const {
    const auto exceptions = exceptionsOfThread(thread);
    ASSERT_EQ(exceptions.size(), 1u) << thread;
    const ExceptionOnItsWay& exception = exceptions.front();
    const Address frame = frameOf(thread, catcher);
    EXPECT_EQ(typeOf(exception), type);
    EXPECT_TRUE(exception.isUnwinding);
    EXPECT_EQ(exception.clause, RunningClause::Catch);
    EXPECT_EQ(exception.clauseFrame, frame);
    EXPECT_EQ(exception.scannedLow, frameOf(thread, thrower));
    EXPECT_EQ(exception.scannedHigh, frame);
    EXPECT_GT(exception.handlerCaller, frame);
    EXPECT_LT(exception.handlerCaller, frame + 256);
    EXPECT_TRUE(exception.hasUnwound(frame)) << "the thrower, which it has called";
    EXPECT_FALSE(exception.isHandledBy(frame));
    EXPECT_FALSE(exception.hasUnwound(exception.handlerCaller));
    EXPECT_TRUE(exception.isHandledBy(exception.handlerCaller));
  }

  Snapshot m_snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const RuntimeReaders& m_readers = *m_snapshot.contents().readers;
  std::map<std::string, std::uint32_t> m_managedIds;
  std::map<std::uint32_t, Address> m_addresses;
  std::map<std::uint32_t, std::vector<Frame>> m_frames;

 private:
  void readFrames() {
    std::istringstream lines(
        unpackedFile(packedDumpPath(GetParam()).parent_path() / (GetParam() + ".stacks.jsonl.zst")));
    for (std::string line; std::getline(lines, line);) {
      const json thread = json::parse(line);
      for (const json& frame : thread["frames"]) {
        const auto signature = frame.find("signature");
        if (frame["kind"] != "managed" || signature == frame.end() || !signature->is_string()) continue;
        Address stackPointer;
        tryParseAddress(frame["sp"].get<std::string>(), stackPointer);
        m_frames[thread["managedId"].get<std::uint32_t>()].push_back({signature->get<std::string>(), stackPointer});
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(, ThrowingThreads, testing::Values("stacks-8", "stacks-9", "stacks-10", "stacks-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ThrowingThreads, HaveTheExceptionThatTheyCatch) {
  expectToBeCaught("catch", "System.InvalidOperationException", "Throw", "Catch");
  expectToBeCaught("catch of a null reference", "System.NullReferenceException", "Look", "CatchNullReference");
}

TEST_P(ThrowingThreads, HaveAnExceptionOfEachHandlerThatThrows) {
  const auto exceptions = exceptionsOfThread("catch in a catch");
  ASSERT_EQ(exceptions.size(), 2u);
  EXPECT_EQ(typeOf(exceptions[0]), "System.ArgumentException");
  EXPECT_EQ(typeOf(exceptions[1]), "System.InvalidOperationException");
  EXPECT_LT(exceptions[0].scannedHigh, exceptions[1].scannedLow);
  for (const ExceptionOnItsWay& exception : exceptions) EXPECT_EQ(exception.clause, RunningClause::Catch);
}

TEST_P(ThrowingThreads, RunFinallyBlocksBeforeTheHandler) {
  const auto exceptions = exceptionsOfThread("finally");
  ASSERT_EQ(exceptions.size(), 1u);
  const ExceptionOnItsWay& exception = exceptions.front();
  EXPECT_TRUE(exception.isUnwinding);
  EXPECT_EQ(exception.clause, RunningClause::Finally);
  EXPECT_EQ(exception.clauseFrame, frameOf("finally", "Unwinding"));
  // Its caller is the one that will catch the exception.
  EXPECT_FALSE(exception.hasUnwound(frameOf("finally", "Finally")));
  EXPECT_FALSE(exception.isHandledBy(frameOf("finally", "Finally")));
  EXPECT_GT(exception.handlerCaller, frameOf("finally", "Finally"));
  EXPECT_TRUE(exceptionsOfThread("finally without exception").empty());
}

TEST_P(ThrowingThreads, SearchForAHandlerInFilters) {
  const auto exceptions = exceptionsOfThread("filter");
  ASSERT_EQ(exceptions.size(), 1u);
  const ExceptionOnItsWay& exception = exceptions.front();
  EXPECT_EQ(typeOf(exception), "System.InvalidOperationException");
  EXPECT_FALSE(exception.isUnwinding);
  EXPECT_EQ(exception.handlerCaller, Address{});
  EXPECT_EQ(exception.clause, RunningClause::Filter);
  EXPECT_EQ(exception.clauseFrame, frameOf("filter", "Filter"));
  EXPECT_FALSE(exception.hasUnwound(exception.clauseFrame)) << "the thrower goes on if nobody wants the exception";
}

TEST_P(ThrowingThreads, ThrowTheSameObjectAgain) {
  const auto exceptions = exceptionsOfThread("rethrow");
  ASSERT_EQ(exceptions.size(), 2u);
  EXPECT_EQ(exceptions[0].object, exceptions[1].object);
  EXPECT_EQ(exceptions[0].clause, RunningClause::Finally);
  EXPECT_EQ(exceptions[1].clause, RunningClause::Catch);
}

TEST_P(ThrowingThreads, AreTheOnlyOnesWithExceptions) {
  std::size_t threads = 0;
  for (const auto& [id, address] : m_addresses) threads += !exceptionsOf(m_readers.runtime, address).empty();
  EXPECT_EQ(threads, 6u);
  EXPECT_TRUE(exceptionsOf(m_readers.runtime, {0x10}).empty());
}

TEST_P(ThrowingThreads, HaveAnEndOfTheirExceptions) {
  const ClrRuntime& runtime = m_readers.runtime;
  const Address thread = m_addresses.at(m_managedIds.at("catch"));
  const auto tracker = runtime.pointerAt(thread, "Thread", "ExceptionTracker");
  ASSERT_TRUE(tracker);
  PatchedCore core(GetParam());
  core.write(runtime.member(*tracker, "ExceptionInfo", "PreviousNestedInfo"), *tracker);
  const Snapshot circle = openSnapshot(core.path(), Stage::Summary);
  EXPECT_LE(exceptionsOf(circle.contents().readers->runtime, thread).size(), 1000u);
}

}  // namespace
}  // namespace heapscape::test
