// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "capture/nettrace_reader.h"
#include "gcdump/node_graph.h"

namespace heapscape::engine {

/// Makes the graph of a heap out of the events that a runtime tells of it during one full collection: the same graph,
/// node by node, that dotnet-gcdump makes of them (DotNetHeapDumpGraphReader, dotnet/diagnostics). The events are not
/// trusted: what is cut, out of order or contradicts itself fails finish().
class HeapEvents {
 public:
  /// The next event; those that tell nothing of the heap are passed over.
  void take(const NativeTraceEvent& event);
  /// Objects that were told so far.
  std::uint64_t objects() const { return m_objects.size(); }
  /// Whether the collection has ended that the heap was told in.
  bool isAtEnd() const { return m_state == State::After; }
  /// The graph. Fails with Damaged if events are missing, as where the runtime dropped some because nobody took them in
  /// time, and with NotFound if there was no such collection. The events are gone then.
  Result<NodeGraph> finish();

 private:
  enum class State : std::uint8_t { Before, During, After };

  struct ToldObject {
    std::uint64_t address = 0;
    std::uint64_t type = 0;  // its method table
    std::uint32_t bytes = 0;
    std::uint64_t references = 0;  // how many of the references behind those of the object before are its own
  };
  struct ToldType {
    std::string name;
    std::uint64_t module = 0;
  };
  struct ToldRoot {
    std::uint64_t object = 0;
    std::string_view group;     // name of the node that stands for roots of the kind
    bool isAmongOthers = true;  // below "[other roots]"
  };
  struct ToldStatic {
    std::uint64_t object = 0;
    std::uint64_t type = 0;
    std::string field;
    bool isOfThread = false;
  };
  class Graph;

  void takeStart(BoundedReader reader);
  void takeEnd(BoundedReader reader);
  void takeTypes(BoundedReader reader);
  void takeRoots(BoundedReader reader);
  void takeDependent(BoundedReader reader);
  void takeObjects(BoundedReader reader);
  void takeReferences(BoundedReader reader);
  void takeStatics(BoundedReader reader);
  void takeModule(BoundedReader reader);
  /// Number of entries of the next event of its kind; 0 if it is out of order.
  std::uint32_t readCount(BoundedReader& reader, std::uint32_t& next);

  State m_state = State::Before;
  std::uint32_t m_collection = 0;
  bool m_isDamaged = false;
  std::uint32_t m_nextRoots = 0, m_nextDependents = 0, m_nextObjects = 0, m_nextReferences = 0;  // numbers of events
  std::vector<ToldObject> m_objects;
  std::vector<std::uint64_t> m_references;  // of all objects, one behind the other
  std::vector<ToldRoot> m_roots;            // in the order of the events
  std::vector<ToldStatic> m_statics;
  std::map<std::uint64_t, ToldType> m_types;       // by method table
  std::map<std::uint64_t, std::string> m_modules;  // paths
};

}  // namespace heapscape::engine
