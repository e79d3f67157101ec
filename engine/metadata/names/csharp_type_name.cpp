// SPDX-License-Identifier: MIT
#include "metadata/names/csharp_type_name.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kKeywords{{
    {"System.Boolean", "bool"},
    {"System.Byte", "byte"},
    {"System.SByte", "sbyte"},
    {"System.Char", "char"},
    {"System.Decimal", "decimal"},
    {"System.Double", "double"},
    {"System.Single", "float"},
    {"System.Int16", "short"},
    {"System.UInt16", "ushort"},
    {"System.Int32", "int"},
    {"System.UInt32", "uint"},
    {"System.Int64", "long"},
    {"System.UInt64", "ulong"},
    {"System.IntPtr", "nint"},
    {"System.UIntPtr", "nuint"},
    {"System.Object", "object"},
    {"System.String", "string"},
    {"System.Void", "void"},
}};
constexpr std::string_view kNullable = "System.Nullable";
constexpr std::string_view kTuple = "System.ValueTuple";
// A tuple of more has the others in a tuple of its own at this place.
constexpr std::size_t kTupleRest = 7;

/// Rewrites one name from left to right; a type argument is a name in the name.
class CSharpWriter {
 public:
  explicit CSharpWriter(std::string_view text) : m_text(text) {}

  std::string type();
  bool hasFailed() const { return m_failed || m_position != m_text.size(); }

 private:
  struct Named {
    std::string name;                // in C#
    bool isTuple = false;            // of at least two
    std::string tupleElements = {};  // without the brackets
  };

  bool atEnd() const { return m_position >= m_text.size(); }
  char peek() const { return m_text[m_position]; }
  Named typeWithoutSuffix();
  Named closed(std::string_view level, bool isFirst, const std::vector<Named>& arguments);
  std::string_view level();
  std::vector<Named> list(char closing);
  Named named();
  std::string suffixes(std::string name);
  void fail() {
    m_failed = true;
    m_position = m_text.size();
  }

  std::string_view m_text;
  std::size_t m_position = 0;
  std::size_t m_depth = 0;
  bool m_failed = false;
};

std::string withoutNameSpace(std::string_view name) {
  // Names of the compiler's own may hold dots within their angle brackets, and a type without metadata is named by its
  // file: "shop.dll!0x02000012".
  const std::size_t end = std::min(name.find_first_of("<!"), name.size());
  const std::size_t dot = name.substr(0, end).rfind('.');
  const bool isFile = end < name.size() && name[end] == '!';
  return std::string(dot == std::string_view::npos || isFile ? name : name.substr(dot + 1));
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += ", ";
    text += part;
  }
  return text;
}

/// One level of a nested name up to its arguments; angle brackets at its start are the compiler's: "<>c", "<Run>d__3".
std::string_view CSharpWriter::level() {
  const std::size_t start = m_position;
  bool atPartStart = true;
  while (!atEnd()) {
    const char next = peek();
    if (next == '<' && atPartStart) {
      std::size_t depth = 0;
      do {
        if (peek() == '<') ++depth;
        if (peek() == '>') --depth;
        ++m_position;
      } while (depth > 0 && !atEnd());
    } else if (std::string_view("<>,[]()*&+ ").find(next) != std::string_view::npos) {
      break;
    } else {
      ++m_position;
    }
    atPartStart = next == '.';
  }
  return m_text.substr(start, m_position - start);
}

std::vector<CSharpWriter::Named> CSharpWriter::list(char closing) {
  std::vector<Named> types;
  if (++m_depth > kLimits.nestingDepth) fail();  // a hostile name must not use up the stack
  ++m_position;
  while (!atEnd() && peek() != closing) {
    if (peek() == ',' || peek() == ' ') {
      ++m_position;
      continue;
    }
    const std::size_t start = m_position;
    types.push_back(named());
    if (m_position == start) fail();
  }
  if (atEnd()) fail();
  if (!m_failed) ++m_position;
  --m_depth;
  return types;
}

