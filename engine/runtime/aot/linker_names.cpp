// SPDX-License-Identifier: MIT
#include "runtime/aot/linker_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kArrayPrefix = "__Array<";
constexpr std::string_view kMdArrayPrefix = "__MDArray<";
constexpr std::string_view kPrivateAssembly = "System.Private.", kPrivatePrefix = "S_P_";
constexpr std::string_view kBetweenArguments = "__";
constexpr std::string_view kCanonLinkerName = "System___Canon";
constexpr std::string_view kCanonName = "System.__Canon";

/// Primitives and a few others of the core library have no prefix.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kShortLinkerNames{
    {{"Bool", "System.Boolean"},
     {"Char", "System.Char"},
     {"Int8", "System.SByte"},
     {"UInt8", "System.Byte"},
     {"Int16", "System.Int16"},
     {"UInt16", "System.UInt16"},
     {"Int32", "System.Int32"},
     {"UInt32", "System.UInt32"},
     {"Int64", "System.Int64"},
     {"UInt64", "System.UInt64"},
     {"IntPtr", "System.IntPtr"},
     {"UIntPtr", "System.UIntPtr"},
     {"Single", "System.Single"},
     {"Double", "System.Double"},
     {"Object", "System.Object"},
     {"String", "System.String"},
     {"Void", "System.Void"}}};

std::string_view shortNameOf(std::string_view linkerName) {
  const auto found =
      std::ranges::find(kShortLinkerNames, linkerName, &std::pair<std::string_view, std::string_view>::first);
  return found == kShortLinkerNames.end() ? std::string_view() : found->second;
}

/// As the compiler does it, but for what begins with a digit.
std::string mangled(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    const bool isKept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!isKept) c = '_';
  }
  return text;
}

/// How many type parameters the levels of a definition's name ask for: "Dictionary_2_Enumerator" two.
std::size_t arityOf(std::string_view definition) {
  std::size_t arity = 0;
  for (std::size_t at = definition.find('_'); at != std::string_view::npos; at = definition.find('_', at + 1)) {
    std::size_t level = 0;
    const char* end = definition.data() + definition.size();
    const auto [behind, error] = std::from_chars(definition.data() + at + 1, end, level);
    if (error == std::errc() && (behind == end || *behind == '_') && level < kLimits.typeArguments) arity += level;
  }
  return arity;
}

/// Places where one argument may end and the next begin.
std::vector<std::size_t> possibleEnds(std::string_view arguments) {
  std::vector<std::size_t> ends;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == '<') ++depth;
    if (arguments[i] == '>' && depth > 0) --depth;
    if (depth == 0 && i > 0 && arguments.substr(i).starts_with(kBetweenArguments)) ends.push_back(i);
  }
  return ends;
}

/// "Outer_1+Inner" as metadata spells it, "Outer`1+Inner".
std::string withArities(std::string name) {
  for (std::size_t at = name.find('_'); at != std::string::npos; at = name.find('_', at + 1)) {
    const std::size_t behind = name.find_first_not_of("0123456789", at + 1);
    const bool isNumber = behind != at + 1 && at + 1 < name.size();
    if (isNumber && (behind == std::string::npos || name[behind] == '+')) name[at] = '`';
  }
  return name;
}

}  // namespace

void LinkerNames::learn(std::string_view linkerName, std::string_view fullName) {
  if (fullName.find('<') != std::string_view::npos || !linkerName.ends_with(mangled(fullName))) return;
  const std::size_t dot = fullName.rfind('.');
  const std::size_t start = dot == std::string_view::npos ? 0 : dot + 1;  // without a dot it is in no namespace
  const std::string_view before = linkerName.substr(0, linkerName.size() - fullName.size() + start);
  if (!before.empty()) m_namespaces.try_emplace(std::string(before), fullName.substr(0, start));
}

std::string LinkerNames::ofAssembly(std::string_view simpleName) {
  if (simpleName.starts_with(kPrivateAssembly))
    return std::string(kPrivatePrefix) + mangled(simpleName.substr(kPrivateAssembly.size())) + "_";
  return mangled(simpleName) + "_";
}

