// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/address.h"

namespace heapscape::test {

/// What ClrMD says of a dump's handles, locks, threads, finalizers, statics, sampled objects, methods and edges
/// (tests/targets/README.md has the schema).
nlohmann::json detailsOf(const std::string& dump);

/// An address member of it; 0 if it is not there.
engine::Address addressIn(const nlohmann::json& row, const char* member);

}  // namespace heapscape::test
