// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "layout/declared/dump_types.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class DumpTypesOf : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot m_snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const RuntimeReaders& m_readers = *m_snapshot.contents().readers;
  MetadataTypes m_types{nullptr};
  DumpTypes m_dump{m_readers, m_types};
};

TEST_P(DumpTypesOf, AreNamedAsTheRuntimeNamesThem) {
  std::size_t closed = 0;
  for (const Address methodTable : m_readers.loadedTypes.all()) {
    const std::string name = m_readers.names.nameOf(methodTable);
    const auto type = m_dump.closedTypeOf(methodTable);
    if (!type) {
      EXPECT_EQ(type.error().code, ErrorCode::BadQuery) << name << ": " << type.error().message();
      continue;
    }
    EXPECT_EQ(m_types.nameOf(*type), name);
    EXPECT_EQ(m_dump.closedTypeOf(methodTable), *type);
    ++closed;
  }
  EXPECT_GT(closed, 500u);
}

TEST_P(DumpTypesOf, AreDeclaredWithAllThatTheyNeed) {
  for (const Address methodTable : m_readers.loadedTypes.all()) {
    const auto type = m_dump.closedTypeOf(methodTable);
    if (!type || m_types.type(*type).typeDefRow == 0) continue;
    const auto declaration = m_types.declarationOf(*type);
    EXPECT_TRUE(declaration) << m_types.nameOf(*type) << ": " << declaration.error().message();
  }
}

TEST_P(DumpTypesOf, BelongToTheRuntimeOfTheDump) {
  const LayoutRuntime runtime = m_dump.runtime();
  EXPECT_EQ(std::to_string(runtime.majorVersion),
            GetParam().substr(GetParam().find('-') + 1).substr(0, runtime.majorVersion >= 10 ? 2 : 1));
  EXPECT_TRUE(runtime.vectorBytes == 16 || runtime.vectorBytes == 32 || runtime.vectorBytes == 64);
}

TEST_P(DumpTypesOf, WhatIsNoTypeIsRefused) {
  EXPECT_FALSE(m_dump.closedTypeOf(Address{0x1000}));
  EXPECT_FALSE(m_dump.closedTypeOf(Address{}));
  EXPECT_FALSE(m_dump.closedTypeOf(Address{0x1002}));
}

INSTANTIATE_TEST_SUITE_P(Dumps, DumpTypesOf,
                         testing::Values("shop-8", "shop-9", "shop-10", "shop-11", "exhibits-8", "exhibits-10",
                                         "exhibits-11"),
                         [](const testing::TestParamInfo<std::string>& dump) {
                           std::string name = dump.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(DumpTypes, OfAnAssemblyThatIsLoadedTwiceAreTypesOfTheirOwn) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"), Stage::Summary);
  const RuntimeReaders& readers = *snapshot.contents().readers;
  MetadataTypes types{nullptr};
  DumpTypes dump{readers, types};
  std::vector<AssemblyId> plugins;
  for (const Module* module : readers.modules.all()) {
    if (module->name == "plugin.dll") plugins.push_back(dump.assemblyOf(*module));
  }
  ASSERT_EQ(plugins.size(), 2u);
  EXPECT_NE(plugins[0], plugins[1]);
  EXPECT_NE(types.assembly(plugins[0]).loadContext, types.assembly(plugins[1]).loadContext);
  const auto first = types.instantiate(plugins[0], 2, {});
  const auto second = types.instantiate(plugins[1], 2, {});
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
}

}  // namespace
}  // namespace heapscape::engine
