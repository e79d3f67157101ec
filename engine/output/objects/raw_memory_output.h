// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "output/json_writer.h"
#include "output/output.h"
#include "session/details/address_query.h"

namespace heapscape::engine {

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
