// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metadata/image/pe_image.h"

namespace heapscape::engine {

/// Facts of an image on the ReadyToRun code in it.
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

struct ReadyToRunSection {
  std::uint32_t rva = 0;
  std::uint32_t sizeBytes = 0;
};

/// The section of a kind (ReadyToRunSectionType) that an image's managed native header lists; nullopt if it lists none.
std::optional<ReadyToRunSection> findReadyToRunSection(const PeReader& read, const PeMetadataLocation& location,
                                                       std::uint32_t type);

}  // namespace heapscape::engine
