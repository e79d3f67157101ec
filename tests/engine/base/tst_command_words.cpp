// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "base/command_words.h"

namespace heapscape::engine {
namespace {

TEST(CommandWords, TheLastOneEndsWhereTheLineDoes) {
  EXPECT_EQ(lastWordOf(""), "");
  EXPECT_EQ(lastWordOf("types"), "types");
  EXPECT_EQ(lastWordOf("types --so"), "--so");
  EXPECT_EQ(lastWordOf("types\t--so"), "--so");
  EXPECT_EQ(lastWordOf("types "), "");
}

TEST(CommandWords, ABlankInQuotationMarksPartsNoWords) {
  EXPECT_EQ(lastWordOf(R"(objects "size > 1)"), R"("size > 1)");
  EXPECT_EQ(lastWordOf(R"(objects 'a "b c)"), R"('a "b c)");
  EXPECT_EQ(lastWordOf(R"(objects "a b" --l)"), "--l");
}

TEST(CommandWords, BeginTogetherAsFarAsAllDo) {
  EXPECT_EQ(commonBeginning({}), "");
  EXPECT_EQ(commonBeginning(std::vector<std::string>{"types"}), "types");
  EXPECT_EQ(commonBeginning(std::vector<std::string>{"--sort", "--so", "--source"}), "--so");
  EXPECT_EQ(commonBeginning(std::vector<std::string>{"types", "objects"}), "");
}

// Both letters begin with the same byte.
TEST(CommandWords, HalfACharacterIsNoBeginning) {
  EXPECT_EQ(commonBeginning(std::vector<std::string>{"Café.Tafel", "Cafè"}), "Caf");
  EXPECT_EQ(commonBeginning(std::vector<std::string>{"Größe", "Größen"}), "Größe");
}

}  // namespace
}  // namespace heapscape::engine
