// SPDX-License-Identifier: MIT
#include "runtime/diagnostics/stress_log.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "runtime/diagnostics/gc_history.h"
#include "support/builders/runtime_in_memory.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr Address kLog{0x10000};
constexpr Address kThreadLog{0x20000};
constexpr Address kChunk{0x30000};
constexpr Address kFormats{0x50000};
constexpr std::uint32_t kMark = 0xcfcfcfcf;

/// The log of one thread that fills no more than one chunk, as a version of .NET lays it out.
class LogInMemory {
 public:
  explicit LogInMemory(unsigned version) : m_version(version), m_contract(shippedContract(version)) {
    put(kLog, "StressLog", "LoggedFacilities", std::uint32_t{1});
    put(kLog, "StressLog", "Level", std::uint32_t{6});
    put(kLog, "StressLog", "Logs", kThreadLog);
    put(kLog, "StressLog", "TickFrequency", std::uint64_t{1000});
    put(kLog, "StressLog", "StartTimestamp", std::uint64_t{500});
    put(kLog, "StressLog", "Modules", kFormats);
    write(kLog + m_contract.offset("StressLog", "Modules") + 8, std::uint64_t{0x1000});
    put(kThreadLog, "ThreadStressLog", "ThreadId", std::uint64_t{77});
    put(kThreadLog, "ThreadStressLog", "ChunkListHead", kChunk);
    put(kThreadLog, "ThreadStressLog", "ChunkListTail", kChunk);
    put(kThreadLog, "ThreadStressLog", "CurrentWriteChunk", kChunk);
    put(kThreadLog, "ThreadStressLog", "CurrentPtr", end());
    put(kChunk, "StressLogChunk", "Next", kChunk);
    put(kChunk, "StressLogChunk", "Sig1", kMark);
    write(end() + 0x10, std::uint64_t{0});  // the end of the pages
  }

  /// In front of those that were added before, as the runtime writes them.
  void add(std::uint64_t timeStamp, const std::string& format, const std::vector<std::uint64_t>& arguments) {
    const std::uint64_t offset = m_formatBytes;
    for (std::size_t i = 0; i <= format.size(); ++i) write(kFormats + offset + i, format.c_str()[i]);
    m_formatBytes += format.size() + 1;
    m_newest = Address{newest().value - 16 - 8 * arguments.size()};
    write(m_newest, std::uint64_t{1} | std::uint64_t{arguments.size()} << 32 | offset << 38);
    write(m_newest + 8, timeStamp << 13);
    for (std::size_t i = 0; i < arguments.size(); ++i) write(m_newest + 16 + 8 * i, arguments[i]);
    put(kThreadLog, "ThreadStressLog", "CurrentPtr", m_newest);
  }

  void damageChunk() { put(kChunk, "StressLogChunk", "Sig1", std::uint32_t{0}); }

  ClrRuntime runtime() const {
    CoreBuilder builder;
    for (const auto& [start, bytes] : m_pages) builder.memory(start, bytes);
    return runtimeInMemory(m_version, builder);
  }

 private:
  Address end() const { return kChunk + m_contract.offset("StressLogChunk", "Sig1"); }
  Address newest() const { return m_newest ? m_newest : end(); }

  template <class Value>
  void put(Address object, const char* type, const char* member, Value value) {
    write(object + m_contract.offset(type, member), value);
  }
  template <class Value>
  void write(Address at, Value value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
      const Address byte = at + i;
      FileBytes& page = m_pages[byte.value & ~(kPageBytes - 1)];
      page.resize(kPageBytes);
      page[byte.value % kPageBytes] = reinterpret_cast<const std::byte*>(&value)[i];
    }
  }

  unsigned m_version;
  const Contract& m_contract;
  std::map<std::uint64_t, FileBytes> m_pages;
  std::uint64_t m_formatBytes = 16;
  Address m_newest;
};

class StressLogOfVersion : public testing::TestWithParam<unsigned> {};

