// SPDX-License-Identifier: MIT
#include "stacks/frames/explicit_frame_kind.h"

#include <string>

namespace heapscape::engine {

bool hasTransitionBlock(ExplicitFrameKind kind) {
  switch (kind) {
    case ExplicitFrameKind::PInvokeCalliFrame:
    case ExplicitFrameKind::PrestubMethodFrame:
    case ExplicitFrameKind::CallCountingHelperFrame:
    case ExplicitFrameKind::StubDispatchFrame:
    case ExplicitFrameKind::ExternalMethodFrame:
    case ExplicitFrameKind::DynamicHelperFrame:
    case ExplicitFrameKind::MulticastFrame:
      return true;
    default:
      return false;
  }
}

ExplicitFrameKinds::ExplicitFrameKinds(const ClrRuntime& runtime) : m_runtime(runtime) {
  for (const auto& [kind, word] : kEnumNames<ExplicitFrameKind>) {
    const std::string name = word;
    if (const std::uint64_t identifier = runtime.contract().constant(name + "Identifier"))
      m_kinds.emplace(identifier, kind);
    // g_dacTable has the vtables themselves, not where pointers to them lie (src/coreclr/debug/ee/dactable.cpp).
    if (const auto vtable = runtime.globalVariable(name + "VTable"); vtable && *vtable)
      m_kinds.emplace(vtable->value, kind);
  }
}

std::optional<ExplicitFrameKind> ExplicitFrameKinds::kindOf(Address frame) const {
  std::uint64_t word = 0;
  if (!m_runtime.memory().tryRead(frame, word)) return std::nullopt;
  const auto found = m_kinds.find(word);
  return found == m_kinds.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace heapscape::engine
