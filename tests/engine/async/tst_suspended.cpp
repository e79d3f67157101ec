// SPDX-License-Identifier: MIT
// Async methods that the runtime itself has suspended (.NET 11), found as the target program has left them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/async/async_heap.h"
#include "session/async/suspended_methods.h"
#include "session/details/object_details.h"
#include "session/layouts/layout_query.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/references/paths_query.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/thread_waits.h"
#include "support/dump_path.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;
using nlohmann::json;

constexpr const char* kDump = "suspended-11";

/// A lambda is told as such, nested types as the runtime names them.
bool isMethod(std::string_view name, const std::string& planted) {
  std::string plain(name.substr(0, name.find('<')));
  std::ranges::replace(plain, '+', '.');
  return plain == planted || plain == planted + " (lambda)";
}

/// The frames of the program's own methods.
std::vector<AsyncFrame> ownFrames(const AsyncList& list, const AsyncChain& chain) {
  std::vector<AsyncFrame> own;
  std::ranges::copy_if(list.framesOf(chain), std::back_inserter(own), [&](const AsyncFrame& frame) {
    return frame.isMethod && list.nameOf(frame.name).starts_with("Suspended.");
  });
  return own;
}

bool isPlanted(const AsyncList& list, const AsyncChain& chain, const json& planted) {
  const json& calls = planted.at("calls");
  const std::vector<AsyncFrame> frames = ownFrames(list, chain);
  return std::ranges::equal(frames, calls,
                            [&](const AsyncFrame& frame, const json& call) {
                              const bool isPlace = call.at("machine") || frame.line == call.at("line");
                              return isMethod(list.nameOf(frame.name), call.at("method")) && isPlace;
                            }) &&
         list.nameOf(chain.waitsFor) == planted.at("waitsFor").get<std::string>() &&
         toString(chain.state) == planted.at("state").get<std::string>();
}

/// As the program prints values: text without quotes, of an order its number.
std::string printed(const Snapshot& snapshot, const FieldValue& local) {
  std::string text = local.value.text;
  if (local.typeName == "Suspended.Order") {
    const auto order = objectDetails(snapshot, local.value.object);
    if (!order) return {};
    const auto number = std::ranges::find(order->fields, "Number", &FieldValue::name);
    return number == order->fields.end() ? std::string() : number->value.text;
  }
  if (text == "true") return "True";
  if (text.starts_with('"')) return text.substr(1, text.size() - 2);
  return text;
}

class Suspended : public testing::Test {
 protected:
  const Snapshot& snapshot() const { return openedDump(kDump); }
  /// The chain whose innermost method of the program has that name.
  static const AsyncChain* chainIn(const AsyncList& list, std::string_view method) {
    const auto found = std::ranges::find_if(list.chains, [&](const AsyncChain& chain) {
      const auto own = ownFrames(list, chain);
      return !own.empty() && list.nameOf(own.front().name) == method;
    });
    return found == list.chains.end() ? nullptr : &*found;
  }
};

TEST_F(Suspended, MethodsAreFoundAsTheyWerePlanted) {
  const AsyncList list = chainsOf(snapshot(), false);
  EXPECT_TRUE(list.findings.items().empty());
  int chains = 0, locals = 0;
  for (const json& planted : plantedIn(kDump)) {
    if (planted.at("kind") != "chain") continue;
    ++chains;
    const auto chain = std::ranges::find_if(
        list.chains, [&](const AsyncChain& candidate) { return isPlanted(list, candidate, planted); });
    ASSERT_NE(chain, list.chains.end()) << planted.dump();
    EXPECT_TRUE(chain->isReachable);
    const std::vector<AsyncFrame> frames = ownFrames(list, *chain);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (chain->state == AsyncState::Running && i == 0) continue;
      const auto kept = AsyncLocals(snapshot()).of(frames[i].object);
      ASSERT_TRUE(kept) << planted.dump();
      for (const auto& [name, value] : planted.at("calls")[i].at("locals").items()) {
        // The C# compiler keeps it on the evaluation stack, so that it is no local.
        if (name == "order" && planted.at("name") == "lambda") continue;
        const auto local = std::ranges::find(*kept, name, &FieldValue::name);
        ASSERT_NE(local, kept->end()) << planted.dump() << name;
        EXPECT_EQ(printed(snapshot(), *local), value.get<std::string>()) << planted.dump() << name;
        ++locals;
      }
    }
  }
  EXPECT_EQ(chains, 20);
  EXPECT_GE(locals, 40);
}

