// SPDX-License-Identifier: MIT
#include "layout/declared/metadata_types.h"

#include <fmt/format.h>
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/limits.h"
#include "layout/declared/assembly_list.h"
#include "layout/declared/definition_table.h"
#include "layout/declared/finders/named_type_finder.h"
#include "layout/declared/metadata_flags.h"
#include "layout/declared/type_closer.h"
#include "layout/repeated_field.h"
#include "layout/type_kind.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

/// Names of closed types in the runtime's form, each made once.
class TypeNamer {
 public:
  TypeNamer(const AssemblyList& assemblies, const ClosedTypeTable& types) : m_assemblies(assemblies), m_types(types) {}

  const std::string& nameOf(ClosedTypeId id);
  std::string fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field);

 private:
  std::string makeName(const ClosedType& type);
  std::string functionPointerName(const ClosedType& type);

  const AssemblyList& m_assemblies;
  const ClosedTypeTable& m_types;
  std::vector<std::unique_ptr<const std::string>> m_names;  // by number
  std::size_t m_bytes = 0;
};

constexpr std::string_view kUnknownName = "?";
constexpr std::size_t kMaxBytesInAll = 256 << 20;  // of names that are kept

// Arguments of arguments may each double a crafted name.
std::string bounded(std::string name) {
  return name.size() <= kLimits.nameBytes ? name : std::string(kUnknownName);
}

// Recursion ends with the nesting of closed types, which their table bounds.
const std::string& TypeNamer::nameOf(ClosedTypeId id) {
  if (id.value < m_names.size() && m_names[id.value]) return *m_names[id.value];
  std::string name = m_bytes < kMaxBytesInAll ? bounded(makeName(m_types.at(id))) : std::string(kUnknownName);
  m_bytes += name.size();
  if (id.value >= m_names.size()) m_names.resize(m_types.size());
  m_names[id.value] = std::make_unique<const std::string>(std::move(name));
  return *m_names[id.value];
}

std::string TypeNamer::makeName(const ClosedType& type) {
  switch (type.element) {
    case ElementType::SzArray:
      return nameOf(type.arguments.front()) + "[]";
    case ElementType::Array:
      return nameOf(type.arguments.front()) + arraySuffix(type.rank);
    case ElementType::Ptr:
      return nameOf(type.arguments.front()) + "*";
    case ElementType::ByRef:
      return nameOf(type.arguments.front()) + "&";
    case ElementType::FnPtr:
      return functionPointerName(type);
    case ElementType::Class:
    case ElementType::ValueType:
      break;
    default:
      return std::string(primitiveName(type.element));
  }
  const std::string definition = m_assemblies.metadata(type.assembly).typeDefName(type.typeDefRow);
  if (type.arguments.empty()) return definition;
  std::vector<std::string> names;
  names.reserve(type.arguments.size());
  for (const ClosedTypeId argument : type.arguments) names.push_back(nameOf(argument));
  return withTypeArguments(definition, names);
}

std::string TypeNamer::functionPointerName(const ClosedType& type) {
  std::string name = type.arguments.empty() ? std::string(kUnknownName) : nameOf(type.arguments.front());
  name += " (";
  for (std::size_t part = 1; part < type.arguments.size() && name.size() <= kLimits.nameBytes; ++part) {
    if (part > 1) name += ", ";
    name += nameOf(type.arguments[part]);
  }
  return name + ")";
}

std::string TypeNamer::fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) {
  if (!field.type.isNone()) return nameOf(field.type);
  const ClosedType& type = m_types.at(owner);
  const Metadata& metadata = m_assemblies.metadata(type.assembly);
  const auto row = metadata.field(field.fieldRow);
  const auto signature = row ? decodeFieldSignature(row->signature) : failure(ErrorCode::NotFound, {});
  if (!signature) return std::string(kUnknownName);
  const auto argumentName = [&](std::uint32_t number) {
    return number < type.arguments.size() ? nameOf(type.arguments[number]) : std::string(kUnknownName);
  };
  return signatureTypeName(metadata, *signature, {.typeParameter = argumentName});
}

/// Reads what a type declares, type parameters replaced by its arguments. Fails as DeclaredTypes::declarationOf does.
class DeclarationReader {
 public:
  DeclarationReader(AssemblyList& assemblies, DefinitionTable& definitions, TypeCloser& closer,
                    const ClosedTypeTable& types)
      : m_assemblies(assemblies), m_definitions(definitions), m_closer(closer), m_types(types) {}

  Result<TypeDeclaration> read(const ClosedType& type);

