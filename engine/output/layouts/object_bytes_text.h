// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "session/details/object_details.h"

namespace heapscape::engine {

/// An object's memory, a line for each run of bytes, with what it belongs to.
void writeObjectBytesText(Output& output, const ObjectBytes& bytes);

}  // namespace heapscape::engine
