// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "capture/capture_kind.h"
#include "capture/processes.h"
#include "redact/redact_options.h"
#include "redact/redacted_copy.h"

namespace heapscape::engine {

/// How long another process may be silent. Nothing limits how long it may write.
struct CaptureLimits {
  std::chrono::milliseconds answer{10'000};  // to a question, or to a connection
  /// With a dump that does not grow, while createdump does not compute either.
  std::chrono::milliseconds standstill{60'000};
  /// To end createdump when the dump is given up.
  std::chrono::milliseconds giveUp{3000};
};

struct CaptureRequest {
  ProcessPlaces places;
  std::uint32_t pid = 0;         // as our own PID namespace counts
  std::filesystem::path target;  // to write; packed where its name ends in .zst
  CaptureKind kind = CaptureKind::Heap;
  /// Folder that the process is to write in first, as it names it; empty for the target's own, or that of its socket.
  std::filesystem::path via = {};
  std::optional<RedactOptions> redact = {};  // then only a copy without contents stays
  bool ignoresRoom = false;                  // does it though the disk seems too small
  CaptureLimits limits = {};
};

/// A dump that is whole.
struct CapturedDump {
  std::filesystem::path file;
  CaptureKind kind = CaptureKind::Heap;
  std::uint64_t bytes = 0;      // of the file
  std::uint64_t dumpBytes = 0;  // of the dump as the runtime wrote it
  double seconds = 0;           // in all
  /// From the request to the runtime to its answer: the process stood still for no longer than that.
  double dumpSeconds = 0;
  std::optional<RedactionReport> redaction = {};
};

/// Has a process write a dump of itself, through its own runtime. It writes under another name, beside the target or,
/// where it has other files than we (a container) or another user, in the folder of its own socket (or `via`), from
/// where it is copied; the target gets its name when the dump is whole: an ELF core, all of whose segments lie in the
/// file. Whatever happens, no half file is left. A stop ends createdump, and the process goes on.
///
/// Fails with NotFound if there is no such process, or none that listens; with Damaged if the dump is not whole; with
/// FileUnreadable for all that forbids it: permission, a process that is stopped or has ended, a full disk, a folder
/// that is read-only, a runtime without createdump, a target that is there already.
Outcome<CapturedDump> captureDump(const CaptureRequest& request, ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
