// SPDX-License-Identifier: MIT
#include "metadata/names/type_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/limits.h"

namespace heapscape::engine {

namespace {

constexpr std::string_view kUnknownName = "?";

// Names are put together from parts that may each be long; parts that no reader could follow any more are left out.
void append(std::string& name, std::string_view text) {
  if (name.size() + text.size() <= kLimits.nameBytes) name += text;
}

/// A level of a nested name: "Outer`1" is "Outer" with arity 1.
struct NameLevel {
  std::string_view name;
  std::size_t arity = 0;
};

NameLevel splitArity(std::string_view level) {
  const std::size_t mark = level.rfind('`');
  if (mark == std::string_view::npos) return {level};
  std::size_t arity = 0;
  const char* last = level.data() + level.size();
  const auto [end, error] = std::from_chars(level.data() + mark + 1, last, arity);
  if (error != std::errc{} || end != last) return {level};
  return {level.substr(0, mark), arity};
}

void appendArguments(std::string& name, std::span<const std::string> arguments) {
  append(name, "<");
  for (std::size_t number = 0; number < arguments.size(); ++number) {
    if (number > 0) append(name, ", ");
    append(name, arguments[number]);
  }
  append(name, ">");
}

/// Names the types of one signature; a TypeSpec inside it is followed to a limited depth.
class SignatureNamer {
 public:
  SignatureNamer(const Metadata& metadata, const SignatureNames& names) : m_metadata(metadata), m_names(names) {}

  std::string nameOf(const SignatureType& type, std::size_t depth);

 private:
  std::string tokenName(Token token, std::size_t depth);
  std::string functionPointer(const SignatureType& type, std::size_t depth);
  std::string genericInstance(const SignatureType& type, std::size_t depth);

  const Metadata& m_metadata;
  const SignatureNames& m_names;
  std::size_t m_types = 0;  // TypeSpecs that name each other may lead to any number of them
};

std::string SignatureNamer::tokenName(Token token, std::size_t depth) {
  std::string name;
  if (token.table == TableId::TypeDef) name = m_metadata.typeDefName(token.row);
  if (token.table == TableId::TypeRef) name = m_metadata.typeRefName(token.row);
  if (token.table == TableId::TypeSpec) {
    const auto signature = m_metadata.typeSpec(token.row);
    const auto type = decodeTypeSpec(signature.value_or(Bytes{}));
    if (type) name = nameOf(*type, depth + 1);
  }
  return name.empty() ? std::string(kUnknownName) : name;
}

std::string SignatureNamer::functionPointer(const SignatureType& type, std::size_t depth) {
  std::string name = nameOf(type.parts.front(), depth + 1);
  append(name, " (");
  for (std::size_t part = 1; part < type.parts.size(); ++part) {
    if (part > 1) append(name, ", ");
    append(name, nameOf(type.parts[part], depth + 1));
  }
  append(name, ")");
  return name;
}

std::string SignatureNamer::genericInstance(const SignatureType& type, std::size_t depth) {
  std::vector<std::string> arguments;
  arguments.reserve(type.parts.size());
  for (const SignatureType& part : type.parts) arguments.push_back(nameOf(part, depth + 1));
  if (!type.handle) return withTypeArguments(tokenName(type.token, depth), arguments);
  return withTypeArguments(m_names.definitionHandle ? m_names.definitionHandle(type.handle) : std::string(kUnknownName),
                           arguments);
}

std::string SignatureNamer::nameOf(const SignatureType& type, std::size_t depth) {
  if (depth > kLimits.nestingDepth || ++m_types > kLimits.nameBytes) return std::string(kUnknownName);
  const auto suffixed = [&](std::string_view suffix) {
    std::string name = type.parts.empty() ? std::string(kUnknownName) : nameOf(type.parts.front(), depth + 1);
    append(name, suffix);
    return name;
  };
  switch (type.element) {
    case ElementType::Ptr:
      return suffixed("*");
    case ElementType::ByRef:
      return suffixed("&");
    case ElementType::SzArray:
      return suffixed("[]");
    case ElementType::Array:
      return suffixed(arraySuffix(type.number));
    case ElementType::ValueType:
    case ElementType::Class:
      return tokenName(type.token, depth);
    case ElementType::Var:
      return m_names.typeParameter ? m_names.typeParameter(type.number) : fmt::format("!{}", type.number);
    case ElementType::MVar:
      return m_names.methodParameter ? m_names.methodParameter(type.number) : fmt::format("!!{}", type.number);
    case ElementType::Internal:
      return m_names.typeHandle ? m_names.typeHandle(type.handle) : std::string(kUnknownName);
    case ElementType::GenericInst:
      return genericInstance(type, depth);
    case ElementType::FnPtr:
      return type.parts.empty() ? std::string(kUnknownName) : functionPointer(type, depth);
    default:
      break;
  }
  const std::string_view primitive = primitiveName(type.element);
  return std::string(primitive.empty() ? kUnknownName : primitive);
}

}  // namespace

std::string arraySuffix(std::uint32_t rank) {
  // One dimension with a lower bound of its own is not the same type as a plain array.
  if (rank <= 1) return "[*]";
  return fmt::format("[{:,<{}}]", "", rank - 1);
}

std::string withTypeArguments(std::string_view definitionName, std::span<const std::string> arguments) {
  if (arguments.empty()) return std::string(definitionName);
  std::string name;
  std::size_t used = 0;
  for (std::size_t start = 0; start <= definitionName.size();) {
    const std::size_t end = std::min(definitionName.find('+', start), definitionName.size());
    const bool isLast = end == definitionName.size();
    const NameLevel level = splitArity(definitionName.substr(start, end - start));
    append(name, level.name);
    // Arguments that no arity asks for (names without suffixes) are not lost: the last level shows them.
    const std::size_t left = arguments.size() - used;
    const std::size_t taken = isLast ? left : std::min(level.arity, left);
    if (taken > 0) appendArguments(name, arguments.subspan(used, taken));
    if (!isLast) append(name, "+");
    used += taken;
    start = end + 1;
  }
  return name;
}

std::string signatureTypeName(const Metadata& metadata, const SignatureType& type, const SignatureNames& names) {
  return SignatureNamer(metadata, names).nameOf(type, 0);
}

}  // namespace heapscape::engine
