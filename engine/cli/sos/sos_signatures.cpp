// SPDX-License-Identifier: MIT
#include "cli/sos/sos_signatures.h"

#include <fmt/format.h>

#include <array>

#include "base/limits.h"
#include "base/unicode.h"

namespace heapscape::cli {

using engine::BoundedReader;
using engine::Bytes;
using engine::ElementType;
using engine::Metadata;
using engine::TableId;
using engine::Token;

namespace {

constexpr std::uint32_t kMostSignatureParts = 65'536;
constexpr std::size_t kLongestSignatureText = 64 * 1024;

constexpr std::uint8_t kConventionMask = 0x0f;
constexpr std::uint8_t kFieldSignature = 0x06;
constexpr std::uint8_t kLocalsSignature = 0x07;
constexpr std::uint8_t kGenericConvention = 0x10;
constexpr std::uint8_t kThisConvention = 0x20;
constexpr std::uint8_t kExplicitConvention = 0x40;

std::optional<Token> readTypeToken(BoundedReader& reader) {
  constexpr std::array kTables{TableId::TypeDef, TableId::TypeRef, TableId::TypeSpec};
  const auto encoded = engine::readCompressed(reader);
  if (!encoded || (*encoded & 3) == 3) return std::nullopt;
  return Token{kTables[*encoded & 3], *encoded >> 2};
}

std::string dotted(std::string_view nameSpace, std::string_view name) {
  return nameSpace.empty() ? std::string(name) : fmt::format("{}.{}", nameSpace, name);
}

std::string ilPrimitive(ElementType element) {
  switch (element) {
    case ElementType::Void:
      return "void";
    case ElementType::Boolean:
      return "bool";
    case ElementType::Char:
      return "char";
    case ElementType::I1:
      return "int8";
    case ElementType::U1:
      return "uint8";
    case ElementType::I2:
      return "int16";
    case ElementType::U2:
      return "uint16";
    case ElementType::I4:
      return "int32";
    case ElementType::U4:
      return "uint32";
    case ElementType::I8:
      return "int64";
    case ElementType::U8:
      return "uint64";
    case ElementType::R4:
      return "float32";
    case ElementType::R8:
      return "float64";
    case ElementType::I:
      return "native int";
    case ElementType::U:
      return "native uint";
    case ElementType::Object:
      return "object";
    case ElementType::String:
      return "string";
    case ElementType::TypedByRef:
      return "typedref";
    default:
      return {};
  }
}

}  // namespace

// ---- IlNames

std::string IlNames::ofTypeToken(Token token, std::size_t depth) const {
  if (depth > engine::kLimits.nestingDepth) return "…";
  switch (token.table) {
    case TableId::TypeRef: {
      const auto row = m_metadata.typeRef(token.row);
      if (!row) return "<unknown type ref>";
      const bool isNested = row->scope.table == TableId::TypeRef && !row->scope.isNil();
      return ofTypeToken(row->scope, depth + 1) + (isNested ? "/" : "") + dotted(row->nameSpace, row->name);
    }
    case TableId::TypeDef: {
      const auto row = m_metadata.typeDef(token.row);
      if (!row) return "<unknown type def>";
      const std::uint32_t outer = m_metadata.enclosingTypeDef(token.row);
      const std::string own = dotted(row->nameSpace, row->name);
      // Of its own module, as SOS marks it.
      return outer ? ofTypeToken({TableId::TypeDef, outer}, depth + 1) + '/' + own : "[*]" + own;
    }
    case TableId::TypeSpec: {
      const auto signature = m_metadata.typeSpec(token.row);
      BoundedReader reader(signature.value_or(Bytes{}));
      return ofType(reader, depth + 1);
    }
    case TableId::AssemblyRef: {
      const auto row = m_metadata.assemblyRef(token.row);
      return row ? fmt::format("[{}]", row->name) : std::string();
    }
    case TableId::ModuleRef:
      return fmt::format("[.module {}]", m_metadata.moduleRefName(token.row));
    default:
      return {};
  }
}

std::string IlNames::ofArray(BoundedReader& reader, std::size_t depth) const {
  std::string text = ofType(reader, depth + 1);
  const std::uint32_t rank = engine::readCompressed(reader).value_or(0);
  std::array<std::vector<std::int32_t>, 2> lists;  // sizes, then lower bounds
  for (std::size_t list = 0; list < lists.size(); ++list) {
    const std::uint32_t count = engine::readCompressed(reader).value_or(0);
    for (std::uint32_t i = 0; i < count && i < rank && !reader.failed(); ++i)
      lists[list].push_back(list == 0 ? static_cast<std::int32_t>(engine::readCompressed(reader).value_or(0))
                                      : engine::readCompressedSigned(reader).value_or(0));
  }
  const auto& [sizes, bounds] = lists;
  if (reader.failed() || rank > engine::kLimits.nestingDepth) return text + "[]";
  text += '[';
  if (rank == 1 && sizes.empty() && bounds.empty()) text += "...";
  for (std::uint32_t i = 0; i < rank && !(rank == 1 && sizes.empty() && bounds.empty()); ++i) {
    const std::int64_t bound = i < bounds.size() ? bounds[i] : 0;
    if (i < sizes.size() && bound == 0)
      text += std::to_string(sizes[i]);
    else if (i < bounds.size())
      text += fmt::format("{}...{}", bound, i < sizes.size() ? std::to_string(bound + sizes[i] - 1) : std::string());
    if (i + 1 < rank) text += ',';
  }
  return text + ']';
}

std::string IlNames::ofFunctionPointer(BoundedReader& reader, std::size_t depth) const {
  if (reader.read<std::uint8_t>() & kGenericConvention) engine::readCompressed(reader);
  const std::uint32_t count = engine::readCompressed(reader).value_or(0);
  std::string text = fmt::format("method {} *(", ofType(reader, depth + 1));
  for (std::uint32_t i = 0; i < count && !reader.failed() && text.size() < kLongestSignatureText; ++i)
    text += (i > 0 ? "," : "") + ofType(reader, depth + 1);
  return text + ')';
}

std::string IlNames::ofInstance(BoundedReader& reader, std::size_t depth) const {
  std::string text = ofType(reader, depth + 1) + '<';
  const std::uint32_t count = engine::readCompressed(reader).value_or(0);
  for (std::uint32_t i = 0; i < count && !reader.failed() && text.size() < kLongestSignatureText; ++i)
    text += (i > 0 ? "," : "") + ofType(reader, depth + 1);
  return text + '>';
}

std::string IlNames::ofType(BoundedReader& reader, std::size_t depth) const {
  const auto element = reader.read<ElementType>();
  if (reader.failed() || depth > engine::kLimits.nestingDepth) return "…";
  const std::string primitive = ilPrimitive(element);
  if (!primitive.empty()) return primitive;
  switch (element) {
    case ElementType::ValueType:
    case ElementType::Class: {
      const auto token = readTypeToken(reader);
      return (element == ElementType::Class ? "class " : "valuetype ") +
             (token ? ofTypeToken(*token, depth + 1) : std::string("…"));
    }
    case ElementType::SzArray:
      return ofType(reader, depth + 1) + "[]";
    case ElementType::Ptr:
      return ofType(reader, depth + 1) + '*';
    case ElementType::ByRef:
      return ofType(reader, depth + 1) + '&';
    case ElementType::Pinned:
      return ofType(reader, depth + 1) + " pinned";
    case ElementType::CModReqd:
    case ElementType::CModOpt: {
      const auto token = readTypeToken(reader);
      const char* word = element == ElementType::CModReqd ? " mod req " : " mod opt ";
      return word + (token ? ofTypeToken(*token, depth + 1) : std::string("…")) + ofType(reader, depth + 1);
    }
    case ElementType::Var:
    case ElementType::MVar:
      return fmt::format("{}{}", element == ElementType::Var ? "!" : "!!", engine::readCompressed(reader).value_or(0));
    case ElementType::Array:
      return ofArray(reader, depth);
    case ElementType::GenericInst:
      return ofInstance(reader, depth);
    case ElementType::FnPtr:
      return ofFunctionPointer(reader, depth);
    default:
      return fmt::format("/* UNKNOWN TYPE (0x{:X})*/", static_cast<unsigned>(element));
  }
}

/// "RETURNED OWNER::NAME(PARAMETERS)", of a field "TYPE OWNER::NAME".
std::string IlNames::ofMember(std::string_view owner, std::string_view name, Bytes signature,
                              std::string_view arguments) const {
  BoundedReader reader(signature);
  const auto convention = reader.read<std::uint8_t>();
  if (reader.failed()) return fmt::format("{}::{}", owner, name);
  if ((convention & kConventionMask) == kFieldSignature)
    return fmt::format("{} {}::{}", ofType(reader, 0), owner, name);
  if (convention & kGenericConvention) engine::readCompressed(reader);
  const std::uint32_t count = std::min(engine::readCompressed(reader).value_or(0), kMostSignatureParts);
  std::string text = fmt::format("{} {}::{}{}(", ofType(reader, 0), owner, name, arguments);
  for (std::uint32_t i = 0; i < count && !reader.failed() && text.size() < kLongestSignatureText; ++i)
    text += (i > 0 ? "," : "") + ofType(reader, 0);
  return text + ')';
}

/// The type that declares a member, without what it lies in.
std::string IlNames::ofParent(Token parent) const {
  if (parent.table == TableId::TypeRef) {
    const auto row = m_metadata.typeRef(parent.row);
    return row ? dotted(row->nameSpace, row->name) : std::string("<unknown type ref>");
  }
  if (parent.table == TableId::TypeDef) {
    const auto row = m_metadata.typeDef(parent.row);
    return row ? dotted(row->nameSpace, row->name) : std::string("<unknown type def>");
  }
  if (parent.table == TableId::TypeSpec) return ofTypeToken(parent, 0);
  return "<unknown type token>";
}

std::string IlNames::ofMethodSpec(std::uint32_t row) const {
  const auto spec = m_metadata.methodSpec(row);
  if (!spec) return fmt::format("<unknown token type {:08x}>", Token{TableId::MethodSpec, 0}.value());
  BoundedReader reader(spec->instantiation);
  reader.skip(1);  // that it is one
  std::string arguments = "<";
  const std::uint32_t count = engine::readCompressed(reader).value_or(0);
  for (std::uint32_t i = 0; i < count && !reader.failed() && arguments.size() < kLongestSignatureText; ++i)
    arguments += (i > 0 ? "," : "") + ofType(reader, 0);
  arguments += '>';
  if (spec->method.table == TableId::MemberRef) {
    const auto member = m_metadata.memberRef(spec->method.row);
    return member ? ofMember(ofParent(member->parent), member->name, member->signature, arguments) : std::string();
  }
  const auto method = m_metadata.methodDef(spec->method.row);
  const Token owner{TableId::TypeDef, m_metadata.typeDefOfMethod(spec->method.row)};
  return method ? ofMember(ofParent(owner), method->name, method->signature, arguments) : std::string();
}

/// At most 79 characters, as SOS has them; what is not ASCII is a dot.
std::string IlNames::ofText(std::uint32_t offset) const {
  constexpr std::size_t kMostShown = 79;
  const auto bytes = m_metadata.userString(offset);
  if (!bytes) return fmt::format("STRING {:x}", 0x70000000 | offset);
  std::string text = "\"";
  BoundedReader reader(*bytes);
  for (std::size_t i = 0; i < bytes->size() / sizeof(char16_t); ++i) {
    if (i == kMostShown) return text + "...\"";
    const auto unit = reader.read<char16_t>();
    text += unit < 0x20 || unit >= 0x80 ? '.' : static_cast<char>(unit);
  }
  return text + '"';
}

std::string IlNames::ofToken(std::uint32_t value) const {
  constexpr std::uint32_t kTextToken = 0x70;
  const std::uint32_t row = value & 0xffffff;
  if (value >> 24 == kTextToken) return ofText(row);
  const Token token{static_cast<TableId>(value >> 24), row};
  switch (token.table) {
    case TableId::TypeDef:
    case TableId::TypeRef:
      return ofParent(token);
    case TableId::TypeSpec:
      return ofTypeToken(token, 0);
    case TableId::Field: {
      const auto field = m_metadata.field(row);
      const Token owner{TableId::TypeDef, m_metadata.typeDefOfField(row)};
      return fmt::format("{}::{}", ofParent(owner), field ? field->name : "<unknown field def>");
    }
    case TableId::MethodDef: {
      const auto method = m_metadata.methodDef(row);
      const Token owner{TableId::TypeDef, m_metadata.typeDefOfMethod(row)};
      return method ? ofMember(ofParent(owner), method->name, method->signature) : "<unknown method def>";
    }
    case TableId::MemberRef: {
      const auto member = m_metadata.memberRef(row);
      return member ? ofMember(ofParent(member->parent), member->name, member->signature) : "<unknown member ref>";
    }
    case TableId::MethodSpec:
      return ofMethodSpec(row);
    case TableId::StandAloneSig: {
      BoundedReader reader(m_metadata.standAloneSig(row).value_or(Bytes{}));
      return ofFunctionPointer(reader, 0);
    }
    default:
      return fmt::format("<unknown token type {:08x}>", value & 0xff000000);
  }
}

// ---- SosSignatures

namespace {

constexpr std::array kSignatureElements{
    "End",   "Void",   "Boolean", "Char",        "I1",         "U1",       "I2",      "U2",      "I4",
    "U4",    "I8",     "U8",      "R4",          "R8",         "String",   "Ptr",     "ByRef",   "ValueType",
    "Class", "Var",    "MDArray", "GenericInst", "TypedByRef", "UNUSED",   "IntPtr",  "UIntPtr", "UNUSED",
    "FnPtr", "Object", "SZArray", "MVar",        "CMOD_REQD",  "CMOD_OPT", "INTERNAL"};

constexpr std::array kConventionWords{"[DEFAULT]",  "[C]",         "[STDCALL]",     "[THISCALL]",
                                      "[FASTCALL]", "[VARARG]",    "[FIELD]",       "[LOCALSIG]",
                                      "[PROPERTY]", "[UNMANAGED]", "[GENERICINST]", "[NATIVEVARARG]"};

const char* conventionWord(std::uint8_t convention) {
  const std::size_t number = convention & kConventionMask;
  return number < kConventionWords.size() ? kConventionWords[number] : "[UNKNOWN]";
}

}  // namespace

std::string SosSignatures::nameOf(Token token) const {
  if (token.isNil()) return {};
  if (token.table == TableId::TypeSpec) return fmt::format("{:x}", token.value());
  if (!m_metadata) return fmt::format("0x{:08x}", token.value());
  if (token.table == TableId::TypeRef) {
    const auto row = m_metadata->typeRef(token.row);
    return row ? dotted(row->nameSpace, row->name) : fmt::format("0x{:08x}", token.value());
  }
  const auto row = m_metadata->typeDef(token.row);
  return row ? dotted(row->nameSpace, row->name) : fmt::format("0x{:08x}", token.value());
}

bool SosSignatures::addTypes(BoundedReader& reader, std::uint32_t count, std::string& text, std::size_t depth) const {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    if (!addType(reader, text, depth)) return false;
  }
  return true;
}

