// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "memory/address_space.h"

namespace heapscape::engine {

/// The release that a native library of .NET says it is, "10.0.12", from the text "@(#)Version 10.0.1226.42308 …" that
/// its build puts among its variables; empty if it is not in the dump, or of a build without a release. `data`: where
/// the library's variables lie.
std::string productVersion(const AddressSpace& space, std::span<const AddressRange> data);

}  // namespace heapscape::engine
