// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "query/lexer.h"

namespace heapscape::engine {
namespace {

using TokenKind = QueryToken::Kind;

// "w:size o:> n:1" for words, operators, numbers …; the last one, the end, is left out.
std::string lexed(std::string_view text) {
  static constexpr const char* kLetters = "wnspo(),?.";
  std::string all;
  for (const QueryToken& token : tokensOf(text)) {
    if (token.kind == TokenKind::End) break;
    if (!all.empty()) all += ' ';
    all += std::string(1, kLetters[static_cast<std::size_t>(token.kind)]) + ':' + token.text;
  }
  return all;
}

QueryToken first(std::string_view text) {
  return tokensOf(text).front();
}

TEST(Lexer, EveryTextEndsInOneEnd) {
  for (const char* text : {"", "  \t\r\n ", "age = 1", "\"", "/", "((((", "\xff", "name ~ /"}) {
    const std::vector<QueryToken> tokens = tokensOf(text);
    EXPECT_EQ(tokens.back().kind, TokenKind::End) << text;
    EXPECT_EQ(tokens.back().position, std::string_view(text).size()) << text;
    std::size_t end = 0;
    for (const QueryToken& token : tokens) {
      EXPECT_GE(token.position, end) << text;
      EXPECT_TRUE(token.length > 0 || token.kind == TokenKind::End) << text;
      end = token.end();
    }
  }
}

TEST(Lexer, TellsWordsFromNumbersAndOperators) {
  EXPECT_EQ(lexed("age>=36 and not(name!~'x')"), "w:age o:>= n:36 w:and w:not (:( w:name o:!~ s:x ):)");
  EXPECT_EQ(lexed("a==1"), "w:a o:= n:1") << "the same as =";
  EXPECT_EQ(lexed("a ! b ; c"), "w:a ?:! w:b ?:; w:c");
  EXPECT_EQ(lexed("größe = Straße"), "w:größe o:= w:Straße");
  EXPECT_EQ(lexed("System.Int32[] `1 a::b"), "w:System.Int32[] w:`1 w:a::b");
}

TEST(Lexer, PlacesAreInBytes) {
  const std::vector<QueryToken> tokens = tokensOf("größe = 7");
  EXPECT_EQ(tokens[0].length, 7u);
  EXPECT_EQ(tokens[1].position, 8u);
  EXPECT_EQ(tokens[2].position, 10u);
}

TEST(Lexer, KeywordsHaveAnyCase) {
  EXPECT_TRUE(first("AND").isWord("and"));
  EXPECT_FALSE(first("\"and\"").isWord("and")) << "what is quoted is a value";
  EXPECT_FALSE(first("android").isWord("and"));
}

TEST(Lexer, UnitsBelongToTheirNumber) {
  struct Case {
    const char* text;
    double factor;
    const char* unit;
    std::size_t length;
  };
  for (const Case& wanted : {Case{"64", 1, "", 2}, Case{"64kb", 1024, "KB", 4}, Case{"1.5 \t MiB", 1048576, "MiB", 9},
                             Case{"2TB)", 1099511627776, "TB", 3}, Case{"3 b", 1, "B", 3}, Case{"3 bees", 1, "", 1},
                             Case{"-2 GB and", 1073741824, "GB", 5}, Case{"1e3 KB", 1024, "KB", 6}}) {
    const QueryToken token = first(wanted.text);
    EXPECT_EQ(token.kind, TokenKind::Number) << wanted.text;
    EXPECT_EQ(token.factor, wanted.factor) << wanted.text;
    EXPECT_EQ(token.unit, wanted.unit) << wanted.text;
    EXPECT_EQ(token.length, wanted.length) << wanted.text;
  }
  EXPECT_EQ(first("1.5 MiB").text, "1.5") << "the number alone";
  EXPECT_EQ(first("0x10 KB").factor, 1) << "an address has no unit";
}

TEST(Lexer, WhatOnlyBeginsLikeANumberIsAWord) {
  for (const char* text : {"3rd", "1.2.3", "1e", "0x7fG", "7f4c", "64KBs", "-x", "-"})
    EXPECT_EQ(lexed(text), std::string("w:") + text);
  EXPECT_EQ(lexed("-1.5e-3 0X7F 1.e 1."), "n:-1.5e-3 n:0X7F w:1.e w:1.");
}

TEST(Lexer, StringsEndAtTheirOwnMark) {
  EXPECT_EQ(lexed(R"("it's" 'a "b"')"), R"(s:it's s:a "b")");
  EXPECT_EQ(first(R"("a\"b\\c\n\t\q")").text, "a\"b\\c\n\tq");
  EXPECT_TRUE(first("\"\"").isClosed);
  const QueryToken open = first("\"a b");
  EXPECT_FALSE(open.isClosed);
  EXPECT_EQ(open.text, "a b");
  EXPECT_EQ(open.length, 4u);
  EXPECT_EQ(first("\"a\\").text, "a\\") << "a backslash at the end escapes nothing";
  EXPECT_FALSE(first("\"a\\\"").isClosed) << "an escaped mark closes nothing";
}

TEST(Lexer, PatternsStandOnlyBehindTheirOperatorsAndKeepTheirEscapes) {
  EXPECT_EQ(lexed(R"(name ~ /a\/b\d/)"), R"(w:name o:~ p:a/b\d)");
  EXPECT_EQ(lexed("name !~ /x/"), "w:name o:!~ p:x");
  EXPECT_EQ(lexed("name = /x/"), "w:name o:= ?:/ w:x ?:/");
  EXPECT_FALSE(tokensOf("name ~ /x")[2].isClosed);
}

TEST(Lexer, NamesOfGenericTypesAreOneWordWhereAValueIsExpected) {
  EXPECT_EQ(lexed("type = Map<int, List<Order>>[,] and x"), "w:type o:= w:Map<int, List<Order>>[,] w:and w:x");
  EXPECT_EQ(lexed("type in (A<B>, <>c)"), "w:type w:in (:( w:A<B> ,:, w:<>c ):)");
  EXPECT_EQ(lexed("age<40 and b>3"), "w:age o:< n:40 w:and w:b o:> n:3") << "no value stands there";
  EXPECT_EQ(lexed("type = A<B and c"), "w:type o:= w:A o:< w:B w:and w:c") << "nothing closes it";
  EXPECT_EQ(lexed("type = A<\"B\">"), "w:type o:= w:A o:< s:B o:>");
}

TEST(Lexer, ArgumentsThatDoNotEndAreNotSoughtForEver) {
  const auto valueLength = [](std::size_t letters) {
    return tokensOf("t = A<" + std::string(letters, 'x') + ">")[2].length;
  };
  EXPECT_EQ(valueLength(2000), 2003u);
  EXPECT_EQ(valueLength(3000), 1u);
}

}  // namespace
}  // namespace heapscape::engine
