// SPDX-License-Identifier: MIT
#include "session/snapshot/recorded_heap.h"

#include <fmt/format.h>

namespace heapscape::engine {

Error notRecorded(std::string_view what) {
  return {ErrorCode::NotInDump,
          fmt::format("A .gcdump file does not tell {}: it has the types, sizes and references of objects, and what "
                      "keeps them alive.",
                      what),
          "A dump of the process has them: heapscape-cli capture PID."};
}

}  // namespace heapscape::engine
