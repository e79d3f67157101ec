// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using engine::Address;

TEST(MethodNames, TellTypeArgumentsAndParameters) {
  const engine::RuntimeReaders& readers = *openedDump("shop-10").contents().readers;
  std::set<std::string> names;
  engine::FindingList findings;
  for (const Address address : readers.loadedTypes.all()) {
    const auto type = readers.methodTables.read(address);
    if (!type) continue;
    const std::string name = readers.names.nameOf(address);
    if (name != "System.String" && name != "System.Int32[,]" && !name.starts_with("System.Collections.Generic.List<"))
      continue;
    for (const auto& chunk : readers.methods.chunksOf(*type, findings)) {
      for (const auto& method : chunk.methods) names.insert(readers.methodNames.nameOf(method.address));
    }
  }
  for (const char* expected :
       {"System.String.Concat(System.String, System.String)", "System.String..ctor(System.Char[])",
        "System.String.op_Equality(System.String, System.String)",
        "System.Int32[,].Set(System.Int32, System.Int32, System.Int32)",
        "System.Collections.Generic.List<System.__Canon>.Add(System.__Canon)",
        "System.Collections.Generic.List<System.Int32>.CopyTo(System.Int32[], System.Int32)"}) {
    EXPECT_TRUE(names.contains(expected)) << expected;
  }
  EXPECT_EQ(readers.methodNames.nameOf({0x1234}), "<unknown method 0x1234>");
}

}  // namespace
}  // namespace heapscape::test
