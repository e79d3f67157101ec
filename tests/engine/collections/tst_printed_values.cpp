// SPDX-License-Identifier: MIT
// What people read as one thing is shown as the program itself said that it reads.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "support/dump_path.h"
#include "support/exhibits.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"
#include "values/string_object.h"

namespace heapscape::test {
namespace {

using engine::CollectionDetails;
using engine::CollectionItem;
using engine::Value;
using nlohmann::json;

const engine::Snapshot& opened(const std::string& dump) {
  static std::map<std::string, engine::Snapshot> all;  // all three stay open for the next test
  auto found = all.find(dump);
  if (found == all.end()) found = all.emplace(dump, openSnapshot(dumpPath(dump), engine::Stage::Objects)).first;
  return found->second;
}

/// How the field that refers to each thing on show reads.
std::map<std::string, Value> linesOf(const engine::Snapshot& snapshot) {
  std::map<std::string, Value> lines;
  for (const auto& [path, exhibit] : exhibitHoldersOf(snapshot)) {
    const auto details = engine::objectDetails(snapshot, exhibit);
    for (const engine::FieldValue& field : details.value().fields) {
      if (field.name == "content") lines[path] = field.value;
    }
  }
  return lines;
}

class PrintedValues : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    m_printed = printedBy(GetParam()).at("values");
    m_lines = linesOf(snapshot());
  }

  const engine::Snapshot& snapshot() const { return opened(GetParam()); }
  const Value& lineOf(const json& printed) const { return m_lines.at(printed.at("path")); }

