// SPDX-License-Identifier: MIT
#include "metadata/names/parsed_type_name.h"

#include <fmt/format.h>
#include <algorithm>

#include "base/limits.h"
#include "metadata/names/csharp_type_name.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kMaxParsedRank = 32;  // the runtime's own limit on array dimensions

/// Reads one name from left to right; a type argument is a name in the name.
class NameParser {
 public:
  explicit NameParser(std::string_view text) : m_text(text) {}

  Result<ParsedTypeName> parse();

 private:
  bool atEnd() const { return m_position >= m_text.size(); }
  char peek() const { return m_text[m_position]; }
  /// Whether a backslash stands there, or where the reader is, that only escapes what follows.
  bool isEscape(std::size_t position) const;
  bool isEscape() const { return isEscape(m_position); }
  bool atParameters() const { return m_text.substr(m_position).starts_with(" (") || peek() == '('; }

  Result<ParsedTypeName> readType(std::size_t depth);
  Result<void> readPart(ParsedTypeName& type, std::size_t depth);
  Result<void> readArguments(ParsedTypeName& type, char closing, std::size_t depth);
  Result<void> readGenericArguments(ParsedTypeName& type, std::size_t depth);
  Result<void> readParameters(ParsedTypeName& type, std::size_t depth);
  Result<void> readBrackets(ParsedTypeName& type, std::size_t depth);
  Result<void> readArraySuffix(ParsedTypeName& type, std::string_view inside);
  Result<void> readBracketedArguments(ParsedTypeName& type, std::size_t depth);
  Result<void> skipAssembly(char closing);
  void readNullable(ParsedTypeName& type);
  Result<void> readCompilerBrackets(ParsedTypeName& type);
  void append(ParsedTypeName& type, std::string_view text);
  tl::unexpected<Error> malformed() const {
    return failure(ErrorCode::BadQuery, fmt::format("\"{}\" is not the name of a type.", m_text),
                   "Write it as \"N.Outer<X>+Inner<Y, Z>[]\" or as \"N.Outer`1+Inner`2[X,Y,Z][]\".");
  }

  std::string_view m_text;
  std::size_t m_position = 0;
  bool m_atPartStart = true;
  bool m_hasArity = false;  // the level that is being read says how many parameters it has
  bool m_isClosed = false;  // its arguments have been read
};

// Characters that .NET escapes in names (Type.FullName, TypeNameBuilder).
constexpr std::string_view kEscaped = "\\,+*&[]";

bool NameParser::isEscape(std::size_t position) const {
  return m_text[position] == '\\' && position + 1 < m_text.size() &&
         kEscaped.find(m_text[position + 1]) != std::string_view::npos;
}

Result<ParsedTypeName> NameParser::parse() {
  if (m_text.size() > kLimits.nameBytes) return failure(ErrorCode::BadQuery, "The name is longer than any type's.");
  HEAPSCAPE_TRY(ParsedTypeName type, readType(0));
  // An assembly-qualified name goes on with the assembly.
  const bool hasAssembly = m_text.substr(m_position).starts_with(", ") && m_text.size() > m_position + 2;
  if (!atEnd() && !hasAssembly) return malformed();
  return type;
}

void NameParser::append(ParsedTypeName& type, std::string_view text) {
  type.definition += text;
  type.writtenDefinition += text;
}

Result<ParsedTypeName> NameParser::readType(std::size_t depth) {
  if (depth > kLimits.nestingDepth) return malformed();
  ParsedTypeName type;
  m_atPartStart = true;
  m_hasArity = false;
  m_isClosed = false;
  bool isPrefixed = false;
  while (m_text.substr(m_position).starts_with(kFunctionPointer)) {
    isPrefixed = true;
    m_position += kFunctionPointer.size();
  }
  while (!atEnd() && std::string_view(",>)]").find(peek()) == std::string_view::npos) {
    HEAPSCAPE_CHECK(readPart(type, depth));
  }
  if ((type.definition.empty() && !type.isFunctionPointer) || (isPrefixed && !type.isFunctionPointer)) {
    return malformed();
  }
  if (type.arguments.empty()) {
    if (const std::string_view full = nameOfKeyword(type.definition); !full.empty())
      type.definition = type.writtenDefinition = full;
  }
  return type;
}

Result<void> NameParser::readPart(ParsedTypeName& type, std::size_t depth) {
  const char next = peek();
  if (next == '<') return m_atPartStart ? readCompilerBrackets(type) : readGenericArguments(type, depth);
  if (next == '[') return readBrackets(type, depth);
  if (atParameters()) return readParameters(type, depth);
  ++m_position;
  if (isEscape(m_position - 1)) {
    append(type, m_text.substr(m_position++, 1));
    m_atPartStart = false;
    return {};
  }
  if (next == '?' && !type.definition.empty()) {
    readNullable(type);
    return {};
  }
  if (next == '*' || next == '&') {
    type.suffixes.push_back({next == '*' ? ElementType::Ptr : ElementType::ByRef, 0});
    return {};
  }
  if (!type.suffixes.empty() || type.isFunctionPointer) return malformed();
  // C# parts a nested type from the one around it by a point; behind arguments nothing else can follow.
  append(type, next == '.' && m_isClosed ? std::string_view("+") : std::string_view(&next, 1));
  if (next == '.' || next == '+') m_isClosed = false;
  m_atPartStart = next == '.' || next == '+';
  m_hasArity = next == '`' || (m_hasArity && next != '+');
  return {};
}

