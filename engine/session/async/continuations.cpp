// SPDX-License-Identifier: MIT
#include "session/async/continuations.h"

#include <algorithm>
#include <array>

namespace heapscape::engine {
namespace {

struct WaitingType {
  std::string_view name;
  std::string_view awaited;
};
constexpr std::array kWaitingTypes{
    WaitingType{"System.Runtime.CompilerServices.RuntimeAsyncTaskContinuation", "Task"},
    WaitingType{"System.Runtime.CompilerServices.AsyncHelpers+ValueTaskSourceContinuation", "Source"},
};

}  // namespace

std::optional<Continuation> ContinuationReader::read(Address object) const {
  constexpr const char* kType = "ContinuationObject";
  if (!m_runtime.contract().has(kType, "Next")) return std::nullopt;
  const auto next = m_runtime.pointerAt(object, kType, "Next");
  const auto resumeInfo = m_runtime.pointerAt(object, kType, "ResumeInfo");
  const auto number = m_runtime.valueAt<std::int32_t>(object, kType, "State");
  if (!next || !resumeInfo || !number) return std::nullopt;
  return Continuation{*next, *resumeInfo, *number};
}

// Its flags have a number for each: of the word behind the head, from 1 on, or 0 if it is not there.
std::vector<ContinuationReader::Part> ContinuationReader::partsOf(Address object) const {
  struct Place {
    Part::Kind kind;
    const char* firstBit;
    const char* bits;
  };
  constexpr std::array kPlaces{
      Place{Part::Kind::ExecutionContext, "Continuation.ExecutionContextBit", "Continuation.ExecutionContextBits"},
      Place{Part::Kind::Context, "Continuation.ContextBit", "Continuation.ContextBits"},
      Place{Part::Kind::Exception, "Continuation.ExceptionBit", "Continuation.ExceptionBits"},
      Place{Part::Kind::Result, "Continuation.ResultBit", "Continuation.ResultBits"},
  };
  std::vector<Part> parts;
  const auto flags = m_runtime.valueAt<std::uint32_t>(object, "ContinuationObject", "Flags");
  if (!flags) return parts;
  for (const Place& place : kPlaces) {
    const std::uint64_t mask = (1ull << m_runtime.contract().constant(place.bits)) - 1;
    const std::uint64_t index = *flags >> m_runtime.contract().constant(place.firstBit) & mask;
    if (index != 0) parts.push_back({place.kind, headBytes() + (index - 1) * kPointerBytes});
  }
  return parts;
}

const char* toString(ContinuationReader::Part::Kind kind) {
  using Kind = ContinuationReader::Part::Kind;
  switch (kind) {
    case Kind::ExecutionContext:
      return "execution context";
    case Kind::Context:
      return "synchronization context or scheduler";
    case Kind::Exception:
      return "exception";
    case Kind::Result:
      return "result";
  }
  return "";
}

bool isRuntimeAsyncTaskName(std::string_view typeName) {
  return typeName.starts_with("System.Runtime.CompilerServices.AsyncHelpers+RuntimeAsyncTask<") &&
         typeName.ends_with('>');
}

std::string_view awaitedFieldOf(std::string_view typeName) {
  const auto* found = std::ranges::find(kWaitingTypes, typeName, &WaitingType::name);
  return found == kWaitingTypes.end() ? std::string_view() : found->awaited;
}

}  // namespace heapscape::engine
