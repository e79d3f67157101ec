// SPDX-License-Identifier: MIT
#include "session/threads/frame_sources.h"

#include "stacks/debug_info/variable_places.h"

namespace heapscape::engine {

FrameSource FrameSources::of(const ManagedFrame& frame, const Module* module, std::uint32_t methodRow) const {
  const auto info = m_debugInfo.of(frame.code);
  FrameSource source;
  if (info) source.ilOffset = ilOffsetOf(*info, frame);
  if (source.ilOffset && module) source.line = m_lines.lineOf(*module, methodRow, *source.ilOffset);
  return source;
}

std::string FrameSources::variableOf(const ManagedFrame& frame, const StackRoot& root, const Module* module,
                                     std::uint32_t methodRow) const {
  const auto info = module ? m_debugInfo.of(frame.code) : nullptr;
  const auto variable = info ? engine::variableOf(*info, frame, root) : std::nullopt;
  return variable ? m_lines.variableName(*module, methodRow, *variable, ilOffsetOf(*info, frame)) : std::string();
}

}  // namespace heapscape::engine
