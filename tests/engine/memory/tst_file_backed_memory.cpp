// SPDX-License-Identifier: MIT
#include "memory/file_backed_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "memory/elf/elf_image.h"
#include "memory/elf/elf_library_file.h"
#include "memory/elf/elf_notes.h"
#include "memory/elf/library_map.h"
#include "support/library_core.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::uint64_t kBase = 0x7f0000000000;
const std::string kRecordedPath = "/opt/dotnet/shared/Shop/1.0/libshop.so";

/// A core and what lies in files.
class BackedCore {
 public:
  BackedCore(const CoreBuilder& builder, FilePlaces places)
      : m_core(builder),
        m_files(std::make_shared<FileBackedMemory>(m_core.space(), m_core.core(), std::move(places))),
        m_space(m_core.space(), m_files) {}

  const AddressSpace& space() const { return m_space; }
  FileBackedMemory& files() { return *m_files; }

 private:
  OpenedCore m_core;
  std::shared_ptr<FileBackedMemory> m_files;
  AddressSpace m_space;
};

class FilesOfLibraries : public testing::Test {
 protected:
  FilesOfLibraries() { writeFile(m_folder / "libshop.so", m_library); }

  FilePlaces places() const { return {.hasRecordedPaths = false, .folders = {m_folder.path()}, .dotnets = {}}; }
  CoreBuilder core() const { return kernelCoreOf(m_library, kBase, kRecordedPath); }
  Elf64_Phdr segment(std::uint32_t flags) const {
    Elf64_Ehdr header{};
    std::memcpy(&header, m_library.data(), sizeof header);
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr candidate{};
      std::memcpy(&candidate, m_library.data() + header.e_phoff + i * sizeof candidate, sizeof candidate);
      if (candidate.p_type == PT_LOAD && candidate.p_flags == flags) return candidate;
    }
    throw std::runtime_error("no such segment");
  }
  Address code() const { return {kBase + segment(PF_R | PF_X).p_vaddr}; }
  Bytes codeInFile() const {
    const Elf64_Phdr found = segment(PF_R | PF_X);
    return Bytes(m_library).subspan(found.p_offset, found.p_filesz);
  }

  TemporaryFolder m_folder;
  FileBytes m_library = contentsOf(MEMORY_TEST_LIBRARY);
};

TEST_F(FilesOfLibraries, GiveWhatTheDumpLacks) {
  const BackedCore core(this->core(), places());
  const Bytes expected = codeInFile();
  FileBytes read(expected.size());
  ASSERT_TRUE(core.space().tryRead(code(), read));
  EXPECT_TRUE(std::ranges::equal(read, expected));
  EXPECT_TRUE(core.space().isFromFile(code()));
  EXPECT_FALSE(core.space().isFromFile({kBase}));
  EXPECT_FALSE(core.space().isFromFile({kBase - 1}));
  EXPECT_EQ(core.space().files()->fileAt(code()), m_folder / "libshop.so");
}

TEST_F(FilesOfLibraries, AreToldWhenOthersShortenThem) {
  const BackedCore core(this->core(), places());
  ASSERT_TRUE(core.space().isFromFile(code()));
  EXPECT_FALSE(core.space().changedFile());
  std::filesystem::resize_file(m_folder / "libshop.so", 1);
  std::uint64_t word = 1;
  ASSERT_TRUE(core.space().tryRead(code(), word));
  EXPECT_EQ(word, 0u);
  const auto changed = core.space().changedFile();
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->path, m_folder / "libshop.so");
  EXPECT_EQ(changed->change, FileChange::Shortened);
}

TEST_F(FilesOfLibraries, ChangeNothingOfWhatTheDumpHolds) {
  const BackedCore with(core(), places());
  const BackedCore without(core(), {});
  const AddressRange all{{kBase}, {kBase + (1 << 20)}};
  EXPECT_EQ(with.space().present(all), without.space().present(all));
  EXPECT_FALSE(with.space().holds({code(), code() + 8}));
  EXPECT_EQ(without.space().readable(all), without.space().present(all));
  const std::vector<AddressRange> readable = with.space().readable(all);
  EXPECT_TRUE(std::ranges::any_of(
      readable, [&](const AddressRange& range) { return range.start <= code() && code() + 8 <= range.end; }));
}

