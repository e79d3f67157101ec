// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapscape::engine {

/// Frames that the runtime puts on a stack itself, where it leaves or interrupts managed code
/// (src/coreclr/vm/frames.h, inc/vptr_list.h). Each is named as its class is.
enum class ExplicitFrameKind : std::uint8_t {
  InlinedCallFrame,
  ResumableFrame,
  RedirectedThreadFrame,
  FaultingExceptionFrame,
  SoftwareExceptionFrame,
  FuncEvalFrame,
  PInvokeCalliFrame,
  HijackFrame,
  PrestubMethodFrame,
  CallCountingHelperFrame,
  StubDispatchFrame,
  ExternalMethodFrame,
  DynamicHelperFrame,
  ProtectByRefsFrame,
  ProtectValueClassFrame,
  DebuggerClassInitMarkFrame,
  DebuggerSecurityCodeMarkFrame,
  DebuggerExitFrame,
  DebuggerU2MCatchHandlerFrame,
  ExceptionFilterFrame,
  HelperMethodFrame,
  HelperMethodFrame_1OBJ,
  HelperMethodFrame_2OBJ,
  HelperMethodFrame_3OBJ,
  HelperMethodFrame_PROTECTOBJ,
  MulticastFrame,
};
inline constexpr std::size_t kExplicitFrameKindCount = 26;
/// "InlinedCallFrame", "HelperMethodFrame_1OBJ".
const char* toString(ExplicitFrameKind kind);
/// Whether such a frame holds the registers of a call on its way, and with them its arguments.
bool hasTransitionBlock(ExplicitFrameKind kind);

}  // namespace heapscape::engine
