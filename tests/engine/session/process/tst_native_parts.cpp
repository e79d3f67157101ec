// SPDX-License-Identifier: MIT
// What mappings without a file are: stacks of threads, the C library's memory, the kernel's pages.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "session/process/process_memory.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

Mapping anonymous(std::uint64_t start, std::uint64_t end, bool isExecutable = false) {
  return {{{start}, {end}}, isExecutable, {}};
}

Mapping ofFile(std::uint64_t start, std::uint64_t end, std::string path) {
  return {{{start}, {end}}, false, std::move(path)};
}

CoreThread threadAt(std::uint32_t osId, std::uint64_t stackPointer, std::uint64_t threadData = 0) {
  CoreThread thread;
  thread.osId = osId;
  thread.registers[19] = stackPointer;
  thread.registers[21] = threadData;
  return thread;
}

/// Of a thread whose stack is mapped from 0x20000 to 0x30000.
std::vector<ThreadStack> stackOf(const CoreThread& thread) {
  ElfCore core;
  core.threads = {thread};
  return stacksOf(core, {ofFile(0x10000, 0x18000, "/lib/a.so"), anonymous(0x20000, 0x30000)});
}

TEST(ThreadStacks, AreTheMappingsThatStackPointersLeadTo) {
  const auto stacks = stackOf(threadAt(7, 0x28000));
  ASSERT_EQ(stacks.size(), 1u);
  EXPECT_EQ(stacks[0].osId, 7u);
  EXPECT_EQ(stacks[0].range, (AddressRange{{0x20000}, {0x30000}}));
  EXPECT_EQ(stackOf(threadAt(7, 0x20000)).size(), 1u) << "its first byte";
}

TEST(ThreadStacks, AreNoneWhereAStackPointerLeadsToAFileOrNowhere) {
  for (const std::uint64_t pointer : {0x0ull, 0x14000ull, 0x18000ull, 0x1ffffull, 0x30000ull, ~0ull})
    EXPECT_TRUE(stackOf(threadAt(7, pointer)).empty()) << pointer;
  ElfCore core;
  core.threads = {threadAt(7, 0x28000)};
  EXPECT_TRUE(stacksOf(core, {}).empty());
}

TEST(ThreadStacks, EndWithThePageOfTheThreadsOwnData) {
  EXPECT_EQ(stackOf(threadAt(7, 0x24000, 0x286c0)).at(0).range.end, Address{0x29000});
  EXPECT_EQ(stackOf(threadAt(7, 0x24000, 0x28000)).at(0).range.end, Address{0x29000}) << "at the page's first byte";
  EXPECT_EQ(stackOf(threadAt(7, 0x24000, 0x2ffff)).at(0).range.end, Address{0x30000});
  for (const std::uint64_t elsewhere : {0x0ull, 0x23000ull, 0x24000ull, 0x30000ull, 0x99999ull})
    EXPECT_EQ(stackOf(threadAt(7, 0x24000, elsewhere)).at(0).range.end, Address{0x30000}) << elsewhere;
}

TEST(ThreadStacks, OfThreadsInOneMappingAreOnesOfTheirOwn) {
  ElfCore core;
  core.threads = {threadAt(1, 0x21000, 0x27000), threadAt(2, 0x2a000, 0x2f000)};
  const auto stacks = stacksOf(core, {anonymous(0x20000, 0x30000)});
  ASSERT_EQ(stacks.size(), 2u);
  EXPECT_EQ(stacks[0].range.end, Address{0x28000});
  EXPECT_EQ(stacks[1].range.end, Address{0x30000});
}

/// Names by start; `memory` may hold what is looked at.
std::map<std::uint64_t, std::string> namesOf(const ElfCore& core, const std::vector<Mapping>& mappings,
                                             const CoreBuilder& memory = CoreBuilder().memory(0x1000, FileBytes(8))) {
  const OpenedCore opened(memory);
  std::map<std::uint64_t, std::string> names;
  for (const NativePart& part : nativePartsOf(core, opened.space(), mappings)) {
    names[part.range.start.value] = part.name;
    EXPECT_EQ(part.isOfKernel, part.name.starts_with("[v")) << part.name;
  }
  return names;
}

using Names = std::map<std::uint64_t, std::string>;

