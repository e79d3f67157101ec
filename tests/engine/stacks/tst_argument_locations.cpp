// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "import_cells.h"
#include "named_method.h"
#include "session/snapshot/contents.h"
#include "stacks/frames/argument_locations.h"
#include "stacks/gc_info/gc_reference_map.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

using References = std::vector<ArgumentReference>;

// In a transition block, in front of r8 and r9; behind it what the caller has put on the stack.
constexpr std::uint32_t kRdi = 0, kRsi = 8, kRdx = 16, kRcx = 24, kStack = 104;

ArgumentReference reference(std::uint32_t place) {
  return {place, false};
}
ArgumentReference interior(std::uint32_t place) {
  return {place, true};
}

class CallsOfDump : public testing::TestWithParam<std::string> {
 protected:
  ArgumentLocations call(const char* type, const char* signature, bool mayHaveGenericContext = true) const {
    return ArgumentLocator(m_readers).ofCall(namedMethod(m_readers, type, signature), mayHaveGenericContext);
  }
  void expectCall(const char* type, const char* signature, const References& expected) const {
    const ArgumentLocations found = call(type, signature);
    EXPECT_EQ(found.problem, "") << signature;
    EXPECT_EQ(found.references, expected) << signature;
  }

  Snapshot m_snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const RuntimeReaders& m_readers = *m_snapshot.contents().readers;
};
INSTANTIATE_TEST_SUITE_P(, CallsOfDump, testing::Values("values-8", "values-10", "values-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(CallsOfDump, PassReferencesInRegisters) {
  expectCall("System.String", "Concat(System.String, System.String)", {reference(kRdi), reference(kRsi)});
  expectCall("System.String", "Replace(System.String, System.String)",
             {reference(kRdi), reference(kRsi), reference(kRdx)});
  expectCall("System.Array", "Copy(System.Array, System.Int32, System.Array, System.Int32, System.Int32)",
             {reference(kRdi), reference(kRdx)});
  expectCall("System.Math", "Max(System.Int32, System.Int32)", {});
}

TEST_P(CallsOfDump, PassSmallValuesInRegisters) {
  // The provider, the format; the span's reference; its length takes the last one.
  expectCall("System.String", "FormatHelper(System.IFormatProvider, System.String, System.ReadOnlySpan<System.Object>)",
             {reference(kRdi), reference(kRsi), interior(kRdx)});
  // Two whole numbers each: nothing that the GC knows, but registers that are gone.
  expectCall("System.Guid", "Equals(System.Guid)", {interior(kRdi)});
  expectCall("System.Guid", "CompareTo(System.Object)", {interior(kRdi), reference(kRsi)});
}

// Whether the GC looks at the address of the buffer depends on the version.
TEST_P(CallsOfDump, HaveABufferForLargeResults) {
  References expected{reference(kRdi)};
  if (GetParam() == "values-8") expected.push_back(interior(kRsi));
  expectCall("System.Collections.Generic.List<System.__Canon>", "GetEnumerator()", expected);
}

TEST_P(CallsOfDump, PassTheRestOnTheStack) {
  References expected{reference(kRdi)};
  if (GetParam() == "values-8") expected.push_back(interior(kRsi));
  expected.push_back(reference(kRdx));
  expected.push_back(reference(kStack));
  expectCall("System.RuntimeType",
             "GetMethodCandidates(System.String, System.Int32, System.Reflection.BindingFlags, "
             "System.Reflection.CallingConventions, System.Type[], System.Boolean)",
             expected);
}

TEST_P(CallsOfDump, TellSharedCodeWhatItRunsFor) {
  const char* list = "System.Collections.Generic.List<System.__Canon>";
  expectCall(list, "Add(System.__Canon)", {reference(kRdi), reference(kRsi)});
  // Of a value type no object tells, and static methods have none.
  const char* pair = "System.Collections.Generic.KeyValuePair<System.__Canon, System.__Canon>";
  expectCall(pair, ".ctor(System.__Canon, System.__Canon)", {interior(kRdi), reference(kRdx), reference(kRcx)});
  EXPECT_EQ(call(pair, ".ctor(System.__Canon, System.__Canon)", false).references,
            (References{interior(kRdi), reference(kRsi), reference(kRdx)}));
}

TEST_P(CallsOfDump, OfConstructorsOfStringsHaveNoObjectYet) {
  expectCall("System.String", ".ctor(System.Char[])", {reference(kRdi)});
  expectCall("System.Text.StringBuilder", ".ctor(System.String)", {reference(kRdi), reference(kRsi)});
}

TEST_P(CallsOfDump, GiveBackReferencesInRegisters) {
  const ArgumentLocator locator(m_readers);
  const auto result = [&](const char* type, const char* signature) {
    return locator.ofResult(namedMethod(m_readers, type, signature)).references;
  };
  using Place = ResultReferences::Place;
  using Results = std::vector<ResultReferences::One>;
  EXPECT_EQ(result("System.String", "Concat(System.String, System.String)"), (Results{{Place::First, false}}));
  EXPECT_EQ(result("System.Math", "Max(System.Int32, System.Int32)"), Results{});
  EXPECT_EQ(result("System.String", "get_Length()"), Results{});
  EXPECT_EQ(result("System.String", "GetPinnableReference()"), (Results{{Place::First, true}}));
  EXPECT_EQ(result("System.MemoryExtensions", "AsMemory(System.String)"), (Results{{Place::First, false}}));
  EXPECT_EQ(result("System.MemoryExtensions", "AsSpan(System.String)"), (Results{{Place::First, true}}));
}

/// What crossgen has noted of calls between images is the referee.
class MappedCalls : public testing::TestWithParam<std::string> {
 protected:
  Snapshot m_snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const RuntimeReaders& m_readers = *m_snapshot.contents().readers;
};
INSTANTIATE_TEST_SUITE_P(, MappedCalls, testing::Values("values-8", "exhibits-8", "exhibits-9", "stacks-9"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(MappedCalls, AreLaidOutAsTheirMapsSay) {
  const ArgumentLocator locator(m_readers);
  std::size_t maps = 0;
  std::size_t compared = 0;
  forEachImportCell(m_readers, [&](Address module, Address cell) {
    Address target;
    if (!m_readers.runtime.memory().tryRead(cell, target) || !target) return;
    const auto map = readReferenceMap(m_readers.runtime, module, cell);
    if (!map) {
      EXPECT_NE(map.error().code, ErrorCode::Damaged) << toString(cell);
      return;
    }
    ++maps;
    // A cell leads to a method once it was called; before that to a stub that looks for it.
    const auto method = m_readers.methods.read(m_readers.code.methodAtEntry(target));
    if (!method) return;
    References expected;
    for (const ReferenceMapEntry& entry : *map) {
      if (entry.token == ReferenceMapToken::Reference) expected.push_back(reference(8 * entry.position));
      if (entry.token == ReferenceMapToken::Interior) expected.push_back(interior(8 * entry.position));
    }
    ArgumentLocations found = locator.ofCall(*method, true);
    EXPECT_EQ(found.problem, "");
    std::ranges::sort(found.references, {}, &ArgumentReference::offset);
    EXPECT_EQ(found.references, expected) << m_readers.methodNames.nameOf(method->address);
    ++compared;
  });
  EXPECT_GT(maps, 500u);
  EXPECT_GT(compared, 10u);
}

}  // namespace
}  // namespace heapscape::test
