// SPDX-License-Identifier: MIT
#include "stacks/unwinding/native_symbols.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "memory/elf/elf_image.h"
#include "memory/elf/elf_library_file.h"
#include "memory/file_backed_memory.h"
#include "support/library_core.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::uint64_t kNativeSymbolsBase = 0x7f0000000000;

/// The test library as the kernel dumps it, with or without its file.
class NamedLibrary {
 public:
  explicit NamedLibrary(bool withFile, std::uint64_t firstBytes = 4096)
      : m_core(kernelCoreOf(contentsOf(STACKS_TEST_LIBRARY), kNativeSymbolsBase, STACKS_TEST_LIBRARY, firstBytes)),
        m_space(m_core.space(), std::make_shared<FileBackedMemory>(
                                    m_core.space(), m_core.core(),
                                    FilePlaces{.hasRecordedPaths = withFile, .folders = {}, .dotnets = {}})),
        m_symbols(m_space, m_core.core()) {
    const ElfImage image = ElfImage::at(m_core.space(), {kNativeSymbolsBase}).value();
    for (NamedFunction& function : ElfLibraryFile::openMatching(STACKS_TEST_LIBRARY, image.buildId())->functions()) {
      m_functions.push_back(std::move(function));
    }
  }

  NativeName nameOf(std::uint64_t offset) const { return m_symbols.nameOf({kNativeSymbolsBase + offset}); }
  const NamedFunction& function(const std::string& linkerName) const {
    return *std::ranges::find(m_functions, linkerName, &NamedFunction::name);
  }

 private:
  OpenedCore m_core;
  AddressSpace m_space;
  NativeSymbols m_symbols;
  std::vector<NamedFunction> m_functions;
};

TEST(NativeSymbols, NameExportedFunctionsFromTheDumpAlone) {
  const NamedLibrary library(false);
  const NamedFunction& version = library.function("shopVersion");
  const NativeName name = library.nameOf(version.address + 2);
  EXPECT_TRUE(std::string(STACKS_TEST_LIBRARY).ends_with("/" + name.module));
  EXPECT_EQ(name.symbol, "shopVersion");
  EXPECT_EQ(name.offset, 2u);
  EXPECT_TRUE(name.isExportedOnly);
  EXPECT_EQ(library.nameOf(library.function("_ZN4shop3sumEiPKc").address).symbol, "shop::sum(int, char const*)");
}

TEST(NativeSymbols, DoNotStretchAFunctionOverOthers) {
  const NamedLibrary library(false);
  const NamedFunction& hidden = library.function("_ZN4shop7priceOfEi");
  const NativeName name = library.nameOf(hidden.address + 1);
  EXPECT_EQ(name.symbol, "");
  EXPECT_EQ(name.offset, hidden.address + 1) << "from the library's start";
}

TEST(NativeSymbols, NameAllFunctionsOfTheSameFile) {
  const NamedLibrary library(true);
  const NamedFunction& hidden = library.function("_ZN4shop7priceOfEi");
  const NativeName name = library.nameOf(hidden.address + 1);
  EXPECT_EQ(name.symbol, "shop::priceOf(int)");
  EXPECT_EQ(name.offset, 1u);
  EXPECT_FALSE(name.isExportedOnly);
}

TEST(NativeSymbols, KnowTheModuleWhereNoNamesAreLeft) {
  const NamedLibrary library(false, endOfNotes(contentsOf(STACKS_TEST_LIBRARY)));
  const NativeName name = library.nameOf(0x1010);
  EXPECT_FALSE(name.module.empty());
  EXPECT_EQ(name.symbol, "");
  EXPECT_EQ(name.offset, 0x1010u);
}

TEST(NativeSymbols, KnowNothingOfMemoryOfNoFile) {
  const NativeName name = NamedLibrary(true).nameOf(1ull << 40);
  EXPECT_EQ(name.module, "");
  EXPECT_EQ(name.symbol, "");
}

TEST(NativeSymbols, NameTheKernelsOwnLibrary) {
  const OpenedCore dump(std::filesystem::path(HEAPSCAPE_TEST_DATA) / "shop-10.core.zst");
  const auto& auxiliary = dump.core().auxiliaryVector;
  const auto entry = std::ranges::find(auxiliary, std::uint64_t{AT_SYSINFO_EHDR}, &AuxiliaryEntry::type);
  ASSERT_NE(entry, auxiliary.end());
  const auto clock = ElfImage::at(dump.space(), {entry->value}).value().findSymbol("__vdso_clock_gettime");
  ASSERT_TRUE(clock) << clock.error().message();
  const NativeName name = NativeSymbols(dump.space(), dump.core()).nameOf(clock->address + 1);
  EXPECT_EQ(name.module, "[vdso]");
  EXPECT_EQ(name.symbol, "clock_gettime") << "the plainest of its names";
  EXPECT_EQ(name.offset, 1u);
}

TEST(NativeSymbols, SayWhichLibraryEveryFrameIsIn) {
  const OpenedCore dump(std::filesystem::path(HEAPSCAPE_TEST_DATA) / "shop-9.core.zst");
  const NativeSymbols symbols(dump.space(), dump.core());
  for (const CoreThread& thread : dump.core().threads) {
    EXPECT_EQ(symbols.nameOf(thread.instructionPointer()).module, "libc.so.6") << "all of them wait";
  }
}

}  // namespace
}  // namespace heapscape::engine
