// SPDX-License-Identifier: MIT
#include "stacks/explicit_frame_kind.h"

#include <array>
#include <cstddef>

namespace heapscape::engine {
namespace {

constexpr std::array<const char*, kExplicitFrameKindCount> kNames{
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
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace heapscape::engine
