// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "graph/paths/root_distances.h"
#include "insight/heap_objects.h"
#include "session/references/edge_names.h"
#include "session/references/path_edges.h"
#include "session/references/paths_query.h"

namespace heapscape::engine {

/// Where something is kept.
struct HoldingPlace {
  std::string name;  // "static Shop.Bus.OrderPlaced", "Shop.Window.Closed", "thread 5, rsp+0x18"
  std::uint32_t holder = HeapObjects::kNone;  // the object with the field; none for a root
  bool isStatic = false;                      // the root is a static, or one of a thread
};

/// Tells who holds objects, in words without contents of strings. For one thread. Questions search no farther from the
/// roots than they have to; many measure how far all objects are, once.
class Holders {
 public:
  Holders(const InsightInput& input, const HeapObjects& heap);

  /// The root or field that refers to an object: a static before all others. Nothing for what cannot be reached.
  Outcome<std::optional<HoldingPlace>> placeOf(std::uint32_t object, const std::stop_token& stop);
  /// From a root down to an object: the root, then each step's field and type. Empty for what cannot be reached.
  Outcome<std::vector<std::string>> pathTo(std::uint32_t object, const std::stop_token& stop);
  /// A path in the same words.
  std::vector<std::string> wordsOf(const RootPath& path) const;
  /// Names a root without the names that programs give their threads.
  static std::string nameOf(const RootRow& root);

 private:
  /// From an object that a root refers to down to this one; empty for what cannot be reached.
  Outcome<std::vector<std::uint32_t>> shortestTo(std::uint32_t object, const std::stop_token& stop);
  /// The root that says most of those that refer to an object.
  std::optional<std::uint32_t> rootOf(std::uint32_t object) const;
  std::string nameOfField(std::uint32_t holder, std::uint32_t object);

  const InsightInput& m_input;
  const Snapshot& m_snapshot;
  const HeapObjects& m_heap;
  std::vector<PathIndex::RootOfObject> m_roots;  // by object
  std::optional<NearRoots> m_near;               // from the first search on
  PathEdges m_edges;
  EdgeNames m_names;
};

/// Whether nothing but stacks of threads keeps an object alive: it is a matter of what is running now.
bool isHeldByStacksAlone(const HeapObjects& heap, std::uint32_t object);

}  // namespace heapscape::engine
