// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "session/objects/object_details.h"

namespace heapscape::engine {

/// Puts together the runs of a window of an object's bytes, in order: what nobody claims is padding.
class ByteRuns {
 public:
  /// The window [from, to), in offsets from the object's address.
  ByteRuns(std::int64_t from, std::int64_t to) : m_next(from), m_end(to) {}

  std::int64_t next() const { return m_next; }
  std::int64_t end() const { return m_end; }
  /// Bytes that begin no earlier than those added before; parts outside the window are left out.
  void add(ByteOwner owner, std::int64_t offset, std::uint64_t sizeBytes, std::string name, std::string typeName = {});
  /// Fills the rest of the window with padding.
  std::vector<ByteRun> finish();

 private:
  std::int64_t m_next;
  std::int64_t m_end;
  std::vector<ByteRun> m_runs;
};

/// Gives the parts of runs that the dump does not hold to ByteOwner::Missing. `present` is in address order.
std::vector<ByteRun> withMissing(std::vector<ByteRun> runs, Address object, const std::vector<AddressRange>& present);

}  // namespace heapscape::engine
