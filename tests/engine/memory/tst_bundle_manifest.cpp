// SPDX-License-Identifier: MIT
#include "memory/packing/bundle_manifest.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>

#include "memory/file_backed_memory.h"
#include "memory/packing/decoder.h"
#include "support/builders/core_builder.h"
#include "support/opened_core.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr unsigned char kMarker[] = {0x8b, 0x12, 0x02, 0xb9, 0x6a, 0x61, 0x20, 0x38, 0x72, 0x7b, 0x93,
                                     0x02, 0x14, 0xd7, 0xa0, 0x32, 0x13, 0xf5, 0xb9, 0xe6, 0xef, 0xae,
                                     0x33, 0x18, 0xee, 0x3b, 0x2d, 0xce, 0x24, 0xb3, 0x6a, 0xae};

FileBytes deflated(Bytes bytes) {
  FileBytes packed(bytes.size() + 1024);
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// A single-file program: a host with the marker, files, and their list.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::uint32_t version = 6) : m_version(version) {
    m_bytes.resize(4096);
    std::memcpy(m_bytes.data() + 0x208, kMarker, sizeof kMarker);
  }

  ProgramBuilder& file(const std::string& path, Bytes contents, bool isPacked = false) {
    const FileBytes packed = isPacked ? deflated(contents) : FileBytes();
    const Bytes stored = isPacked ? Bytes(packed) : contents;
    BundledFile file{path, BundledFile::Type::Assembly, m_bytes.size(), contents.size(), packed.size()};
    m_bytes.insert(m_bytes.end(), stored.begin(), stored.end());
    m_files.push_back(std::move(file));
    return *this;
  }
  /// Claims a file that may not be there.
  ProgramBuilder& claim(const BundledFile& file) {
    m_files.push_back(file);
    return *this;
  }

  FileBytes build() {
    const std::uint64_t start = m_bytes.size();
    std::memcpy(m_bytes.data() + 0x200, &start, sizeof start);
    add(m_version);
    add(std::uint32_t{0});
    add(static_cast<std::uint32_t>(m_files.size()));
    addText(std::string(200, 'x'));  // its length needs two bytes
    if (m_version >= 2) {
      for (int i = 0; i < 5; ++i) add(std::uint64_t{0});
    }
    for (const BundledFile& file : m_files) {
      add(file.offset);
      add(file.sizeBytes);
      if (m_version >= 6) add(file.packedBytes);
      add(file.type);
      addText(file.path);
    }
    return m_bytes;
  }

 private:
  template <class T>
  void add(const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
  }
  void addText(const std::string& text) {
    if (text.size() >= 128) add(static_cast<std::uint8_t>(text.size() % 128 | 128));
    add(static_cast<std::uint8_t>(text.size() >= 128 ? text.size() / 128 : text.size()));
    const FileBytes bytes = bytesOfText(text);
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
  }

  std::uint32_t m_version;
  FileBytes m_bytes;
  std::vector<BundledFile> m_files;
};

TEST(BundleManifest, ListsTheFilesOfASingleFileProgram) {
  for (const std::uint32_t version : {1u, 2u, 6u}) {
    ProgramBuilder builder(version);
    builder.file("shop.dll", pattern(1000)).file("de/shop.resources.dll", pattern(500, 2));
    const FileBytes program = builder.build();
    const auto manifest = readBundleManifest(program);
    ASSERT_TRUE(manifest) << manifest.error().message();
    EXPECT_EQ(manifest->majorVersion, version);
    EXPECT_EQ(manifest->id.size(), 200u);
    const BundledFile* resources = manifest->find("de/shop.resources.dll");
    ASSERT_TRUE(resources);
    EXPECT_EQ(resources->sizeBytes, 500u);
    EXPECT_EQ(resources->packedBytes, 0u);
    EXPECT_FALSE(manifest->find("other.dll"));
    EXPECT_EQ(manifest->findAt(resources->offset), resources);
    EXPECT_FALSE(manifest->findAt(resources->offset + 1));
  }
}

TEST(BundleManifest, IsNotFoundInOtherPrograms) {
  EXPECT_EQ(readBundleManifest(pattern(10'000)).error().code, ErrorCode::NotFound);
  FileBytes emptyHost(4096);
  std::memcpy(emptyHost.data() + 8, kMarker, sizeof kMarker);
  EXPECT_EQ(readBundleManifest(emptyHost).error().code, ErrorCode::NotFound);
}

TEST(BundleManifest, IsRefusedWhereItLeadsOutOfTheFile) {
  using Type = BundledFile::Type;
  for (const BundledFile& file :
       {BundledFile{"a.dll", Type::Assembly, 100, 1 << 20, 0}, BundledFile{"a.dll", Type::Assembly, ~0ull, 16, 0},
        BundledFile{"a.dll", Type::Assembly, 100, ~0ull, 16}, BundledFile{"a.dll", Type::Assembly, 100, 16, ~0ull}}) {
    const FileBytes program = ProgramBuilder().claim(file).build();
    EXPECT_EQ(readBundleManifest(program).error().code, ErrorCode::Damaged);
  }
}

TEST(BundleManifest, MayBeCutOrHostile) {
  const FileBytes program = ProgramBuilder().file("shop.dll", pattern(1000), true).build();
  for (std::size_t size = 0; size < program.size(); size += 7) (void)readBundleManifest(Bytes(program).first(size));
  for (unsigned seed = 0; seed < 200; ++seed) {
    FileBytes changed = program;
    const FileBytes noise = pattern(16, seed);
    std::ranges::copy(noise, changed.end() - 16 - (seed * 5) % 280);
    (void)readBundleManifest(changed);
  }
}

TEST(Inflate, UnpacksToExactlyTheSizeExpected) {
  const FileBytes bytes = pattern(5000);
  const FileBytes packed = deflated(bytes);
  const auto unpacked = inflateBytes(packed, 5000);
  ASSERT_TRUE(unpacked);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), unpacked.get()));
  EXPECT_FALSE(inflateBytes(packed, 4999));
  EXPECT_FALSE(inflateBytes(packed, 5001));
  EXPECT_FALSE(inflateBytes(Bytes(packed).first(packed.size() / 2), 5000));
  EXPECT_FALSE(inflateBytes(packed, ~0u)) << "more than deflate can make of it";
}

