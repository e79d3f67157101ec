// SPDX-License-Identifier: MIT
#include "runtime/method_code.h"

namespace heapscape::engine {

const char* toString(MethodState state) {
  switch (state) {
    case MethodState::None:
      return "none";
    case MethodState::ReadyToRun:
      return "readyToRun";
    case MethodState::Jitted:
      return "jitted";
  }
  return "unknown";
}

}  // namespace heapscape::engine