TEST(NativeParts, TellTheHeapBehindTheProgramFromItsZeroedData) {
  ElfCore core;
  core.auxiliaryVector = {{AT_PAGESZ, 4096}, {AT_ENTRY, 0x401234}};
  const Mapping image = ofFile(0x400000, 0x402000, "/app/program"), data = ofFile(0x403000, 0x404000, "/app/program");
  const Mapping zeroed = anonymous(0x404000, 0x405000), heap = anonymous(0x500000, 0x600000);
  const Mapping far = anonymous(0x700000, 0x800000);
  EXPECT_EQ(namesOf(core, {image, data, zeroed, heap, far}),
            (Names{{0x404000, "anonymous"}, {0x500000, "[heap]"}, {0x700000, "anonymous"}}));
  EXPECT_EQ(namesOf(core, {image, heap}), (Names{{0x500000, "[heap]"}})) << "no zeroed data";
  EXPECT_EQ(namesOf(core, {image, ofFile(0x450000, 0x460000, "/lib/a.so"), heap}), (Names{{0x500000, "anonymous"}}))
      << "something else follows the program";
  EXPECT_EQ(namesOf(core, {image, data, zeroed}), (Names{{0x404000, "anonymous"}})) << "nothing follows it";
  core.auxiliaryVector = {{AT_ENTRY, 0x999999}};
  EXPECT_EQ(namesOf(core, {image, heap}), (Names{{0x500000, "anonymous"}})) << "nobody knows the program";
  core.auxiliaryVector.clear();
  EXPECT_EQ(namesOf(core, {image, heap}), (Names{{0x500000, "anonymous"}}));
}

TEST(NativeParts, TellWhatTheKernelMapsAndWhatRuns) {
  ElfCore core;
  core.auxiliaryVector = {{AT_SYSINFO_EHDR, 0x7fff00001000}};
  EXPECT_EQ(namesOf(core, {anonymous(0x10000, 0x20000, true), anonymous(0x7fff00000000, 0x7fff00001000),
                           anonymous(0x7fff00001000, 0x7fff00003000, true),
                           anonymous(0xffffffffff600000, 0xffffffffff601000, true)}),
            (Names{{0x10000, "executable"},
                   {0x7fff00000000, "anonymous"},
                   {0x7fff00001000, "[vdso]"},
                   {0xffffffffff600000, "[vsyscall]"}}));
}

constexpr std::uint64_t kArena = 0x7f0000000000;  // a multiple of 64 MB

/// heap_info of glibc: its arena, the heap before it, its size and how much of it may be used.
using ArenaWords = std::array<std::uint64_t, 4>;

std::string nameOfArena(const ArenaWords& words, std::uint64_t start = kArena, std::uint64_t mappedBytes = 0x21000) {
  FileBytes bytes(0x1000);
  std::memcpy(bytes.data(), words.data(), sizeof words);
  return namesOf({}, {anonymous(start, start + mappedBytes)}, CoreBuilder().memory(start, bytes)).at(start);
}

TEST(NativeParts, TellArenasWhoseNumbersFit) {
  constexpr std::uint64_t kArenaLimit = 64 << 20;
  EXPECT_EQ(nameOfArena({kArena + 0x30, 0, 0x21000, 0x21000}), "malloc arenas");
  EXPECT_EQ(nameOfArena({kArena - kArenaLimit + 0x30, kArena - kArenaLimit, 0x1000, kArenaLimit}), "malloc arenas");
  const ArenaWords damaged[]{
      {0, 0, 0x21000, 0x21000},
      {kArena, 0x1000, 0x21000, 0x21000},
      {kArena, 0, 0, 0x21000},
      {kArena, 0, 0x20800, 0x21000},
      {kArena, 0, 0x21000, 0x20000},
      {kArena, 0, 0x22000, 0x22000},
      {kArena, 0, 0x21000, kArenaLimit + 1},
      {~0ull, ~0ull, ~0ull, ~0ull},
  };
  for (const ArenaWords& words : damaged) EXPECT_EQ(nameOfArena(words), "anonymous") << words[0] << " " << words[2];
  EXPECT_EQ(nameOfArena({kArena, 0, 0x21000, 0x21000}, kArena + 0x1000), "anonymous") << "not where arenas begin";
  EXPECT_EQ(namesOf({}, {anonymous(kArena, kArena + 0x1000)}), (Names{{kArena, "anonymous"}})) << "not in the dump";
}

}  // namespace
}  // namespace heapscape::engine