/// The first bytes of a PE image whose one section has everything.
FileBytes smallImage() {
  FileBytes image = pattern(0x1000);
  const auto put = [&](std::size_t offset, auto value) { std::memcpy(image.data() + offset, &value, sizeof value); };
  std::fill_n(image.begin(), 0x200, std::byte{0});
  put(0, std::uint16_t{0x5a4d});
  put(0x3c, std::uint32_t{0x80});
  put(0x80, std::uint32_t{0x4550});
  put(0x86, std::uint16_t{1});
  put(0x94, std::uint16_t{240});
  put(0x98, std::uint16_t{0x20b});
  put(0x98 + 60, std::uint32_t{0x200});
  put(0x98 + 240 + 12, std::uint32_t{0x200});
  put(0x98 + 240 + 16, std::uint32_t{0xe00});
  put(0x98 + 240 + 20, std::uint32_t{0x200});
  return image;
}

TEST(ImagesInSingleFilePrograms, AreReadFromTheProgramOnDiskIfProven) {
  constexpr std::uint64_t kBase = 0x7f0000000040;  // an image need not begin with a page
  const FileBytes image = smallImage();
  for (const bool isPacked : {false, true}) {
    TemporaryFolder folder;
    writeFile(folder / "shop", ProgramBuilder().file("lib/catalog.dll", image, isPacked).build());
    CoreBuilder builder;
    builder.memory(0x1000, FileBytes(16));
    const OpenedCore core(builder);
    const auto files = std::make_shared<FileBackedMemory>(
        core.space(), core.core(), FilePlaces{.hasRecordedPaths = false, .folders = {folder.path()}});
    const LoadedImage loaded{{{kBase}, {kBase + image.size()}}, "/app/lib/catalog.dll", "/app/shop", {}};
    files->addImages({&loaded, 1});
    const AddressSpace space(core.space(), files);
    EXPECT_TRUE(space.prefix({kBase + 0x400}, 16).empty()) << "nothing proves it";
    ASSERT_EQ(files->refusedAt({kBase}).size(), 1u);
    EXPECT_FALSE(files->refusedAt({kBase}).front().isOther);
    files->addProof(FileIdentity::MetadataShape, [&](const AddressSpace&, Address base, Bytes file) {
      return std::optional(base == Address{kBase} && std::ranges::equal(file, image));
    });
    const auto view = space.view({{kBase + 0x400}, {kBase + 0x500}});
    ASSERT_TRUE(view) << view.error().message();
    EXPECT_TRUE(std::ranges::equal(view->bytes, Bytes(image).subspan(0x400, 0x100)));
    EXPECT_EQ(files->fileAt({kBase + 1}), folder / "shop");
    EXPECT_EQ(files->identityAt({kBase}), FileIdentity::MetadataShape);
    EXPECT_TRUE(files->refusedAt({kBase}).empty());
  }
}

TEST(ImagesInSingleFilePrograms, AreReadWhereTheProgramHasThemMapped) {
  constexpr std::uint64_t kBase = 0x7f0000000000;
  const FileBytes image = smallImage();
  TemporaryFolder folder;
  const FileBytes program = ProgramBuilder().file("a.dll", pattern(600)).file("catalog.dll", image).build();
  writeFile(folder / "shop", program);
  constexpr std::uint64_t kOffset = 4096 + 600;
  for (const auto& [elsewhere, path] : {std::pair<std::uint64_t, std::string>{0, "/app/catalog.dll"},
                                        {0x1000, "/app/catalog.dll"},
                                        {0, ""},
                                        {0x1000, ""}}) {
    CoreBuilder builder;
    builder.memory(0x1000, FileBytes(16));
    const OpenedCore core(builder);
    const auto files = std::make_shared<FileBackedMemory>(
        core.space(), core.core(), FilePlaces{.hasRecordedPaths = false, .folders = {folder.path()}});
    const MappedFile mapping{{{kBase}, {kBase + 0x2000}}, 4096 + elsewhere, "/app/shop"};
    const LoadedImage loaded{{{kBase + 600}, {kBase + 600 + image.size()}}, path, "/app/shop", {mapping}};
    files->addImages({&loaded, 1});
    files->addProof(FileIdentity::MetadataShape,
                    [](const AddressSpace&, Address, Bytes) { return std::optional(true); });
    const Bytes read = files->prefix({kBase + 600 + 0x400}, 16);
    if (elsewhere == 0) {
      EXPECT_TRUE(std::ranges::equal(read, Bytes(program).subspan(kOffset + 0x400, 16)));
    } else {
      EXPECT_FALSE(std::ranges::equal(read, Bytes(image).subspan(0x400, 16))) << "another place of the program";
    }
  }
}

}  // namespace
}  // namespace heapscape::engine
