// SPDX-License-Identifier: MIT
#include "memory/elf/elf_image.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/stat.h>

#include <map>
#include <random>

#include "memory/elf/elf_library_file.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// The test library as ld.so has loaded it into this process, page by page.
class LoadedLibrary {
 public:
  LoadedLibrary() : m_handle(::dlopen(MEMORY_TEST_LIBRARY, RTLD_NOW | RTLD_LOCAL)) {
    if (!m_handle) throw std::runtime_error(::dlerror());
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* self) {
          if (std::string_view(info->dlpi_name) == MEMORY_TEST_LIBRARY) static_cast<LoadedLibrary*>(self)->copy(*info);
          return 0;
        },
        this);
  }
  ~LoadedLibrary() { ::dlclose(m_handle); }
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;

  std::uint64_t addressOf(const char* symbol) const {
    return reinterpret_cast<std::uint64_t>(::dlsym(m_handle, symbol));
  }
  Address base() const { return m_base; }
  std::map<std::uint64_t, FileBytes>& segments() { return m_segments; }
  std::uint64_t dynamic() const { return m_dynamic; }

  OpenedCore dumped() const {
    CoreBuilder builder;
    for (const auto& [address, bytes] : m_segments) builder.memory(address, bytes);
    return OpenedCore(builder);
  }

  /// Where an address lies in the copied segments.
  template <class T>
  T& at(std::uint64_t address) {
    auto segment = std::prev(m_segments.upper_bound(address));
    return *reinterpret_cast<T*>(segment->second.data() + (address - segment->first));
  }

 private:
  void copy(const dl_phdr_info& info) {
    m_base = {info.dlpi_addr};
    for (const ElfW(Phdr) & header : std::span(info.dlpi_phdr, info.dlpi_phnum)) {
      const std::uint64_t start = info.dlpi_addr + header.p_vaddr;
      if (header.p_type == PT_DYNAMIC) m_dynamic = start;
      if (header.p_type != PT_LOAD) continue;
      const auto* bytes = reinterpret_cast<const std::byte*>(start);
      m_segments[start] = FileBytes(bytes, bytes + header.p_memsz);
    }
  }

  void* m_handle;
  Address m_base;
  std::uint64_t m_dynamic = 0;
  std::map<std::uint64_t, FileBytes> m_segments;
};

TEST(ElfImage, FindsExportsAsLdSoDoes) {
  const LoadedLibrary library;
  const OpenedCore core = library.dumped();
  const ElfImage image = ElfImage::at(core.space(), library.base()).value();
  for (const char* name : {"heapscapeTestTable", "heapscapeTestZero", "heapscapeTestNumber", "heapscapeTestFunction"}) {
    const auto symbol = image.findSymbol(name);
    ASSERT_TRUE(symbol) << symbol.error().message();
    EXPECT_EQ(symbol->address, Address{library.addressOf(name)}) << name;
  }
  EXPECT_EQ(image.findSymbol("heapscapeTestZero")->sizeBytes, 64u);
  const Address number = image.findSymbol("heapscapeTestNumber")->address;
  EXPECT_EQ(core.space().read<int>(number).value(), 42);
}

TEST(ElfImage, SaysThatANameIsNotExported) {
  const LoadedLibrary library;
  const OpenedCore core = library.dumped();
  const ElfImage image = ElfImage::at(core.space(), library.base()).value();
  for (const std::string& name :
       {std::string("nope"), std::string(), std::string("heapscapeTestNumbe"), std::string(5000, 'x')}) {
    const auto symbol = image.findSymbol(name);
    ASSERT_FALSE(symbol);
    EXPECT_EQ(symbol.error().code, ErrorCode::NotFound);
  }
}

TEST(ElfImage, ReadsTablesThatWereNotRelocated) {
  LoadedLibrary library;
  for (auto* entry = &library.at<Elf64_Dyn>(library.dynamic()); entry->d_tag != DT_NULL; ++entry) {
    const bool isTable = entry->d_tag == DT_GNU_HASH || entry->d_tag == DT_SYMTAB || entry->d_tag == DT_STRTAB;
    if (isTable && entry->d_un.d_ptr >= library.base().value) entry->d_un.d_ptr -= library.base().value;
  }
  const OpenedCore core = library.dumped();
  const auto symbol = ElfImage::at(core.space(), library.base()).value().findSymbol("heapscapeTestNumber");
  ASSERT_TRUE(symbol);
  EXPECT_EQ(symbol->address, Address{library.addressOf("heapscapeTestNumber")});
}

TEST(ElfImage, FailsWhereThereIsNoLibrary) {
  const OpenedCore core(CoreBuilder().memory(0x10000, pattern(0x1000)));
  EXPECT_EQ(ElfImage::at(core.space(), {0x10000}).error().code, ErrorCode::Damaged);
  EXPECT_EQ(ElfImage::at(core.space(), {0x90000}).error().code, ErrorCode::NotInDump);
}

