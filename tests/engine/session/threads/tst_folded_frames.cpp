// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "session/stacks/folded_frames.h"
#include "support/builders/hand_made_stacks.h"

namespace heapscape::engine {
namespace {

using Lines = std::vector<std::string>;

std::vector<FrameRow> framesOf(std::string_view letters) {
  std::vector<FrameRow> frames;
  for (const char letter : letters) frames.push_back(managedFrame("P", std::string(1, letter)));
  return frames;
}

std::string repeated(std::string_view unit, std::size_t times) {
  std::string letters;
  for (std::size_t i = 0; i < times; ++i) letters += unit;
  return letters;
}

// "abc" for frames as they are, "3 x ab" for a unit that repeats, "7 of a4 b3" for a mix.
Lines runsOf(const std::string& letters) {
  Lines lines;
  for (const FrameRun& run : foldedFrames(framesOf(letters))) {
    std::string line = run.times > 1     ? std::to_string(run.times) + " x "
                       : run.mix.empty() ? std::string()
                                         : std::to_string(run.count) + " of";
    if (run.mix.empty()) line += letters.substr(run.first, run.unit());
    for (const MethodShare& share : run.mix)
      line += std::string(" ") + letters[share.frame] + std::to_string(share.times);
    lines.push_back(line);
  }
  return lines;
}

TEST(FoldedFrames, OneMethodThatCallsItself) {
  EXPECT_EQ(runsOf("xy" + repeated("a", 74'852) + "rm"), (Lines{"xy", "74852 x a", "rm"}));
}

// As the runtime writes it when the stack of such a program overflows: the unit begins innermost.
TEST(FoldedFrames, MethodsThatCallEachOtherAreTheSmallestUnit) {
  EXPECT_EQ(runsOf(repeated("aab", 1'000) + "arm"), (Lines{"1000 x aab", "arm"}));
  EXPECT_EQ(runsOf(repeated("aaaaaaaaaaab", 100)), (Lines{"100 x aaaaaaaaaaab"}));
}

TEST(FoldedFrames, WhatSavesAFewLinesOnlyStaysAsItIs) {
  EXPECT_EQ(runsOf("xaaaaaaaam"), (Lines{"xaaaaaaaam"}));
  EXPECT_EQ(runsOf("xaaaaaaaaam"), (Lines{"x", "9 x a", "m"}));
  EXPECT_EQ(runsOf("abcdefghabcdefghm"), (Lines{"abcdefghabcdefghm"}));
  EXPECT_EQ(runsOf(""), Lines{});
}

TEST(FoldedFrames, MethodsWithoutOrderHaveShares) {
  std::string mixed;
  std::uint32_t random = 7;
  for (int i = 0; i < 10'000; ++i) {
    random = random * 1664525u + 1013904223u;
    mixed += (random >> 16) % 3 == 0 ? 'b' : 'a';
  }
  const auto a = std::ranges::count(mixed, 'a');
  EXPECT_EQ(runsOf("x" + mixed + "rm"),
            (Lines{"x", "10000 of a" + std::to_string(a) + " b" + std::to_string(10'000 - a), "rm"}));
}

// Long ones say more than shares, and a stack of many methods is no mix.
TEST(FoldedFrames, WhatRepeatsBesideAMixIsToldByItself) {
  const std::string irregular = "abaabbabaaabbbabababbaabbaaababbbababaabbbbaababbabaabababbbaaabbabaaabbab";
  const Lines lines = runsOf(irregular + repeated("ca", 3'000) + "m");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], "3000 x ca");
  std::string many;
  for (int i = 0; i < 200; ++i) many += static_cast<char>('0' + i % 70 + (i / 70) * 2);
  EXPECT_EQ(runsOf(many), Lines{many});
}

TEST(FoldedFrames, WrittenFramesAddUpToAll) {
  const std::vector<FrameRow> frames = framesOf("x" + repeated("aab", 50) + "arm");
  const std::vector<FrameRun> runs = foldedFrames(frames);
  const std::vector<WrittenFrame> written = writtenFrames(runs);
  ASSERT_EQ(written.size(), 7u);
  const std::size_t all = std::accumulate(written.begin(), written.end(), std::size_t{0},
                                          [](std::size_t sum, const WrittenFrame& frame) { return sum + frame.times; });
  EXPECT_EQ(all, frames.size());
  EXPECT_EQ(written[1].frame, 1u);
  EXPECT_EQ(written[1].unit, 3u);
  EXPECT_EQ(written[4].frame, 151u);
  EXPECT_EQ(written[4].times, 1u);
}

TEST(FoldedFrames, AreWrittenAsCalls) {
  const std::vector<FrameRow> frames = framesOf(repeated("aab", 1'234) + "m");
  EXPECT_EQ(textOf(foldedFrames(frames)[0], frames), "1,234 times: P.b -> P.a -> P.a");
}

}  // namespace
}  // namespace heapscape::engine
