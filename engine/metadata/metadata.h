// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"

namespace heapscape::engine {

/// The 16 bytes of a GUID as people write it, in lower case and without braces; empty if there are fewer.
std::string guidText(Bytes guid);

/// Metadata tables by their number (ECMA-335 II.22), those of a portable PDB behind them.
enum class TableId : std::uint8_t {
  Module = 0x00,
  TypeRef = 0x01,
  TypeDef = 0x02,
  FieldPtr = 0x03,
  Field = 0x04,
  MethodPtr = 0x05,
  MethodDef = 0x06,
  ParamPtr = 0x07,
  Param = 0x08,
  InterfaceImpl = 0x09,
  MemberRef = 0x0a,
  Constant = 0x0b,
  CustomAttribute = 0x0c,
  FieldMarshal = 0x0d,
  DeclSecurity = 0x0e,
  ClassLayout = 0x0f,
  FieldLayout = 0x10,
  StandAloneSig = 0x11,
  EventMap = 0x12,
  EventPtr = 0x13,
  Event = 0x14,
  PropertyMap = 0x15,
  PropertyPtr = 0x16,
  Property = 0x17,
  MethodSemantics = 0x18,
  MethodImpl = 0x19,
  ModuleRef = 0x1a,
  TypeSpec = 0x1b,
  ImplMap = 0x1c,
  FieldRva = 0x1d,
  EncLog = 0x1e,
  EncMap = 0x1f,
  Assembly = 0x20,
  AssemblyProcessor = 0x21,
  AssemblyOs = 0x22,
  AssemblyRef = 0x23,
  AssemblyRefProcessor = 0x24,
  AssemblyRefOs = 0x25,
  File = 0x26,
  ExportedType = 0x27,
  ManifestResource = 0x28,
  NestedClass = 0x29,
  GenericParam = 0x2a,
  MethodSpec = 0x2b,
  GenericParamConstraint = 0x2c,
  Document = 0x30,
  MethodDebugInformation = 0x31,
  LocalScope = 0x32,
  LocalVariable = 0x33,
  LocalConstant = 0x34,
  ImportScope = 0x35,
  StateMachineMethod = 0x36,
  CustomDebugInformation = 0x37,
};

/// A row of a table; rows are counted from 1, row 0 is "none".
struct Token {
  TableId table = TableId::Module;
  std::uint32_t row = 0;

  constexpr bool operator==(const Token&) const = default;
  constexpr bool isNil() const { return row == 0; }
  /// As the runtime writes it: table in the top byte.
  constexpr std::uint32_t value() const { return static_cast<std::uint32_t>(table) << 24 | row; }
};

struct TypeDefRow {
  std::uint32_t flags = 0;  // TypeAttributes
  std::string_view name;
  std::string_view nameSpace;
  Token extends;  // TypeDef, TypeRef or TypeSpec
  std::uint32_t firstField = 0;
  std::uint32_t firstMethod = 0;
};

struct TypeRefRow {
  Token scope;  // Module, ModuleRef, AssemblyRef or (nested) TypeRef
  std::string_view name;
  std::string_view nameSpace;
};

struct FieldRow {
  std::uint16_t flags = 0;  // FieldAttributes
  std::string_view name;
  Bytes signature;
};

struct MethodDefRow {
  std::uint32_t rva = 0;        // of the IL; 0 if there is none
  std::uint16_t implFlags = 0;  // MethodImplAttributes
  std::uint16_t flags = 0;      // MethodAttributes
  std::string_view name;
  Bytes signature;
};

/// A member of another type, or of an instantiation, that code refers to.
struct MemberRefRow {
  Token parent;  // TypeDef, TypeRef, ModuleRef, MethodDef or TypeSpec
  std::string_view name;
  Bytes signature;
};

/// An instantiation of a generic method.
struct MethodSpecRow {
  Token method;         // MethodDef or MemberRef
  Bytes instantiation;  // ECMA-335 II.23.2.15
};

/// The value of a literal, as ECMA-335 II.22.9 has it.
struct ConstantRow {
  std::uint8_t elementType = 0;  // an ElementType: a primitive, String, or Class for null
  Bytes value;
};

struct ExportedTypeRow {
  std::string_view name;
  std::string_view nameSpace;
  Token implementation;  // File, AssemblyRef or (nested) ExportedType
};

struct GenericParamRow {
  std::uint16_t number = 0;
  Token owner;  // TypeDef or MethodDef
  std::string_view name;
};

struct AssemblyIdentity {
  std::string_view name;
  std::array<std::uint16_t, 4> version{};
};

struct ClassLayoutRow {
  std::uint16_t packingSize = 0;
  std::uint32_t classSize = 0;
};

/// One module's metadata: the tables and heaps of ECMA-335 II.24, read in place. All text and signatures point into the
/// bytes given, which must outlive this object. Every read is bounded; a row or heap index that lies outside gives
/// nothing. Both the compressed (#~) and the edit-and-continue form (#-) are read.
class Metadata {
 public:
  /// Fails with Damaged. `owner` is kept alive with the metadata.
  static Result<std::shared_ptr<const Metadata>> parse(Bytes bytes, std::shared_ptr<const void> owner = {});
  ~Metadata();
  Metadata(const Metadata&) = delete;
  Metadata& operator=(const Metadata&) = delete;