bool SosSignatures::addArray(BoundedReader& reader, std::string& text, std::size_t depth) const {
  text += '{';
  if (!addType(reader, text, depth + 1)) return false;
  const auto rank = engine::readCompressed(reader);
  if (!rank) return false;
  text += fmt::format(", {}", *rank);
  if (*rank == 0) return true;
  text += ' ';
  const auto sizes = engine::readCompressed(reader);
  if (!sizes || *sizes > *rank) return false;
  text += std::to_string(*sizes);
  if (*sizes == 0) text += ' ';
  for (std::uint32_t i = 0; i < *sizes; ++i) text += fmt::format("{} ", engine::readCompressed(reader).value_or(0));
  const auto bounds = engine::readCompressed(reader);
  if (!bounds || *bounds > *rank) return false;
  text += fmt::format("{} ", *bounds);
  for (std::uint32_t i = 0; i < *bounds; ++i)
    text += fmt::format("{} ", engine::readCompressedSigned(reader).value_or(0));
  text += '}';
  return !reader.failed();
}

bool SosSignatures::addFunctionPointer(BoundedReader& reader, std::string& text, std::size_t depth) const {
  const auto convention = reader.read<std::uint8_t>();
  if (convention & kExplicitConvention) text += "[explicit] ";
  if (convention & kThisConvention) text += "[hasThis] ";
  text += conventionWord(convention);
  const auto count = engine::readCompressed(reader);
  if (!count || *count > kMostSignatureParts || !addType(reader, text, depth + 1)) return false;
  text += '(';
  if (!addTypes(reader, *count, text, depth + 1)) return false;
  text += ')';
  return true;
}

