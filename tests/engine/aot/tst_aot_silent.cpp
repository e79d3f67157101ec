// SPDX-License-Identifier: MIT
// A Native AOT program of .NET 11 that says nothing of its runtime to debuggers: the real one, without its descriptors.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "session/heap/heap_check.h"
#include "session/open/retained_stage.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::test {
namespace {

using engine::Address;

constexpr std::string_view kDescriptorMark("DNCCDAC\0", 8);

/// The dump with the first words of its descriptors made zeros.
class SilentAot : public testing::Test {
 protected:
  SilentAot() {
    const std::vector<std::byte> all = m_core.readAt(0, m_core.sizeBytes());
    const std::string_view text(reinterpret_cast<const char*>(all.data()), all.size());
    for (std::size_t at = text.find(kDescriptorMark); at != text.npos;
         at = text.find(kDescriptorMark, at + 8), ++m_descriptors)
      erase(at);
  }

  void erase(std::uint64_t fileOffset) { m_core.writeAt(fileOffset, std::array<std::byte, 8>{}); }
  /// Erases all words of the file that are `word`.
  void eraseAll(std::uint64_t word) {
    const std::vector<std::byte> all = m_core.readAt(0, m_core.sizeBytes());
    for (std::size_t at = 0; at + sizeof word <= all.size(); at += sizeof word)
      if (std::memcmp(all.data() + at, &word, sizeof word) == 0) erase(at);
  }
  engine::Outcome<engine::Snapshot> open() const {
    engine::OpenOptions options;
    options.stopAfter = engine::Stage::Retained;
    return engine::openDump(m_core.path(), options, nullptr, {});
  }

  PatchedCore m_core{"aot/zoo-11"};
  std::size_t m_descriptors = 0;
};

TEST_F(SilentAot, IsReadAsTheSameProgramThatSaysAll) {
  ASSERT_GE(m_descriptors, 2u);
  const auto silent = open();
  ASSERT_TRUE(silent) << messageOf(silent);
  const engine::RuntimeSummary& runtime = silent->summary().runtime;
  EXPECT_EQ(runtime.flavor, engine::RuntimeFlavor::NativeAot);
  EXPECT_EQ(runtime.version, "11.0.0");
  EXPECT_TRUE(runtime.contractVerified);
  EXPECT_EQ(runtime.contract, engine::ContractSource::Shipped);

  engine::OpenOptions options;
  options.stopAfter = engine::Stage::Retained;
  const auto known = engine::openDump(dumpPath("aot/zoo-11"), options, nullptr, {});
  ASSERT_TRUE(known) << messageOf(known);
  EXPECT_EQ(silent->totals().objects, known->totals().objects);
  EXPECT_EQ(silent->totals().bytes, known->totals().bytes);
  const auto check = engine::checkHeap(*silent, nullptr, {});
  const auto expected = engine::checkHeap(*known, nullptr, {});
  ASSERT_TRUE(check && expected);
  EXPECT_TRUE(check->findings.items().empty());
  EXPECT_EQ(check->references, expected->references);
  EXPECT_EQ(check->handles, expected->handles);
  EXPECT_EQ(check->statics, expected->statics);
  ASSERT_EQ(silent->types().size(), known->types().size());
  for (std::size_t i = 0; i < known->types().size(); ++i) EXPECT_EQ(silent->types()[i].name, known->types()[i].name);
}

TEST_F(SilentAot, IsNamedForWhatItIsWhereItsVariablesAreNotFound) {
  const auto known = open();
  ASSERT_TRUE(known) << messageOf(known);
  const auto instance = known->contents().readers->runtime.globalPointer("RuntimeInstance");
  ASSERT_TRUE(instance);
  eraseAll(instance->value);
  const auto opened = open();
  ASSERT_FALSE(opened);
  EXPECT_NE(messageOf(opened).find("most likely a Native AOT program of .NET 11"), std::string::npos)
      << messageOf(opened);
}

}  // namespace
}  // namespace heapscape::test