std::string LinkerNames::ofCoreLibrary(std::string_view fullName) {
  return ofAssembly("System.Private.CoreLib") + mangled(fullName);
}

std::string LinkerNames::fullName(std::string_view linkerName, std::size_t depth) const {
  if (depth > kLimits.nestingDepth) return std::string(linkerName);
  if (std::string name = m_known.type(linkerName); !name.empty()) return name;
  if (const std::string_view name = shortNameOf(linkerName); !name.empty()) return std::string(name);
  if (linkerName == kCanonLinkerName) return std::string(kCanonName);
  const std::size_t open = linkerName.find('<');
  if (open == std::string_view::npos || !linkerName.ends_with('>')) return guessedName(linkerName);
  const std::string_view inside = linkerName.substr(open + 1, linkerName.size() - open - 2);
  if (linkerName.starts_with(kArrayPrefix)) return fullName(inside, depth + 1) + "[]";
  if (linkerName.starts_with(kMdArrayPrefix)) {
    const std::size_t comma = inside.rfind(',');
    std::uint32_t rank = 0;
    if (comma != std::string_view::npos)
      std::from_chars(inside.data() + comma + 1, inside.data() + inside.size(), rank);
    if (rank > 0 && rank <= 32) return fullName(inside.substr(0, comma), depth + 1) + arraySuffix(rank);
  }
  return instanceName(linkerName.substr(0, open), inside, depth);
}

std::string LinkerNames::instanceName(std::string_view definition, std::string_view arguments,
                                      std::size_t depth) const {
  std::string name = m_known.definition(definition);
  if (name.empty()) name = withArities(guessedName(definition));
  // Two underscores part arguments, and stand in names as well: each but the last ends where a known name does.
  std::vector<std::string> parts;
  const std::size_t arity = arityOf(definition);
  while (parts.size() + 1 < arity) {
    const std::vector<std::size_t> ends = possibleEnds(arguments);
    if (ends.empty()) break;
    const auto known = std::ranges::find_if(ends, [&](std::size_t end) { return isKnown(arguments.substr(0, end)); });
    const std::size_t end = known == ends.end() ? ends.front() : *known;
    parts.push_back(fullName(arguments.substr(0, end), depth + 1));
    arguments.remove_prefix(end + kBetweenArguments.size());
  }
  parts.push_back(fullName(arguments, depth + 1));
  if (name.find('`') != std::string::npos) return withTypeArguments(name, parts);
  for (std::size_t i = 0; i < parts.size(); ++i) name += (i == 0 ? "<" : ", ") + parts[i];
  return name + ">";
}

bool LinkerNames::isKnown(std::string_view linkerName) const {
  return linkerName == kCanonLinkerName || !shortNameOf(linkerName).empty() || m_known.isType(linkerName) ||
         (linkerName.ends_with('>') && linkerName.find('<') != std::string_view::npos);
}

std::string LinkerNames::guessedName(std::string_view linkerName) const {
  std::string_view rest = linkerName;
  std::string name;
  for (auto one = m_namespaces.upper_bound(linkerName); one != m_namespaces.begin();) {
    --one;
    if (!linkerName.starts_with(one->first)) {
      if (one->first.empty() || one->first.front() != linkerName.front()) break;
      continue;
    }
    name = one->second;
    rest = linkerName.substr(one->first.size());
    break;
  }
  // What stands before an underscore is the outer type if there is one of that name.
  for (std::size_t at = rest.find('_'); at != std::string_view::npos; at = rest.find('_', at + 1)) {
    const std::size_t end = static_cast<std::size_t>(rest.data() - linkerName.data()) + at;
    if (at == 0 || at + 1 == rest.size() || !m_known.isType(linkerName.substr(0, end))) continue;
    name += std::string(rest.substr(0, at)) + "+";
    rest.remove_prefix(at + 1);
    at = 0;
  }
  name += rest;
  return name;
}

}  // namespace heapscape::engine
