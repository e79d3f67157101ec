// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "redact/redact_options.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Bytes of one kind that a copy still has.
struct KeptBytes {
  std::string what;
  std::uint64_t bytes = 0;  // other than zero
  std::string why;
};

/// Bytes of one kind of memory that the dump has and the copy has not, or has as zeros.
struct RemovedBytes {
  std::string kind;  // as heapscape-cli memory names it
  std::uint64_t bytes = 0;
};

struct RedactionReport {
  std::vector<KeptBytes> kept = {};
  std::vector<RemovedBytes> removed = {};
  std::vector<std::string> choices;  // contents that were kept by choice, in words; empty for the default
  std::uint64_t dumpBytes = 0;       // of the dump, unpacked
  std::uint64_t copyBytes = 0;       // of the copy, unpacked
  std::uint64_t fileBytes = 0;       // of the file that was written
};

/// Writes a copy of a dump without contents: an ordinary ELF core with the same heap, types, references, stacks and
/// roots, in which no character, no value and no native memory is left that is not needed to read them. The same dump
/// and options give the same bytes on the same day; hashes of strings differ from copy to copy. Packed where the name
/// ends in .zst. The file appears under its name once it is whole. Needs the stage Objects. Fails with FileUnreadable
/// if it cannot be written, or is the dump itself.
Outcome<RedactionReport> writeRedacted(const Snapshot& snapshot, const std::filesystem::path& target,
                                       const RedactOptions& options, ProgressSink* progress, std::stop_token stop);

/// What a redacted copy still has, read as bytes: each byte that is not zero is held against what may be there.
struct RedactionCheck {
  std::string redaction;                   // what the copy says of itself; empty if it was never redacted
  std::vector<KeptBytes> kept = {};        // what is there and may be
  std::vector<KeptBytes> suspicious = {};  // what is there and should not be, by kind of memory
  bool isClean() const { return suspicious.empty(); }
};
Outcome<RedactionCheck> checkRedacted(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop);

/// What is kept by choice, in words: "numbers of collections", "hashes of strings".
std::vector<std::string> choicesOf(const RedactOptions& options);

}  // namespace heapscape::engine