TEST_P(StressLogOfVersion, IsReadNewestFirst) {
  LogInMemory memory(GetParam());
  memory.add(600, "GC %d begins {\n", {3});
  memory.add(1500, "object %p of %pT, %S%% %-6xend\n", {0xabc0, 0x1230, 0, 0x1f});
  const ClrRuntime runtime = memory.runtime();
  const auto log = readStressLog(runtime, kLog, {});
  ASSERT_TRUE(log);
  EXPECT_EQ(log->level, 6u);
  EXPECT_EQ(log->threads, 1u);
  EXPECT_TRUE(log->findings.items().empty());
  ASSERT_EQ(log->messages.size(), 2u);
  EXPECT_EQ(log->messages[0].thread, 77u);
  EXPECT_DOUBLE_EQ(log->secondsAt(log->messages[0].timeStamp), 1.0);
  const auto nameOf = [](char kind, Address address) { return fmt::format("<{}{:x}>", kind, address.value); };
  EXPECT_EQ(textOf(runtime, log->messages[0], nameOf), "object 0xabc0 of 0x1230<T1230>, % 1f    end\n");
  // What opens closes, as the log goes backwards.
  EXPECT_EQ(textOf(runtime, log->messages[1], nameOf), "GC 3 begins }\n");
  EXPECT_FALSE(log->messages[0].isLast);
  EXPECT_TRUE(log->messages[1].isLast);
}

TEST_P(StressLogOfVersion, ThatIsDamagedIsTold) {
  LogInMemory memory(GetParam());
  memory.add(600, "%999999999d %5.3.1x %q\n", {1, 2, 3});
  const ClrRuntime runtime = memory.runtime();
  const auto whole = readStressLog(runtime, kLog, {});
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->messages.size(), 1u);
  EXPECT_EQ(textOf(runtime, whole->messages[0], {}), "1 2 \n");
  memory.damageChunk();
  const auto damaged = readStressLog(memory.runtime(), kLog, {});
  ASSERT_TRUE(damaged);
  EXPECT_TRUE(damaged->messages.empty());
  EXPECT_EQ(damaged->findings.items().size(), 1u);
  const auto none = readStressLog(runtime, Address{0x999000}, {});
  EXPECT_FALSE(none);
}

TEST_P(StressLogOfVersion, TellsWhatCollectionsDidWithRoots) {
  LogInMemory memory(GetParam());
  memory.add(1, "    GC Root %p RELOCATED %p -> %p  MT = %pT\n",
             {0x10, 0x1000, 0x2000, 0x90});  // without its beginning
  memory.add(2, "{ =========== BEGINGC %d, (requested generation = %lu)\n", {4, 2});
  memory.add(3, "    IGCHeap::Promote: Promote GC Root *%p = %p MT = %pT\n", {0x18, 0x3000, 0x90});
  memory.add(4, "    GC Root %p RELOCATED %p -> %p  MT = %pT\n", {0x18, 0x3000, 0x4000, 0x90});
  const ClrRuntime runtime = memory.runtime();
  const auto log = readStressLog(runtime, kLog, {});
  ASSERT_TRUE(log);
  const auto history = gcHistoryOf(runtime, *log);
  ASSERT_EQ(history.size(), 1u);
  EXPECT_EQ(history[0].index, 4u);
  ASSERT_EQ(history[0].promotions.size(), 1u);
  EXPECT_EQ(history[0].promotions[0].root, Address{0x18});
  EXPECT_EQ(history[0].promotions[0].object, Address{0x3000});
  ASSERT_EQ(history[0].relocations.size(), 1u);
  EXPECT_EQ(history[0].relocations[0].before, Address{0x3000});
  EXPECT_EQ(history[0].relocations[0].after, Address{0x4000});
  EXPECT_EQ(history[0].relocations[0].methodTable, Address{0x90});
}

INSTANTIATE_TEST_SUITE_P(Versions, StressLogOfVersion, testing::Values(8u, 9u, 10u, 11u));

}  // namespace
}  // namespace heapscape::engine
