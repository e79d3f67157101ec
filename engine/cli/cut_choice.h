// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/references/what_if.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heapscape::cli {

/// What a verb is to think away: --without CUT, as often as wanted.
class CutChoice {
 public:
  CLI::Option* addOptions(CLI::App& app, const std::string& description);
  bool isAsked() const { return !m_cuts.empty(); }
  /// Fails with BadQuery for what is no cut, with NotFound for one of what there is not.
  engine::Outcome<engine::WhatIf> read(const engine::Snapshot& snapshot, std::stop_token stop) const;

 private:
  std::vector<std::string> m_cuts;
};

}  // namespace heapscape::cli
