// SPDX-License-Identifier: MIT
#include "metadata/names/type_name.h"
#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::decodeMethodSignature;
using engine::ElementType;
using engine::ErrorCode;
using engine::MethodSignature;
using engine::Result;
using engine::TableId;
using Builder = MetadataBuilder;

Result<MethodSignature> decoded(const std::vector<unsigned char>& bytes) {
  return decodeMethodSignature(std::as_bytes(std::span(bytes)));
}

TEST(MethodDefRows, HaveNameFlagsAndSignature) {
  Builder builder;
  builder.addTypeDef("", "<Module>");
  builder.addTypeDef("A", "Order");
  builder.addRow(TableId::MethodDef, {Builder::u32(0x2050), Builder::u16(3), Builder::u16(0x96), builder.text("Sum"),
                                      builder.blob({0x00, 0x01, 0x08, 0x0e}), Builder::u16(1)});
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  const auto method = metadata->methodDef(1);
  ASSERT_TRUE(method);
  EXPECT_EQ(method->name, "Sum");
  EXPECT_EQ(method->rva, 0x2050u);
  EXPECT_EQ(method->implFlags, 3);
  EXPECT_EQ(method->flags, 0x96);
  EXPECT_EQ(method->signature.size(), 4u);
  EXPECT_FALSE(metadata->methodDef(0));
  EXPECT_FALSE(metadata->methodDef(2));
}

TEST(MethodSignatures, TellWhatIsPassedAndReturned) {
  const auto plain = decoded({0x20, 0x02, 0x01, 0x08, 0x1d, 0x0e});
  ASSERT_TRUE(plain);
  EXPECT_TRUE(plain->hasThis);
  EXPECT_EQ(plain->genericParameters, 0u);
  EXPECT_EQ(plain->returned.element, ElementType::Void);
  ASSERT_EQ(plain->parameters.size(), 2u);
  EXPECT_EQ(plain->parameters[0].element, ElementType::I4);
  EXPECT_EQ(plain->parameters[1].element, ElementType::SzArray);

  const auto generic = decoded({0x10, 0x02, 0x01, 0x1e, 0x01, 0x13, 0x00});
  ASSERT_TRUE(generic);
  EXPECT_FALSE(generic->hasThis);
  EXPECT_EQ(generic->genericParameters, 2u);
  EXPECT_EQ(generic->returned.element, ElementType::MVar);
  EXPECT_EQ(generic->returned.number, 1u);
}

TEST(MethodSignatures, KeepTypeHandlesOfTheProcess) {
  const auto method = decoded({0x00, 0x01, 0x01, 0x21, 0x78, 0x56, 0x34, 0x12, 0xff, 0x7f, 0, 0});
  ASSERT_TRUE(method);
  EXPECT_EQ(method->parameters.at(0).element, ElementType::Internal);
  EXPECT_EQ(method->parameters.at(0).handle, 0x7fff12345678u);
}

TEST(MethodSignatures, FailOnWhatIsCutOrAbsurd) {
  for (const std::vector<unsigned char>& bytes : std::vector<std::vector<unsigned char>>{{},
                                                                                         {0x20},
                                                                                         {0x20, 0x01},
                                                                                         {0x20, 0x01, 0x01},
                                                                                         {0x10, 0xdf, 0xff, 0xff, 0xff},
                                                                                         {0x00, 0xdf, 0xff, 0xff, 0xff},
                                                                                         {0x00, 0x01, 0x01, 0x77}}) {
    const auto method = decoded(bytes);
    ASSERT_FALSE(method) << bytes.size();
    EXPECT_EQ(method.error().code, ErrorCode::Damaged);
  }
  EXPECT_FALSE(decoded(std::vector<unsigned char>(1 << 20, 0x08)));
}

TEST(MethodSignatures, NameTheirTypeParameters) {
  Builder builder;
  builder.addTypeDef("", "<Module>");
  const auto metadata = parsed(builder);
  const auto method = decoded({0x10, 0x01, 0x01, 0x1e, 0x00, 0x13, 0x00});
  ASSERT_TRUE(method);
  const engine::SignatureNames names{.typeParameter = [](std::uint32_t) { return std::string("T"); },
                                     .methodParameter = [](std::uint32_t) { return std::string("TResult"); }};
  EXPECT_EQ(engine::signatureTypeName(*metadata, method->returned, names), "TResult");
  EXPECT_EQ(engine::signatureTypeName(*metadata, method->parameters[0], names), "T");
  EXPECT_EQ(engine::signatureTypeName(*metadata, method->returned, {}), "!!0");
}

}  // namespace
}  // namespace heapscape::test
