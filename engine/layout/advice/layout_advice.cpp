// SPDX-License-Identifier: MIT
#include "layout/advice/layout_advice.h"

namespace heapscape::engine {

const char* toString(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::NothingToGain:
      return "nothing";
    case AdviceKind::Reorder:
      return "reorder";
    case AdviceKind::AutoAttribute:
      return "auto";
    case AdviceKind::SequentialOrder:
      return "sequential";
    case AdviceKind::ExplicitOffsets:
      return "explicit";
    case AdviceKind::Pack:
      return "pack";
    case AdviceKind::MergeBools:
      return "mergeBools";
    case AdviceKind::SplitColdFields:
      return "splitColdFields";
  }
  return "unknown";
}

}  // namespace heapscape::engine
