// SPDX-License-Identifier: MIT
#include "session/stacks/folded_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/figures.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kLongestUnit = 256;     // frames; recursion through serializers and binders has dozens
constexpr std::uint32_t kLeastTimes = 3;        // what comes twice is a pair of calls rather than a recursion
constexpr std::uint32_t kLeastFramesSaved = 8;  // fewer are better read as they are
constexpr std::size_t kMostMethodsOfMix = 32;
constexpr std::uint32_t kLeastFramesOfMix = 64;       // that would be written one by one
constexpr std::uint32_t kLeastFramesPerMethod = 8;    // of a mix
constexpr std::uint32_t kLeastTimesAtEndsOfMix = 3;   // a method that comes less often did not take part
constexpr std::uint32_t kRunLargerThanAnyMix = 1000;  // frames of a unit: they say more than shares would

/// Numbers frames by their methods.
class FrameKeys {
 public:
  std::vector<std::uint32_t> of(const std::vector<FrameRow>& frames) {
    std::vector<std::uint32_t> keys;
    keys.reserve(frames.size());
    for (const FrameRow& frame : frames) keys.push_back(keyOf(frame));
    return keys;
  }

 private:
  std::uint32_t keyOf(const FrameRow& frame) {
    const auto next = static_cast<std::uint32_t>(m_byMethod.size() + m_byName.size());
    if (frame.kind == FrameKind::Managed && frame.methodDesc)
      return m_byMethod.try_emplace(frame.methodDesc.value << 1 | (frame.isFunclet ? 1 : 0), next).first->second;
    // The offset in a native function is where it is, not what it is.
    std::string name = nameOf(frame);
    if (frame.kind == FrameKind::Native && !frame.method.starts_with('+'))
      name.resize(std::min(name.rfind("+0x"), name.size()));
    return m_byName.try_emplace({frame.kind, std::move(name)}, next).first->second;
  }

  std::unordered_map<std::uint64_t, std::uint32_t> m_byMethod;
  std::map<std::pair<FrameKind, std::string>, std::uint32_t> m_byName;
};

struct Repetition {
  std::uint32_t unit = 1;
  std::uint32_t times = 1;
  std::uint32_t frames() const { return unit * times; }
};

bool isWorthFolding(const Repetition& repetition) {
  return repetition.times >= kLeastTimes && repetition.frames() - repetition.unit >= kLeastFramesSaved;
}

/// For each place the repetition that begins there and covers most frames; of several the one with the smallest unit.
std::vector<Repetition> repetitionsOf(const std::vector<std::uint32_t>& keys) {
  const auto size = static_cast<std::uint32_t>(keys.size());
  std::vector<Repetition> best(size);
  for (std::uint32_t unit = 1; unit <= std::min(kLongestUnit, size / kLeastTimes); ++unit) {
    std::uint32_t equal = 0;  // frames in a row that equal the ones a unit further out
    for (std::uint32_t at = size - unit; at-- > 0;) {
      equal = keys[at] == keys[at + unit] ? equal + 1 : 0;
      const Repetition found{unit, equal / unit + 1};
      if (isWorthFolding(found) && found.frames() > best[at].frames()) best[at] = found;
    }
  }
  return best;
}

/// Runs in which each frame that does not repeat is one of its own.
std::vector<FrameRun> repeatedRuns(const std::vector<std::uint32_t>& keys) {
  const std::vector<Repetition> repetitions = repetitionsOf(keys);
  std::vector<FrameRun> runs;
  for (std::uint32_t at = 0; at < keys.size(); at += repetitions[at].frames())
    runs.push_back({.first = at, .count = repetitions[at].frames(), .times = repetitions[at].times});
  return runs;
}

/// Finds the runs between large repetitions where a few methods take turns in no order, and joins what stays as it is.
class RunJoiner {
 public:
  RunJoiner(const std::vector<std::uint32_t>& keys, std::vector<FrameRun> runs)
      : m_keys(keys), m_runs(std::move(runs)) {}

  std::vector<FrameRun> join() {
    for (std::size_t at = 0; at < m_runs.size();) {
      std::size_t end = at;
      while (end < m_runs.size() && !isLarge(m_runs[end])) ++end;
      addStretch(at, end);
      if (end < m_runs.size()) add(m_runs[end]);
      at = end + 1;
    }
    return std::move(m_joined);
  }

 private:
  using Shares = std::unordered_map<std::uint32_t, MethodShare>;

  static bool isLarge(const FrameRun& run) { return run.isFolded() && run.count >= kRunLargerThanAnyMix; }

