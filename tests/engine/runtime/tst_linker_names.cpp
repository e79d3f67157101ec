// SPDX-License-Identifier: MIT
#include "runtime/aot/linker_names.h"

#include <gtest/gtest.h>

namespace heapscape::engine::test {
namespace {

LinkerNames namesOfNone() {
  return LinkerNames({.type = [](auto) { return std::string(); },
                      .definition = [](auto) { return std::string(); },
                      .isType = [](std::string_view name) { return name == "shop_Cart"; }});
}

TEST(LinkerNames, GiveTypesTheNamespaceOfTheirNeighbours) {
  LinkerNames names = namesOfNone();
  names.learn("shop_Shop_Order", "Shop.Order");
  EXPECT_EQ(names.fullName("shop_Shop_Price"), "Shop.Price");
  EXPECT_EQ(names.fullName("other_Shop_Price"), "other_Shop_Price");
}

TEST(LinkerNames, LeaveTheAssemblyOutOfTypesInNoNamespace) {
  LinkerNames names = namesOfNone();
  names.learn("shop_Cart", "Cart");
  names.learn("shop_Shop_Order", "Shop.Order");
  names.learn("Int32", "Int32");
  EXPECT_EQ(names.fullName("shop_Totals"), "Totals");
  EXPECT_EQ(names.fullName("shop_Cart_Line"), "Cart+Line");
  EXPECT_EQ(names.fullName("shop_Shop_Price"), "Shop.Price");
  EXPECT_EQ(names.fullName("other_Totals"), "other_Totals");
}

}  // namespace
}  // namespace heapscape::engine::test
