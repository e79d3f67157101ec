// SPDX-License-Identifier: MIT
#include "heap/object_header.h"

namespace heapscape::engine {

const char* toString(HeaderKind kind) {
  switch (kind) {
    case HeaderKind::None:
      return "none";
    case HeaderKind::ThinLock:
      return "thinLock";
    case HeaderKind::HashCode:
      return "hashCode";
    case HeaderKind::SyncBlock:
      return "syncBlock";
  }
  return "unknown";
}

}  // namespace heapscape::engine
