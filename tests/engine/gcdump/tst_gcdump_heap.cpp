// SPDX-License-Identifier: MIT
// The heap of a .gcdump file: what is shown of it is what the graph says, exactly, and nothing else is.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "gcdump_file.h"
#include "insight/comparison/compare_snapshots.h"
#include "insight/comparison/comparison.h"
#include "insight/comparison/matching.h"
#include "query/objects/object_search.h"
#include "query/query.h"
#include "session/objects/object_query.h"
#include "session/references/paths_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"

namespace heapscape::test {
namespace {

using namespace engine;

Snapshot openGcDump(const std::string& name) {
  return openSnapshot(std::string(HEAPSCAPE_TEST_DATA) + "/gcdump/" + name + ".gcdump.zst", Stage::Retained);
}

/// Nodes that stand for objects, and how those above them lead to them.
struct Graph {
  NodeGraph nodes;
  std::vector<std::uint32_t> objects;  // by address

  explicit Graph(const std::string& name) : nodes(readFile(gcDumpFile(name + ".gcdump")).graph) {
    for (std::uint32_t i = 0; i < nodes.nodeCount(); ++i)
      if (nodes.addressOf[i]) objects.push_back(i);
    std::ranges::sort(objects, {}, [&](std::uint32_t node) { return nodes.addressOf[node]; });
  }

