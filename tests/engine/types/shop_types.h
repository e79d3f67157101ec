// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::test {

/// A test for each dump of the shop, with what ClrMD says of it.
class ShopTypes : public testing::TestWithParam<std::string> {
 protected:
  const engine::Snapshot& snapshot() const;
  const engine::RuntimeReaders& readers() const { return *snapshot().contents().readers; }
  /// One object a method of all types with objects.
  const nlohmann::json& methodsOfClrMd() const;
};

}  // namespace heapscape::test
