// SPDX-License-Identifier: MIT
#pragma once

#include "support/core_builder.h"

namespace heapscape::test {

/// One Zstandard frame with a checksum; with `announceSize`, its header says how many bytes come out of it.
FileBytes compressed(engine::Bytes bytes, bool announceSize = true);

}  // namespace heapscape::test
