// SPDX-License-Identifier: MIT
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <sstream>

#include "session/process/process_mappings.h"
#include "session/process/process_memory.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"
#include "support/zstandard.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// Objects are all that is asked of a dump here.
Snapshot opened(const std::filesystem::path& file) {
  return openSnapshot(file, Stage::Objects);
}
Snapshot opened(const char* dump) {
  return opened(dumpPath(dump));
}

/// One mapping in /proc/PID/smaps.
struct KernelMapping {
  AddressRange range;
  std::string rights, name;
  std::uint64_t residentBytes = 0;  // or swapped out
  bool isAccessible() const { return rights.substr(0, 3) != "---"; }
};

std::vector<KernelMapping> readSmaps(const std::string& dump) {
  std::istringstream text(unpackedFile(std::filesystem::path(HEAPSCAPE_TEST_DATA) / (dump + ".smaps.zst")));
  std::vector<KernelMapping> mappings;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t kilobytes = 0;
    if (!mappings.empty() && std::istringstream(line) >> key >> kilobytes && (key == "Rss:" || key == "Swap:"))
      mappings.back().residentBytes += kilobytes << 10;
    KernelMapping mapping;
    char dash = 0;
    std::string offset, device, inode;
    if (words >> std::hex >> mapping.range.start.value >> dash >> mapping.range.end.value >> mapping.rights >> offset >>
            device >> inode &&
        dash == '-') {
      std::getline(words >> std::ws, mapping.name);
      mappings.push_back(mapping);
    }
  }
  return mappings;
}

template <class Fits>
std::uint64_t bytesOf(const std::vector<KernelMapping>& mappings, Fits fits) {
  std::uint64_t bytes = 0;
  for (const KernelMapping& mapping : mappings)
    if (mapping.isAccessible() && fits(mapping)) bytes += mapping.range.sizeBytes();
  return bytes;
}

ProcessMemory memoryOf(const Snapshot& snapshot) {
  auto memory = processMemoryOf(snapshot, {});
  if (!memory) throw std::runtime_error("the process's memory was not divided");
  return std::move(*memory);
}

template <class Fits>
std::uint64_t bytesOf(const ProcessMemory& memory, Fits fits) {
  std::uint64_t bytes = 0;
  for (const MemoryPart& part : memory.parts)
    if (fits(part)) bytes += part.bytes;
  return bytes;
}

void expectWithinOnePercent(std::uint64_t actual, std::uint64_t expected, const char* what) {
  const auto difference = std::llabs(static_cast<long long>(actual) - static_cast<long long>(expected));
  EXPECT_LE(static_cast<double>(difference), 0.01 * static_cast<double>(expected))
      << what << ": " << actual << " for " << expected;
}

/// Each file is mapped for as many bytes as the kernel said.
void expectFilesOf(const std::vector<KernelMapping>& kernel, const ProcessMemory& memory) {
  std::map<std::string, std::uint64_t> mapped;
  for (const KernelMapping& mapping : kernel)
    if (mapping.isAccessible()) mapped[mapping.name] += mapping.range.sizeBytes();
  std::size_t files = 0;
  for (const MemoryPart& part : memory.parts) {
    if (part.owner != MemoryOwner::MappedFile) continue;
    EXPECT_EQ(part.bytes, mapped[part.path]) << part.path;
    ++files;
  }
  EXPECT_GT(files, 10u);
}

class MemoryBesideSmaps : public testing::TestWithParam<const char*> {};

TEST_P(MemoryBesideSmaps, is_what_the_kernel_said_when_the_dump_was_made) {
  const std::vector<KernelMapping> kernel = readSmaps(GetParam());
  const ProcessMemory memory = memoryOf(opened(GetParam()));
  expectWithinOnePercent(memory.mappedBytes, bytesOf(kernel, [](const auto&) { return true; }), "all");
  const auto isFile = [](const KernelMapping& mapping) {
    return mapping.name.starts_with('/') && !mapping.name.starts_with("/memfd:");
  };
  expectWithinOnePercent(bytesOf(memory, [](const auto& part) { return part.owner == MemoryOwner::MappedFile; }),
                         bytesOf(kernel, isFile), "files");
  EXPECT_EQ(bytesOf(memory, [](const auto& part) { return part.name == "[heap]"; }),
            bytesOf(kernel, [](const auto& mapping) { return mapping.name == "[heap]"; }));
  // The main thread's stack is the one that the kernel names.
  const auto stack = bytesOf(kernel, [](const auto& mapping) { return mapping.name == "[stack]"; });
  EXPECT_EQ(bytesOf(memory, [](const auto& part) { return part.name == "thread 1"; }), stack);
  expectFilesOf(kernel, memory);
}

