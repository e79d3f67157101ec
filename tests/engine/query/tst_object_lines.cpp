// SPDX-License-Identifier: MIT
// What objects hold on one line, and sets of objects that queries know by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <span>

#include "base/figures.h"
#include "base/unicode.h"
#include "query/objects/key_order.h"
#include "query/objects/object_search.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::size_t kLongestLine = 203;  // with the sign of what is left out

FoundObjects search(const Snapshot& snapshot, const std::string& text, ObjectSearch search = {}) {
  search.query = makeQuery(text, objectSchema()).value();
  return findObjects(snapshot, search, nullptr, {}).value();
}

/// The value of each object, by its address.
std::map<Address, QueryValue> linesOf(const Snapshot& snapshot, const std::string& text) {
  ObjectSearch all;
  all.limit = SIZE_MAX;
  all.columns = {referenceTo(ObjectField::Value)};
  std::map<Address, QueryValue> lines;
  for (const FoundObject& object : search(snapshot, text, all).rows)
    lines.emplace(object.row.address, object.columns.front());
  return lines;
}

std::string lineOf(const Snapshot& snapshot, const std::string& text) {
  const auto lines = linesOf(snapshot, text);
  if (lines.empty()) throw std::runtime_error("nothing fits " + text);
  return toString(lines.begin()->second);
}

/// What the line has to begin with, as somebody would say it who looks at all there is to know of the object.
std::string expectedStart(const ObjectDetails& details) {
  if (details.exception)
    return details.exception->message.empty() ? "" : "\"" + details.exception->message.substr(0, 40);
  if (!details.delegate.empty()) return details.delegate.front().method.substr(0, 150);
  if (details.boxed) return details.boxed->value.text.substr(0, 60);
  if (details.array) return details.array->count == 0 ? "empty" : countOf(details.array->count, "item");
  // What a WeakReference refers to, or a RuntimeType stands for, is told as a value, not as an item.
  if (details.collection && details.collection->isHolder && details.collection->state.empty() &&
      !details.collection->items.empty())
    return details.collection->items.front().value.text.substr(0, 60);
  if (details.collection && !details.collection->isHolder && details.collection->damage.empty())
    return details.collection->count == 0 ? "empty" : countOf(details.collection->count, "item");
  return {};
}

class ObjectLinesOn : public testing::TestWithParam<const char*> {};

constexpr std::size_t kLinesPerComparison = 3;  // neighbours on the heap are often alike

TEST_P(ObjectLinesOn, sayWhatDetailsTell) {
  const Snapshot& snapshot = retainedDump(GetParam());
  const auto lines = linesOf(snapshot, "");
  ASSERT_EQ(lines.size(), snapshot.totals().objects - snapshot.totals().freeObjects);
  DetailLimits limits;
  limits.elements = 0;
  std::size_t compared = 0;
  std::size_t seen = 0;
  for (const auto& [address, value] : lines) {
    if (seen++ % kLinesPerComparison != 0) continue;
    const std::string line = toString(value);
    ASSERT_LE(line.size(), kLongestLine) << toString(address);
    ASSERT_TRUE(toUtf16(line)) << toString(address);
    ASSERT_EQ(line.find('\n'), std::string::npos) << toString(address);
    const auto details = objectDetails(snapshot, address, limits);
    ASSERT_TRUE(details) << toString(address);
    if (details->string) {
      // What is in the line are characters of the string.
      const std::string characters = line.substr(1, line.find_first_of("\\\"…", 1) - 1);
      EXPECT_TRUE(details->string->text.starts_with(characters)) << line;
      ++compared;
      continue;
    }
    const std::string start = expectedStart(*details);
    if (start.empty()) continue;
    EXPECT_TRUE(line.starts_with(start)) << details->typeName << "\n" << line << "\n" << start;
    ++compared;
  }
  EXPECT_GT(compared, lines.size() / (3 * kLinesPerComparison));
}

