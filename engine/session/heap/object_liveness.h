// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "base/progress.h"
#include "base/result.h"
#include "graph/paths/root_distances.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Whether something holds an object.
enum class Liveness : std::uint8_t {
  Dead,      // no root leads to it
  Doubtful,  // only words of stacks lead to it, which may be left over, and it may have been dead for long
  Alive,
};

/// Tells which objects live. A background collection neither sweeps generations 0 and 1 nor keeps intact what their
/// dead objects refer to, so an object there of which nobody knows whether it lives proves no damage. Older objects do
/// once it is done: what they refer to was marked with them. 8 bytes an object.
class ObjectLiveness {
 public:
  /// Reads the references first where the snapshot does not have them.
  static Outcome<ObjectLiveness> determine(const Snapshot& snapshot, StageProgress& progress, std::stop_token stop);

  Liveness of(ObjectId object) const {
    if (m_certain.of(object.value) != 0) return Liveness::Alive;
    return m_reached.of(object.value) != 0 ? Liveness::Doubtful : Liveness::Dead;
  }

 private:
  RootDistances m_reached;  // from all roots
  RootDistances m_certain;  // from those that are surely none left over
};

}  // namespace heapscape::engine
