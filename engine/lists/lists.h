// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/gc/handle_kind.h"
#include "session/snapshot/heap_presence.h"
#include "session/snapshot/snapshot.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Options that narrow a list as it is read; each list understands some.
struct ListOptions {
  bool includeNull = false;                   // handles: also those that refer to nothing
  std::optional<HandleKind> handleKind = {};  // handles: only these
  std::string typeText = {};                  // statics, generics: part of the type's name
  bool onlyInitialised = false;               // statics: only of types, and on threads, that have used them
  std::string text = {};                      // strings: part of the characters
  bool each = false;                          // exceptions: equal ones each by itself
  bool byRetained = false;                    // types: those that retain most first, not those with most bytes
  bool includeGaps = true;                    // types: gaps are in the list, as what they are
  std::size_t limit = SIZE_MAX;               // at most so many rows, the first ones
};
enum class ListOption : std::uint8_t {
  IncludeNull,
  HandleKind,
  TypeText,
  DefinitionText,
  OnlyInitialised,
  Text,
  ByRetained,
  Each
};

/// A list of the dump by its name: one line of the table of all of them.
struct List {
  const char* name;     // in queries and JSON, and as a verb if there is one: "handles"
  const char* summary;  // a sentence without its full stop
  Stage stage;          // that has to be there
  bool needsRetainedByType;
  HeapUse heap;
  std::span<const ListOption> options;
  const TableDescription& (*description)();
  Outcome<Table> (*read)(const Snapshot& snapshot, const ListOptions& options, std::stop_token stop);
};

/// All that can be asked of a dump as rows, but for objects and edges, of which there are millions.
std::span<const List> allLists();
/// Null if there is none of that name.
const List* findList(std::string_view name);

}  // namespace heapscape::engine
