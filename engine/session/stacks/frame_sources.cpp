// SPDX-License-Identifier: MIT
#include "session/stacks/frame_sources.h"

#include "stacks/debug_info/variable_places.h"

namespace heapscape::engine {

FrameSource FrameSources::of(const ManagedFrame& frame, const Module* module, std::uint32_t methodRow) const {
  const auto info = m_debugInfo.of(frame.code);
  return withLine(info ? ilOffsetOf(*info, frame) : std::nullopt, module, methodRow);
}

FrameSource FrameSources::of(const CodeLocation& code, Address instruction, const Module* module,
                             std::uint32_t methodRow) const {
  const auto info = m_debugInfo.of(code);
  if (!info || instruction < code.start) return {};
  return withLine(ilOffsetAt(*info, static_cast<std::uint32_t>(instruction - code.start), false), module, methodRow);
}

FrameSource FrameSources::withLine(std::optional<std::uint32_t> ilOffset, const Module* module,
                                   std::uint32_t methodRow) const {
  FrameSource source{.ilOffset = ilOffset, .line = {}};
  if (ilOffset && module) source.line = m_lines.lineOf(*module, methodRow, *ilOffset);
  return source;
}

std::string FrameSources::variableOf(const ManagedFrame& frame, const StackRoot& root, const Module* module,
                                     std::uint32_t methodRow) const {
  const auto info = module ? m_debugInfo.of(frame.code) : nullptr;
  const auto variable = info ? engine::variableOf(*info, frame, root) : std::nullopt;
  return variable ? m_lines.variableName(*module, methodRow, *variable, ilOffsetOf(*info, frame)) : std::string();
}

}  // namespace heapscape::engine
