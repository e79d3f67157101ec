// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "base/limits.h"
#include "memory/dump_file.h"
#include "memory/packing/unpacked_core.h"
#include "opened_dump_file.h"
#include "support/opened_core.h"
#include "support/packed.h"
#include "support/zstandard.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

FileBytes core(std::size_t memoryBytes, unsigned seed = 1) {
  return CoreBuilder().memory(0x10000, pattern(memoryBytes, seed)).build();
}

FileBytes joined(FileBytes first, const FileBytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class PackedDump : public OpenedDumpFile {
 protected:
  PackedDump() : OpenedDumpFile("dump") {}

  std::string named(const std::string& rest) const { return m_path.string() + rest; }
};

struct Method {
  std::string name;
  std::function<FileBytes(Bytes)> pack;
};

void PrintTo(const Method& method, std::ostream* stream) {
  *stream << method.name;
}

class CompressedDump : public PackedDump, public testing::WithParamInterface<Method> {
 protected:
  FileBytes pack(const FileBytes& bytes) const { return GetParam().pack(bytes); }
};

TEST_P(CompressedDump, GivesTheBytesBack) {
  const FileBytes bytes = pattern(3'000'000);
  const auto file = opened(pack(bytes));
  EXPECT_TRUE(file->isCompressed());
  EXPECT_EQ(file->damage(), "");
  EXPECT_EQ(file->nameInArchive(), "");
  EXPECT_TRUE(std::ranges::equal(file->bytes(), bytes));
  EXPECT_TRUE(isPackedFile(m_folder / "dump"));
}

TEST_P(CompressedDump, ReadsPartsThatFollowEachOther) {
  const FileBytes first = pattern(1 << 20, 1);
  const FileBytes second = pattern(300'000, 2);
  const auto file = opened(joined(pack(first), pack(second)));
  EXPECT_EQ(file->damage(), "");
  EXPECT_TRUE(std::ranges::equal(file->bytes(), joined(first, second)));
}

TEST_P(CompressedDump, KeepsWhatACutFileStillHolds) {
  const FileBytes bytes = pattern(3'000'000);
  FileBytes file = pack(bytes);
  file.resize(file.size() / 2);
  const auto dump = opened(file);
  EXPECT_EQ(dump->damage(), "the compressed file ends early");
  ASSERT_GT(dump->bytes().size(), 1'000'000u);
  ASSERT_LT(dump->bytes().size(), bytes.size());
  EXPECT_TRUE(std::ranges::equal(dump->bytes(), Bytes(bytes).first(dump->bytes().size())));
}

TEST_P(CompressedDump, NoticesAChangedByteAnywhere) {
  const FileBytes bytes = pattern(200'000);
  const FileBytes whole = pack(bytes);
  for (const std::size_t at : {whole.size() / 3, whole.size() / 2, whole.size() - 40}) {
    FileBytes file = whole;
    file[at] ^= std::byte{0x10};
    const auto outcome = open(file);
    if (!outcome) continue;  // nothing at all came out
    EXPECT_NE((*outcome)->damage(), "") << at;
  }
}

TEST_P(CompressedDump, KeepsWhatComesBeforeForeignBytes) {
  const FileBytes bytes = pattern(500'000);
  const auto dump = opened(joined(pack(bytes), pattern(100)));
  EXPECT_NE(dump->damage(), "");
  EXPECT_TRUE(std::ranges::equal(dump->bytes(), bytes));
}

TEST_P(CompressedDump, IsNeverMoreThanAnError) {
  const FileBytes file = pack(core(20'000));
  for (std::size_t size = 1; size < file.size(); size += 211) {
    const auto outcome = open(FileBytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
    if (outcome) static_cast<void>(parseElfCore((*outcome)->bytes()));
  }
}

TEST_P(CompressedDump, LeavesZerosOutOfTheTemporaryFile) {
  FileBytes bytes(24 << 20);
  std::ranges::copy(pattern(10'000), bytes.begin() + (8 << 20) + 100);
  bytes.back() = std::byte{1};
  const auto file = opened(pack(bytes));
  EXPECT_TRUE(std::ranges::equal(file->bytes(), bytes));
  struct stat status {};
  ASSERT_EQ(::fstat(file->descriptor(), &status), 0);
  EXPECT_LT(status.st_blocks * 512, 1 << 20);
}

TEST_P(CompressedDump, IsReadOutOfATarInside) {
  const FileBytes bytes = core(2'000'000);
  const auto file = opened(pack(tarred({{"notes.txt", pattern(700)}, {"dumps/core.12", bytes}})));
  EXPECT_TRUE(file->isCompressed());
  EXPECT_EQ(file->damage(), "");
  EXPECT_EQ(file->nameInArchive(), "dumps/core.12");
  EXPECT_EQ(file->coresInArchive(), 1u);
  EXPECT_TRUE(std::ranges::equal(file->bytes(), bytes));
}

TEST_P(CompressedDump, KeepsWhatACutTarInsideHolds) {
  const FileBytes bytes = core(2'000'000);
  FileBytes file = pack(tarred({{"core.12", bytes}}));
  file.resize(file.size() / 2);
  const auto dump = opened(file);
  EXPECT_EQ(dump->damage(), "the compressed file ends early");
  ASSERT_GT(dump->bytes().size(), 800'000u);
  EXPECT_TRUE(std::ranges::equal(dump->bytes(), Bytes(bytes).first(dump->bytes().size())));
}

TEST_P(CompressedDump, ComesOutOfAnotherOne) {
  const FileBytes bytes = core(500'000);
  EXPECT_TRUE(std::ranges::equal(opened(pack(compressed(bytes)))->bytes(), bytes));
  EXPECT_TRUE(std::ranges::equal(opened(gzipped(pack(bytes)))->bytes(), bytes));
}

INSTANTIATE_TEST_SUITE_P(Methods, CompressedDump,
                         testing::Values(Method{"Zstandard", [](Bytes bytes) { return compressed(bytes); }},
                                         Method{"gzip", &gzipped}, Method{"xz", &xzCompressed},
                                         Method{"LZ4", &lz4Compressed}),
                         [](const auto& method) { return method.param.name; });

using TarredDump = PackedDump;

TEST_F(TarredDump, IsMappedWhereItLies) {
  const FileBytes bytes = core(300'000);
  const FileBytes file = tarred({{"readme", pattern(600)}, {"core", bytes}, {"log", pattern(5)}});
  const auto dump = opened(file);
  EXPECT_FALSE(dump->isCompressed());
  EXPECT_FALSE(isPackedFile(m_folder / "dump"));
  EXPECT_EQ(dump->damage(), "");
  EXPECT_EQ(dump->nameInArchive(), "core");
  EXPECT_TRUE(std::ranges::equal(dump->bytes(), bytes));
  EXPECT_TRUE(std::ranges::equal(dump->bytes(), Bytes(file).subspan(dump->fileOffset(), bytes.size())));
}

TEST_F(TarredDump, IsReadOverSegmentsThatLieApart) {
  CoreBuilder builder;
  builder.memory(0x11000, pattern(4 << 20, 1)).memory(0x411000, pattern(4 << 20, 2));
  writeFile(m_folder / "dump", tarred({{"core", builder.build()}}));
  const OpenedCore dump(m_folder / "dump");
  const auto view = dump.space().view({{0x11000}, {0x11000 + (8 << 20)}});
  ASSERT_TRUE(view);
  EXPECT_TRUE(std::ranges::equal(view->bytes, joined(pattern(4 << 20, 1), pattern(4 << 20, 2))));
}

TEST_F(TarredDump, IsTheLargestOfSeveral) {
  const FileBytes large = core(400'000, 2);
  const std::vector<PackedFile> files{{"core.1", core(9'000, 1)}, {"core.2", large}, {"core.3", core(90'000, 3)}};
  for (const FileBytes& archive : {tarred(files), gzipped(tarred(files))}) {
    const auto dump = opened(archive);
    EXPECT_EQ(dump->nameInArchive(), "core.2");
    EXPECT_EQ(dump->coresInArchive(), 3u);
    EXPECT_TRUE(std::ranges::equal(dump->bytes(), large));
  }
}

TEST_F(TarredDump, MayBeSparse) {
  FileBytes bytes = core(3'000'000);
  std::fill(bytes.begin() + 500'000, bytes.begin() + 2'500'000, std::byte{0});
  for (const FileBytes& archive : {tarred({{"core", bytes, true}}), compressed(tarred({{"core", bytes, true}}))}) {
    EXPECT_LT(tarred({{"core", bytes, true}}).size(), 1'200'000u);
    const auto dump = opened(archive);
    EXPECT_EQ(dump->damage(), "");
    EXPECT_TRUE(std::ranges::equal(dump->bytes(), bytes));
  }
}

TEST_F(TarredDump, IsReadAsFarAsACutArchiveGoes) {
  const FileBytes bytes = core(300'000);
  FileBytes file = tarred({{"core", bytes}});
  file.resize(file.size() / 2);
  const auto dump = opened(file);
  EXPECT_EQ(dump->damage(), "the tar archive ends early");
  EXPECT_GT(dump->bytes().size(), 100'000u);
  EXPECT_TRUE(std::ranges::equal(dump->bytes(), Bytes(bytes).first(dump->bytes().size())));
}

TEST_F(TarredDump, IsMissedByName) {
  const Error error = errorOf(tarred({{"a.txt", pattern(10)}, {"b.log", pattern(10)}}));
  EXPECT_EQ(error.code, ErrorCode::NotACoreDump);
  EXPECT_EQ(error.what, named(" is a tar archive without a core dump: it holds a.txt, b.log."));
  std::vector<PackedFile> many;
  for (int i = 0; i < 9; ++i) many.push_back({"f" + std::to_string(i), pattern(3)});
  EXPECT_EQ(errorOf(gzipped(tarred(many))).what,
            named(" is a tar archive without a core dump: it holds f0, f1, f2, f3, f4 and 4 more."));
  const Error nested = errorOf(tarred({{"core.gz", gzipped(core(1000))}}));
  EXPECT_EQ(nested.help, "Take core.gz out of it and open that.");
}

TEST_F(TarredDump, NeverPrintsWhatANameDoesToATerminal) {
  const Error error = errorOf(tarred({{"a\x1b[31m\nb", pattern(10)}}));
  EXPECT_EQ(error.what.find('\x1b'), std::string::npos);
  EXPECT_EQ(error.what.find('\n'), std::string::npos);
}

TEST_F(TarredDump, IsNeverMoreThanAnErrorWhereHeadersAreDamaged) {
  const FileBytes whole = tarred({{"x", pattern(700)}, {"core", core(20'000), true}});
  for (std::size_t at = 0; at < 2048; at += 7) {
    FileBytes file = whole;
    file[at] ^= std::byte{0x41};
    const auto outcome = open(file);
    if (outcome) static_cast<void>(parseElfCore((*outcome)->bytes()));
  }
}

TEST_F(PackedDump, IsRefusedWhenItIsPackedTooOften) {
  FileBytes file = core(1000);
  for (std::size_t i = 0; i <= kLimits.packingDepth; ++i) file = gzipped(file);
  EXPECT_EQ(errorOf(file).what, named(" is compressed more than 4 times over."));
}

TEST_F(PackedDump, IsCancelledSoonThoughItIsABomb) {
  // 20 GB of zeros in a few kilobytes.
  FileBytes file;
  const FileBytes frame = compressed(FileBytes(100 << 20));
  for (int i = 0; i < 200; ++i) file = joined(std::move(file), frame);
  for (const FileBytes& bomb : {file, gzipped(file)}) {
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    std::jthread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      asked = std::chrono::steady_clock::now();
      stop.request_stop();
    });
    const auto outcome = open(bomb, stop.get_token());
    const auto ended = std::chrono::steady_clock::now();
    canceller.join();
    ASSERT_FALSE(outcome);
    EXPECT_TRUE(outcome.error().isCancelled());
    EXPECT_LT(ended - asked, std::chrono::milliseconds(100));
  }
}

}  // namespace
}  // namespace heapscape::engine
