// SPDX-License-Identifier: MIT
// Paths as the programs' own sources would write them.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/open/retained_stage.h"
#include "session/references/path_expression.h"
#include "session/references/paths_query.h"
#include "support/exhibits.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;

const engine::Snapshot& retainedExhibits(const std::string& dump) {
  static std::map<std::string, engine::Snapshot> opened;
  const auto known = opened.find(dump);
  if (known != opened.end()) return known->second;
  opened.clear();
  auto seen = engine::addRetained(openedDump(dump), {.roots = {.includeStacks = false}, .byType = false}, nullptr, {});
  return opened.emplace(dump, *seen).first->second;
}

class PathExpression : public testing::TestWithParam<std::string> {
 protected:
  const engine::Snapshot& snapshot() const { return retainedExhibits(GetParam()); }

  std::string expressionOf(Address object) const {
    const auto list = engine::pathsToRoots(snapshot(), object, {.paths = 1}, nullptr, {});
    if (!list || list->paths.empty()) return "no path";
    return list->paths.front().expression;
  }
  /// Of the object that an item of a collection on show refers to.
  std::string expressionOfItem(const std::string& exhibit, std::uint64_t index, bool isKey = false) const {
    const auto items = engine::collectionItems(snapshot(), exhibitsOf(snapshot()).at(exhibit), index, 1);
    if (!items || items->empty()) return "no item";
    return expressionOf((isKey ? items->front().key : items->front().value).object);
  }
};

