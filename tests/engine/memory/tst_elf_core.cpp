// SPDX-License-Identifier: MIT
#include "memory/elf/elf_core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "support/builders/core_builder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

ElfCore parsed(const FileBytes& file) {
  auto core = parseElfCore(file);
  if (!core) throw std::runtime_error(core.error().message());
  return std::move(*core);
}

ElfCore parsed(const CoreBuilder& builder) {
  return parsed(builder.build());
}

TEST(ElfCore, ReadsSegmentsInAddressOrder) {
  const ElfCore core = parsed(CoreBuilder().memory(0x9000, pattern(0x1000)).memory(0x1000, pattern(0x2000), 0x4000));
  ASSERT_EQ(core.loads.size(), 2u);
  EXPECT_EQ(core.loads[0].range, (AddressRange{{0x1000}, {0x5000}}));
  EXPECT_EQ(core.loads[0].fileBytes, 0x2000u);
  EXPECT_EQ(core.loads[0].flags, std::uint32_t{PF_R | PF_W});
  EXPECT_EQ(core.loads[1].range, (AddressRange{{0x9000}, {0xa000}}));
  EXPECT_LT(core.loads[1].fileOffset, core.loads[0].fileOffset);
  EXPECT_EQ(core.missingFileBytes, 0u);
  EXPECT_TRUE(core.findings.items().empty());
}

TEST(ElfCore, ReadsTheProcess) {
  const ElfCore core = parsed(CoreBuilder().memory(0x1000, pattern(16)).process(4711, "dotnet", "dotnet shop.dll 12 "));
  EXPECT_EQ(core.pid, 4711u);
  EXPECT_EQ(core.command, "dotnet shop.dll 12");
}

TEST(ElfCore, NamesTheProcessByItsFileWithoutArguments) {
  const ElfCore core = parsed(CoreBuilder().memory(0x1000, pattern(16)).process(1, "sixteen-letters!", ""));
  EXPECT_EQ(core.command, "sixteen-letters!");
}

TEST(ElfCore, ReadsThreads) {
  const ElfCore core =
      parsed(CoreBuilder().memory(0x1000, pattern(16)).thread(11, 0x7ff0, 0x4010).thread(12, 0x8ff0, 0x4020));
  ASSERT_EQ(core.threads.size(), 2u);
  EXPECT_EQ(core.threads[0].osId, 11u);
  EXPECT_EQ(core.threads[1].stackPointer(), Address{0x8ff0});
  EXPECT_EQ(core.threads[1].instructionPointer(), Address{0x4020});
  EXPECT_EQ(core.pid, 11u) << "the first thread is the process where nothing else says so";
}

// struct elf_prstatus of arm64, with registers that tell their numbers.
FileBytes statusOfArm64(std::uint32_t osId) {
  FileBytes bytes(392);
  std::memcpy(bytes.data() + 32, &osId, sizeof osId);
  for (std::uint64_t i = 0; i < 34; ++i) std::memcpy(bytes.data() + 112 + 8 * i, &i, sizeof i);
  return bytes;
}

FileBytes words(std::initializer_list<std::uint64_t> values) {
  FileBytes bytes(8 * values.size());
  std::memcpy(bytes.data(), std::data(values), bytes.size());
  return bytes;
}

