// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "base/progress.h"
#include "base/result.h"
#include "capture/processes.h"

namespace heapscape::engine {

/// How long a runtime may be silent.
struct LightCaptureLimits {
  std::chrono::milliseconds answer{10'000};   // to a question, or to a connection
  std::chrono::milliseconds silence{60'000};  // while it collects
};

struct LightCaptureRequest {
  ProcessPlaces places;
  std::uint32_t pid = 0;         // as our own PID namespace counts
  std::filesystem::path target;  // to write; packed where its name ends in .zst
  LightCaptureLimits limits = {};
};

/// A .gcdump file that is whole.
struct CapturedGraph {
  std::filesystem::path file;
  std::uint64_t bytes = 0;    // of the file
  std::uint64_t objects = 0;  // in it
  double seconds = 0;         // in all
};

/// Has a runtime collect its garbage and tell of all objects that stay, as events, and writes what it tells as a
/// .gcdump file: types, sizes, references and what keeps them alive, but no contents. The process stands still while
/// the runtime walks its heap; it writes no file, and needs no createdump. The target gets its name when the file is
/// whole.
///
/// Fails as captureDump() does, and with Damaged if events are missing.
Outcome<CapturedGraph> captureGraph(const LightCaptureRequest& request, ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
