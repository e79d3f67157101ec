// SPDX-License-Identifier: MIT
#include "session/snapshot/root_list.h"

namespace heapscape::engine {

const char* toString(RootKind kind) {
  switch (kind) {
    case RootKind::StrongHandle:
      return "strongHandle";
    case RootKind::PinnedHandle:
      return "pinnedHandle";
    case RootKind::RefCountedHandle:
      return "refCountedHandle";
    case RootKind::AsyncPinnedHandle:
      return "asyncPinnedHandle";
    case RootKind::SizedRefHandle:
      return "sizedRefHandle";
    case RootKind::Static:
      return "static";
    case RootKind::ThreadStatic:
      return "threadStatic";
    case RootKind::FinalizerReady:
      return "finalizerReady";
    case RootKind::Stack:
      return "stack";
    case RootKind::Given:
      return "given";
  }
  return "unknown";
}

}  // namespace heapscape::engine
