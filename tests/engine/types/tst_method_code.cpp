// SPDX-License-Identifier: MIT
#include <algorithm>

#include "runtime/code_lookup.h"
#include "runtime/method_code.h"
#include "shop_types.h"
#include "support/details.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::MethodState;
using nlohmann::json;

MethodState stateOf(const json& method) {
  const std::string kind = method["compilation"];
  if (kind == "Jit") return MethodState::Jitted;
  return kind == "Ngen" ? MethodState::ReadyToRun : MethodState::None;
}

INSTANTIATE_TEST_SUITE_P(OfShop, ShopTypes, testing::ValuesIn(shopDumps()),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ShopTypes, CodeOfMethodsIsClrMDs) {
  std::size_t jitted = 0;
  std::size_t readyToRun = 0;
  for (const json& expected : methodsOfClrMd()) {
    SCOPED_TRACE(expected.dump());
    const auto method = readers().methods.read(addressIn(expected, "methodDesc"));
    ASSERT_TRUE(method) << method.error().message();
    const auto codes = readers().methodCodes.of(*method);
    const Address start = addressIn(expected, "nativeCode");
    ASSERT_EQ(codes.empty(), !start);
    if (codes.empty()) continue;
    EXPECT_EQ(codes.front().start, start);
    EXPECT_EQ(codes.front().state, stateOf(expected));
    // For code of the runtime itself, ClrMD has the size of something else.
    if (codes.front().state != MethodState::None) {
      EXPECT_EQ(codes.front().sizeBytes, expected["hotSize"].get<std::uint32_t>());
    }
    jitted += codes.front().state == MethodState::Jitted;
    readyToRun += codes.front().state == MethodState::ReadyToRun;
  }
  EXPECT_GT(jitted, 300u);
  EXPECT_GT(readyToRun, 10u);
}

TEST_P(ShopTypes, EveryInstructionLeadsToItsMethod) {
  const engine::CodeLookup& lookup = readers().code;
  for (const json& expected : methodsOfClrMd()) {
    const std::uint64_t size = expected["hotSize"];
    if (size == 0 || stateOf(expected) == MethodState::None) continue;
    SCOPED_TRACE(expected.dump());
    const Address start = addressIn(expected, "nativeCode");
    for (const std::uint64_t offset : {std::uint64_t{0}, size / 4, size / 2, size - 1}) {
      const auto location = lookup.find(start + offset);
      ASSERT_TRUE(location) << offset;
      EXPECT_EQ(location->methodDesc, addressIn(expected, "methodDesc"));
      EXPECT_EQ(location->start, start);
      EXPECT_TRUE(location->isExact);
    }
    EXPECT_EQ(lookup.methodAtEntry(start), addressIn(expected, "methodDesc"));
    const auto behind = lookup.find(start + size);
    EXPECT_TRUE(!behind || behind->start != start || !behind->isExact);
  }
}

TEST_P(ShopTypes, EntriesOfMethodsLeadBackToThem) {
  std::size_t precodes = 0;
  for (const json& expected : methodsOfClrMd()) {
    const auto method = readers().methods.read(addressIn(expected, "methodDesc"));
    ASSERT_TRUE(method);
    const auto entry = readers().methodSlots.entryPoint(*method);
    if (!entry || !*entry) continue;
    const Address found = readers().code.methodAtEntry(*entry);
    if (!found) continue;  // not all stubs are in the dump
    EXPECT_EQ(found, method->address) << expected;
    ++precodes;
  }
  EXPECT_GT(precodes, 100u);
}

TEST(CodeLookup, FindsNoMethodInData) {
  for (const std::string& dump : shopDumps()) {
    const engine::Snapshot& snapshot = openedDump(dump);
    const engine::CodeLookup& lookup = snapshot.contents().readers->code;
    EXPECT_FALSE(lookup.find({0}));
    EXPECT_FALSE(lookup.find({0x1000}));
    EXPECT_FALSE(lookup.find({UINT64_MAX}));
    EXPECT_FALSE(lookup.find(snapshot.segments().front().objects.start));
    EXPECT_FALSE(lookup.find(snapshot.types().front().methodTable));
  }
}

TEST(CodeVersions, TellTiersOfMethodsThatWereCompiledAgain) {
  for (const char* dump : {"storm-8-calm", "storm-9-calm", "storm-10-calm"}) {
    SCOPED_TRACE(dump);
    const engine::RuntimeReaders& readers = *openedDump(dump).contents().readers;
    std::vector<std::vector<engine::MethodCode>> several;
    engine::FindingList findings;
    for (const Address address : readers.loadedTypes.all()) {
      const auto type = readers.methodTables.read(address);
      if (!type || type->canonical != address) continue;
      for (const auto& chunk : readers.methods.chunksOf(*type, findings)) {
        for (const auto& method : chunk.methods) {
          auto codes = readers.methodCodes.of(method);
          if (codes.size() > 1) several.push_back(std::move(codes));
        }
      }
    }
    EXPECT_TRUE(findings.items().empty());
    ASSERT_FALSE(several.empty());
    bool hasSecondTier = false;
    for (const auto& codes : several) {
      EXPECT_EQ(std::ranges::count_if(codes, [](const auto& code) { return code.isActive; }), 1);
      for (const auto& code : codes) {
        EXPECT_NE(code.state, MethodState::None) << toString(code.start);
        hasSecondTier = hasSecondTier || code.tier == "tier-1";
      }
    }
    EXPECT_TRUE(hasSecondTier);
  }
}

}  // namespace
}  // namespace heapscape::test
