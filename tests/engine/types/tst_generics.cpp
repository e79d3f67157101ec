// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "session/types/generics_query.h"
#include "session/types/type_details.h"
#include "shop_types.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::GenericDefinition;
using engine::GenericInstantiation;

class ShopGenerics : public ShopTypes {
 protected:
  std::vector<GenericDefinition> definitions(const std::string& text = {}) const {
    auto list = engine::listGenerics(snapshot(), text, {});
    EXPECT_TRUE(list);
    return list ? std::move(*list) : std::vector<GenericDefinition>{};
  }
  GenericDefinition definition(const std::string& name) const {
    for (GenericDefinition& found : definitions(name)) {
      if (found.name == name) return std::move(found);
    }
    ADD_FAILURE() << "no " << name;
    return {};
  }
};

INSTANTIATE_TEST_SUITE_P(OfShop, ShopGenerics, testing::Values("shop-8", "shop-10", "shop-11"),
                         [](const auto& dump) { return testName(dump.param); });

const GenericInstantiation* find(const GenericDefinition& definition, std::string_view name) {
  const auto found = std::ranges::find(definition.instantiations, name, &GenericInstantiation::name);
  return found == definition.instantiations.end() ? nullptr : &*found;
}

TEST_P(ShopGenerics, ReferencesShareCodeAndValueTypesDoNot) {
  const GenericDefinition pair = definition("Shop.Pair<T, U>");
  EXPECT_EQ(pair.assembly, "shop.dll");
  EXPECT_EQ(pair.parameters, (std::vector<std::string>{"T", "U"}));
  const auto* mixed = find(pair, "Shop.Pair<System.Int32, System.String>");
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->canonicalName, "Shop.Pair<System.Int32, System.__Canon>");
  EXPECT_TRUE(mixed->sharesCode);
  const auto* turned = find(pair, "Shop.Pair<System.String, System.Int32>");
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->canonicalName, "Shop.Pair<System.__Canon, System.Int32>");
  const auto* values = find(pair, "Shop.Pair<System.Int32, System.Int32>");
  ASSERT_TRUE(values);
  EXPECT_EQ(values->canonical, values->methodTable);
  EXPECT_FALSE(values->sharesCode);
}

TEST_P(ShopGenerics, ThoseOfManyAreTheSameWithoutTheOthers) {
  const auto ownOf = [](const GenericDefinition& one) {
    return std::ranges::count_if(one.instantiations, std::not_fn(&GenericInstantiation::sharesCode));
  };
  for (const int fewest : {1, 4, 1000}) {
    const auto many = engine::listGenericsOfMany(
        snapshot(), [&](const std::string& assembly) { return assembly == "shop.dll" ? 2 : fewest; }, {});
    ASSERT_TRUE(many);
    std::map<std::string, std::size_t> expected, found;
    for (const GenericDefinition& one : definitions())
      if (ownOf(one) >= (one.assembly == "shop.dll" ? 2 : fewest)) expected[one.name] = one.codeBytes + one.methods;
    for (const GenericDefinition& one : *many) found[one.name] = one.codeBytes + one.methods;
    EXPECT_EQ(found, expected);
    EXPECT_TRUE(fewest > 1 || !found.empty());
  }
}

TEST_P(ShopGenerics, InstantiationsStandWithTheirCanonicalOneFirst) {
  for (const GenericDefinition& definition : definitions()) {
    SCOPED_TRACE(definition.name);
    std::set<Address> groups;
    Address last;
    for (const GenericInstantiation& instantiation : definition.instantiations) {
      if (instantiation.canonical == last) continue;
      last = instantiation.canonical;
      EXPECT_TRUE(groups.insert(last).second) << "a group stands in two places";
      EXPECT_EQ(instantiation.methodTable, last);
    }
    EXPECT_EQ(definition.codeSets, groups.size());
    EXPECT_EQ(definition.methodTables, definition.instantiations.size());
    EXPECT_GE(definition.methodTableBytes, 64u * definition.methodTables);
  }
}

TEST_P(ShopGenerics, CostsAreTheSumsOfTheTypes) {
  const GenericDefinition pair = definition("System.Collections.Generic.HashSet<T>");
  std::uint64_t code = 0;
  std::uint64_t withCode = 0;
  std::set<Address> canonicals;
  for (const GenericInstantiation& instantiation : pair.instantiations) {
    if (!canonicals.insert(instantiation.canonical).second) continue;
    const auto type = engine::typeDetails(snapshot(), instantiation.canonical);
    ASSERT_TRUE(type);
    std::set<Address> methods;
    for (const auto& method : type->methods) {
      if (method.isInherited || !methods.insert(method.methodDesc).second) continue;
      withCode += !method.versions.empty();
      for (const auto& version : method.versions) code += version.sizeBytes;
    }
  }
  EXPECT_EQ(pair.codeBytes, code);
  EXPECT_EQ(pair.methodsWithCode, withCode);
  EXPECT_GT(pair.jittedBytes, 0u);
  EXPECT_LE(pair.jittedBytes, pair.codeBytes);
}

TEST_P(ShopGenerics, CountTheObjectsOfTheHeap) {
  std::uint64_t counted = 0;
  for (const GenericDefinition& definition : definitions()) {
    for (const GenericInstantiation& instantiation : definition.instantiations) counted += instantiation.objects;
  }
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < snapshot().types().size(); ++i) {
    const auto type = readers().methodTables.read(snapshot().types()[i].methodTable);
    if (type && type->isGenericInstance) expected += snapshot().typeCounts().count[i];
  }
  EXPECT_EQ(counted, expected);
}

TEST_P(ShopGenerics, TheMostExpensiveComeFirst) {
  const auto all = definitions();
  EXPECT_GT(all.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(all, std::greater{}, &GenericDefinition::codeBytes));
}

TEST(Generics, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto list = engine::listGenerics(openedDump("shop-10"), "", stop.get_token());
  ASSERT_FALSE(list);
  EXPECT_TRUE(list.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
