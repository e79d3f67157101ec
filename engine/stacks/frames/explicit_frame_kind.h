// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "base/enum_names.h"
#include "runtime/clr_runtime.h"

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
template <>
inline constexpr auto kEnumNames<ExplicitFrameKind> = std::to_array<EnumName<ExplicitFrameKind>>(
    {{ExplicitFrameKind::InlinedCallFrame, "InlinedCallFrame"},
     {ExplicitFrameKind::ResumableFrame, "ResumableFrame"},
     {ExplicitFrameKind::RedirectedThreadFrame, "RedirectedThreadFrame"},
     {ExplicitFrameKind::FaultingExceptionFrame, "FaultingExceptionFrame"},
     {ExplicitFrameKind::SoftwareExceptionFrame, "SoftwareExceptionFrame"},
     {ExplicitFrameKind::FuncEvalFrame, "FuncEvalFrame"},
     {ExplicitFrameKind::PInvokeCalliFrame, "PInvokeCalliFrame"},
     {ExplicitFrameKind::HijackFrame, "HijackFrame"},
     {ExplicitFrameKind::PrestubMethodFrame, "PrestubMethodFrame"},
     {ExplicitFrameKind::CallCountingHelperFrame, "CallCountingHelperFrame"},
     {ExplicitFrameKind::StubDispatchFrame, "StubDispatchFrame"},
     {ExplicitFrameKind::ExternalMethodFrame, "ExternalMethodFrame"},
     {ExplicitFrameKind::DynamicHelperFrame, "DynamicHelperFrame"},
     {ExplicitFrameKind::ProtectByRefsFrame, "ProtectByRefsFrame"},
     {ExplicitFrameKind::ProtectValueClassFrame, "ProtectValueClassFrame"},
     {ExplicitFrameKind::DebuggerClassInitMarkFrame, "DebuggerClassInitMarkFrame"},
     {ExplicitFrameKind::DebuggerSecurityCodeMarkFrame, "DebuggerSecurityCodeMarkFrame"},
     {ExplicitFrameKind::DebuggerExitFrame, "DebuggerExitFrame"},
     {ExplicitFrameKind::DebuggerU2MCatchHandlerFrame, "DebuggerU2MCatchHandlerFrame"},
     {ExplicitFrameKind::ExceptionFilterFrame, "ExceptionFilterFrame"},
     {ExplicitFrameKind::HelperMethodFrame, "HelperMethodFrame"},
     {ExplicitFrameKind::HelperMethodFrame_1OBJ, "HelperMethodFrame_1OBJ"},
     {ExplicitFrameKind::HelperMethodFrame_2OBJ, "HelperMethodFrame_2OBJ"},
     {ExplicitFrameKind::HelperMethodFrame_3OBJ, "HelperMethodFrame_3OBJ"},
     {ExplicitFrameKind::HelperMethodFrame_PROTECTOBJ, "HelperMethodFrame_PROTECTOBJ"},
     {ExplicitFrameKind::MulticastFrame, "MulticastFrame"}});
/// Whether such a frame holds the registers of a call on its way, and with them its arguments.
bool hasTransitionBlock(ExplicitFrameKind kind);

/// Recognises the runtime's frames by the first word of each: a number from .NET 10 on (FrameIdentifier,
/// src/coreclr/vm/frames.h), before it the address of the class's vtable. Safe from any thread.
class ExplicitFrameKinds {
 public:
  explicit ExplicitFrameKinds(const ClrRuntime& runtime);

  /// Returns nullopt if there is no frame that this version of .NET has, or if the dump does not hold it.
  std::optional<ExplicitFrameKind> kindOf(Address frame) const;

 private:
  const ClrRuntime& m_runtime;
  std::unordered_map<std::uint64_t, ExplicitFrameKind> m_kinds;  // by the frames' first word
};

}  // namespace heapscape::engine
