// SPDX-License-Identifier: MIT
#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::TableId;
using Builder = MetadataBuilder;

constexpr std::string_view kVersion = "System.Reflection.VersionAttribute";

Builder::Cell onAssembly() {
  return Builder::coded(14, 5, 1);
}
Builder::Cell onTypeDef(std::uint32_t row) {
  return Builder::coded(3, 5, row);
}
Builder::Cell memberRef(std::uint32_t row) {
  return Builder::coded(3, 3, row);
}
Builder::Cell methodDef(std::uint32_t row) {
  return Builder::coded(2, 3, row);
}

/// A reference to the constructor of an attribute of another assembly.
std::uint32_t addVersionConstructor(Builder& builder, std::initializer_list<unsigned> signature) {
  builder.addTypeRef(Builder::coded(2, 2, 1), "System.Reflection", "VersionAttribute");
  return builder.addRow(TableId::MemberRef, {Builder::coded(1, 3, 1), builder.text(".ctor"), builder.blob(signature)});
}

std::optional<std::string> textOf(std::initializer_list<unsigned> signature, std::initializer_list<unsigned> value) {
  Builder builder;
  const auto constructor = addVersionConstructor(builder, signature);
  builder.addRow(TableId::CustomAttribute, {onAssembly(), memberRef(constructor), builder.blob(value)});
  const auto metadata = parsed(builder);
  return metadata ? metadata->assemblyAttributeText(kVersion) : std::nullopt;
}

TEST(MetadataAttributes, GiveTheirText) {
  EXPECT_EQ(textOf({0x20, 1, 1, 0x0e}, {1, 0, 3, '8', '.', '0', 0, 0}), "8.0");
}

TEST(MetadataAttributes, GiveEmptyText) {
  EXPECT_EQ(textOf({0x20, 1, 1, 0x0e}, {1, 0, 0, 0, 0}), "");
}

TEST(MetadataAttributes, GiveNoTextWhereThereIsNone) {
  EXPECT_FALSE(textOf({0x20, 1, 1, 0x0e}, {1, 0, 0xff, 0, 0})) << "a null string";
  EXPECT_FALSE(textOf({0x20, 1, 1, 0x08}, {1, 0, 3, 0, 0, 0, 0, 0})) << "the argument is a number";
  EXPECT_FALSE(textOf({0x20, 0, 1}, {1, 0, 0, 0})) << "no argument";
  EXPECT_FALSE(textOf({0x20, 1, 1, 0x0e}, {2, 0, 1, 'a'})) << "no prolog";
  EXPECT_FALSE(textOf({0x20, 1, 1, 0x0e}, {1, 0, 9, 'a'})) << "longer than the blob";
  EXPECT_FALSE(textOf({0x20, 1, 1, 0x0e}, {1, 0})) << "ends before the text";
  EXPECT_FALSE(textOf({}, {})) << "empty blobs";
}

TEST(MetadataAttributes, AreToldApartByTheirType) {
  Builder builder;
  const auto constructor = addVersionConstructor(builder, {0x20, 1, 1, 0x0e});
  builder.addRow(TableId::CustomAttribute, {onAssembly(), memberRef(constructor), builder.blob({1, 0, 1, 'a', 0, 0})});
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_FALSE(metadata->assemblyAttributeText("System.Reflection.OtherAttribute"));
  EXPECT_FALSE(metadata->assemblyAttributeText(""));
  EXPECT_FALSE(metadata->typeAttribute(1, kVersion)) << "it is on the assembly";
}

TEST(MetadataAttributes, OfTheSameModuleAreKnownByTheTypeOfTheirConstructor) {
  for (const bool viaPointers : {false, true}) {
    Builder builder;
    builder.addTypeDef("", "<Module>", 1, 1);
    builder.addTypeDef("A", "First", 1, 1);
    builder.addTypeDef("A", "MarkAttribute", 1, 2);
    builder.addTypeDef("A", "Empty", 1, 3);
    builder.addTypeDef("A", "Last", 1, 3);
    const auto addMethod = [&](const char* name) {
      builder.addRow(TableId::MethodDef, {Builder::u32(0), Builder::u16(0), Builder::u16(0), builder.text(name),
                                          builder.blob({0x20, 0, 1}), Builder::u16(1)});
    };
    for (const char* name : {"a", ".ctor", "b"}) addMethod(name);
    // With pointers, method 3 takes the second place: that of the attribute's constructor.
    if (viaPointers) {
      for (const std::uint32_t target : {1u, 3u, 2u}) builder.addRow(TableId::MethodPtr, {Builder::u16(target)});
    }
    builder.addRow(TableId::CustomAttribute,
                   {onTypeDef(2), methodDef(viaPointers ? 3 : 2), builder.blob({1, 0, 5, 0, 0, 0})});
    const auto metadata = parsed(builder);
    ASSERT_TRUE(metadata);
    const auto value = metadata->typeAttribute(2, "A.MarkAttribute");
    ASSERT_TRUE(value);
    ASSERT_EQ(value->size(), 6u);
    EXPECT_EQ((*value)[2], std::byte{5});
    EXPECT_FALSE(metadata->typeAttribute(2, "A.Last"));
    EXPECT_FALSE(metadata->typeAttribute(3, "A.MarkAttribute"));
  }
}

TEST(MetadataAttributes, WithImpossibleConstructorsAreIgnored) {
  Builder builder;
  builder.addTypeDef("A", "Type");
  for (const auto constructor : {memberRef(9), methodDef(9), Builder::coded(0, 3, 1), Builder::coded(7, 3, 1)}) {
    builder.addRow(TableId::CustomAttribute, {onTypeDef(1), constructor, Builder::blobAt(0xfff0)});
  }
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_FALSE(metadata->typeAttribute(1, kVersion));
}

}  // namespace
}  // namespace heapscape::test
