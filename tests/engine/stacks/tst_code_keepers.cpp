// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "stacks/stack_reader.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"
#include "values/reading/delegate_details.h"

namespace heapscape::test {
namespace {

using engine::Address;

class CodeKeepers : public testing::TestWithParam<std::string> {
 protected:
  const engine::Contents& contents() const { return openedDump(GetParam()).contents(); }
};
INSTANTIATE_TEST_SUITE_P(OfShop, CodeKeepers, testing::Values("shop-8", "shop-9", "shop-10", "shop-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(CodeKeepers, AreTheResolverOfADynamicMethod) {
  const engine::RuntimeReaders& readers = *contents().readers;
  const engine::ValueReader values({readers});
  std::size_t found = 0;
  forEachObject(openedDump(GetParam()), {}, [&](const engine::ObjectRow& row) {
    const auto methodTable = contents().memory->readPointer(row.address);
    const auto type = methodTable ? readers.methodTables.read(*methodTable) : tl::unexpected(methodTable.error());
    if (!type || readers.names.nameOf({*methodTable}) != "System.Func<System.Int32, System.Int32>") return true;
    for (const auto& target : readDelegate(values, *type, row.address)) {
      const Address resolver = resolverOf(readers.runtime, target.methodDesc);
      const auto method = readers.methods.read(target.methodDesc);
      const bool isDynamic = method && method->classification == engine::MethodClassification::Dynamic;
      EXPECT_EQ(bool(resolver), isDynamic) << target.method;
      if (!resolver) continue;
      ++found;
      EXPECT_EQ(readers.names.nameOf({*contents().memory->readPointer(resolver)}),
                "System.Reflection.Emit.DynamicResolver");
    }
    return true;
  });
  EXPECT_EQ(found, 1u) << "DynamicSquare of the program";
  EXPECT_FALSE(resolverOf(readers.runtime, {}));
  EXPECT_FALSE(resolverOf(readers.runtime, {0x1000}));
}

TEST_P(CodeKeepers, AreTheLoaderAllocatorOfACollectibleType) {
  const engine::RuntimeReaders& readers = *contents().readers;
  const engine::CodeKeepers keepers(readers.methods);
  std::size_t collectible = 0;
  for (const engine::TypeRow& row : openedDump(GetParam()).types()) {
    const auto type = readers.methodTables.read(row.methodTable);
    if (!type || type->isArray) continue;
    const engine::GenericContext context{row.methodTable, false};
    engine::FindingList findings;
    const auto chunks = readers.methods.chunksOf(*type, findings);
    if (chunks.empty() || chunks.front().methods.empty()) continue;
    const std::vector<Address> found = keepers.of(chunks.front().methods.front().address, context);
    if (!type->isCollectible) {
      EXPECT_TRUE(found.empty()) << row.name;
      continue;
    }
    ++collectible;
    ASSERT_EQ(found.size(), 1u) << row.name << ": its method and it itself name the same one";
    EXPECT_EQ(readers.names.nameOf({*contents().memory->readPointer(found.front())}),
              "System.Reflection.LoaderAllocator");
  }
  EXPECT_GE(collectible, 1u) << "types of the plug-in";
}

class GenericContexts : public CodeKeepers {};
INSTANTIATE_TEST_SUITE_P(OfStacks, GenericContexts, testing::Values("stacks-8", "stacks-9", "stacks-10", "stacks-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(GenericContexts, NameWhatSharedCodeRunsFor) {
  const engine::RuntimeReaders& readers = *contents().readers;
  const engine::NativeUnwinder native(*contents().memory, *contents().core);
  engine::StackReader reader(readers, native);
  engine::FindingList findings;
  std::size_t types = 0;
  std::size_t methods = 0;
  for (const auto& thread : engine::readThreads(readers.runtime, findings)) {
    for (const auto& note : contents().core->threads) {
      if (note.osId != thread.osId) continue;
      for (const auto& frame : reader.read(thread, engine::registersOf(note)).roots) {
        if (!frame.context) continue;
        ++(frame.context->isMethod ? methods : types);
        if (frame.context->isMethod)
          EXPECT_TRUE(readers.methods.read(frame.context->handle)) << toString(frame.context->handle);
        else
          EXPECT_TRUE(readers.methodTables.isMethodTable(frame.context->handle)) << toString(frame.context->handle);
      }
    }
  }
  EXPECT_GE(types, 1u);
  EXPECT_GE(methods, 1u);
}

}  // namespace
}  // namespace heapscape::test
