// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "stacks/debug_info/debug_info.h"
#include "stacks/stack_frame.h"

namespace heapscape::engine {

/// The IL variable of a frame that a root lives in: its IL number, arguments first (`this` among them), then locals.
/// Returns nullopt if the compiler noted none there, as for what it keeps for itself, or different ones.
std::optional<std::uint32_t> variableOf(const DebugInfo& info, const ManagedFrame& frame, const StackRoot& root);

/// Where an IL variable of a frame is, arguments first (`this` among them), then locals; null where the compiler noted
/// nothing, as for one that the code there needs no more.
const VariablePlace* placeOf(const DebugInfo& info, const ManagedFrame& frame, std::int32_t variable);

/// The bytes of a method's code in front of a frame's instruction.
std::uint32_t nativeOffsetOf(const ManagedFrame& frame);
/// Whether a frame is in a call, so that the instruction in front of it decides where it is.
bool isInCall(const ManagedFrame& frame);
/// The offset that decides what a frame has: what a call needs no more is gone behind it, so the call itself does.
std::uint32_t decidingOffsetOf(const ManagedFrame& frame);
/// The IL offset of a frame; nullopt where it is in code that no IL asked for.
std::optional<std::uint32_t> ilOffsetOf(const DebugInfo& info, const ManagedFrame& frame);

}  // namespace heapscape::engine
