// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace heapscape::engine {

/// Whether pages of a file could no longer be read; shared by all mappings of the file.
using LostPages = std::shared_ptr<std::atomic<bool>>;

/// Makes reads in [start, start + size), where a file is mapped to be read, survive that the file gets shorter, which
/// else ends the program (SIGBUS): from the first page that is gone on the mapping is replaced by zeros, and `lost` is
/// set. A failing disk does the same. Ends with this object, which must go before the mapping does. Safe from any
/// thread.
class GuardedMapping {
 public:
  GuardedMapping() = default;
  GuardedMapping(const void* start, std::size_t size, LostPages lost);
  GuardedMapping(GuardedMapping&& other) noexcept;
  GuardedMapping& operator=(GuardedMapping&& other) noexcept;
  ~GuardedMapping();

 private:
  struct Slot;
  friend class MappingGuard;

  Slot* m_slot = nullptr;
  LostPages m_lost;
};

}  // namespace heapscape::engine
