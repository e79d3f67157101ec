// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "review/board.h"
#include "review/drawing_check.h"

namespace heapscape::engine {
namespace {

std::string in(const std::string& body) {
  return "<svg width=\"10\" height=\"10\">" + body + "</svg>";
}

TEST(DrawingCheck, LeavesWhatOnlyDrawsAsItIs) {
  const auto drawing = checkedDrawing(in("<g fill=\"#fff\"><path d=\"M0 0L1 1\"/><text x=\"1\">a &lt; b</text></g>"));
  ASSERT_TRUE(drawing) << drawing.error().message();
  EXPECT_NE(drawing->find("<g fill=\"#fff\"><path d=\"M0 0L1 1\"/><text x=\"1\">a &lt; b</text></g>"),
            std::string::npos)
      << *drawing;
}

TEST(DrawingCheck, RefusesEverythingThatDoesMoreThanDraw) {
  for (const char* body : {
           "<script>alert(1)</script>",
           "<SCRIPT/>",
           "<foreignObject><b/></foreignObject>",
           "<rect onload=\"x()\"/>",
           "<rect OnClick=\"x()\"/>",
           "<image href=\"http://example.org/a.png\"/>",
           "<image xlink:href=\"file:///etc/passwd\"/>",
           "<image href=\"data:image/svg+xml;base64,AAAA\"/>",
           "<image href=\"data:image/png;base64,AA&quot;onload=\"/>",
           "<rect fill=\"url(http://example.org/#a)\"/>",
           "<rect fill=\"URL( 'https://example.org' )\"/>",
           "<rect style=\"background:url(//example.org)\"/>",
           "<style>@import 'x'</style>",
           "<a href=\"javascript:alert(1)\"><rect/></a>",
           "<rect fill=\"java&#10;script:alert(1)\"/>",
           "<animate attributeName=\"href\"/>",
           "<use href=\"other.svg#a\"/>",
           "<set/>",
           "<iframe/>",
       }) {
    EXPECT_FALSE(checkedDrawing(in(body))) << body;
  }
}

TEST(DrawingCheck, RefusesWhatIsNoWholeSvg) {
  for (const std::string& text :
       {std::string(), std::string("<svg>"), std::string("<svg></g>"), std::string("<svg/><svg/>"),
        std::string("<html/>"), std::string("text<svg/>"),
        std::string("<!DOCTYPE svg [<!ENTITY a \"b\">]><svg>&a;</svg>"), std::string("<svg>&unknown;</svg>"),
        std::string("<svg><![CDATA[<script/>]]></svg>"), in("<g"), in("<g a>"), in("<g a=b/>"), in("<g a=\"&#0;\"/>"),
        in("<rect x=\"1"), std::string("<svg><!-- "), std::string("<svg><svg/></svg>")}) {
    EXPECT_FALSE(checkedDrawing(text)) << text;
  }
  EXPECT_FALSE(checkedDrawing(std::string(kLargestDrawing + 1, ' ')));
  std::string deep = "<svg>";
  for (int i = 0; i < 100'000; ++i) deep += "<g>";
  EXPECT_FALSE(checkedDrawing(deep));
}

TEST(DrawingCheck, DropsWhatItDoesNotKnowAndComments) {
  const auto drawing = checkedDrawing(in("<!-- <script> --><?php x ?><rect data-x=\"1\" x=\"2\"/>"));
  ASSERT_TRUE(drawing);
  EXPECT_EQ(drawing->find("data-x"), std::string::npos);
  EXPECT_EQ(drawing->find("script"), std::string::npos);
  EXPECT_NE(drawing->find("<rect x=\"2\"/>"), std::string::npos);
}

TEST(DrawingCheck, KeepsGradientsOfSeveralDrawingsApart) {
  const auto drawing = inlineDrawing(
      in("<defs><linearGradient id=\"a\"><stop offset=\"0\"/></linearGradient></defs><rect fill=\"url(#a)\"/>"), "p3-");
  ASSERT_TRUE(drawing) << drawing.error().message();
  EXPECT_NE(drawing->find("id=\"p3-a\""), std::string::npos);
  EXPECT_NE(drawing->find("fill=\"url(#p3-a)\""), std::string::npos);
  EXPECT_EQ(drawing->find("http"), std::string::npos);
}

TEST(DrawingCheck, KeepsPixelsThatAreInTheDrawing) {
  const auto drawing =
      checkedDrawing(in("<image width=\"1\" height=\"1\" xlink:href=\"data:image/png;base64,iVBO+/=\"/>"));
  ASSERT_TRUE(drawing) << drawing.error().message();
  EXPECT_NE(drawing->find("data:image/png;base64,iVBO+/="), std::string::npos);
}

TEST(DrawingCheck, NamesFontsThatEveryBrowserHas) {
  const auto drawing = inlineDrawing(in("<text font-family=\"Sans Serif\">a</text><text font-family=\"X Mono\"/>"), "");
  ASSERT_TRUE(drawing);
  EXPECT_NE(drawing->find("font-family=\"Sans Serif, system-ui, sans-serif\""), std::string::npos) << *drawing;
  EXPECT_NE(drawing->find("font-family=\"X Mono, monospace\""), std::string::npos);
  EXPECT_FALSE(inlineDrawing(in("<text font-family=\"url(http://a)\"/>"), ""));
}

TEST(DrawingCheck, EscapesTextAnew) {
  const auto drawing = checkedDrawing(in("<text>&#60;script&#x3e;&amp;lt;</text>"));
  ASSERT_TRUE(drawing);
  EXPECT_NE(drawing->find("&lt;script&gt;&amp;lt;"), std::string::npos) << *drawing;
}

TEST(DrawingCheck, LeavesOutTextsAndPixelsWhereContentsAreLeftOut) {
  const auto drawing = drawingWithoutText(
      in("<title>secret</title><rect width=\"3\"/><text x=\"1\" aria-label=\"secret\">secret <tspan>secret</tspan>"
         "</text><image width=\"2\" href=\"data:image/png;base64,c2VjcmV0\"/>"));
  ASSERT_TRUE(drawing) << drawing.error().message();
  EXPECT_EQ(drawing->find("secret"), std::string::npos) << *drawing;
  EXPECT_EQ(drawing->find("c2VjcmV0"), std::string::npos) << *drawing;
  EXPECT_NE(drawing->find("<rect width=\"3\"/>"), std::string::npos);
  EXPECT_NE(drawing->find(kContentsLeftOut), std::string::npos);
}

}  // namespace
}  // namespace heapscape::engine
