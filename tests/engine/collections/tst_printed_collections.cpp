// SPDX-License-Identifier: MIT
// Every collection of the sample equals what the program itself said that it holds.
#include <gtest/gtest.h>

#include <set>

#include "session/details/object_details.h"
#include "support/dump_path.h"
#include "support/exhibits.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::CollectionDetails;
using engine::CollectionItem;
using nlohmann::json;

class PrintedCollections : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    static std::map<std::string, engine::Snapshot> opened;  // all three stay open for the next test
    auto found = opened.find(GetParam());
    if (found == opened.end())
      found = opened.emplace(GetParam(), openSnapshot(dumpPath(GetParam()), engine::Stage::Objects)).first;
    m_snapshot = &found->second;
    m_printed = printedBy(GetParam()).at("collections");
    m_exhibits = exhibitsOf(*m_snapshot);
  }

  CollectionDetails collectionOf(const json& printed, std::size_t items) const {
    const auto details = engine::objectDetails(*m_snapshot, addressOf(printed), {.elements = items});
    if (!details) throw std::runtime_error(details.error().message());
    if (!details->collection) throw std::runtime_error(details->typeName + " is taken for no collection");
    return *details->collection;
  }
  engine::Address addressOf(const json& printed) const { return m_exhibits.at(printed.at("path")); }

  void expectItem(const json& printed, const CollectionItem& item) const {
    SCOPED_TRACE("item " + printed.at("index").dump());
    EXPECT_EQ("", difference(printed.at("value"), *m_snapshot, item.value, item.valueFields));
    if (printed.contains("key")) {
      EXPECT_EQ("", difference(printed.at("key"), *m_snapshot, item.key, item.keyFields));
    }
  }

  const engine::Snapshot* m_snapshot = nullptr;
  json m_printed;
  std::map<std::string, engine::Address> m_exhibits;
};

const CollectionItem* itemLabelled(const CollectionDetails& collection, const std::string& label) {
  for (const CollectionItem& item : collection.items) {
    if (item.label == label) return &item;
  }
  return nullptr;
}

/// "RanToCompletion" as words.
std::string inWords(const std::string& status) {
  std::string words;
  for (const char letter : status) {
    if (letter >= 'A' && letter <= 'Z' && !words.empty()) words += ' ';
    words += static_cast<char>(std::tolower(letter));
  }
  return words;
}

TEST_P(PrintedCollections, AreOfAtLeastThirteenKinds) {
  std::set<std::string> kinds;
  for (const json& printed : m_printed) kinds.insert(collectionOf(printed, 0).kind);
  EXPECT_GE(kinds.size(), 30u);
}

TEST_P(PrintedCollections, HaveTheirKindTypesCountAndCapacity) {
  for (const json& printed : m_printed) {
    SCOPED_TRACE(printed.at("path"));
    const CollectionDetails collection = collectionOf(printed, 10);
    EXPECT_EQ(collection.kind, printed.at("kind").get<std::string>());
    EXPECT_EQ(collection.damage, "");
    EXPECT_EQ(collection.hasKeys, printed.contains("keyType"));
    if (printed.contains("keyType")) {
      EXPECT_EQ(collection.keyType, printed.at("keyType").get<std::string>());
    }
    if (printed.contains("valueType")) {
      EXPECT_EQ(collection.valueType, printed.at("valueType").get<std::string>());
    }
    if (printed.contains("items")) {
      EXPECT_EQ(collection.count, printed.at("count"));
    }
    if (printed.contains("capacity")) {
      EXPECT_EQ(collection.capacity, printed.at("capacity"));
    }
  }
}

TEST_P(PrintedCollections, HoldTheirItemsInTheOrderOfTheProgram) {
  for (const json& printed : m_printed) {
    if (!printed.contains("items")) continue;
    SCOPED_TRACE(printed.at("path"));
    const std::size_t count = printed.at("count");
    const CollectionDetails collection = collectionOf(printed, SIZE_MAX);
    ASSERT_EQ(collection.items.size(), count);
    for (const json& item : printed.at("items")) expectItem(item, collection.items.at(item.at("index")));
  }
}

TEST_P(PrintedCollections, GiveTheSameItemsPageByPage) {
  for (const json& printed : m_printed) {
    if (!printed.contains("items")) continue;
    SCOPED_TRACE(printed.at("path"));
    for (const json& item : printed.at("items")) {
      const auto page = engine::collectionItems(*m_snapshot, addressOf(printed), item.at("index"), 1);
      ASSERT_TRUE(page) << page.error().error().message();
      ASSERT_EQ(page->size(), 1u);
      expectItem(item, page->front());
    }
    const auto behind = engine::collectionItems(*m_snapshot, addressOf(printed), printed.at("count"), 10);
    ASSERT_TRUE(behind) << behind.error().error().message();
    EXPECT_TRUE(behind->empty());
  }
}

