// SPDX-License-Identifier: MIT
#pragma once

#include "base/address.h"
#include "base/bounded_reader.h"
#include "base/result.h"
#include "metadata/metadata_tables.h"
#include "redact/memory_plan.h"
#include "redact/renamed_names.h"

namespace heapscape::engine {

/// Enters new names for all that metadata says of the namespaces of `names`: types and what they have, references to
/// them from other assemblies, and the assemblies that are named so. Rows then lead to other places of the heap of
/// names, of which nothing stays but what other rows name; its size stays. `start` is where the metadata lies. Fails
/// with BadQuery if the heap has no room for the new names.
Result<void> renameMetadata(const MetadataTables& tables, Bytes metadata, Address start, RenamedNames& names,
                            MemoryPlan& plan);

}  // namespace heapscape::engine