TEST_F(FilesOfLibraries, GoBehindTheDump) {
  const Address page{(code().value & ~0xfffull)};
  const FileBytes changed = pattern(16);
  const BackedCore core(this->core().memory(page.value + 64, changed).dataAlignment(16), places());
  const std::uint64_t fileOffset = segment(PF_R | PF_X).p_offset & ~0xfffull;
  FileBytes read(48);
  ASSERT_TRUE(core.space().tryRead(page + 48, read));
  EXPECT_TRUE(
      std::equal(read.begin(), read.begin() + 16, m_library.begin() + static_cast<std::ptrdiff_t>(fileOffset) + 48));
  EXPECT_TRUE(std::equal(changed.begin(), changed.end(), read.begin() + 16));
  EXPECT_EQ(core.space().prefix(page + 48, 100).size(), 16u);
  const auto view = core.space().view({page + 48, page + 96});
  ASSERT_TRUE(view);
  EXPECT_TRUE(std::ranges::equal(view->bytes, read));
}

TEST_F(FilesOfLibraries, AreRefusedWithAnotherBuildId) {
  const BackedCore sound(core(), places());
  const std::string buildId = ElfImage::at(sound.space(), {kBase}).value().buildId();
  ASSERT_EQ(buildId.size(), 40u);
  FileBytes id;
  for (std::size_t i = 0; i < buildId.size(); i += 2) {
    id.push_back(static_cast<std::byte>(std::stoul(buildId.substr(i, 2), nullptr, 16)));
  }
  FileBytes other = m_library;
  const auto note = std::search(other.begin(), other.end(), id.begin(), id.end());
  ASSERT_NE(note, other.end());
  *note ^= std::byte{1};
  writeFile(m_folder / "libshop.so", other);
  const BackedCore core(this->core(), places());
  EXPECT_TRUE(core.space().prefix(code(), 8).empty());
  EXPECT_FALSE(core.space().files()->fileAt(code()));
}

TEST_F(FilesOfLibraries, AreRefusedWhereTheDumpHoldsNoBuildId) {
  CoreBuilder builder;
  builder.memory(0x1000, FileBytes(16)).dataAlignment(16);
  const Elf64_Phdr found = segment(PF_R | PF_X);
  builder.mappedFile({{kBase}, {kBase + 4096}}, 0, kRecordedPath)
      .mappedFile({{kBase + found.p_vaddr}, {kBase + found.p_vaddr + 4096}}, found.p_offset, kRecordedPath);
  const BackedCore core(builder, places());
  EXPECT_TRUE(core.space().prefix(code(), 8).empty());
}

TEST_F(FilesOfLibraries, GiveNothingThatTheProcessMayHaveChanged) {
  const Elf64_Phdr writable = segment(PF_R | PF_W);
  CoreBuilder builder;
  builder.memory(kBase, FileBytes(m_library.begin(), m_library.begin() + 4096));
  const std::uint64_t before = writable.p_vaddr % 4096;
  builder.mappedFile({{kBase}, {kBase + 4096}}, 0, kRecordedPath)
      .mappedFile({{kBase + writable.p_vaddr - before}, {kBase + writable.p_vaddr - before + 4096}},
                  writable.p_offset - before, kRecordedPath);
  const BackedCore core(builder, places());
  EXPECT_TRUE(core.space().prefix({kBase + writable.p_vaddr}, 8).empty());
  EXPECT_TRUE(core.space().files()->fileAt({kBase + writable.p_vaddr})) << "but it is the file";
}

TEST_F(FilesOfLibraries, AreLookedForWhereTheyMayBe) {
  const auto isFound = [&](FilePlaces places, const std::string& recordedPath = kRecordedPath) {
    return BackedCore(kernelCoreOf(m_library, kBase, recordedPath), std::move(places)).space().isFromFile(code());
  };
  EXPECT_FALSE(isFound({}));
  EXPECT_TRUE(isFound({.hasRecordedPaths = true, .folders = {}, .dotnets = {}}, m_folder / "libshop.so"));
  EXPECT_TRUE(isFound({.hasRecordedPaths = true, .folders = {}, .dotnets = {}},
                      (m_folder / "libshop.so").string() + " (deleted)"));
  EXPECT_FALSE(isFound({.hasRecordedPaths = false, .folders = {}, .dotnets = {}}, m_folder / "libshop.so"));
  EXPECT_TRUE(isFound({.hasRecordedPaths = false, .folders = {"/nowhere", m_folder.path()}, .dotnets = {}}));
  std::filesystem::create_directories(m_folder / "dotnet/shared/Shop/1.0");
  writeFile(m_folder / "dotnet/shared/Shop/1.0/libshop.so", m_library);
  EXPECT_TRUE(isFound({.hasRecordedPaths = false, .folders = {}, .dotnets = {m_folder / "dotnet"}}));
  EXPECT_TRUE(isFound({.hasRecordedPaths = false, .folders = {}, .dotnets = {m_folder / "dotnet"}}, "/opt/libshop.so"))
      << "of a program that was published with its own framework";
}