bool SosSignatures::addType(BoundedReader& reader, std::string& text, std::size_t depth) const {
  const auto element = reader.read<ElementType>();
  if (reader.failed() || depth > engine::kLimits.nestingDepth || text.size() > kLongestSignatureText) return false;
  if (element == ElementType::Sentinel || element == ElementType::Pinned) {
    text += element == ElementType::Sentinel ? "<ELEMENT_TYPE_SENTINEL> " : "PINNED ";
    return addType(reader, text, depth + 1);
  }
  if (static_cast<std::size_t>(element) >= kSignatureElements.size()) return false;
  const char* word = kSignatureElements[static_cast<std::size_t>(element)];
  switch (element) {
    case ElementType::Ptr:
    case ElementType::ByRef:
    case ElementType::SzArray:
      text += fmt::format("{} ", word);
      return addType(reader, text, depth + 1);
    case ElementType::Var:
    case ElementType::MVar: {
      const auto number = engine::readCompressed(reader);
      text += fmt::format("{}{}", element == ElementType::Var ? "!" : "!!", number.value_or(0));
      return number.has_value();
    }
    case ElementType::GenericInst: {
      if (!addType(reader, text, depth + 1)) return false;
      const auto count = engine::readCompressed(reader);
      text += '<';
      if (!count || *count > kMostSignatureParts || !addTypes(reader, *count, text, depth + 1)) return false;
      text += '>';
      return true;
    }
    case ElementType::ValueType:
    case ElementType::Class:
    case ElementType::CModReqd:
    case ElementType::CModOpt: {
      const auto token = readTypeToken(reader);
      if (!token) return false;
      text += fmt::format("{} {}", word, nameOf(*token));
      if (element == ElementType::ValueType || element == ElementType::Class) return true;
      text += ' ';
      return addType(reader, text, depth + 1);
    }
    case ElementType::FnPtr:
      text += fmt::format("{} ", word);
      return addFunctionPointer(reader, text, depth);
    case ElementType::Internal: {
      const engine::Address type{reader.read<std::uint64_t>()};
      text += fmt::format("{} MT {:x} {}", word, type.value, m_nameOfType(type));
      return !reader.failed();
    }
    case ElementType::Array:
      text += fmt::format("{} ", word);
      return addArray(reader, text, depth);
    default:
      text += word;
      return !engine::primitiveName(element).empty();
  }
}

