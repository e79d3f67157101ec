// SPDX-License-Identifier: MIT
#include "metadata/names/attribute_words.h"

#include <gtest/gtest.h>

namespace heapscape::test {
namespace {

using Words = std::vector<std::string>;

TEST(AttributeWords, OfTypesTellVisibilityAndLayout) {
  EXPECT_EQ(engine::typeAttributeWords(0), (Words{"not public", "auto layout", "ANSI strings"}));
  EXPECT_EQ(engine::typeAttributeWords(0x101), (Words{"public", "sealed", "auto layout", "ANSI strings"}));
  EXPECT_EQ(engine::typeAttributeWords(0x10010a),
            (Words{"nested public", "sealed", "before field init", "sequential layout", "ANSI strings"}));
  EXPECT_EQ(engine::typeAttributeWords(0x200b3),
            (Words{"nested private", "interface", "abstract", "explicit layout", "auto strings"}));
}

TEST(AttributeWords, OfFieldsReadAsADeclaration) {
  EXPECT_EQ(engine::fieldAttributeText(0x31), "private static readonly");
  EXPECT_EQ(engine::fieldAttributeText(0x06), "public");
  EXPECT_EQ(engine::fieldAttributeText(0x02), "private protected");
  EXPECT_EQ(engine::fieldAttributeText(0x05), "protected internal");
  EXPECT_EQ(engine::fieldAttributeText(0xffff & ~0x7),
            "compiler controlled static readonly const not serialized special name");
}

}  // namespace
}  // namespace heapscape::test
