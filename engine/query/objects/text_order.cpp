// SPDX-License-Identifier: MIT
#include "query/objects/text_order.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace heapscape::engine {
namespace {

using Texts = std::span<PlacedText>;

constexpr std::size_t kInWindow = sizeof(PlacedText::window);
constexpr std::size_t kCompared = 16;        // so few are compared as they are
constexpr std::size_t kOfOneCore = 1 << 14;  // more are shared by all
constexpr std::size_t kTextsAtOnce = 1 << 14;

/// The next bytes of a text, the first of them weighing most; zeros behind its end.
std::uint64_t windowOf(const PlacedText& text, std::size_t from) {
  std::uint64_t window = 0;
  if (from < text.bytes) std::memcpy(&window, text.begin + from, std::min(kInWindow, text.bytes - from));
  return __builtin_bswap64(window);
}

/// From `from` on, up to `most`, how many bytes two texts have in common.
std::size_t commonBytes(const PlacedText& one, const PlacedText& other, std::size_t from, std::size_t most) {
  const std::size_t end = std::min<std::size_t>({one.bytes, other.bytes, from + most});
  std::size_t at = from;
  for (; at + kInWindow <= end; at += kInWindow) {
    std::uint64_t left = 0, right = 0;
    std::memcpy(&left, one.begin + at, kInWindow);
    std::memcpy(&right, other.begin + at, kInWindow);
    if (left != right) return at - from + static_cast<std::size_t>(__builtin_ctzll(left ^ right)) / 8;
  }
  while (at < end && one.begin[at] == other.begin[at]) ++at;
  return at - from;
}

std::size_t commonBytes(Texts texts, std::size_t from, std::size_t most) {
  for (std::size_t i = 1; i < texts.size() && most > 0; ++i) most = commonBytes(texts[0], texts[i], from, most);
  return most;
}

class TextOrder {
 public:
  explicit TextOrder(const std::stop_token& stop) : m_stop(stop) {}

  /// All that are alike in their first `from` bytes.
  void sort(Texts texts, std::size_t from) {
    if (texts.size() <= kCompared) {
      std::ranges::sort(texts, [from](const PlacedText& left, const PlacedText& right) {
        const int order = left.text().substr(from).compare(right.text().substr(from));
        return order != 0 ? order < 0 : left.place < right.place;
      });
      return;
    }
    if (m_stop.stop_requested()) return;
    const bool isShared = texts.size() > kOfOneCore;
    from += isShared ? commonOfParts(texts, from) : commonBytes(texts, from, texts[0].bytes - from);
    const auto isBefore = [from](const PlacedText& left, const PlacedText& right) {
      return isWindowBefore(left, right, from);
    };
    if (isShared) {
      inParts(texts, [&](Texts part) { takeWindows(part, from); });
      tbb::parallel_sort(texts.begin(), texts.end(), isBefore);
    } else {
      takeWindows(texts, from);
      std::ranges::sort(texts, isBefore);
    }
    std::vector<Texts> shared;
    for (std::size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
      while (end < texts.size() && areWindowsSame(texts[begin], texts[end], from)) ++end;
      const Texts run = texts.subspan(begin, end - begin);
      if (run.size() == 1 || run[0].bytes < from + kInWindow) continue;
      if (isShared) {
        shared.push_back(run);
      } else {
        sort(run, from + kInWindow);
      }
    }
    tbb::parallel_for(std::size_t{0}, shared.size(), [&](std::size_t i) { sort(shared[i], from + kInWindow); });
  }

 private:
  template <class Visit>
  static void inParts(Texts texts, const Visit& visit) {
    tbb::parallel_for(std::size_t{0}, (texts.size() + kTextsAtOnce - 1) / kTextsAtOnce, [&](std::size_t part) {
      visit(texts.subspan(part * kTextsAtOnce, std::min(kTextsAtOnce, texts.size() - part * kTextsAtOnce)));
    });
  }

  static void takeWindows(Texts texts, std::size_t from) {
    for (PlacedText& text : texts) text.window = windowOf(text, from);
  }

  static std::size_t commonOfParts(Texts texts, std::size_t from) {
    std::vector<std::size_t> common((texts.size() + kTextsAtOnce - 1) / kTextsAtOnce);
    inParts(texts, [&](Texts part) {
      const std::size_t withFirst = commonBytes(texts[0], part[0], from, texts[0].bytes - from);
      common[static_cast<std::size_t>(part.data() - texts.data()) / kTextsAtOnce] = commonBytes(part, from, withFirst);
    });
    return std::ranges::min(common);
  }

  // Zeros of a text are told from what is behind its end by how many bytes there are.
  static std::size_t bytesInWindow(const PlacedText& text, std::size_t from) {
    return std::min<std::size_t>(text.bytes - from, kInWindow);
  }
  static bool areWindowsSame(const PlacedText& one, const PlacedText& other, std::size_t from) {
    return one.window == other.window && bytesInWindow(one, from) == bytesInWindow(other, from);
  }
  static bool isWindowBefore(const PlacedText& left, const PlacedText& right, std::size_t from) {
    if (left.window != right.window) return left.window < right.window;
    const std::size_t inLeft = bytesInWindow(left, from), inRight = bytesInWindow(right, from);
    return inLeft != inRight ? inLeft < inRight : left.place < right.place;
  }

  const std::stop_token& m_stop;
};

}  // namespace

void sortTexts(std::span<PlacedText> texts, const std::stop_token& stop) {
  TextOrder(stop).sort(texts, 0);
}

}  // namespace heapscape::engine
