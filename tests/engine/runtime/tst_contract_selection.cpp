// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/door/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class RuntimeOfEveryDump : public testing::TestWithParam<std::string> {};

TEST_P(RuntimeOfEveryDump, IsReadWithTheContractThatWasVerifiedOnIt) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const Truth truth = Truth::of(GetParam());
  const RuntimeSummary& runtime = snapshot.summary().runtime;
  EXPECT_EQ(runtime.version, truth.runtime);
  EXPECT_EQ(runtime.isServerGc, truth.gc == "server");
  EXPECT_EQ(runtime.heaps, truth.heaps);
  EXPECT_EQ(runtime.hasRegions, truth.hasRegions);
  EXPECT_EQ(runtime.gcInProgress, !truth.isWalkable);
  EXPECT_TRUE(runtime.contractVerified);
  EXPECT_EQ(runtime.buildId.size(), 40u);
  // Only dumps of all memory hold the runtime's own descriptor.
  EXPECT_EQ(runtime.contract == ContractSource::Dump, GetParam().ends_with("-gcore"));
  EXPECT_TRUE(truth.runtime.starts_with(snapshot.contents().readers->runtime.contract().runtimeVersion()));
}

INSTANTIATE_TEST_SUITE_P(Data, RuntimeOfEveryDump, testing::ValuesIn(heapDumps()),
                         [](const auto& info) { return testName(info.param); });

TEST(UnsupportedRuntime, IsNamedWithWhatIsSupported) {
  PatchedCore file("shop-10");
  const Snapshot before = openSnapshot(file.path(), Stage::Summary);
  const ClrRuntime& runtime = before.contents().readers->runtime;
  // The marker of free objects has the same size in all runtimes that we know.
  const Address free = *runtime.globalPointer("FreeObjectMethodTable");
  file.write<std::uint32_t>(free + runtime.contract().offset("MethodTable", "BaseSize"), 32);
  const auto opened = openDump(file.path(), {}, nullptr, {});
  ASSERT_FALSE(opened);
  ASSERT_FALSE(opened.error().isCancelled());
  EXPECT_EQ(opened.error().error().code, ErrorCode::UnsupportedRuntime);
  const std::string message = messageOf(opened);
  for (const char* part : {"10.0.12", ".NET 8.0", ".NET 9.0", ".NET 10.0"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(UnknownTableSize, IsReadWithTheContractThatFitsAndSaysSo) {
  PatchedCore file("shop-9");
  const Snapshot before = openSnapshot(file.path(), Stage::Objects);
  // The size of g_dacTable stands in libcoreclr's symbol table: one entry more makes the build an unknown one.
  const RuntimeLibrary& library = before.contents().readers->runtime.library();
  const std::uint64_t value = library.globalTable.address - library.base;
  const std::uint64_t size = library.globalTable.sizeBytes;
  std::size_t patched = 0;
  for (const MappedFile& mapped : file.core().files) {
    if (mapped.path != library.path) continue;
    for (const AddressRange& part : before.contents().memory->present(mapped.range)) {
      const auto bytes = file.readAt(file.fileOffset(part.start), part.sizeBytes());
      for (std::size_t at = 0; at + 16 <= bytes.size(); at += 8) {
        std::uint64_t pair[2];
        std::memcpy(pair, bytes.data() + at, sizeof pair);
        if (pair[0] != value || pair[1] != size) continue;
        file.write<std::uint64_t>(part.start + at + 8, size + 8);
        ++patched;
      }
    }
  }
  ASSERT_EQ(patched, 1u);
  const Snapshot after = openSnapshot(file.path(), Stage::Objects);
  EXPECT_FALSE(after.summary().runtime.contractVerified);
  EXPECT_TRUE(hasFinding(after, FindingKind::ContractNotVerified));
  EXPECT_TRUE(after.isComplete());
  EXPECT_EQ(after.totals().objects, before.totals().objects);
  EXPECT_EQ(after.contents().readers->runtime.contract().runtimeVersion(), "9.0");
}

}  // namespace
}  // namespace heapscape::engine
