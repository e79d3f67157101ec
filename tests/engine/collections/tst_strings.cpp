// SPDX-License-Identifier: MIT
// Strings grouped by their characters, against a plain count of all strings of the heap.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/unicode.h"
#include "runtime/managed_objects.h"
#include "session/objects/object_query.h"
#include "session/objects/strings_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::StringGroup;
using engine::StringList;

StringList listOf(const engine::Snapshot& snapshot, const std::string& text = {}, std::size_t limit = SIZE_MAX) {
  auto list = engine::listStrings(snapshot, text, limit, {});
  if (!list) throw std::runtime_error(list.error().error().message());
  return std::move(*list);
}

template <class Visit>
void forEachString(const engine::Snapshot& snapshot, Visit visit) {
  engine::ObjectFilter filter;
  filter.type = findType(snapshot, "System.String");
  engine::forEachObject(snapshot, filter, [&](const engine::ObjectRow& row) {
    visit(row);
    return true;
  });
}

struct PlainGroup {
  std::uint64_t count = 0, bytes = 0;
  Address first{UINT64_MAX};
};

/// One string after the other, with nothing but a map.
std::map<std::u16string, PlainGroup> plainGroups(const engine::Snapshot& snapshot) {
  std::map<std::u16string, PlainGroup> groups;
  const auto& memory = *snapshot.contents().memory;
  forEachString(snapshot, [&](const engine::ObjectRow& row) {
    std::u16string text(memory.read<std::uint32_t>(row.address + 8).value(), u'\0');
    EXPECT_TRUE(memory.tryRead(row.address + 12, std::as_writable_bytes(std::span(text))));
    PlainGroup& group = groups[text];
    ++group.count;
    group.bytes += row.alignedBytes;
    group.first = std::min(group.first, row.address);
  });
  return groups;
}

class Strings : public testing::TestWithParam<std::string> {};

TEST_P(Strings, AreGroupedAsAPlainCountSays) {
  const engine::Snapshot& snapshot = openedDump(GetParam());
  const auto expected = plainGroups(snapshot);
  const StringList list = listOf(snapshot);
  EXPECT_EQ(list.distinct, expected.size());
  ASSERT_EQ(list.groups.size(), expected.size());
  std::map<Address, const StringGroup*> byExample;
  for (const StringGroup& group : list.groups) byExample.emplace(group.example, &group);
  std::uint64_t strings = 0, bytes = 0;
  for (const auto& [text, plain] : expected) {
    ASSERT_TRUE(byExample.contains(plain.first)) << engine::toUtf8(text);
    const StringGroup& group = *byExample.at(plain.first);
    EXPECT_EQ(group.length, text.size());
    EXPECT_EQ(group.count, plain.count);
    EXPECT_EQ(group.bytes, plain.bytes);
    EXPECT_EQ(group.wastedBytes, plain.bytes - plain.bytes / plain.count);
    if (text.size() <= 200) {
      EXPECT_EQ(group.value, engine::toUtf8(text));
    }
    strings += plain.count;
    bytes += plain.bytes;
  }
  EXPECT_EQ(list.strings, strings);
  EXPECT_EQ(list.bytes, bytes);
  EXPECT_EQ(list.unreadable, 0u);
}

INSTANTIATE_TEST_SUITE_P(, Strings, testing::Values("shop-8", "shop-9-segments", "shop-10-server", "exhibits-10"),
                         [](const auto& info) { return testName(info.param); });

TEST(StringList, BeginsWithThoseThatWasteMost) {
  const StringList list = listOf(openedDump("shop-10"));
  ASSERT_GT(list.groups.size(), 10u);
  EXPECT_TRUE(std::ranges::is_sorted(list.groups, std::greater(), &StringGroup::wastedBytes));
  EXPECT_GT(list.groups.front().wastedBytes, 0u);
}

TEST(StringList, KeepsItsSumsWhenOnlyTheFirstAreWanted) {
  const engine::Snapshot& snapshot = openedDump("shop-10");
  const StringList all = listOf(snapshot);
  const StringList some = listOf(snapshot, {}, 3);
  ASSERT_EQ(some.groups.size(), 3u);
  EXPECT_EQ(some.groups[2].example, all.groups[2].example);
  EXPECT_EQ(some.strings, all.strings);
  EXPECT_EQ(some.wastedBytes, all.wastedBytes);
}

TEST(StringList, HoldsOnlyStringsWithTheText) {
  const engine::Snapshot& snapshot = openedDump("shop-10");
  const StringList list = listOf(snapshot, "duplicate number 3");
  ASSERT_EQ(list.groups.size(), 1u);
  EXPECT_EQ(list.groups[0].count, 60u);
  EXPECT_EQ(list.strings, 60u);
  EXPECT_TRUE(listOf(snapshot, "no string says this").groups.empty());
}

TEST(StringList, FindsTextBeyondAscii) {
  const StringList list = listOf(openedDump("shop-10"), "世界, 🚀");
  ASSERT_EQ(list.groups.size(), 1u);
  EXPECT_EQ(list.groups[0].value, "Grüße, 世界, 🚀");
}

TEST(StringList, RefusesTextThatIsNoUtf8) {
  const auto list = engine::listStrings(openedDump("shop-10"), "\xff", 1, {});
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().error().code, engine::ErrorCode::BadQuery);
}

TEST(StringList, CutsLongValuesAt200Characters) {
  for (const StringGroup& group : listOf(openedDump("shop-10")).groups) {
    if (group.length == 50'000) {
      EXPECT_EQ(group.value, std::string(200, 'w'));
    }
    EXPECT_LE(group.value.size(), 200u * 3);
  }
}

TEST(StringList, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto list = engine::listStrings(openedDump("shop-10"), {}, 1, stop.get_token());
  ASSERT_FALSE(list);
  EXPECT_TRUE(list.error().isCancelled());
}

TEST(StringGrouping, TellsStringsApartThatShareAHash) {
  const engine::Snapshot& snapshot = openedDump("shop-10");
  std::vector<engine::HashedStrings> strings(1);
  std::map<std::string, std::uint64_t> expected;
  forEachString(snapshot, [&](const engine::ObjectRow& row) {
    const auto length = snapshot.contents().memory->read<std::uint32_t>(row.address + 8).value();
    strings[0].add(42, row.address, length, {});
    const auto text = engine::readManagedString(snapshot.contents().readers->runtime, row.address, SIZE_MAX);
    ++expected[text.value()];
  });
  const auto groups = engine::groupEqualStrings(*snapshot.contents().memory, 12, strings, {});
  EXPECT_EQ(groups.size(), expected.size());
  std::uint64_t count = 0;
  for (const engine::EqualStrings& group : groups) count += group.count;
  EXPECT_EQ(count, strings[0].places());
  // Of a hash a part is compared at first; they come in the order of all of it.
  const auto hashOf = [&](const engine::EqualStrings& group) {
    std::u16string text(group.length, u'\0');
    EXPECT_TRUE(snapshot.contents().memory->tryRead(group.first + 12, std::as_writable_bytes(std::span(text))));
    return engine::hashOfCharacters(std::as_bytes(std::span(text)));
  };
  EXPECT_TRUE(std::ranges::is_sorted(groups, {}, hashOf));
}

TEST(Utf16, IsMadeOfWellFormedUtf8Only) {
  EXPECT_EQ(engine::toUtf16("aß世🚀"), u"aß世🚀");
  EXPECT_EQ(engine::toUtf16(""), u"");
  for (const char* wrong : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "a\x80"})
    EXPECT_FALSE(engine::toUtf16(wrong)) << wrong;
}

}  // namespace
}  // namespace heapscape::test
