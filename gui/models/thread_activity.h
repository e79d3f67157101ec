// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/address.h"

namespace heapscape::gui {

/// What threads that do the same are listed by in a Location. No thread has such an address.
engine::Address identityOfActivity(const std::string& doing);
/// Whether a Location lists threads by what they do rather than one thread, or whatever else has an address.
bool isActivity(engine::Address identity);

}  // namespace heapscape::gui
