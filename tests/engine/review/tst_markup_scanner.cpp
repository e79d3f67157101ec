// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "review/drawing_check.h"
#include "review/html_page.h"

namespace heapscape::engine {
namespace {

// "<a k=v>text</a><b/>" as it was understood; "!" at the end if it was not.
std::string scanned(std::string_view markup) {
  MarkupScanner scanner(markup);
  std::string all;
  while (const auto piece = scanner.next()) {
    if (piece->kind == MarkupPiece::Kind::Text) {
      all += "[" + piece->text + "]";
      continue;
    }
    all += piece->kind == MarkupPiece::Kind::Closing ? "</" : "<";
    all += piece->name;
    for (const auto& [key, value] : piece->attributes) all += " " + key + "=" + value;
    all += piece->kind == MarkupPiece::Kind::Empty ? "/>" : ">";
  }
  EXPECT_FALSE(scanner.next()) << "nothing comes behind the end";
  return scanner.hasFailed() ? all + "!" : all;
}

TEST(MarkupScanner, TakesTagsAttributesAndTextApart) {
  EXPECT_EQ(scanned(""), "");
  EXPECT_EQ(scanned("<svg><g id=\"a\"  x='1' >t</g><r/></svg>"), "<svg><g id=a x=1>[t]</g><r/></svg>");
  EXPECT_EQ(scanned("<a\n\tk = \"v\"\r\n/>"), "<a k=v/>");
  EXPECT_EQ(scanned("<xlink:a-b_c.d/>"), "<xlink:a-b_c.d/>");
  EXPECT_EQ(scanned("<a k=\"it's > 1\"/>"), "<a k=it's > 1/>");
  EXPECT_EQ(scanned("</a >"), "</a>");
}

TEST(MarkupScanner, CommentsAndInstructionsArePassedOver) {
  EXPECT_EQ(scanned("<?xml version=\"1.0\"?><!-- <b> -- --><a/>"), "<a/>");
  EXPECT_EQ(scanned("a<!-- x -->b"), "[a][b]");
  EXPECT_EQ(scanned("<a/><!-- open"), "<a/>!");
  EXPECT_EQ(scanned("<?xml"), "!");
}

TEST(MarkupScanner, EntitiesAreResolved) {
  EXPECT_EQ(scanned("&lt;&gt;&amp;&quot;&apos;"), "[<>&\"']");
  EXPECT_EQ(scanned("<a k=\"&#60;&#x3c;\"/>"), "<a k=<</>");
  EXPECT_EQ(scanned("&#xe9;&#8230;&#x1f4be;"), "[é…💾]");
  EXPECT_EQ(scanned("&#65;&#x10ffff;"), "[A\xf4\x8f\xbf\xbf]");
  EXPECT_EQ(scanned("&amp;lt;"), "[&lt;]") << "once, not twice";
}

TEST(MarkupScanner, WhatNamesNoCharacterIsAnError) {
  for (const char* text : {"&nbsp;", "&", "& ", "&;", "&#;", "&#x;", "&#0;", "&#xd800;", "&#x110000;", "&#-5;", "&#6a;",
                           "&lt", "&#99999999999;", "&LT;", "&aaaaaaaaaaaaaaaaaaaaa;"})
    EXPECT_EQ(scanned(text), "!") << text;
  EXPECT_EQ(scanned("<a k=\"&x;\"/>"), "!");
}

TEST(MarkupScanner, WhatCouldDefineMoreIsAnError) {
  EXPECT_EQ(scanned("<a/><!DOCTYPE svg [<!ENTITY x \"y\">]>"), "<a/>!");
  EXPECT_EQ(scanned("<![CDATA[x]]>"), "!");
}

TEST(MarkupScanner, BrokenTagsAreErrors) {
  for (const char* text : {"<", "<>", "< a>", "<a", "<a k", "<a k>", "<a k=>", "<a k=v>", "<a k=\"v>", "<a k=\"v'/>",
                           "<a /b>", "</a k=\"v\">", "</a/>", "<a \"k\"=\"v\">", "<a /"})
    EXPECT_EQ(scanned(text), "!") << text;
}

TEST(MarkupScanner, AttributesAreBounded) {
  const auto tagWith = [](int attributes) {
    std::string tag = "<a";
    for (int i = 0; i < attributes; ++i) tag += " k=\"v\"";
    return tag + "/>";
  };
  EXPECT_EQ(scanned(tagWith(64)).back(), '>');
  EXPECT_EQ(scanned(tagWith(65)), "!");
}

TEST(MarkupScanner, ReadsBackWhatIsEscaped) {
  for (const char* text : {"a < b && c > \"d\" 'e'", "größe 名前 💾", "line\nand\ttab", "]]>", "&amp;"})
    EXPECT_EQ(scanned(escapedMarkup(text)), std::string("[") + text + "]");
  EXPECT_EQ(scanned("<a k=\"" + escapedMarkup("\"/><script>") + "\"/>"), "<a k=\"/><script>/>");
}

}  // namespace
}  // namespace heapscape::engine
