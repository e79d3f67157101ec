// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "memory/elf/elf_image.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

struct RealDump {
  std::string name;
  std::uint64_t tableEntries;  // of the runtime's g_dacTable, which tell its version
};

void PrintTo(const RealDump& dump, std::ostream* stream) {
  *stream << dump.name;
}

class RealDumps : public testing::TestWithParam<RealDump> {
 protected:
  OpenedCore m_dump{std::filesystem::path(HEAPSCAPE_TEST_DATA) / (GetParam().name + ".core.zst")};
};

TEST_P(RealDumps, AreReadWithoutAFinding) {
  EXPECT_TRUE(m_dump.file().isCompressed());
  EXPECT_EQ(m_dump.file().damage(), "");
  EXPECT_TRUE(m_dump.core().findings.items().empty());
  EXPECT_EQ(m_dump.core().missingFileBytes, 0u);
  EXPECT_GT(m_dump.core().threads.size(), 1u);
  EXPECT_NE(m_dump.core().pid, 0u);
  EXPECT_FALSE(m_dump.core().command.empty());
  EXPECT_FALSE(m_dump.core().auxiliaryVector.empty());
}

TEST_P(RealDumps, HoldTheStacksOfTheirThreads) {
  for (const CoreThread& thread : m_dump.core().threads) {
    EXPECT_TRUE(m_dump.space().holds({thread.stackPointer(), thread.stackPointer() + 8})) << thread.osId;
  }
}

TEST_P(RealDumps, ShowTheRuntimesTable) {
  const auto library = std::ranges::find_if(m_dump.core().files, [](const MappedFile& file) {
    return file.path.ends_with("/libcoreclr.so") && file.fileOffset == 0;
  });
  ASSERT_NE(library, m_dump.core().files.end());
  const auto image = ElfImage::at(m_dump.space(), library->range.start);
  ASSERT_TRUE(image) << image.error().message();
  EXPECT_EQ(image->buildId().size(), 40u);
  const auto table = image->findSymbol("g_dacTable");
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(table->sizeBytes, GetParam().tableEntries * 8);
  EXPECT_TRUE(m_dump.space().holds({table->address, table->address + table->sizeBytes}));
}

TEST_P(RealDumps, ViewEveryRangeThatIsPresent) {
  const AddressRange everything{{0}, {~0ull}};
  std::uint64_t total = 0;
  for (const AddressRange& range : m_dump.space().present(everything)) {
    const auto view = m_dump.space().view(range);
    ASSERT_TRUE(view) << view.error().message();
    EXPECT_EQ(view->bytes.size(), range.sizeBytes());
    total += range.sizeBytes();
  }
  EXPECT_LT(total, m_dump.file().bytes().size());
  EXPECT_GT(total, m_dump.file().bytes().size() / 10 * 9);
}

INSTANTIATE_TEST_SUITE_P(Shop, RealDumps,
                         testing::Values(RealDump{"shop-8", 157}, RealDump{"shop-9", 158}, RealDump{"shop-10", 129},
                                         RealDump{"shop-10-server", 129}, RealDump{"shop-10-gcore", 129},
                                         RealDump{"shop-10-normal", 129}, RealDump{"shop-10-triage", 129}),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace heapscape::engine
