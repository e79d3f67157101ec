// SPDX-License-Identifier: MIT
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "session/snapshot/contents.h"
#include "support/builders/core_builder.h"
#include "support/opened_core.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

const RuntimeLibrary& libraryOf(const Snapshot& snapshot) {
  return snapshot.contents().readers->runtime.library();
}

/// Writes another text over each place where a part of the core file has one; gives their number.
std::size_t replaceText(PatchedCore& file, std::uint64_t fileOffset, std::uint64_t size, std::string_view from,
                        std::string_view to) {
  const auto bytes = file.readAt(fileOffset, size);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::size_t count = 0;
  for (auto at = text.find(from); at != std::string_view::npos; at = text.find(from, at + 1), ++count) {
    file.writeAt(fileOffset + at, std::as_bytes(std::span(to.data(), to.size())));
  }
  return count;
}

/// The same in what the dump holds of a mapped file.
std::size_t replaceTextOf(PatchedCore& file, const std::string& path, std::string_view from, std::string_view to) {
  std::size_t count = 0;
  for (const MappedFile& mapped : file.core().files) {
    if (mapped.path != path) continue;
    for (const LoadSegment& load : file.core().loads) {
      const Address start = std::max(load.range.start, mapped.range.start);
      const Address end = std::min(load.range.start + load.fileBytes, mapped.range.end);
      if (start < end) count += replaceText(file, load.fileOffset + (start - load.range.start), end - start, from, to);
    }
  }
  return count;
}

// A stripped library: the symbol is there, but nothing is called so.
void takeSymbolAway(PatchedCore& file, const Snapshot& before) {
  using namespace std::string_view_literals;
  ASSERT_GE(replaceTextOf(file, libraryOf(before).path, "\0g_dacTable\0"sv, "\0x_dacTable\0"sv), 1u);
}

/// Leaves out what the kernel does by default (coredump_filter 0x33): what files have and the process has not written,
/// but for the first page of each library.
void leaveOutWhatFilesHave(PatchedCore& file) {
  Elf64_Ehdr header{};
  const auto headerBytes = file.readAt(0, sizeof header);
  std::memcpy(&header, headerBytes.data(), sizeof header);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr segment{};
    const auto bytes = file.readAt(at, sizeof segment);
    std::memcpy(&segment, bytes.data(), sizeof segment);
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    const auto mapped = std::ranges::find_if(
        file.core().files, [&](const MappedFile& candidate) { return candidate.range.contains({segment.p_vaddr}); });
    if (mapped == file.core().files.end()) continue;
    const bool isFirst = mapped->fileOffset == 0 && mapped->range.start.value == segment.p_vaddr;
    segment.p_filesz = std::min<std::uint64_t>(segment.p_filesz, isFirst ? 4096 : 0);
    file.writeAt(at, std::as_bytes(std::span(&segment, 1)));
  }
}

Error failureOf(const std::filesystem::path& path) {
  const auto opened = openDump(path, {}, nullptr, {});
  if (opened || opened.error().isCancelled()) throw std::runtime_error("it was opened");
  return opened.error().error();
}

Error failureOf(const CoreBuilder& builder) {
  const TemporaryFolder folder;
  builder.write(folder / "core");
  return failureOf(folder / "core");
}

bool says(const Error& error, std::string_view text) {
  return error.message().find(text) != std::string::npos;
}

class RuntimeWithoutSymbols : public testing::TestWithParam<std::string> {
 protected:
  RuntimeWithoutSymbols() : m_file(GetParam()), m_before(openSnapshot(m_file.path(), Stage::Objects)) {}

  void expectSameHeap(const Snapshot& after) const {
    EXPECT_EQ(after.summary().runtime.globals, GlobalsSource::Shape);
    EXPECT_EQ(after.summary().runtime.version, m_before.summary().runtime.version);
    EXPECT_EQ(libraryOf(after).globalTable.address, libraryOf(m_before).globalTable.address);
    EXPECT_EQ(after.totals().objects, m_before.totals().objects);
    EXPECT_EQ(after.totals().bytes, m_before.totals().bytes);
  }

  PatchedCore m_file;
  Snapshot m_before;
};

TEST_P(RuntimeWithoutSymbols, IsFoundByTheShapeOfItsGlobals) {
  EXPECT_EQ(m_before.summary().runtime.globals, GlobalsSource::Dump);
  takeSymbolAway(m_file, m_before);
  const Snapshot after = openSnapshot(m_file.path(), Stage::Objects);
  expectSameHeap(after);
  EXPECT_EQ(libraryOf(after).globalTable.sizeBytes, libraryOf(m_before).globalTable.sizeBytes);
  EXPECT_TRUE(after.summary().runtime.contractVerified);
}

TEST_P(RuntimeWithoutSymbols, IsFoundWithoutTheHeadersOfItsLibrary) {
  m_file.write<std::uint32_t>(libraryOf(m_before).base, 0);
  expectSameHeap(openSnapshot(m_file.path(), Stage::Objects));
}

