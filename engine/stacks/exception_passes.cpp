// SPDX-License-Identifier: MIT
#include "stacks/exception_passes.h"

#include "runtime/threads/thread_details.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostExceptions = 1000;

RunningClause clauseOf(std::uint32_t type) {
  switch (type) {
    case 1:
      return RunningClause::Filter;
    case 2:
      return RunningClause::Catch;
    case 3:
      return RunningClause::Finally;
    default:
      return RunningClause::None;
  }
}

// EXCEPTION_RECORD of Windows, which the runtime fills in itself elsewhere: the kind of access, then the address.
constexpr std::uint32_t kAccessViolation = 0xc0000005;
constexpr std::uint32_t kAccessParameters = 2;

std::optional<Address> faultAddressOf(const ClrRuntime& runtime, Address tracker) {
  const auto record = runtime.pointerAt(tracker, "ExceptionInfo", "ExceptionRecord");
  if (!record || !*record) return std::nullopt;
  const auto code = runtime.valueAt<std::uint32_t>(*record, "ExceptionRecord", "ExceptionCode");
  const auto parameters = runtime.valueAt<std::uint32_t>(*record, "ExceptionRecord", "NumberParameters");
  const auto address = runtime.pointerAt(*record, "ExceptionRecord", "FaultAddress");
  if (!code || *code != kAccessViolation || !parameters || *parameters != kAccessParameters || !address)
    return std::nullopt;
  return *address;
}

ExceptionOnItsWay readException(const ClrRuntime& runtime, Address tracker) {
  const auto pointer = [](const Result<Address>& read) { return read.value_or(Address{}); };
  ExceptionOnItsWay exception;
  exception.object = thrownObjectOf(runtime, tracker);
  exception.faultAddress = faultAddressOf(runtime, tracker);
  const auto flags = runtime.valueAt<std::uint32_t>(tracker, "ExceptionInfo", "ExceptionFlags");
  exception.isUnwinding = flags && (*flags & runtime.contract().constant("ExceptionInfo.UnwindHasStarted")) != 0;
  exception.scannedLow = pointer(runtime.pointerAt(tracker, "ExceptionInfo", "ScannedStackRangeLow"));
  exception.scannedHigh = pointer(runtime.pointerAt(tracker, "ExceptionInfo", "ScannedStackRangeHigh"));
  exception.handlerCaller = pointer(runtime.pointerAt(tracker, "ExceptionInfo", "CallerOfActualHandlerFrame"));
  const auto clause = runtime.valueAt<std::uint32_t>(tracker, "ExceptionInfo", "ClauseType");
  exception.clause = clauseOf(clause.value_or(0));
  if (exception.clause != RunningClause::None)
    exception.clauseFrame = pointer(runtime.pointerAt(tracker, "ExceptionInfo", "StackFrameForEHClause"));
  return exception;
}

}  // namespace

std::vector<ExceptionOnItsWay> exceptionsOf(const ClrRuntime& runtime, Address thread) {
  std::vector<ExceptionOnItsWay> exceptions;
  Address tracker = runtime.pointerAt(thread, "Thread", "ExceptionTracker").value_or(Address{});
  while (tracker && exceptions.size() < kMostExceptions) {
    const auto next = runtime.pointerAt(tracker, "ExceptionInfo", "PreviousNestedInfo");
    if (!next) break;
    exceptions.push_back(readException(runtime, tracker));
    tracker = *next;
  }
  return exceptions;
}

}  // namespace heapscape::engine