TEST_F(Suspended, MethodsSayWhereTheyAre) {
  const AsyncList list = chainsOf(snapshot(), false);
  const AsyncChain* chain = chainIn(list, "Suspended.Shop.ChargeAsync");
  ASSERT_TRUE(chain);
  const auto frames = list.framesOf(*chain);
  ASSERT_EQ(frames.size(), 2u);
  for (const AsyncFrame& frame : frames) {
    EXPECT_EQ(list.nameOf(frame.file), "/src/suspended/Suspended.cs");
    EXPECT_TRUE(frame.ilOffset);
    EXPECT_EQ(frame.missing, AsyncFrame::kNone);
  }
  EXPECT_FALSE(frames[0].task);
  EXPECT_TRUE(frames[1].task);
  EXPECT_TRUE(frames[0].waiting);
  EXPECT_EQ(frames[0].await, 0);
  EXPECT_EQ(frames[1].await, 1);
}

TEST_F(Suspended, MethodsOfTheFrameworkAreKnownByTheirAssemblyAtLeast) {
  const AsyncList list = chainsOf(snapshot(), false);
  const auto line = std::ranges::find_if(list.chains, [&](const AsyncChain& chain) {
    return list.nameOf(list.framesOf(chain).back().name) == "Suspended.Shop.LineAsync";
  });
  ASSERT_NE(line, list.chains.end());
  // Which methods they are stands in the image, which the dump lacks, and its file may not be there.
  const auto frames = list.framesOf(*line);
  ASSERT_EQ(frames.size(), 5u);
  for (const AsyncFrame& frame : frames.subspan(1, 3)) {
    const std::string_view name = list.nameOf(frame.name), missing = list.nameOf(frame.missing);
    const bool isTold = name.starts_with("System.IO.StreamReader.");
    EXPECT_TRUE(isTold || name == "an async method of System.Private.CoreLib.dll") << name;
    EXPECT_EQ(missing.find("System.Private.CoreLib.dll") != std::string_view::npos, !isTold) << missing;
  }
}

TEST_F(Suspended, ChainsRetainTheirTasksToo) {
  const Snapshot whole = openSnapshot(dumpPath(kDump), Stage::Retained);
  const AsyncList list = chainsOf(whole);
  for (const AsyncGroup& group : list.groups) {
    ObjectSet set;
    for (const std::uint32_t chain : group.chains) {
      for (const AsyncFrame& frame : list.framesOf(list.chains[chain])) {
        for (const Address object : {frame.object, frame.task, frame.waiting})
          if (object) set.objects.push_back(object);
      }
    }
    const auto retained = retainedOfSet(whole, set, nullptr, {});
    ASSERT_TRUE(retained);
    EXPECT_EQ(group.retainedBytes, retained->retained.bytes);
  }
}

TEST_F(Suspended, ContinuationsShowTheLocalsThatTheyKeep) {
  const AsyncList list = chainsOf(snapshot(), false);
  const AsyncChain* chain = chainIn(list, "Suspended.Shop.ChargeAsync");
  ASSERT_TRUE(chain);
  const auto details = objectDetails(snapshot(), list.framesOf(*chain).front().object);
  ASSERT_TRUE(details && details->suspended);
  EXPECT_EQ(details->suspended->method, "Suspended.Shop.ChargeAsync");
  EXPECT_EQ(details->suspended->await, 0);
  EXPECT_EQ(details->suspended->file, "/src/suspended/Suspended.cs");
  EXPECT_TRUE(details->findings.empty());
  const auto price = std::ranges::find(details->fields, "price", &FieldValue::name);
  ASSERT_NE(price, details->fields.end());
  EXPECT_EQ(price->declaringType, "Suspended.Shop.ChargeAsync");
  EXPECT_EQ(price->typeName, "Suspended.Price");
  EXPECT_EQ(price->nested.size(), 3u);
}

TEST_F(Suspended, LocalsAreNamedInLayouts) {
  const AsyncList list = chainsOf(snapshot(), false);
  const AsyncChain* chain = chainIn(list, "Suspended.Shop.ChargeAsync");
  ASSERT_TRUE(chain);
  const Address object = list.framesOf(*chain).front().object;
  const auto details = objectDetails(snapshot(), object);
  ASSERT_TRUE(details);
  const auto own = layoutOfObject(snapshot(), details->methodTable, object);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->continues, std::vector<std::string>{"Suspended.Shop.ChargeAsync, at await 0"});
  std::size_t named = 0;
  for (const FieldValue& value : details->fields) {
    if (value.declaringType != "Suspended.Shop.ChargeAsync") continue;
    const auto field = std::ranges::find(own->fields, value.name, &LayoutField::name);
    ASSERT_NE(field, own->fields.end()) << value.name;
    EXPECT_EQ(field->offset + 8, value.offset) << value.name;
    EXPECT_EQ(field->sizeBytes, value.sizeBytes) << value.name;
    ++named;
  }
  EXPECT_GE(named, 2u);
  // The type is that of all methods that save words of references alike.
  const auto ofType = layoutOf(snapshot(), details->methodTable);
  ASSERT_TRUE(ofType);
  EXPECT_GE(ofType->continues.size(), own->continues.size());
  EXPECT_TRUE(std::ranges::count(ofType->continues, own->continues.front()));
  for (const TypeLayout& layout : {*own, *ofType}) {
    std::uint32_t end = 0;
    for (const LayoutField& field : layout.fields) {
      EXPECT_GE(field.offset, end) << field.name;
      end = field.offset + field.sizeBytes * field.repeat;
    }
    EXPECT_EQ(end, layout.fieldsBytes);
  }
}