TEST_F(FilesOfLibraries, NameExportsThatTheDumpLacks) {
  const CoreBuilder builder = kernelCoreOf(m_library, kBase, kRecordedPath, endOfNotes(m_library));
  const BackedCore with(builder, places());
  const BackedCore without(builder, {});
  const auto symbol = ElfImage::at(with.space(), {kBase}).value().findSymbol("heapscapeTestFunction");
  ASSERT_TRUE(symbol) << symbol.error().message();
  EXPECT_TRUE(with.space().isFromFile(symbol->address));
  EXPECT_FALSE(ElfImage::at(without.space(), {kBase}).value().findSymbol("heapscapeTestFunction"));
}

TEST_F(FilesOfLibraries, AreReadFromManyThreads) {
  const BackedCore core(this->core(), places());
  std::vector<std::thread> threads;
  std::atomic<int> equal = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      FileBytes read(codeInFile().size());
      if (core.space().tryRead(code(), read) && std::ranges::equal(read, codeInFile())) ++equal;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, 4);
}

/// A PE image with code, data and a list of relocations: its second page of code is relocated.
FileBytes peImage() {
  FileBytes image(0x5000);
  const auto put = [&](std::size_t offset, auto value) { std::memcpy(image.data() + offset, &value, sizeof value); };
  put(0, std::uint16_t{0x5a4d});
  put(0x3c, std::uint32_t{0x80});
  put(0x80, std::uint32_t{0x4550});
  put(0x86, std::uint16_t{3});    // sections
  put(0x94, std::uint16_t{240});  // of the optional header
  put(0x98, std::uint16_t{0x20b});
  put(0x98 + 60, std::uint32_t{0x400});  // headers
  put(0x98 + 112 + 40, std::uint32_t{0x6000});
  put(0x98 + 112 + 44, std::uint32_t{12});
  const auto section = [&](int number, std::uint32_t rva, std::uint32_t raw, std::uint32_t size, std::uint32_t flags) {
    const std::size_t at = 0x98 + 240 + static_cast<std::size_t>(number) * 40;
    put(at + 8, size);
    put(at + 12, rva);
    put(at + 16, size);
    put(at + 20, raw);
    put(at + 36, flags);
  };
  section(0, 0x1000, 0x1000, 0x3000, 0x60000020);  // may be read and executed
  section(1, 0x5000, 0x4000, 0x800, 0xc0000040);   // may be written
  section(2, 0x6000, 0x4800, 0x800, 0x42000040);
  put(0x4800, std::uint32_t{0x2000});
  put(0x4804, std::uint32_t{12});
  put(0x4808, std::uint32_t{0xa010});
  for (std::size_t i = 0x1000; i < 0x4800; ++i) image[i] = static_cast<std::byte>(i * 7 >> 3);
  return image;
}

class FilesOfImages : public testing::Test {
 protected:
  FilesOfImages() { writeFile(m_folder / "shop.dll", m_image); }
  BackedCore core(bool withHeaders, unsigned char change = 0) const {
    CoreBuilder builder;
    FileBytes headers(m_image.begin(), m_image.begin() + 0x400);
    headers[0x88] ^= std::byte{change};  // the time stamp
    builder.dataAlignment(16)
        .memory(0x1000, FileBytes(16))
        .mappedFile({{kBase}, {kBase + 0x1000}}, 0, "/opt/shop.dll")
        .mappedFile({{kBase + 0x1000}, {kBase + 0x4000}}, 0x1000, "/opt/shop.dll")
        .mappedFile({{kBase + 0x5000}, {kBase + 0x6000}}, 0x4000, "/opt/shop.dll");
    if (withHeaders) builder.memory(kBase, headers);
    return {builder, {.hasRecordedPaths = false, .folders = {m_folder.path()}, .dotnets = {}}};
  }
  bool isRead(const BackedCore& core, std::uint64_t rva, std::uint64_t fileOffset) const {
    std::uint64_t expected = 0;
    std::memcpy(&expected, m_image.data() + fileOffset, sizeof expected);
    return core.space().read<std::uint64_t>({kBase + rva}).value_or(~expected) == expected;
  }

  TemporaryFolder m_folder;
  FileBytes m_image = peImage();
};

