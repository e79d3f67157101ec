// SPDX-License-Identifier: MIT
#pragma once

#include "metadata/signature.h"

namespace heapscape::engine {

/// Decodes one type of a signature that the runtime made itself, where type handles may stand for tokens, also for the
/// definition of a generic instance, and moves behind it. Fails with Damaged.
Result<SignatureType> decodeRuntimeType(BoundedReader& reader);

}  // namespace heapscape::engine
