// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/details/address_query.h"
#include "session/process/process_memory.h"

namespace heapscape::engine {

/// Writes `memory` and `totals`.
void writeMemory(JsonWriter& json, const ProcessMemory& memory, const RowSelection& selection);

/// Owners and their parts as a table for people; without `--top` the largest parts of each owner.
void writeMemoryText(Output& output, const ProcessMemory& memory, const RowSelection& selection);

/// Which memory is written, and how.
struct MemoryRequest {
  AddressRange range;
  bool asWords = false;                       // rather than as bytes with their characters
  const AddressMeanings* meanings = nullptr;  // each word with what it leads to
  bool redact = false;                        // leaves out all but what leads somewhere
};

/// The member "bytes": where, how many, and of which parts the memory is made; missing ones say so. Once `stop` asks
/// for it, the rest is left out.
void writeRawMemory(JsonWriter& json, const Snapshot& snapshot, const MemoryRequest& request, std::stop_token stop);
/// Lines of 16 bytes, of two words, or of one word with what it leads to.
void writeRawMemory(Output& output, const Snapshot& snapshot, const MemoryRequest& request, std::stop_token stop);

}  // namespace heapscape::engine
