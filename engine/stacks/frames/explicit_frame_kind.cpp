// SPDX-License-Identifier: MIT
#include "stacks/frames/explicit_frame_kind.h"

namespace heapscape::engine {

bool hasTransitionBlock(ExplicitFrameKind kind) {
  switch (kind) {
    case ExplicitFrameKind::PInvokeCalliFrame:
    case ExplicitFrameKind::PrestubMethodFrame:
    case ExplicitFrameKind::CallCountingHelperFrame:
    case ExplicitFrameKind::StubDispatchFrame:
    case ExplicitFrameKind::ExternalMethodFrame:
    case ExplicitFrameKind::DynamicHelperFrame:
    case ExplicitFrameKind::MulticastFrame:
      return true;
    default:
      return false;
  }
}

}  // namespace heapscape::engine
