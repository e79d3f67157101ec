// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  MemberReference = 0x27,
  MethodTypeVariableSignature = 0x2c,
  ModifiedType = 0x2d,
  NamespaceDefinition = 0x2f,
  NamespaceReference = 0x30,
  PointerSignature = 0x32,
  QualifiedMethod = 0x36,
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

/// What type variables stand for, by full name; those beyond the end keep their number as a name, "!0" and "!!0".
struct AotTypeArguments {
  std::vector<std::string> ofType = {};
  std::vector<std::string> ofMethod = {};
};

/// The metadata that the compiler has embedded for reflection and stack traces, in NativeFormat. Handles come from the
/// dump and may lead anywhere; a name that cannot be read is empty. Safe from any thread.
class AotMetadata {
 public:
  /// Reads a module's section EmbeddedMetadata. Fails with NotInDump or Damaged.
  static Result<AotMetadata> read(const AddressSpace& memory, const AotLayout& layout, AddressRange section);

  /// A handle as others refer to this metadata: 32 bits.
  AotHandle handle(std::uint32_t token) const;

  /// Full name of a type, as metadata spells definitions, "N.Outer`1+Inner", and the project spells all others:
  /// "N.List<System.String>[]". Empty if it cannot be read.
  std::string typeName(AotHandle type, const AotTypeArguments& arguments = {}) const;
  /// What a type is an instance of its definition for; empty if it is none, or cannot be read.
  std::vector<std::string> typeArguments(AotHandle type) const;
  /// What a definition declares of its layout: its TypeAttributes, and Size and Pack of its StructLayout, 0 if none.
  struct Declared {
    std::uint32_t flags = 0;
    std::uint32_t size = 0;
    std::uint32_t pack = 0;
  };
  /// nullopt if it is no definition, or cannot be read.
  std::optional<Declared> declared(AotHandle definition) const;
  /// Whether a definition has an attribute of the full name; nullopt if it is no definition, or cannot be read.
  std::optional<bool> hasAttribute(AotHandle definition, std::string_view fullName) const;
  /// Simple names of the assemblies that it is of.
  std::vector<std::string_view> assemblies() const;
  /// Names of the type parameters of a definition, of all nesting levels, outermost first: "TKey", "TValue". Empty if
  /// it has none, or if they cannot be read.
  std::vector<std::string> typeParameters(AotHandle definition) const;
  /// The parameters of a method by its signature, "(System.Int32, System.String)"; empty if they cannot be read.
  std::string parameters(std::uint32_t signature, const AotTypeArguments& arguments) const;
  struct Method {
    std::string_view name;  // empty if the record cannot be read
    std::uint32_t signature = 0;
  };
  /// A record Method.
  Method method(std::uint32_t offset) const;
  std::string_view text(std::uint32_t offset) const;
  /// A list of texts; empty if it cannot be read.
  std::vector<std::string_view> texts(std::uint32_t offset) const;

 private:
  class TypeNamer;

  AotMetadata(const AotLayout& layout, MemoryView view) : m_layout(&layout), m_view(std::move(view)) {}

  NativeFormatReader at(std::uint32_t offset) const { return NativeFormatReader(m_view.bytes, offset); }
  AotHandle packedHandle(NativeFormatReader& reader) const;
  std::string attributeName(std::uint32_t attribute) const;

  const AotLayout* m_layout;
  MemoryView m_view;
};

}  // namespace heapscape::engine
