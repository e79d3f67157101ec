// SPDX-License-Identifier: MIT
#include "cli/layout_selection.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <unordered_map>

#include "metadata/names/type_name_forms.h"
#include "metadata/names/type_name_search.h"

namespace heapscape::cli {

namespace {

constexpr std::size_t kSuggestions = 3;

std::string lowerCase(std::string text) {
  for (char& character : text) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
  }
  return text;
}

/// The addresses that a text names by number, all types of that method table being one.
bool isMethodTable(const std::string& text, engine::Address& address) {
  return text.starts_with("0x") && engine::tryParseAddress(text, address);
}

}  // namespace

NamedTypes findTypes(const std::vector<engine::LoadedType>& loaded, const std::vector<std::string>& names) {
  std::unordered_multimap<std::string, std::size_t> byName;
  for (std::size_t i = 0; i < loaded.size(); ++i) byName.emplace(engine::metadataTypeName(loaded[i].name), i);
  NamedTypes found;
  for (const std::string& name : names) {
    engine::Address address;
    if (isMethodTable(name, address)) {
      found.methodTables.push_back(address);
      continue;
    }
    std::vector<std::size_t> matches;
    const auto [first, last] = byName.equal_range(engine::metadataTypeName(name));
    for (auto match = first; match != last; ++match) matches.push_back(match->second);
    if (matches.empty()) {
      const engine::TypeNameSearch search(name);
      for (std::size_t i = 0; i < loaded.size(); ++i) {
        if (search.isNameOf(loaded[i].name)) matches.push_back(i);
      }
    }
    std::sort(matches.begin(), matches.end());
    for (const std::size_t match : matches) found.methodTables.push_back(loaded[match].methodTable);
    if (matches.empty()) found.notFound.push_back(name);
  }
  return found;
}

engine::Result<std::vector<std::string>> readNames(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty() && line.front() != '#') names.push_back(line);
  }
  if (!file.eof()) {
    return engine::failure(engine::ErrorCode::FileUnreadable, "The list of types '" + path + "' cannot be read.",
                           "Give a text file with one type name a line.");
  }
  return names;
}

engine::Error notFoundError(const std::vector<std::string>& names, const std::string& name, const std::string& where) {
  const std::string wanted = lowerCase(name);
  std::string similar;
  std::size_t count = 0;
  for (const std::string& other : names) {
    if (lowerCase(other).find(wanted) == std::string::npos) continue;
    if (count < kSuggestions) similar += (count ? ", '" : "'") + other + "'";
    ++count;
  }
  const std::string help = count ? "Names that hold this text: " + similar + (count > kSuggestions ? ", …" : "") + "."
                                 : "Give the full name with namespace.";
  return {engine::ErrorCode::NotFound, "No type named '" + name + "' " + where + ".", help};
}

}  // namespace heapscape::cli
