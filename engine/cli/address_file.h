// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"

namespace heapscape::cli {

/// The addresses in a file, one a line, hexadecimal with or without 0x; empty lines are passed over. `what` names the
/// file in messages: "file of roots". Fails with FileUnreadable if it is missing or holds something else.
engine::Result<std::vector<engine::Address>> readAddressFile(const std::string& path, const std::string& what);

}  // namespace heapscape::cli
