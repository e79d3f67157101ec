// SPDX-License-Identifier: MIT
#include "metadata/signature.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace heapscape::test {
namespace {

using engine::decodeFieldSignature;
using engine::decodeTypeSpec;
using engine::ElementType;
using engine::ErrorCode;
using engine::Result;
using engine::SignatureType;
using engine::TableId;
using engine::Token;

Result<SignatureType> decoded(std::initializer_list<unsigned char> bytes) {
  return decodeFieldSignature(std::as_bytes(std::span(bytes.begin(), bytes.size())));
}

Result<SignatureType> decodedSpec(const std::vector<unsigned char>& bytes) {
  return decodeTypeSpec(std::as_bytes(std::span(bytes)));
}

TEST(Signature, ReadsPrimitives) {
  const auto type = decoded({0x06, 0x08});
  ASSERT_TRUE(type);
  EXPECT_EQ(type->element, ElementType::I4);
  EXPECT_TRUE(type->parts.empty());
}

TEST(Signature, ReadsTokensOfEveryLength) {
  EXPECT_EQ(decoded({0x06, 0x12, 0x05})->token, (Token{TableId::TypeRef, 1}));
  EXPECT_EQ(decoded({0x06, 0x11, 0x81, 0x00})->token, (Token{TableId::TypeDef, 0x40}));
  EXPECT_EQ(decoded({0x06, 0x12, 0xc0, 0x01, 0x00, 0x02})->token, (Token{TableId::TypeSpec, 0x4000}));
  EXPECT_TRUE(decoded({0x06, 0x11, 0x05})->isValueType);
  EXPECT_FALSE(decoded({0x06, 0x12, 0x05})->isValueType);
}

TEST(Signature, SkipsModifiersAtEveryLevel) {
  // volatile-like modifiers before the type, inside an array, and pinning
  const auto type = decoded({0x06, 0x1f, 0x05, 0x20, 0x09, 0x1d, 0x20, 0x81, 0x01, 0x45, 0x0f, 0x1f, 0x05, 0x05});
  ASSERT_TRUE(type);
  EXPECT_EQ(type->element, ElementType::SzArray);
  ASSERT_EQ(type->parts.size(), 1u);
  EXPECT_EQ(type->parts[0].element, ElementType::Ptr);
  EXPECT_EQ(type->parts[0].parts.at(0).element, ElementType::U1);
}

TEST(Signature, ReadsGenericInstances) {
  const auto type = decoded({0x06, 0x15, 0x11, 0x05, 0x02, 0x0e, 0x13, 0x01});
  ASSERT_TRUE(type);
  EXPECT_EQ(type->element, ElementType::GenericInst);
  EXPECT_TRUE(type->isValueType);
  EXPECT_EQ(type->token, (Token{TableId::TypeRef, 1}));
  ASSERT_EQ(type->parts.size(), 2u);
  EXPECT_EQ(type->parts[0].element, ElementType::String);
  EXPECT_EQ(type->parts[1].element, ElementType::Var);
  EXPECT_EQ(type->parts[1].number, 1u);
}

TEST(Signature, ReadsArraysWithSizesAndBounds) {
  const auto type = decodedSpec({0x14, 0x08, 0x02, 0x01, 0x03, 0x02, 0x00, 0x7f});
  ASSERT_TRUE(type);
  EXPECT_EQ(type->element, ElementType::Array);
  EXPECT_EQ(type->number, 2u);
  EXPECT_EQ(type->parts.at(0).element, ElementType::I4);
}

TEST(Signature, ReadsFunctionPointers) {
  // an unmanaged vararg one: void (byte, ..., object)
  const auto type = decoded({0x06, 0x1b, 0x05, 0x02, 0x01, 0x05, 0x41, 0x1c});
  ASSERT_TRUE(type);
  EXPECT_EQ(type->element, ElementType::FnPtr);
  EXPECT_EQ(type->callingConvention, 5);
  ASSERT_EQ(type->parts.size(), 3u);
  EXPECT_EQ(type->parts[0].element, ElementType::Void);
  EXPECT_EQ(type->parts[2].element, ElementType::Object);
}

TEST(Signature, ReadsReferenceFields) {
  const auto type = decoded({0x06, 0x10, 0x08});
  ASSERT_TRUE(type);
  EXPECT_EQ(type->element, ElementType::ByRef);
}

TEST(Signature, FailsOnDamage) {
  const std::vector<std::vector<unsigned char>> damaged = {
      {},                                          // nothing at all
      {0x12},                                      // no token
      {0x12, 0x07},                                // a token of no table
      {0x12, 0xff},                                // no compressed number
      {0x12, 0xc0, 0x01},                          // a number cut in the middle
      {0x1d},                                      // no element type
      {0x15, 0x08, 0x05, 0x01, 0x08},              // an instance of a primitive
      {0x15, 0x12, 0x05, 0x03, 0x08},              // fewer arguments than claimed
      {0x15, 0x12, 0x05, 0xdf, 0xff, 0xff, 0xff},  // half a billion arguments
      {0x14, 0x08, 0x00, 0x00, 0x00},              // no dimension
      {0x14, 0x08, 0x01, 0x02, 0x01, 0x01, 0x00},  // more sizes than dimensions
      {0x1b, 0x00, 0xdf, 0xff, 0xff, 0xff, 0x01},  // half a billion parameters
      {0x17},                                      // no element type has this number
      {0x1f},                                      // a modifier of nothing
  };
  for (const auto& bytes : damaged) {
    const auto type = decodedSpec(bytes);
    ASSERT_FALSE(type);
    EXPECT_EQ(type.error().code, ErrorCode::Damaged);
  }
  EXPECT_EQ(decoded({0x07, 0x01, 0x08}).error().code, ErrorCode::Damaged) << "local variables, not a field";
}

TEST(Signature, NestsToTheLimitOnly) {
  std::vector<unsigned char> bytes(engine::kLimits.nestingDepth, 0x1d);
  bytes.push_back(0x08);
  EXPECT_TRUE(decodedSpec(bytes));
  bytes.insert(bytes.begin(), 0x1d);
  EXPECT_EQ(decodedSpec(bytes).error().code, ErrorCode::Damaged);
  EXPECT_FALSE(decodedSpec(std::vector<unsigned char>(10'000'000, 0x0f)));
}

TEST(Signature, KnowsPrimitives) {
  EXPECT_EQ(engine::primitiveSize(ElementType::Boolean), 1u);
  EXPECT_EQ(engine::primitiveSize(ElementType::Char), 2u);
  EXPECT_EQ(engine::primitiveSize(ElementType::R4), 4u);
  EXPECT_EQ(engine::primitiveSize(ElementType::Ptr), 8u);
  EXPECT_EQ(engine::primitiveSize(ElementType::String), 0u);
  EXPECT_EQ(engine::primitiveSize(ElementType::ValueType), 0u);
  EXPECT_EQ(engine::primitiveName(ElementType::R4), "System.Single");
  EXPECT_EQ(engine::primitiveName(ElementType::Object), "System.Object");
  EXPECT_EQ(engine::primitiveName(ElementType::ValueType), "");
}

}  // namespace
}  // namespace heapscape::test
