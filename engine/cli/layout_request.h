// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "output/layouts/layout_output.h"
#include "session/layouts/declared_layouts.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::cli {

/// A core dump or an assembly file whose types are asked for.
class LayoutInput {
 public:
  /// A dump is opened up to a stage; an assembly is read with what --search names, for that runtime if one is given.
  static engine::Outcome<LayoutInput> open(Context& context, const std::string& path, engine::Stage stage,
                                           std::optional<std::uint32_t> runtimeMajor);

  bool isDump() const { return m_dump.has_value(); }
  /// Only of a dump.
  const engine::Snapshot& dump() const { return *m_dump; }
  /// Returns the layouts; those of a dump are made when first asked for.
  engine::Result<engine::DeclaredLayouts> layouts();

  /// The framework that an assembly's references were read from; nothing for a dump, or where none was found.
  std::optional<engine::FrameworkRead> framework() const {
    return m_layouts && !m_dump ? m_layouts->framework() : std::nullopt;
  }
  /// The .NET whose rules lay out the types of an assembly.
  std::uint32_t rulesOf() const { return m_layouts->runtime().majorVersion; }

  /// For the head of the answer: what was missing so far, and seconds that reading took.
  engine::InputFacts facts() const;

 private:
  std::optional<engine::Snapshot> m_dump;
  std::optional<engine::DeclaredLayouts> m_layouts;
  std::vector<engine::StageTiming> m_timings;  // of an assembly
};

/// Question of the command line about types.
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

/// Answers about types, and types without one.
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
