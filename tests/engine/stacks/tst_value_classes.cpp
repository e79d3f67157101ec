// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "graph/gc_desc.h"
#include "named_method.h"
#include "session/snapshot/contents.h"
#include "stacks/frames/argument_locations.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;
using enum EightByteClass;

class ValuesOfDump : public testing::TestWithParam<std::string> {
 protected:
  Snapshot m_snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const RuntimeReaders& m_readers = *m_snapshot.contents().readers;
  ValueClasses m_values{m_readers};
};
INSTANTIATE_TEST_SUITE_P(, ValuesOfDump, testing::Values("values-8", "values-10", "values-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ValuesOfDump, TravelInTheRegistersOfTheAbi) {
  const std::pair<const char*, std::vector<EightByteClass>> expected[] = {
      {"System.Guid", {Integer, Integer}},
      {"System.Decimal", {Integer, Integer}},
      {"System.DateTime", {Integer}},
      {"System.DateTimeOffset", {Integer, Integer}},
      {"System.Half", {Integer}},
      {"System.Threading.CancellationToken", {Reference}},
      {"System.ReadOnlySpan<System.Char>", {ByRef, Integer}},
      {"System.ReadOnlyMemory<System.Char>", {Reference, Integer}},
      {"System.Nullable<System.Int32>", {Integer}},
      {"System.Nullable<System.Double>", {Integer, Float}},
      {"System.Nullable<System.DateTime>", {Integer, Integer}},
      {"System.Collections.Generic.KeyValuePair<System.__Canon, System.__Canon>", {Reference, Reference}},
      {"System.Numerics.BigInteger", {Reference, Integer}},
      // More than two eightbytes go through memory, ...
      {"System.Nullable<System.Decimal>", {}},
      {"System.Nullable<System.Guid>", {}},
      {"System.Collections.Generic.List<System.__Canon>+Enumerator", {}},
      // ... and what the JIT has registers of its own for.
      {"System.Runtime.Intrinsics.Vector128<System.Byte>", {}},
  };
  for (const auto& [name, classes] : expected) {
    const auto read = m_values.eightBytesOf(namedType(m_readers, name));
    ASSERT_TRUE(read) << name << ": " << read.error().what;
    EXPECT_EQ(*read, classes) << name;
  }
}

TEST_P(ValuesOfDump, HaveTheirReferencesWhereTheGcHasThem) {
  std::size_t withReferences = 0;
  std::size_t withByRefs = 0;
  for (const Address address : m_readers.loadedTypes.all()) {
    const auto type = m_readers.methodTables.read(address);
    if (!type || !type->isValueType) continue;
    const std::string name = m_readers.names.nameOf(address);
    const auto references = m_values.referencesIn(*type);
    ASSERT_TRUE(references) << name << ": " << references.error().what;
    const auto gcDesc = readGcDesc(m_readers.runtime, *type);
    ASSERT_TRUE(gcDesc) << name;
    std::set<std::uint64_t> expected;  // of a box, in which the value comes behind its method table
    gcDesc->forEachPlace(alignUp(type->baseSize, 8), [&](std::uint64_t place) { expected.insert(place - 8); });
    std::set<std::uint64_t> found;
    bool hasByRef = false;
    for (const ReferenceInValue& reference : *references) {
      if (!reference.isInterior) found.insert(reference.offset);
      hasByRef |= reference.isInterior;
    }
    EXPECT_EQ(found, expected) << name;
    withReferences += !expected.empty();
    withByRefs += hasByRef;
  }
  EXPECT_GT(withReferences, 200u);
  EXPECT_GT(withByRefs, 30u);
}

TEST_P(ValuesOfDump, AreClassifiedAsTheirFieldsSay) {
  std::size_t inRegisters = 0;
  for (const Address address : m_readers.loadedTypes.all()) {
    const auto type = m_readers.methodTables.read(address);
    if (!type || !type->isValueType) continue;
    const std::string name = m_readers.names.nameOf(address);
    const auto classes = m_values.eightBytesOf(*type);
    ASSERT_TRUE(classes) << name << ": " << classes.error().what;
    if (classes->empty()) continue;
    ++inRegisters;
    EXPECT_EQ(classes->size(), (*m_readers.methodTables.valueSize(*type) + 7) / 8) << name;
    std::vector<ReferenceInValue> classified;
    for (std::uint32_t i = 0; i < classes->size(); ++i) {
      if ((*classes)[i] == Reference || (*classes)[i] == ByRef) classified.push_back({8 * i, (*classes)[i] == ByRef});
    }
    EXPECT_EQ(classified, *m_values.referencesIn(*type)) << name;
  }
  EXPECT_GT(inRegisters, 400u);
}

}  // namespace
}  // namespace heapscape::test
