// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "memory/elf/library_map.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

TEST(LibraryMap, KeepsAssembliesInASingleFileProgramApartFromIt) {
  const std::string program = "/srv/shop/shop";
  CoreBuilder builder;
  builder.memory(0x1000, FileBytes(16))
      .mappedFile({{0x400000000}, {0x400002000}}, 0x2274000, program)  // an assembly below the program
      .mappedFile({{0x480000000}, {0x48030f000}}, 0, program)
      .mappedFile({{0x48030f000}, {0x480b04000}}, 0x30e000, program)
      .mappedFile({{0x480b04000}, {0x480b3d000}}, 0xb02000, program)
      .mappedFile({{0x480b3d000}, {0x480b65000}}, 0xb3a000, program)
      .mappedFile({{0x490000000}, {0x490002000}}, 0x5a6d000, program)  // one above it
      .mappedFile({{0x7f0000000}, {0x7f0010000}}, 0x4d4c000, program);
  const OpenedCore core(builder);
  const LibraryMap map(core.core());
  ASSERT_EQ(map.all().size(), 1u);
  EXPECT_EQ(map.all().front().range, (AddressRange{{0x480000000}, {0x480b65000}}));
  EXPECT_FALSE(map.indexAt({0x400000000}));
  EXPECT_FALSE(map.indexAt({0x490000000}));
}

}  // namespace
}  // namespace heapscape::engine
