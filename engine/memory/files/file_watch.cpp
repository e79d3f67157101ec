// SPDX-License-Identifier: MIT
#include "memory/files/file_watch.h"

#include <sys/stat.h>

namespace heapscape::engine {

FileWatch::FileWatch(int descriptor) : m_descriptor(descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return;
  m_sizeBytes = status.st_size;
  m_written = status.st_mtim;
}

FileChange FileWatch::change() const {
  if (m_lost->load()) return FileChange::Shortened;
  struct stat status {};
  if (::fstat(m_descriptor, &status) != 0) return FileChange::None;
  // A part of a page that is gone reads as zeros and raises no signal.
  if (status.st_size < m_sizeBytes) return FileChange::Shortened;
  const bool isWritten = status.st_size != m_sizeBytes || status.st_mtim.tv_sec != m_written.tv_sec ||
                         status.st_mtim.tv_nsec != m_written.tv_nsec;
  return isWritten ? FileChange::Written : FileChange::None;
}

}  // namespace heapscape::engine
