// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "session/snapshot/contents.h"
#include "stacks/exception_handling.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

struct MethodWithCode {
  std::string name;
  CodeLocation code;
};

/// All jitted methods of types whose name begins so.
std::vector<MethodWithCode> jittedMethods(const RuntimeReaders& readers, std::string_view typePrefix) {
  std::vector<MethodWithCode> methods;
  std::set<Address> seen;
  FindingList findings;
  for (const Address address : readers.loadedTypes.all()) {
    const auto type = readers.methodTables.read(address);
    if (!type || !seen.insert(type->canonical).second) continue;
    if (!readers.names.nameOf(address).starts_with(typePrefix)) continue;
    for (const MethodDescChunk& chunk : readers.methods.chunksOf(*type, findings)) {
      for (const MethodDesc& method : chunk.methods) {
        for (const MethodCode& body : readers.methodCodes.of(method)) {
          const auto code = readers.code.find(body.start);
          if (code && code->state == MethodState::Jitted)
            methods.push_back({readers.methodNames.nameOf(method.address), *code});
        }
      }
    }
  }
  return methods;
}

class ClausesOfDump : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, ClausesOfDump, testing::Values("stacks-8", "stacks-9", "stacks-10", "stacks-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ClausesOfDump, HaveHandlersThatAreFunclets) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const ExceptionClauses clauses(readers.runtime);
  std::size_t handlers = 0;
  for (const MethodWithCode& method : jittedMethods(readers, "Stacks.")) {
    const auto all = clauses.of(method.code);
    ASSERT_TRUE(all) << method.name;
    const std::uint32_t size = readers.code.codeBytes(method.code);
    for (const ExceptionClause& clause : *all) {
      EXPECT_LE(clause.tryEnd, size) << method.name;
      EXPECT_LE(clause.handlerEnd, size) << method.name;
      if (clause.tryStart == clause.tryEnd) continue;
      ++handlers;
      const auto handler = readers.code.find(method.code.start + clause.handlerStart);
      ASSERT_TRUE(handler) << method.name;
      EXPECT_TRUE(handler->isFunclet) << method.name;
      EXPECT_FALSE(clauses.isFilter(*handler)) << method.name;
    }
  }
  EXPECT_GE(handlers, 10u);
}

TEST_P(ClausesOfDump, TellFiltersFromHandlers) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const ExceptionClauses clauses(readers.runtime);
  std::vector<std::string> withFilter;
  for (const MethodWithCode& method : jittedMethods(readers, "Stacks.Handlers")) {
    EXPECT_FALSE(clauses.isFilter(method.code)) << "the method itself";
    const auto all = clauses.of(method.code);
    ASSERT_TRUE(all) << method.name;
    for (const ExceptionClause& clause : *all) {
      if (!clause.filterStart) continue;
      withFilter.push_back(method.name);
      const auto filter = readers.code.find(method.code.start + *clause.filterStart);
      ASSERT_TRUE(filter);
      EXPECT_TRUE(filter->isFunclet);
      EXPECT_TRUE(clauses.isFilter(*filter));
    }
  }
  ASSERT_EQ(withFilter.size(), 1u);
  EXPECT_TRUE(withFilter.front().starts_with("Stacks.Handlers.Filter(")) << withFilter.front();
}

TEST(ExceptionClauses, AreNotMadeUpWhereThereIsNoCode) {
  const Snapshot snapshot = openSnapshot(dumpPath("stacks-9"), Stage::Summary);
  const ClrRuntime& runtime = snapshot.contents().readers->runtime;
  const ExceptionClauses clauses(runtime);
  for (const MethodState state : {MethodState::Jitted, MethodState::ReadyToRun}) {
    CodeLocation code{.methodDesc = {}, .start = {0x1000}, .state = state, .function = RuntimeFunction{0, 16, 0}};
    code.isFunclet = true;
    EXPECT_FALSE(clauses.of(code));
    EXPECT_FALSE(clauses.isFilter(code));
  }
}

}  // namespace
}  // namespace heapscape::test