TEST_F(FilesOfImages, GiveSectionsThatNobodyChanges) {
  const BackedCore core = this->core(true);
  EXPECT_TRUE(isRead(core, 0x1000, 0x1000));
  EXPECT_TRUE(isRead(core, 0x1ff8, 0x1ff8));
  EXPECT_TRUE(core.space().prefix({kBase + 0x2010}, 8).empty()) << "relocated";
  EXPECT_TRUE(core.space().prefix({kBase + 0x3000}, 8).empty()) << "an address may reach over the page's end";
  EXPECT_TRUE(core.space().prefix({kBase + 0x5000}, 8).empty()) << "writable";
  EXPECT_EQ(core.space().prefix({kBase + 0x1000}, 0x10000).size(), 0x1000u);
}

TEST_F(FilesOfImages, GiveOfOtherSectionsOnlyWhatIsToldToBeConstant) {
  BackedCore core = this->core(true);
  core.files().setConstantParts([&](Bytes file) {
    EXPECT_TRUE(std::ranges::equal(file, m_image));
    return std::vector<ImagePart>{{0x5100, 0x40}, {0x57f0, 0x20}, {0x5200, 0xffff'ffff}, {0x2010, 0x10}, {0x9000, 8}};
  });
  EXPECT_TRUE(isRead(core, 0x5100, 0x4100));
  EXPECT_TRUE(isRead(core, 0x5138, 0x4138));
  EXPECT_EQ(core.space().prefix({kBase + 0x5100}, 0x100).size(), 0x40u);
  EXPECT_TRUE(core.space().prefix({kBase + 0x50f8}, 8).empty());
  EXPECT_TRUE(core.space().prefix({kBase + 0x5200}, 8).empty()) << "ends behind its section";
  EXPECT_TRUE(core.space().prefix({kBase + 0x57f0}, 8).empty()) << "ends behind its section";
  EXPECT_TRUE(core.space().prefix({kBase + 0x2010}, 8).empty()) << "relocated";
}

TEST_F(FilesOfImages, TellWhereRelocatedPointersLead) {
  constexpr std::uint64_t kPreferred = 0x180000000;
  std::memcpy(m_image.data() + 0x98 + 24, &kPreferred, sizeof kPreferred);
  const auto point = [&](std::uint64_t target) {
    std::memcpy(m_image.data() + 0x2010, &target, sizeof target);
    writeFile(m_folder / "shop.dll", m_image);
  };
  point(kPreferred + 0x1230);
  BackedCore core = this->core(true);
  EXPECT_EQ(core.files().relocatedPointer({kBase + 0x2010}), Address{kBase + 0x1230});
  EXPECT_FALSE(core.files().relocatedPointer({kBase + 0x2018})) << "no pointer is listed there";
  EXPECT_FALSE(core.files().relocatedPointer({kBase + 0x3010})) << "in another page";
  EXPECT_FALSE(core.files().relocatedPointer({0x1000})) << "no image";
  point(kPreferred - 8);
  EXPECT_FALSE(this->core(true).files().relocatedPointer({kBase + 0x2010})) << "in front of the image";
}

TEST_F(FilesOfImages, AreRefusedWithOtherHeaders) {
  EXPECT_FALSE(isRead(core(true, 1), 0x1000, 0x1000));
}

TEST_F(FilesOfImages, NeedAProofWhereTheDumpHoldsNoHeaders) {
  BackedCore core = this->core(false);
  EXPECT_FALSE(isRead(core, 0x1000, 0x1000));
  int asked = 0;
  core.files().addProof(FileIdentity::MetadataShape, [&](const AddressSpace&, Address, Bytes) -> std::optional<bool> {
    ++asked;
    return std::nullopt;
  });
  EXPECT_FALSE(isRead(core, 0x1000, 0x1000));
  EXPECT_FALSE(isRead(core, 0x1000, 0x1000));
  EXPECT_EQ(asked, 1) << "the same question has the same answer";
  core.files().addProof(FileIdentity::MetadataShape,
                        [&](const AddressSpace& dump, Address base, Bytes file) -> std::optional<bool> {
                          EXPECT_EQ(base, Address{kBase});
                          EXPECT_TRUE(dump.prefix(base, 1).empty());
                          return std::ranges::equal(file, m_image);
                        });
  EXPECT_TRUE(isRead(core, 0x1000, 0x1000));
}

TEST_F(FilesOfImages, AreHeldAgainstWhatACopyWithoutContentsHasLeft) {
  // A page of code that another process has changed, or that a copy has left half of.
  const auto isRead = [&](bool isCopy, std::byte held) {
    FileBytes page(m_image.begin() + 0x1000, m_image.begin() + 0x1010);
    page[5] = held;
    CoreBuilder builder;
    builder.dataAlignment(16).mappedFile({{kBase}, {kBase + 0x4000}}, 0, "/opt/shop.dll").memory(kBase + 0x1000, page);
    const std::string note = writeRedaction(Redaction());
    const auto* bytes = reinterpret_cast<const std::byte*>(note.data());
    if (isCopy) builder.note(kRedactionOwner, kRedactionType, {bytes, bytes + note.size()});
    BackedCore core{builder, {.hasRecordedPaths = false, .folders = {m_folder.path()}, .dotnets = {}}};
    core.files().addProof(FileIdentity::NativeCode,
                          [](const AddressSpace&, Address, Bytes) { return std::optional(true); });
    return this->isRead(core, 0x1100, 0x1100);
  };
  const std::byte own = m_image[0x1005];
  EXPECT_TRUE(isRead(false, own));
  EXPECT_FALSE(isRead(false, std::byte{}));
  EXPECT_TRUE(isRead(true, std::byte{}));
  EXPECT_FALSE(isRead(true, own ^ std::byte{0x10}));
}

TEST_F(FilesOfImages, AreRefusedByAProof) {
  BackedCore core = this->core(false);
  core.files().addProof(FileIdentity::MetadataShape,
                        [](const AddressSpace&, Address, Bytes) { return std::optional(false); });
  core.files().addProof(FileIdentity::MetadataShape,
                        [](const AddressSpace&, Address, Bytes) { return std::optional(true); });
  EXPECT_FALSE(isRead(core, 0x1000, 0x1000));
}

TEST(LibraryMap, KeepsTheMappingsOfOneLibraryTogether) {
  CoreBuilder builder;
  builder.memory(0x1000, FileBytes(16))
      .mappedFile({{0x10000}, {0x12000}}, 0, "/lib/one.so")
      .mappedFile({{0x12000}, {0x13000}}, 0, "/lib/one.so")  // a small library's data lie in its first page as well
      .mappedFile({{0x14000}, {0x15000}}, 0x3000, "/lib/one.so")
      .mappedFile({{0x20000}, {0x50000}}, 0, "/opt/shop.dll")  // the whole file, as the runtime opens it
      .mappedFile({{0x60000}, {0x61000}}, 0, "/opt/shop.dll")  // headers of the image, as it is laid out
      .mappedFile({{0x70000}, {0x78000}}, 0, "/opt/shop.dll")
      .mappedFile({{0x88000}, {0x89000}}, 0x8000, "/opt/shop.dll")
      .mappedFile({{0x90000}, {0x91000}}, 0x1000, "/opt/data.bin");
  const OpenedCore core(builder);
  const LibraryMap map(core.core());
  const auto startAt = [&](std::uint64_t address) {
    const auto index = map.indexAt({address});
    return index ? map.all()[*index].range.start.value : 0;
  };
  EXPECT_EQ(startAt(0x10000), 0x10000u);
  EXPECT_EQ(startAt(0x12fff), 0x10000u);
  EXPECT_EQ(startAt(0x14fff), 0x10000u);
  EXPECT_EQ(startAt(0x15000), 0u);
  EXPECT_EQ(startAt(0x20000), 0x20000u);
  EXPECT_EQ(startAt(0x60000), 0x60000u);
  EXPECT_EQ(startAt(0x70000), 0x60000u);
  EXPECT_EQ(startAt(0x88fff), 0x60000u);
  EXPECT_EQ(startAt(0x90000), 0u) << "its beginning is not mapped";
}

TEST_F(FilesOfImages, MayBeCutOrHostile) {
  for (std::size_t size = 1; size < 0x5000; size = size * 3 / 2 + 1) {
    writeFile(m_folder / "shop.dll", Bytes(m_image).first(size));
    (void)core(true).space().prefix({kBase + 0x1000}, 64);
  }
  for (unsigned seed = 0; seed < 50; ++seed) {
    FileBytes changed = m_image;
    const FileBytes noise = pattern(64, seed);
    std::ranges::copy(noise, changed.begin() + 0x80 + (seed * 13) % 0x1a0);
    writeFile(m_folder / "shop.dll", changed);
    BackedCore backed = core(false);
    backed.files().addProof(FileIdentity::MetadataShape,
                            [](const AddressSpace&, Address, Bytes) { return std::optional(true); });
    for (const AddressRange& part : backed.space().readable({{kBase}, {kBase + 0x10000}})) {
      FileBytes read(part.sizeBytes());
      EXPECT_TRUE(backed.space().tryRead(part.start, read));
    }
  }
}

}  // namespace
}  // namespace heapscape::engine
