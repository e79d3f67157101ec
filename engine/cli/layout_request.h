// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/layout_input.h"
#include "output/layouts/layout_answer.h"

namespace heapscape::cli {

/// What the command line asks of which types.
struct LayoutRequest {
  std::string type;  // empty: all of an assembly, all with objects of a dump
  bool all = false;
  std::string typesFile;

  std::vector<engine::RuleSet> rules;  // empty: what is usual for the input
  std::optional<std::uint32_t> pack;
  std::optional<std::uint32_t> runtimeMajor;
  bool sideBySide = false;
  std::optional<std::size_t> nestedLevels;  // how deep value types are opened; nothing: all the way
  bool why = false;
  bool best = false;

  bool namesTypes() const { return !type.empty() || !typesFile.empty(); }
};

/// What there is to tell of the types, and which could not be told of.
struct LayoutAnswers {
  std::vector<engine::LayoutAnswer> answers;
  std::vector<std::string> notFound;  // names of a list that are no type
  struct Failure {
    std::string type;
    std::string why;
  };
  std::vector<Failure> failed;
  engine::FindingList findings;  // types of a dump that are damaged
};

/// Fails if a single type was asked for and cannot be told of.
engine::Outcome<LayoutAnswers> answerLayouts(Context& context, LayoutInput& input, const LayoutRequest& request);

}  // namespace heapscape::cli
