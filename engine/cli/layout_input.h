// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
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
  /// Of a dump it is made when it is first asked for.
  engine::Result<engine::DeclaredLayouts> layouts();

  /// The framework that an assembly's references were read from; nothing for a dump, or where none was found.
  std::optional<engine::FrameworkRead> framework() const {
    return m_layouts && !m_dump ? m_layouts->framework() : std::nullopt;
  }
  /// Whose rules lay its types out. Of an assembly.
  std::uint32_t rulesOf() const { return m_layouts->runtime().majorVersion; }

  /// For the head of the answer: what was missing so far, and seconds that reading took.
  engine::InputFacts facts() const;

 private:
  std::optional<engine::Snapshot> m_dump;
  std::optional<engine::DeclaredLayouts> m_layouts;
  std::vector<engine::StageTiming> m_timings;  // of an assembly
};

}  // namespace heapscape::cli
