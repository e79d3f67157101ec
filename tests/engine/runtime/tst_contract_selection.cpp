// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"
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
  // Until .NET 10 only dumps of all memory hold the runtime's own descriptor.
  const bool isIn11 = truth.runtime.starts_with("11.");
  EXPECT_EQ(runtime.contract == ContractSource::Dump, isIn11 || GetParam().ends_with("-gcore"));
  const Contract::Agreement& agreement = snapshot.contents().readers->runtime.agreement();
  EXPECT_EQ(agreement.differing, 0u);
  if (isIn11) {
    EXPECT_GT(agreement.members, 300u) << "the GC's among them";
  }
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
  for (const char* part : {"10.0.12", ".NET 8.0", ".NET 9.0", ".NET 10.0", ".NET 11.0"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

/// The size of g_dacTable stands in libcoreclr's symbol table: one entry more makes the build an unknown one.
void growTable(PatchedCore& file, const Snapshot& before) {
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
}

TEST(UnknownTableSize, IsReadWithTheContractThatFitsAndSaysSo) {
  PatchedCore file("shop-9");
  const Snapshot before = openSnapshot(file.path(), Stage::Objects);
  growTable(file, before);
  const Snapshot after = openSnapshot(file.path(), Stage::Objects);
  EXPECT_FALSE(after.summary().runtime.contractVerified);
  EXPECT_TRUE(hasFinding(after, FindingKind::ContractNotVerified));
  EXPECT_TRUE(after.isComplete());
  EXPECT_EQ(after.totals().objects, before.totals().objects);
  EXPECT_EQ(after.contents().readers->runtime.contract().runtimeVersion(), "9.0");
}

/// What a servicing release of .NET 11 may do.
class ServicingRelease : public testing::Test {
 protected:
  ServicingRelease() : m_before(openSnapshot(m_file.path(), Stage::Objects)) {}
  void expectTheSame() const {
    const Snapshot after = openSnapshot(m_file.path(), Stage::Objects);
    EXPECT_FALSE(after.summary().runtime.contractVerified);
    EXPECT_TRUE(hasFinding(after, FindingKind::ContractNotVerified));
    EXPECT_TRUE(after.isComplete());
    EXPECT_EQ(after.totals().objects, m_before.totals().objects);
    EXPECT_EQ(after.modules().size(), m_before.modules().size());
  }
  const ClrRuntime& runtime() const { return m_before.contents().readers->runtime; }

  PatchedCore m_file{"shop-11"};
  const Snapshot m_before;
};

TEST_F(ServicingRelease, MayHaveOneGlobalMore) {
  growTable(m_file, m_before);
  const DynamicSymbol& table = runtime().library().globalTable;
  constexpr std::uint64_t kAdded = 30;  // among those that no descriptor tells of
  for (std::uint64_t i = table.sizeBytes / 8; i-- > kAdded;)
    m_file.write(table.address + 8 * (i + 1), m_file.read<std::uint64_t>(table.address + 8 * i));
  expectTheSame();
}

TEST_F(ServicingRelease, MayHaveMovedWhatItsDescriptorTells) {
  // Each thread's OS id and what lies in front of it change places, in the threads as in the descriptor.
  const auto descriptor = descriptorInDump(*m_before.contents().memory, runtime().library());
  ASSERT_TRUE(descriptor);
  const std::string word = "\"OSId\":224";
  const std::size_t at = descriptor->json.find(word);
  ASSERT_NE(at, std::string::npos);
  const std::string moved = "\"OSId\":228";
  const auto image = ElfImage::at(*m_before.contents().memory, runtime().library().base);
  const auto symbol = image->findSymbol("DotNetRuntimeContractDescriptor");
  ASSERT_TRUE(symbol);
  const Address json = m_file.read<Address>(symbol->address + 16);
  for (std::size_t i = 0; i < moved.size(); ++i) m_file.write<char>(json + at + i, moved[i]);
  FindingList findings;
  for (const RuntimeThread& thread : readThreads(runtime(), findings))
    m_file.write<std::uint32_t>(thread.address + 228, thread.osId);
  expectTheSame();
  const Snapshot after = openSnapshot(m_file.path(), Stage::Objects);
  EXPECT_EQ(after.contents().readers->runtime.agreement().differing, 1u);
  const auto told = std::ranges::find(after.findings(), FindingKind::ContractNotVerified, &Finding::kind);
  ASSERT_NE(told, after.findings().end());
  EXPECT_NE(told->message.find("1 of them as the build itself has them"), std::string::npos) << told->message;
  FindingList ignored;
  const auto threads = readThreads(after.contents().readers->runtime, ignored);
  const auto threadsBefore = readThreads(runtime(), ignored);
  ASSERT_EQ(threads.size(), threadsBefore.size());
  for (std::size_t i = 0; i < threads.size(); ++i) EXPECT_EQ(threads[i].osId, threadsBefore[i].osId);
}

}  // namespace
}  // namespace heapscape::engine
