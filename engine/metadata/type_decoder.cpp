// SPDX-License-Identifier: MIT
#include "metadata/type_decoder.h"

#include <utility>

#include "base/limits.h"
#include "metadata/compressed_integer.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostDecodedParameters = 64 * 1024;
constexpr std::uint32_t kMaxRank = 32;  // the runtime's own limit on array dimensions
constexpr std::uint8_t kGenericMethod = 0x10;

tl::unexpected<Error> damaged(std::string what) {
  return failure(ErrorCode::Damaged, std::move(what));
}

}  // namespace

// II.23.2.8: TypeDefOrRefOrSpecEncoded.
Result<Token> TypeDecoder::readToken() {
  constexpr TableId kTables[] = {TableId::TypeDef, TableId::TypeRef, TableId::TypeSpec};
  const auto encoded = readCompressed(m_reader);
  if (!encoded || (*encoded & 3) == 3) return damaged("A signature names a type that cannot exist.");
  return Token{kTables[*encoded & 3], *encoded >> 2};
}

Result<std::uint32_t> TypeDecoder::readNumber(std::size_t limit) {
  const auto number = readCompressed(m_reader);
  if (!number) return damaged("A signature ends too early.");
  if (*number > limit) return damaged("A signature claims more parts than any real one has.");
  return *number;
}

// Skips custom modifiers (II.23.2.7), pinning and the vararg sentinel, which say nothing about the type.
Result<ElementType> TypeDecoder::readElement() {
  while (true) {
    const auto element = m_reader.read<ElementType>();
    if (m_reader.failed()) return damaged("A signature ends too early.");
    if (element == ElementType::CModReqd || element == ElementType::CModOpt) {
      HEAPSCAPE_CHECK(readToken());
    } else if (element != ElementType::Pinned && element != ElementType::Sentinel) {
      return element;
    }
  }
}

Result<void> TypeDecoder::readParts(SignatureType& type, std::size_t count, std::size_t depth) {
  for (std::size_t part = 0; part < count; ++part) {
    HEAPSCAPE_TRY(auto decoded, decode(depth + 1));
    type.parts.push_back(std::move(decoded));
  }
  return {};
}

// II.23.2.13; sizes and lower bounds matter to nobody here.
Result<void> TypeDecoder::readArray(SignatureType& type, std::size_t depth) {
  HEAPSCAPE_CHECK(readParts(type, 1, depth));
  HEAPSCAPE_TRY(type.number, readNumber(kMaxRank));
  if (type.number == 0) return damaged("A signature names an array without dimensions.");
  for (int list = 0; list < 2; ++list) {
    HEAPSCAPE_TRY(const std::uint32_t count, readNumber(type.number));
    for (std::uint32_t bound = 0; bound < count; ++bound) {
      if (!readCompressed(m_reader)) return damaged("A signature ends too early.");
    }
  }
  return {};
}

Result<void> TypeDecoder::readGenericInstance(SignatureType& type, std::size_t depth) {
  const auto kind = m_reader.read<ElementType>();
  if (kind == ElementType::Internal && m_origin == Origin::Runtime) {
    type.handle = m_reader.read<std::uint64_t>();
  } else if (kind == ElementType::Class || kind == ElementType::ValueType) {
    type.isValueType = kind == ElementType::ValueType;
    HEAPSCAPE_TRY(type.token, readToken());
  } else {
    return damaged("A signature instantiates something that is neither a class nor a value type.");
  }
  HEAPSCAPE_TRY(const std::uint32_t count, readNumber(kLimits.typeArguments));
  return readParts(type, count, depth);
}

// II.23.2.2: a method signature.
Result<void> TypeDecoder::readFunctionPointer(SignatureType& type, std::size_t depth) {
  type.callingConvention = readByte();
  if (type.callingConvention & kGenericMethod) HEAPSCAPE_CHECK(readNumber(kLimits.typeArguments));
  HEAPSCAPE_TRY(const std::uint32_t parameters, readNumber(kMostDecodedParameters));
  return readParts(type, std::size_t{parameters} + 1, depth);
}

Result<void> TypeDecoder::readRest(SignatureType& type, std::size_t depth) {
  switch (type.element) {
    case ElementType::ValueType:
    case ElementType::Class: {
      type.isValueType = type.element == ElementType::ValueType;
      HEAPSCAPE_TRY(type.token, readToken());
      return {};
    }
    case ElementType::Var:
    case ElementType::MVar: {
      HEAPSCAPE_TRY(type.number, readNumber(0xffff));
      return {};
    }
    case ElementType::Ptr:
    case ElementType::ByRef:
    case ElementType::SzArray:
      return readParts(type, 1, depth);
    case ElementType::Array:
      return readArray(type, depth);
    case ElementType::GenericInst:
      return readGenericInstance(type, depth);
    case ElementType::FnPtr:
      return readFunctionPointer(type, depth);
    case ElementType::Internal:
      type.handle = m_reader.read<std::uint64_t>();
      return {};
    default:
      break;
  }
  if (primitiveName(type.element).empty()) return damaged("A signature holds an unknown kind of type.");
  return {};
}

Result<SignatureType> TypeDecoder::decode(std::size_t depth) {
  if (depth > kLimits.nestingDepth) return damaged("A signature is nested too deeply.");
  SignatureType type;
  HEAPSCAPE_TRY(type.element, readElement());
  HEAPSCAPE_CHECK(readRest(type, depth));
  return type;
}

Result<MethodSignature> TypeDecoder::decodeMethod() {
  constexpr std::uint8_t kHasThis = 0x20;
  MethodSignature method;
  const std::uint8_t convention = readByte();
  method.hasThis = (convention & kHasThis) != 0;
  if (convention & kGenericMethod) {
    HEAPSCAPE_TRY(method.genericParameters, readNumber(kLimits.typeArguments));
  }
  HEAPSCAPE_TRY(const std::uint32_t count, readNumber(kMostDecodedParameters));
  HEAPSCAPE_TRY(method.returned, decode(0));
  for (std::uint32_t i = 0; i < count; ++i) {
    HEAPSCAPE_TRY(SignatureType parameter, decode(0));
    method.parameters.push_back(std::move(parameter));
  }
  return method;
}

Result<std::vector<SignatureType>> TypeDecoder::decodeLocals() {
  constexpr std::uint8_t kLocals = 0x07;
  if (readByte() != kLocals) return damaged("The signature of a method's variables is not one of variables.");
  HEAPSCAPE_TRY(const std::uint32_t count, readNumber(kMostDecodedParameters));
  std::vector<SignatureType> locals;
  for (std::uint32_t i = 0; i < count; ++i) {
    HEAPSCAPE_TRY(SignatureType local, decode(0));
    locals.push_back(std::move(local));
  }
  return locals;
}

}  // namespace heapscape::engine
