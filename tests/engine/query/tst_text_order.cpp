// SPDX-License-Identifier: MIT
// Texts that are sorted eight bytes at a time stand as a stable sort of them all would have put them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "query/objects/text_order.h"

namespace heapscape::engine {
namespace {

using namespace std::string_literals;

std::vector<PlacedText> placed(const std::vector<std::string>& texts) {
  std::vector<PlacedText> all;
  for (const std::string& text : texts)
    all.push_back({text.data(), static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(all.size())});
  return all;
}

void expectStableOrder(const std::vector<std::string>& texts) {
  std::vector<PlacedText> sorted = placed(texts);
  sortTexts(sorted, {});
  std::vector<PlacedText> expected = placed(texts);
  std::ranges::stable_sort(expected, {}, &PlacedText::text);
  ASSERT_EQ(sorted.size(), expected.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i].place, expected[i].place) << i;
}

/// Beginnings that many share, then letters of so few kinds that texts come back and go on for one another.
std::vector<std::string> randomTexts(std::size_t count, const std::string& letters) {
  const std::vector<std::string> beginnings{"", "a", "orders of customer ", "orders of customer 12, shipped to ",
                                            std::string(203, 'x')};
  std::mt19937 random(static_cast<std::mt19937::result_type>(count));
  std::vector<std::string> texts(count);
  for (std::string& text : texts) {
    text = beginnings[random() % beginnings.size()];
    for (std::size_t more = random() % 24; more > 0; --more) text += letters[random() % letters.size()];
  }
  return texts;
}

// Fewer than one core compares as they are, than one core sorts, and more.
TEST(TextOrder, IsThatOfAStableSort) {
  for (const std::size_t count : {0, 1, 2, 16, 17, 1000, 16384, 16385, 100'003}) {
    for (const std::string& letters : {"01"s, "ab\0"s, "\x7f\x80\xff"s, "0123456789abcdef"s})
      expectStableOrder(randomTexts(count, letters));
  }
}

TEST(TextOrder, TellsAZeroFromTheEndOfAText) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 40; ++i) texts.push_back("item"s + std::string(39 - i, '\0'));
  expectStableOrder(texts);
}

TEST(TextOrder, KeepsTextsThatAreAllTheSame) {
  expectStableOrder(std::vector<std::string>(20'000, "the same again and again"));
  expectStableOrder(std::vector<std::string>(20'000, ""));
}

TEST(TextOrder, LooksBehindAllThatTheyHaveInCommon) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 30'000; ++i)
    texts.push_back("_id: "s + std::to_string(i * 7919 % 30'011) + ", _next: null");
  expectStableOrder(texts);
}

void expectFirst(const std::vector<std::string>& texts, std::size_t wanted, bool descending) {
  std::vector<PlacedText> all = placed(texts);
  std::vector<PlacedText> first = all;
  first.resize(keepFirst(first, wanted, descending));
  EXPECT_TRUE(std::ranges::is_sorted(first, {}, &PlacedText::place));
  sortTexts(all, {});
  sortTexts(first, {});
  ASSERT_GE(first.size(), std::min(wanted, all.size()));
  for (std::size_t i = 0; i < std::min(wanted, all.size()); ++i) {
    const PlacedText& kept = descending ? first[first.size() - 1 - i] : first[i];
    ASSERT_EQ(kept.text(), (descending ? all[all.size() - 1 - i] : all[i]).text()) << i;
  }
}

// In random order, in order, and all the same, which no sample tells apart.
TEST(TextOrder, FirstOnesAreKept) {
  std::vector<std::string> inOrder = randomTexts(50'000, "0123456789abcdef");
  std::ranges::sort(inOrder);
  for (const std::vector<std::string>& texts : {randomTexts(50'000, "0123456789abcdef"), inOrder,
                                                std::vector<std::string>(50'000, "the same"), randomTexts(100, "01")}) {
    for (const std::size_t wanted : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{6250}, SIZE_MAX}) {
      expectFirst(texts, wanted, false);
      expectFirst(texts, wanted, true);
    }
  }
}

TEST(TextOrder, FirstOfManyAreFew) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 100'000; ++i) texts.push_back("order "s + std::to_string(i * 7919 % 100'003));
  std::vector<PlacedText> all = placed(texts);
  EXPECT_LT(keepFirst(all, 100, false), 2'000u);
}

}  // namespace
}  // namespace heapscape::engine
