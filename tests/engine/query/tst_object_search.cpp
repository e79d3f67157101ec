// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "metadata/names/parsed_type_name.h"
#include "query/objects/object_search.h"
#include "query/rows/type_queries.h"
#include "session/details/object_details.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

FoundObjects found(const Snapshot& snapshot, const std::string& text, ObjectSearch search = {}) {
  auto query = makeQuery(text, objectSchema());
  if (!query) throw std::runtime_error(query.error().message());
  search.query = std::move(*query);
  auto answer = findObjects(snapshot, search, nullptr, {});
  if (!answer) throw std::runtime_error(answer.error().isCancelled() ? "cancelled" : answer.error().error().message());
  return std::move(*answer);
}

/// One object as somebody would look at it who has all the time of the world.
struct Seen {
  const Snapshot& snapshot;
  ObjectRow row;
  std::string type;
  const TypeRow& typeRow() const { return snapshot.types()[row.type.value]; }
  ObjectDetails details() const {
    DetailLimits limits;
    limits.elements = 0;
    limits.preview = 100'000;
    return objectDetails(snapshot, row.address, limits).value();
  }
  StringDetails string() const {
    const Contents& contents = snapshot.contents();
    return readStringDetails(contents.readers->runtime, *contents.heap, row.address, 100'000);
  }
  std::optional<Value> field(const std::string& name) const {
    for (const FieldValue& each : details().fields) {
      if (each.name == name || each.name == "<" + name + ">k__BackingField") return each.value;
    }
    return std::nullopt;
  }
  RetainedRow retained() const { return *retainedOf(snapshot, row.address); }
};

using Wanted = std::function<bool(const Seen&)>;

std::vector<std::uint32_t> naive(const Snapshot& snapshot, const Wanted& test) {
  std::vector<std::uint32_t> ids;
  forEachObject(snapshot, {}, [&](const ObjectRow& row) {
    const TypeRow& type = snapshot.types()[row.type.value];
    if (!type.isFree && test({snapshot, row, type.name})) ids.push_back(row.id.value);
    return true;
  });
  return ids;
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

class ObjectSearchOn : public testing::TestWithParam<const char*> {
 protected:
  const Snapshot& snapshot() const { return retainedDump(GetParam()); }
  void expectSame(const std::string& text, const Wanted& test) const {
    const FoundObjects answer = found(snapshot(), text);
    const std::vector<std::uint32_t> expected = naive(snapshot(), test);
    EXPECT_EQ(answer.ids, expected) << text;
    EXPECT_EQ(answer.objects, expected.size()) << text;
    EXPECT_FALSE(expected.empty()) << text << " is no test";
    std::uint64_t bytes = 0;
    for (const std::uint32_t id : expected)
      bytes += objectAt(snapshot(), snapshot().contents().heap->index.addressOf({id}))->alignedBytes;
    EXPECT_EQ(answer.bytes, bytes) << text;
  }
};

TEST_P(ObjectSearchOn, typesSizesAndPlacesEqualANaiveLoop) {
  expectSame("type ~ \"Order\" and gen = 2",
             [](const Seen& o) { return holds(o.type, "Order") && o.row.generation == Generation::Gen2; });
  expectSame("size > 1KB or (gen in (0, 1, large) and not type = System.String)", [](const Seen& o) {
    const bool isYoung = o.row.generation == Generation::Gen0 || o.row.generation == Generation::Gen1 ||
                         o.row.generation == Generation::Large;
    return o.row.sizeBytes > 1024 || (isYoung && o.type != "System.String");
  });
  expectSame("assembly = catalog.dll and bytes >= 96",
             [](const Seen& o) { return o.typeRow().assembly == "catalog.dll" && o.row.alignedBytes >= 96; });
  expectSame("type = 'System.Collections.Generic.List`1[[Catalog.OrderLine, catalog]]'",
             [](const Seen& o) { return o.type == "System.Collections.Generic.List<Catalog.OrderLine>"; });
  expectSame("Catalog.Or", [](const Seen& o) { return holds(o.type, "Catalog.Or"); });
  expectSame("namespace = Catalog and not type ~ /Line/",
             [](const Seen& o) { return namespaceOf(o.type) == "Catalog" && !holds(o.type, "Line"); });
}

TEST_P(ObjectSearchOn, whatIsRetainedAndHeldEqualsANaiveLoop) {
  expectSame("retained >= 4 KB and reachable", [](const Seen& o) { return o.retained().retainedBytes >= 4096; });
  expectSame("garbage = true", [](const Seen& o) { return o.retained().isGarbage; });
  expectSame("not reachable", [](const Seen& o) { return !o.retained().isReachable; });
  expectSame("heldBy ~ \"Catalog.Cache<\" and retainedObjects > 1", [](const Seen& o) {
    const RetainedRow row = o.retained();
    if (!row.dominator || row.retainedCount < 2) return false;
    return holds(o.snapshot.types()[objectAt(o.snapshot, row.dominator)->type.value].name, "Catalog.Cache<");
  });
  expectSame("heldBy = null and size > 500",
             [](const Seen& o) { return !o.retained().dominator && o.row.sizeBytes > 500; });
}

TEST_P(ObjectSearchOn, fieldsEqualWhatDetailsTell) {
  expectSame("field(\"Gift\") = true",
             [](const Seen& o) { return o.type == "Catalog.Order" && o.field("Gift")->text == "true"; });
  expectSame("type = Catalog.Order and field(\"State\") = Paid and field(\"Shipped\") = null", [](const Seen& o) {
    return o.type == "Catalog.Order" && o.field("State")->text == "Paid" && o.field("Shipped")->kind == ValueKind::Null;
  });
  expectSame("type = Catalog.Customer and field(\"Id\") < 100 and field(\"ReferredBy\") != null", [](const Seen& o) {
    return o.type == "Catalog.Customer" && std::stoi(o.field("Id")->text) < 100 &&
           o.field("ReferredBy")->kind == ValueKind::Reference;
  });
  expectSame("type = Catalog.Order and field(\"Customer.Name\") = \"Customer 7\"", [](const Seen& o) {
    if (o.type != "Catalog.Order") return false;
    const Seen customer{o.snapshot, *objectAt(o.snapshot, o.field("Customer")->object), {}};
    return customer.field("Name")->text == "\"Customer 7\"";
  });
  expectSame("type = Catalog.Customer and field(\"Created\") >= \"2024-03-20\"",
             [](const Seen& o) { return o.type == "Catalog.Customer" && o.field("Created")->text >= "2024-03-20"; });
}

TEST_P(ObjectSearchOn, stringsAndCollectionsEqualWhatDetailsTell) {
  expectSame("text ~ \"HTTPS://shop\" and length > 20", [](const Seen& o) {
    return o.type == "System.String" && o.string().length > 20 && holds(o.string().text, "https://shop");
  });
  expectSame("text = \"Customer 7\"",
             [](const Seen& o) { return o.type == "System.String" && o.string().text == "Customer 7"; });
  expectSame("type ~ \"List<Catalog.\" and count > 3", [](const Seen& o) {
    if (!holds(o.type, "List<Catalog.")) return false;
    const ObjectDetails details = o.details();
    return details.collection ? details.collection->count > 3 : details.array && details.array->count > 3;
  });
}

INSTANTIATE_TEST_SUITE_P(Dumps, ObjectSearchOn, testing::Values("shop-8", "shop-9", "shop-10-server"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(ObjectSearch, referrersAreOtherObjectsEachOnce) {
  const Snapshot& snapshot = retainedDump("shop-10");
  std::vector<std::set<std::uint32_t>> referrers(snapshot.contents().heap->index.objectCount());
  const ReferenceGraph& graph = *snapshot.contents().graph;
  for (std::uint32_t from = 0; from < graph.objectCount(); ++from) {
    for (std::uint32_t i = graph.rows[from]; i < graph.rows[from + 1]; ++i) {
      if (graph.targets[i] != from) referrers[graph.targets[i]].insert(from);
    }
  }
  const FoundObjects answer = found(snapshot, "referrers > 2");
  EXPECT_EQ(answer.ids, naive(snapshot, [&](const Seen& o) { return referrers[o.row.id.value].size() > 2; }));
  const FoundObjects busy = found(snapshot, "references > 100");
  EXPECT_EQ(busy.ids, naive(snapshot, [&](const Seen& o) {
              return graph.rows[o.row.id.value + 1] - graph.rows[o.row.id.value] > 100;
            }));
}

TEST(ObjectSearch, countAndLengthEndAPath) {
  const Snapshot& snapshot = retainedDump("shop-10-server");
  // A dictionary has a field _count, which counts its free entries, too.
  for (const char* counted : {"Count", "Length"}) {
    const auto byPath = found(snapshot, std::string("field(\"") + counted + "\") > 2").ids;
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t id : found(snapshot, counted == std::string("Count") ? "count > 2" : "length > 2").ids) {
      const TypeId type = objectAt(snapshot, snapshot.contents().heap->index.addressOf({id}))->type;
      const bool hasComponents = snapshot.types()[type.value].componentSize != 0;
      if (hasComponents == (counted == std::string("Length"))) expected.push_back(id);
    }
    EXPECT_FALSE(expected.empty());
    for (const std::uint32_t id : expected) EXPECT_TRUE(std::ranges::binary_search(byPath, id)) << counted;
  }
  const auto orders = found(snapshot, "type = Catalog.Order and field(\"Lines.Count\") >= 0").objects;
  EXPECT_EQ(orders, found(snapshot, "type = Catalog.Order and field(\"Lines\") != null").objects);
  EXPECT_EQ(found(snapshot, "type = Catalog.Customer and field(\"Name.Length\") = 10").objects,
            found(snapshot, "type = Catalog.Customer and field(\"Name\") ~ /^.{10}$/").objects);
}

TEST(ObjectSearch, saysWhichFieldsNoTypeHas) {
  const Snapshot& snapshot = retainedDump("shop-10-server");
  const FoundObjects none = found(snapshot, "field(\"Nmae\") = 1 or field(\"Name\") = x");
  EXPECT_EQ(none.unknownFields, std::vector<std::string>{"Nmae"});
}

TEST(ObjectSearch, anOwnerIsTheNearestTypeOfTheProgram) {
  const Snapshot& snapshot = retainedDump("shop-10");
  // The lines of an order lie in the array of its list.
  const FoundObjects lines = found(snapshot, "type = Catalog.OrderLine and owner = Catalog.Order");
  EXPECT_EQ(lines.objects, found(snapshot, "type = Catalog.OrderLine").objects);
  EXPECT_EQ(found(snapshot, "type = Catalog.OrderLine and heldBy = \"Catalog.OrderLine[]\"").objects, lines.objects);
}

TEST(ObjectSearch, sortsAllAndShowsTheFirst) {
  const Snapshot& snapshot = retainedDump("shop-10");
  ObjectSearch search;
  search.limit = 50;
  search.columns = {referenceTo(ObjectField::Retained), referenceTo(ObjectField::Type)};
  for (const ObjectField field : {ObjectField::Retained, ObjectField::Size, ObjectField::Type, ObjectField::Gen}) {
    for (const bool descending : {true, false}) {
      search.sortBy = referenceTo(field);
      search.descending = descending;
      search.columns = {referenceTo(field)};
      const FoundObjects some = found(snapshot, "namespace = Catalog", search);
      ObjectSearch all = search;
      all.limit = SIZE_MAX;
      const FoundObjects every = found(snapshot, "namespace = Catalog", all);
      ASSERT_EQ(some.rows.size(), 50u);
      ASSERT_EQ(every.rows.size(), some.objects);
      for (std::size_t i = 1; i < every.rows.size(); ++i) {
        const auto& [before, after] = std::pair(every.rows[i - 1], every.rows[i]);
        const bool isWrong =
            descending ? isBefore(before.columns[0], after.columns[0]) : isBefore(after.columns[0], before.columns[0]);
        // gen2 stands before large as numbers, and after it as texts.
        if (field != ObjectField::Gen) {
          EXPECT_FALSE(isWrong);
        }
        if (before.columns[0] == after.columns[0]) {
          EXPECT_LT(before.row.address, after.row.address);
        }
      }
      for (std::size_t i = 0; i < some.rows.size(); ++i) EXPECT_EQ(some.rows[i].row.address, every.rows[i].row.address);
    }
  }
}

TEST(ObjectSearch, sortsByWhatFieldsHoldWithTheRestBehind) {
  const Snapshot& snapshot = retainedDump("shop-10");
  ObjectSearch search;
  search.sortBy = QueryFieldReference{QueryFieldReference::kObjectField, "Rating"};
  search.columns = {*search.sortBy};
  const FoundObjects products = found(snapshot, "type = Catalog.Product", search);
  ASSERT_GT(products.rows.size(), 100u);
  EXPECT_TRUE(products.rows.front().columns[0].isThere());
  EXPECT_FALSE(products.rows.back().columns[0].isThere());
  EXPECT_GT(*products.rows[0].columns[0].number, *products.rows[1].columns[0].number);
}

TEST(ObjectSearch, groupsAddUpToAllObjects) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const FoundObjects all = found(snapshot, "");
  std::uint64_t alive = 0;
  forEachObject(snapshot, {}, [&](const ObjectRow& row) {
    alive += !snapshot.types()[row.type.value].isFree;
    return true;
  });
  EXPECT_EQ(all.objects, alive);
  for (const char* field : {"type", "gen", "assembly", "heldBy", "owner", "length", "size", "segment", "reachable",
                            "count", "field(\"Name\")"}) {
    const auto reference = parseQueryField(field, objectSchema());
    const auto [groups, groupOf, kept] = groupObjects(snapshot, all.ids, *reference, nullptr, {}).value();
    std::uint64_t objects = 0;
    std::uint64_t bytes = 0;
    for (const ObjectGroup& group : groups) {
      objects += group.objects;
      bytes += group.bytes;
    }
    // Each object is in the group that has its value, and the figures are those of the group's objects.
    std::vector<std::uint64_t> counted(groups.size());
    ObjectSearch each;
    each.columns = {*reference};
    const auto told = describeObjects(snapshot, each, all.ids, {}).value();
    ASSERT_EQ(groupOf.size(), told.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
      ++counted[groupOf[i]];
      ASSERT_EQ(toString(groups[groupOf[i]].value.get()), toString(told[i].columns.front())) << field;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) EXPECT_EQ(counted[i], groups[i].objects) << field;
    EXPECT_EQ(objects, all.objects) << field;
    EXPECT_EQ(bytes, all.bytes) << field;
  }
  const ObjectGroups byType = groupObjects(snapshot, all.ids, referenceTo(ObjectField::Type), nullptr, {}).value();
  const auto strings = std::ranges::find(byType.groups, QueryValue::ofText("System.String"),
                                         [](const ObjectGroup& group) { return group.value.get(); });
  ASSERT_NE(strings, byType.groups.end());
  EXPECT_EQ(strings->objects, snapshot.typeCounts().count[findType(snapshot, "System.String").value]);
}

TEST(ObjectSearch, retainedTogetherIsThatOfTheSet) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const FoundObjects orders = found(snapshot, "type = Catalog.Order");
  const auto together = retainedWith(snapshot, orders.ids, nullptr, {}).value();
  const auto expected = retainedOfSet(snapshot, {{}, {findType(snapshot, "Catalog.Order")}}, nullptr, {}).value();
  EXPECT_EQ(together.retained.bytes, expected.retained.bytes);
  EXPECT_EQ(together.retained.objects, expected.retained.objects);
  EXPECT_GT(together.retained.bytes, orders.bytes);
}

TEST(ObjectSearch, gapsAreLeftOutUnlessNamed) {
  const Snapshot& snapshot = retainedDump("shop-10");
  EXPECT_EQ(found(snapshot, "free = true").objects, snapshot.totals().freeObjects);
  EXPECT_EQ(found(snapshot, "free = true").bytes, snapshot.totals().freeBytes);
  EXPECT_EQ(found(snapshot, "type = Free").objects, 0u);
}

TEST(ObjectSearch, scopeAndTypeNarrowIt) {
  const Snapshot& snapshot = retainedDump("shop-10");
  ObjectSearch search;
  search.scope.generation = Generation::Gen2;
  search.scope.minimumBytes = 100;
  search.methodTable = snapshot.types()[findType(snapshot, "System.String").value].methodTable;
  const FoundObjects answer = found(snapshot, "", search);
  EXPECT_EQ(answer.ids, naive(snapshot, [](const Seen& o) {
              return o.type == "System.String" && o.row.generation == Generation::Gen2 && o.row.sizeBytes >= 100;
            }));
  search.methodTable = {0x1234};
  EXPECT_EQ(found(snapshot, "", search).objects, 0u);
}

TEST(ObjectSearch, beforeRetainedSizesItSaysSo) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"), Stage::Layouts);
  EXPECT_GT(found(snapshot, "type ~ Order and size > 20").objects, 0u);
  try {
    found(snapshot, "retained > 3");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(holds(error.what(), "retained is not known yet")) << error.what();
  }
}

