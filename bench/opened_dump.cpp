// SPDX-License-Identifier: MIT
#include "opened_dump.h"

#include <fmt/format.h>

#include <cstdlib>

#include "session/open/open_dump.h"
#include "session/open/retained_stage.h"

namespace heapscape::bench {

std::string dumpPath() {
  const char* chosen = std::getenv("HEAPSCAPE_BENCH_DUMP");
  return chosen ? chosen : HEAPSCAPE_SAMPLE;
}

const engine::Snapshot& openedDump() {
  static const engine::Snapshot snapshot = [] {
    auto opened = engine::openDump(dumpPath(), {}, nullptr, {});
    if (!opened) {
      fmt::print(stderr, "{}\n", opened.error().isCancelled() ? "cancelled" : opened.error().error().message());
      std::exit(1);
    }
    return *opened;
  }();
  return snapshot;
}

const engine::Snapshot* retainedDump() {
  static const auto retained = engine::addRetained(openedDump(), {}, nullptr, {});
  return retained ? &*retained : nullptr;
}

}  // namespace heapscape::bench
