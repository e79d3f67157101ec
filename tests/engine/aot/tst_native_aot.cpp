// SPDX-License-Identifier: MIT
// Dumps of programs that were compiled ahead of time, held against what the program itself printed (tests/targets/aot).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "insight/insight.h"
#include "session/details/object_details.h"
#include "session/heap/heap_check.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "session/roots/handles_query.h"
#include "session/roots/roots_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "session/threads/crash_query.h"
#include "session/threads/threads_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::Generation;
using engine::Snapshot;

struct PrintedObject {
  std::string what;
  Address object;
  Address methodTable;
  std::string type;
};

/// What the program printed before it died.
struct Printed {
  std::map<std::string, PrintedObject> objects;  // by what they are
  std::vector<std::pair<Address, Address>> handles;
  std::map<std::string, Address> statics;
  std::map<Generation, std::uint64_t> generations;  // bytes
};

Address hexOf(const std::string& text) {
  return {std::stoull(text, nullptr, 16)};
}

Printed printedBy(const std::string& dump) {
  std::ifstream file(std::string(HEAPSCAPE_TEST_DATA) + "/" + dump + ".truth.txt");
  EXPECT_TRUE(file) << dump;
  Printed printed;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, first, second, third;
    words >> kind;
    if (kind == "T") {
      PrintedObject object;
      words >> object.what >> first >> second;
      std::getline(words >> std::ws, object.type);
      object.object = hexOf(first);
      object.methodTable = hexOf(second);
      // These were printed before a collection that moved them.
      if (object.what == "ts0" || object.what == "ts1" || object.what == "stacklocal") continue;
      printed.objects[object.what] = object;
    } else if (kind == "H" && words >> first >> second) {
      printed.handles.emplace_back(Address{hexOf(first).value & ~1ull}, hexOf(second));
    } else if (kind == "S") {
      while (words >> first >> second) printed.statics[first] = hexOf(second);
    } else if (kind == "G" && words >> first >> second >> third && first.starts_with("gen")) {
      constexpr std::array kGenerations{Generation::Gen0, Generation::Gen1, Generation::Gen2, Generation::Large,
                                        Generation::Pinned};
      printed.generations[kGenerations.at(std::stoul(first.substr(3)))] = std::stoull(third);
    }
  }
  return printed;
}

struct Figures {
  std::string dump;
  std::string version;
  std::uint64_t objects = 0;  // free ones included
  std::uint64_t references = 0;
};

void PrintTo(const Figures& figures, std::ostream* out) {
  *out << figures.dump;
}

class NativeAot : public testing::TestWithParam<Figures> {
 protected:
  const Snapshot& snapshot() const { return retainedDump(GetParam().dump); }
  Printed printed() const { return printedBy(GetParam().dump); }
};

TEST_P(NativeAot, IsOpenedWithItsHeapWalkedToTheLastByte) {
  const engine::RuntimeSummary& runtime = snapshot().summary().runtime;
  EXPECT_EQ(runtime.flavor, engine::RuntimeFlavor::NativeAot);
  EXPECT_EQ(runtime.version, GetParam().version);
  EXPECT_TRUE(runtime.contractVerified);
  EXPECT_FALSE(runtime.isServerGc);
  EXPECT_TRUE(runtime.hasRegions);
  EXPECT_EQ(snapshot().coverage(), 1);
  EXPECT_EQ(snapshot().totals().objects, GetParam().objects);
  // The dumps were left without the code of libraries, by which the thread that died would be walked to its end.
  for (const engine::Finding& finding : snapshot().findings())
    EXPECT_TRUE(finding.message.starts_with("The stack of thread")) << findingsText(snapshot());
}

TEST_P(NativeAot, HasNoReferenceThatLeadsToNoObject) {
  const auto check = engine::checkHeap(snapshot(), nullptr, {});
  ASSERT_TRUE(check);
  EXPECT_EQ(check->references, GetParam().references);
  EXPECT_TRUE(check->findings.items().empty()) << check->findings.items().front().message;
  EXPECT_GT(check->statics, 100u);
  EXPECT_GT(check->handles, 90u);
}

/// "Zoo.Pair`2[System.String,System.Double]" as names are spelled here.
std::string spelledHere(std::string name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '`') {
      while (i + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[i + 1]))) ++i;
    } else if (name[i] == '[' && i + 1 < name.size() && (std::isalpha(static_cast<unsigned char>(name[i + 1])))) {
      text += '<';
    } else if (name[i] == ']' && text.find('<') != std::string::npos && name[i - 1] != '[' && name[i - 1] != ',') {
      text += '>';
    } else {
      text += name[i];
      if (name[i] == ',' && i + 1 < name.size() && name[i + 1] != ']' && name[i + 1] != ',') text += ' ';
    }
  }
  return text;
}