void NameParser::readNullable(ParsedTypeName& type) {
  ParsedTypeName nullable;
  nullable.definition = "System.Nullable`1";
  nullable.writtenDefinition = "System.Nullable";
  if (const std::string_view full = nameOfKeyword(type.definition); type.arguments.empty() && !full.empty())
    type.definition = type.writtenDefinition = full;
  nullable.arguments.push_back(std::move(type));
  type = std::move(nullable);
}

Result<void> NameParser::readCompilerBrackets(ParsedTypeName& type) {
  std::size_t depth = 0;
  do {
    if (atEnd()) return malformed();
    if (peek() == '<') ++depth;
    if (peek() == '>') --depth;
    if (!isEscape()) append(type, m_text.substr(m_position, 1));
    ++m_position;
  } while (depth > 0);
  m_atPartStart = false;
  return {};
}

Result<void> NameParser::readArguments(ParsedTypeName& type, char closing, std::size_t depth) {
  ++m_position;
  while (!atEnd() && peek() != closing) {
    HEAPSCAPE_TRY(ParsedTypeName argument, readType(depth + 1));
    type.arguments.push_back(std::move(argument));
    if (type.arguments.size() > kLimits.typeArguments) return malformed();
    while (!atEnd() && (peek() == ',' || peek() == ' ')) ++m_position;
  }
  if (atEnd()) return malformed();
  ++m_position;
  m_atPartStart = false;
  return {};
}

Result<void> NameParser::readGenericArguments(ParsedTypeName& type, std::size_t depth) {
  const bool hasArity = m_hasArity;
  const std::size_t before = type.arguments.size();
  HEAPSCAPE_CHECK(readArguments(type, '>', depth));
  const std::size_t count = type.arguments.size() - before;
  if (count == 0) return malformed();
  // In metadata's form the arguments of all levels stand behind the last one, which need have none of its own.
  const bool isOfAllLevels = before == 0 && type.definition.find('`') != std::string::npos;
  if (!hasArity && !isOfAllLevels) type.definition += fmt::format("`{}", count);
  m_hasArity = true;
  m_isClosed = true;
  return {};
}

// Returns what was read so far.
Result<void> NameParser::readParameters(ParsedTypeName& type, std::size_t depth) {
  if (peek() == ' ') ++m_position;
  ParsedTypeName pointer;
  pointer.isFunctionPointer = true;
  if (type.definition.empty() && !type.isFunctionPointer) return malformed();
  pointer.arguments.push_back(std::move(type));
  HEAPSCAPE_CHECK(readArguments(pointer, ')', depth));
  type = std::move(pointer);
  return {};
}

// Brackets of an array, or around the arguments of a generic type as .NET writes them.
Result<void> NameParser::readBrackets(ParsedTypeName& type, std::size_t depth) {
  const std::size_t end = m_text.find_first_not_of(",*", m_position + 1);
  const bool isArray = end != std::string_view::npos && m_text[end] == ']';
  const bool isOpen = type.arguments.empty() && type.suffixes.empty() && type.definition.find('`') != std::string::npos;
  if (!isArray && isOpen) return readBracketedArguments(type, depth);
  if (!isArray) return malformed();
  const std::string_view inside = m_text.substr(m_position + 1, end - m_position - 1);
  m_position = end + 1;
  return readArraySuffix(type, inside);
}

Result<void> NameParser::readArraySuffix(ParsedTypeName& type, std::string_view inside) {
  if (inside.empty()) {
    type.suffixes.push_back({ElementType::SzArray, 1});
  } else if (inside == "*") {
    type.suffixes.push_back({ElementType::Array, 1});
  } else if (inside.size() < kMaxParsedRank && std::ranges::all_of(inside, [](char c) { return c == ','; })) {
    type.suffixes.push_back({ElementType::Array, static_cast<std::uint32_t>(inside.size() + 1)});
  } else {
    return malformed();
  }
  return {};
}