INSTANTIATE_TEST_SUITE_P(Dumps, ObjectLinesOn,
                         testing::Values("shop-8", "shop-10", "shop-11", "flaws-10", "flaws-11", "exhibits-10",
                                         "exhibits-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST(ObjectLines, haveTheFirstFieldsOfAnObjectAndTheFirstItemsOfACollection) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const std::string customer = lineOf(snapshot, "type = Catalog.Customer and field(\"Id\") = 7");
  EXPECT_NE(customer.find("Id = 7"), std::string::npos) << customer;
  EXPECT_NE(customer.find("Name = \"Customer 7\""), std::string::npos) << customer;
  EXPECT_EQ(customer.find("k__BackingField"), std::string::npos) << customer;
  const std::string lines =
      lineOf(snapshot, "type = \"System.Collections.Generic.List<Catalog.OrderLine>\" and count > 3");
  EXPECT_NE(lines.find(" items: OrderLine, OrderLine, OrderLine, …"), std::string::npos) << lines;
}

TEST(ObjectLines, areSortedAndFilteredInTheEngine) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const auto lines = linesOf(snapshot, "");
  const FoundObjects found = search(snapshot, "value ~ \"Customer 7\"");
  std::vector<Address> expected;
  for (const auto& [address, value] : lines) {
    if (value.isThere() && value.text->find("Customer 7") != std::string::npos) expected.push_back(address);
  }
  ASSERT_GT(expected.size(), 1u);
  std::vector<Address> addresses;
  for (const std::uint32_t id : found.ids) addresses.push_back(addressOfObject(snapshot, id));
  EXPECT_EQ(addresses, expected);
  ObjectSearch sorted;
  sorted.limit = SIZE_MAX;
  sorted.sortBy = referenceTo(ObjectField::Value);
  sorted.columns = {*sorted.sortBy};
  for (const bool descending : {false, true}) {
    sorted.descending = descending;
    const FoundObjects all = search(snapshot, "", sorted);
    ASSERT_EQ(all.rows.size(), lines.size());
    for (std::size_t i = 1; i < all.rows.size(); ++i) {
      const auto& [before, after] = std::pair(all.rows[i - 1], all.rows[i]);
      const QueryValue &left = before.columns[0], &right = after.columns[0];
      if (!right.isThere()) continue;
      ASSERT_TRUE(left.isThere());
      ASSERT_FALSE(descending ? isBefore(left, right) : isBefore(right, left)) << toString(left) << toString(right);
      if (left == right) {
        ASSERT_LT(before.row.address, after.row.address);
      }
    }
  }
}

TEST(ObjectLines, ofWhichOnlyTheFirstAreWantedAreTheFirstOfAll) {
  const Snapshot& snapshot = retainedDump("shop-10");
  ObjectSearch sorted;
  for (const char* field : {"value", "field(\"Name\")", "field(\"Id\")"}) {
    const auto query = makeQuery(std::string(field) + " = 1", objectSchema());
    sorted.sortBy = fieldsOf(query.value()).front();
    for (const bool descending : {false, true}) {
      sorted.descending = descending;
      sorted.limit = SIZE_MAX;
      const std::vector<std::uint32_t> all = search(snapshot, "", sorted).order;
      for (const std::size_t limit : {std::size_t{1}, std::size_t{300}, all.size() - 1}) {
        sorted.limit = limit;
        EXPECT_TRUE(std::ranges::equal(search(snapshot, "", sorted).order, std::span(all).first(limit)))
            << field << limit;
      }
    }
  }
}

TEST(ObjectLines, columnsThatNeedRetainedSizesAreAbsentBeforeThese) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"), Stage::Layouts);
  ObjectSearch early;
  early.limit = 10;
  early.columns = {referenceTo(ObjectField::Owner), referenceTo(ObjectField::Assembly)};
  const FoundObjects found = search(snapshot, "type = Catalog.Order", early);
  ASSERT_EQ(found.rows.size(), 10u);
  EXPECT_FALSE(found.rows[0].columns[0].isThere());
  EXPECT_EQ(found.rows[0].columns[1], QueryValue::ofText("catalog.dll"));
}

