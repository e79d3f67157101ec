// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"
#include "session/threads/locks_query.h"
#include "values/instance.h"

namespace heapscape::engine {

/// Reads locks that .NET writes in C# and that keep their state in fields: System.Threading.Lock (since .NET 9) and
/// ReaderWriterLockSlim, whose readers each note in a thread static which locks they have entered (.NET 8 to 11). For
/// one thread.
class ManagedLocks {
 public:
  ManagedLocks(const Contents& contents, const std::vector<RuntimeThread>& threads);

  /// All that are held or awaited, by address; nothing if it was stopped. From the Objects stage on.
  std::optional<std::vector<LockRow>> find(const std::stop_token& stop);
  /// One of them, held or not; nothing if the object is no such lock, or cannot be read. Type and names are left out.
  std::optional<LockRow> read(Address object);

 private:
  /// How often one thread has entered a reader-writer lock.
  struct Entered {
    std::uint32_t managedId = 0;
    std::uint32_t toRead = 0, toWrite = 0;
  };
  std::optional<LockRow> readLock(const Instance& instance) const;
  std::optional<LockRow> readReaderWriter(const Instance& instance);
  void readEntered();

  const Contents& m_contents;
  const std::vector<RuntimeThread>& m_threads;
  TypeShapes m_shapes;
  std::optional<std::unordered_multimap<std::uint64_t, Entered>> m_entered;  // by the lock's number
};

}  // namespace heapscape::engine
