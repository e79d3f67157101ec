// SPDX-License-Identifier: MIT
#include "metadata/signature.h"

#include <utility>

#include "base/limits.h"
#include "metadata/compressed_integer.h"

namespace heapscape::engine {

namespace {

// A decoded tree is far bigger than its bytes, so the bytes are capped; a signature of 64 KiB does not occur.
constexpr std::size_t kMaxSignatureBytes = 64 * 1024;
constexpr std::uint32_t kMaxRank = 32;  // the runtime's own limit on array dimensions

tl::unexpected<Error> damaged(std::string what) {
  return failure(ErrorCode::Damaged, std::move(what));
}

/// Decodes the types of one signature, one function per form of II.23.2.12.
class TypeDecoder {
 public:
  explicit TypeDecoder(Bytes bytes) : m_reader(bytes) {}

  Result<SignatureType> decode(std::size_t depth);
  Result<MethodSignature> decodeMethod();
  std::uint8_t readByte() { return m_reader.read<std::uint8_t>(); }

 private:
  Result<ElementType> readElement();
  Result<Token> readToken();
  Result<std::uint32_t> readNumber(std::size_t limit);
  Result<void> readParts(SignatureType& type, std::size_t count, std::size_t depth);
  Result<void> readArray(SignatureType& type, std::size_t depth);
  Result<void> readGenericInstance(SignatureType& type, std::size_t depth);
  Result<void> readFunctionPointer(SignatureType& type, std::size_t depth);
  Result<void> readRest(SignatureType& type, std::size_t depth);

  BoundedReader m_reader;
};

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
  if (kind != ElementType::Class && kind != ElementType::ValueType) {
    return damaged("A signature instantiates something that is neither a class nor a value type.");
  }
  type.isValueType = kind == ElementType::ValueType;
  HEAPSCAPE_TRY(type.token, readToken());
  HEAPSCAPE_TRY(const std::uint32_t count, readNumber(kLimits.typeArguments));
  return readParts(type, count, depth);
}

constexpr std::uint8_t kGenericMethod = 0x10;

// II.23.2.2: a method signature.
Result<void> TypeDecoder::readFunctionPointer(SignatureType& type, std::size_t depth) {
  type.callingConvention = readByte();
  if (type.callingConvention & kGenericMethod) HEAPSCAPE_CHECK(readNumber(kLimits.typeArguments));
  HEAPSCAPE_TRY(const std::uint32_t parameters, readNumber(kMaxSignatureBytes));
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
  HEAPSCAPE_TRY(const std::uint32_t count, readNumber(kMaxSignatureBytes));
  HEAPSCAPE_TRY(method.returned, decode(0));
  for (std::uint32_t i = 0; i < count; ++i) {
    HEAPSCAPE_TRY(SignatureType parameter, decode(0));
    method.parameters.push_back(std::move(parameter));
  }
  return method;
}

}  // namespace

Result<MethodSignature> decodeMethodSignature(Bytes signature) {
  if (signature.size() > kMaxSignatureBytes) return damaged("A signature is longer than any real one.");
  return TypeDecoder(signature).decodeMethod();
}

Result<SignatureType> decodeFieldSignature(Bytes signature) {
  constexpr std::uint8_t kField = 0x06;
  constexpr std::uint8_t kKindMask = 0x0f;
  if (signature.size() > kMaxSignatureBytes) return damaged("A signature is longer than any real one.");
  TypeDecoder decoder(signature);
  if ((decoder.readByte() & kKindMask) != kField) return damaged("A field's signature is not that of a field.");
  return decoder.decode(0);
}

Result<SignatureType> decodeTypeSpec(Bytes signature) {
  if (signature.size() > kMaxSignatureBytes) return damaged("A signature is longer than any real one.");
  return TypeDecoder(signature).decode(0);
}

std::uint32_t primitiveSize(ElementType element) {
  switch (element) {
    case ElementType::Boolean:
    case ElementType::I1:
    case ElementType::U1:
      return 1;
    case ElementType::Char:
    case ElementType::I2:
    case ElementType::U2:
      return 2;
    case ElementType::I4:
    case ElementType::U4:
    case ElementType::R4:
      return 4;
    case ElementType::I8:
    case ElementType::U8:
    case ElementType::R8:
    case ElementType::I:
    case ElementType::U:
    case ElementType::Ptr:
    case ElementType::ByRef:
    case ElementType::FnPtr:
      return 8;
    default:
      return 0;
  }
}

std::string_view primitiveName(ElementType element) {
  switch (element) {
    case ElementType::Void:
      return "System.Void";
    case ElementType::Boolean:
      return "System.Boolean";
    case ElementType::Char:
      return "System.Char";
    case ElementType::I1:
      return "System.SByte";
    case ElementType::U1:
      return "System.Byte";
    case ElementType::I2:
      return "System.Int16";
    case ElementType::U2:
      return "System.UInt16";
    case ElementType::I4:
      return "System.Int32";
    case ElementType::U4:
      return "System.UInt32";
    case ElementType::I8:
      return "System.Int64";
    case ElementType::U8:
      return "System.UInt64";
    case ElementType::R4:
      return "System.Single";
    case ElementType::R8:
      return "System.Double";
    case ElementType::String:
      return "System.String";
    case ElementType::TypedByRef:
      return "System.TypedReference";
    case ElementType::I:
      return "System.IntPtr";
    case ElementType::U:
      return "System.UIntPtr";
    case ElementType::Object:
      return "System.Object";
    default:
      return {};
  }
}

}  // namespace heapscape::engine
