// SPDX-License-Identifier: MIT
// Who wrote a core file, told by what only that writer does.
#include "session/open/summarise.h"

#include <gtest/gtest.h>

#include "support/opened_core.h"

namespace heapscape::test {
namespace {

using engine::DumpKind;

constexpr const char* kLibrary = "/usr/share/dotnet/libcoreclr.so";
constexpr std::uint64_t kLibraryAt = 0x7f0000000000, kPage = 0x1000;

using ChangeHeader = std::function<void(Elf64_Ehdr&)>;

void nameLinux(Elf64_Ehdr& header) {
  header.e_ident[EI_OSABI] = ELFOSABI_LINUX;
}

/// The file's own header is changed only for who asks of the kind: libelf would not open all of them.
DumpKind kindOf(CoreBuilder builder, const ChangeHeader& change = {}) {
  const OpenedCore core(builder);
  FileBytes file = builder.build();
  if (change) change(*reinterpret_cast<Elf64_Ehdr*>(file.data()));
  engine::RuntimeLibrary library;
  library.path = kLibrary;
  return dumpKindOf(file, core.space(), core.core(), library);
}

CoreBuilder processFirst() {
  return CoreBuilder().process(7, "shop", "shop").thread(7, 0x20000, 0x10000).memory(0x10000, FileBytes(kPage));
}

CoreBuilder threadFirst() {
  return CoreBuilder().thread(7, 0x20000, 0x10000).process(7, "shop", "shop").memory(0x10000, FileBytes(kPage));
}

/// With so many of ten pages of the runtime's library, which is mapped in two pieces.
CoreBuilder withLibraryPages(std::uint64_t pages) {
  return processFirst()
      .mappedFile({{kLibraryAt}, {kLibraryAt + 4 * kPage}}, 0, kLibrary)
      .mappedFile({{kLibraryAt + 4 * kPage}, {kLibraryAt + 10 * kPage}}, 4 * kPage, kLibrary)
      .mappedFile({{kLibraryAt + 20 * kPage}, {kLibraryAt + 90 * kPage}}, 0, "/lib/libother.so")
      .memory(kLibraryAt, FileBytes(pages * kPage));
}

TEST(DumpKind, OfCreatedumpBeginsWithTheProcessAndNamesLinux) {
  EXPECT_EQ(kindOf(processFirst(), nameLinux), DumpKind::Heap);
  EXPECT_EQ(kindOf(processFirst()), DumpKind::Unknown) << "does not name it";
  EXPECT_EQ(kindOf(threadFirst(), nameLinux), DumpKind::Unknown);
}

TEST(DumpKind, OfCreatedumpIsToldByItsOwnPageWhateverElseIsGone) {
  constexpr std::uint64_t kDiagnosticPage = 0x7ffffff10000;
  EXPECT_EQ(kindOf(threadFirst().memory(kDiagnosticPage, bytesOfText("DIAGINFOHEADER and more"))), DumpKind::Heap);
  EXPECT_EQ(kindOf(threadFirst().memory(kDiagnosticPage, bytesOfText("DIAGINFOHEATER and more"))), DumpKind::Kernel);
  EXPECT_EQ(kindOf(threadFirst().memory(kDiagnosticPage, bytesOfText("DIAG"))), DumpKind::Kernel);
}

TEST(DumpKind, IsFullOnceItHoldsTheRuntimesLibrary) {
  EXPECT_EQ(kindOf(withLibraryPages(10), nameLinux), DumpKind::Full);
  EXPECT_EQ(kindOf(withLibraryPages(9), nameLinux), DumpKind::Full);
  EXPECT_EQ(kindOf(withLibraryPages(8), nameLinux), DumpKind::Heap);
}

TEST(DumpKind, OfTheKernelBeginsWithTheThreadThatDied) {
  EXPECT_EQ(kindOf(threadFirst()), DumpKind::Kernel);
}

TEST(DumpKind, OfGdbHasASectionForEachSegment) {
  const auto sections = [](Elf64_Half count) { return [count](Elf64_Ehdr& header) { header.e_shnum = count; }; };
  EXPECT_EQ(kindOf(threadFirst(), sections(5)), DumpKind::Gcore);
  EXPECT_EQ(kindOf(processFirst(), sections(2)), DumpKind::Gcore);
  EXPECT_EQ(kindOf(threadFirst(), sections(1)), DumpKind::Kernel) << "the one that counts very many segments";
}

TEST(DumpKind, OfDamagedHeadersIsUnknown) {
  for (const std::uint64_t offset : {~0ull, 1ull << 40, 0ull})
    EXPECT_EQ(kindOf(threadFirst(), [&](Elf64_Ehdr& header) { header.e_phoff = offset; }), DumpKind::Unknown);
  EXPECT_EQ(kindOf(threadFirst(), [](Elf64_Ehdr& header) { header.e_phnum = 0; }), DumpKind::Unknown);
  const CoreBuilder noNotes = CoreBuilder().memory(0x10000, FileBytes(kPage));
  EXPECT_EQ(kindOf(noNotes), DumpKind::Unknown);
  const OpenedCore core(noNotes);
  EXPECT_EQ(dumpKindOf({}, core.space(), core.core(), {}), DumpKind::Unknown) << "not even a header";
}

}  // namespace
}  // namespace heapscape::test