TEST_P(NativeAot, HasTheObjectsThatTheProgramPrinted) {
  std::size_t named = 0;
  for (const auto& [what, object] : printed().objects) {
    const auto row = engine::objectAt(snapshot(), object.object);
    ASSERT_TRUE(row) << what;
    EXPECT_EQ(row->address, object.object) << what;
    EXPECT_EQ(snapshot().types()[row->type.value].methodTable, object.methodTable) << what;
    // Reflection puts the arguments of all nested types behind the last one.
    if (what != "pending") {
      EXPECT_EQ(snapshot().types()[row->type.value].name, spelledHere(object.type)) << what;
    }
    ++named;
  }
  EXPECT_EQ(named, 34u);
}

TEST_P(NativeAot, HasGenerationsOfTheSizesThatTheProgramPrinted) {
  std::map<Generation, std::uint64_t> bytes;
  for (const engine::Segment& segment : snapshot().segments()) {
    if (segment.kind == engine::SegmentKind::Frozen) continue;
    for (const engine::GenerationRange& part : segment.generations) bytes[part.generation] += part.range.sizeBytes();
  }
  for (const auto& [generation, size] : printed().generations) {
    if (generation == Generation::Gen0) continue;
    EXPECT_EQ(bytes[generation], size) << toString(generation);
  }
  EXPECT_GE(bytes[Generation::Gen0], printed().generations[Generation::Gen0]);
}

TEST_P(NativeAot, HasTheHandlesThatTheProgramMade) {
  const auto list = engine::listHandles(snapshot(), false, {});
  ASSERT_TRUE(list);
  const Printed truth = printed();
  ASSERT_EQ(truth.handles.size(), 4u);
  std::set<engine::HandleKind> kinds;
  for (const auto& [address, object] : truth.handles) {
    const auto found = std::ranges::find(list->handles, address, &engine::HandleRow::address);
    ASSERT_NE(found, list->handles.end()) << engine::toString(address);
    EXPECT_EQ(found->object, object);
    kinds.insert(found->kind);
  }
  EXPECT_EQ(kinds.size(), 4u);
}

TEST_P(NativeAot, HoldsStaticsByTheirPlaces) {
  const auto list = engine::listStatics(snapshot(), {}, {});
  ASSERT_TRUE(list);
  const Printed truth = printed();
  const auto at = [&](const std::string& name) {
    return std::ranges::find(list->statics, truth.statics.at(name), &engine::StaticRow::address);
  };
  const auto registry = at("Registry");
  ASSERT_NE(registry, list->statics.end());
  EXPECT_EQ(registry->kind, engine::StaticKind::Normal);
  EXPECT_EQ(registry->value.value.object, truth.objects.at("registry").object);
  const auto ofThread = at("TS");
  ASSERT_NE(ofThread, list->statics.end());
  EXPECT_EQ(ofThread->kind, engine::StaticKind::Thread);
  EXPECT_EQ(ofThread->threadId, 1u);
  EXPECT_EQ(ofThread->value.value.object, truth.objects.at("tsmain").object);
}

TEST_P(NativeAot, TellsWhatHoldsAndWhatIsHeld) {
  const engine::RetainedTotals totals = snapshot().retainedTotals();
  EXPECT_GT(totals.reachableObjects, totals.unreachableObjects * 3);
  // The registry holds two thousand animals with their names.
  const auto registry = engine::retainedOf(snapshot(), printed().objects.at("registry").object);
  ASSERT_TRUE(registry);
  EXPECT_GT(registry->retainedCount, 3500u);
  EXPECT_LT(registry->retainedBytes, totals.reachableBytes);
  std::set<engine::RootKind> kinds;
  for (const engine::RootRow& root : snapshot().roots().roots) {
    kinds.insert(root.kind);
    EXPECT_TRUE(root.isExact || root.kind == engine::RootKind::Stack) << root.name;
  }
  for (const engine::RootKind kind :
       {engine::RootKind::Static, engine::RootKind::ThreadStatic, engine::RootKind::StrongHandle,
        engine::RootKind::PinnedHandle, engine::RootKind::Stack})
    EXPECT_TRUE(kinds.contains(kind)) << toString(kind);
}

