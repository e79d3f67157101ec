// SPDX-License-Identifier: MIT
#include "runtime/modules/metadata_identity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "runtime/methods/ready_to_run_code.h"
#include "session/snapshot/contents.h"
#include "support/builders/core_builder.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// CoreLib of a dump, and files that could be its image.
class ImageOfCoreLib {
 public:
  explicit ImageOfCoreLib(const std::string& dump)
      : m_snapshot(openSnapshot(dumpPath(dump), Stage::Segments)),
        m_library(*findRuntimeLibrary(memory(), *m_snapshot.contents().core)),
        m_proof(readyToRunProof(m_library, selectContract(memory(), m_library, {}).value())) {
    const Module& module = *m_snapshot.contents().readers->modules.coreLibrary();
    const ClrRuntime& runtime = m_snapshot.contents().readers->runtime;
    base = module.imageBase;
    imageBytes = static_cast<std::uint32_t>(module.sizeBytes);
    const Address info = runtime.pointerAt(module.address, "Module", "ReadyToRunInfo").value();
    table = static_cast<std::uint32_t>(runtime.pointerAt(info, "ReadyToRunInfo", "RuntimeFunctions").value() - base);
    count = runtime.valueAt<std::uint32_t>(info, "ReadyToRunInfo", "NumRuntimeFunctions").value();
    const auto prepared = ReadyToRunCode(runtime).entriesOf(module.address);
    for (const auto& [start, method] : *prepared) {
      begins.insert(static_cast<std::uint32_t>(start - base));
    }
  }

  /// A PE image that has nothing but headers and the table of functions.
  FileBytes file() const {
    FileBytes image(imageBytes);
    const auto put = [&](std::size_t offset, auto value) { std::memcpy(image.data() + offset, &value, sizeof value); };
    put(0, std::uint16_t{0x5a4d});
    put(0x3c, std::uint32_t{0x80});
    put(0x80, std::uint32_t{0x4550});
    put(0x86, std::uint16_t{1});
    put(0x94, std::uint16_t{240});
    put(0x98, std::uint16_t{0x20b});
    put(0x98 + 56, imageBytes);
    put(0x98 + 60, std::uint32_t{0x400});
    put(0x98 + 108, std::uint32_t{16});
    put(0x98 + 112 + 14 * 8, std::uint32_t{0x400});  // CLI header
    put(0x98 + 112 + 14 * 8 + 4, std::uint32_t{72});
    const std::size_t section = 0x98 + 240;
    put(section + 12, std::uint32_t{0x400});  // as in memory
    put(section + 16, imageBytes - 0x400);
    put(section + 20, std::uint32_t{0x400});
    put(0x400 + 8, std::uint32_t{0x600});  // metadata
    put(0x400 + 12, std::uint32_t{64});
    put(0x400 + 64, std::uint32_t{0x500});  // managed native header
    put(0x400 + 68, std::uint32_t{64});
    put(0x500, std::uint32_t{0x00525452});
    put(0x50c, std::uint32_t{1});
    put(0x510, std::uint32_t{102});
    put(0x514, table);
    put(0x518, count * 12);
    const std::vector<std::uint32_t> places = beginsOfEntries();
    for (std::uint32_t i = 0; i < count; ++i) put(table + 12ull * i, places[i]);
    // What the dump holds of the table is as it was.
    for (const AddressRange& part : heldEntries()) {
      memory().tryRead(part.start, std::span(image).subspan(part.start - base, part.sizeBytes()));
    }
    return image;
  }

  /// Sorted: those that the dump holds where they are, those that were noted between them, and some of them again.
  std::vector<std::uint32_t> beginsOfEntries() const {
    std::vector<std::uint32_t> entries(count);
    std::vector<std::uint32_t> nextHeld(count + 1, imageBytes);
    for (std::uint32_t i = count; i-- > 0;) {
      if (!memory().tryRead(base + (table + 12ull * i), nextHeld[i])) nextHeld[i] = nextHeld[i + 1];
    }
    auto noted = begins.begin();
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool isHeld = memory().tryRead(base + (table + 12ull * i), entries[i]);
      if (isHeld) {
        noted = begins.upper_bound(entries[i]);
      } else {
        entries[i] = noted != begins.end() && *noted < nextHeld[i] ? *noted++ : i > 0 ? entries[i - 1] : 0;
      }
    }
    return entries;
  }

  std::vector<AddressRange> heldEntries() const {
    return memory().present({base + table, base + table + 12ull * count});
  }

  std::optional<bool> asks(const FileBytes& file, Address at) const { return m_proof(memory(), at, file); }
  std::optional<bool> asks(const FileBytes& file) const { return asks(file, base); }

  Address base;
  std::uint32_t imageBytes = 0;
  std::uint32_t table = 0;
  std::uint32_t count = 0;
  std::set<std::uint32_t> begins;

 private:
  const AddressSpace& memory() const { return *m_snapshot.contents().memory; }

  Snapshot m_snapshot;
  RuntimeLibrary m_library;
  FileBackedMemory::Proof m_proof;
};

class ReadyToRunIdentity : public testing::TestWithParam<std::string> {};

TEST_P(ReadyToRunIdentity, IsProvenByWhatTheRuntimeNoted) {
  const ImageOfCoreLib image(GetParam());
  ASSERT_GT(image.begins.size(), 1000u);
  const FileBytes file = image.file();
  EXPECT_EQ(image.asks(file), true);
  EXPECT_EQ(image.asks(file, image.base + 4096), std::nullopt) << "no image lies there";
}

TEST_P(ReadyToRunIdentity, IsRefusedWhereAnythingDiffers) {
  const ImageOfCoreLib image(GetParam());
  const FileBytes file = image.file();
  const auto with = [&](std::size_t offset, std::uint32_t value) {
    FileBytes changed = file;
    std::memcpy(changed.data() + offset, &value, sizeof value);
    return changed;
  };
  EXPECT_EQ(image.asks(with(0x98 + 56, image.imageBytes + 4096)), false) << "another size";
  EXPECT_EQ(image.asks(with(0x514, image.table + 12)), false) << "the table is elsewhere";
  EXPECT_EQ(image.asks(with(0x518, (image.count - 1) * 12)), false) << "another number of functions";
  const auto entries = image.beginsOfEntries();
  const auto seventh = std::ranges::find(entries, *std::next(image.begins.begin(), 7)) - entries.begin();
  EXPECT_EQ(image.asks(with(image.table + 12 * static_cast<std::uint32_t>(seventh),
                            entries[static_cast<std::size_t>(seventh)] + 1)),
            false)
      << "a function has moved";
  EXPECT_EQ(image.asks(with(0x500, 0)), false) << "no native code";
  EXPECT_EQ(image.asks(FileBytes(100)), false);
}

TEST_P(ReadyToRunIdentity, IsRefusedWhereTheDumpHoldsOtherEntries) {
  const ImageOfCoreLib image(GetParam());
  const auto held = image.heldEntries();
  ASSERT_FALSE(held.empty());
  FileBytes file = image.file();
  file[held.front().start - image.base + 8] ^= std::byte{1};  // of a place that is no function's begin
  EXPECT_EQ(image.asks(file), false);
}

INSTANTIATE_TEST_SUITE_P(Data, ReadyToRunIdentity, testing::Values("shop-8", "shop-9", "shop-10", "shop-11"),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine
