// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/limits.h"
#include "layout/advice/changed_layout.h"
#include "layout/advice/type_advice.h"
#include "layout/declared/declared_types.h"
#include "layout/declared/metadata_flags.h"
#include "layout/repeated_field.h"
#include "metadata/names/csharp_type_name.h"
#include "metadata/names/generated_names.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

/// Parts of C# beyond a layout, from the metadata of one type: the words before a name, how types are written there,
/// accessors of properties. Where there is no metadata, everything is public and type arguments stand for parameters.
class CSharpSource {
 public:
  CSharpSource(DeclaredTypes& types, ClosedTypeId type, const TypeDeclaration& declaration);

  /// "public sealed " and the like.
  std::string typeModifiers() const;
  /// "CharSet.Unicode" where it is not the default; or empty.
  std::string charSet() const;
  /// "Node<T>".
  std::string typeName() const;
  /// "Entity<T>"; empty for Object.
  std::string baseName() const;
  /// The declaration of one field, or of the property or event that it belongs to, from its attribute on:
  /// "[FieldOffset(8)] public readonly int id;".
  std::string member(const FieldDeclaration& field) const;
  /// Whether the field is that of an automatic property.
  static bool isOfProperty(const FieldDeclaration& field);

 private:
  std::string fieldTypeName(const FieldDeclaration& field) const;
  std::string parameterName(std::uint32_t number) const;
  std::string fixedBuffer(const FieldDeclaration& field, std::string_view access) const;
  std::string property(const FieldDeclaration& field) const;
  std::string fieldModifiers(const FieldDeclaration& field) const;
  const MethodDefRow* method(const std::string& name) const;
  void indexMethods();

  DeclaredTypes& m_types;
  ClosedTypeId m_type;
  const TypeDeclaration& m_declaration;
  const Metadata* m_metadata;
  std::vector<std::string_view> m_parameterNames;  // of outer types, too
  std::unordered_map<std::string_view, MethodDefRow> m_methods;
};

// C# language specification, 6.4.4; sorted.
constexpr std::array<std::string_view, 77> kReserved{
    "abstract", "as",      "base",    "bool",       "break",    "byte",     "case",      "catch",     "char",
    "checked",  "class",   "const",   "continue",   "decimal",  "default",  "delegate",  "do",        "double",
    "else",     "enum",    "event",   "explicit",   "extern",   "false",    "finally",   "fixed",     "float",
    "for",      "foreach", "goto",    "if",         "implicit", "in",       "int",       "interface", "internal",
    "is",       "lock",    "long",    "namespace",  "new",      "null",     "object",    "operator",  "out",
    "override", "params",  "private", "protected",  "public",   "readonly", "ref",       "return",    "sbyte",
    "sealed",   "short",   "sizeof",  "stackalloc", "static",   "string",   "struct",    "switch",    "this",
    "throw",    "true",    "try",     "typeof",     "uint",     "ulong",    "unchecked", "unsafe",    "ushort",
    "using",    "virtual", "void",    "volatile",   "while"};

/// A name as C# source writes it: reserved words need an @ in front.
std::string csharpIdentifier(std::string_view name) {
  const bool isReserved = std::ranges::binary_search(kReserved, name);
  return (isReserved ? "@" : "") + std::string(name);
}

constexpr std::uint16_t kAccessMask = 0x7;  // of FieldAttributes and MethodAttributes
constexpr std::uint16_t kInitOnly = 0x20;   // FieldAttributes
constexpr std::uint16_t kFinal = 0x20;      // MethodAttributes
constexpr std::uint16_t kVirtual = 0x40;
constexpr std::uint16_t kNewSlot = 0x100;
constexpr std::uint32_t kSealed = 0x100;  // TypeAttributes
constexpr std::string_view kReadOnlyAttribute = "System.Runtime.CompilerServices.IsReadOnlyAttribute";
constexpr std::string_view kBackingField = ">k__BackingField";
constexpr std::string_view kPrimaryParameter = ">P";

// ECMA-335 II.23.1.5 and II.23.1.10 number them alike.
std::string_view memberAccess(std::uint16_t flags) {
  constexpr std::array<std::string_view, 8> kWords{
      "private ", "private ", "private protected ", "internal ", "protected ", "protected internal ", "public ", ""};
  return kWords[flags & kAccessMask];
}

std::string_view typeAccess(std::uint32_t flags) {
  constexpr std::array<std::string_view, 8> kWords{
      "internal ",          "public ", "public ", "private ", "protected ", "internal ", "private protected ",
      "protected internal "};
  return kWords[flags & kAccessMask];
}

// The first byte behind the calling convention of a field's signature, behind that and the count of a method's.
bool hasModifierAt(Bytes signature, std::size_t at) {
  return signature.size() > at && static_cast<ElementType>(signature[at]) == ElementType::CModReqd;
}

std::string_view betweenBrackets(std::string_view name) {
  return name.substr(1, name.rfind('>') - 1);
}

std::string_view lastLevel(std::string_view name) {
  std::size_t depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    if (name[at] == '>') ++depth;
    if (name[at] == '<' && depth) --depth;
    if (name[at] == '.' && depth == 0) return name.substr(at + 1);
  }
  return name;
}

CSharpSource::CSharpSource(DeclaredTypes& types, ClosedTypeId type, const TypeDeclaration& declaration)
    : m_types(types), m_type(type), m_declaration(declaration), m_metadata(types.metadataOf(declaration.assembly)) {
  if (!m_metadata) return;
  m_parameterNames = m_metadata->genericParamNames({TableId::TypeDef, declaration.typeDefRow});
  indexMethods();
}

void CSharpSource::indexMethods() {
  const auto own = m_metadata->typeDef(m_declaration.typeDefRow);
  if (!own) return;
  const auto next = m_metadata->typeDef(m_declaration.typeDefRow + 1);
  const std::uint32_t end = next ? next->firstMethod : m_metadata->rowCount(TableId::MethodDef) + 1;
  for (std::uint32_t row = own->firstMethod; row < end && m_methods.size() < kLimits.methodsPerType; ++row) {
    const auto method = m_metadata->methodDef(row);
    if (!method) return;
    m_methods.emplace(method->name, *method);
  }
}

const MethodDefRow* CSharpSource::method(const std::string& name) const {
  const auto found = m_methods.find(name);
  return found == m_methods.end() ? nullptr : &found->second;
}

std::string CSharpSource::typeModifiers() const {
  const bool isStruct = m_declaration.kind == TypeKind::Struct;
  std::string words = "public ";
  bool isReadOnly = false;
  bool isStatic = false;  // to metadata an abstract class that is sealed
  if (const auto row = m_metadata ? m_metadata->typeDef(m_declaration.typeDefRow) : std::nullopt) {
    words = typeAccess(row->flags);
    isStatic = m_declaration.isAbstract && row->flags & kSealed;
    if (isStatic) words += "static ";
    if (!isStruct && !isStatic && row->flags & kSealed) words += "sealed ";
    isReadOnly = isStruct && m_metadata->typeAttribute(m_declaration.typeDefRow, kReadOnlyAttribute).has_value();
  }
  if (!isStruct && m_declaration.isAbstract && !isStatic) words += "abstract ";
  const auto needsUnsafe = [this](const FieldDeclaration& field) {
    return field.element == ElementType::Ptr || field.element == ElementType::FnPtr ||
           (field.element == ElementType::ValueType && isFixedBuffer(m_types.nameOf(field.type)));
  };
  if (std::ranges::any_of(m_declaration.fields, needsUnsafe)) words += "unsafe ";
  if (isReadOnly) words += "readonly ";
  if (m_declaration.isByRefLike) words += "ref ";
  // Only records have these.
  if (isStruct) return words + (method("PrintMembers") ? "record struct " : "struct ");
  return words + (method("<Clone>$") ? "record " : "class ");
}

std::string CSharpSource::charSet() const {
  const auto row = m_metadata ? m_metadata->typeDef(m_declaration.typeDefRow) : std::nullopt;
  switch (row ? row->flags & typeFlags::kStringFormatMask : 0) {
    case 0x10000:
      return "CharSet.Unicode";
    case 0x20000:
      return "CharSet.Auto";
    default:
      return {};
  }
}

std::string CSharpSource::typeName() const {
  const auto row = m_metadata ? m_metadata->typeDef(m_declaration.typeDefRow) : std::nullopt;
  if (!row) return std::string(lastLevel(csharpTypeName(m_types.nameOf(m_type))));
  const std::size_t mark = row->name.rfind('`');
  if (mark == std::string_view::npos) return csharpIdentifier(row->name);
  // A nested type repeats the parameters of those around it, and adds its own behind them.
  const std::uint32_t outer = m_metadata->enclosingTypeDef(m_declaration.typeDefRow);
  const std::size_t inherited = outer ? m_metadata->genericParamNames({TableId::TypeDef, outer}).size() : 0;
  std::string name = csharpIdentifier(row->name.substr(0, mark));
  for (std::size_t i = inherited; i < m_parameterNames.size(); ++i) {
    name += i == inherited ? "<" : ", ";
    name += m_parameterNames[i];
  }
  return m_parameterNames.size() > inherited ? name + ">" : name;
}

std::string CSharpSource::parameterName(std::uint32_t number) const {
  return number < m_parameterNames.size() ? std::string(m_parameterNames[number]) : fmt::format("T{}", number);
}

std::string CSharpSource::baseName() const {
  if (m_declaration.base.isNone() || m_declaration.kind == TypeKind::Struct) return {};
  const auto base = m_types.declarationOf(m_declaration.base);
  if (!base || (*base)->wellKnown == WellKnownType::Object) return {};
  const auto row = m_metadata ? m_metadata->typeDef(m_declaration.typeDefRow) : std::nullopt;
  if (!row) return csharpTypeName(m_types.nameOf(m_declaration.base));
  SignatureType written;
  written.element = ElementType::Class;
  written.token = row->extends;
  SignatureNames names;
  names.typeParameter = [this](std::uint32_t number) { return parameterName(number); };
  return csharpTypeName(signatureTypeName(*m_metadata, written, names));
}

std::string CSharpSource::fieldTypeName(const FieldDeclaration& field) const {
  if (field.isRetyped) return csharpTypeName(primitiveName(field.element));
  const auto row = m_metadata ? m_metadata->field(field.fieldRow) : std::nullopt;
  const auto signature = row ? decodeFieldSignature(row->signature) : failure(ErrorCode::NotFound, {});
  if (!signature) return csharpTypeName(m_types.fieldTypeName(m_type, field));
  SignatureNames names;
  names.typeParameter = [this](std::uint32_t number) { return parameterName(number); };
  return csharpTypeName(signatureTypeName(*m_metadata, *signature, names));
}

std::string CSharpSource::fieldModifiers(const FieldDeclaration& field) const {
  const auto row = m_metadata ? m_metadata->field(field.fieldRow) : std::nullopt;
  if (!row) return "public ";
  std::string words(memberAccess(row->flags));
  if (row->flags & kInitOnly) words += "readonly ";
  // Besides volatile only "ref readonly" puts a modifier there.
  if (hasModifierAt(row->signature, 1) && field.element != ElementType::ByRef) words += "volatile ";
  return words;
}

std::string CSharpSource::fixedBuffer(const FieldDeclaration& field, std::string_view access) const {
  const auto buffer = m_types.declarationOf(field.type);
  if (!buffer || (*buffer)->fields.size() != 1) return {};
  const ElementType element = (*buffer)->fields.front().element;
  const std::uint32_t size = primitiveSize(element);
  if (!size) return {};
  return fmt::format("{}fixed {} {}[{}];", access, csharpTypeName(primitiveName(element)), csharpIdentifier(field.name),
                     (*buffer)->size / size);
}

// An accessor says how it may be reached only where that is less than the property itself.
std::string CSharpSource::property(const FieldDeclaration& field) const {
  const std::string name(betweenBrackets(field.name));
  const std::size_t dot = name.rfind('.');
  const std::string interfacePrefix = dot == std::string::npos ? "" : name.substr(0, dot + 1);
  const std::string ownName = name.substr(interfacePrefix.size());
  if (!m_metadata) return fmt::format("public {} {} {{ get; set; }}", fieldTypeName(field), csharpIdentifier(ownName));
  const MethodDefRow* getter = method(interfacePrefix + "get_" + ownName);
  const MethodDefRow* setter = method(interfacePrefix + "set_" + ownName);
  const std::uint16_t flags = getter ? getter->flags : setter ? setter->flags : std::uint16_t{0};
  std::string words(interfacePrefix.empty() ? memberAccess(flags) : "");
  if (setter && interfacePrefix.empty() && (setter->flags & kAccessMask) > (flags & kAccessMask))
    words = memberAccess(setter->flags);
  const bool isVirtual = flags & kVirtual && !(flags & kFinal);
  if (isVirtual && interfacePrefix.empty()) words += flags & kNewSlot ? "virtual " : "override ";
  const auto accessor = [&](const MethodDefRow* row, std::string_view keyword) {
    if (!row) return std::string();
    const std::string_view own = memberAccess(row->flags);
    return fmt::format(" {}{};", interfacePrefix.empty() && !words.starts_with(own) ? own : "", keyword);
  };
  const bool isInit = setter && hasModifierAt(setter->signature, 2);
  return fmt::format("{}{} {}{} {{{}{} }}", words, fieldTypeName(field), interfacePrefix, csharpIdentifier(ownName),
                     getter ? accessor(getter, "get") : " get;", accessor(setter, isInit ? "init" : "set"));
}

bool CSharpSource::isOfProperty(const FieldDeclaration& field) {
  return field.name.starts_with('<') && field.name.ends_with(kBackingField) &&
         field.name.size() > kBackingField.size() + 1;
}

std::string CSharpSource::member(const FieldDeclaration& field) const {
  const bool isEvent = method("add_" + std::string(field.name)) != nullptr;
  std::string text;
  if (field.explicitOffset)
    text = fmt::format("[{}FieldOffset({})] ", isOfProperty(field) || isEvent ? "field: " : "", *field.explicitOffset);
  if (isOfProperty(field)) return text + property(field);
  if (field.name.starts_with('<') && field.name.ends_with(kPrimaryParameter))
    return fmt::format("// parameter of the primary constructor: {} {}", fieldTypeName(field),
                       betweenBrackets(field.name));
  if (isEvent) {
    const MethodDefRow* adder = method("add_" + std::string(field.name));
    return fmt::format("{}{}event {} {};", text, memberAccess(adder->flags), fieldTypeName(field),
                       csharpIdentifier(field.name));
  }
  const std::string modifiers = fieldModifiers(field);
  if (field.element == ElementType::ValueType && isFixedBuffer(m_types.nameOf(field.type))) {
    const std::string buffer = fixedBuffer(field, modifiers);
    if (!buffer.empty()) return text + buffer;
  }
  return fmt::format("{}{}{} {};", text, modifiers, fieldTypeName(field),
                     csharpIdentifier(csharpFieldName(field.name)));
}

// Layout that C# declares where nothing is written.
LayoutKind defaultKind(const TypeDeclaration& declaration) {
  return declaration.kind == TypeKind::Struct ? LayoutKind::Sequential : LayoutKind::Auto;
}

std::string_view csharpName(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::Auto:
      return "Auto";
    case LayoutKind::Sequential:
      return "Sequential";
    case LayoutKind::Explicit:
      return "Explicit";
  }
  return "Auto";
}

std::string attributeOf(const TypeDeclaration& declaration, const std::string& charSet) {
  std::string text;
  if (declaration.inlineArrayLength) text = fmt::format("[InlineArray({})]\n", *declaration.inlineArrayLength);
  const bool isDefault = declaration.layoutKind == defaultKind(declaration);
  if (isDefault && !declaration.pack && !declaration.size && charSet.empty()) return text;
  text += fmt::format("[StructLayout(LayoutKind.{}", csharpName(declaration.layoutKind));
  if (declaration.pack) text += fmt::format(", Pack = {}", declaration.pack);
  if (declaration.size) text += fmt::format(", Size = {}", declaration.size);
  if (!charSet.empty()) text += ", CharSet = " + charSet;
  return text + ")]\n";
}

// Fields that the changed declaration does not have.
std::string leftOut(const TypeDeclaration& declared, const DeclarationChange& change) {
  std::string names;
  for (std::uint32_t i = 0; i < declared.fields.size() && !change.order.empty(); ++i) {
    if (std::ranges::find(change.order, i) != change.order.end()) continue;
    names += (names.empty() ? "    // left out: " : ", ") + std::string(csharpFieldName(declared.fields[i].name));
  }
  return names.empty() ? names : names + "\n";
}

std::string commentOn(const std::string& typeName, const TypeDeclaration& declaration, bool isReordered) {
  if (isMadeByCompiler(typeName)) return "// The compiler makes this type; in C# it would be:\n";
  const bool hasProperty = std::ranges::any_of(declaration.fields, CSharpSource::isOfProperty);
  return hasProperty && isReordered ? "// The order of automatic properties is that of their fields.\n" : "";
}

}  // namespace

Result<std::string> csharpDeclaration(LayoutRules& rules, ClosedTypeId type, const DeclarationChange& change) {
  ChangedTypes types(rules.types(), {{type, change}});
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, types.declarationOf(type));
  if (declaration->kind != TypeKind::Class && declaration->kind != TypeKind::Struct) return std::string();
  const CSharpSource source(types, type, *declaration);
  std::string text = commentOn(types.nameOf(type), *declaration, !change.order.empty());
  text += attributeOf(*declaration, source.charSet());
  text += source.typeModifiers() + source.typeName();
  if (const std::string base = source.baseName(); !base.empty()) text += " : " + base;
  text += "\n{\n";
  for (const FieldDeclaration& field : declaration->fields) text += "    " + source.member(field) + "\n";
  HEAPSCAPE_TRY(const TypeDeclaration* declared, rules.types().declarationOf(type));
  return text + leftOut(*declared, change) + "}\n";
}

}  // namespace heapscape::engine