  std::optional<CollectionDetails> collectionOf(const json& printed) const {
    const auto details = engine::objectDetails(snapshot(), lineOf(printed).object, {.elements = 10'000});
    return details.value().collection;
  }

  /// How a value differs from what the program said of it, or empty.
  static std::string difference(const json& printed, const Value& value) {
    const std::string kind = printed.at("kind");
    if (!value.damage.empty()) return "damaged: " + value.damage;
    std::string expected = printed.value("text", "");
    std::string found = value.text;
    if (kind == "null") return value.kind == engine::ValueKind::Null ? "" : "not null but " + value.text;
    if (kind == "string") expected = "\"" + expected + "\"";
    if (kind == "reference") {
      expected = printed.at("type");
      found = value.objectType;
    }
    return found == expected ? "" : "found " + found + ", not " + expected;
  }

  json m_printed;
  std::map<std::string, Value> m_lines;
};

INSTANTIATE_TEST_SUITE_P(, PrintedValues, testing::Values("values-8", "values-10", "values-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(PrintedValues, ReadInOneLineAsTheProgramSays) {
  int texts = 0;
  for (const json& printed : m_printed) {
    if (!printed.contains("text")) continue;
    SCOPED_TRACE(printed.at("path"));
    ++texts;
    const Value& line = lineOf(printed);
    EXPECT_EQ(line.damage, "");
    EXPECT_EQ(line.text, printed.at("text").get<std::string>());
    EXPECT_EQ(line.objectType, printed.at("type").get<std::string>());
    EXPECT_FALSE(engine::isStringObject(line));
  }
  EXPECT_GE(texts, 60);
}

TEST_P(PrintedValues, HoldTheItemsOfTheProgramInItsOrder) {
  std::set<std::string> kinds;
  for (const json& printed : m_printed) {
    if (!printed.contains("items")) continue;
    SCOPED_TRACE(printed.at("path"));
    const auto collection = collectionOf(printed);
    ASSERT_TRUE(collection);
    kinds.insert(collection->kind);
    EXPECT_EQ(collection->kind, printed.at("kind").get<std::string>());
    EXPECT_EQ(collection->damage, "");
    EXPECT_EQ(collection->hasKeys, printed.at("hasKeys"));
    EXPECT_EQ(collection->count, printed.at("count"));
    if (printed.contains("state")) {
      EXPECT_EQ(collection->state, printed.at("state").get<std::string>());
    }
    if (printed.contains("capacity")) {
      EXPECT_EQ(collection->capacity, printed.at("capacity"));
    }
    ASSERT_EQ(collection->items.size(), printed.at("count"));
    for (const json& item : printed.at("items")) {
      SCOPED_TRACE("item " + item.at("index").dump());
      const CollectionItem& found = collection->items.at(item.at("index"));
      EXPECT_EQ("", difference(item.at("value"), found.value));
      if (item.contains("key")) {
        EXPECT_EQ("", difference(item.at("key"), found.key));
      }
    }
  }
  EXPECT_GE(kinds.size(), 28u);
}

TEST_P(PrintedValues, GiveTheSameItemsFromTheMiddleOn) {
  for (const json& printed : m_printed) {
    if (!printed.contains("items") || printed.at("count") < 3) continue;
    SCOPED_TRACE(printed.at("path"));
    const auto page = engine::collectionItems(snapshot(), lineOf(printed).object, 1, 2);
    ASSERT_TRUE(page) << page.error().error().message();
    ASSERT_EQ(page->size(), 2u);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_EQ("", difference(printed.at("items").at(i + 1).at("value"), (*page)[i].value));
  }
}

TEST_P(PrintedValues, ReadTheSameInAFieldOfAnObject) {
  const auto details = engine::objectDetails(snapshot(), m_lines.at("Museum.Slices.holder").object);
  std::map<std::string, std::string> texts;
  for (const engine::FieldValue& field : details.value().fields) texts[field.name] = field.value.text;
  EXPECT_EQ(texts["Memory"], "System.Int32[1..4] { 11, 12, 13 }");
  EXPECT_EQ(texts["Word"], "\"seu\"");
  EXPECT_EQ(texts["Segment"], "System.String[1..3] { \"b\", \"c\" }");
}

TEST_P(PrintedValues, HaveTheirPartsAsItems) {
  using Parts = std::vector<std::pair<std::string, std::string>>;
  const auto read = [&](const std::string& path) {
    return engine::objectDetails(snapshot(), m_lines.at("Museum." + path).object).value().collection.value();
  };
  const auto partsOf = [&](const std::string& path) {
    Parts parts;
    for (const CollectionItem& item : read(path).items) parts.emplace_back(item.label, item.value.text);
    return parts;
  };
  EXPECT_EQ(partsOf("Functional.person"),
            (Parts{{"Name", "\"Ada\""}, {"Age", "36"}, {"Home", "Circle(1.5)"}, {"Boss", "None"}}));
  EXPECT_EQ(read("Functional.person").kind, "F# record");
  EXPECT_EQ(partsOf("Functional.rectangle"), (Parts{{"width", "3"}, {"height", "4"}}));
  EXPECT_EQ(read("Functional.rectangle").kind, "F# union");
  EXPECT_EQ(read("Functional.rectangle").state, "Rectangle");
  EXPECT_EQ(partsOf("Functional.flag"), (Parts{{"Item1", "true"}, {"Item2", "'x'"}}));
  EXPECT_EQ(partsOf("Functional.some"), (Parts{{"value", "5"}}));
  EXPECT_EQ(read("Functional.green").state, "Green");
  EXPECT_EQ(partsOf("Slices.address 192.168.0.1"), (Parts{{"Value", "192.168.0.1"}}));
  EXPECT_EQ(read("Slices.address 192.168.0.1").kind, "IPAddress");
  EXPECT_EQ(partsOf("Json.tokenNumber"), (Parts{{"Value", "12"}}));
}

TEST_P(PrintedValues, ThatLeadBackToThemselvesEnd) {
  const std::string& text = m_lines.at("Museum.Functional.ring").text;
  EXPECT_TRUE(text.starts_with("{ Label = \"first\", Next = Some({ Label = \"second\", Next = Some(")) << text;
  EXPECT_LT(text.size(), 300u);
}

TEST_P(PrintedValues, TellAnOptionThatIsNullAsNone) {
  const auto person = engine::objectDetails(snapshot(), m_lines.at("Museum.Functional.person").object);
  for (const engine::FieldValue& field : person.value().fields) {
    if (field.name != "Boss@") continue;
    EXPECT_EQ(field.value.kind, engine::ValueKind::Null);
    EXPECT_EQ(field.value.text, "None");
  }
}

}  // namespace
}  // namespace heapscape::test