  Shares sharesOf(std::size_t begin, std::size_t end) const {
    Shares shares;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::uint32_t at = m_runs[i].first; at < m_runs[i].first + m_runs[i].unit(); ++at)
        shares.try_emplace(m_keys[at], MethodShare{at, 0}).first->second.times += m_runs[i].times;
    }
    return shares;
  }

  /// Whether its methods come back. All of a unit that repeats do.
  bool comesBack(const FrameRun& run, const Shares& shares) const {
    return shares.at(m_keys[run.first]).times >= kLeastTimesAtEndsOfMix;
  }

  void addStretch(std::size_t begin, std::size_t end) {
    const Shares shares = sharesOf(begin, end);
    for (std::size_t at = begin; at < end;) {
      std::size_t behind = at;
      while (behind < end && comesBack(m_runs[behind], shares)) ++behind;
      addPart(at, behind);
      if (behind < end) add(m_runs[behind]);
      at = behind + 1;
    }
  }

  void addPart(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    Shares shares = sharesOf(begin, end);
    std::size_t first = begin;
    std::size_t last = end;
    while (first < last && !comesBack(m_runs[first], shares)) ++first;
    while (last > first && !comesBack(m_runs[last - 1], shares)) --last;
    if (first != begin || last != end) shares = sharesOf(first, last);
    std::uint32_t written = 0;
    for (std::size_t i = first; i < last; ++i) written += m_runs[i].unit();
    const bool isMix = shares.size() <= kMostMethodsOfMix && written >= kLeastFramesOfMix &&
                       written >= kLeastFramesPerMethod * shares.size();
    if (!isMix) first = last = end;
    for (std::size_t i = begin; i < first; ++i) add(m_runs[i]);
    if (isMix) m_joined.push_back(mixOf(first, last, shares));
    for (std::size_t i = last; i < end; ++i) add(m_runs[i]);
  }

  FrameRun mixOf(std::size_t begin, std::size_t end, const Shares& shares) const {
    FrameRun mix{.first = m_runs[begin].first,
                 .count = m_runs[end - 1].first + m_runs[end - 1].count - m_runs[begin].first};
    for (const auto& [key, share] : shares) mix.mix.push_back(share);
    std::ranges::sort(mix.mix, {}, [](const MethodShare& share) { return std::tuple(~share.times, share.frame); });
    return mix;
  }

  void add(const FrameRun& run) {
    const bool isJoined = !run.isFolded() && !m_joined.empty() && !m_joined.back().isFolded();
    if (isJoined)
      m_joined.back().count += run.count;
    else
      m_joined.push_back(run);
  }

  const std::vector<std::uint32_t>& m_keys;
  std::vector<FrameRun> m_runs;
  std::vector<FrameRun> m_joined;
};

std::string methodNameOf(const FrameRow& frame) {
  const std::string method = frame.kind == FrameKind::Managed ? methodOf(frame) : std::string();
  return method.empty() ? nameOf(frame) : method;
}

}  // namespace

std::vector<FrameRun> foldedFrames(const std::vector<FrameRow>& frames) {
  const std::vector<std::uint32_t> keys = FrameKeys().of(frames);
  return RunJoiner(keys, repeatedRuns(keys)).join();
}

std::vector<WrittenFrame> writtenFrames(std::span<const FrameRun> runs) {
  std::vector<WrittenFrame> written;
  for (const FrameRun& run : runs) {
    for (const MethodShare& share : run.mix)
      written.push_back({.frame = share.frame, .times = share.times, .isMixed = true});
    if (!run.mix.empty()) continue;
    const std::uint32_t unit = run.isFolded() ? run.unit() : 1;
    for (std::uint32_t at = run.first; at < run.first + run.unit(); ++at)
      written.push_back({.frame = at, .times = run.times, .unit = unit});
  }
  return written;
}

std::string textOf(const FrameRun& run, const std::vector<FrameRow>& frames) {
  if (!run.isFolded()) return countOf(run.count, "frame");
  std::string text;
  if (run.mix.empty()) {
    for (std::uint32_t at = run.first + run.unit(); at-- > run.first;)
      text += fmt::format("{}{}", text.empty() ? "" : " -> ", methodNameOf(frames[at]));
    return fmt::format("{} times: {}", readableCount(run.times), text);
  }
  for (const MethodShare& share : run.mix)
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", methodNameOf(frames[share.frame]), readableCount(share.times));
  return fmt::format("{} of {}: {}", countOf(run.count, "frame"), countOf(run.mix.size(), "method"), text);
}

}  // namespace heapscape::engine