CSharpWriter::Named CSharpWriter::closed(std::string_view level, bool isFirst, const std::vector<Named>& arguments) {
  std::vector<std::string> names;
  for (const Named& argument : arguments) names.push_back(argument.name);
  if (isFirst && level == kNullable && names.size() == 1) return {names.front() + "?"};
  if (isFirst && level == kTuple && names.size() > 1) {
    // The rest is the elements of another tuple.
    if (names.size() > kTupleRest && arguments[kTupleRest].isTuple)
      names[kTupleRest] = arguments[kTupleRest].tupleElements;
    const std::string elements = joined(names);
    return {"(" + elements + ")", true, elements};
  }
  return {(isFirst ? withoutNameSpace(level) : std::string(level)) + "<" + joined(names) + ">"};
}

CSharpWriter::Named CSharpWriter::typeWithoutSuffix() {
  Named whole;
  for (bool isFirst = true; !m_failed; isFirst = false) {
    const std::string_view name = level();
    Named part;
    if (!atEnd() && peek() == '<') {
      const std::vector<Named> arguments = list('>');
      part = closed(name, isFirst, arguments);
      // What a tuple of one has for its rest is still a tuple inside of another.
      if (isFirst && name == kTuple && arguments.size() == 1) {
        part.isTuple = true;
        part.tupleElements = arguments.front().name;
      }
    } else {
      const auto keyword = std::ranges::find(kKeywords, name, &std::pair<std::string_view, std::string_view>::first);
      const bool isAlone = isFirst && (atEnd() || peek() != '+');
      part.name = isAlone && keyword != kKeywords.end() ? std::string(keyword->second)
                  : isFirst                             ? withoutNameSpace(name)
                                                        : std::string(name);
    }
    if (isFirst) {
      whole = std::move(part);
    } else {
      whole = {whole.name + "." + part.name};
    }
    if (atEnd() || peek() != '+') break;
    ++m_position;
  }
  return whole;
}

/// Brackets of arrays, pointers and references behind a name. Of neighbouring brackets C# has the last ones first.
std::string CSharpWriter::suffixes(std::string name) {
  std::string brackets;
  while (!atEnd() && !m_failed) {
    const char next = peek();
    if (next == '[') {
      const std::size_t end = m_text.find(']', m_position);
      if (end == std::string_view::npos) {
        fail();
        break;
      }
      brackets = std::string(m_text.substr(m_position, end + 1 - m_position)) + brackets;
      m_position = end + 1;
    } else if (next == '*' || next == '&') {
      name += std::exchange(brackets, {});
      name = next == '*' ? name + "*" : "ref " + name;
      ++m_position;
    } else {
      break;
    }
  }
  return name + brackets;
}

CSharpWriter::Named CSharpWriter::named() {
  Named result = typeWithoutSuffix();
  const std::size_t end = m_position;
  result.name = suffixes(std::move(result.name));
  // "RETURN (PARAMETERS)" is a function pointer.
  if (!m_failed && m_text.substr(m_position).starts_with(" (")) {
    ++m_position;
    std::vector<std::string> types;
    for (const Named& parameter : list(')')) types.push_back(parameter.name);
    types.push_back(result.name);
    result.name = suffixes("delegate*<" + joined(types) + ">");
  }
  if (m_position != end) result.isTuple = false;
  return result;
}

std::string CSharpWriter::type() {
  return named().name;
}

}  // namespace

std::string_view nameOfKeyword(std::string_view word) {
  const auto keyword = std::ranges::find(kKeywords, word, &std::pair<std::string_view, std::string_view>::second);
  return keyword == kKeywords.end() ? std::string_view() : keyword->first;
}

std::string csharpTypeName(std::string_view typeName) {
  CSharpWriter writer(typeName);
  std::string name = writer.type();
  return writer.hasFailed() ? std::string(typeName) : name;
}

}  // namespace heapscape::engine
