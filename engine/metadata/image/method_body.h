// SPDX-License-Identifier: MIT
#pragma once

#include "metadata/image/pe_image.h"
#include "metadata/metadata.h"

namespace heapscape::engine {

/// The token of the signature of a method's local variables (ECMA-335 II.25.4), nil for a method without any. `rva`: of
/// its IL. Fails as locateRva does, and with NotInDump where the reader lacks the IL's head.
Result<Token> localSignatureOf(const PeReader& read, bool mapped, std::uint32_t rva);

}  // namespace heapscape::engine
