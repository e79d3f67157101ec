// SPDX-License-Identifier: MIT
// What is found out of millions of objects in a short way is what the long way tells.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "heap/segment.h"
#include "query/objects/collection_sizes.h"
#include "query/objects/object_search.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

FoundObjects asked(const Snapshot& snapshot, const std::string& text, ObjectSearch search = {}) {
  search.query = makeQuery(text, objectSchema()).value();
  return findObjects(snapshot, search, nullptr, {}).value();
}

class ShortcutsOn : public testing::TestWithParam<const char*> {
 protected:
  const Snapshot& snapshot() const { return retainedDump(GetParam()); }
};

// Of a regular expression that holds no word in any case every line has to be written.
TEST_P(ShortcutsOn, wordsAreFoundAsInLinesThatAreWritten) {
  std::size_t hits = 0;
  for (const std::string word :
       {"12", "0", "00", "256", "e", "name", "item", "empty", "null", "true", "order", "200"}) {
    for (const char* sign : {"~", "!~"}) {
      const FoundObjects quick = asked(snapshot(), "value " + std::string(sign) + " \"" + word + "\"");
      const FoundObjects slow = asked(snapshot(), "value " + std::string(sign) + " /" + word + "|\\x01\\x01/");
      EXPECT_EQ(quick.ids, slow.ids) << sign << " " << word;
      EXPECT_EQ(quick.unreadable, slow.unreadable) << sign << " " << word;
      hits += quick.objects;
    }
  }
  EXPECT_GT(hits, 0u);
}

TEST_P(ShortcutsOn, wordsBetweenSignsAndWholeLinesAreFound) {
  for (const char* text : {"= 1", "\\\"a", "1, ", "items: ", "Name = \\\"", ", …", "→", "é", "{ X = "}) {
    const FoundObjects found = asked(snapshot(), "value ~ \"" + std::string(text) + "\"");
    const FoundObjects others = asked(snapshot(), "value !~ \"" + std::string(text) + "\"");
    const FoundObjects all = asked(snapshot(), "value != null");
    EXPECT_EQ(found.objects + others.objects, all.objects) << text;
  }
  ObjectSearch lines;
  lines.limit = 20;
  lines.sortBy = referenceTo(ObjectField::Value);
  lines.columns = {*lines.sortBy};
  std::map<std::string, std::size_t> tried;
  for (const FoundObject& object : asked(snapshot(), "size > 24", lines).rows) {
    const std::string line = toString(object.columns.front());
    if (line.find_first_of("\\\"") != std::string::npos || tried[line]++ > 0) continue;
    const FoundObjects equal = asked(snapshot(), "value = \"" + line + "\"");
    const auto isFound = std::ranges::binary_search(equal.ids, object.row.id.value);
    EXPECT_TRUE(isFound) << line;
  }
  EXPECT_FALSE(tried.empty());
}

TEST_P(ShortcutsOn, whatOneCollectionTaughtHoldsForTheOthers) {
  const Contents& contents = snapshot().contents();
  const ValueReader values({*contents.readers, contents.heap.get()});
  const InstanceSources sources{*contents.readers, values.shapes()};
  std::map<std::uint32_t, CollectionType> learned;
  std::size_t withCapacity = 0;
  forEachObject(snapshot(), {}, [&](const ObjectRow& row) {
    const Address methodTable = snapshot().types()[row.type.value].methodTable;
    CollectionType fresh(sources, methodTable);
    if (!fresh.isCollection()) return true;
    CollectionType& known = learned.try_emplace(row.type.value, sources, methodTable).first->second;
    const CollectionSizes sizes = known.sizesOf(sources, row.address);
    EXPECT_EQ(sizes, fresh.sizesOf(sources, row.address)) << toString(row.address);
    withCapacity += sizes.capacity.has_value();
    return true;
  });
  EXPECT_GT(learned.size(), 3u);
  EXPECT_GT(withCapacity, 0u);
}

/// What a column holds of each object that a query finds, in the order of ids.
std::vector<QueryValue> valuesOf(const Snapshot& snapshot, const QueryFieldReference& field,
                                 const std::vector<std::uint32_t>& ids) {
  ObjectSearch described;
  described.columns = {field};
  std::vector<QueryValue> values;
  std::vector<FoundObject> rows = describeObjects(snapshot, described, ids, {}).value();
  for (FoundObject& row : rows) values.push_back(std::move(row.columns.front()));
  return values;
}

// Columns are written for each object anew.
TEST_P(ShortcutsOn, whatOneLineAnsweredHoldsForItsLikes) {
  const FoundObjects all = asked(snapshot(), "value != null");
  for (const char* name : {"value", "text"}) {
    const std::vector<QueryValue> values = valuesOf(snapshot(), parseQueryField(name, objectSchema()).value(), all.ids);
    std::size_t hits = 0;
    for (const std::string pattern :
         {"1", "[0-9]{2}", "^.{0,3}$", "null|empty", "[a-z]+ = ", "…$", "\\bItem", "name.*[0-9]",
          "(true|false), .*null", "orders?\\b", "(Item|Order)s", "item.?: [a-z]", "k.*s"}) {
      const FoundObjects found = asked(snapshot(), std::string(name) + " ~ /" + pattern + "/");
      const re2::RE2 expression("(?i)" + pattern);  // as queries have it
      std::vector<std::uint32_t> expected;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].text && re2::RE2::PartialMatch(*values[i].text, expression)) expected.push_back(all.ids[i]);
      }
      EXPECT_EQ(found.ids, expected) << name << " ~ " << pattern;
      hits += expected.size();
    }
    EXPECT_GT(hits, 0u);
  }
}