TEST(SortKeys, areOrderedAsTheirValues) {
  const auto number = [](long double each) { return QueryValue{.state = QueryValue::State::There, .number = each}; };
  std::vector<QueryValue> values{{},
                                 QueryValue::ofNull(),
                                 QueryValue::ofFlag(false),
                                 QueryValue::ofFlag(true),
                                 QueryValue::ofNumber(0),
                                 QueryValue::ofNumber(UINT64_MAX),
                                 number(std::numeric_limits<long double>::quiet_NaN()),
                                 number(-std::numeric_limits<long double>::infinity()),
                                 number(std::numeric_limits<long double>::infinity()),
                                 QueryValue::ofText(""),
                                 QueryValue::ofText(std::string(1, '\0')),
                                 QueryValue::ofText("seventh"),
                                 QueryValue::ofText("seventh one"),
                                 QueryValue::ofText("\xff")};
  for (const long double each : {-0.0L, 1e-300L, -1e-300L, 1.5L, -1.5L, -2.0L, 9223372036854775807.0L, -1.0L, 1e30L})
    values.push_back(number(each));
  for (const char* text : {"a", "b", "ab", "Customer 7", "Customer 70", "Customer 8"})
    values.push_back(QueryValue::ofText(text));
  SortKeys maker;
  std::vector<SortKey> keys;
  for (const QueryValue& value : values) keys.push_back(maker.keyOf(value));
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(keys[i].isThere(), values[i].isThere()) << i;
    for (std::size_t j = 0; j < values.size(); ++j)
      EXPECT_EQ(isBefore(keys[i], keys[j]), isBefore(values[i], values[j]))
          << toString(values[i]) << " " << toString(values[j]);
  }
}