TEST_P(PrintedCollections, ShowTasksWithStatusResultAndException) {
  int tasks = 0;
  for (const json& printed : m_printed) {
    if (!printed.contains("status")) continue;
    SCOPED_TRACE(printed.at("path"));
    ++tasks;
    const CollectionDetails task = collectionOf(printed, 10);
    EXPECT_EQ(task.state, inWords(printed.at("status")));
    const CollectionItem* result = itemLabelled(task, "Result");
    ASSERT_EQ(result != nullptr, printed.contains("result"));
    if (result) {
      EXPECT_EQ("", difference(printed.at("result"), *m_snapshot, result->value, result->valueFields));
    }
    const CollectionItem* exception = itemLabelled(task, "Exception");
    ASSERT_EQ(exception != nullptr, printed.contains("exception"));
    if (exception) {
      EXPECT_EQ(exception->value.objectType, printed.at("exception").get<std::string>());
    }
  }
  EXPECT_GE(tasks, 10);
}

TEST_P(PrintedCollections, ShowWhatWaitsForATask) {
  const auto details = engine::objectDetails(*m_snapshot, m_exhibits.at("Museum.Promises.taskWaiting"));
  ASSERT_TRUE(details && details->collection);
  const CollectionItem* continuation = itemLabelled(*details->collection, "Continuation");
  ASSERT_TRUE(continuation);
  EXPECT_TRUE(continuation->value.object);
}

TEST_P(PrintedCollections, ShowLazyValuesWithTheirState) {
  int lazies = 0;
  for (const json& printed : m_printed) {
    if (printed.at("kind") != "Lazy") continue;
    SCOPED_TRACE(printed.at("path"));
    ++lazies;
    const CollectionDetails lazy = collectionOf(printed, 10);
    EXPECT_EQ(lazy.state, printed.at("state").get<std::string>());
    const CollectionItem* value = itemLabelled(lazy, "Value");
    ASSERT_EQ(value != nullptr, printed.contains("result"));
    if (value) {
      EXPECT_EQ("", difference(printed.at("result"), *m_snapshot, value->value, value->valueFields));
    }
    EXPECT_EQ(itemLabelled(lazy, "Exception") != nullptr, lazy.state == "faulted");
  }
  EXPECT_EQ(lazies, 5);
}

TEST_P(PrintedCollections, ShowAStringBuildersTextAcrossItsChunks) {
  int builders = 0;
  for (const json& printed : m_printed) {
    if (printed.at("kind") != "StringBuilder") continue;
    SCOPED_TRACE(printed.at("path"));
    ++builders;
    const CollectionDetails builder = collectionOf(printed, 10);
    ASSERT_EQ(builder.items.size(), 1u);
    EXPECT_EQ(builder.items[0].value.text, "\"" + printed.at("text").get<std::string>() + "\"");
    EXPECT_TRUE(builder.items[0].value.isString);
    EXPECT_TRUE(builder.state.starts_with(printed.at("count").dump() + " character"));
  }
  EXPECT_EQ(builders, 3);
}

TEST_P(PrintedCollections, LabelItemsByIndexOrKey) {
  const auto labelsOf = [&](const char* path) {
    const auto details = engine::objectDetails(*m_snapshot, m_exhibits.at(path));
    std::vector<std::string> labels;
    for (const CollectionItem& item : details.value().collection.value().items) labels.push_back(item.label);
    return labels;
  };
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labelsOf("Museum.Collections.queue"), (Labels{"[0]", "[1]", "[2]"}));
  EXPECT_EQ(labelsOf("Museum.Collections.dictionary"), (Labels{"[1]", "[2]", "[3]"}));
  EXPECT_EQ(labelsOf("Museum.Collections.sortedDictionary"), (Labels{"[\"apple\"]", "[\"fig\"]", "[\"pear\"]"}));
  EXPECT_EQ(labelsOf("Museum.Collections.hashSet"), (Labels{"", "", ""}));
}

TEST_P(PrintedCollections, AreNotSeenInOtherObjects) {
  for (const char* path : {"Museum.Headers.plain", "Museum.Values.primitives", "Museum.Exceptions.thrown"}) {
    const auto details = engine::objectDetails(*m_snapshot, m_exhibits.at(path));
    ASSERT_TRUE(details);
    EXPECT_FALSE(details->collection) << path;
    EXPECT_FALSE(engine::collectionItems(*m_snapshot, m_exhibits.at(path), 0, 1)) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(, PrintedCollections, testing::ValuesIn(exhibitDumps()),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::test
