// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/heap/memory_output.h"
#include "session/process/process_memory.h"
#include "support/opened_snapshot.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

MemoryPart part(MemoryOwner owner, std::string name, std::uint64_t bytes, std::uint64_t inDump) {
  return {.owner = owner,
          .name = std::move(name),
          .path = {},
          .address = Address{0x7f00},
          .mappings = 1,
          .bytes = bytes,
          .inDumpBytes = inDump};
}

ProcessMemory memoryOf(std::vector<MemoryPart> parts) {
  ProcessMemory memory{.parts = std::move(parts), .resident = {}, .remark = {}};
  for (const MemoryPart& each : memory.parts) memory.mappedBytes += each.bytes;
  return memory;
}

ProcessMemory someMemory() {
  return memoryOf({part(MemoryOwner::GcUsed, "gen0", 4'096, 4'096), part(MemoryOwner::GcUsed, "gen2", 2'048, 1'024),
                   part(MemoryOwner::ThreadStack, "thread 5 \"Alice's worker\"", 1'024, 0),
                   part(MemoryOwner::NativeHeap, "", 1'024, 512)});
}

std::string memoryText(const ProcessMemory& memory, const RowSelection& rows = {}) {
  return written([&](Output& output) { writeMemoryText(output, memory, rows); });
}

nlohmann::json memoryJson(const ProcessMemory& memory, const RowSelection& rows = {}) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeMemory(json, memory, rows); }));
}

TEST(MemoryOwners, PartsOfAnOwnerAreAddedUp) {
  const ProcessMemory memory = someMemory();
  const std::vector<OwnedMemory> owners = memoryByOwner(memory);
  ASSERT_EQ(owners.size(), 3u);
  EXPECT_EQ(owners[0].owner, MemoryOwner::GcUsed);
  EXPECT_EQ(owners[0].bytes, 6'144u);
  EXPECT_EQ(owners[0].inDumpBytes, 5'120u);
  ASSERT_EQ(owners[0].parts.size(), 2u);
  EXPECT_EQ(owners[0].parts.data(), memory.parts.data());
  EXPECT_EQ(owners[2].owner, MemoryOwner::NativeHeap);
}

TEST(MemoryOwners, OwnersWithoutMemoryAreLeftOut) {
  EXPECT_TRUE(memoryByOwner({}).empty());
  const ProcessMemory memory = memoryOf({part(MemoryOwner::GcFree, "", 0, 0), part(MemoryOwner::Other, "", 8, 0)});
  ASSERT_EQ(memoryByOwner(memory).size(), 1u);
  EXPECT_EQ(memoryByOwner(memory)[0].owner, MemoryOwner::Other);
}

TEST(MemoryText, SharesAreOfAllThatIsMapped) {
  EXPECT_TRUE(memoryText(someMemory())
                  .starts_with("Owner                         Mapped   Share  In the dump\n"
                               "Objects                      6.00 KB   75.0%      5.00 KB\n"
                               "  gen0                       4.00 KB   50.0%      4.00 KB\n"
                               "  gen2                       2.00 KB   25.0%      1.00 KB\n"
                               "Thread stacks                1.00 KB   12.5%          0 B\n"
                               "  thread 5 \"Alice's worker\"  1.00 KB   12.5%          0 B\n"
                               "Native heap                  1.00 KB   12.5%        512 B\n"
                               "All                          8.00 KB  100.0%      5.50 KB\n"))
      << memoryText(someMemory());
}

TEST(MemoryText, NamesOfThreadsAreContents) {
  for (const std::string& text :
       {memoryText(someMemory(), {.isRedacted = true}), memoryJson(someMemory(), {.isRedacted = true}).dump()}) {
    EXPECT_EQ(text.find("Alice"), std::string::npos) << text;
    EXPECT_NE(text.find("thread 5"), std::string::npos) << text;
  }
}

TEST(MemoryText, PartsBeyondTheLimitAreOneLine) {
  std::vector<MemoryPart> files;
  for (int i = 0; i < 12; ++i) files.push_back(part(MemoryOwner::MappedFile, "f" + std::to_string(i), 1'024, 512));
  const std::string ten = memoryText(memoryOf(files));
  EXPECT_NE(ten.find("  f9 "), std::string::npos) << ten;
  EXPECT_EQ(ten.find("  f10"), std::string::npos) << ten;
  EXPECT_NE(ten.find("  2 more      2.00 KB   16.7%      1.00 KB\n"), std::string::npos) << ten;
  const std::string one = memoryText(memoryOf(files), {.limit = 1});
  EXPECT_NE(one.find("  11 more     11.0 KB   91.7%      5.50 KB\n"), std::string::npos) << one;
  EXPECT_EQ(memoryText(memoryOf(files), {.limit = 12}).find("more "), std::string::npos);
}

TEST(MemoryText, NoMemoryHasNoShares) {
  const std::string text = memoryText({});
  EXPECT_NE(text.find("All       0 B   0.0%"), std::string::npos) << text;
  EXPECT_NE(text.find("Reserved addresses without memory behind them: 0 B.\n"), std::string::npos) << text;
}

TEST(MemoryText, ARemarkStandsAtTheEnd) {
  ProcessMemory memory = someMemory();
  memory.isWhole = false;
  memory.remark = "The dump does not list all.";
  EXPECT_TRUE(memoryText(memory).ends_with("\nThe dump does not list all.\n"));
  EXPECT_NE(memoryText(memory).find("no upper bound"), std::string::npos);
}

TEST(MemoryJson, AnUpperBoundNeedsAllMappings) {
  ProcessMemory memory = someMemory();
  memory.resident = {.atLeastBytes = 100, .fileBytes = 30, .holeBytes = 7};
  nlohmann::json totals = memoryJson(memory).at("totals");
  EXPECT_EQ(totals.at("resident").at("atMostBytes"), 8'192);
  EXPECT_EQ(totals.at("resident").at("holeBytes"), 7);
  EXPECT_EQ(totals.at("categories"), nlohmann::json({{"gcUsed", 6'144}, {"stack", 1'024}, {"native", 1'024}}));
  memory.isWhole = false;
  totals = memoryJson(memory).at("totals");
  EXPECT_FALSE(totals.at("resident").contains("atMostBytes"));
  EXPECT_EQ(totals.at("whole"), false);
}

TEST(MemoryJson, OwnersOfADumpAddUpToAllThatIsMapped) {
  const auto memory = processMemoryOf(test::openedDump("shop-10"), {});
  ASSERT_TRUE(memory.has_value());
  const nlohmann::json json = memoryJson(*memory);
  std::uint64_t owners = 0;
  for (const auto& [name, bytes] : json.at("totals").at("categories").items()) owners += bytes.get<std::uint64_t>();
  std::uint64_t parts = 0;
  for (const auto& row : json.at("memory")) parts += row.at("bytes").get<std::uint64_t>();
  EXPECT_GT(owners, 0u);
  EXPECT_EQ(owners, json.at("totals").at("mappedBytes"));
  EXPECT_EQ(parts, owners);
}

}  // namespace
}  // namespace heapscape::engine
