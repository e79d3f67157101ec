// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "insight/insight.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A dump's modules by name, and those whose types have no names in it.
struct NamedModules {
  std::set<std::string> all;
  std::set<std::string> unnamed;
};
NamedModules namedModulesOf(const Snapshot& snapshot);

/// Modules whose types have names in the other dump, but not in this one: these types cannot be matched.
std::set<std::string> modulesNamedElsewhere(const NamedModules& here, const NamedModules& other);

/// Figures of a type in one dump, by its name, assembly and load context, whatever its method tables.
struct TypeFigures {
  std::string name;
  std::string assembly;
  /// The name of its load context; of further ones of that name which have the type "plugins (2)" and so on, in the
  /// order of their addresses.
  std::string loadContext = {};
  std::vector<TypeId> types = {};  // several where a name was loaded more than once
  bool isFree = false;             // the gaps between objects, not a type
  bool isRecorded = false;         // of a recorded heap, whose names of nested types are short, see nameInGcDump()
  std::uint64_t count = 0, bytes = 0, padding = 0;
  std::uint64_t retained = 0;       // by all reachable instances together; of several method tables, the sum
  std::uint64_t instanceBytes = 0;  // base size, of several method tables the largest; 0 of arrays and strings
};

/// The name that a .gcdump file has for a type of a dump: of a nested one without the types around it, but with their
/// arguments. "Entry<System.String, System.Int32>[]" of
/// "System.Collections.Generic.Dictionary<System.String, System.Int32>+Entry[]".
std::string nameInGcDump(std::string_view name);

/// Returns the figures of all types with objects, by name, assembly and load context.
std::vector<TypeFigures> typeFiguresOf(const Snapshot& snapshot);

/// A type in several dumps.
struct MatchedType {
  bool isInSeveralContexts = false;       // one of the dumps has the name and assembly more than once
  std::vector<const TypeFigures*> dumps;  // in their order; null where it has no objects

  /// Returns the figures of the last dump that has it.
  const TypeFigures& latest() const;
};

/// Whether a type in one assembly may be that of its name in another one: both are .NET's, which moves types between
/// its assemblies from version to version.
bool mayHaveMoved(std::string_view assembly, std::string_view other);

/// Finds the types of several dumps that are the same, by name and assembly; where one of the dumps has these in
/// several load contexts, by context, too: by its name, and those of one name in their order. A type of .NET itself is
/// matched by its name alone if it has moved to another of .NET's assemblies, unless one of the dumps has several of
/// that name that the others do not all have. What is given outlives the answer.
std::vector<MatchedType> matchTypes(std::span<const std::vector<TypeFigures>* const> dumps);

/// Key by which insights of several dumps are matched.
struct InsightKey {
  InsightKind kind = InsightKind::Suspect;
  std::string subject;
  std::string contents;  // of strings
  auto operator<=>(const InsightKey&) const = default;
};

/// Figures of it in one dump.
struct InsightFigures {
  InsightMeaning meaning = InsightMeaning::Waste;
  std::string title;
  std::uint64_t bytes = 0, objects = 0;
};

/// Those of one key added up.
std::map<InsightKey, InsightFigures> insightFiguresOf(const InsightList& list);

}  // namespace heapscape::engine
