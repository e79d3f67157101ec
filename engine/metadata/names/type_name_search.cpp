// SPDX-License-Identifier: MIT
#include "metadata/names/type_name_search.h"

#include <algorithm>

#include "metadata/names/csharp_type_name.h"
#include "metadata/names/parsed_type_name.h"

namespace heapscape::engine {
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

/// Of "int?", whose definition is Nullable, all of it.
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