  std::uint32_t rowCount(TableId table) const;

  std::optional<TypeDefRow> typeDef(std::uint32_t row) const;
  std::optional<TypeRefRow> typeRef(std::uint32_t row) const;
  std::optional<FieldRow> field(std::uint32_t row) const;
  std::optional<MethodDefRow> methodDef(std::uint32_t row) const;
  std::optional<Bytes> typeSpec(std::uint32_t row) const;
  std::optional<Bytes> standAloneSig(std::uint32_t row) const;
  std::optional<MemberRefRow> memberRef(std::uint32_t row) const;
  std::optional<MethodSpecRow> methodSpec(std::uint32_t row) const;
  std::string_view moduleRefName(std::uint32_t row) const;
  /// UTF-16 of a text that code loads, by its offset in the heap of such texts (II.24.2.4); nullopt if there is none.
  std::optional<Bytes> userString(std::uint32_t offset) const;
  std::optional<ExportedTypeRow> exportedType(std::uint32_t row) const;
  std::optional<GenericParamRow> genericParam(std::uint32_t row) const;
  std::optional<AssemblyIdentity> assembly() const;
  std::optional<AssemblyIdentity> assemblyRef(std::uint32_t row) const;
  std::optional<ClassLayoutRow> classLayout(std::uint32_t typeDefRow) const;
  /// The explicit offset of a field, if it has one.
  std::optional<std::uint32_t> fieldOffset(std::uint32_t fieldRow) const;
  /// The native type that a MarshalAs attribute asks for (II.23.4), if the field has one.
  std::optional<std::uint8_t> nativeTypeOf(std::uint32_t fieldRow) const;
  /// Name of a method's parameter, counted from 1; empty if it has none.
  std::string_view parameterName(std::uint32_t methodRow, std::uint32_t number) const;
  /// The value of a literal field, parameter or property.
  std::optional<ConstantRow> constantOf(Token parent) const;
  std::string_view moduleName() const;
  /// Module version id, "3f2504e0-4f89-11d3-9a0c-0305e82c3301"; empty if there is none.
  std::string mvid() const;

  /// The type that has a method or field of its own, or 0.
  std::uint32_t typeDefOfMethod(std::uint32_t methodRow) const;
  std::uint32_t typeDefOfField(std::uint32_t fieldRow) const;
  /// The type that a nested type stands in, or 0.
  std::uint32_t enclosingTypeDef(std::uint32_t typeDefRow) const;
  /// Rows of the type's own fields: [first, last). Where fieldsAreIndirect(), these are places to give to fieldRowAt().
  std::pair<std::uint32_t, std::uint32_t> fieldRowsOf(std::uint32_t typeDefRow) const;
  /// Whether the fields of a type need not stand together (FieldPtr, in the edit-and-continue form only).
  bool fieldsAreIndirect() const { return rowCount(TableId::FieldPtr) != 0; }
  /// The Field row at a place of fieldRowsOf(): the place itself unless fieldsAreIndirect(); 0 if there is none.
  std::uint32_t fieldRowAt(std::uint32_t place) const;
  /// Names of the generic parameters of a type definition, by number.
  std::vector<std::string_view> genericParamNames(Token owner) const;

  /// "Namespace.Outer+Inner`1"; nesting is followed to a limit.
  std::string typeDefName(std::uint32_t row) const;
  std::string typeRefName(std::uint32_t row) const;
  /// The definition with that full name, or 0; an index is built at the first call (safe from any thread).
  std::uint32_t findTypeDef(std::string_view fullName) const;

  /// The string argument of the assembly's custom attribute of that full type name
  /// ("System.Reflection.Assembly…Attribute").
  std::optional<std::string> assemblyAttributeText(std::string_view attributeTypeName) const;
  /// Whether the assembly has a custom attribute of that full type name.
  bool hasAssemblyAttribute(std::string_view attributeTypeName) const;
  /// Whether the type has a custom attribute of that full type name; its blob (II.23.3) if so.
  std::optional<Bytes> typeAttribute(std::uint32_t typeDefRow, std::string_view attributeTypeName) const;

 private:
  struct Parts;

  explicit Metadata(std::unique_ptr<const Parts> parts);
  /// Full name of the type whose constructor a custom attribute calls; empty if it cannot be told.
  std::string attributeTypeName(Token constructor) const;
  /// The first custom attribute of that type on that thing: its row, or 0.
  std::uint32_t findAttribute(Token parent, std::string_view attributeTypeName) const;
  std::uint32_t findAssemblyAttribute(std::string_view attributeTypeName) const;
  bool isAttribute(std::uint32_t row, std::string_view attributeTypeName) const;

  std::unique_ptr<const Parts> m_parts;
};

}  // namespace heapscape::engine