 private:
  Result<ClosedTypeId> readBase(const ClosedType& type, Token extends);
  Result<void> countField(const FieldRow& field);
  Result<void> readFields(const ClosedType& type, std::uint32_t typeAttributes, TypeDeclaration& declaration);
  Result<void> readFieldType(const ClosedType& type, const SignatureType& signature, FieldDeclaration& field);
  Result<ElementType> elementOf(ClosedTypeId type);
  bool isGeneric(const Metadata& metadata, std::uint32_t typeDefRow) const;

  AssemblyList& m_assemblies;
  DefinitionTable& m_definitions;
  TypeCloser& m_closer;
  const ClosedTypeTable& m_types;
  std::size_t m_bytesRead = 0;  // see Limits::declarationBytes
};

constexpr std::string_view kIsByRefLike = "System.Runtime.CompilerServices.IsByRefLikeAttribute";

Error inField(std::string_view field, Error error) {
  error.what = fmt::format("The type of the field {} is not known: {}", field, error.what);
  return error;
}

bool isReference(ElementType element) {
  return element == ElementType::Class || element == ElementType::SzArray || element == ElementType::Array;
}

std::optional<std::uint8_t> nativeTypeOf(const Metadata& metadata, const FieldRow& field, std::uint32_t row) {
  return field.flags & fieldFlags::kHasFieldMarshal ? metadata.nativeTypeOf(row) : std::nullopt;
}

Result<TypeDeclaration> DeclarationReader::read(const ClosedType& type) {
  if (type.typeDefRow == 0 || !m_assemblies.has(type.assembly)) {
    return failure(ErrorCode::BadQuery, "Arrays, pointers and types that are not found have no declaration.");
  }
  const TypeDefinition definition{type.assembly, type.typeDefRow};
  HEAPSCAPE_TRY(const DefinitionFacts facts, m_definitions.factsOf(definition));
  const Metadata& metadata = m_assemblies.metadata(type.assembly);
  const auto row = metadata.typeDef(type.typeDefRow);
  if (!row) return failure(ErrorCode::Damaged, "A type has no definition.");
  TypeDeclaration declaration{.kind = facts.kind,
                              .wellKnown = facts.wellKnown,
                              .layoutKind = declaredLayoutKind(metadata, type.typeDefRow, row->flags),
                              .isGeneric = isGeneric(metadata, type.typeDefRow),
                              .isByRefLike = metadata.typeAttribute(type.typeDefRow, kIsByRefLike).has_value(),
                              .isAnsi = (row->flags & typeFlags::kStringFormatMask) == 0,
                              .isAbstract = (row->flags & typeFlags::kAbstract) != 0,
                              .inlineArrayLength = inlineArrayLength(metadata, type.typeDefRow),
                              .underlying = facts.underlying,
                              .typeDefRow = type.typeDefRow,
                              .assembly = type.assembly};
  if (const auto layout = metadata.classLayout(type.typeDefRow)) {
    declaration.hasClassLayout = true;
    declaration.pack = layout->packingSize;
    declaration.size = layout->classSize;
  }
  if (!facts.isValueType() && facts.kind != TypeKind::Interface && !row->extends.isNil()) {
    HEAPSCAPE_TRY(declaration.base, readBase(type, row->extends));
  }
  HEAPSCAPE_CHECK(readFields(type, row->flags, declaration));
  return declaration;
}

bool DeclarationReader::isGeneric(const Metadata& metadata, std::uint32_t typeDefRow) const {
  for (std::size_t depth = 0; typeDefRow != 0 && depth < kLimits.nestingDepth; ++depth) {
    if (!metadata.genericParamNames({TableId::TypeDef, typeDefRow}).empty()) return true;
    typeDefRow = metadata.enclosingTypeDef(typeDefRow);
  }
  return false;
}

Result<ClosedTypeId> DeclarationReader::readBase(const ClosedType& type, Token extends) {
  SignatureType signature{.element = ElementType::Class, .token = extends};
  if (extends.table == TableId::TypeSpec) {
    const auto bytes = m_assemblies.metadata(type.assembly).typeSpec(extends.row);
    HEAPSCAPE_TRY(signature, decodeTypeSpec(bytes.value_or(Bytes{})));
  }
  HEAPSCAPE_TRY(const ClosedTypeId base, m_closer.close(type.assembly, signature, type.arguments));
  if (m_types.at(base).element != ElementType::Class) {
    return failure(ErrorCode::Damaged, "A class derives from something that is no class.");
  }
  return base;
}

// Rows of many types, and many instantiations, may lead to the same fields and to the same long signature.
Result<void> DeclarationReader::countField(const FieldRow& field) {
  constexpr std::size_t kBytesForOne = 64;
  m_bytesRead += kBytesForOne + field.signature.size();
  if (m_bytesRead <= kLimits.declarationBytes) return {};
  return failure(ErrorCode::Damaged, "The types have more fields in all than those of any program.");
}

Result<void> DeclarationReader::readFields(const ClosedType& type, std::uint32_t typeAttributes,
                                           TypeDeclaration& declaration) {
  const Metadata& metadata = m_assemblies.metadata(type.assembly);
  const auto [first, last] = metadata.fieldRowsOf(type.typeDefRow);
  const bool isUnion = isUnionOfC(metadata, type.typeDefRow, typeAttributes);
  if (last - first > kLimits.fieldsPerType) {
    return failure(ErrorCode::Damaged, "A type claims more fields than the runtime allows.");
  }
  for (std::uint32_t place = first; place < last; ++place) {
    const std::uint32_t row = metadata.fieldRowAt(place);
    const auto read = metadata.field(row);
    if (!read) return failure(ErrorCode::Damaged, "A type names fields that are not in its metadata.");
    HEAPSCAPE_CHECK(countField(*read));
    if (!isInstanceField(*read)) continue;
    FieldDeclaration field{.name = read->name,
                           .explicitOffset = isUnion ? std::optional<std::uint32_t>(0) : metadata.fieldOffset(row),
                           .nativeType = nativeTypeOf(metadata, *read, row),
                           .fieldRow = row};
    const auto signature = decodeFieldSignature(read->signature);
    if (!signature) return tl::unexpected<Error>(inField(read->name, signature.error()));
    if (const auto known = readFieldType(type, *signature, field); !known) {
      return tl::unexpected<Error>(inField(read->name, known.error()));
    }
    declaration.fields.push_back(field);
  }
  return {};
}

// The runtime does not load the types that references and pointers lead to in order to lay them out, and neither do we:
// they may well be missing.
Result<void> DeclarationReader::readFieldType(const ClosedType& type, const SignatureType& signature,
                                              FieldDeclaration& field) {
  switch (signature.element) {
    case ElementType::Class:
    case ElementType::String:
    case ElementType::Object:
    case ElementType::SzArray:
    case ElementType::Array:
      field.element = ElementType::Class;
      return {};
    case ElementType::Ptr:
    case ElementType::FnPtr:
      field.element = ElementType::Ptr;
      return {};
    case ElementType::ByRef:
      field.element = ElementType::ByRef;
      return {};
    case ElementType::Void:
      return failure(ErrorCode::Damaged, "A field cannot hold nothing.");
    default:
      break;
  }
  if (signature.element == ElementType::GenericInst && !signature.isValueType) {
    field.element = ElementType::Class;
    return {};
  }
  HEAPSCAPE_TRY(field.type, m_closer.close(type.assembly, signature, type.arguments));
  HEAPSCAPE_TRY(field.element, elementOf(field.type));
  if (field.element == ElementType::Class && signature.element != ElementType::Var) {
    return failure(ErrorCode::Damaged, "It is named as a value type, but is a class.");
  }
  return {};
}

Result<ElementType> DeclarationReader::elementOf(ClosedTypeId id) {
  const ClosedType& type = m_types.at(id);
  if (isReference(type.element)) return ElementType::Class;
  if (type.element == ElementType::FnPtr) return ElementType::Ptr;
  if (type.element != ElementType::ValueType) return type.element;
  HEAPSCAPE_TRY(const DefinitionFacts facts, m_definitions.factsOf({type.assembly, type.typeDefRow}));
  if (facts.kind != TypeKind::Enum) return ElementType::ValueType;
  if (facts.underlying == ElementType::End) return failure(ErrorCode::Damaged, "An enum has no value field.");
  return facts.underlying;
}

/// Collects the types of an assembly that have a layout, as MetadataTypes::allTypesOf gives them.
class TypeLister {
 public:
  TypeLister(MetadataTypes& types, AssemblyId assembly)
      : m_types(types), m_assembly(assembly), m_metadata(*types.assembly(assembly).metadata) {}

  std::vector<ClosedTypeId> list();

 private:
  void addDefinitions();
  void addNamed();
  void addClosure();
  void addSignature(const SignatureType& signature);
  void add(ClosedTypeId type);
  bool countSignature(Bytes signature);

  MetadataTypes& m_types;
  AssemblyId m_assembly;
  const Metadata& m_metadata;
  std::vector<ClosedTypeId> m_list;
  std::unordered_set<ClosedTypeId> m_seen;
  std::size_t m_bytesRead = 0;
};

std::vector<ClosedTypeId> TypeLister::list() {
  addDefinitions();
  addNamed();
  addClosure();
  return std::move(m_list);
}

