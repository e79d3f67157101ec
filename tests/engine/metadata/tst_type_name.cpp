// SPDX-License-Identifier: MIT
#include "metadata/names/type_name.h"

#include "base/limits.h"
#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::ElementType;
using engine::kLimits;
using engine::SignatureType;
using engine::TableId;
using engine::withTypeArguments;
using Builder = MetadataBuilder;

std::string named(std::string_view definition, std::vector<std::string> arguments) {
  return withTypeArguments(definition, arguments);
}

TEST(TypeName, TakesArgumentsLevelByLevel) {
  EXPECT_EQ(named("A.Outer`1+Inner`2", {"X", "Y", "Z"}), "A.Outer<X>+Inner<Y, Z>");
  EXPECT_EQ(named("A.Outer`1+Inner", {"X"}), "A.Outer<X>+Inner");
  EXPECT_EQ(named("A.Outer+Inner`1", {"X"}), "A.Outer+Inner<X>");
  EXPECT_EQ(named("List`1", {"List<X>"}), "List<List<X>>");
}

TEST(TypeName, StaysAsItIsWithoutArguments) {
  EXPECT_EQ(named("A.Outer`1+Inner`2", {}), "A.Outer`1+Inner`2");
  EXPECT_EQ(named("", {}), "");
}

TEST(TypeName, KeepsArgumentsThatNoArityAsksFor) {
  EXPECT_EQ(named("A.Plain", {"X", "Y"}), "A.Plain<X, Y>");
  EXPECT_EQ(named("Outer`1+Inner", {"X", "Y"}), "Outer<X>+Inner<Y>");
}

TEST(TypeName, CopesWithFewerArgumentsThanAritiesAskFor) {
  EXPECT_EQ(named("Outer`2+Inner`1", {"X"}), "Outer<X>+Inner");
  EXPECT_EQ(named("Huge`99999999999999999999", {"X"}), "Huge`99999999999999999999<X>");
}

TEST(TypeName, LeavesBackticksThatAreNoArity) {
  EXPECT_EQ(named("Odd`Name", {"X"}), "Odd`Name<X>");
  EXPECT_EQ(named("Ends`", {"X"}), "Ends`<X>");
  EXPECT_EQ(named("<Run>d__1`1", {"X"}), "<Run>d__1<X>");
}

TEST(TypeName, DoesNotGrowWithoutBounds) {
  const std::vector<std::string> arguments(1000, std::string(60'000, 'x'));
  EXPECT_LE(named("Big`1000", arguments).size(), kLimits.nameBytes);
}

class SignatureTypeName : public testing::Test {
 protected:
  SignatureTypeName() {
    m_builder.addTypeRef(Builder::coded(2, 2, 1), "A", "List`1");
    // TypeSpec 1 is a pointer to a byte, TypeSpec 2 an array of TypeSpec 2.
    m_builder.addRow(TableId::TypeSpec, {m_builder.blob({0x0f, 0x05})});
    m_builder.addRow(TableId::TypeSpec, {m_builder.blob({0x1d, 0x12, 0x0a})});
    m_metadata = parsed(m_builder);
  }

  std::string nameOf(std::vector<unsigned char> signature) {
    const auto type = engine::decodeTypeSpec(std::as_bytes(std::span(signature)));
    if (!type) return type.error().message();
    const auto argument = [](std::uint32_t number) { return "Arg" + std::to_string(number); };
    return engine::signatureTypeName(*m_metadata, *type, {argument, {}, {}});
  }

  Builder m_builder;
  std::shared_ptr<const engine::Metadata> m_metadata;
};

TEST_F(SignatureTypeName, HasTheFormOfItsKind) {
  EXPECT_EQ(nameOf({0x08}), "System.Int32");
  EXPECT_EQ(nameOf({0x0f, 0x05}), "System.Byte*");
  EXPECT_EQ(nameOf({0x10, 0x08}), "System.Int32&");
  EXPECT_EQ(nameOf({0x1d, 0x0e}), "System.String[]");
  EXPECT_EQ(nameOf({0x14, 0x08, 0x02, 0x00, 0x00}), "System.Int32[,]");
  EXPECT_EQ(nameOf({0x14, 0x08, 0x03, 0x00, 0x00}), "System.Int32[,,]");
  EXPECT_EQ(nameOf({0x14, 0x08, 0x01, 0x00, 0x00}), "System.Int32[*]");
  EXPECT_EQ(nameOf({0x12, 0x05}), "A.List`1");
  EXPECT_EQ(nameOf({0x15, 0x12, 0x05, 0x01, 0x1d, 0x0e}), "A.List<System.String[]>");
  EXPECT_EQ(nameOf({0x1b, 0x00, 0x02, 0x08, 0x05, 0x1c}), "System.Int32 (System.Byte, System.Object)");
  EXPECT_EQ(nameOf({0x1b, 0x00, 0x00, 0x01}), "System.Void ()");
}

TEST_F(SignatureTypeName, NamesTypeParameters) {
  EXPECT_EQ(nameOf({0x13, 0x01}), "Arg1");
  EXPECT_EQ(nameOf({0x1e, 0x01}), "!!1");
  const SignatureType open{.element = ElementType::Var, .token = {}, .number = 2, .parts = {}};
  EXPECT_EQ(engine::signatureTypeName(*m_metadata, open, {}), "!2");
}

TEST_F(SignatureTypeName, FollowsTypeSpecs) {
  EXPECT_EQ(nameOf({0x1d, 0x12, 0x06}), "System.Byte*[]");
}

TEST_F(SignatureTypeName, EndsInATypeSpecOfItself) {
  const std::string name = nameOf({0x12, 0x0a});
  EXPECT_TRUE(name.starts_with("?[]")) << name;
  EXPECT_LE(name.size(), 1 + 2 * kLimits.nestingDepth);
}

TEST_F(SignatureTypeName, IsUnknownForTypesThatDoNotExist) {
  EXPECT_EQ(nameOf({0x12, 0x40}), "?");
  EXPECT_EQ(nameOf({0x15, 0x12, 0x40, 0x01, 0x08}), "?<System.Int32>");
  EXPECT_EQ(engine::signatureTypeName(*m_metadata, SignatureType{}, {}), "?");
}

}  // namespace
}  // namespace heapscape::test
