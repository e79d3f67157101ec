// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "memory/address_space.h"
#include "runtime/aot/aot_layout.h"
#include "runtime/aot/native_format.h"

namespace heapscape::engine {

/// Kinds of records that are read (HandleType, src/coreclr/tools/Common/Internal/Metadata/NativeFormat).
enum class AotRecord : std::uint8_t {
  Null = 0x00,
  ArraySignature = 0x01,
  ByReferenceSignature = 0x02,
  FunctionPointerSignature = 0x25,
  MethodTypeVariableSignature = 0x2c,
  ModifiedType = 0x2d,
  NamespaceDefinition = 0x2f,
  NamespaceReference = 0x30,
  PointerSignature = 0x32,
  SzArraySignature = 0x37,
  ScopeDefinition = 0x38,
  ScopeReference = 0x39,
  TypeDefinition = 0x3a,
  TypeInstantiationSignature = 0x3c,
  TypeReference = 0x3d,
  TypeSpecification = 0x3e,
  TypeVariableSignature = 0x3f,
};

/// A record of a module's metadata: its kind, and where it lies in there.
struct AotHandle {
  AotRecord kind = AotRecord::Null;
  std::uint32_t offset = 0;
};

/// The metadata that the compiler has embedded for reflection and stack traces, in NativeFormat. Handles come from the
/// dump and may lead anywhere; a name that cannot be read is empty. Safe from any thread.
class AotMetadata {
 public:
  /// Reads a module's section EmbeddedMetadata. Fails with NotInDump or Damaged.
  static Result<AotMetadata> read(const AddressSpace& memory, const AotLayout& layout, AddressRange section);

  /// A handle as others refer to this metadata: 32 bits.
  AotHandle handle(std::uint32_t token) const;
  std::uint32_t tokenOffset(std::uint32_t token) const { return token & ((1u << m_layout->handleKindShift) - 1); }

  /// Full name of a type, as metadata spells definitions, "N.Outer`1+Inner", and the project spells all others:
  /// "N.List<System.String>[]". Empty if it cannot be read.
  std::string typeName(AotHandle type) const;
  std::string_view text(std::uint32_t offset) const;
  NativeFormatReader at(std::uint32_t offset) const { return NativeFormatReader(m_view.bytes, offset); }

 private:
  AotMetadata(const AotLayout& layout, MemoryView view) : m_layout(&layout), m_view(std::move(view)) {}

  std::string typeName(AotHandle type, std::size_t depth) const;
  std::string namespaceName(AotHandle space, std::size_t depth) const;
  std::string instantiation(std::uint32_t offset, std::size_t depth) const;
  AotHandle packedHandle(NativeFormatReader& reader) const;

  const AotLayout* m_layout;
  MemoryView m_view;
};

}  // namespace heapscape::engine
