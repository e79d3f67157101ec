// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "metadata/pe_image.h"

namespace heapscape::engine {

/// What an image says about the ReadyToRun code in it.
struct ReadyToRunFacts {
  bool isReadyToRun = false;
  /// Names of the assemblies that its native manifest references: those it was compiled together with, and others whose
  /// code it has taken in.
  std::vector<std::string> manifestAssemblies;
  /// File name of the composite image that has its code, if that is elsewhere.
  std::string compositeImage;
};

/// Follows an image's managed native header (READYTORUN_HEADER, src/coreclr/inc/readytorun.h). What is missing or
/// damaged in it is left out.
ReadyToRunFacts readReadyToRunHeader(const PeReader& read, bool mapped, const PeMetadataLocation& location);

}  // namespace heapscape::engine
