// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// The 16 bytes of a GUID as people write it, in lower case and without braces; empty if there are fewer.
std::string guidText(Bytes guid);

}  // namespace heapscape::engine