// Texts differ behind their first letters, many are equal, and ids are not places.
TEST_P(ShortcutsOn, whatIsNotedWhileObjectsAreFoundPutsThemInOrder) {
  constexpr std::size_t kToldApart = 256;  // bytes of a text
  const FoundObjects all = asked(snapshot(), "size > 24");
  for (const char* name : {"text", "value", "count", "capacity", "owner", "gen", "retained", "field(\"_size\")",
                           "field(\"Name\")", "field(\"Price\")"}) {
    const QueryFieldReference field = parseQueryField(name, objectSchema()).value();
    std::vector<QueryValue> values = valuesOf(snapshot(), field, all.ids);
    const bool isOfMemory = field.field == QueryFieldReference::kObjectField ||
                            field == referenceTo(ObjectField::Text) || field == referenceTo(ObjectField::Value);
    for (QueryValue& value : values) {
      if (isOfMemory && value.text && !value.number) value.text->resize(std::min(value.text->size(), kToldApart));
    }
    // Generations are in the order of their own.
    const bool areChoices = field == referenceTo(ObjectField::Gen);
    const auto rankOf = [&](const QueryValue& value) {
      const auto names = namesOf<Generation>();
      return areChoices ? std::ranges::find(names, *value.text) - names.begin() : 0;
    };
    for (const bool descending : {false, true}) {
      std::vector<std::uint32_t> expected(all.ids.size());
      for (std::uint32_t i = 0; i < expected.size(); ++i) expected[i] = i;
      std::ranges::stable_sort(expected, [&](std::uint32_t i, std::uint32_t j) {
        const QueryValue &left = values[i], &right = values[j];
        if (left.isThere() != right.isThere()) return left.isThere();
        if (areChoices) return descending ? rankOf(right) < rankOf(left) : rankOf(left) < rankOf(right);
        return descending ? isBefore(right, left) : isBefore(left, right);
      });
      for (std::uint32_t& place : expected) place = all.ids[place];
      for (const std::size_t limit : {std::size_t{7}, std::size_t{900}, SIZE_MAX}) {
        ObjectSearch sorted;
        sorted.sortBy = field;
        sorted.descending = descending;
        sorted.limit = limit;
        sorted.rows = 0;
        const std::vector<std::uint32_t> order = asked(snapshot(), "size > 24", sorted).order;
        ASSERT_EQ(order.size(), std::min(limit, expected.size())) << name;
        EXPECT_TRUE(std::equal(order.begin(), order.end(), expected.begin())) << name << descending << limit;
      }
    }
  }
}

TEST_P(ShortcutsOn, groupsOfAllThreadsAreThoseOfALoop) {
  const FoundObjects all = asked(snapshot(), "size > 24");
  for (const char* name :
       {"text", "count", "capacity", "gen", "owner", "size", "field(\"_size\")", "field(\"Name\")", "value"}) {
    const QueryFieldReference field = parseQueryField(name, objectSchema()).value();
    const std::vector<QueryValue> values = valuesOf(snapshot(), field, all.ids);
    const ObjectGroups groups = groupObjects(snapshot(), all.ids, field, nullptr, {}).value();
    std::map<std::pair<QueryValue::State, std::string>, std::pair<std::size_t, std::uint64_t>>
        expected;  // first, objects
    for (std::size_t i = 0; i < values.size(); ++i)
      ++expected.try_emplace({values[i].state, toString(values[i])}, i, 0).first->second.second;
    ASSERT_EQ(groups.groups.size(), expected.size()) << name;
    for (std::size_t i = 0; i < groups.groups.size(); ++i) {
      const ObjectGroup& group = groups.groups[i];
      const QueryValue value = group.value.get();
      const auto found = expected.find({value.state, toString(value)});
      ASSERT_NE(found, expected.end()) << name;
      const auto& [first, objects] = found->second;
      EXPECT_EQ(group.objects, objects) << name;
      // A group of lines is told by the line, which may stand for more strings than one.
      QueryValue told = values[first];
      if (field == referenceTo(ObjectField::Value)) told.characters.reset();
      EXPECT_EQ(value, told) << name << ": told by its first object";
      EXPECT_EQ(groups.groupOf[first], i) << name;
      if (i > 0) {
        EXPECT_GE(groups.groups[i - 1].bytes, group.bytes) << name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dumps, ShortcutsOn, testing::Values("shop-8", "flaws-10", "exhibits-10"),
                         [](const auto& dump) { return testName(dump.param); });

}  // namespace
}  // namespace heapscape::engine
