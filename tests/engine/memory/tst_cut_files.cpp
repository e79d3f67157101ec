// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "memory/elf/elf_core.h"
#include "support/builders/core_builder.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

FileBytes sampleCore() {
  CoreBuilder builder;
  builder.process(42, "dotnet", "dotnet app.dll")
      .thread(42, 0x7000, 0x4000)
      .thread(43, 0x8000, 0x5000)
      .auxiliary(AT_PAGESZ, 4096)
      .mappedFile({{0x100000}, {0x101000}}, 0, "/usr/lib/libcoreclr.so")
      .mappedFile({{0x101000}, {0x103000}}, 0x1000, "/usr/lib/libcoreclr.so")
      .memory(0x10000, pattern(0x1800, 1), 0x3000)
      .memory(0x20000, pattern(0x2000, 2))
      .memory(0x22000, pattern(0x1000, 3))
      .leftOut(0x30000, 0x1000)
      .withExtendedCount();
  return builder.build();
}

/// A copy of exactly its size, so that a read behind it is seen by the address sanitizer.
FileBytes exactCopy(Bytes bytes) {
  FileBytes copy;
  copy.reserve(bytes.size());
  copy.assign(bytes.begin(), bytes.end());
  return copy;
}

void expectConsistent(const Result<ElfCore>& core, std::size_t fileBytes) {
  if (!core) {
    EXPECT_FALSE(core.error().what.empty());
    EXPECT_FALSE(core.error().help.empty());
    return;
  }
  Address end{0};
  for (const LoadSegment& load : core->loads) {
    EXPECT_GE(load.range.start, end);
    EXPECT_LE(load.fileBytes, load.range.sizeBytes());
    if (load.fileBytes > 0) {
      EXPECT_LE(load.fileOffset, fileBytes);
      EXPECT_LE(load.fileBytes, fileBytes - load.fileOffset);
    }
    end = load.range.end;
  }
}

TEST(CutFiles, AreReadAtEveryLength) {
  const FileBytes whole = sampleCore();
  bool sawTruncated = false;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const FileBytes file = exactCopy(Bytes(whole).first(size));
    const auto core = parseElfCore(file);
    expectConsistent(core, size);
    if (!core) {
      EXPECT_EQ(core.error().code, size > 0 ? ErrorCode::Truncated : ErrorCode::NotACoreDump) << size;
      continue;
    }
    sawTruncated = true;
    ASSERT_FALSE(core->findings.items().empty()) << "cut at " << size;
    EXPECT_EQ(core->findings.items().front().kind, FindingKind::DumpTruncated);
    EXPECT_EQ(core->threads.size(), 2u);
    EXPECT_EQ(core->files.size(), 2u);
  }
  EXPECT_TRUE(sawTruncated);
  EXPECT_TRUE(parseElfCore(whole)->findings.items().empty());
}

TEST(CutFiles, StillGiveTheMemoryBeforeTheCut) {
  const TemporaryFolder folder;
  const FileBytes whole = sampleCore();
  const ElfCore expected = *parseElfCore(whole);
  const LoadSegment second = expected.loads[1];
  ASSERT_EQ(second.range.start, Address{0x20000});
  writeFile(folder / "core", Bytes(whole).first(second.fileOffset + 0x1234));
  const OpenedCore core(folder / "core");
  EXPECT_TRUE(core.space().holds({{0x20000}, {0x21234}}));
  std::byte value{};
  EXPECT_TRUE(core.space().tryRead({0x21233}, value));
  EXPECT_EQ(value, pattern(0x2000, 2)[0x1233]);
  EXPECT_FALSE(core.space().tryRead({0x21234}, value));
  EXPECT_FALSE(core.space().tryRead({0x22000}, value));
}

TEST(CutFiles, WithDamagedBytesAreReadWithoutACrash) {
  const FileBytes whole = sampleCore();
  std::mt19937 random(20240611);
  for (int round = 0; round < 20'000; ++round) {
    FileBytes file = exactCopy(whole);
    for (int change = 0; change < 4; ++change) {
      // Mostly in the headers and notes, where it hurts.
      const std::size_t place = random() % (round % 4 == 0 ? file.size() : 2500);
      file[place] = static_cast<std::byte>(random());
    }
    if (round % 3 == 0) file.resize(random() % file.size());
    file.shrink_to_fit();
    expectConsistent(parseElfCore(file), file.size());
  }
}

TEST(CutFiles, WithExtremeValuesAreReadWithoutACrash) {
  const FileBytes whole = sampleCore();
  for (std::size_t place = 0; place + 8 <= 2500; place += 2) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{0x7fffffff}}) {
      FileBytes file = exactCopy(whole);
      std::memcpy(file.data() + place, &value, sizeof value);
      expectConsistent(parseElfCore(file), file.size());
    }
  }
}

}  // namespace
}  // namespace heapscape::engine