void TypeLister::add(ClosedTypeId type) {
  if (m_list.size() < kLimits.listedTypes && m_seen.insert(type).second) m_list.push_back(type);
}

void TypeLister::addDefinitions() {
  // The first definition holds what stands outside of types.
  for (std::uint32_t row = 2; row <= m_metadata.rowCount(TableId::TypeDef); ++row) {
    const auto definition = m_metadata.typeDef(row);
    if (!definition || (definition->flags & typeFlags::kInterface)) continue;
    // Definitions with parameters do not close without arguments.
    if (const auto type = m_types.instantiate(m_assembly, row, {})) add(*type);
  }
}

// Any number of rows may share one long signature.
bool TypeLister::countSignature(Bytes signature) {
  constexpr std::size_t kMaxBytes = 64 << 20;
  m_bytesRead += signature.size();
  return m_bytesRead <= kMaxBytes;
}

// Signatures of fields and methods, and TypeSpec rows, which code refers to generic types by.
void TypeLister::addNamed() {
  for (std::uint32_t row = 1; row <= m_metadata.rowCount(TableId::TypeSpec); ++row) {
    const Bytes bytes = m_metadata.typeSpec(row).value_or(Bytes{});
    if (!countSignature(bytes)) return;
    if (const auto signature = decodeTypeSpec(bytes)) addSignature(*signature);
  }
  for (std::uint32_t row = 1; row <= m_metadata.rowCount(TableId::Field); ++row) {
    const auto field = m_metadata.field(row);
    if (!field) continue;
    if (!countSignature(field->signature)) return;
    if (const auto signature = decodeFieldSignature(field->signature)) addSignature(*signature);
  }
  for (std::uint32_t row = 1; row <= m_metadata.rowCount(TableId::MethodDef); ++row) {
    const auto method = m_metadata.methodDef(row);
    if (!method) continue;
    if (!countSignature(method->signature)) return;
    const auto signature = decodeMethodSignature(method->signature);
    if (!signature) continue;
    addSignature(signature->returned);
    for (const SignatureType& parameter : signature->parameters) addSignature(parameter);
  }
}

void TypeLister::addSignature(const SignatureType& signature) {
  for (const SignatureType& part : signature.parts) addSignature(part);
  if (signature.element != ElementType::GenericInst) return;
  // One that names open parameters does not close.
  const auto type = m_types.resolve(m_assembly, signature, {});
  if (!type) return;
  const auto declaration = m_types.declarationOf(*type);
  if (!declaration || (*declaration)->kind != TypeKind::Interface) add(*type);
}

void TypeLister::addClosure() {
  for (std::size_t next = 0; next < m_list.size(); ++next) {
    const auto declaration = m_types.declarationOf(m_list[next]);
    if (!declaration) continue;
    if (!(*declaration)->base.isNone()) add((*declaration)->base);
    for (const FieldDeclaration& field : (*declaration)->fields) {
      if (field.type.isNone()) continue;
      if (m_types.type(field.type).element == ElementType::ValueType) add(field.type);
    }
  }
}

}  // namespace

/// Parts of MetadataTypes, each part built on those above it.
struct MetadataTypes::Parts {
  explicit Parts(std::shared_ptr<AssemblyFinder> finder)
      : assemblies(std::move(finder), [this] { return reading.isNone() ? std::string() : namer.nameOf(reading); }) {}
  Parts(const Parts&) = delete;

  AssemblyList assemblies;
  DefinitionResolver resolver{assemblies};
  DefinitionTable definitions{assemblies, resolver};
  ClosedTypeTable types;
  TypeCloser closer{assemblies, resolver, definitions, types};
  NamedTypeFinder names{assemblies, resolver, definitions, closer};
  TypeNamer namer{assemblies, types};
  DeclarationReader reader{assemblies, definitions, closer, types};
  ClosedTypeId reading;                                                      // whose declaration is being read
  std::vector<std::unique_ptr<const Result<TypeDeclaration>>> declarations;  // by number
};

MetadataTypes::MetadataTypes(std::shared_ptr<AssemblyFinder> finder)
    : m_parts(std::make_unique<Parts>(std::move(finder))) {}

MetadataTypes::~MetadataTypes() = default;

AssemblyId MetadataTypes::add(AssemblySource assembly) {
  return m_parts->assemblies.add(std::move(assembly));
}

const AssemblySource& MetadataTypes::assembly(AssemblyId id) const {
  return m_parts->assemblies.at(id);
}

std::size_t MetadataTypes::assemblyCount() const {
  return m_parts->assemblies.size();
}

