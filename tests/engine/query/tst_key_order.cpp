// SPDX-License-Identifier: MIT
// What is sorted digit by digit and part by part stands as a stable sort of all would have put it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <string_view>

#include "query/objects/key_order.h"

namespace heapscape::engine {
namespace {

using namespace std::string_literals;

using Numbers = std::vector<std::uint64_t>;
using Places = std::vector<std::uint32_t>;

const auto kTellNobody = [](double) {};

template <class Element>
LargeArray<Element> arrayOf(const std::vector<Element>& elements) {
  LargeArray<Element> array(elements.size());
  std::ranges::copy(elements, array.data());
  return array;
}

Places upTo(std::size_t count) {
  Places places(count);
  std::iota(places.begin(), places.end(), 0u);
  return places;
}

Places firstOf(Places places, std::size_t limit) {
  places.resize(std::min(limit, places.size()));
  return places;
}

Places stablySorted(const Numbers& numbers, Places places) {
  std::ranges::stable_sort(places, {}, [&](std::uint32_t place) { return numbers[place]; });
  return places;
}

/// Below `end`, every tenth of them without a number.
Numbers randomNumbers(std::size_t count, std::uint64_t end) {
  std::mt19937_64 random(count + end);
  Numbers numbers(count);
  for (std::uint64_t& number : numbers) number = random() % 10 ? random() % end : UINT64_MAX;
  return numbers;
}

// Few that one core sorts, and many; numbers that fit into a word together with their places, and such that do not.
TEST(NumberOrder, IsThatOfAStableSort) {
  for (const std::size_t count : {0, 1, 2, 1000, 16384, 16385, 100'003}) {
    for (const std::uint64_t end : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1} << 20, UINT64_MAX}) {
      const Numbers numbers = randomNumbers(count, end);
      const Places expected = stablySorted(numbers, upTo(count));
      for (const std::size_t limit : {std::size_t{0}, std::size_t{10}, count / 2, SIZE_MAX}) {
        EXPECT_EQ(placesInOrder(arrayOf(numbers), limit, kTellNobody, {}), firstOf(expected, limit))
            << count << " below " << end << ", the first " << limit;
      }
    }
  }
}

TEST(NumberOrder, OfNothingButWhatHasNoNumberIsThatOfThePlaces) {
  const Numbers numbers(50'000, UINT64_MAX);
  EXPECT_EQ(placesInOrder(arrayOf(numbers), SIZE_MAX, kTellNobody, {}), upTo(numbers.size()));
}

// How small the wanted ones are is guessed by looking at evenly spaced ones, which here are all smaller than the rest.
TEST(NumberOrder, OutlivesASampleThatMisleads) {
  Numbers numbers(std::size_t{1} << 19);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i % 64 ? 1 : 0;
  const Places expected = stablySorted(numbers, upTo(numbers.size()));
  EXPECT_EQ(placesInOrder(arrayOf(numbers), 60'000, kTellNobody, {}), firstOf(expected, 60'000));
}

TEST(NumberOrder, OfSomeIdsLeavesTheOthersOut) {
  for (const std::uint64_t end : {std::uint64_t{1000}, UINT64_MAX}) {
    const Numbers numbers = randomNumbers(120'000, end);
    Places ids;
    for (std::uint32_t id = 5; id < numbers.size(); id += 3) ids.push_back(id);
    const Places expected = stablySorted(numbers, ids);
    for (const std::size_t limit : {std::size_t{100}, SIZE_MAX}) {
      EXPECT_EQ(idsInOrder(arrayOf(numbers), ids, limit, kTellNobody, {}), firstOf(expected, limit))
          << "below " << end << ", the first " << limit;
    }
  }
}

TEST(NumberOrder, TellsRisingShares) {
  std::vector<double> told;
  placesInOrder(arrayOf(randomNumbers(200'000, UINT64_MAX)), SIZE_MAX, [&](double share) { told.push_back(share); },
                {});
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_LE(told.back(), 1.0);
}

/// Values of every kind, with texts that differ early, late, in their length alone and not at all.
std::vector<QueryValue> randomValues(std::size_t count) {
  std::mt19937 random(3);
  std::vector<QueryValue> values(count);
  for (QueryValue& value : values) {
    switch (random() % 8) {
      case 0:
        break;
      case 1:
        value = QueryValue::ofNull();
        break;
      case 2:
        value = QueryValue::ofFlag(random() % 2);
        break;
      case 3:
        value = QueryValue::ofNumber(random() % 100);
        break;
      case 4:
        value = QueryValue::ofNumber((std::uint64_t{1} << 60) + random() % 4);
        break;
      default:
        value = QueryValue::ofText(std::string("the same beginning").substr(0, random() % 19) +
                                   std::string(random() % 3, static_cast<char>('a' + random() % 3)));
    }
  }
  return values;
}

Places stablySorted(const std::vector<QueryValue>& values, bool descending) {
  const auto comesFirst = [&](const QueryValue& left, const QueryValue& right) {
    if (left.isThere() != right.isThere()) return left.isThere();
    return descending ? isBefore(right, left) : isBefore(left, right);
  };
  Places places = upTo(values.size());
  std::ranges::stable_sort(places, comesFirst, [&](std::uint32_t place) { return values[place]; });
  return places;
}

TEST(KeyOrder, IsThatOfTheValuesWithWhatIsAbsentLast) {
  for (const std::size_t count : {1, 300, 150'000}) {
    const std::vector<QueryValue> values = randomValues(count);
    for (const bool descending : {false, true}) {
      const Places expected = stablySorted(values, descending);
      for (const std::size_t limit : {std::size_t{20}, count / 3, SIZE_MAX}) {
        SortKeys keys;
        LargeArray<KeyedPlace> keyed(count);
        for (std::size_t i = 0; i < count; ++i) keyed[i] = KeyedPlace(keys.keyOf(values[i]));
        EXPECT_EQ(placesInOrder(std::move(keyed), limit, descending, kTellNobody, {}), firstOf(expected, limit))
            << count << (descending ? " descending" : " ascending") << ", the first " << limit;
      }
    }
  }
}

void expectStableOrder(const std::vector<std::string>& texts) {
  const auto textAt = [&](std::uint32_t place) { return std::string_view(texts[place]); };
  for (const bool descending : {false, true}) {
    Places expected = upTo(texts.size());
    descending ? std::ranges::stable_sort(expected, std::greater(), textAt)
               : std::ranges::stable_sort(expected, std::less(), textAt);
    for (const std::size_t limit : {std::size_t{1000}, SIZE_MAX}) {
      SortKeys keys;
      LargeArray<KeyedPlace> keyed(texts.size());
      for (std::size_t i = 0; i < texts.size(); ++i) keyed[i] = KeyedPlace(keys.keyOf(texts[i]));
      EXPECT_EQ(placesInOrder(std::move(keyed), limit, descending, kTellNobody, {}), firstOf(expected, limit))
          << texts.size() << (descending ? " descending" : " ascending") << ", the first " << limit;
    }
  }
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

// Fewer than one core sorts, and more.
TEST(KeyOrder, OfTextsIsThatOfAStableSort) {
  for (const std::size_t count : {0, 1, 2, 17, 1000, 32768, 32769, 50'003}) {
    for (const std::string& letters : {"01"s, "ab\0"s, "\x7f\x80\xff"s, "0123456789abcdef"s})
      expectStableOrder(randomTexts(count, letters));
  }
}

TEST(KeyOrder, TellsAZeroFromTheEndOfAText) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 40; ++i) texts.push_back("item"s + std::string(39 - i, '\0'));
  expectStableOrder(texts);
}

TEST(KeyOrder, KeepsTextsThatAreAllTheSame) {
  expectStableOrder(std::vector<std::string>(40'000, "the same again and again"));
  expectStableOrder(std::vector<std::string>(40'000, ""));
}

TEST(KeyOrder, LooksBehindAllThatTheyHaveInCommon) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 50'000; ++i)
    texts.push_back("_id: "s + std::to_string(i * 7919 % 50'021) + ", _next: null");
  expectStableOrder(texts);
}

}  // namespace
}  // namespace heapscape::engine
