// SPDX-License-Identifier: MIT
#pragma once

#include "metadata/signature.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
