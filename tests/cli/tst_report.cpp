// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/short_type_name.h"
#include "base/unicode.h"
#include "metadata/names/type_name.h"
#include "output/json_writer.h"
#include "output/layouts/layout_output.h"
#include "output/table_output.h"
#include "output/text.h"
#include "review/html_page.h"
#include "values/primitive_values.h"

namespace heapscape::engine {

namespace {

LayoutField field(const char* declaringType, const char* name, const char* type, std::uint32_t offset,
                  std::uint32_t sizeBytes) {
  LayoutField made;
  made.declaringType = declaringType;
  made.name = name;
  made.typeName = type;
  made.offset = offset;
  made.sizeBytes = sizeBytes;
  return made;
}

}  // namespace

TEST(TypeNameForms, argumentsGoBehindTheName) {
  EXPECT_EQ(metadataTypeName("Zoo.Order"), "Zoo.Order");
  EXPECT_EQ(metadataTypeName("N.Outer<System.Int32>+Inner<System.String, A.B>"),
            "N.Outer`1+Inner`2<System.Int32,System.String,A.B>");
  EXPECT_EQ(metadataTypeName("A.Dictionary<System.String, A.List<System.Int32[,]>>+Entry[]"),
            "A.Dictionary`2+Entry<System.String,A.List`1<System.Int32[,]>>[]");
  EXPECT_EQ(metadataTypeName("A.Box<System.Byte*>&"), "A.Box`1<System.Byte*>&");
}

TEST(TypeNameForms, theCompilersOwnBracketsStay) {
  EXPECT_EQ(metadataTypeName("<>f__AnonymousType0<System.Int32, System.Byte>"),
            "<>f__AnonymousType0`2<System.Int32,System.Byte>");
  EXPECT_EQ(metadataTypeName("Zoo.P+<Run>d__3"), "Zoo.P+<Run>d__3");
  EXPECT_EQ(metadataTypeName("P+<<Main>$>d__0<System.Int32>"), "P+<<Main>$>d__0`1<System.Int32>");
}

TEST(TypeNameForms, functionPointers) {
  EXPECT_EQ(metadataTypeName("System.Int32 (System.Byte, System.Object)"),
            "fnptr System.Int32(System.Byte,System.Object)");
  EXPECT_EQ(metadataTypeName("System.Void ()"), "fnptr System.Void()");
  EXPECT_EQ(metadataTypeName("System.Void (System.Int32)[]"), "fnptr System.Void(System.Int32)[]");
}

TEST(TypeNameForms, whatIsInThatFormStays) {
  for (const char* name : {"N.Outer`1+Inner`1<System.Int32,System.String>", "fnptr System.Int32(System.Byte,A.B`1<C>)",
                           "A.Outer`1+Inner<System.Int32>[,]"}) {
    EXPECT_EQ(metadataTypeName(name), name);
  }
}

TEST(TypeNameForms, brokenNamesStayAndEnd) {
  for (const std::string& name : {std::string("A<B"), std::string("A>B"), std::string("<<<"), std::string("A<,>>"),
                                  std::string("("), std::string("A["), std::string()}) {
    EXPECT_EQ(metadataTypeName(name), name);
  }
  std::string deep;
  for (int i = 0; i < 50000; ++i) deep += "A<";
  EXPECT_EQ(metadataTypeName(deep), deep);
}

TEST(TypeNameForms, shortNamesHaveNoNamespaces) {
  EXPECT_EQ(shortTypeName("System.Collections.Generic.Dictionary<System.String, Zoo.Order>+Entry[]"),
            "Dictionary<String, Order>+Entry[]");
  EXPECT_EQ(shortTypeName("Order"), "Order");
}

TEST(Text, whatIsNoUtf8IsReplaced) {
  EXPECT_EQ(validUtf8("größe"), "größe");
  EXPECT_EQ(validUtf8("a\xff"
                      "b\xc3"),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd");
  EXPECT_EQ(validUtf8("\xed\xa0\x80").find('\xed'), std::string::npos) << "surrogates are none";
}

TEST(Text, CharactersThatDoNotShowHaveOneFormEverywhere) {
  using namespace std::string_literals;
  const std::string text = "a\0b\tc\n\x1b[31m\xc2\x9b \xe2\x80\xae \xc2\xad"s;
  const std::string shown = R"(a\0b\tc\n\u001b[31m\u009b \u202e \u00ad)";
  EXPECT_EQ(printable(text), shown);
  EXPECT_EQ(quotedText(*toUtf16(text)), "\"" + shown + "\"");
  EXPECT_EQ(escapedMarkup(text), R"(a\0b)"
                                 "\tc\n"
                                 R"(\u001b[31m\u009b \u202e \u00ad)")
      << "pages keep lines and tabs";
  EXPECT_EQ(printable("größe 😀 中"), "größe 😀 中");
  EXPECT_EQ(escapeOf(u'a'), "");
  EXPECT_EQ(escapeOf(u'\\'), "") << "only quotation makes it special";
}

TEST(Text, RowsOfTabsKeepOneLineEach) {
  std::string text;
  {
    Output output(appendTo(text));
    writeTsvLine(output, {std::string("a\0\tb", 4), std::string("c\nd")});
    output.flush();
  }
  EXPECT_EQ(text, "a\\0\\tb\tc\\nd\n");
}

TEST(Text, figuresForPeople) {
  EXPECT_EQ(readableCount(999), "999");
  EXPECT_EQ(readableCount(1234567), "1,234,567");
  EXPECT_EQ(readableBytes(0), "0 B");
  EXPECT_EQ(readableBytes(1000), "1000 B");
  EXPECT_EQ(readableBytes(1024), "1.00 KB");
  EXPECT_EQ(readableBytes(1500000), "1.43 MB");
  EXPECT_EQ(percentOf(7, 16), 43U);
  EXPECT_EQ(percentOf(1, 0), 0U);
  EXPECT_EQ(percentOf(1ull << 63, ~0ull), 50U);
}

TEST(JsonWriter, nestsAndEscapes) {
  std::string text;
  {
    Output output(appendTo(text));
    JsonWriter json(output);
    json.beginObject();
    json.member("name", "a\"\\\n\x01");
    json.member("address", Address{0x7f00});
    json.key("rows");
    json.beginRows();
    json.value(std::uint64_t{18446744073709551615ull});
    json.value(true);
    json.null();
    json.endArray();
    json.key("none");
    json.beginRows();
    json.endArray();
    json.endObject();
    output.flush();
  }
  EXPECT_EQ(text, R"({"name":"a\"\\\n\u0001","address":"0x7f00","rows":[)"
                  "\n18446744073709551615,\ntrue,\nnull\n],\"none\":[]}");
}

TEST(Output, addressesAndNumbers) {
  std::string text;
  Output output(appendTo(text));
  for (const std::uint64_t value : {0ull, 0xfull, 0x10ull, 0x7f4c59812340ull, 0xffffffffffffffffull}) {
    output.writeAddress({value});
    output.write(' ');
    output.writeNumber(value);
    output.write('\n');
  }
  output.flush();
  EXPECT_EQ(text, "0x0 0\n0xf 15\n0x10 16\n0x7f4c59812340 139965895877440\n0xffffffffffffffff 18446744073709551615\n");
}

TEST(LayoutText, nestedBoxesLieInTheirField) {
  TypeLayout layout;
  layout.typeName = "Zoo.Cage";
  layout.kind = TypeKind::Struct;
  layout.declaredKind = layout.effectiveKind = LayoutKind::Sequential;
  layout.baseSize = 32;
  layout.valueSize = layout.fieldsBytes = 12;
  LayoutField inner = field("Zoo.Cage", "lock", "Zoo.Lock", 4, 8);
  inner.nested = {field("Zoo.Lock", "key", "System.Int32", 4, 4), field("Zoo.Lock", "shut", "System.Boolean", 8, 1)};
  layout.fields = {field("Zoo.Cage", "number", "System.Int32", 0, 4), inner};
  layout.paddings.push_back({9, 3, "Zoo.Lock", true});
  layout.nestedPaddingBytes = 3;
  std::string text;
  Output output(appendTo(text));
  writeLayoutText(output, layout);
  output.flush();
  EXPECT_EQ(text,
            "Type layout for 'Zoo.Cage' (struct, declared sequential)\n"
            "Size: 12 bytes (boxed 32). Paddings: 3 bytes (%25 of empty space in the value; 0 own, 3 nested)\n"
            "|====================================|\n"
            "|   0-3: Int32 number (4 bytes)      |\n"
            "|------------------------------------|\n"
            "|  4-11: Lock lock (8 bytes)         |\n"
            "|   |==============================| |\n"
            "|   |   0-3: Int32 key (4 bytes)   | |\n"
            "|   |------------------------------| |\n"
            "|   |     4: Boolean shut (1 byte) | |\n"
            "|   |------------------------------| |\n"
            "|   |   5-7: padding (3 bytes)     | |\n"
            "|   |==============================| |\n"
            "|====================================|\n");
}

}  // namespace heapscape::engine
