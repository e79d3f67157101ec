// SPDX-License-Identifier: MIT
#include "metadata/image/portable_pdb.h"

#include <zlib.h>

#include <fstream>

#include "metadata_testing.h"
#include "support/temporary_folder.h"
#include "written_image.h"

namespace heapscape::test {
namespace {

using engine::DebugDirectory;
using engine::findPdb;
using engine::PdbId;
using engine::TableId;

constexpr unsigned kIdByte = 7;

std::vector<std::byte> pdbOf(unsigned idByte) {
  MetadataBuilder builder;
  builder.usePdbStream(idByte, {{TableId::MethodDef, 1}});
  return builder.build();
}

PdbId idOf(unsigned idByte) {
  PdbId id{};
  id.fill(static_cast<std::byte>(idByte));
  return id;
}

void append(std::vector<std::byte>& bytes, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

/// As a compiler puts a PDB into an image; `claimed` is how many bytes it says come out of it.
std::vector<std::byte> embedded(const std::vector<std::byte>& pdb, std::size_t claimed) {
  std::vector<Bytef> packed(compressBound(pdb.size()));
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(pdb.data()));
  stream.avail_in = static_cast<uInt>(pdb.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  std::vector<std::byte> bytes;
  append(bytes, 0x4244504d);
  append(bytes, static_cast<std::uint32_t>(claimed));
  const auto view = std::as_bytes(std::span(packed));
  bytes.insert(bytes.end(), view.begin(), view.end());
  return bytes;
}

std::vector<std::byte> embedded(const std::vector<std::byte>& pdb) {
  return embedded(pdb, pdb.size());
}

std::filesystem::path write(const TemporaryFolder& folder, const std::string& name,
                            const std::vector<std::byte>& bytes) {
  const auto path = folder / name;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path;
}

DebugDirectory directoryOf(unsigned idByte) {
  return {.pdbId = idOf(idByte), .pdbPath = "/src/shop.pdb", .embeddedPdb = {}};
}

constexpr std::size_t kDebugEntries = 0x420;  // in the file, and at 0x1020 when mapped
constexpr std::size_t kEntryBytes = 28;
constexpr std::size_t kData = 0x1200;  // behind the section, where only the file has something

void putEntry(WrittenImage& image, std::size_t number, std::uint16_t minor, std::uint32_t type, std::uint32_t stamp,
              const std::vector<std::byte>& data, std::size_t at) {
  const std::size_t entry = kDebugEntries + number * kEntryBytes;
  image.put<std::uint32_t>(entry + 4, stamp);
  image.put<std::uint16_t>(entry + 8, 0x100);
  image.put<std::uint16_t>(entry + 10, minor);
  image.put<std::uint32_t>(entry + 12, type);
  image.put<std::uint32_t>(entry + 16, static_cast<std::uint32_t>(data.size()));
  image.put<std::uint32_t>(entry + 24, static_cast<std::uint32_t>(at));
  image.putBytes(at, data);
}

/// An image whose debug directory has as many entries.
WrittenImage imageWithEntries(std::uint32_t count) {
  WrittenImage image;
  const std::size_t directory = WrittenImage::kOptional + 112 + std::size_t{6} * 8;
  image.put<std::uint32_t>(directory, 0x1020);
  image.put<std::uint32_t>(directory + 4, count * kEntryBytes);
  return image;
}

std::vector<std::byte> codeView(unsigned guidByte, std::string_view path) {
  std::vector<std::byte> bytes;
  append(bytes, 0x53445352);
  bytes.insert(bytes.end(), 16, static_cast<std::byte>(guidByte));
  append(bytes, 1);
  for (const char letter : path) bytes.push_back(static_cast<std::byte>(letter));
  bytes.push_back(std::byte{0});
  return bytes;
}

TEST(DebugDirectory, NamesThePdbThatWasWrittenWithAnAssembly) {
  WrittenImage image = imageWithEntries(3);
  putEntry(image, 0, 0, 16, 1, {}, 0);                            // reproducible
  putEntry(image, 1, 0, 2, 1, codeView(9, "native.pdb"), kData);  // of an image's native code
  putEntry(image, 2, 0x504d, 2, 0x07070707, codeView(7, "C:\\src\\shop.pdb"), kData + 0x100);
  const auto directory = engine::readDebugDirectory(readerOf(image.bytes()), false);
  ASSERT_TRUE(directory);
  EXPECT_EQ(directory->pdbId, idOf(7));
  EXPECT_EQ(directory->pdbPath, "C:\\src\\shop.pdb");
  EXPECT_EQ(engine::pdbFileName(*directory), "shop.pdb");
  EXPECT_TRUE(directory->embeddedPdb.empty());
}

TEST(DebugDirectory, HasThePdbThatLiesInsideAnAssembly) {
  WrittenImage image = imageWithEntries(2);
  putEntry(image, 0, 0x504d, 2, 0x07070707, codeView(7, "shop.pdb"), kData);
  putEntry(image, 1, 0x100, 17, 0, embedded(pdbOf(kIdByte)), kData + 0x100);
  const auto directory = engine::readDebugDirectory(readerOf(image.bytes()), false);
  ASSERT_TRUE(directory);
  EXPECT_TRUE(directory->isWhole);
  const auto pdb = findPdb(*directory, {});
  ASSERT_TRUE(pdb);
  EXPECT_EQ(pdb->id(), idOf(kIdByte));
}

TEST(DebugDirectory, TellsNothingOfAnImageThatHasNoneOrADamagedOne) {
  EXPECT_FALSE(engine::readDebugDirectory(readerOf(WrittenImage().bytes()), false));
  WrittenImage outside = imageWithEntries(1);
  putEntry(outside, 0, 0x504d, 2, 7, {}, 0);
  outside.put<std::uint32_t>(kDebugEntries + 16, 0x7fffffff);
  outside.put<std::uint32_t>(kDebugEntries + 24, 0x7fffffff);
  const auto directory = engine::readDebugDirectory(readerOf(outside.bytes()), false);
  ASSERT_TRUE(directory);
  EXPECT_FALSE(directory->pdbId);
  EXPECT_FALSE(directory->isWhole);
  EXPECT_FALSE(findPdb(*directory, {}));
  WrittenImage whole = imageWithEntries(2);
  putEntry(whole, 0, 0x504d, 2, 0x07070707, codeView(7, "shop.pdb"), kData);
  putEntry(whole, 1, 0x100, 17, 0, embedded(pdbOf(kIdByte)), kData + 0x100);
  for (std::size_t size = 0; size < whole.bytes().size(); ++size) {
    const auto cut = engine::readDebugDirectory(readerOf(engine::Bytes(whole.bytes()).first(size)), false);
    if (cut) (void)findPdb(*cut, {});
  }
}

TEST(PdbFiles, UseOnlyAFileWithTheAssemblysId) {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> candidates = {folder / "missing.pdb", write(folder, "other.pdb", pdbOf(8)),
                                                         write(folder, "text.pdb", {std::byte{65}}), folder.path(),
                                                         write(folder, "right.pdb", pdbOf(kIdByte))};
  const auto pdb = findPdb(directoryOf(kIdByte), candidates);
  ASSERT_TRUE(pdb);
  EXPECT_EQ(pdb->id(), idOf(kIdByte));
  EXPECT_FALSE(findPdb(directoryOf(9), candidates));
  EXPECT_FALSE(findPdb({}, candidates));
}

TEST(PdbFiles, PreferWhatIsInsideTheAssembly) {
  const TemporaryFolder folder;
  DebugDirectory directory = directoryOf(kIdByte);
  directory.embeddedPdb = embedded(pdbOf(kIdByte));
  EXPECT_TRUE(findPdb(directory, {}));
  directory.embeddedPdb = embedded(pdbOf(8));
  EXPECT_FALSE(findPdb(directory, {}));
  const std::vector<std::filesystem::path> candidates = {write(folder, "right.pdb", pdbOf(kIdByte))};
  EXPECT_TRUE(findPdb(directory, candidates));
}

TEST(PdbFiles, AreNotMisledByAPackedPdbThatLies) {
  const auto pdb = pdbOf(kIdByte);
  for (const std::size_t claimed : {std::size_t{0}, std::size_t{1}, pdb.size() - 1, pdb.size() + 1,
                                    std::size_t{0x7fffffff}, std::size_t{0xffffffff}}) {
    DebugDirectory directory = directoryOf(kIdByte);
    directory.embeddedPdb = embedded(pdb, claimed);
    EXPECT_FALSE(findPdb(directory, {})) << claimed;
  }
  const auto whole = embedded(pdb);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    DebugDirectory directory = directoryOf(kIdByte);
    directory.embeddedPdb.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(findPdb(directory, {})) << size;
  }
}

}  // namespace
}  // namespace heapscape::test
