// SPDX-License-Identifier: MIT
#include "values/weak_target.h"

namespace heapscape::engine {

Result<WeakTarget> weakTarget(const Instance& reference) {
  // Handles are aligned to 8; WeakReference.cs keeps marks in the lowest bits.
  constexpr std::uint64_t kHandleMask = ~std::uint64_t{7};
  WeakTarget target;
  HEAPSCAPE_TRY(target.place, reference.number<Address>("_taggedHandle"));
  target.place.value &= kHandleMask;
  if (!target.place) return target;
  HEAPSCAPE_TRY(target.object, reference.memory().readPointer(target.place));
  return target;
}

}  // namespace heapscape::engine
