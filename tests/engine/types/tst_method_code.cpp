// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "runtime/methods/code_lookup.h"
#include "runtime/methods/method_code.h"
#include "session/snapshot/contents.h"
#include "session/types/type_details.h"
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

/// Every instruction of a method's code leads to the method, and none behind it.
void expectToLeadTo(const engine::CodeLookup& lookup, Address start, std::uint64_t size, Address methodDesc) {
  for (const std::uint64_t offset : {std::uint64_t{0}, size / 4, size / 2, size - 1}) {
    const auto location = lookup.find(start + offset);
    ASSERT_TRUE(location) << offset;
    EXPECT_EQ(location->methodDesc, methodDesc);
    EXPECT_EQ(location->start, start);
    EXPECT_TRUE(location->isExact);
  }
  EXPECT_EQ(lookup.methodAtEntry(start), methodDesc);
  const auto behind = lookup.find(start + size);
  EXPECT_TRUE(!behind || behind->start != start || !behind->isExact);
}

/// Token, name and code of one method.
void expectToBe(const engine::RuntimeReaders& readers, const engine::MethodDesc& method, const json& expected) {
  EXPECT_EQ(0x06000000u | method.row, expected["token"].get<std::uint32_t>());
  // ClrMD leaves out namespaces of primitives and writes generic types otherwise; the bare name is the same.
  const std::string signature = expected["signature"];
  if (!signature.ends_with("Unknown")) {
    EXPECT_TRUE(signature.find("." + readers.methodNames.bareName(method) + "(") != std::string::npos ||
                signature.find("]].") != std::string::npos);
  }
  const auto codes = readers.methodCodes.of(method);
  const Address start = addressIn(expected, "nativeCode");
  ASSERT_EQ(codes.empty(), !start);
  if (codes.empty()) return;
  const engine::MethodCode& code = *engine::activeOf(codes);  // as debuggers show it
  EXPECT_EQ(code.start, start);
  EXPECT_EQ(code.state, stateOf(expected));
  // For code of the runtime itself, ClrMD has the size of something else.
  if (code.state == MethodState::None) return;
  const std::uint32_t size = expected["hotSize"];
  // Heap dumps of .NET 11 lack most of the images' tables of functions, from which the size of such code is known, and
  // those of arm64 the unwind records, of methods that stand on no stack.
  const bool mayLackSizes = readers.runtime.contract().runtimeVersion() == "11.0" ||
                            readers.runtime.library().architecture == engine::Architecture::Arm64;
  const bool isWithoutTable = mayLackSizes && code.state == MethodState::ReadyToRun && code.sizeBytes == 0;
  if (isWithoutTable) {
    const auto location = readers.code.find(start);
    EXPECT_TRUE(!location || location->methodDesc == method.address);
    return;
  }
  EXPECT_EQ(code.sizeBytes, size);
  if (size) expectToLeadTo(readers.code, start, size, method.address);
}

/// All methods of these types and their parents.
std::set<Address> methodsOf(const engine::RuntimeReaders& readers, const std::set<Address>& types) {
  std::set<Address> methods;
  engine::FindingList findings;
  for (const Address address : types) {
    for (auto type = readers.methodTables.read(address); type; type = readers.methodTables.read(type->parent)) {
      for (const auto& chunk : readers.methods.chunksOf(*type, findings)) {
        for (const auto& method : chunk.methods) methods.insert(method.address);
      }
    }
  }
  EXPECT_TRUE(findings.items().empty());
  return methods;
}

TEST_P(ShopTypes, MethodsAndTheirCodeAreClrMDs) {
  std::set<Address> types;
  for (const json& expected : methodsOfClrMd()) types.insert(addressIn(expected, "methodTable"));
  const std::set<Address> methods = methodsOf(readers(), types);
  std::size_t withCode = 0;
  std::size_t entries = 0;
  for (const json& expected : methodsOfClrMd()) {
    SCOPED_TRACE(expected.dump());
    const auto method = readers().methods.read(addressIn(expected, "methodDesc"));
    ASSERT_TRUE(method) << method.error().message();
    expectToBe(readers(), *method, expected);
    EXPECT_TRUE(methods.contains(method->address));
    withCode += expected["hotSize"] != 0;
    // What a call jumps to leads back to the method; not all stubs are in the dump.
    const auto entry = readers().methodSlots.entryPoint(*method);
    const Address found = entry && *entry ? readers().code.methodAtEntry(*entry) : Address{};
    if (!found) continue;
    EXPECT_EQ(found, method->address);
    ++entries;
  }
  EXPECT_GT(withCode, 300u);
  EXPECT_GT(entries, 100u);
}

TEST(CodeLookup, FindsNoMethodInData) {
  const engine::Snapshot& snapshot = openedDump("shop-10");
  const engine::CodeLookup& lookup = snapshot.contents().readers->code;
  EXPECT_FALSE(lookup.find({0}));
  EXPECT_FALSE(lookup.find({0x1000}));
  EXPECT_FALSE(lookup.find({UINT64_MAX}));
  EXPECT_FALSE(lookup.find(snapshot.segments().front().objects.start));
  EXPECT_FALSE(lookup.find(snapshot.types().front().methodTable));
  EXPECT_FALSE(lookup.methodAtEntry(snapshot.types().front().methodTable));
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

// What stands beside a method is what its calls run, and what debuggers show: not the code it came with.
TEST(CodeVersions, AMethodIsShownWithTheCodeThatCallsRunNow) {
  for (const char* dump : {"storm-8-calm", "storm-9-calm", "storm-10-calm"}) {
    SCOPED_TRACE(dump);
    const engine::Snapshot& snapshot = openedDump(dump);
    std::size_t replaced = 0;
    for (const Address address : snapshot.contents().readers->loadedTypes.all()) {
      const auto type = engine::typeDetails(snapshot, address);
      if (!type) continue;
      for (const engine::TypeMethod& method : type->methods) {
        const auto active = std::ranges::find_if(method.versions, &engine::MethodCode::isActive);
        if (active == method.versions.end()) continue;
        EXPECT_EQ(method.code, active->start) << method.name;
        EXPECT_EQ(method.state, active->state) << method.name;
        EXPECT_EQ(method.tier, active->tier) << method.name;
        EXPECT_EQ(method.codeBytes, active->sizeBytes) << method.name;
        replaced += active != method.versions.begin() ? 1u : 0u;
      }
    }
    EXPECT_GT(replaced, 0u);
  }
}

// Two of the runtime's own helpers for casts ask for it, and came without code: up to .NET 8 such methods take part in
// tiering all the same.
TEST(CodeVersions, AMethodThatAsksForOptimisationIsNoTier0) {
  const engine::Snapshot& snapshot = openedDump("shop-8");
  const engine::RuntimeReaders& readers = *snapshot.contents().readers;
  std::size_t jitted = 0;
  for (const Address address : readers.loadedTypes.all()) {
    if (readers.names.nameOf(address) != "System.Runtime.CompilerServices.CastHelpers") continue;
    const auto type = engine::typeDetails(snapshot, address);
    ASSERT_TRUE(type);
    for (const engine::TypeMethod& method : type->methods) {
      if (method.isVirtual || method.state != MethodState::Jitted) continue;
      EXPECT_EQ(method.tier, "tier-1") << method.name;
      ++jitted;
    }
  }
  EXPECT_EQ(jitted, 2u);
}

}  // namespace
}  // namespace heapscape::test
