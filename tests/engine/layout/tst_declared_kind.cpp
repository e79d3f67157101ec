// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "layout/type_kind.h"
#include "support/builders/metadata_builder.h"

namespace heapscape::engine {
namespace {

using Builder = test::MetadataBuilder;

/// What a type declares by these TypeAttributes, and by an ExtendedLayoutAttribute with this value.
LayoutKind kindOf(std::uint32_t attributes, std::initializer_list<unsigned> value) {
  Builder builder;
  builder.addTypeRef(Builder::coded(2, 2, 1), "System.Runtime.InteropServices", "ExtendedLayoutAttribute");
  builder.addRow(TableId::MemberRef,
                 {Builder::coded(1, 3, 1), builder.text(".ctor"), builder.blob({0x20, 1, 1, 0x11, 9})});
  const std::uint32_t row = builder.addTypeDef("N", "Declared");
  builder.addRow(TableId::CustomAttribute, {Builder::coded(3, 5, row), Builder::coded(3, 3, 1), builder.blob(value)});
  const auto bytes = std::make_shared<const std::vector<std::byte>>(builder.build());
  const auto metadata = Metadata::parse(*bytes, bytes);
  return declaredLayoutKind(**metadata, row, attributes);
}

TEST(DeclaredKind, IsThatOfTheAttributes) {
  EXPECT_EQ(kindOf(0x100001, {1, 0, 1, 0, 0, 0, 0, 0}), LayoutKind::Auto) << "only where the layout is an extended one";
  EXPECT_EQ(kindOf(0x100009, {1, 0, 1, 0, 0, 0, 0, 0}), LayoutKind::Sequential);
  EXPECT_EQ(kindOf(0x100011, {1, 0, 0, 0, 0, 0, 0, 0}), LayoutKind::Explicit);
}

TEST(DeclaredKind, ThatIsExtendedIsAStructOrAUnionOfC) {
  EXPECT_EQ(kindOf(0x100019, {1, 0, 0, 0, 0, 0, 0, 0}), LayoutKind::Sequential);
  EXPECT_EQ(kindOf(0x100019, {1, 0, 1, 0, 0, 0, 0, 0}), LayoutKind::Explicit);
  EXPECT_EQ(kindOf(0x100019, {1, 0}), LayoutKind::Sequential) << "an attribute that is cut";
}

}  // namespace
}  // namespace heapscape::engine
