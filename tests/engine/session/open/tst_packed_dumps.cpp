// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>

#include "support/dump_path.h"
#include "support/opened_core.h"
#include "support/opened_snapshot.h"
#include "support/packed.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

struct Container {
  std::string name;
  std::function<FileBytes(const FileBytes&)> pack;
  bool isUnpacked;
};

void PrintTo(const Container& container, std::ostream* stream) {
  *stream << container.name;
}

FileBytes inTar(const FileBytes& core) {
  return tarred({{"readme", pattern(100)}, {"dumps/core.77", core}});
}

class RealDumpIn : public testing::TestWithParam<Container> {};

TEST_P(RealDumpIn, HasTheSameFigures) {
  const auto file = heapscape::test::openDump(dumpPath("shop-10"));
  const TemporaryFolder folder;
  writeFile(folder / "download", GetParam().pack(FileBytes(file->bytes().begin(), file->bytes().end())));
  const Snapshot packed = openSnapshot(folder / "download", Stage::Retained);
  const Snapshot plain = openSnapshot(dumpPath("shop-10"), Stage::Retained);
  EXPECT_EQ(findingsText(packed), findingsText(plain));
  EXPECT_EQ(packed.totals().objects, plain.totals().objects);
  EXPECT_EQ(packed.totals().bytes, plain.totals().bytes);
  EXPECT_EQ(packed.retainedTotals().reachableBytes, plain.retainedTotals().reachableBytes);
  EXPECT_EQ(packed.summary().dump.fileBytes, plain.summary().dump.fileBytes);
  EXPECT_EQ(packed.summary().dump.isCompressed, GetParam().isUnpacked);
  const bool isInTar = GetParam().name.starts_with("tar");
  EXPECT_EQ(packed.nameInArchive(), isInTar ? "dumps/core.77" : "");
  EXPECT_EQ(packed.coresInArchive(), isInTar ? 1u : 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Containers, RealDumpIn,
    testing::Values(Container{"gzip", [](const FileBytes& core) { return gzipped(core); }, true},
                    Container{"LZ4", [](const FileBytes& core) { return lz4Compressed(core); }, true},
                    Container{"tar", [](const FileBytes& core) { return inTar(core); }, false},
                    Container{"tarGzip", [](const FileBytes& core) { return gzipped(inTar(core)); }, true}),
    [](const auto& container) { return container.param.name; });

}  // namespace
}  // namespace heapscape::engine
