// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// What a static field of a type of the core library refers to, by name: "System.Threading.ThreadPool", "s_workQueue".
/// Null if nothing is stored. Fails with NotFound if the runtime has no such field or has not loaded its type, with
/// NotInDump or Damaged if it cannot be read.
Result<Address> readLibraryStatic(const RuntimeReaders& readers, std::string_view type, std::string_view field);
/// The same of a [ThreadStatic] field, on one of the runtime's threads; null if the thread has not used it.
Result<Address> readLibraryThreadStatic(const RuntimeReaders& readers, std::string_view type, std::string_view field,
                                        Address thread);

}  // namespace heapscape::engine