TEST_P(NativeAot, TellsThreadsByNameAndIds) {
  const auto list = engine::listThreads(snapshot(), {});
  ASSERT_TRUE(list);
  std::set<std::string> names;
  std::set<std::uint32_t> ids;
  for (const engine::ThreadRow& row : list->threads) {
    names.insert(row.name);
    ids.insert(row.managedId);
    EXPECT_FALSE(row.stack.isEmpty());
    EXPECT_TRUE(row.name != "worker0" || (row.isBackground && !row.isThreadPool));
    EXPECT_TRUE(row.name != ".NET TP Worker" || row.isThreadPool);
  }
  EXPECT_TRUE(names.contains("worker0"));
  EXPECT_TRUE(names.contains("w1"));
  EXPECT_TRUE(ids.contains(1));
  EXPECT_EQ(ids.size(), list->threads.size());
}

TEST_P(NativeAot, TellsContentsThatNeedNoFields) {
  const Printed truth = printed();
  const auto details = [&](const std::string& what) {
    return engine::objectDetails(snapshot(), truth.objects.at(what).object);
  };
  const auto literal = details("frozenstr");
  ASSERT_TRUE(literal && literal->string);
  EXPECT_EQ(literal->string->text, "hello literal");
  const auto primes = details("primes");
  ASSERT_TRUE(primes && primes->array);
  ASSERT_EQ(primes->array->elements.size(), 6u);
  EXPECT_EQ(primes->array->elements[3].value.text, "7");
  const auto grid = details("box6");
  ASSERT_TRUE(grid && grid->array);
  EXPECT_EQ(grid->array->lengths, (std::vector<std::uint32_t>{2, 2}));
  const auto number = details("box0");
  ASSERT_TRUE(number && number->boxed);
  EXPECT_EQ(number->boxed->value.text, "42");
  const auto thrown = details("box17");
  ASSERT_TRUE(thrown && thrown->exception);
  EXPECT_EQ(thrown->exception->message, "thrown msg");
}

TEST_P(NativeAot, CallsReferencesByTheirPlaces) {
  const auto details = engine::objectDetails(snapshot(), printed().objects.at("cat1").object);
  ASSERT_TRUE(details);
  std::set<std::string> names;
  for (const engine::FieldValue& field : details->fields) names.insert(field.name);
  EXPECT_EQ(names, (std::set<std::string>{"+8", "+16", "+32"}));  // the name, the friend and the enemies
}

TEST_P(NativeAot, TellsWhyTheProgramDied) {
  const auto crash = engine::readCrash(snapshot(), {});
  ASSERT_TRUE(crash);
  EXPECT_EQ(crash->cause.kind, engine::CrashKind::UnhandledException);
  EXPECT_EQ(crash->managedId, 1u);
  ASSERT_TRUE(crash->exception);
  EXPECT_EQ(crash->exception->type, "System.ArgumentException");
  EXPECT_EQ(crash->exception->message, "unhandled one True");
  ASSERT_GE(crash->exception->stack.size(), 2u);
  EXPECT_EQ(crash->exception->stack.front().method, "Zoo.Program.Crash(Dog)");
  EXPECT_TRUE(crash->place.starts_with("Zoo.Program.Crash")) << crash->place;
}

TEST_P(NativeAot, SaysWhatSuchAProgramHasNot) {
  for (const engine::HeapUse use : {engine::HeapUse::Fields, engine::HeapUse::Assemblies}) {
    const auto lack = engine::lackOf(snapshot(), use);
    ASSERT_TRUE(lack);
    EXPECT_NE(lack->what.find("Native AOT"), std::string::npos);
  }
  for (const engine::HeapUse use : {engine::HeapUse::Memory, engine::HeapUse::Graph, engine::HeapUse::Optional})
    EXPECT_FALSE(engine::lackOf(snapshot(), use));
  EXPECT_TRUE(snapshot().typePaddingBytes().empty());
  const auto insights = engine::findInsights(snapshot(), {}, nullptr, {});
  ASSERT_TRUE(insights);
  EXPECT_TRUE(insights->findings.items().empty());
  EXPECT_FALSE(engine::notLookedFor(snapshot()).empty());
}

INSTANTIATE_TEST_SUITE_P(Of, NativeAot,
                         testing::Values(Figures{"aot/zoo-8", "8.0.31", 8995, 13313},
                                         Figures{"aot/zoo-9", "9.0.20", 8937, 13131},
                                         Figures{"aot/zoo-10", "10.0.12", 9019, 13162},
                                         Figures{"aot/zoo-11", "11.0.0", 8969, 13153}));

}  // namespace
}  // namespace heapscape::test
