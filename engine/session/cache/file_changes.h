// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "memory/address_space.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

class CacheFile;

/// Tells whether other programs have changed the files of an open dump: the dump's own, or one that stands in for
/// memory which the dump leaves out, or holds what was kept of it. Whatever was read from it, before or after, is in
/// doubt then. Cheap enough to ask after every answer; safe from any thread; keeps the files open, not what was read
/// from them.
class FileChanges {
 public:
  explicit FileChanges(const Snapshot& snapshot);
  explicit FileChanges(std::shared_ptr<const AddressSpace> memory);

  /// FileUnreadable, with the file and what happened to it; nothing if all is as it was.
  std::optional<Error> error() const;

 private:
  std::shared_ptr<const AddressSpace> m_memory;
  std::shared_ptr<const CacheFile> m_kept;
};

/// The same snapshot with a finding that its files were changed.
Snapshot withChangedFiles(const Snapshot& snapshot, const Error& error);

}  // namespace heapscape::engine