TEST_P(MemoryBesideSmaps, is_resident_within_the_bounds_that_are_told) {
  std::uint64_t anonymous = 0;
  std::uint64_t all = 0;
  for (const KernelMapping& mapping : readSmaps(GetParam())) {
    all += mapping.residentBytes;
    if (!mapping.name.starts_with('/') || mapping.name.starts_with("/memfd:")) anonymous += mapping.residentBytes;
  }
  const ProcessMemory memory = memoryOf(opened(GetParam()));
  // A page of [vdso] is in memory though the process has not touched it, and one was touched before the dump was made.
  constexpr std::uint64_t kSlackBytes = 8192;
  EXPECT_LE(memory.resident.atLeastBytes, anonymous + kSlackBytes);
  EXPECT_GE(memory.resident.atLeastBytes, anonymous / 3);  // the rest of it holds zeros
  EXPECT_GE(memory.mappedBytes, all);
  EXPECT_EQ(memory.resident.fileBytes,
            bytesOf(memory, [](const auto& part) { return part.owner == MemoryOwner::MappedFile; }));
  EXPECT_EQ(memory.resident.holeBytes, 0u);
  EXPECT_NE(residentText(memory).find("at least "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Dumps, MemoryBesideSmaps,
                         testing::Values("growth/before-10", "growth/after-10", "growth/after-9", "growth/after-11"));

template <class T>
T readFrom(const PatchedCore& file, std::uint64_t fileOffset) {
  T value{};
  std::memcpy(&value, file.readAt(fileOffset, sizeof value).data(), sizeof value);
  return value;
}

bool isZero(const std::vector<std::byte>& bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

class MemoryOfDumps : public testing::TestWithParam<const char*> {};

void expectDivided(const Snapshot& snapshot, const ProcessMemory& memory) {
  std::uint64_t mapped = 0;
  for (const Mapping& mapping : mappingsOf(*snapshot.contents().core, snapshot.summary().dump.kind).mappings)
    mapped += mapping.range.sizeBytes();
  EXPECT_EQ(memory.mappedBytes, mapped);
  EXPECT_EQ(bytesOf(memory, [](const auto&) { return true; }), mapped);
  for (const MemoryPart& part : memory.parts) {
    EXPECT_GT(part.bytes, 0u) << part.name;
    EXPECT_LE(part.inDumpBytes, part.bytes) << part.name;
  }
}

void expectObjectsOf(const Snapshot& snapshot, const ProcessMemory& memory) {
  const ObjectTotals totals = snapshot.totals();
  EXPECT_EQ(bytesOf(memory, [](const auto& part) { return part.owner == MemoryOwner::GcUsed; }),
            totals.bytes - totals.freeBytes);
  EXPECT_EQ(bytesOf(memory, [](const auto& part) { return part.owner == MemoryOwner::GcFree; }), totals.freeBytes);
}

void expectRuntimesOwn(const ProcessMemory& memory) {
  for (const MemoryOwner owner : {MemoryOwner::GcBookkeeping, MemoryOwner::LoaderHeap, MemoryOwner::JitCode,
                                  MemoryOwner::ThreadStack, MemoryOwner::MappedFile, MemoryOwner::NativeHeap})
    EXPECT_GT(bytesOf(memory, [owner](const auto& part) { return part.owner == owner; }), 4095u) << toString(owner);
  EXPECT_GT(memory.reservedBytes, memory.mappedBytes / 2);
  // What was set aside without access is in no part: the process never had so much.
  EXPECT_LT(memory.mappedBytes, 300u << 20);
}

TEST_P(MemoryOfDumps, is_divided_without_a_byte_twice_or_left_over) {
  const Snapshot snapshot = opened(GetParam());
  const ProcessMemory memory = memoryOf(snapshot);
  expectDivided(snapshot, memory);
  expectObjectsOf(snapshot, memory);
  expectRuntimesOwn(memory);
}

INSTANTIATE_TEST_SUITE_P(Dumps, MemoryOfDumps,
                         testing::Values("shop-8", "shop-9", "shop-8-segments", "shop-10-server", "shop-10-gcore"));

/// gcore's file made one of the kernel: no section headers, and the thread that died goes before the process.
void makeKernels(PatchedCore& file) {
  file.writeAt(offsetof(Elf64_Ehdr, e_shnum), std::as_bytes(std::span("\0", 2)));
  const auto header = readFrom<Elf64_Ehdr>(file, 0);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto part = readFrom<Elf64_Phdr>(file, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (part.p_type != PT_NOTE) continue;
    const auto bytesOfNote = [&](std::uint64_t at) {
      const auto note = readFrom<Elf64_Nhdr>(file, at);
      return sizeof note + alignUp(note.n_namesz, 4) + alignUp(note.n_descsz, 4);
    };
    const std::uint64_t first = bytesOfNote(part.p_offset);
    const std::uint64_t second = bytesOfNote(part.p_offset + first);
    auto notes = file.readAt(part.p_offset, first + second);
    std::rotate(notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(first), notes.end());
    return file.writeAt(part.p_offset, notes);
  }
}

// Beside the smaps of two programs of .NET 8.0.29 and 10.0.12, holes of the kernel's cores were 98% of the anonymous
// memory that was not resident, and never more than that.
TEST(HolesOfAKernelsCore, are_those_of_the_file_where_no_file_was_mapped) {
  PatchedCore file("shop-10-gcore");
  makeKernels(file);
  const Snapshot snapshot = opened(file.path());
  ASSERT_EQ(snapshot.summary().dump.kind, DumpKind::Kernel);
  const std::uint64_t holes = memoryOf(snapshot).resident.holeBytes;
  if (holes == 0) GTEST_SKIP() << "the temporary folder's file system has no holes";

  // The file was written without blocks of 64 KB that are all zeros.
  constexpr std::uint64_t kBlockBytes = 1 << 16;
  std::uint64_t expected = 0;
  std::optional<std::uint64_t> block;
  for (const Mapping& mapping : mappingsOf(file.core(), DumpKind::Kernel).mappings) {
    if (!mapping.path.empty()) continue;
    for (const LoadSegment& load : file.core().loads) {
      const Address start = std::max(mapping.range.start, load.range.start);
      const Address end = std::min(mapping.range.end, load.range.start + load.fileBytes);
      for (Address at = start; at < end;) {
        const std::uint64_t from = load.fileOffset + (at - load.range.start);
        const std::uint64_t whole = from / kBlockBytes * kBlockBytes;
        const std::uint64_t bytes = std::min<std::uint64_t>(whole + kBlockBytes - from, end - at);
        // Executable memory of the runtime is a file without a name.
        const bool isOfFile =
            std::ranges::any_of(file.core().files, [at](const auto& f) { return f.range.contains(at); });
        if (!isOfFile && whole + kBlockBytes <= file.sizeBytes() && isZero(file.readAt(whole, kBlockBytes))) {
          expected += bytes;
          if (bytes == kBlockBytes) block = whole;
        }
        at += bytes;
      }
    }
  }
  EXPECT_EQ(holes, expected);

  // Zeros that were written are no hole.
  ASSERT_TRUE(block);
  file.writeAt(*block, std::vector<std::byte>(kBlockBytes));
  EXPECT_EQ(memoryOf(opened(file.path())).resident.holeBytes, expected - kBlockBytes);
}

TEST(Mappings, of_a_kernels_core_without_rights_are_only_reserved) {
  ElfCore core;
  core.loads = {{.range = {{0x10000}, {0x20000}}, .flags = PF_R | PF_W},
                {.range = {{0x20000}, {0x90000}}, .flags = 0},
                {.range = {{0x90000}, {0xa0000}}, .flags = PF_R}};
  const ProcessMappings kernel = mappingsOf(core, DumpKind::Kernel);
  ASSERT_EQ(kernel.mappings.size(), 2u);
  ASSERT_EQ(kernel.reserved.size(), 1u);
  EXPECT_EQ(kernel.reserved[0].sizeBytes(), 0x70000u);
  // gdb says of all that it cannot write that it can be read.
  EXPECT_EQ(mappingsOf(core, DumpKind::Gcore).reserved.size(), 2u);
}

TEST(Mappings, take_a_files_name_where_one_is_mapped_within_a_segment) {
  ElfCore core;
  core.loads = {{.range = {{0x10000}, {0x40000}}, .flags = PF_R | PF_W}};
  core.files = {{.range = {{0x20000}, {0x30000}}, .path = "/lib/a.so"},
                {.range = {{0x28000}, {0x38000}}, .path = "/lib/b.so"}};  // overlaps, which no kernel would say
  const ProcessMappings mappings = mappingsOf(core, DumpKind::Heap);
  std::uint64_t bytes = 0;
  Address end;
  for (const Mapping& mapping : mappings.mappings) {
    EXPECT_GE(mapping.range.start, end);
    end = mapping.range.end;
    bytes += mapping.range.sizeBytes();
  }
  EXPECT_EQ(bytes, 0x30000u);
}

TEST(Claims, give_a_byte_to_the_first_who_wants_it) {
  MemoryClaims claims;
  claims.add({{0x3000}, {0x5000}}, MemoryOwner::LoaderHeap, "inner");
  claims.add({{0x0}, {~0ull}}, MemoryOwner::NativeHeap, "outer");
  claims.add({{0x4000}, {0x9000}}, MemoryOwner::JitCode, "late");
  claims.add({{0x9000}, {0x8000}}, MemoryOwner::JitCode, "backwards");
  const Snapshot snapshot = opened("growth/before-10");
  const auto parts = claims.divide({Mapping{{{0x2000}, {0x6000}}, false, {}}, Mapping{{{0x7000}, {0x8000}}, false, {}}},
                                   *snapshot.contents().memory, {});
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 2u);
  EXPECT_EQ((*parts)[0].bytes, 0x2000u);
  EXPECT_EQ((*parts)[1].bytes, 0x3000u);
  EXPECT_EQ((*parts)[1].mappings, 2u);
}

}  // namespace
}  // namespace heapscape::engine
