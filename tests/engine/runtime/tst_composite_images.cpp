// SPDX-License-Identifier: MIT
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/modules/metadata_identity.h"
#include "runtime/modules/noted_images.h"
#include "session/open/missing_files.h"
#include "session/snapshot/contents.h"
#include "support/builders/metadata_builder.h"
#include "support/dump_path.h"
#include "support/opened_core.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr const char* kDump = "shop-10";
constexpr std::uint32_t kMvids = 0x300;
constexpr std::uint32_t kManifest = 0x400;

const Module& moduleNamed(std::string_view name) {
  const auto& modules = openedDump(kDump).contents().readers->modules.all();
  const auto found = std::ranges::find(modules, name, &Module::name);
  if (found == modules.end()) throw std::runtime_error("no such module");
  return **found;
}

/// A dump in which one image is made to be a composite one: no module's own, and with the code of System.Collections.
class CompositeImage : public testing::Test {
 protected:
  CompositeImage()
      : component(moduleNamed("System.Collections.dll").imageBase),
        composite(moduleNamed("System.Threading.dll").imageBase) {
    const ClrRuntime& whole = openedDump(kDump).contents().readers->runtime;
    const Address info =
        whole.pointerAt(moduleNamed("System.Collections.dll").address, "Module", "ReadyToRunInfo").value();
    m_core.write(whole.member(info, "ReadyToRunInfo", "RuntimeFunctions"), composite + 0x2000);
    const Address module = moduleNamed("System.Threading.dll").address;
    const Address assembly = whole.pointerAt(module, "Module", "PEAssembly").value();
    const Address image = whole.pointerAt(assembly, "PEAssembly", "PEImage").value();
    const Address layout = whole.pointerAt(image, "PEImage", "LoadedImageLayout").value();
    m_core.write(whole.member(layout, "PEImageLayout", "Base"), composite + (64ull << 20));
    writeImage();
  }

  ClrRuntime runtime() const {
    const OpenedCore opened(m_core.path());
    const auto library = findRuntimeLibrary(opened.space(), opened.core()).value();
    return {std::make_shared<const AddressSpace>(opened.space()), library,
            selectContract(opened.space(), library, {}).value()};
  }

  PatchedCore m_core{kDump};
  Address component;
  Address composite;

 private:
  void writeImage() {
    const auto put = [&](std::uint32_t offset, auto value) { m_core.write(composite + offset, value); };
    put(0, std::uint16_t{0x5a4d});
    put(0x3c, std::uint32_t{0x80});
    put(0x80, std::uint32_t{0x4550});
    put(0x86, std::uint16_t{0});
    put(0x94, std::uint16_t{240});
    put(0x98, std::uint16_t{0x20b});
    put(0x98 + 56, std::uint32_t{0x10000});
    put(0x98 + 108, std::uint32_t{16});
    put(0x98 + 112 + 14 * 8, std::uint32_t{0x200});  // CLI header
    put(0x98 + 112 + 14 * 8 + 4, std::uint32_t{72});
    MetadataBuilder manifest;
    for (const char* name : {"System.Runtime", "System.Collections"}) {
      using B = MetadataBuilder;
      manifest.addRow(TableId::AssemblyRef, {B::u16(10), B::u16(0), B::u16(0), B::u16(0), B::u32(0), B::blobAt(0),
                                             manifest.text(name), B::textAt(0), B::blobAt(0)});
    }
    const auto metadata = manifest.build();
    m_core.writeAt(m_core.fileOffset(composite + kManifest), metadata);
    put(0x208, kManifest);
    put(0x20c, static_cast<std::uint32_t>(metadata.size()));
    put(0x240, std::uint32_t{0x250});  // managed native header
    put(0x244, std::uint32_t{40});
    put(0x250, std::uint32_t{0x00525452});
    put(0x25c, std::uint32_t{2});
    put(0x260, std::array{112u, kManifest, static_cast<std::uint32_t>(metadata.size())});
    put(0x26c, std::array{118u, kMvids, 32u});
    put(kMvids, std::array<std::uint64_t, 2>{});
    put(kMvids + 16, std::array<std::uint64_t, 2>{0x7766554433221100, 0xffeeddccbbaa9988});
  }
};