TEST(ElfCore, ReadsAnArm64Process) {
  const auto asArm64 = [](Elf64_Ehdr& header) { header.e_machine = EM_AARCH64; };
  CoreBuilder builder;
  builder.header(asArm64).memory(0x1000, pattern(16)).auxiliary(AT_PAGESZ, 16384);
  const ElfCore bare = parsed(builder.note("CORE", NT_PRSTATUS, statusOfArm64(11)));
  EXPECT_EQ(bare.architecture, Architecture::Arm64);
  EXPECT_EQ(bare.pageBytes(), 16384u);
  EXPECT_EQ(bare.signatureBits, 0xffff'0000'0000'0000u);
  ASSERT_EQ(bare.threads.size(), 1u);
  EXPECT_EQ(bare.threads[0].architecture, Architecture::Arm64);
  EXPECT_EQ(bare.threads[0].stackPointer(), Address{31});
  EXPECT_EQ(bare.threads[0].instructionPointer(), Address{32});
  EXPECT_EQ(bare.threads[0].threadPointer(), Address{}) << "createdump does not write it";

  builder.note("CORE", NT_FPREGSET, FileBytes(528)).note("LINUX", NT_ARM_TLS, words({0xffff00001234, 0}));
  const ElfCore kernels = parsed(builder.note("LINUX", NT_ARM_PAC_MASK, words({0, 0x7f'0000'0000'0000})));
  EXPECT_EQ(kernels.threads[0].threadPointer(), Address{0xffff00001234});
  EXPECT_EQ(kernels.threads[0].floatRegisters.size(), 32u);
  EXPECT_EQ(kernels.signatureBits, 0x7f'0000'0000'0000u);
}

TEST(ElfCore, TakesPagesOfFourKibibytesWhereNothingElseIsTold) {
  EXPECT_EQ(parsed(CoreBuilder().memory(0x1000, pattern(16))).pageBytes(), 4096u);
  EXPECT_EQ(parsed(CoreBuilder().memory(0x1000, pattern(16)).auxiliary(AT_PAGESZ, 5000)).pageBytes(), 4096u);
}

TEST(ElfCore, ReadsMappedFilesInAddressOrder) {
  const ElfCore core = parsed(CoreBuilder()
                                  .memory(0x1000, pattern(16))
                                  .mappedFile({{0x9000}, {0xa000}}, 0x3000, "/usr/lib/b.so")
                                  .mappedFile({{0x5000}, {0x6000}}, 0, "/usr/lib/a.so"));
  ASSERT_EQ(core.files.size(), 2u);
  EXPECT_EQ(core.files[0].path, "/usr/lib/a.so");
  EXPECT_EQ(core.files[1].path, "/usr/lib/b.so");
  EXPECT_EQ(core.files[1].range, (AddressRange{{0x9000}, {0xa000}}));
  EXPECT_EQ(core.files[1].fileOffset, 0x3000u);
}

TEST(ElfCore, TakesSharedMemoryForNoFile) {
  const ElfCore core = parsed(CoreBuilder()
                                  .memory(0x1000, pattern(16))
                                  .mappedFile({{0x5000}, {0x6000}}, 0, "/dev/zero (deleted)")
                                  .mappedFile({{0x9000}, {0xa000}}, 0, "/usr/lib/b.so"));
  ASSERT_EQ(core.files.size(), 1u);
  EXPECT_EQ(core.files[0].path, "/usr/lib/b.so");
}

TEST(ElfCore, SaysThatItsListOfMappedFilesContradictsItself) {
  const auto findings = [](AddressRange first, AddressRange second) {
    const ElfCore core =
        parsed(CoreBuilder().memory(0x1000, pattern(16)).mappedFile(first, 0, "/a.so").mappedFile(second, 0, "/b.so"));
    return core.findings.items().size();
  };
  EXPECT_EQ(findings({{0x5000}, {0x6000}}, {{0x6000}, {0x7000}}), 0u);
  EXPECT_EQ(findings({{0x5000}, {0x6001}}, {{0x6000}, {0x7000}}), 1u);
  EXPECT_EQ(findings({{0x9000}, {0xa000}}, {{0x5000}, {0xf000}}), 1u);
  EXPECT_EQ(findings({{0x5000}, {0x5000}}, {{0x6000}, {0x7000}}), 1u);
  EXPECT_EQ(findings({{0x5000}, {0x4000}}, {{0x6000}, {0x7000}}), 1u);
}

TEST(ElfCore, ReadsTheAuxiliaryVector) {
  const ElfCore core =
      parsed(CoreBuilder().memory(0x1000, pattern(16)).auxiliary(AT_PAGESZ, 4096).auxiliary(AT_ENTRY, 7));
  ASSERT_EQ(core.auxiliaryVector.size(), 2u);
  EXPECT_EQ(core.auxiliaryVector[0].type, std::uint64_t{AT_PAGESZ});
  EXPECT_EQ(core.auxiliaryVector[1].value, 7u);
}

TEST(ElfCore, IgnoresNotesOfOthers) {
  const ElfCore core = parsed(CoreBuilder()
                                  .memory(0x1000, pattern(16))
                                  .note("LINUX", NT_PRSTATUS, FileBytes(336))
                                  .note("CORE", NT_PRSTATUS, FileBytes(20))
                                  .thread(5, 0, 0));
  ASSERT_EQ(core.threads.size(), 1u);
  EXPECT_EQ(core.threads[0].osId, 5u);
}

TEST(ElfCore, SaysWhereItsNotesBreakOff) {
  FileBytes file =
      CoreBuilder().memory(0x1000, pattern(64)).process(7, "shop", "shop --all").thread(7, 0x10, 0x20).build();
  EXPECT_TRUE(parseElfCore(file)->findings.items().empty());
  // The first note says that it is longer than all of them.
  const std::string owner = "CORE";
  const auto name = std::search(file.begin(), file.end(), reinterpret_cast<const std::byte*>(owner.data()),
                                reinterpret_cast<const std::byte*>(owner.data() + owner.size()));
  ASSERT_NE(name, file.end());
  constexpr std::ptrdiff_t kHighByteOfSize = 5;
  *(name - kHighByteOfSize) = std::byte{0x7f};
  const auto core = parseElfCore(file);
  ASSERT_TRUE(core);
  EXPECT_EQ(core->findings.items().size(), 1u);
}

TEST(ElfCore, SaysThatItsNotesHaveLostAThread) {
  const auto findings = [](int states) {
    CoreBuilder builder;
    builder.memory(0x1000, pattern(16)).thread(5, 0, 0).thread(6, 0, 0);
    for (int state = 0; state < states; ++state) builder.note("CORE", NT_FPREGSET, FileBytes(512));
    return parsed(builder).findings.items().size();
  };
  EXPECT_EQ(findings(0), 0u) << "nobody has to write them";
  EXPECT_EQ(findings(2), 0u);
  EXPECT_EQ(findings(1), 1u);
  EXPECT_EQ(findings(3), 1u);
}

TEST(ElfCore, IsNotFooledByAFileTableThatLies) {
  for (const std::uint64_t count : {std::uint64_t{2}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    const std::array<std::uint64_t, 5> table{count, 4096, 0x1000, 0x2000, 0};
    const auto bytes = std::as_bytes(std::span(table));
    const ElfCore core = parsed(
        CoreBuilder().memory(0x1000, pattern(16)).note("CORE", NT_FILE, {bytes.begin(), bytes.end()}).thread(9, 0, 0));
    EXPECT_TRUE(core.files.empty());
    EXPECT_EQ(core.threads.size(), 1u);
  }
}

TEST(ElfCore, ReadsMoreSegmentsThanTheHeaderCanCount) {
  constexpr std::size_t kSegments = 70'000;
  CoreBuilder builder;
  builder.dataAlignment(1).thread(3, 0, 0);
  for (std::size_t index = 0; index < kSegments; ++index) builder.memory(0x10000 + index * 0x2000, pattern(8));
  FileBytes file = builder.build();
  EXPECT_EQ(parsed(file).loads.size(), kSegments);

  // The kernel puts the count at the end, where a file that is cut has lost it.
  file.resize(file.size() - 8);
  const ElfCore cut = parsed(file);
  EXPECT_EQ(cut.loads.size(), kSegments);
  EXPECT_EQ(cut.threads.size(), 1u);
  ASSERT_EQ(cut.findings.items().size(), 1u);
  EXPECT_EQ(cut.findings.items()[0].kind, FindingKind::DumpTruncated);
}

TEST(ElfCore, ReadsAnExtendedCountOfFewSegments) {
  EXPECT_EQ(
      parsed(CoreBuilder().memory(0x1000, pattern(16)).memory(0x3000, pattern(16)).withExtendedCount()).loads.size(),
      2u);
}

TEST(ElfCore, RefusesMoreSegmentsThanAnyDumpHas) {
  FileBytes file = CoreBuilder().memory(0x1000, pattern(16)).withExtendedCount().build();
  Elf64_Shdr* section = reinterpret_cast<Elf64_Shdr*>(file.data() + file.size() - sizeof(Elf64_Shdr));
  section->sh_info = 0xffffffff;
  const auto core = parseElfCore(file);
  ASSERT_FALSE(core);
  EXPECT_EQ(core.error().code, ErrorCode::NotACoreDump);
}

TEST(ElfCore, RefusesMoreSectionsThanAnyDumpHas) {
  FileBytes file = CoreBuilder()
                       .memory(0x1000, pattern(16))
                       .withExtendedCount()
                       .header([](auto& header) { header.e_shnum = 0; })
                       .build();
  Elf64_Shdr* section = reinterpret_cast<Elf64_Shdr*>(file.data() + file.size() - sizeof(Elf64_Shdr));
  section->sh_size = 1ull << 40;
  EXPECT_FALSE(parseElfCore(file));
}

TEST(ElfCore, KeepsTheFirstOfTwoOverlappingSegments) {
  const ElfCore core = parsed(
      CoreBuilder().memory(0x3000, pattern(0x1000)).memory(0x1000, pattern(0x2800)).memory(0x5000, pattern(0x1000)));
  ASSERT_EQ(core.loads.size(), 2u);
  EXPECT_EQ(core.loads[0].range.start, Address{0x1000});
  EXPECT_EQ(core.loads[1].range.start, Address{0x5000});
  ASSERT_EQ(core.findings.items().size(), 1u);
  EXPECT_EQ(core.findings.items()[0].kind, FindingKind::MemoryMissing);
  EXPECT_EQ(core.findings.items()[0].address, Address{0x3000});
}

constexpr std::uint64_t kPages = 16;

Elf64_Phdr& segmentHeader(FileBytes& file, std::size_t index) {
  return reinterpret_cast<Elf64_Phdr*>(file.data() + sizeof(Elf64_Ehdr))[index];
}

// What is said of a dump of pages, each at an address of its own, after `damage` was done to the header of one.
std::vector<std::string> saidOf(std::function<void(Elf64_Phdr&)> damage) {
  CoreBuilder builder;
  for (std::uint64_t index = 0; index < kPages; ++index) builder.memory(0x100000 * (index + 1), pattern(0x3000));
  FileBytes file = builder.build();
  damage(segmentHeader(file, kPages / 2));
  std::vector<std::string> said;
  const ElfCore core = parsed(file);
  for (const Finding& finding : core.findings.items()) said.push_back(finding.message);
  return said;
}

TEST(ElfCore, SaysNothingOfSegmentsInOrder) {
  EXPECT_TRUE(saidOf([](Elf64_Phdr&) {}).empty());
}

TEST(ElfCore, SaysWhatAFlippedBitDidToASegment) {
  const std::vector<std::pair<std::function<void(Elf64_Phdr&)>, std::string>> damages{
      {[](auto& segment) { segment.p_type ^= 4; }, "12.0 KB is neither memory nor notes"},
      {[](auto& segment) { segment.p_vaddr ^= 0x1000000; }, "one is not in the order of addresses"},
      {[](auto& segment) { segment.p_vaddr ^= 8; }, "one is aligned otherwise in memory than in the file"},
      {[](auto& segment) { segment.p_offset ^= 0x40; }, "two have the same bytes of the file"},
      {[](auto& segment) { segment.p_filesz ^= 0x1000; }, "4.00 KB of the file, between two of them, belong to none"},
      {[](auto& segment) { segment.p_filesz ^= 0x4000; }, "one of 12.0 KB has 28.0 KB in the file"},
      {[](auto& segment) { segment.p_memsz ^= 0x1000; }, "one of 8.00 KB has 12.0 KB in the file"},
  };
  for (const auto& [damage, expected] : damages) {
    const std::vector<std::string> said = saidOf(damage);
    EXPECT_TRUE(std::ranges::any_of(said, [&](const std::string& finding) {
      return finding.find(expected) != finding.npos;
    })) << expected;
  }
}

TEST(ElfCore, TakesAnotherOrderOfAllSegmentsAsItIs) {
  CoreBuilder builder;
  for (std::uint64_t index = kPages; index > 0; --index) builder.memory(0x100000 * index, pattern(0x1000));
  EXPECT_TRUE(parsed(builder).findings.items().empty());
}

TEST(ElfCore, LeavesOutASegmentBehindTheLastAddress) {
  const ElfCore core =
      parsed(CoreBuilder().memory(0x1000, pattern(16)).memory(0xfffffffffffff000, pattern(16), 0x2000));
  ASSERT_EQ(core.loads.size(), 1u);
  ASSERT_EQ(core.findings.items().size(), 1u);
}

TEST(ElfCore, HoldsFileBytesAgainstMemoryBytes) {
  const ElfCore core = parsed(CoreBuilder().memory(0x1000, pattern(0x2000), 0x1000));
  ASSERT_EQ(core.loads.size(), 1u);
  EXPECT_EQ(core.loads[0].fileBytes, 0x1000u);
}

TEST(ElfCore, SaysWhatACutFileLost) {
  FileBytes file = CoreBuilder().memory(0x10000, pattern(0x3000)).memory(0x20000, pattern(0x3000)).build();
  const std::size_t whole = file.size();
  file.resize(file.size() - 0x4000);
  const ElfCore core = parsed(file);
  ASSERT_EQ(core.loads.size(), 2u);
  EXPECT_EQ(core.loads[0].fileBytes, 0x2000u);
  EXPECT_EQ(core.loads[1].fileBytes, 0u);
  EXPECT_EQ(core.loads[1].range.sizeBytes(), 0x3000u);
  EXPECT_EQ(core.missingFileBytes, 0x4000u);
  EXPECT_EQ(core.fileBytes, file.size());
  ASSERT_EQ(core.findings.items().size(), 1u);
  const Finding& finding = core.findings.items()[0];
  EXPECT_EQ(finding.kind, FindingKind::DumpTruncated);
  EXPECT_EQ(finding.address, Address{0x12000});
  EXPECT_NE(finding.message.find(std::to_string(whole)), std::string::npos) << finding.message;
  EXPECT_NE(finding.message.find("16.0 KB are missing"), std::string::npos) << finding.message;
}

TEST(ElfCore, UsesNotesThatGoBeyondTheEndOfTheFile) {
  const FileBytes file = CoreBuilder()
                             .rawSegment({PT_NOTE, 0, 64 + 56 * 3, 0, 0, ~0ull >> 1, 0, 4})
                             .memory(0x1000, pattern(16))
                             .thread(77, 0, 0)
                             .build();
  const ElfCore core = parsed(file);
  ASSERT_FALSE(core.threads.empty());
  EXPECT_EQ(core.threads[0].osId, 77u);
  EXPECT_GT(core.missingFileBytes, 0u);
}

TEST(ElfCore, EndsOnManySegmentsThatShareTheirNotes) {
  CoreBuilder builder;
  builder.memory(0x1000, pattern(16));
  for (std::uint32_t index = 0; index < 1000; ++index) builder.thread(index, 0, 0);
  for (int index = 0; index < 20'000; ++index) builder.rawSegment({PT_NOTE, 0, 64 + 56 * 20'002, 0, 0, 350'000, 0, 4});
  EXPECT_LE(parsed(builder).threads.size(), 100'000u);
}

}  // namespace
}  // namespace heapscape::engine
