// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "metadata/metadata.h"

namespace heapscape::engine {

/// Reads a compressed unsigned integer of one, two or four bytes (ECMA-335 II.23.2); nullopt if it is cut or malformed.
std::optional<std::uint32_t> readCompressed(BoundedReader& reader);
/// Reads a compressed signed integer, whose sign is its lowest bit.
std::optional<std::int32_t> readCompressedSigned(BoundedReader& reader);

/// ECMA-335 II.23.1.16, plus the runtime's own.
enum class ElementType : std::uint8_t {
  End = 0x00,
  Void = 0x01,
  Boolean = 0x02,
  Char = 0x03,
  I1 = 0x04,
  U1 = 0x05,
  I2 = 0x06,
  U2 = 0x07,
  I4 = 0x08,
  U4 = 0x09,
  I8 = 0x0a,
  U8 = 0x0b,
  R4 = 0x0c,
  R8 = 0x0d,
  String = 0x0e,
  Ptr = 0x0f,
  ByRef = 0x10,
  ValueType = 0x11,
  Class = 0x12,
  Var = 0x13,
  Array = 0x14,
  GenericInst = 0x15,
  TypedByRef = 0x16,
  I = 0x18,
  U = 0x19,
  FnPtr = 0x1b,
  Object = 0x1c,
  SzArray = 0x1d,
  MVar = 0x1e,
  CModReqd = 0x1f,
  CModOpt = 0x20,
  Internal = 0x21,
  Sentinel = 0x41,
  Pinned = 0x45,
};

/// A decoded type of a signature, a tree.
struct SignatureType {
  ElementType element = ElementType::End;
  Token token = {};                    // Class and ValueType: TypeDef, TypeRef or TypeSpec
  bool isValueType = false;            // GenericInst: whether its definition was marked ValueType
  std::uint32_t number = 0;            // Var and MVar: which parameter; Array: rank
  std::uint8_t callingConvention = 0;  // FnPtr
  std::uint64_t handle = 0;            // Internal: a type handle of the process
  std::vector<SignatureType> parts =
      {};  // element or pointed-to type; arguments of GenericInst; FnPtr: return type, then parameters
};

/// Decodes a field's signature (II.23.2.4); custom modifiers are skipped. Fails with Damaged, also on too much nesting.
Result<SignatureType> decodeFieldSignature(Bytes signature);
/// Decodes the signature of a TypeSpec row (II.23.2.14).
Result<SignatureType> decodeTypeSpec(Bytes signature);

/// Decodes the signature of a method's local variables (II.23.2.6), in the order of their slots. Fails with Damaged.
Result<std::vector<SignatureType>> decodeLocalSignature(Bytes signature);

/// A decoded signature of a method (II.23.2.1).
struct MethodSignature {
  bool hasThis = false;
  std::uint32_t genericParameters = 0;
  SignatureType returned;
  std::vector<SignatureType> parameters;
};
/// Fails with Damaged.
Result<MethodSignature> decodeMethodSignature(Bytes signature);

/// Bytes of a primitive (Boolean to R8, I, U, pointers: 8); 0 for everything else.
std::uint32_t primitiveSize(ElementType element);
/// "System.Int32" for I4 and so on; empty for what has no name of its own.
std::string_view primitiveName(ElementType element);

/// Decodes the types of one signature, one function per form of II.23.2.12.
class TypeDecoder {
 public:
  enum class Origin { Metadata, Runtime };  // the runtime's own name types by handles, too
  explicit TypeDecoder(Bytes bytes) : m_reader(bytes) {}
  TypeDecoder(BoundedReader reader, Origin origin) : m_reader(reader), m_origin(origin) {}

  Result<SignatureType> decode(std::size_t depth);
  Result<MethodSignature> decodeMethod();
  Result<std::vector<SignatureType>> decodeLocals();
  std::uint8_t readByte() { return m_reader.read<std::uint8_t>(); }
  const BoundedReader& reader() const { return m_reader; }

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
  Origin m_origin = Origin::Metadata;
};

/// Decodes one type of a signature that the runtime made itself, where type handles may stand for tokens, also for the
/// definition of a generic instance, and moves behind it. Fails with Damaged.
Result<SignatureType> decodeRuntimeType(BoundedReader& reader);

}  // namespace heapscape::engine
