// SPDX-License-Identifier: MIT
#include "session/cache/file_changes.h"

#include <fmt/format.h>

#include <utility>

#include "session/cache/cache_file.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

FileChanges::FileChanges(const Snapshot& snapshot) : m_memory(snapshot.contents().memory) {
  if (const auto& retention = snapshot.contents().retention) m_kept = retention->file;
}

FileChanges::FileChanges(std::shared_ptr<const AddressSpace> memory) : m_memory(std::move(memory)) {}

std::optional<Error> FileChanges::error() const {
  if (m_kept && m_kept->isLost()) {
    return Error{
        ErrorCode::FileUnreadable,
        "What was kept of the dump was shortened, or could no longer be read, while it was open: what was read "
        "from it may be wrong.",
        "Open the dump anew."};
  }
  const std::optional<ChangedFile> changed = m_memory ? m_memory->changedFile() : std::nullopt;
  if (!changed) return std::nullopt;
  const char* what = changed->change == FileChange::Shortened
                         ? "was shortened, or could no longer be read, while it was open"
                         : "was written to while it was open";
  return Error{ErrorCode::FileUnreadable,
               fmt::format("{} {}: what was read from it may be wrong.", changed->path.string(), what),
               "Open the dump anew when nobody changes it any more."};
}

Snapshot withChangedFiles(const Snapshot& snapshot, const Error& error) {
  Contents contents = snapshot.contents();
  contents.findings.add(FindingKind::FileChanged, {}, error.message());
  return Snapshot(std::make_shared<const Contents>(std::move(contents)));
}

}  // namespace heapscape::engine