TEST(ElfImage, EndsOnAHashChainWithoutAnEnd) {
  LoadedLibrary library;
  std::uint64_t table = 0;
  for (auto* entry = &library.at<Elf64_Dyn>(library.dynamic()); entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_GNU_HASH) table = entry->d_un.d_ptr;
  }
  ASSERT_NE(table, 0u);
  const auto header = library.at<std::array<std::uint32_t, 4>>(table);
  FileBytes& segment = std::prev(library.segments().upper_bound(table))->second;
  segment.resize(4 << 20);
  const std::uint64_t chains = table + 16 + header[2] * 8ull + header[0] * 4ull;
  std::fill(&library.at<std::byte>(chains), segment.data() + segment.size(), std::byte{0x42});
  CoreBuilder builder;
  for (const auto& [address, bytes] : library.segments()) {
    if (address <= table || address > table + segment.size()) builder.memory(address, bytes);
  }
  builder.memory(library.dynamic(),
                 FileBytes(&library.at<std::byte>(library.dynamic()), &library.at<std::byte>(library.dynamic()) + 512));
  const OpenedCore core(builder);
  EXPECT_FALSE(ElfImage::at(core.space(), library.base()).value().findSymbol("heapscapeTestNumber"));
}

TEST(ElfImage, NeverCrashesOnDamagedTables) {
  LoadedLibrary library;
  const auto whole = library.segments();
  std::mt19937 random(99);
  for (int round = 0; round < 300; ++round) {
    library.segments() = whole;
    for (auto& [address, bytes] : library.segments()) {
      for (int change = 0; change < 30; ++change) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    for (int change = 0; change < 2; ++change) {
      library.at<std::byte>(library.base().value + 64 + random() % 600) = static_cast<std::byte>(random());
      library.at<std::byte>(library.dynamic() + random() % 300) = static_cast<std::byte>(random());
    }
    const OpenedCore core = library.dumped();
    const auto image = ElfImage::at(core.space(), library.base());
    if (!image) continue;
    static_cast<void>(image->buildId());
    static_cast<void>(image->findSymbol("heapscapeTestNumber"));
    static_cast<void>(image->findSymbol("nope"));
  }
}

class MatchingFile : public testing::Test {
 protected:
  std::string buildId() {
    const OpenedCore core = m_library.dumped();
    return ElfImage::at(core.space(), m_library.base()).value().buildId();
  }

  /// The initialised data of a symbol; nothing if the file does not match or does not hold it.
  static std::optional<std::string> readSymbol(const std::filesystem::path& path, const std::string& buildId,
                                               std::string_view symbol, std::size_t size) {
    const auto library = ElfLibraryFile::openMatching(path, buildId);
    const auto address = library ? library->findSymbol(symbol) : std::nullopt;
    std::string bytes(size, ' ');
    if (!address || !library->tryRead(*address, std::as_writable_bytes(std::span(bytes)))) return std::nullopt;
    return bytes;
  }

  LoadedLibrary m_library;
};

TEST_F(MatchingFile, HasTheBuildIdOfTheLoadedLibrary) {
  EXPECT_EQ(buildId().size(), 40u);
  EXPECT_TRUE(ElfLibraryFile::openMatching(MEMORY_TEST_LIBRARY, buildId()));
}

TEST_F(MatchingFile, GivesInitialisedData) {
  const auto bytes = readSymbol(MEMORY_TEST_LIBRARY, buildId(), "heapscapeTestTable", 8);
  ASSERT_TRUE(bytes);
  std::uint64_t magic = 0;
  std::memcpy(&magic, bytes->data(), sizeof magic);
  EXPECT_EQ(magic, 0x1122334455667788u);
}

TEST_F(MatchingFile, FollowsAPointerThatOnlyLdSoWouldFillIn) {
  const auto library = ElfLibraryFile::openMatching(MEMORY_TEST_LIBRARY, buildId());
  const auto table = library->findSymbol("heapscapeTestTable");
  ASSERT_TRUE(table);
  const auto text = library->relocatedPointer(*table + 8);
  ASSERT_TRUE(text);
  std::string letters(19, ' ');
  ASSERT_TRUE(library->tryRead(*text, std::as_writable_bytes(std::span(letters))));
  EXPECT_EQ(letters, "text of the library");
}

TEST_F(MatchingFile, DoesNotGiveWhatIsNotInIt) {
  const auto read = [&](std::string_view symbol, std::uint64_t size) {
    return readSymbol(MEMORY_TEST_LIBRARY, buildId(), symbol, size);
  };
  EXPECT_FALSE(read("nope", 8));
  EXPECT_FALSE(read("heapscapeTestZero", 64)) << "zeroed memory is not in the file";
  EXPECT_FALSE(read("heapscapeTestTable", 1 << 20));
}

TEST_F(MatchingFile, MustHaveTheSameBuildId) {
  EXPECT_FALSE(readSymbol(MEMORY_TEST_LIBRARY, std::string(40, '0'), "heapscapeTestTable", 8));
  EXPECT_FALSE(readSymbol(MEMORY_TEST_LIBRARY, "", "heapscapeTestTable", 8));
}

TEST_F(MatchingFile, MustBeARegularElfFile) {
  const TemporaryFolder folder;
  writeFile(folder / "text", bytesOfText("no library"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const std::filesystem::path& path : {folder / "text", folder / "pipe", folder.path(), folder / "none"}) {
    EXPECT_FALSE(readSymbol(path, buildId(), "heapscapeTestTable", 8)) << path;
  }
}

}  // namespace
}  // namespace heapscape::engine