Result<AssemblyId> MetadataTypes::findAssembly(std::string_view simpleName) {
  return m_parts->assemblies.find(simpleName);
}

const std::vector<MetadataTypes::MissingAssembly>& MetadataTypes::missing() const {
  return m_parts->assemblies.missing();
}

Result<ClosedTypeId> MetadataTypes::instantiate(AssemblyId assembly, std::uint32_t typeDefRow,
                                                std::span<const ClosedTypeId> arguments) {
  return m_parts->closer.instantiate({assembly, typeDefRow}, arguments);
}

Result<ClosedTypeId> MetadataTypes::arrayOf(ClosedTypeId element, std::uint32_t rank, bool isSzArray) {
  return m_parts->closer.arrayOf(element, rank, isSzArray);
}

Result<ClosedTypeId> MetadataTypes::pointerTo(ClosedTypeId target, ElementType kind) {
  return m_parts->closer.pointerTo(target, kind);
}

Result<ClosedTypeId> MetadataTypes::functionPointer(std::vector<ClosedTypeId> parts) {
  return m_parts->closer.functionPointer(std::move(parts));
}

Result<ClosedTypeId> MetadataTypes::primitive(ElementType element) {
  return m_parts->closer.primitive(element);
}

Result<ClosedTypeId> MetadataTypes::resolve(AssemblyId assembly, const SignatureType& signature,
                                            std::span<const ClosedTypeId> arguments) {
  return m_parts->closer.close(assembly, signature, arguments);
}

Result<ClosedTypeId> MetadataTypes::parse(AssemblyId home, std::string_view name) {
  return m_parts->names.find(home, name);
}

std::vector<ClosedTypeId> MetadataTypes::allTypesOf(AssemblyId assembly) {
  return TypeLister(*this, assembly).list();
}

std::vector<std::string> MetadataTypes::openDefinitionsOf(AssemblyId assembly) const {
  const Metadata& metadata = m_parts->assemblies.metadata(assembly);
  std::vector<std::string> names;
  for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::TypeDef); ++row) {
    const auto definition = metadata.typeDef(row);
    if (!definition || (definition->flags & typeFlags::kInterface)) continue;
    if (!metadata.genericParamNames({TableId::TypeDef, row}).empty()) names.push_back(metadata.typeDefName(row));
  }
  std::ranges::sort(names);
  return names;
}

const ClosedType& MetadataTypes::type(ClosedTypeId id) const {
  return m_parts->types.at(id);
}

Result<const TypeDeclaration*> MetadataTypes::declarationOf(ClosedTypeId id) {
  auto& known = m_parts->declarations;
  if (id.value >= known.size()) known.resize(m_parts->types.size());
  if (!known[id.value]) {
    m_parts->reading = id;
    auto read = std::make_unique<const Result<TypeDeclaration>>(m_parts->reader.read(type(id)));
    m_parts->reading = {};
    known[id.value] = std::move(read);
  }
  const Result<TypeDeclaration>& declaration = *known[id.value];
  if (!declaration) return tl::unexpected<Error>(declaration.error());
  return &*declaration;
}

const std::string& MetadataTypes::nameOf(ClosedTypeId id) {
  return m_parts->namer.nameOf(id);
}

std::string MetadataTypes::fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) {
  return m_parts->namer.fieldTypeName(owner, field);
}

const std::string& MetadataTypes::assemblyName(AssemblyId assembly) const {
  static const std::string kNone;
  return m_parts->assemblies.has(assembly) ? m_parts->assemblies.at(assembly).name : kNone;
}

// Module::IsInSameVersionBubble in ceeload.cpp: an assembly is in one's bubble if one's native manifest names it.
bool MetadataTypes::sharesVersionBubble(AssemblyId assembly, AssemblyId other) const {
  if (assembly == other) return true;
  if (!m_parts->assemblies.has(assembly)) return false;
  const AssemblySource& source = m_parts->assemblies.at(assembly);
  const bool isOneComposite = !source.compositeImage.empty() && m_parts->assemblies.has(other) &&
                              source.compositeImage == m_parts->assemblies.at(other).compositeImage;
  return isOneComposite || std::ranges::find(source.versionBubble, assemblyName(other)) != source.versionBubble.end();
}

bool MetadataTypes::isReadyToRun(AssemblyId assembly) const {
  return m_parts->assemblies.has(assembly) && m_parts->assemblies.at(assembly).isReadyToRun;
}

const Metadata* MetadataTypes::metadataOf(AssemblyId assembly) const {
  return m_parts->assemblies.has(assembly) ? m_parts->assemblies.at(assembly).metadata.get() : nullptr;
}

}  // namespace heapscape::engine
