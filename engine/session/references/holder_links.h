// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/large_array.h"
#include "session/references/path_edges.h"
#include "session/references/path_index.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// How the next object on the shortest way to the roots refers to an object.
struct HolderLink {
  static constexpr std::uint32_t kElement = 0xffffffff;  // any element of an array that has one reference in each
  static constexpr std::uint32_t kHandle = 0xfffffffe;   // a dependent handle, or what keeps a collectible type loaded

  std::uint32_t holder = 0;  // ObjectId
  std::uint32_t type = 0;    // of the holder: TypeId
  std::uint32_t field = 0;   // offset from the holder's address

  bool isAlike(const HolderLink& other) const { return type == other.type && field == other.field; }
};

/// Follows the shortest ways from very many objects to the roots, step by step.
class HolderLinks {
 public:
  HolderLinks(const Contents& contents, const ReverseReferences& reverse, const PathIndex& index);

  bool isRooted(std::uint32_t object) const { return m_index.distances.of(object) == 1; }
  /// Of an object that can be reached and is not rooted. `reader`: the caller's own, so that several threads may ask.
  HolderLink linkOf(std::uint32_t object, HeapReader& reader) const;
  /// The end of a run: from an object on as long as the link is like this one. What is learned on the way is kept until
  /// forgetRuns().
  std::uint32_t endOfRun(std::uint32_t object, const HolderLink& link, HeapReader& reader);
  void forgetRuns();

  std::uint32_t typeOf(std::uint32_t object) const { return (*m_types)[object]; }

 private:
  std::uint32_t fieldOf(const HolderLink& link, std::uint32_t object, HeapReader& reader) const;

  const Contents& m_contents;
  const ReverseReferences& m_reverse;
  const PathIndex& m_index;
  std::shared_ptr<const ObjectTypes> m_types;
  LargeArray<std::uint32_t> m_ends;       // by ObjectId: one more than the end of its run, as far as it is known
  std::vector<std::uint32_t> m_followed;  // objects whose runs are known
};

}  // namespace heapscape::engine
