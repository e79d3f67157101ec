// SPDX-License-Identifier: MIT
#include <set>

#include "runtime/method_descs.h"
#include "shop_types.h"
#include "support/details.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using nlohmann::json;

class ShopMethods : public ShopTypes {};

INSTANTIATE_TEST_SUITE_P(OfShop, ShopMethods, testing::ValuesIn(shopDumps()),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ShopMethods, TokensAreClrMDs) {
  for (const json& expected : methodsOfClrMd()) {
    const auto method = readers().methods.read(addressIn(expected, "methodDesc"));
    ASSERT_TRUE(method) << expected;
    EXPECT_EQ(0x06000000u | method->row, expected["token"].get<std::uint32_t>()) << expected;
  }
}

TEST_P(ShopMethods, EveryMethodOfClrMDIsAmongThoseOfItsType) {
  std::set<Address> types;
  for (const json& expected : methodsOfClrMd()) types.insert(addressIn(expected, "methodTable"));
  std::set<Address> methods;
  engine::FindingList findings;
  for (Address address : types) {
    for (auto type = readers().methodTables.read(address); type; type = readers().methodTables.read(type->parent)) {
      for (const auto& chunk : readers().methods.chunksOf(*type, findings)) {
        for (const auto& method : chunk.methods) methods.insert(method.address);
      }
    }
  }
  EXPECT_TRUE(findings.items().empty());
  for (const json& expected : methodsOfClrMd())
    EXPECT_TRUE(methods.contains(addressIn(expected, "methodDesc"))) << expected;
}

TEST_P(ShopMethods, NamesAreClrMDs) {
  std::size_t compared = 0;
  for (const json& expected : methodsOfClrMd()) {
    // ClrMD leaves out namespaces of primitives and writes generic types otherwise; the bare name is the same.
    const std::string signature = expected["signature"];
    const auto method = readers().methods.read(addressIn(expected, "methodDesc"));
    ASSERT_TRUE(method);
    const std::string name = readers().methodNames.bareName(*method);
    if (signature.ends_with("Unknown")) continue;
    EXPECT_TRUE(signature.find("." + name + "(") != std::string::npos || signature.find("]].") != std::string::npos)
        << signature << " " << name;
    ++compared;
  }
  EXPECT_GT(compared, 3000u);
}

}  // namespace
}  // namespace heapscape::test
