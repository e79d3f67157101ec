// SPDX-License-Identifier: MIT
// Of a mini dump, which lists little of what it has, a copy still has neither code nor numbers of static fields.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "engine/redact/redacted_dump.h"
#include "redact/unlisted_statics.h"
#include "runtime/methods/code_range.h"
#include "session/snapshot/contents.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

class RedactedMiniDumps : public testing::TestWithParam<std::string> {
 protected:
  const RedactedDump& m_both = redactedDump(GetParam());
  const AddressSpace& m_dump = *m_both.dump().contents().memory;
  const AddressSpace& m_copy = *m_both.copy().contents().memory;
};

INSTANTIATE_TEST_SUITE_P(Of, RedactedMiniDumps,
                         testing::Values("crashes/chain-8", "crashes/violation-9", "crashes/chain-10",
                                         "crashes/violation-11", "shop-10-triage", "shop-11-normal"),
                         [](const auto& dump) {
                           std::string name = testName(dump.param);
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

std::vector<std::byte> heldBytes(const AddressSpace& memory, AddressRange range) {
  std::vector<std::byte> bytes(range.sizeBytes());
  for (const AddressRange& part : memory.present(range))
    memory.tryRead(part.start, std::span(bytes).subspan(part.start - range.start, part.sizeBytes()));
  return bytes;
}

TEST_P(RedactedMiniDumps, HaveNoInstructions) {
  // What nearly every method begins with: mov rbp, rsp and lea rbp, [rsp + …].
  constexpr std::array kLea{std::byte{0x48}, std::byte{0x8d}, std::byte{0x6c}, std::byte{0x24}};
  const auto beginningsIn = [&](const AddressSpace& memory) {
    std::size_t found = 0;
    for (const CodeRange& code : allCodeRanges(m_both.dump().contents().readers->runtime)) {
      if (!code.heap) continue;
      for (const AddressRange& part : m_dump.present(code.range)) {
        const std::vector<std::byte> bytes = heldBytes(memory, part);
        for (auto at = bytes.begin();; ++found, ++at) {
          at = std::search(at, bytes.end(), kLea.begin(), kLea.end());
          if (at == bytes.end()) break;
        }
      }
    }
    return found;
  };
  EXPECT_EQ(beginningsIn(m_copy), 0u);
  EXPECT_GT(beginningsIn(m_dump), 0u);
}

TEST_P(RedactedMiniDumps, HaveNoNumbersOfStatics) {
  std::vector<AddressRange> mapped;
  for (const LoadSegment& load : m_both.dump().contents().core->loads)
    mapped.push_back({load.range.start, load.range.end + 1});
  for (const MappedFile& file : m_both.dump().contents().core->files)
    mapped.push_back({file.range.start, file.range.end + 1});
  const MappedAddresses addresses(mapped);
  const std::vector<AddressRange> statics = unlistedStatics(m_both.dump(), addresses);
  EXPECT_FALSE(statics.empty());
  for (const AddressRange& range : statics) {
    const std::vector<std::byte> bytes = heldBytes(m_copy, range);
    for (std::size_t at = alignUp(range.start.value, 8) - range.start.value; at + 8 <= bytes.size(); at += 8) {
      std::uint64_t word = 0;
      tryReadAt(bytes, at, word);
      EXPECT_TRUE(word == 0 || addresses.contains(word)) << toString(range.start + at) << ": " << word;
    }
  }
}

}  // namespace
}  // namespace heapscape::test
