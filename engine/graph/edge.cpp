// SPDX-License-Identifier: MIT
#include "graph/edge.h"

namespace heapscape::engine {

const char* toString(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Field:
      return "field";
    case EdgeKind::Element:
      return "element";
    case EdgeKind::Dependent:
      return "dependent";
    case EdgeKind::Loader:
      return "loader";
  }
  return "unknown";
}

}  // namespace heapscape::engine
