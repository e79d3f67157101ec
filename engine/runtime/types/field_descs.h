// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "metadata/metadata.h"
#include "runtime/modules/modules.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// The runtime's description of one field (src/coreclr/vm/field.h).
struct DeclaredField {
  Address address;
  std::uint32_t row = 0;     // in the Field table of the declaring type's module
  std::uint32_t offset = 0;  // instance fields: from the object's address + 8, or the start of an unboxed value
  ElementType elementType = ElementType::End;  // Class for every kind of reference
  bool isStatic = false;
  bool isThreadStatic = false;
  bool isRva = false;
  /// Of a static field whose element type does not tell where it lies, as that of CoreCLR does: values that hold
  /// references lie themselves among these, all other values beside.
  bool isUnboxed = false;
  bool isAmongReferences = false;  // if unboxed
  /// Of a field that no metadata tells of: its type if that is a value, else what it leads to where that is known.
  TypeHandle type = {};
};

/// The same with the field's name and signature from metadata.
struct FieldDesc : DeclaredField {
  std::string name;           // "field#ROW" if the metadata is missing
  Bytes signature;            // empty if the metadata is missing; points into the dump
  std::string typeName = {};  // as declared, of a field that no metadata tells of
};

/// How a type is declared that no metadata tells of, as far as a program compiled ahead of time keeps it.
struct ToldDeclaration {
  std::string definition;              // the linker's name of it: the same for all instances of a generic type
  std::string assembly;                // simple name; empty if nothing tells
  std::vector<FieldDesc> fields = {};  // of instances, in the order of the source
  struct Attributes {
    std::uint32_t flags = 0;  // TypeAttributes
    std::uint32_t size = 0;   // of StructLayout; 0 if it has none
    std::uint32_t pack = 0;
  };
  std::optional<Attributes> attributes = {};  // nothing where the program itself keeps nothing of the type
};

/// A member of an enum.
struct EnumLiteral {
  std::string name;
  std::uint64_t value = 0;  // sign-extended
};

/// Reads the fields that a type itself declares: its own instance fields, then its statics.
class FieldDescs {
 public:
  FieldDescs(const MethodTables& methodTables, const Modules& modules)
      : m_methodTables(methodTables), m_modules(modules) {}

  /// False of a program compiled ahead of time without its file of debugging information: what describes fields is
  /// not in it. Which words of an object are references its type tells all the same, see graph/gc_desc.h.
  bool areTold() const;
  /// Of a program compiled ahead of time: the name of that file, and why one that was found is not used (empty if none
  /// was). Empty of others.
  std::string fileName() const;
  std::string problem() const;
  /// Fails with NotInDump or Damaged, or with NotFound where fields are not told, as of single types that the compiler
  /// made for itself.
  Result<std::vector<FieldDesc>> declaredBy(const MethodTable& type) const;
  /// The same without what metadata tells, into a vector that is emptied first.
  Result<void> placesOf(const MethodTable& type, std::vector<DeclaredField>& places) const;
  /// Fails as declaredBy() does, and with NotFound for types that metadata tells of.
  Result<ToldDeclaration> toldDeclarationOf(const MethodTable& type) const;
  /// The members of an enum that no metadata tells of; none of others.
  std::vector<EnumLiteral> literalsOf(const MethodTable& type) const;
  /// Whether such an enum is one of [Flags]; nullopt where the program keeps nothing of its attributes.
  std::optional<bool> isToldAsFlags(const MethodTable& type) const;

 private:
  Result<DeclaredField> readDeclared(Address address) const;

  const MethodTables& m_methodTables;
  const Modules& m_modules;
};

}  // namespace heapscape::engine