// "[X,[Y, Assembly, Version=1.0.0.0]]": an argument with its assembly has brackets of its own.
Result<void> NameParser::readBracketedArguments(ParsedTypeName& type, std::size_t depth) {
  do {
    ++m_position;
    while (!atEnd() && peek() == ' ') ++m_position;
    const bool hasAssembly = !atEnd() && peek() == '[';
    if (hasAssembly) ++m_position;
    HEAPSCAPE_TRY(ParsedTypeName argument, readType(depth + 1));
    type.arguments.push_back(std::move(argument));
    if (type.arguments.size() > kLimits.typeArguments) return malformed();
    if (hasAssembly) HEAPSCAPE_CHECK(skipAssembly(']'));
  } while (!atEnd() && peek() == ',');
  if (atEnd() || peek() != ']') return malformed();
  ++m_position;
  m_atPartStart = false;
  m_hasArity = m_isClosed = true;
  return {};
}

Result<void> NameParser::skipAssembly(char closing) {
  const std::size_t end = m_text.find(closing, m_position);
  if (end == std::string_view::npos) return malformed();
  m_position = end + 1;
  return {};
}

}  // namespace

Result<ParsedTypeName> parseTypeName(std::string_view name) {
  return NameParser(name).parse();
}

// Recursion ends with the name, whose nesting is bounded where it is parsed.
std::string runtimeTypeName(const ParsedTypeName& name) {
  std::vector<std::string> arguments;
  for (const ParsedTypeName& argument : name.arguments) arguments.push_back(runtimeTypeName(argument));
  std::string text;
  if (name.isFunctionPointer) {
    text = arguments.front() + " (";
    for (std::size_t i = 1; i < arguments.size(); ++i) text += (i > 1 ? ", " : "") + arguments[i];
    text += ")";
  } else {
    text = withTypeArguments(name.definition, arguments);
  }
  for (const ParsedTypeName::Suffix& suffix : name.suffixes) {
    switch (suffix.element) {
      case ElementType::SzArray:
        text += "[]";
        break;
      case ElementType::Array:
        text += arraySuffix(suffix.rank);
        break;
      default:
        text += suffix.element == ElementType::Ptr ? '*' : '&';
    }
  }
  return text;
}

std::string runtimeTypeName(std::string_view name) {
  const auto parsed = parseTypeName(name);
  return parsed ? runtimeTypeName(*parsed) : std::string(name);
}

namespace {

/// Where arguments or brackets begin, but for the angle brackets that a compiler begins a part of a name with.
std::size_t endOfDefinition(std::string_view name) {
  bool isPartStart = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' && isPartStart) {
      std::size_t depth = 0;
      for (; i < name.size(); ++i) {
        if (name[i] == '<') ++depth;
        if (name[i] == '>' && --depth == 0) break;
      }
      isPartStart = false;
      continue;
    }
    if (std::string_view("<[*& (?").find(name[i]) != std::string_view::npos) return i;
    isPartStart = name[i] == '.' || name[i] == '+';
  }
  return name.size();
}

std::string withoutSpaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

std::string dotted(std::string_view definition) {
  std::string text(definition);
  std::ranges::replace(text, '+', '.');
  return text;
}

std::string csharpOf(std::string_view runtimeName) {
  return withoutSpaces(csharpTypeName(runtimeName));
}

/// Text behind a definition's name: of "int?", whose definition is Nullable, all of it.
std::string behindDefinition(const std::string& csharpName) {
  const std::size_t end = endOfDefinition(csharpName);
  return end < csharpName.size() && csharpName[end] == '?' ? csharpName : csharpName.substr(end);
}

}  // namespace

TypeNameSearch::TypeNameSearch(std::string_view text)
    : m_text(text), m_runtimeName(runtimeTypeName(text)), m_csharpName(csharpOf(m_runtimeName)) {
  const std::string_view definition = std::string_view(m_runtimeName).substr(0, endOfDefinition(m_runtimeName));
  m_definition = dotted(definition);
  m_behind = behindDefinition(m_csharpName);
}

bool TypeNameSearch::isNameOf(std::string_view typeName) const {
  if (m_text.empty()) return false;
  if (typeName == m_text || typeName == m_runtimeName) return true;
  const std::string_view definition = typeName.substr(0, endOfDefinition(typeName));
  const bool isSameDefinition = definition.size() == m_definition.size() && dotted(definition) == m_definition;
  const std::size_t before = definition.size() - std::min(definition.size(), m_definition.size() + 1);
  const bool endsWithIt = definition.size() > m_definition.size() &&
                          (definition[before] == '.' || definition[before] == '+') &&
                          dotted(definition).ends_with(m_definition);
  if (!isSameDefinition && !endsWithIt) {
    // Tuples of C# name no definition.
    return m_text.find('(') != std::string::npos && csharpOf(typeName) == m_csharpName;
  }
  const std::string csharpName = csharpOf(typeName);
  return csharpName == m_csharpName || behindDefinition(csharpName) == m_behind;
}

bool TypeNameSearch::isHeldBy(std::string_view typeName) const {
  return typeName.find(m_text) != std::string_view::npos || typeName.find(m_runtimeName) != std::string_view::npos ||
         isNameOf(typeName);
}

}  // namespace heapscape::engine
