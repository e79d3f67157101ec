// SPDX-License-Identifier: MIT
#include "cli/open_dump.h"

#include "memory/packing/byte_source.h"
#include "session/snapshot/heap_presence.h"

namespace heapscape::cli {

using engine::Outcome;
using engine::Snapshot;
using engine::Stage;

namespace {

bool areSameRoots(const engine::RootOptions& one, const engine::RootOptions& other) {
  return one.includeStacks == other.includeStacks && one.includeInexact == other.includeInexact &&
         one.only == other.only;
}

}  // namespace

Outcome<Snapshot> OpenDump::open(const std::string& path, const engine::OpenOptions& options,
                                 engine::OpenListener* listener, std::stop_token stop) {
  if (path != m_path) {
    // It would take the commands that are still to come for a dump, and wait for their end.
    if (engine::isStandardInput(path)) {
      return tl::unexpected(engine::Unfinished(
          engine::Error{engine::ErrorCode::FileUnreadable,
                        "While a dump stays open, no other one is read from standard input.", "Name a file."}));
    }
    return engine::openDump(path, options, listener, stop);
  }
  if (!m_objects || m_searchFolders != options.searchFolders) {
    engine::OpenOptions upToObjects = options;
    upToObjects.stopAfter = Stage::Layouts;
    m_retained.reset();
    m_objects.reset();
    HEAPSCAPE_TRY(m_objects, engine::openDump(path, upToObjects, listener, stop));
    m_searchFolders = options.searchFolders;
  }
  if (options.stopAfter < Stage::References || !engine::hasHeap(*m_objects)) return *m_objects;
  if (!hasRetained(options.retained)) {
    const Snapshot from = m_retained ? *m_retained : *m_objects;
    HEAPSCAPE_TRY(m_retained, engine::addRetained(from, options.retained, listener, stop));
  }
  return *m_retained;
}

bool OpenDump::hasRetained(const engine::RetainedOptions& options) const {
  if (!m_retained || !areSameRoots(m_retained->rootOptions(), options.roots)) return false;
  return !options.byType || !m_retained->typeRetained().empty();
}

}  // namespace heapscape::cli
