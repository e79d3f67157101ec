// SPDX-License-Identifier: MIT
#include "capture/capture_room.h"

namespace heapscape::engine {

std::optional<std::uint64_t> expectedDumpBytes(CaptureKind kind, const ProcessPlaces& places, std::uint32_t pid) {
  // Of the files that are mapped a heap dump has headers and metadata: an eighth, in small programs on .NET 8 to 11.
  constexpr std::uint64_t kShareOfFiles = 4;
  constexpr std::uint64_t kStacksAndNotes = 16 << 20;
  const auto mapped = mappedBytesOf(places, pid);
  if (!mapped) return std::nullopt;
  switch (kind) {
    case CaptureKind::Heap:
      return mapped->privateWritable + mapped->readableFiles / kShareOfFiles;
    case CaptureKind::Full:
      return mapped->readable;
    case CaptureKind::Mini:
    case CaptureKind::Triage:
      break;
  }
  return kStacksAndNotes;
}

}  // namespace heapscape::engine