INSTANTIATE_TEST_SUITE_P(OfExhibits, PathExpression, testing::ValuesIn(exhibitDumps()),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(PathExpression, TellsItemsByPositionOrKey) {
  const std::map<std::pair<std::string, std::uint64_t>, std::string> expected{
      {{"listOfObjects", 3}, "listOfObjects[3]"},
      {{"listOfObjects", 1}, "listOfObjects[1]"},
      {{"dictionaryOfObjects", 1}, "dictionaryOfObjects[\"s\"]"},
      {{"stackOfObjects", 0}, "stackOfObjects.ElementAt(0)"},
      {{"queueOfObjects", 0}, "queueOfObjects.ElementAt(0)"},
  };
  for (const auto& [item, expression] : expected)
    EXPECT_EQ(expressionOfItem("Museum.Collections." + item.first, item.second), "Museum.Collections." + expression);
}

TEST(PathExpressionOfValues, FoldsTheStorageOfEveryCollection) {
  for (const char* dump : {"values-8", "values-10"}) {
    SCOPED_TRACE(dump);
    const engine::Snapshot& snapshot = retainedExhibits(dump);
    const auto exhibits = exhibitsOf(snapshot);
    const auto itemOf = [&](Address collection, std::uint64_t index) {
      return engine::collectionItems(snapshot, collection, index, 1).value().at(0).value.object;
    };
    const auto expectEnd = [&](const std::string& exhibit, std::uint64_t index, const std::string& end) {
      const Address object = itemOf(exhibits.at("Museum." + exhibit), index);
      const auto list = engine::pathsToRoots(snapshot, object, {.paths = 1}, nullptr, {});
      ASSERT_TRUE(list && !list->paths.empty()) << exhibit;
      const std::string& expression = list->paths.front().expression;
      EXPECT_TRUE(expression.ends_with("].content" + end)) << exhibit << ": " << expression;
    };
    expectEnd("Frozen.numbers", 0, "[7919]");
    expectEnd("Frozen.setTexts", 3, ".ElementAt(3)");
    expectEnd("Json.token", 3, "[\"empty\"]");
    expectEnd("Json.tokenArray", 4, "[4]");
    expectEnd("Json.seen", 2, "[\"tags\"]");
    expectEnd("Queues.lookup", 1, "['b']");
    expectEnd("Functional.listOfTexts", 2, "[2]");
    expectEnd("Functional.mapOfTexts", 3, "[\"key 4\"]");
  }
}

TEST_P(PathExpression, TellsKeysByPosition) {
  EXPECT_EQ(expressionOfItem("Museum.Collections.dictionaryByObject", 0, true),
            "Museum.Collections.dictionaryByObject.Keys.ElementAt(0)");
}

TEST_P(PathExpression, ThroughFieldsOfStructures) {
  const auto exhibits = exhibitsOf(snapshot());
  const auto details = engine::objectDetails(snapshot(), exhibits.at("Museum.Values.nested"));
  ASSERT_TRUE(details);
  std::map<std::string, std::string> found;
  for (const engine::FieldValue& field : details->fields) {
    if (field.name == "numbers" || field.name == "painting") found[field.name] = expressionOf(field.value.object);
  }
  EXPECT_EQ(found["numbers"], "Museum.Values.nested.numbers");
  EXPECT_EQ(found["painting"], "Museum.Values.nested.painting");
}

TEST_P(PathExpression, LeavesOutStringsWhenRedacted) {
  const auto items =
      engine::collectionItems(snapshot(), exhibitsOf(snapshot()).at("Museum.Collections.dictionaryOfObjects"), 0, 1);
  ASSERT_TRUE(items);
  const auto list = engine::pathsToRoots(snapshot(), items->front().value.object, {.paths = 1}, nullptr, {});
  ASSERT_TRUE(list);
  EXPECT_EQ(list->paths.front().expression, "Museum.Collections.dictionaryOfObjects[\"m\"]");
  EXPECT_EQ(list->paths.front().redactedExpression, "Museum.Collections.dictionaryOfObjects[\"…\"]");
}

TEST_P(PathExpression, NamesEveryStatic) {
  for (const engine::RootRow& root : snapshot().roots().roots) {
    if (root.kind != engine::RootKind::Static) continue;
    const std::string expression = engine::rootExpression(root).text;
    EXPECT_TRUE(root.name.starts_with("static ")) << root.name;
    EXPECT_FALSE(expression.empty() || expression.front() == '(') << root.name;
    EXPECT_EQ(expression.find("k__BackingField"), std::string::npos) << expression;
  }
}

engine::RootRow rootOf(engine::RootKind kind, const std::string& name, Address address = {}) {
  engine::RootRow root;
  root.kind = kind;
  root.name = name;
  root.address = address;
  root.object = Address{0x7f10};
  return root;
}

TEST(RootExpression, SaysWhatHoldsTheObject) {
  using enum engine::RootKind;
  const auto text = [](const engine::RootRow& root) { return engine::rootExpression(root).text; };
  EXPECT_EQ(text(rootOf(Static, "static Zoo.P.orders")), "Zoo.P.orders");
  EXPECT_EQ(text(rootOf(Static, "static Shop.Box<System.String>.<Default>k__BackingField")),
            "Shop.Box<System.String>.Default");
  EXPECT_EQ(text(rootOf(ThreadStatic, "thread 5: static Zoo.P.tls")), "(thread 5) Zoo.P.tls");
  EXPECT_EQ(text(rootOf(StrongHandle, "strong handle", Address{0x7f00})), "(strong handle 0x7f00)");
  EXPECT_EQ(text(rootOf(FinalizerReady, "ready to be finalized")), "(ready to be finalized)");
  EXPECT_EQ(text(rootOf(Given, "given")), "(0x7f10)");
  const engine::RootRow stack = rootOf(Stack, "thread 5 \"the, worker\": Zoo.P.Work, rsp+0x18", Address{0x7f00});
  EXPECT_EQ(text(stack), "(thread 5 \"the, worker\": Zoo.P.Work)");
  EXPECT_EQ(engine::rootExpression(stack).redacted, "(thread 5: Zoo.P.Work)");
  EXPECT_EQ(text(rootOf(Stack, "thread 5: Zoo.P.Work, order")), "(thread 5: Zoo.P.Work, order)");
}

engine::FoundItem itemOf(std::string_view kind, std::optional<std::uint64_t> ordinal) {
  engine::FoundItem item;
  item.kind = kind;
  item.ordinal = ordinal;
  return item;
}

engine::FoundItem keyed(engine::ValueKind kind, const std::string& text, const std::string& type) {
  engine::FoundItem item = itemOf("Dictionary", 4);
  item.hasKeys = true;
  item.key.kind = kind;
  item.key.text = text;
  item.keyType = type;
  return item;
}

TEST(ItemExpression, IsWhatCSharpWouldSay) {
  using enum engine::ValueKind;
  const auto text = [](const engine::FoundItem& item) { return engine::itemExpression(item).text; };
  EXPECT_EQ(text(itemOf("List", 42)), "[42]");
  EXPECT_EQ(text(itemOf("Queue", 42)), ".ElementAt(42)");
  EXPECT_EQ(text(itemOf("HashSet", std::nullopt)), ".ElementAt(…)");
  EXPECT_EQ(text(itemOf("PriorityQueue", 1)), ".UnorderedItems.ElementAt(1).Element");
  EXPECT_EQ(text(keyed(Integer, "7", "System.Int32")), "[7]");
  EXPECT_EQ(text(keyed(Enum, "South", "Museum.Wing")), "[Wing.South]");
  EXPECT_EQ(text(keyed(Enum, "Read | Write", "Museum.Access")), "[Access.Read | Access.Write]");
  EXPECT_EQ(text(keyed(Enum, "99", "Museum.Wing")), "[(Wing)99]");
  EXPECT_EQ(text(keyed(Struct, "", "Museum.Place")), ".ElementAt(4).Value");
  engine::FoundItem item = keyed(Reference, "\"key\"", "System.String");
  item.key.isString = true;
  item.key.objectType = "System.String";
  EXPECT_EQ(text(item), "[\"key\"]");
  EXPECT_EQ(engine::itemExpression(item).redacted, "[\"…\"]");
  item.isKey = true;
  EXPECT_EQ(text(item), ".Keys.ElementAt(4)");
}

}  // namespace
}  // namespace heapscape::test
