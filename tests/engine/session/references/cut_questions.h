// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "session/references/what_if.h"

namespace heapscape::test {

/// A cut as it is written, which there has to be.
inline engine::Cut cutOf(const engine::Snapshot& snapshot, const std::string& text) {
  auto cut = engine::readCut(snapshot, text, {});
  EXPECT_TRUE(cut) << text << ": " << (cut ? "" : cut.error().error().message());
  return cut ? std::move(*cut) : engine::Cut{};
}

/// What all of them would free.
inline engine::WhatIf askWhatIf(const engine::Snapshot& snapshot, const std::vector<std::string>& texts) {
  std::vector<engine::Cut> cuts;
  for (const std::string& text : texts) cuts.push_back(cutOf(snapshot, text));
  return engine::WhatIf::ask(snapshot, std::move(cuts), nullptr, {}).value();
}

}  // namespace heapscape::test
