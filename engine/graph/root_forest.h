// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heapscape::engine {

/// Roots as a forest: groups hold groups and roots, and a root holds one object. Parents stand before their children.
/// Beside it, tops: objects that the whole holds without a root.
class RootForest {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Vertex {
    std::uint32_t parent = kNone;  // the group that it belongs to, by position; none at the top
    std::uint32_t object = kNone;  // ObjectId that a root holds; none for a group, and for a root that holds no object
  };

  RootForest() = default;
  /// Roots at the top, one for each of these ObjectIds.
  static RootForest ofObjects(std::span<const std::uint32_t> objects);

  /// Its position. `parent` must have been added before.
  std::uint32_t addGroup(std::uint32_t parent = kNone) { return add({parent, kNone}); }
  std::uint32_t addRoot(std::uint32_t parent, std::uint32_t object) { return add({parent, object}); }

  void addTop(std::uint32_t object) { m_tops.push_back(object); }

  std::uint32_t size() const { return static_cast<std::uint32_t>(m_vertices.size()); }
  const Vertex& operator[](std::uint32_t position) const { return m_vertices[position]; }
  std::span<const std::uint32_t> tops() const { return m_tops; }

 private:
  std::uint32_t add(Vertex vertex) {
    m_vertices.push_back(vertex);
    return size() - 1;
  }

  std::vector<Vertex> m_vertices;
  std::vector<std::uint32_t> m_tops;  // ObjectIds
};

}  // namespace heapscape::engine