  /// What is reached from the root without going through a node.
  std::vector<bool> reachedWithout(std::uint32_t left) const {
    std::vector<bool> reached(nodes.nodeCount());
    std::vector<std::uint32_t> open{nodes.root};
    reached[nodes.root] = true;
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      for (const std::uint32_t child : nodes.childrenOf(node)) {
        if (child == left || reached[child]) continue;
        reached[child] = true;
        open.push_back(child);
      }
    }
    return reached;
  }
  std::uint64_t bytesIn(const std::vector<bool>& reached) const {
    std::uint64_t bytes = 0;
    for (const std::uint32_t node : objects) bytes += reached[node] ? (nodes.sizeOf[node] + 7ull) / 8 * 8 : 0;
    return bytes;
  }
};

class GcDumpHeap : public testing::TestWithParam<const char*> {};

TEST_P(GcDumpHeap, HasAllObjectsOfTheGraph) {
  const Graph graph(GetParam());
  const Snapshot snapshot = openGcDump(GetParam());
  EXPECT_TRUE(snapshot.isRecorded());
  EXPECT_TRUE(snapshot.isComplete()) << findingsText(snapshot);
  EXPECT_EQ(snapshot.summary().dump.kind, DumpKind::GcDump);
  std::size_t place = 0;
  std::uint64_t references = 0;
  forEachObject(snapshot, {}, [&](const ObjectRow& row) {
    const std::uint32_t node = graph.objects.at(place++);
    EXPECT_EQ(row.address.value, graph.nodes.addressOf[node]);
    EXPECT_EQ(row.sizeBytes, graph.nodes.sizeOf[node]);
    EXPECT_FALSE(row.generation);
    const auto targets = snapshot.contents().graph->targetsOf(row.id.value);
    const auto children = graph.nodes.childrenOf(node);
    EXPECT_TRUE(std::ranges::equal(
        targets, children, {},
        [&](std::uint32_t target) { return snapshot.contents().heap->index.addressOf({target}).value; },
        [&](std::uint32_t child) { return graph.nodes.addressOf[child]; }));
    references += children.size();
    return true;
  });
  EXPECT_EQ(place, graph.objects.size());
  EXPECT_EQ(snapshot.referenceCount(), references);
}

// By brute force: the graph is searched once for each object, without it.
TEST_P(GcDumpHeap, RetainsExactly) {
  const Graph graph(GetParam());
  const Snapshot snapshot = openGcDump(GetParam());
  const std::vector<bool> all = graph.reachedWithout(UINT32_MAX);
  const std::uint64_t whole = graph.bytesIn(all);
  EXPECT_EQ(snapshot.retainedTotals().reachableBytes, whole);
  for (std::size_t i = 0; i < graph.objects.size(); ++i) {
    const std::uint32_t node = graph.objects[i];
    const std::uint64_t expected = all[node] ? whole - graph.bytesIn(graph.reachedWithout(node)) : 0;
    ASSERT_EQ(retainedBytesOf(snapshot, ObjectId{static_cast<std::uint32_t>(i)}), expected) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GcDumpHeap, testing::Values("growth-8", "growth-10", "growth-11"),
                         [](const auto& info) { return "Of" + std::string(info.param).substr(7); });

std::uint64_t countOfType(const Snapshot& snapshot, std::string_view name) {
  const TypeId type = findType(snapshot, name);
  return type.isNone() ? 0 : snapshot.typeCounts().count[type.value];
}

TEST(GcDump, SpellsTypesAsADumpDoes) {
  const Snapshot snapshot = openGcDump("growth-10");
  EXPECT_EQ(countOfType(snapshot, "Growth.Session"), 1000u);
  EXPECT_EQ(countOfType(snapshot, "System.Collections.Generic.Dictionary<System.String, System.Object>"), 1u);
  EXPECT_EQ(countOfType(snapshot, "<>c__DisplayClass6_0"), 20u);
  // Of two sizes, of which the file makes two types.
  EXPECT_EQ(countOfType(snapshot, "System.Int32[]"), 7u);
  std::set<std::string> assemblies;
  for (const TypeRow& type : snapshot.types()) {
    assemblies.insert(type.assembly);
    EXPECT_EQ(type.name.find("(Bytes"), std::string::npos) << type.name;
  }
  EXPECT_TRUE(assemblies.contains("growth.dll"));
  EXPECT_FALSE(assemblies.contains(""));
}

std::map<RootKind, int> rootsByKind(const Snapshot& snapshot) {
  std::map<RootKind, int> kinds;
  for (const RootRow& root : snapshot.roots().roots) ++kinds[root.kind];
  return kinds;
}

TEST(GcDump, TellsWhatRootsAre) {
  const Snapshot snapshot = openGcDump("growth-10");
  std::map<std::string, RootKind> expected{{"[strong Handles]", RootKind::StrongHandle},
                                           {"[pinning Handles]", RootKind::PinnedHandle},
                                           {"[finalizer Handles]", RootKind::FinalizerReady},
                                           {"[local vars]", RootKind::Stack}};
  const Graph graph("growth-10");
  std::map<RootKind, int> counts;
  for (std::uint32_t i = 0; i < graph.nodes.nodeCount(); ++i) {
    if (graph.nodes.addressOf[i]) continue;
    const std::string& name = graph.nodes.types[graph.nodes.typeOf[i]].name;
    const RootKind kind = name.starts_with("[static var ") ? RootKind::Static
                          : expected.contains(name)        ? expected.at(name)
                                                           : RootKind::Other;
    for (const std::uint32_t child : graph.nodes.childrenOf(i))
      if (graph.nodes.addressOf[child]) ++counts[kind];
  }
  EXPECT_EQ(rootsByKind(snapshot), counts);
  EXPECT_EQ(counts.count(RootKind::Other), 0u);
  EXPECT_TRUE(std::ranges::any_of(snapshot.roots().roots, [](const RootRow& root) {
    return root.kind == RootKind::Static &&
           root.name == "static sessions (System.Collections.Generic.List<Growth.Session>)";
  }));
}

TEST(GcDump, TellsWhyAnObjectIsAlive) {
  const Snapshot snapshot = openGcDump("growth-10");
  const TypeId session = findType(snapshot, "Growth.Session");
  ObjectFilter filter;
  filter.type = session;
  const auto objects = listObjects(snapshot, filter, 500, 1);
  ASSERT_EQ(objects.size(), 1u);
  const auto paths = pathsToRoots(snapshot, objects.front().address, {}, nullptr, {});
  ASSERT_TRUE(paths);
  ASSERT_FALSE(paths->paths.empty());
  const RootPath& path = paths->paths.front();
  EXPECT_EQ(path.expression, "sessions (System.Collections.Generic.List<Growth.Session>)…");
  ASSERT_EQ(path.steps.size(), 3u);
  EXPECT_EQ(snapshot.typeName(path.steps[0].type), "System.Collections.Generic.List<Growth.Session>");
  EXPECT_EQ(snapshot.typeName(path.steps[1].type), "Growth.Session[]");
  EXPECT_EQ(path.steps[2].object, objects.front().address);
  for (const PathStep& step : path.steps) EXPECT_EQ(step.via, "");
}

TEST(GcDump, AnswersQueriesAboutWhatItHas) {
  const Snapshot snapshot = openGcDump("growth-10");
  const auto found = [&](const std::string& text) {
    ObjectSearch search;
    search.query = *makeQuery(text, objectSchema());
    return findObjects(snapshot, search, nullptr, {});
  };
  EXPECT_EQ(found("type = \"Growth.Session\" and heldBy = \"Growth.Session[]\"")->objects, 1000u);
  EXPECT_EQ(found("assembly = \"growth.dll\" and retained > 100KB")->objects, 1u);
  for (const char* query :
       {"gen = gen2", "length > 3", "text ~ \"plan\"", "pinned = true", "field(\"Id\") = 3", "value ~ 1"}) {
    const auto answer = found(query);
    ASSERT_FALSE(answer) << query;
    EXPECT_EQ(answer.error().error().code, ErrorCode::NotInDump) << query;
    EXPECT_TRUE(answer.error().error().what.starts_with("A .gcdump file does not tell ")) << query;
  }
}

TEST(GcDump, SaysWhatItLacks) {
  const Snapshot snapshot = openGcDump("growth-10");
  EXPECT_FALSE(lackOf(snapshot, HeapUse::Graph));
  EXPECT_FALSE(lackOf(snapshot, HeapUse::Any));
  for (const HeapUse use : {HeapUse::Memory, HeapUse::Optional}) {
    const auto lack = lackOf(snapshot, use);
    ASSERT_TRUE(lack);
    EXPECT_EQ(lack->help, "A dump of the process has them: heapscape-cli capture PID.");
  }
  ASSERT_EQ(snapshot.summary().missing.size(), 1u);
}

TEST(GcDump, OfASampleSaysSo) {
  GcDump dump;
  dump.graph =
      graphOfNodes({{"[.NET Roots]", ""}, {"A", ""}}, {{.children = {1}}, {.type = 1, .size = 24, .address = 0x1000}});
  dump.facts.countMultiplier = 12.5;
  TemporaryFolder folder;
  const std::filesystem::path path = folder / "sample.gcdump";
  writeFile(path, writtenFile(dump));
  const Snapshot snapshot = openSnapshot(path, Stage::Retained);
  ASSERT_EQ(snapshot.findings().size(), 1u);
  EXPECT_NE(snapshot.findings().front().message.find("one object of 12.5"), std::string::npos);
  // What no known node leads to is held by roots of no known kind.
  ASSERT_EQ(snapshot.roots().roots.size(), 1u);
  EXPECT_EQ(snapshot.roots().roots.front().kind, RootKind::Other);
}

TEST(NamesInGcDumps, LeaveOutTheTypesAround) {
  EXPECT_EQ(nameInGcDump("System.String[]"), "System.String[]");
  EXPECT_EQ(nameInGcDump("System.IO.Stream+NullStream"), "NullStream");
  EXPECT_EQ(nameInGcDump("A.B<C.D, E>+F[]"), "F<C.D, E>[]");
  EXPECT_EQ(nameInGcDump("A.B<C+D>+F<G>"), "F<C+D, G>");
  EXPECT_EQ(nameInGcDump("Shop.Cart+<>c__DisplayClass6_0"), "<>c__DisplayClass6_0");
  EXPECT_EQ(nameInGcDump("Shop.Cart+<Main>d__0<System.Int32>"), "<Main>d__0<System.Int32>");
}

TEST(GcDump, IsComparedWithADumpOfTheProgram) {
  const Snapshot before = openGcDump("growth-10");
  const Snapshot after = openSnapshot(dumpPath("growth/after-10"), Stage::Retained);
  const auto comparison = compareSnapshots(before, after, {}, nullptr, {});
  ASSERT_TRUE(comparison);
  std::map<std::string, const TypeChange*> changes;
  for (const TypeChange& change : comparison->types) changes[change.name] = &change;
  const TypeChange& sessions = *changes.at("Growth.Session");
  EXPECT_EQ(sessions.count.before, 1000u);
  EXPECT_EQ(sessions.count.after, countOfType(after, "Growth.Session"));
  // Nested: the file has the short name alone.
  const TypeChange& nested = *changes.at("System.Collections.Generic.Dictionary<System.String, System.Object>+Entry[]");
  EXPECT_EQ(nested.count.before, 1u);
  EXPECT_GT(nested.count.after, 0u);
  EXPECT_FALSE(changes.contains("Entry<System.String, System.Object>[]"));
  for (const FigureChange& figure : comparison->figures) {
    EXPECT_EQ(figure.group, "Heap");
    EXPECT_EQ(figure.name.find("free"), std::string::npos) << figure.name;
  }
  for (const InsightChange& insight : comparison->insights) EXPECT_EQ(insight.kind, InsightKind::Suspect);
}

}  // namespace
}  // namespace heapscape::test
