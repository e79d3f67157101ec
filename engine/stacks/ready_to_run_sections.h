// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// The parts of an image with ReadyToRun code, as its header in memory lists them (READYTORUN_HEADER,
/// src/coreclr/inc/readytorun.h).
struct ReadyToRunSections {
  struct Section {
    std::uint32_t type = 0;
    AddressRange range;
  };
  Address imageBase;  // what offsets in the image count from
  std::vector<Section> sections;

  /// Empty if there is no section of this type.
  AddressRange find(std::uint64_t type) const;
};

/// The sections of the image that has a module's code: a composite one if the module was compiled together with others.
/// Returns nullopt if the module has no such code, or if the dump lacks the header.
std::optional<ReadyToRunSections> readReadyToRunSections(const ClrRuntime& runtime, Address module);

}  // namespace heapscape::engine
