// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace heapscape::test {

/// Layouts that a runtime of this major version reported of one set of types, from tests/data/layout: an array with an
/// entry a type. Throws if they are not there.
nlohmann::json expectedLayouts(const std::string& set, std::uint32_t runtime);

}  // namespace heapscape::test
