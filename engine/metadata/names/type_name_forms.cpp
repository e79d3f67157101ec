// SPDX-License-Identifier: MIT
#include "metadata/names/type_name_forms.h"

#include <algorithm>

#include "base/limits.h"

namespace heapscape::engine {

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