TEST_P(RuntimeWithoutSymbols, IsFoundInFrontOfWhatLooksLikeItsGlobals) {
  takeSymbolAway(m_file, m_before);
  const DynamicSymbol& table = libraryOf(m_before).globalTable;
  m_file.write<Address>(table.address + table.sizeBytes, table.address);
  const Snapshot after = openSnapshot(m_file.path(), Stage::Objects);
  expectSameHeap(after);
  EXPECT_TRUE(after.summary().runtime.contractVerified);
}

TEST_P(RuntimeWithoutSymbols, IsFoundBehindWhatLooksLikeItsGlobals) {
  takeSymbolAway(m_file, m_before);
  const DynamicSymbol& table = libraryOf(m_before).globalTable;
  m_file.write<Address>(table.address - 8, table.address);
  expectSameHeap(openSnapshot(m_file.path(), Stage::Objects));
}

INSTANTIATE_TEST_SUITE_P(Data, RuntimeWithoutSymbols, testing::Values("shop-8", "shop-9", "shop-10", "shop-11"),
                         [](const auto& info) { return testName(info.param); });

TEST(DumpOfTheKernel, IsReadWithoutAnyFile) {
  PatchedCore file("shop-10-gcore");
  const Snapshot before = openSnapshot(file.path(), Stage::Objects);
  leaveOutWhatFilesHave(file);
  const Snapshot after = openSnapshot(file.path(), Stage::Objects);
  const RuntimeSummary& runtime = after.summary().runtime;
  EXPECT_EQ(runtime.globals, GlobalsSource::Shape);
  EXPECT_NE(runtime.contract, ContractSource::Dump);
  EXPECT_EQ(runtime.version, "10.0.12");
  EXPECT_EQ(runtime.buildId, before.summary().runtime.buildId);
  EXPECT_TRUE(runtime.contractVerified);
  EXPECT_EQ(after.totals().objects, before.totals().objects);
  EXPECT_EQ(after.totals().bytes, before.totals().bytes);
  EXPECT_EQ(after.types().size(), before.types().size());
  EXPECT_FALSE(after.summary().missing.empty());
}

TEST(SingleFileProgram, HasTheRuntimeInsideItself) {
  PatchedCore file("shop-10");
  const Snapshot before = openSnapshot(file.path(), Stage::Objects);
  // createdump writes its notes in front of all memory.
  ASSERT_GE(replaceText(file, 0, file.core().loads.front().fileOffset, "/libcoreclr.so", "/shop-single.x"), 1u);
  const Snapshot after = openSnapshot(file.path(), Stage::Objects);
  EXPECT_TRUE(after.summary().runtime.libraryPath.ends_with("/shop-single.x"));
  EXPECT_EQ(after.summary().runtime.globals, GlobalsSource::Dump);
  EXPECT_EQ(after.totals().objects, before.totals().objects);
  takeSymbolAway(file, before);
  const Snapshot stripped = openSnapshot(file.path(), Stage::Objects);
  EXPECT_EQ(stripped.summary().runtime.globals, GlobalsSource::Shape);
  EXPECT_EQ(stripped.totals().objects, before.totals().objects);
}

TEST(RuntimeOfALaterVersion, IsRefusedByItsName) {
  PatchedCore file("shop-10-gcore");
  const Snapshot before = openSnapshot(file.path(), Stage::Summary);
  ASSERT_GE(replaceTextOf(file, libraryOf(before).path, "@(#)Version 10.0.12", "@(#)Version 11.0.12"), 1u);
  const Error error = failureOf(file.path());
  EXPECT_EQ(error.code, ErrorCode::UnsupportedRuntime);
  EXPECT_TRUE(says(error, ".NET 11.0.12 ")) << error.message();
}

TEST(RuntimeOfALaterRelease, IsReadButNotVerified) {
  PatchedCore file("shop-10");
  const Snapshot before = openSnapshot(file.path(), Stage::Objects);
  // The release that CoreLib names is the one that counts.
  ASSERT_GE(replaceText(file, 0, file.sizeBytes(), "10.0.12", "10.0.77"), 1u);
  const Snapshot after = openSnapshot(file.path(), Stage::Objects);
  EXPECT_EQ(after.summary().runtime.version, "10.0.77");
  EXPECT_FALSE(after.summary().runtime.contractVerified);
  EXPECT_EQ(after.totals().objects, before.totals().objects);
  ASSERT_TRUE(hasFinding(after, FindingKind::ContractNotVerified));
  EXPECT_NE(findingsText(after).find("not verified on 10.0.77"), std::string::npos) << findingsText(after);
}

constexpr std::uint64_t kProgram = 0x555500000000;

