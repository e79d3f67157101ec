// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "query/completion.h"
#include "query/objects/object_schema.h"
#include "support/opened_snapshot.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

// The cursor stands at the bar.
Completions at(std::string text, const CompletionSource* source = nullptr) {
  const std::size_t cursor = text.find('|');
  text.erase(cursor, 1);
  return completeQuery(text, cursor, objectSchema(), source);
}

bool offers(const Completions& completions, std::string_view text) {
  return std::ranges::find(completions.items, text, &Completion::text) != completions.items.end();
}

TEST(QueryCompletion, offersWhatMayStandAtTheCursor) {
  EXPECT_TRUE(offers(at("|"), "retained"));
  EXPECT_TRUE(offers(at("|"), "not"));
  EXPECT_TRUE(offers(at("re|"), "reachable"));
  EXPECT_FALSE(offers(at("re|"), "type"));
  EXPECT_TRUE(offers(at("type |"), "~"));
  EXPECT_FALSE(offers(at("type |"), "<"));
  EXPECT_TRUE(offers(at("size |"), ">="));
  EXPECT_FALSE(offers(at("size |"), "~"));
  EXPECT_TRUE(offers(at("gen = |"), "large"));
  EXPECT_TRUE(offers(at("gen in (gen0, |"), "gen1"));
  EXPECT_TRUE(offers(at("pinned |"), "and"));
  EXPECT_TRUE(offers(at("size > 3 |"), "or"));
  EXPECT_TRUE(offers(at("size > 3 and (not |"), "pinned"));
  EXPECT_TRUE(offers(at("size > |"), "1 MB"));
  EXPECT_TRUE(offers(at("field(\"X\") |"), "~"));
  EXPECT_TRUE(offers(at("field(\"X\") = |"), "null"));
}

TEST(QueryCompletion, replacesTheWordUnderTheCursor) {
  const Completions completions = at("size > 3 and reta|ne = 3");
  EXPECT_EQ(completions.from, 13u);
  EXPECT_EQ(completions.to, 19u);
  EXPECT_TRUE(offers(completions, "retained"));
}

TEST(QueryCompletion, offersTypesAndFieldsOfTheDump) {
  const SnapshotCompletion source(openedDump("shop-10"), objectSchema());
  EXPECT_TRUE(offers(at("type = |", &source), "\"Catalog.Order\""));
  EXPECT_TRUE(offers(at("type = \"catalog.ord|", &source), "\"Catalog.Order\""));
  EXPECT_FALSE(offers(at("type = \"catalog.ord|", &source), "\"Catalog.Customer\""));
  EXPECT_TRUE(offers(at("assembly = |", &source), "\"catalog.dll\""));
  EXPECT_TRUE(offers(at("type = Catalog.Order and field(\"|", &source), "\"Gift\")"));
  EXPECT_TRUE(offers(at("type = Catalog.Order and field(\"Cust|", &source), "\"Customer\")"));
  EXPECT_TRUE(offers(at("type = Catalog.Order and field(\"Cust|\")", &source), "\"Customer\""));
  EXPECT_TRUE(offers(at("type = Catalog.Product and field(\"Price.|", &source), "\"Price.Amount\")"));
  EXPECT_TRUE(offers(at("type = Catalog.Order and field(\"Customer.Na|", &source), "\"Customer.Name\")"));
}

TEST(QueryCompletion, survivesAnyTextAndCursor) {
  const std::string text = "type = \"a and field(\"b\" ) in (1, /x/ ~ /[ and not ((";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    for (std::size_t cursor = 0; cursor <= length + 1; ++cursor) {
      const Completions found = completeQuery(text.substr(0, length), cursor, objectSchema(), nullptr);
      EXPECT_LE(found.from, found.to);
      EXPECT_LE(found.to, length);
    }
  }
}

}  // namespace
}  // namespace heapscape::engine
