// SPDX-License-Identifier: MIT
#pragma once

#include "metadata/assembly_file.h"
#include "metadata/pe_image.h"

namespace heapscape::engine {

/// Follows an image's managed native header (READYTORUN_HEADER, src/coreclr/inc/readytorun.h). What is missing or
/// damaged in it is left out.
ReadyToRunFacts readReadyToRunHeader(const PeReader& read, bool mapped, const PeMetadataLocation& location);

}  // namespace heapscape::engine