TEST(SortKeys, putManyInOrderPartByPart) {
  std::mt19937 random(7);
  SortKeys maker;
  std::vector<QueryValue> values;
  std::vector<KeyedPlace> keys;
  for (int i = 0; i < 100'000; ++i) {
    std::string text = "begins alike: ";
    text.append(random() % 30, 'a');
    text += static_cast<char>('a' + random() % 3);
    const std::uint64_t kind = random() % 10;
    values.push_back(kind == 0   ? QueryValue()
                     : kind == 1 ? QueryValue::ofNull()
                     : kind == 2 ? QueryValue::ofNumber(random() % 50)
                                 : QueryValue::ofText(std::move(text)));
    keys.emplace_back(maker.keyOf(values.back()));
  }
  for (const bool descending : {false, true}) {
    std::vector<std::uint32_t> expected(values.size());
    std::iota(expected.begin(), expected.end(), 0u);
    std::ranges::stable_sort(expected, [&](std::uint32_t left, std::uint32_t right) {
      if (values[left].isThere() != values[right].isThere()) return values[left].isThere();
      return descending ? isBefore(values[right], values[left]) : isBefore(values[left], values[right]);
    });
    for (const std::size_t limit : {std::size_t{0}, std::size_t{10}, std::size_t{60'000}, SIZE_MAX}) {
      const auto first = std::span(expected).first(std::min(limit, expected.size()));
      LargeArray<KeyedPlace> given(keys.size());
      std::ranges::copy(keys, given.data());
      EXPECT_TRUE(std::ranges::equal(placesInOrder(std::move(given), limit, descending, [](double) {}, {}), first))
          << descending << limit;
    }
  }
}

TEST(SortKeys, numbersAreInOrderWhateverTheirRangeAndTheirNumber) {
  std::mt19937_64 random(3);
  const auto make = [&](std::uint64_t mask, std::uint64_t base) {
    return [&random, mask, base](std::size_t) { return random() % 7 == 0 ? UINT64_MAX : base + (random() & mask); };
  };
  const std::vector<std::function<std::uint64_t(std::size_t)>> kinds{make(0, 5),
                                                                     make(1, 0),
                                                                     make(0xff, 1ull << 40),
                                                                     make(0xffffffff, 24),
                                                                     make(UINT64_MAX, 0),
                                                                     [](std::size_t) { return UINT64_MAX; },
                                                                     [](std::size_t i) { return 1'000'000 - i; }};
  for (const auto& kind : kinds) {
    for (const std::size_t count : {0, 1, 2, 1000, 100'000}) {
      LargeArray<std::uint64_t> numbers(count);
      for (std::size_t i = 0; i < count; ++i) numbers[i] = kind(i);
      std::vector<std::uint32_t> expected(count);
      std::iota(expected.begin(), expected.end(), 0u);
      std::ranges::stable_sort(expected, {}, [&](std::uint32_t place) { return numbers[place]; });
      for (const std::size_t limit :
           {std::size_t{0}, std::size_t{1}, std::size_t{700}, std::size_t{60'000}, SIZE_MAX}) {
        LargeArray<std::uint64_t> given(count);
        std::ranges::copy(numbers.elements(), given.data());
        const auto first = std::span(expected).first(std::min(limit, count));
        EXPECT_TRUE(std::ranges::equal(placesInOrder(std::move(given), limit, [](double) {}, {}), first))
            << count << ' ' << limit;
      }
    }
  }
}

TEST(ObjectSets, areKnownToQueriesByName) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const auto orders = search(snapshot, "type = Catalog.Order").ids;
  const auto large = search(snapshot, "size > 64").ids;
  auto sets = std::make_shared<ObjectSets>();
  sets->emplace("orders", std::make_shared<const std::vector<std::uint32_t>>(orders));
  sets->emplace("large ones", std::make_shared<const std::vector<std::uint32_t>>(large));
  ObjectSearch among;
  among.sets = sets;
  EXPECT_EQ(search(snapshot, "set = orders", among).ids, orders);
  EXPECT_EQ(search(snapshot, "set = \"large ones\"", among).ids, large);
  EXPECT_EQ(search(snapshot, "set = orders and set = \"large ones\"", among).ids,
            search(snapshot, "type = Catalog.Order and size > 64").ids);
  EXPECT_EQ(search(snapshot, "set != orders", among).ids, search(snapshot, "not type = Catalog.Order").ids);
  EXPECT_EQ(search(snapshot, "set in (orders, \"large ones\")", among).ids,
            search(snapshot, "type = Catalog.Order or size > 64").ids);
  EXPECT_EQ(search(snapshot, "set = null", among).ids, search(snapshot, "not (type = Catalog.Order or size > 64)").ids);
  EXPECT_EQ(search(snapshot, "set = nothing", among).objects, 0u);
  EXPECT_EQ(search(snapshot, "set = orders").objects, 0u);
}

TEST(ObjectSets, haveSizesOfTheirMembersEachOnce) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const TypeId orders = findType(snapshot, "Catalog.Order");
  const FoundObjects found = search(snapshot, "type = Catalog.Order or type = System.String");
  ObjectSet set{.objects = {}, .types = {orders, findType(snapshot, "System.String")}};
  for (const std::uint32_t id : found.ids) set.objects.push_back(addressOfObject(snapshot, id));
  set.objects.push_back(set.objects.front());
  set.objects.push_back({0x10});
  const Retained size = sizeOfSet(snapshot, set, {}).value();
  EXPECT_EQ(size.objects, found.objects);
  EXPECT_EQ(size.bytes, found.bytes);
  EXPECT_EQ(idsOfSet(snapshot, set, {}).value(), found.ids);
}

}  // namespace
}  // namespace heapscape::engine
