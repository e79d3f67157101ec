// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "metadata/image/pe_image.h"

namespace heapscape::engine {

/// The version of its file that an image's resources tell, "10.0.1226.42308". `mapped` as for locateMetadata. Fails
/// with NotFound where they tell none, with NotInDump or Damaged.
Result<std::string> fileVersionOf(const PeReader& read, bool mapped);

}  // namespace heapscape::engine