CoreBuilder programWith(FileBytes data) {
  CoreBuilder builder;
  builder.memory(kProgram, pattern(4096))
      .memory(kProgram + 0x10000, std::move(data))
      .mappedFile({{kProgram}, {kProgram + 0x1000}}, 0, "/srv/shop/shop")
      .mappedFile({{kProgram + 0x10000}, {kProgram + 0x12000}}, 0x10000, "/srv/shop/shop")
      .auxiliary(AT_ENTRY, kProgram + 0x100)
      .process(100, "shop", "./shop");
  return builder;
}

TEST(ProgramCompiledAheadOfTime, IsCalledSo) {
  const std::uint64_t header[] = {0x0000'0005'4844'4e44, 1, kProgram + 0x10100, kProgram + 0x10200};
  FileBytes data(0x2000);
  std::memcpy(data.data() + 0x7b8, header, sizeof header);
  const Error error = failureOf(programWith(data));
  EXPECT_EQ(error.code, ErrorCode::Damaged);
  EXPECT_TRUE(says(error, "Native AOT")) << error.message();
}

TEST(ProgramCompiledAheadOfTime, OfALaterRuntimeIsRefusedByItsVersion) {
  const std::uint64_t header[] = {0x0000'0063'4844'4e44, 1, kProgram + 0x10100, kProgram + 0x10200};
  FileBytes data(0x2000);
  std::memcpy(data.data() + 0x7b8, header, sizeof header);
  const Error error = failureOf(programWith(data));
  EXPECT_EQ(error.code, ErrorCode::UnsupportedRuntime);
  EXPECT_TRUE(says(error, "Native AOT program of .NET 104")) << error.message();
}

TEST(ProgramCompiledAheadOfTime, IsAskedForWhereTheDumpLeavesItsConstantsOut) {
  const std::uint64_t header[] = {0x0000'0005'4844'4e44, 1, kProgram + 0x10100, kProgram + 0x10200};
  const std::uint64_t entry[] = {kProgram + 0x2000, kProgram + 0x2010, 0};  // names in pages that are not there
  FileBytes data(0x2000);
  std::memcpy(data.data() + 0x7b8, header, sizeof header);
  std::memcpy(data.data() + 0x100, entry, sizeof entry);
  const Error error = failureOf(programWith(data));
  EXPECT_EQ(error.code, ErrorCode::NoRuntime);
  EXPECT_TRUE(says(error, "Native AOT")) << error.message();
  EXPECT_TRUE(says(error, "/srv/shop/shop")) << error.message();
}

TEST(LibraryCompiledAheadOfTime, IsFoundInAProgramOfAnotherLanguage) {
  PatchedCore file("aot/zoo-10");
  const Snapshot before = openSnapshot(file.path(), Stage::Objects);
  const std::string path = libraryOf(before).path;
  const std::string name = path.substr(path.rfind('/') + 1);
  std::string asLibrary = path;
  asLibrary.replace(path.size() - name.size(), 3, "lib");
  ASSERT_GE(replaceText(file, 0, file.core().loads.front().fileOffset, path, asLibrary), 1u);
  const Snapshot after = openSnapshot(file.path(), Stage::Objects);
  EXPECT_EQ(libraryOf(after).path, asLibrary);
  EXPECT_EQ(after.totals().objects, before.totals().objects);
  EXPECT_EQ(after.types().size(), before.types().size());
}

TEST(ProgramWithoutDotNet, IsCalledSo) {
  FileBytes data(0x2000);
  std::memcpy(data.data() + 0x7b8, "DNDH", 4);  // by chance
  const Error error = failureOf(programWith(data));
  EXPECT_EQ(error.code, ErrorCode::NoRuntime);
  EXPECT_TRUE(says(error, "without .NET")) << error.message();
}

TEST(ProgramThatIsNotInTheDump, IsNotSaidToBeWithoutDotNet) {
  CoreBuilder builder;
  builder.memory(0x7f0000000000, pattern(4096))
      .leftOut(kProgram, 0x1000)
      .mappedFile({{kProgram}, {kProgram + 0x1000}}, 0, "/srv/shop/shop");
  const Error error = failureOf(builder);
  EXPECT_EQ(error.code, ErrorCode::NoRuntime);
  EXPECT_TRUE(says(error, "it is not known whether")) << error.message();
}

TEST(RuntimeWithoutItsPages, IsSaidToLackThem) {
  CoreBuilder builder;
  builder.memory(kProgram, pattern(4096))
      .mappedFile({{kProgram}, {kProgram + 0x1000}}, 0, "/opt/Microsoft.NETCore.App/9.0.18/libcoreclr.so");
  const Error error = failureOf(builder);
  EXPECT_EQ(error.code, ErrorCode::NoRuntime);
  EXPECT_TRUE(says(error, ".NET 9.0.18 runtime") && says(error, "missing in this dump")) << error.message();
}

}  // namespace
}  // namespace heapscape::engine
