// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "values/primitive_values.h"
#include "values/type_shapes.h"

namespace heapscape::engine {
namespace {

// The texts are those that .NET 10 prints for the same bits with the invariant culture.
TEST(RealTexts, AreDotNets) {
  const std::pair<std::uint64_t, const char*> doubles[] = {
      {0x42d6bcc41e900000, "100000000000000"},
      {0x4341c37937e08000, "10000000000000000"},
      {0x4376345785d8a000, "1E+17"},
      {0x4415af1d78b58c40, "1E+20"},
      {0x437b69b4ba630f35, "1.2345678901234568E+17"},
      {0x430c6bf52633fff8, "999999999999999"},
      {0x3f1a36e2eb1c432d, "0.0001"},
      {0x3ee4f8b588e368f1, "1E-05"},
      {0x3eef75104d551d69, "1.5E-05"},
      {0x7fefffffffffffff, "1.7976931348623157E+308"},
      {0x0000000000000001, "5E-324"},
      {0xfff8000000000000, "NaN"},
      {0x7ff0000000000000, "Infinity"},
      {0xfff0000000000000, "-Infinity"},
      {0x8000000000000000, "-0"},
      {0x3fd5555555555555, "0.3333333333333333"},
      {0x40fe240c9fbe76c9, "123456.789"},
      {0x4059000000000000, "100"},
  };
  for (const auto& [bits, text] : doubles) EXPECT_EQ(realText(std::bit_cast<double>(bits)), text);
  const std::pair<std::uint32_t, const char*> floats[] = {
      {0x49742400, "1000000"},       {0x4cbebc20, "100000000"}, {0x4e6e6b28, "1E+09"},
      {0x4b18967f, "9999999"},       {0x38d1b717, "0.0001"},    {0x3727c5ac, "1E-05"},
      {0x7f7fffff, "3.4028235E+38"}, {0x00000001, "1E-45"},     {0x3eaaaaab, "0.33333334"},
  };
  for (const auto& [bits, text] : floats) EXPECT_EQ(realText(std::bit_cast<float>(bits)), text);
  const std::pair<std::uint16_t, const char*> halves[] = {
      {0x3e00, "1.5"},    {0x7bff, "65500"},    {0x0001, "6E-08"}, {0x2e66, "0.1"},
      {0x3555, "0.3333"}, {0x6400, "1024"},     {0xc080, "-2.25"}, {0x70e2, "10000"},
      {0x00a8, "1E-05"},  {0x7c00, "Infinity"}, {0x7e00, "NaN"},   {0x8000, "-0"},
  };
  for (const auto& [bits, text] : halves) EXPECT_EQ(halfText(bits), text);
}

TEST(PrimitiveTexts, HaveTheSignAndWidthOfTheirType) {
  constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
  EXPECT_EQ(primitiveValue(ElementType::I1, kAllOnes).text, "-1");
  EXPECT_EQ(primitiveValue(ElementType::U1, kAllOnes).text, "255");
  EXPECT_EQ(primitiveValue(ElementType::I2, 0x8000).text, "-32768");
  EXPECT_EQ(primitiveValue(ElementType::U2, 0x8000).text, "32768");
  EXPECT_EQ(primitiveValue(ElementType::I4, kAllOnes).text, "-1");
  EXPECT_EQ(primitiveValue(ElementType::U4, kAllOnes).text, "4294967295");
  EXPECT_EQ(primitiveValue(ElementType::I8, 1ull << 63).text, "-9223372036854775808");
  EXPECT_EQ(primitiveValue(ElementType::U8, kAllOnes).text, "18446744073709551615");
  EXPECT_EQ(primitiveValue(ElementType::I, kAllOnes).text, "-1");
  EXPECT_EQ(primitiveValue(ElementType::U, kAllOnes).text, "18446744073709551615");
  EXPECT_EQ(primitiveValue(ElementType::Boolean, 0).text, "false");
  EXPECT_EQ(primitiveValue(ElementType::Boolean, 1).text, "true");
  EXPECT_EQ(primitiveValue(ElementType::Boolean, 2).text, "true (2)");
  EXPECT_EQ(primitiveValue(ElementType::Class, 1).kind, ValueKind::Damaged);
}

TEST(QuotedTexts, EscapeWhatDoesNotShow) {
  EXPECT_EQ(quotedCharacter(u'x'), "'x'");
  EXPECT_EQ(quotedCharacter(u'\''), "'\\''");
  EXPECT_EQ(quotedCharacter(u'"'), "'\"'");
  EXPECT_EQ(quotedCharacter(u'\0'), "'\\0'");
  EXPECT_EQ(quotedCharacter(0xd83d), "'\\ud83d'");
  EXPECT_EQ(quotedText(u"a \"b\"\\\n\t"), R"("a \"b\"\\\n\t")");
  EXPECT_EQ(quotedText(u"Grüße, 世界, 🚀"), "\"Grüße, 世界, 🚀\"");
  EXPECT_EQ(quotedText(std::u16string{0xd800, u' ', 0x202e, 1, 0xfeff}), R"("\ud800 \u202e\u0001\ufeff")");
}

TEST(EnumTexts, NameMembersAndSetsOfFlags) {
  EnumNames names{.members = {{0, "None"}, {1, "Read"}, {2, "Write"}, {3, "Both"}, {8, "Hidden"}}, .isFlags = true};
  EXPECT_EQ(enumText(names, ElementType::I4, 0), "None");
  EXPECT_EQ(enumText(names, ElementType::I4, 3), "Both");
  EXPECT_EQ(enumText(names, ElementType::I4, 9), "Read | Hidden");
  EXPECT_EQ(enumText(names, ElementType::I4, 11), "Both | Hidden");
  EXPECT_EQ(enumText(names, ElementType::I4, 0x13), "19") << "a bit without a name";
  names.isFlags = false;
  EXPECT_EQ(enumText(names, ElementType::I4, 9), "9");
  EXPECT_EQ(enumText({.members = {{0xff, "MinusOne"}}}, ElementType::I1, 0xffffffffffffffff), "MinusOne");
  EXPECT_EQ(enumText({}, ElementType::I1, 0xfe), "-2");
}

}  // namespace
}  // namespace heapscape::engine