TEST_F(Suspended, LocalsAreNamedInPaths) {
  const Snapshot whole = openSnapshot(dumpPath(kDump), Stage::Retained);
  const AsyncList list = chainsOf(whole, false);
  const AsyncChain* chain = chainIn(list, "Suspended.Shop.ChargeAsync");
  ASSERT_TRUE(chain);
  const auto locals = AsyncLocals(whole).of(list.framesOf(*chain).front().object);
  const auto order = std::ranges::find(locals.value(), "order", &FieldValue::name);
  ASSERT_NE(order, locals->end());
  const auto paths = pathsToRoots(whole, order->value.object, {}, nullptr, {});
  ASSERT_TRUE(paths && !paths->paths.empty());
  EXPECT_EQ(paths->paths.front().steps.back().via, "parameter order of Suspended.Shop.ChargeAsync, at await 0");
}

TEST_F(Suspended, TasksAreToldByWhoBlocksOnThem) {
  const auto stacks = keptStacksInWords(snapshot(), {});
  ASSERT_TRUE(stacks);
  for (const json& planted : plantedIn(kDump)) {
    if (planted.at("kind") != "thread") continue;
    const auto thread =
        std::ranges::find((*stacks)->threads, planted.at("managedId").get<std::uint32_t>(), &ThreadStackRow::managedId);
    ASSERT_NE(thread, (*stacks)->threads.end());
    EXPECT_EQ(thread->doing, "waits for " + planted.at("waits").get<std::string>() + " in Task.Wait");
  }
}

TEST_F(Suspended, MethodsThatRunAreFoundOnTheStack) {
  AsyncList list = chainsOf(snapshot(), false);
  const auto stacks = keptStacks(snapshot(), {});
  ASSERT_TRUE(stacks);
  joinThreads(list, **stacks);
  const AsyncChain* chain = chainIn(list, "Suspended.Shop.RunAsync");
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->state, AsyncState::Running);
  EXPECT_TRUE(list.framesOf(*chain).front().thread);
  EXPECT_EQ(runnersOfTasks(**stacks).count(list.framesOf(*chain).front().object), 1u);
}

/// Changes bytes of the dump's copy, and puts them back.
class DamagedContinuations : public testing::Test {
 protected:
  static void SetUpTestSuite() { s_core = new PatchedCore(kDump); }
  static void TearDownTestSuite() {
    delete s_core;
    s_core = nullptr;
  }
  ~DamagedContinuations() override { s_core->restore(); }
  static Snapshot open() { return openSnapshot(s_core->path(), Stage::Objects); }

  static PatchedCore* s_core;
};
PatchedCore* DamagedContinuations::s_core = nullptr;

TEST_F(DamagedContinuations, AreLeftWhereTheyLeadInACircle) {
  constexpr std::uint64_t kNext = 8;
  const AsyncList before = chainsOf(open());
  const auto deep = std::ranges::max_element(before.chains, {}, &AsyncChain::frameCount);
  ASSERT_GE(deep->frameCount, 21u);
  const auto frames = before.framesOf(*deep);
  s_core->write(frames.back().object + kNext, frames.front().object);
  const AsyncList damaged = chainsOf(open());
  EXPECT_EQ(std::ranges::count(damaged.findings.items(), FindingKind::HeapDamaged, &Finding::kind), 1);
  EXPECT_EQ(damaged.chains.size(), before.chains.size());
}

TEST_F(DamagedContinuations, SurviveAnyBytes) {
  const Snapshot before = open();
  std::uint64_t random = 1;
  for (const char* type : {"Continuation", "RuntimeAsyncTask"}) {
    ObjectFilter filter;
    filter.typeText = type;
    for (const ObjectRow& row : listObjects(before, filter, 0, 1000)) {
      for (std::uint64_t offset = 8; offset + 8 <= row.sizeBytes; offset += 8) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (random >> 61 == 0) s_core->write(row.address + offset, random);
        if (random >> 61 == 1) s_core->write(row.address + offset, row.address);
      }
    }
  }
  const Snapshot damaged = open();
  const AsyncList list = chainsOf(damaged);
  for (const AsyncChain& chain : list.chains) {
    EXPECT_GT(chain.frameCount, 0u);
    for (const AsyncFrame& frame : list.framesOf(chain)) (void)objectDetails(damaged, frame.object);
  }
}

}  // namespace
}  // namespace heapscape::test