TEST(ObjectSearch, stopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  ObjectSearch search;
  const auto answer = findObjects(retainedDump("shop-10"), search, nullptr, source.get_token());
  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().isCancelled());
}

// However a name is written, it is compared in the runtime's form, which names of types have already.
TEST(ObjectSearch, everyTypeIsFoundByItsName) {
  for (const char* dump : {"shop-8", "exhibits-10", "lookups-10"}) {
    for (const TypeRow& type : openedDump(dump).types()) EXPECT_EQ(runtimeTypeName(type.name), type.name) << dump;
  }
}

TEST(TypeQuery, typesEqualANaiveLoop) {
  const Snapshot& snapshot = retainedDump("shop-10");
  TypeQuery query;
  query.text = "count > 100 and type ~ Catalog and average < 100";
  const auto selection = queryTypes(snapshot, snapshot.typeCounts(), query, {}).value();
  std::uint64_t objects = 0;
  std::size_t types = 0;
  for (std::size_t i = 0; i < snapshot.types().size(); ++i) {
    const std::uint64_t count = snapshot.typeCounts().count[i];
    if (count <= 100 || !holds(snapshot.types()[i].name, "Catalog")) continue;
    if (snapshot.typeCounts().bytes[i] / count >= 100) continue;
    objects += count;
    ++types;
  }
  EXPECT_EQ(selection.types.size(), types);
  EXPECT_EQ(selection.objects, objects);
  EXPECT_GT(types, 3u);
  query.text = "order";
  EXPECT_EQ(queryTypes(snapshot, snapshot.typeCounts(), query, {})->types,
            selectTypes(snapshot, snapshot.typeCounts(), query, {})->types);
  query.text = "count > many";
  const auto wrong = queryTypes(snapshot, snapshot.typeCounts(), query, {});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().error().code, ErrorCode::BadQuery);
}

}  // namespace
}  // namespace heapscape::engine
