// SPDX-License-Identifier: MIT
#include "stacks/frames/explicit_frame_kind.h"

#include <array>
#include <cstddef>

namespace heapscape::engine {
namespace {

constexpr std::array<const char*, kExplicitFrameKindCount> kFrameNames{
    "InlinedCallFrame",
    "ResumableFrame",
    "RedirectedThreadFrame",
    "FaultingExceptionFrame",
    "SoftwareExceptionFrame",
    "FuncEvalFrame",
    "PInvokeCalliFrame",
    "HijackFrame",
    "PrestubMethodFrame",
    "CallCountingHelperFrame",
    "StubDispatchFrame",
    "ExternalMethodFrame",
    "DynamicHelperFrame",
    "ProtectByRefsFrame",
    "ProtectValueClassFrame",
    "DebuggerClassInitMarkFrame",
    "DebuggerSecurityCodeMarkFrame",
    "DebuggerExitFrame",
    "DebuggerU2MCatchHandlerFrame",
    "ExceptionFilterFrame",
    "HelperMethodFrame",
    "HelperMethodFrame_1OBJ",
    "HelperMethodFrame_2OBJ",
    "HelperMethodFrame_3OBJ",
    "HelperMethodFrame_PROTECTOBJ",
    "MulticastFrame",
};

}  // namespace

const char* toString(ExplicitFrameKind kind) {
  return kFrameNames[static_cast<std::size_t>(kind)];
}

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

}  // namespace heapscape::engine
