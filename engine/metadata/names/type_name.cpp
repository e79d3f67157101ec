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

namespace {

/// Rewrites one name from left to right; a generic argument is a name in the name.
class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : m_text(text) {}

  std::string type();
  bool hasFailed() const { return m_failed || m_position != m_text.size(); }

 private:
  bool atEnd() const { return m_position >= m_text.size(); }
  char peek() const { return m_text[m_position]; }
  std::size_t argumentList(char closing, std::string& arguments);
  void copyThrough(char opening, char closing, std::string& to);
  bool atFunctionPointer() const {
    return peek() == '(' || (peek() == ' ' && m_position + 1 < m_text.size() && m_text[m_position + 1] == '(');
  }

  std::string_view m_text;
  std::size_t m_position = 0;
  std::size_t m_depth = 0;
  bool m_failed = false;
};

std::string Rewriter::type() {
  std::string definition;
  std::string arguments;
  std::string suffix;  // of arrays, pointers and references
  // Angle brackets at the start of a part of the name are the compiler's own: "<>c", "<Run>d__3".
  bool atPartStart = true;
  bool hasArity = false;  // the name is in metadata's form already
  const bool isPrefixed = m_text.substr(m_position).starts_with(kFunctionPointer);
  if (isPrefixed) m_position += kFunctionPointer.size();

  while (!atEnd() && !m_failed) {
    const char next = peek();
    if (next == ',' || next == '>' || next == ')') break;
    if (next == '<' && atPartStart) {
      copyThrough('<', '>', definition);
    } else if (next == '<') {
      const std::size_t count = argumentList('>', arguments);
      if (!hasArity) definition += '`' + std::to_string(count);
    } else if (next == '[') {
      copyThrough('[', ']', suffix);
    } else if (next == '*' || next == '&') {
      suffix += next;
      ++m_position;
    } else if (atFunctionPointer()) {
      if (next == ' ') ++m_position;
      const std::string result = definition + (arguments.empty() ? "" : '<' + arguments + '>') + suffix;
      std::string parameters;
      argumentList(')', parameters);
      definition = std::string(kFunctionPointer) + result + '(' + parameters + ')';
      arguments.clear();
      suffix.clear();
    } else {
      hasArity = hasArity || next == '`';
      definition += next;
      ++m_position;
    }
    atPartStart = next == '.' || next == '+';
  }
  return definition + (arguments.empty() ? "" : '<' + arguments + '>') + suffix;
}

/// From the opening bracket to behind the closing one; appends the types in it and returns how many there were.
std::size_t Rewriter::argumentList(char closing, std::string& arguments) {
  // A hostile name must not use up the stack.
  if (++m_depth > kLimits.nestingDepth) m_failed = true;
  ++m_position;
  std::size_t count = 0;
  while (!atEnd() && !m_failed && peek() != closing) {
    if (peek() == ',' || peek() == ' ') {
      ++m_position;
      continue;
    }
    const std::size_t start = m_position;
    const std::string argument = type();
    if (!arguments.empty()) arguments += ',';
    arguments += argument;
    ++count;
    if (m_position == start) m_failed = true;
  }
  if (atEnd()) m_failed = true;
  ++m_position;
  --m_depth;
  return count;
}

void Rewriter::copyThrough(char opening, char closing, std::string& to) {
  std::size_t depth = 0;
  do {
    const char next = peek();
    if (next == opening) ++depth;
    if (next == closing) --depth;
    to += next;
    ++m_position;
  } while (depth > 0 && !atEnd());
  if (depth > 0) m_failed = true;
}

bool endsPart(char character) {
  return std::string_view("<>,[]()*&+ ").find(character) != std::string_view::npos;
}

}  // namespace

std::string metadataTypeName(std::string_view typeName) {
  // Most names are the same in both forms.
  if (std::ranges::none_of(typeName, endsPart)) return std::string(typeName);
  Rewriter rewriter(typeName);
  const std::string name = rewriter.type();
  return rewriter.hasFailed() ? std::string(typeName) : name;
}

}  // namespace heapscape::engine