std::optional<std::string> SosSignatures::ofType(Bytes signature) const {
  BoundedReader reader(signature);
  std::string text;
  return addType(reader, text, 0) ? std::optional(text) : std::nullopt;
}

std::optional<std::string> SosSignatures::ofMember(Bytes signature, std::string_view name) const {
  BoundedReader reader(signature);
  const auto convention = reader.read<std::uint8_t>();
  if (reader.failed()) return std::nullopt;
  std::string text = fmt::format("{} ", conventionWord(convention));
  if ((convention & kConventionMask) == kFieldSignature) {
    if (!addType(reader, text, 0)) return std::nullopt;
    return fmt::format("{} {}", text, name);
  }
  if (convention & kThisConvention) text += "[hasThis] ";
  if (convention & kExplicitConvention) text += "[explicit] ";
  if (convention & kGenericConvention) text += fmt::format("[generic:{}] ", engine::readCompressed(reader).value_or(0));
  const auto count = engine::readCompressed(reader);
  if (!count || *count > kMostSignatureParts) return std::nullopt;
  if (convention != kLocalsSignature) {
    if (!addType(reader, text, 0)) return std::nullopt;
    text += fmt::format(" {}(", name);
  }
  if (!addTypes(reader, *count, text, 0)) return std::nullopt;
  return text + ')';
}

std::string metadataNameOf(const Metadata& metadata, Token member) {
  const bool isMethod = member.table == TableId::MethodDef;
  const std::uint32_t type = isMethod ? metadata.typeDefOfMethod(member.row) : metadata.typeDefOfField(member.row);
  const auto method = isMethod ? metadata.methodDef(member.row) : std::nullopt;
  const auto field = isMethod ? std::nullopt : metadata.field(member.row);
  const std::string_view name = method ? method->name : field ? field->name : std::string_view();
  const std::string owner = metadata.typeDefName(type);
  return owner.empty() ? std::string(name) : fmt::format("{}.{}", owner, name);
}

}  // namespace heapscape::cli
