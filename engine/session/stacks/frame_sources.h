// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "runtime/runtime_readers.h"
#include "session/stacks/source_lines.h"
#include "stacks/debug_info/debug_info.h"
#include "stacks/stack_frame.h"

namespace heapscape::engine {

/// Where a frame is in its method, and in the source where a PDB tells it.
struct FrameSource {
  std::optional<std::uint32_t> ilOffset;
  std::optional<SourceLine> line;
};

/// Joins the debug info of methods with what PDBs tell. Safe from any thread.
class FrameSources {
 public:
  FrameSources(const RuntimeReaders& readers, const std::filesystem::path& dump)
      : m_debugInfo(readers.runtime), m_lines(readers.runtime, dump) {}

  /// `module` and `methodRow` are the method's; null and 0 where it has none.
  FrameSource of(const ManagedFrame& frame, const Module* module, std::uint32_t methodRow) const;
  /// The same of an instruction: of itself, not of a call in front of it.
  FrameSource of(const CodeLocation& code, Address instruction, const Module* module, std::uint32_t methodRow) const;
  /// The variable of the method that a root lives in, by its name in the source; empty if that cannot be told.
  std::string variableOf(const ManagedFrame& frame, const StackRoot& root, const Module* module,
                         std::uint32_t methodRow) const;

  const DebugInfoReader& debugInfo() const { return m_debugInfo; }
  const SourceLines& lines() const { return m_lines; }

 private:
  FrameSource withLine(std::optional<std::uint32_t> ilOffset, const Module* module, std::uint32_t methodRow) const;

  DebugInfoReader m_debugInfo;
  SourceLines m_lines;
};

}  // namespace heapscape::engine
