// SPDX-License-Identifier: MIT
#include "metadata/signature.h"

#include <utility>

#include "base/limits.h"

namespace heapscape::engine {

std::optional<std::uint32_t> readCompressed(BoundedReader& reader) {
  const auto first = reader.read<std::uint8_t>();
  std::uint32_t value = first;
  int more = 0;
  if ((first & 0x80) == 0) {
    more = 0;
  } else if ((first & 0xc0) == 0x80) {
    value &= 0x3f;
    more = 1;
  } else if ((first & 0xe0) == 0xc0) {
    value &= 0x1f;
    more = 3;
  } else {
    return std::nullopt;
  }
  for (; more > 0; --more) value = value << 8 | reader.read<std::uint8_t>();
  if (reader.failed()) return std::nullopt;
  return value;
}

std::optional<std::int32_t> readCompressedSigned(BoundedReader& reader) {
  const std::uint64_t start = reader.position();
  const auto rotated = readCompressed(reader);
  if (!rotated) return std::nullopt;
  const std::uint64_t bytes = reader.position() - start;
  const unsigned bits = bytes == 1 ? 7 : bytes == 2 ? 14 : 29;
  const auto magnitude = static_cast<std::int32_t>(*rotated >> 1);
  return (*rotated & 1) == 0 ? magnitude : magnitude - (std::int32_t{1} << (bits - 1));
}

namespace {

// A decoded tree is far bigger than its bytes, so the bytes are capped; a signature of 64 KiB does not occur.
constexpr std::size_t kMaxSignatureBytes = 64 * 1024;

tl::unexpected<Error> damagedSignature(std::string what) {
  return failure(ErrorCode::Damaged, std::move(what));
}

}  // namespace

Result<MethodSignature> decodeMethodSignature(Bytes signature) {
  if (signature.size() > kMaxSignatureBytes) return damagedSignature("A signature is longer than any real one.");
  return TypeDecoder(signature).decodeMethod();
}

Result<SignatureType> decodeFieldSignature(Bytes signature) {
  constexpr std::uint8_t kField = 0x06;
  constexpr std::uint8_t kKindMask = 0x0f;
  if (signature.size() > kMaxSignatureBytes) return damagedSignature("A signature is longer than any real one.");
  TypeDecoder decoder(signature);
  if ((decoder.readByte() & kKindMask) != kField)
    return damagedSignature("A field's signature is not that of a field.");
  return decoder.decode(0);
}

Result<SignatureType> decodeTypeSpec(Bytes signature) {
  if (signature.size() > kMaxSignatureBytes) return damagedSignature("A signature is longer than any real one.");
  return TypeDecoder(signature).decode(0);
}

Result<std::vector<SignatureType>> decodeLocalSignature(Bytes signature) {
  if (signature.size() > kMaxSignatureBytes) return damagedSignature("A signature is longer than any real one.");
  return TypeDecoder(signature).decodeLocals();
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

Result<SignatureType> decodeRuntimeType(BoundedReader& reader) {
  TypeDecoder decoder(reader, TypeDecoder::Origin::Runtime);
  HEAPSCAPE_TRY(SignatureType type, decoder.decode(0));
  if (decoder.reader().failed()) return failure(ErrorCode::Damaged, "A signature ends too early.");
  reader = decoder.reader();
  return type;
}

}  // namespace heapscape::engine
