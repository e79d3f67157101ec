// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_map>

#include "runtime/clr_runtime.h"
#include "stacks/frames/explicit_frame_kind.h"

namespace heapscape::engine {

/// Recognises the runtime's frames by the first word of each: a number from .NET 10 on (FrameIdentifier,
/// src/coreclr/vm/frames.h), before it the address of the class's vtable. Safe from any thread.
class ExplicitFrameKinds {
 public:
  explicit ExplicitFrameKinds(const ClrRuntime& runtime);

  /// Nothing if there is no frame that this version of .NET has, or if the dump does not hold it.
  std::optional<ExplicitFrameKind> kindOf(Address frame) const;

 private:
  const ClrRuntime& m_runtime;
  std::unordered_map<std::uint64_t, ExplicitFrameKind> m_kinds;  // by the frames' first word
};

}  // namespace heapscape::engine
