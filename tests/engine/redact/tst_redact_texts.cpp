// SPDX-License-Identifier: MIT
// No text of a dump is in a copy of it, however it is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "engine/redact/redacted_dump.h"
#include "engine/redact/text_search.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

class RedactedTexts : public testing::TestWithParam<std::string> {
 protected:
  const RedactedDump& m_both = redactedDump(GetParam());
  const Snapshot& m_dump = m_both.dump();

  std::string foundIn(const TextSearch& search) const {
    std::string text;
    for (const std::string& one : search.findIn(bytesOf(m_both.path()))) text += one + "\n";
    return text;
  }
};

INSTANTIATE_TEST_SUITE_P(Of, RedactedTexts,
                         testing::Values("shop-10", "shop-8", "shop-11", "shop-9-server", "stacks-10", "shop-arm64-10",
                                         "crashes/chain-10"),
                         [](const auto& dump) {
                           std::string name = testName(dump.param);
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST_P(RedactedTexts, OfStringsAreGone) {
  // Words with a space between them are no names of types, methods or files, which stay.
  TextSearch search;
  for (const ObjectRow& row : objectsOfType(m_dump, "System.String")) {
    std::string text = textAt(m_dump, row.address);
    const std::set<char> different(text.begin(), text.end());
    if (text.find(' ') == std::string::npos || different.size() < 5) continue;
    if (text.find("Version=") != std::string::npos || text == "Anonymously Hosted DynamicMethods Assembly")
      continue;  // names of assemblies
    if (text.find('\0') != std::string::npos || text.size() > 200) text.resize(std::min<std::size_t>(text.size(), 200));
    search.add(text);
  }
  EXPECT_GT(search.texts(), m_dump.summary().dump.kind == DumpKind::Heap ? 20u : 0u);
  EXPECT_EQ(foundIn(search), "");
}

TEST_P(RedactedTexts, AreInTheDumpItself) {
  TextSearch search;
  for (const ObjectRow& row : objectsOfType(m_dump, "System.String")) {
    const std::string text = textAt(m_dump, row.address);
    if (text.find(' ') != std::string::npos && text.size() < 100 && search.add(text)) break;
  }
  const Bytes dump = m_dump.contents().file->bytes();
  EXPECT_FALSE(search.findIn({reinterpret_cast<const char*>(dump.data()), dump.size()}).empty());
}

TEST_P(RedactedTexts, OfThreadsAreGone) {
  const auto stacks = readStacks(m_dump, {.roots = false}, {});
  ASSERT_TRUE(stacks);
  TextSearch search;
  for (const ThreadStackRow& thread : stacks->threads)
    if (thread.name.find(' ') != std::string::npos) search.add(thread.name);  // a word may be a method's name, too
  EXPECT_EQ(foundIn(search), "");
}

TEST_P(RedactedTexts, OfTheCommandAreGone) {
  TextSearch search;
  search.add(m_dump.summary().dump.command);
  EXPECT_EQ(foundIn(search), "");
}

TEST_P(RedactedTexts, InBytesOfArraysAreGone) {
  TextSearch search;
  for (const char* type : {"System.Byte[]", "System.Char[]", "System.Double[]"}) {
    for (const ObjectRow& row : objectsOfType(m_dump, type)) {
      constexpr std::uint64_t kHead = 16;
      constexpr std::uint64_t kMost = 48;
      if (row.sizeBytes < kHead + 8 + kMost) continue;
      std::string bytes(kMost, '\0');
      if (!m_dump.contents().memory->tryRead(row.address + kHead, std::as_writable_bytes(std::span(bytes)))) continue;
      // Numbers that might stand anywhere are nobody's.
      if (std::set<char>(bytes.begin(), bytes.end()).size() < 16) continue;
      search.addBytes(std::string(type) + " " + toString(row.address), bytes);
    }
  }
  EXPECT_GE(search.texts(), m_dump.summary().dump.kind == DumpKind::Heap ? 1u : 0u);
  EXPECT_EQ(foundIn(search), "");
}

TEST(RedactedShop, HasNoneOfItsTexts) {
  // tests/targets/shop/Strings.cs
  TextSearch search;
  for (const char* text : {"a literal lives in the frozen heap", "interned 1", "line\nbreak\ttab \"quoted\" \\",
                           "Grüße, 世界, 🚀", "repeat repeat", "duplicate number 3", "Jane Doe"})
    search.add(text);
  for (const char* dump : {"shop-10", "shop-8", "shop-11", "shop-9-server", "shop-arm64-10"}) {
    const auto found = search.findIn(bytesOf(redactedDump(dump).path()));
    EXPECT_TRUE(found.empty()) << dump << ": " << found.front();
  }
}

TEST(TextSearches, FindTextsHoweverTheyAreWritten) {
  TextSearch search;
  ASSERT_TRUE(search.add("geheimes Wort"));
  EXPECT_FALSE(search.add("geheimes Wort"));
  EXPECT_FALSE(search.add("kurz"));
  const auto isFound = [&](std::string_view bytes) { return search.findIn(bytes).size() == 1; };
  EXPECT_TRUE(isFound("... geheimes Wort ..."));
  EXPECT_TRUE(isFound("... troW semieheg ..."));
  EXPECT_TRUE(isFound({"\0g\0e\0h\0e\0i\0m\0e\0s\0 \0W\0o\0r\0t\0", 27}) ||
              search.findIn({"\0g\0e\0h\0e\0i\0m\0e\0s\0 \0W\0o\0r\0t\0", 27}).size() == 2);
  EXPECT_TRUE(isFound("67656865696d657320576f7274"));
  EXPECT_TRUE(isFound("67656865696D657320576F7274"));
  EXPECT_TRUE(isFound("Z2VoZWltZXMgV29ydA=="));  // geheimes Wort
  EXPECT_TRUE(isFound("YWdlaGVpbWVzIFdvcnQ="));  // ageheimes Wort
  EXPECT_TRUE(isFound("YWFnZWhlaW1lcyBXb3J0"));  // aageheimes Wort
  EXPECT_FALSE(isFound("geheime Worte"));
}

}  // namespace
}  // namespace heapscape::test
