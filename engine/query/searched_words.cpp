// SPDX-License-Identifier: MIT
#include "query/searched_words.h"

#include <re2/filtered_re2.h>

#include <cstddef>
#include <vector>

namespace heapscape::engine {
namespace {

constexpr int kShortestWord = 2;
constexpr std::size_t kMostPieces = 64;  // more are alternatives, none of which is needed

bool isOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string longestWord(std::string_view text) {
  std::string_view longest;
  for (std::size_t from = 0, end = 0; from < text.size(); from = end + 1) {
    for (end = from; end < text.size() && isOfWord(text[end]);) ++end;
    if (end - from > longest.size()) longest = text.substr(from, end - from);
  }
  return std::string(longest);
}

// The library tells pieces of text, some of which have to be there. One without which the expression is given up,
// though all others are there, is needed.
std::string wordOfPattern(const re2::RE2& pattern) {
  re2::FilteredRE2 filter(kShortestWord);
  int id = 0;
  if (filter.Add(pattern.pattern(), pattern.options(), &id) != re2::RE2::NoError) return {};
  std::vector<std::string> pieces;
  filter.Compile(&pieces);
  if (pieces.size() > kMostPieces) return {};
  std::string longest;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    std::vector<int> others, possible;
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (i != piece) others.push_back(static_cast<int>(i));
    filter.AllPotentials(others, &possible);
    std::string word = possible.empty() ? longestWord(pieces[piece]) : std::string();
    if (word.size() > longest.size()) longest = std::move(word);
  }
  return longest.size() >= kShortestWord ? longest : std::string();
}

}  // namespace heapscape::engine
