// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <unordered_map>

#include "base/result.h"
#include "redact/memory_plan.h"
#include "redact/redact_options.h"
#include "redact/renamed_names.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Enters what stays of managed images and of metadata made at run time: headers, names and signatures, and the tables
/// that lead from code to methods. Literals, values of attributes, IL, initial values of fields, resources and
/// instructions do not. Fails where names cannot be replaced by others (renamed_metadata.h).
Result<void> keepImages(const Snapshot& snapshot, const RedactOptions& options, RenamedNames& names, MemoryPlan& plan);

/// Enters what stays of shared libraries and programs: headers, symbols and unwind tables; of the runtime itself its
/// constants and variables, too.
void keepLibraries(const Snapshot& snapshot, MemoryPlan& plan);

/// Where the runtime itself has its variables.
std::vector<AddressRange> runtimeVariables(const Snapshot& snapshot);
/// Writable memory of all shared libraries.
std::vector<AddressRange> libraryVariables(const Snapshot& snapshot);

/// A path whose folders are made unreadable where they lie below somebody's home, with as many bytes as before; the
/// file's own name stays.
std::string withoutHome(const std::string& path);

}  // namespace heapscape::engine
