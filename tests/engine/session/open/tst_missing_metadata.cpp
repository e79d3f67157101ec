// SPDX-License-Identifier: MIT
#include "session/open/missing_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "session/snapshot/contents.h"
#include "support/builders/core_builder.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

const ModuleRow& moduleNamed(const Snapshot& snapshot, std::string_view name) {
  const auto& modules = snapshot.modules();
  const auto found = std::ranges::find(modules, name, &ModuleRow::name);
  if (found == modules.end()) throw std::runtime_error("no such module");
  return *found;
}

/// An assembly's file as the process had it mapped: what a dump that holds the image has of it.
FileBytes fileOf(const Snapshot& snapshot, std::string_view name) {
  const ModuleRow& module = moduleNamed(snapshot, name);
  FileBytes file(module.sizeBytes);
  const AddressRange range{module.imageBase, module.imageBase + module.sizeBytes};
  const AddressSpace& memory = *snapshot.contents().memory;
  for (const AddressRange& part : memory.present(range)) {
    memory.tryRead(part.start, std::span(file).subspan(part.start - range.start, part.sizeBytes()));
  }
  return file;
}

/// A dump without images, of the same build of the same program as one with them.
class DumpWithoutImages : public testing::Test {
 protected:
  DumpWithoutImages() : m_file(fileOf(openedDump("shop-10"), "catalog.dll")) {}

  Snapshot open(std::vector<std::filesystem::path> folders = {}) const {
    OpenOptions options;
    options.searchFolders = std::move(folders);
    auto opened = openDump(dumpPath("shop-10-gcore"), options, nullptr, {});
    if (!opened) throw std::runtime_error(opened.error().error().message());
    return *opened;
  }
  Snapshot openWith(const FileBytes& file) const {
    writeFile(m_folder / "catalog.dll", file);
    return open({m_folder.path()});
  }
  std::optional<MissingMetadata> missingIn(const Snapshot& snapshot) const {
    const auto all = missingMetadata(snapshot);
    const auto found = std::ranges::find(all, "catalog.dll", &MissingMetadata::name);
    return found == all.end() ? std::nullopt : std::optional(*found);
  }
  std::size_t placeOf(std::string_view text) const {
    const auto* first = reinterpret_cast<const char*>(m_file.data());
    const std::size_t place = std::string_view(first, m_file.size()).find(text);
    if (place == std::string_view::npos) throw std::runtime_error("no such text");
    return place;
  }

  FileBytes m_file;
  TemporaryFolder m_folder;
};

TEST_F(DumpWithoutImages, HasNoNamesWithoutFiles) {
  const Snapshot snapshot = open();
  EXPECT_TRUE(findType(snapshot, "Catalog.Order").isNone());
  const auto missing = missingIn(snapshot);
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->version, "1.0.0.0");
  EXPECT_EQ(missing->fileBytes, m_file.size());
  EXPECT_TRUE(missing->canBeProven);
  EXPECT_TRUE(missing->path.ends_with("/catalog.dll")) << missing->path;
  const auto& told = snapshot.summary().missing;
  EXPECT_EQ(std::ranges::count_if(told, isMissingMetadata), std::ssize(missingMetadata(snapshot)));
  EXPECT_TRUE(std::ranges::any_of(told, [](const Missing& one) {
    return one.what.find("catalog.dll (version 1.0.0.0, a file of 18432 bytes)") != std::string::npos;
  }));
}

TEST_F(DumpWithoutImages, HasNamesFromTheFileThatTheProcessHadLoaded) {
  const Snapshot bare = open();
  const Snapshot named = openWith(m_file);
  const ModuleRow& module = moduleNamed(named, "catalog.dll");
  EXPECT_EQ(module.metadata, MetadataSource::File);
  EXPECT_EQ(module.mvid, moduleNamed(openedDump("shop-10"), "catalog.dll").mvid);
  const auto file = metadataFileOf(named, module);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->path, m_folder / "catalog.dll");
  EXPECT_EQ(file->proof, "metadataShape");
  EXPECT_FALSE(missingIn(named));
  const TypeId order = findType(named, "Catalog.Order");
  ASSERT_FALSE(order.isNone());
  EXPECT_EQ(named.typeCounts().count[order.value], 2500u);
  EXPECT_EQ(named.totals().objects, bare.totals().objects);
  EXPECT_EQ(named.totals().bytes, bare.totals().bytes);
}

TEST_F(DumpWithoutImages, FindsTheFileAnywhereBelowAFolder) {
  std::filesystem::create_directories(m_folder.path() / "a" / "b c");
  writeFile(m_folder.path() / "a" / "b c" / "catalog.dll", m_file);
  EXPECT_FALSE(findType(open({m_folder.path()}), "Catalog.Order").isNone());
}

TEST_F(DumpWithoutImages, PrefersTheRightOneOfSeveralFiles) {
  FileBytes other = m_file;
  std::memcpy(other.data() + placeOf("OrderLine"), "OrderWine", 9);
  writeFile(m_folder / "catalog.dll", other);
  std::filesystem::create_directory(m_folder.path() / "right");
  writeFile(m_folder.path() / "right" / "catalog.dll", m_file);
  const Snapshot snapshot = open({m_folder.path()});
  EXPECT_FALSE(findType(snapshot, "Catalog.OrderLine").isNone());
}

TEST_F(DumpWithoutImages, DoesNotUseAnotherBuild) {
  const auto isRefused = [&](const FileBytes& file) {
    const Snapshot snapshot = openWith(file);
    const auto missing = missingIn(snapshot);
    if (!missing || missing->otherBuilds.size() != 1) return false;
    return describe(*missing).help.find("catalog.dll is another build") != std::string::npos;
  };
  FileBytes renamed = m_file;
  std::memcpy(renamed.data() + placeOf("OrderLine"), "OrderWine", 9);
  EXPECT_TRUE(isRefused(renamed)) << "a type of another name with as many letters";
  FileBytes longer = m_file;
  longer.resize(longer.size() + 512);
  EXPECT_TRUE(isRefused(longer)) << "a longer file";
  FileBytes rows = m_file;
  const std::size_t tables = placeOf(std::string_view("\0\0\0\0\x02\0\0\x01", 8));
  rows[tables + 28] ^= std::byte{1};
  EXPECT_TRUE(isRefused(rows)) << "another number of rows";
  FileBytes cut = m_file;
  cut.resize(cut.size() / 2);
  EXPECT_TRUE(isRefused(cut));
}

TEST_F(DumpWithoutImages, SurvivesHostileFiles) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    FileBytes file = m_file;
    const FileBytes noise = pattern(256, seed);
    std::ranges::copy(noise, file.begin() + (seed * 977) % (file.size() - noise.size()));
    (void)openWith(file);
  }
}

TEST(MissingMetadataText, SaysWhereTheDumpHasNoIdentity) {
  MissingMetadata missing;
  missing.name = "shop.dll";
  missing.unproven.emplace_back("/opt/shop.dll");
  const Missing text = describe(missing);
  EXPECT_EQ(text.what, "Names of types, fields and methods of shop.dll.");
  EXPECT_NE(text.help.find("no identity"), std::string::npos);
  EXPECT_NE(text.help.find("/opt/shop.dll"), std::string::npos);
  EXPECT_TRUE(isMissingMetadata(text));
}

}  // namespace
}  // namespace heapscape::engine
