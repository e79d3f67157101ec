// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "runtime/contract/contract_selection.h"
#include "runtime/modules/metadata_identity.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

std::vector<std::byte> fileBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> read{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(read));
  return {bytes.begin(), bytes.end()};
}

// The runtime hashes the bytes of names as signed ones; an assembly's file is proven by those hashes.
TEST(NamesOutsideAscii, DoNotMakeAnAssemblyAnotherBuildOfItself) {
  const Snapshot snapshot = openSnapshot(dumpPath("faults/names-10"));
  const Contents& contents = snapshot.contents();
  EXPECT_FALSE(findType(snapshot, "Bücher.Straße+Größe").isNone());
  EXPECT_FALSE(findType(snapshot, "図書館.書庫.本+頁").isNone());
  const RuntimeLibrary& library = contents.readers->runtime.library();
  const auto selected = selectContract(*contents.memory, library, {});
  ASSERT_TRUE(selected);
  const auto proof = metadataShapeProof(library, *selected);
  const auto module = std::ranges::find(snapshot.modules(), std::string("faults.dll"), &ModuleRow::name);
  ASSERT_NE(module, snapshot.modules().end());
  const std::vector<std::byte> file = fileBytes(HEAPSCAPE_TEST_DATA "/faults/faults.dll");
  ASSERT_FALSE(file.empty());
  EXPECT_EQ(proof(*contents.memory, module->imageBase, file), std::optional(true));
}

}  // namespace
}  // namespace heapscape::engine
