// SPDX-License-Identifier: MIT
#pragma once

#include "base/content_hash.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// Of the roots and how they were chosen.
Hash128 digestOf(const RootOptions& options, const RootList& roots);

/// Of all that who holds what, and whatever is found from it, can depend on: the engine's sources; the file, with every
/// byte of the heap and a page in sixteen of the rest; what was just read from it (segments, objects, types, modules,
/// findings); the roots. Two dumps that differ in anything an answer shows differ in this. Takes as long as reading the
/// heap once, on all cores.
Hash128 digestOf(const Contents& contents, const Hash128& roots);

/// The same without what only this file has, whatever it holds: its inode and its times.
Hash128 contentDigestOf(const Contents& contents, const Hash128& roots);

}  // namespace heapscape::engine
