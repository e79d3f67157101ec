// SPDX-License-Identifier: MIT
// Your code, packages and .NET are told apart by one rule.
#include "layout/code_owners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "session/types/type_owner.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using namespace engine;

const std::vector<AssemblyOrigin> kShop{{"System.Private.CoreLib.dll", "Microsoft Corporation"},
                                        {"Shop.Web.dll", "Shop Ltd"},
                                        {"System.Text.Json.dll", "Microsoft Corporation"},
                                        {"Shop.Orders.dll", "Somebody"},
                                        {"Warehouse.dll", "Shop Ltd"},
                                        {"Tools.dll", "Tools"},
                                        {"Shopping.Cart.dll", "Vendor"},
                                        {"Newtonsoft.Json.dll", "Newtonsoft"},
                                        {"Unnamed.dll", ""}};

TEST(CodeOwners, TheProgramsFirstAssemblyAndThoseOfItsNameOrCompanyAreTheReaders) {
  const CodeOwners owners(kShop, {});
  EXPECT_EQ(owners.entry(), "Shop.Web");
  for (const char* own : {"Shop.Web.dll", "Shop.Web", "Shop.Orders.dll", "Warehouse.dll"})
    EXPECT_EQ(owners.of(own), CodeOwner::Own) << own;
  EXPECT_EQ(owners.of("Tools.dll"), CodeOwner::Own) << "a project that names no company has its own name there";
}

TEST(CodeOwners, AllOthersArePackagesOrTheFrameworks) {
  const CodeOwners owners(kShop, {});
  for (const char* package : {"Newtonsoft.Json.dll", "Shopping.Cart.dll", "Unnamed.dll", "NeverLoaded.dll"})
    EXPECT_EQ(owners.of(package), CodeOwner::Package) << package;
  for (const char* framework : {"System.Text.Json.dll", "System.Private.CoreLib.dll", "Microsoft.EntityFrameworkCore"})
    EXPECT_EQ(owners.of(framework), CodeOwner::Framework) << framework;
}

TEST(CodeOwners, WhereNoAssemblyIsKnownTheNameOfTheTypeTells) {
  const CodeOwners owners(kShop, {});
  EXPECT_EQ(owners.of("", "System.Collections.Generic.List<Shop.Order>"), CodeOwner::Framework);
  EXPECT_EQ(owners.of("", "Shop.Order"), CodeOwner::Own);
}

TEST(CodeOwners, WhatTheReaderNamesGoesFirst) {
  const CodeOwners owners(kShop, {.own = {"Newton"}, .packages = {"Shop.Orders", "System"}});
  EXPECT_EQ(owners.of("Newtonsoft.Json.dll"), CodeOwner::Own);
  EXPECT_EQ(owners.of("Shop.Orders.dll"), CodeOwner::Package);
  EXPECT_EQ(owners.of("System.Text.Json.dll"), CodeOwner::Framework) << ".NET stays .NET";
}

TEST(CodeOwners, OfNoProgramAllButTheFrameworkIsTheReaders) {
  const CodeOwners owners;
  EXPECT_EQ(owners.of("Newtonsoft.Json.dll"), CodeOwner::Own);
  EXPECT_EQ(owners.of("System.Linq.dll"), CodeOwner::Framework);
}

TEST(CodeOwners, ADumpTellsThemByTheSameRule) {
  const Snapshot& snapshot = openedDump("exhibits-10");
  EXPECT_EQ(codeOwnersOf(snapshot).of("Newtonsoft.Json.dll"), CodeOwner::Package);
  std::size_t own = 0;
  for (const TypeRow& type : snapshot.types()) {
    const CodeOwner owner = ownerOf(snapshot, type);
    own += owner == CodeOwner::Own ? 1 : 0;
    const bool isFramework = type.isFree || type.assembly == "System.Private.CoreLib.dll";
    const bool isPackage = type.assembly == "Newtonsoft.Json.dll";
    EXPECT_TRUE(!isFramework || owner == CodeOwner::Framework) << type.name;
    EXPECT_TRUE(!isPackage || owner == CodeOwner::Package) << type.name;
  }
  EXPECT_GT(own, 0u);
}

}  // namespace
}  // namespace heapscape::test
