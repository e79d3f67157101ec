// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace heapscape::engine {

/// What a redacted copy keeps of contents. The default is the safe one: nothing but lengths, without which sizes would
/// not be those of the program.
struct RedactOptions {
  bool isSlim = false;       // all contents stay; only memory that nothing reads is left out
  bool keepsLengths = true;  // of strings and arrays; else they are rounded up as far as the object is as large
  bool keepsEnums = false;
  bool keepsBooleans = false;
  bool keepsCounts = false;                         // of collections, so that what is in use of them shows
  bool hashesStrings = false;                       // equal strings get equal characters, which nobody can turn back
  bool areStringsHashed = false;                    // the dump is such a copy: what looks like a hash stays
  std::vector<std::string> renamedNamespaces = {};  // whose types, members and assemblies get other names
  std::array<std::byte, 192> key{};                 // of the hashes; thrown away with this
};

}  // namespace heapscape::engine