TEST_F(CompositeImage, TellsTheMvidsOfTheAssembliesInIt) {
  const auto mvids = componentMvids(runtime());
  ASSERT_EQ(mvids.size(), 1u) << "other assemblies have their own code";
  ASSERT_TRUE(mvids.contains(component));
  EXPECT_EQ(mvids.at(component), "33221100-5544-7766-8899-aabbccddeeff");
}

TEST_F(CompositeImage, MayListFewerMvidsThanAssemblies) {
  m_core.write(composite + 0x274, std::uint32_t{31});
  EXPECT_TRUE(componentMvids(runtime()).empty());
  m_core.write(composite + 0x274, ~std::uint32_t{0});
  EXPECT_EQ(componentMvids(runtime()).size(), 1u);
  m_core.write(composite + 0x25c, std::uint32_t{1});
  EXPECT_TRUE(componentMvids(runtime()).empty()) << "a list that an older compiler left out";
}

TEST_F(CompositeImage, IsAnImageOfTheProgramThatHasItMapped) {
  ElfCore core;
  const AddressRange host{{0x400000}, {0x410000}};
  core.auxiliaryVector = {{AT_ENTRY, 0x401000}};
  core.files = {{host, 0, "/app/shop"}, {{composite, composite + 0x8000}, 0x70000, "/app/shop"}};
  const auto images = imagesBesideFiles(core, runtime());
  const auto found = std::ranges::find(images, composite, [](const LoadedImage& image) { return image.range.start; });
  ASSERT_NE(found, images.end());
  EXPECT_EQ(found->path, "") << "only its place in the program is known";
  EXPECT_EQ(found->program, "/app/shop");
  ASSERT_EQ(found->mappings.size(), 1u);
  EXPECT_EQ(found->mappings.front().fileOffset, 0x70000u);
  EXPECT_GT(found->range.sizeBytes(), 0x8000u) << "all of its range of code";
  core.files.back().path = "/app/framework.r2r.dll";
  EXPECT_TRUE(std::ranges::none_of(imagesBesideFiles(core, runtime()), [&](const LoadedImage& image) {
    return image.range.start == composite;
  })) << "a file of its own is in the list of mapped files";
}

TEST(ComponentMvid, MustBeThatOfTheFile) {
  const Snapshot dump = openSnapshot(dumpPath("shop-10-gcore"), Stage::Summary);
  const auto& modules = dump.modules();
  const auto catalog = std::ranges::find(modules, "catalog.dll", &ModuleRow::name);
  ASSERT_NE(catalog, modules.end());
  const Module& whole = moduleNamed("catalog.dll");
  std::vector<std::byte> file(whole.sizeBytes);
  const AddressSpace& memory = *openedDump(kDump).contents().memory;
  for (const AddressRange& part : memory.present({whole.imageBase, whole.imageBase + whole.sizeBytes})) {
    memory.tryRead(part.start, std::span(file).subspan(part.start - whole.imageBase, part.sizeBytes()));
  }
  const OpenedCore core(dumpPath("shop-10-gcore"));
  const auto library = findRuntimeLibrary(core.space(), core.core()).value();
  const auto selected = selectContract(core.space(), library, {}).value();
  const auto asked = [&](Address base, std::string mvid) {
    return componentMvidProof(library, selected, {{base, std::move(mvid)}})(core.space(), catalog->imageBase, file);
  };
  EXPECT_EQ(asked(catalog->imageBase, whole.mvid), true);
  EXPECT_EQ(asked(catalog->imageBase, "33221100-5544-7766-8899-aabbccddeeff"), false) << "all else is the same";
  EXPECT_EQ(asked({4096}, whole.mvid), std::nullopt);
  std::memset(file.data() + file.size() / 2, 0, file.size() / 2);
  EXPECT_EQ(asked(catalog->imageBase, whole.mvid), false);
}

}  // namespace
}  // namespace heapscape::engine
