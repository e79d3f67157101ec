// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

struct GenericInstantiation {
  std::string name;
  Address methodTable;
  Address canonical;                     // the method table whose code it runs
  std::string canonicalName;             // "List<System.__Canon>"
  bool sharesCode = false;               // with other instantiations, by the canonical method table
  std::uint64_t objects = 0, bytes = 0;  // on the heap
};

/// One generic type definition and all that the runtime has made of it.
struct GenericDefinition {
  std::string name;  // "System.Collections.Generic.List<T>"
  std::string assembly;
  std::vector<std::string> parameters;
  std::vector<GenericInstantiation> instantiations;  // grouped by canonical method table, that one first
  std::uint32_t methodTables = 0;
  std::uint32_t openForms =
      0;  // method tables over type parameters, the definition's own among them; not counted above
  std::uint64_t methodTableBytes = 0;  // of method tables and their dictionaries
  std::uint32_t codeSets = 0;          // canonical method tables: how many times the code may exist
  std::uint32_t methods = 0;           // MethodDescs of all of them
  std::uint32_t methodsWithCode = 0;
  std::uint64_t codeBytes = 0;  // native code whose size is known, ReadyToRun and jitted, old versions too
  std::uint64_t jittedBytes = 0;
  std::uint32_t codeSizeUnknown = 0;  // methods with code of unknown size
};

/// How many instantiations with code of their own a definition has to have to be looked at, by the name of its
/// assembly.
using FewestInstantiations = std::function<std::uint32_t(const std::string& assembly)>;

/// All generic definitions with loaded instantiations, the most expensive first: code bytes, then method tables.
/// `text`: part of the definition's name; empty for all.
Outcome<std::vector<GenericDefinition>> listGenerics(const Snapshot& snapshot, const std::string& text,
                                                     std::stop_token stop);
/// Those of them with so many instantiations, without looking closely at any other.
Outcome<std::vector<GenericDefinition>> listGenericsOfMany(const Snapshot& snapshot, const FewestInstantiations& fewest,
                                                           std::stop_token stop);

}  // namespace heapscape::engine
