// SPDX-License-Identifier: MIT
#include "redact/renamed_names.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace heapscape::engine {
namespace {

constexpr std::uint16_t kVirtual = 0x0040;  // MethodAttributes (ECMA-335 II.23.1.10)
constexpr std::string_view kDelimiters = ".<>`|@$,[]+&*/ (){}:;=-";

/// Words that compilers put into the names that they make.
bool isOfCompiler(std::string_view word) {
  constexpr std::array<std::string_view, 9> kWords{
      "Main", "Module", "PrivateImplementationDetails", "Clone", "StartupCode", "VB", "Me", "State", "Builder"};
  return std::ranges::find(kWords, word) != kWords.end() ||
         std::ranges::all_of(word, [](char letter) { return letter == '_' || (letter >= '0' && letter <= '9'); });
}

/// How many letters of a part of a compiler's name are the compiler's: "Local_" of "$VB$Local_text".
std::size_t compilersPart(char before, std::string_view part) {
  if (before == '>') return part.starts_with("g__") ? 3 : part.size();
  if (before != '$') return 0;
  for (const std::string_view prefix : {"Local_", "ResumableLocal_", "NonLocal_"})
    if (part.starts_with(prefix)) return prefix.size();
  constexpr std::string_view kMachine = "StateMachine_";
  if (!part.starts_with(kMachine)) return 0;
  const std::size_t number = part.find('_', kMachine.size());
  return number == std::string_view::npos ? part.size() : number + 1;
}

}  // namespace

RenamedNames::RenamedNames(std::vector<std::string> namespaces, const Metadata* classLibrary)
    : m_namespaces(std::move(namespaces)) {
  if (!classLibrary || m_namespaces.empty()) return;
  for (std::uint32_t row = 1; row <= classLibrary->rowCount(TableId::TypeDef); ++row) {
    const auto type = classLibrary->typeDef(row);
    if (!type) continue;
    m_libraryNames.emplace(type->name.substr(0, type->name.find('`')));
    for (std::string_view rest = type->nameSpace; !rest.empty();) {
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      m_libraryNames.emplace(rest.substr(0, dot));
      rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
  }
  for (std::uint32_t row = 1; row <= classLibrary->rowCount(TableId::MethodDef); ++row)
    if (const auto method = classLibrary->methodDef(row); method && (method->flags & kVirtual))
      m_libraryNames.emplace(method->name);
}

bool RenamedNames::covers(std::string_view name) const {
  return std::ranges::any_of(m_namespaces, [&](const std::string& one) {
    return startsIgnoringCase(name, one) && (name.size() == one.size() || name[one.size()] == '.');
  });
}

bool RenamedNames::areMentionedIn(std::string_view text) const {
  return std::ranges::any_of(m_namespaces, [&](const std::string& one) { return holdsIgnoringCase(text, one); });
}

std::string RenamedNames::nameSpace(std::string_view name) {
  if (const auto known = m_nameSpaces.find(name); known != m_nameSpaces.end()) return known->second;
  return m_nameSpaces.emplace(name, fmt::format("N{}", m_nameSpaces.size() + 1)).first->second;
}

std::string RenamedNames::identifier(Kind kind, std::string_view name) {
  if (const auto known = m_identifiers.find(name); known != m_identifiers.end()) return known->second;
  return m_identifiers.emplace(name, fmt::format("{}{}", static_cast<char>(kind), ++m_counts[kind])).first->second;
}

std::string RenamedNames::renamed(Kind kind, std::string_view name, bool keepsLibraryNames) {
  std::string renamed;
  char before = 0;
  while (!name.empty()) {
    if (kDelimiters.find(name.front()) != std::string_view::npos) {
      before = name.front();
      renamed += before;
      name.remove_prefix(1);
      continue;
    }
    const std::string_view part = name.substr(0, name.find_first_of(kDelimiters));
    name.remove_prefix(part.size());
    const std::size_t kept = compilersPart(before, part);
    const std::string_view own = part.substr(kept);
    renamed += part.substr(0, kept);
    const bool stays =
        own.empty() || (before && isOfCompiler(own)) || (keepsLibraryNames && m_libraryNames.contains(own));
    renamed += stays ? std::string(own) : identifier(kind, own);
    before = 'a';
  }
  return renamed;
}

std::string RenamedNames::member(Kind kind, std::string_view name, bool isVirtual) {
  // Operators, and what the runtime knows by name.
  if (name.starts_with('.') || name.starts_with("op_") || name == "value__") return std::string(name);
  for (const std::string_view accessor : {"get_", "set_", "add_", "remove_"}) {
    if (!name.starts_with(accessor)) continue;
    if (isVirtual && m_libraryNames.contains(name)) return std::string(name);
    return std::string(accessor) + renamed(kind, name.substr(accessor.size()), isVirtual);
  }
  return renamed(kind, name, isVirtual);
}

std::string RenamedNames::path(std::string_view path) {
  std::string renamed;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find_first_of("/\\"));
    const std::size_t rest = std::min(part.size() + 1, path.size());
    if (covers(part)) {
      std::size_t end = part.size();
      for (const std::string_view ending : {".dll", ".exe", ".pdb", ".so", ".dbg", ".ni.dll"})
        if (part.ends_with(ending)) end = std::min(end, part.size() - ending.size());
      std::string& name = m_assemblies[std::string(part.substr(0, end))];
      if (name.empty()) {
        name = fmt::format("A{}", m_assemblies.size());
        name.resize(end, '_');
      }
      renamed += name;
      renamed += part.substr(end);
    } else {
      renamed += part;
    }
    renamed += path.substr(part.size(), rest - part.size());
    path.remove_prefix(rest);
  }
  return renamed;
}

}  // namespace heapscape::engine
