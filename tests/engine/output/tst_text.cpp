// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "output/text.h"

namespace heapscape::engine {
namespace {

const std::string kReplaced = "\xef\xbf\xbd";

TEST(Text, ValidUtf8StaysAsItIs) {
  for (const char* text : {"", "plain", "Straße", "名前", "\U0001f4be", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(validUtf8(text), text);
}

TEST(Text, EachByteThatIsNoUtf8IsReplaced) {
  EXPECT_EQ(validUtf8("a\xffz"), "a" + kReplaced + "z");
  EXPECT_EQ(validUtf8("\xc3"), kReplaced);                                  // cut off
  EXPECT_EQ(validUtf8("\xc0\xaf"), kReplaced + kReplaced);                  // overlong
  EXPECT_EQ(validUtf8("\xe0\x80\xaf"), kReplaced + kReplaced + kReplaced);  // overlong
  EXPECT_EQ(validUtf8("\xed\xa0\x80"), kReplaced + kReplaced + kReplaced);  // a surrogate
  EXPECT_EQ(validUtf8("\xf4\x90\x80\x80").size(), 4 * kReplaced.size());    // beyond the last code point
  EXPECT_EQ(validUtf8("\xe4\xbd"
                      "a"),
            kReplaced + kReplaced + "a");  // broken off by a letter
}

TEST(Text, WhatWouldNotShowIsEscaped) {
  EXPECT_EQ(printable("a\tb\nc"), "a\\tb\\nc");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\0");
  EXPECT_EQ(printable("\x1b[31m"), "\\u001b[31m") << "no terminal is coloured";
}

TEST(Text, WidthCountsCodePoints) {
  EXPECT_EQ(textWidth("Straße"), 6u);
  EXPECT_EQ(textWidth(""), 0u);
}

TEST(Text, BytesAreReadInStepsOf1024) {
  EXPECT_EQ(readableBytes(0), "0 B");
  EXPECT_EQ(readableBytes(1023), "1023 B");
  EXPECT_EQ(readableBytes(1024), "1.00 KB");
  EXPECT_EQ(readableBytes(1'499'463), "1.43 MB");
}

}  // namespace
}  // namespace heapscape::engine
