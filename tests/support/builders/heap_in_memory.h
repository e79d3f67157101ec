// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "session/roots/roots_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::test {

/// A heap made by hand, as a snapshot with all its stages: objects lie one behind the other, in the order in which they
/// were added. Memory has no more of an object than its type and its number of components; what refers to it is told.
/// There is no runtime behind it, so nothing can be asked that needs one.
class HeapInMemory {
 public:
  HeapInMemory();

  /// `baseBytes`: of an object, or of an array without elements.
  engine::TypeId addType(std::string name, std::uint32_t baseBytes = 24, std::uint32_t componentBytes = 0,
                         std::string assembly = "Program.dll");
  /// The gaps between objects: "Free", 24 bytes and one for each component. At most one.
  engine::TypeId addFreeType();
  /// What comes next lies in another segment; there is one of generation 2 to begin with.
  void startSegment(engine::Generation generation, std::uint32_t heap = 0);
  /// Its ObjectId.
  std::uint32_t addObject(engine::TypeId type, std::uint32_t components = 0);
  void addReference(std::uint32_t from, std::uint32_t to) { m_references[from].push_back(to); }
  /// Its index, as that of a root's group.
  std::uint32_t addGroup(std::string name, std::uint32_t parent = engine::RootGroup::kNone);
  void addRoot(engine::RootKind kind, std::uint32_t object, std::string name,
               std::uint32_t group = engine::RootGroup::kNone, bool isExact = true);
  void addModule(engine::ModuleRow module) { m_modules.push_back(std::move(module)); }

  engine::Address addressOf(std::uint32_t object) const { return m_objects[object].address; }
  engine::Snapshot snapshot() const;

 private:
  struct Object {
    engine::Address address;
    engine::TypeId type;
    std::uint32_t components = 0, segment = 0;
    std::uint64_t bytes = 0;
  };

  engine::WalkedHeap walked() const;
  engine::ClrRuntime runtime() const;
  engine::Retention retention(const engine::ReferenceGraph& graph, const engine::WalkedHeap& heap) const;

  std::vector<engine::TypeRow> m_types;
  std::vector<engine::Segment> m_segments;
  std::vector<Object> m_objects;
  std::vector<std::vector<std::uint32_t>> m_references;  // by ObjectId
  engine::RootList m_roots;
  std::vector<engine::ModuleRow> m_modules;
};

}  // namespace heapscape::test
