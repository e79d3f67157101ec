// SPDX-License-Identifier: MIT
#include "metadata/names/csharp_type_name.h"

#include <gtest/gtest.h>

namespace heapscape::test {
namespace {

using engine::csharpTypeName;

TEST(CSharpTypeName, HasKeywordsForPrimitives) {
  EXPECT_EQ(csharpTypeName("System.Int32"), "int");
  EXPECT_EQ(csharpTypeName("System.String"), "string");
  EXPECT_EQ(csharpTypeName("System.IntPtr"), "nint");
  EXPECT_EQ(csharpTypeName("System.DateTime"), "DateTime");
  EXPECT_EQ(csharpTypeName("Order"), "Order");
  EXPECT_EQ(csharpTypeName("Other.Int32"), "Int32");
}

TEST(CSharpTypeName, WritesArgumentsNestedTypesAndPointers) {
  EXPECT_EQ(csharpTypeName("System.Collections.Generic.List<System.String>"), "List<string>");
  EXPECT_EQ(csharpTypeName("System.Collections.Generic.Dictionary<System.Int32, A.B<C.D, E>>+Entry[]"),
            "Dictionary<int, B<D, E>>.Entry[]");
  EXPECT_EQ(csharpTypeName("N.Outer<System.Int32>+Inner<System.String>"), "Outer<int>.Inner<string>");
  EXPECT_EQ(csharpTypeName("System.Byte**"), "byte**");
  EXPECT_EQ(csharpTypeName("System.Int32&"), "ref int");
}

TEST(CSharpTypeName, WritesNullablesAndTuples) {
  EXPECT_EQ(csharpTypeName("System.Nullable<System.Int32>[]"), "int?[]");
  EXPECT_EQ(csharpTypeName("System.ValueTuple<System.Int32, System.String>"), "(int, string)");
  EXPECT_EQ(csharpTypeName("System.ValueTuple<System.Int32>"), "ValueTuple<int>");
  EXPECT_EQ(csharpTypeName("System.ValueTuple"), "ValueTuple");
  EXPECT_EQ(csharpTypeName("System.Nullable<System.ValueTuple<System.Int32, System.Nullable<System.Char>>>"),
            "(int, char?)?");
  const std::string seven = "System.Byte, System.Byte, System.Byte, System.Byte, System.Byte, System.Byte, System.Byte";
  EXPECT_EQ(csharpTypeName("System.ValueTuple<" + seven + ", System.ValueTuple<System.Int32>>"),
            "(byte, byte, byte, byte, byte, byte, byte, int)");
  EXPECT_EQ(csharpTypeName("System.ValueTuple<" + seven + ", System.ValueTuple<System.Int32, System.Char>>"),
            "(byte, byte, byte, byte, byte, byte, byte, int, char)");
}

TEST(CSharpTypeName, TurnsTheDimensionsOfArraysAround) {
  EXPECT_EQ(csharpTypeName("System.Int32[,]"), "int[,]");
  EXPECT_EQ(csharpTypeName("System.Int32[][]"), "int[][]");
  EXPECT_EQ(csharpTypeName("System.Int32[,][]"), "int[][,]");
  EXPECT_EQ(csharpTypeName("System.Int32[*]"), "int[*]");
}

TEST(CSharpTypeName, WritesFunctionPointers) {
  EXPECT_EQ(csharpTypeName("System.Int32 (System.Byte, System.Object)"), "delegate*<byte, object, int>");
  EXPECT_EQ(csharpTypeName("System.Void ()[]"), "delegate*<void>[]");
}

TEST(CSharpTypeName, KeepsNamesOfTheCompiler) {
  EXPECT_EQ(csharpTypeName("Shop.Stacks+<>c"), "Stacks.<>c");
  EXPECT_EQ(csharpTypeName("Shop.Stacks+<Run>d__3<System.Int32>"), "Stacks.<Run>d__3<int>");
  EXPECT_EQ(csharpTypeName("<>f__AnonymousType0<System.Int32, System.String>"), "<>f__AnonymousType0<int, string>");
  EXPECT_EQ(csharpTypeName("<unknown type 0x1234>"), "<unknown type 0x1234>");
  EXPECT_EQ(csharpTypeName("shop.dll!0x02000012"), "shop.dll!0x02000012");
}

TEST(CSharpTypeName, LeavesWhatIsNoNameAsItIs) {
  for (const std::string& text : {std::string("List<"), std::string("A<B"), std::string(">"), std::string("A[")})
    EXPECT_EQ(csharpTypeName(text), text);
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "A<";
  EXPECT_EQ(csharpTypeName(deep), deep);
  EXPECT_EQ(csharpTypeName(""), "");
}

}  // namespace
}  // namespace heapscape::test
