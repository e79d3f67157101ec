// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// When a file was last written, in seconds since 1970; nothing if it cannot be told.
std::optional<std::int64_t> timeOfFile(const std::string& path);

/// What tells which of two dumps was taken first: a core itself has no time.
enum class OrderSource : std::uint8_t {
  Collections,  // both are of one process, and one has had more collections
  FileTimes,    // one file was written more than a minute before the other
  Nothing,
};

struct DumpOrder {
  bool isFirstEarlier = true;  // also where nothing tells
  OrderSource source = OrderSource::Nothing;
};

DumpOrder orderOf(const Snapshot& first, const Snapshot& second);

}  // namespace heapscape::engine
