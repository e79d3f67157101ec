// SPDX-License-Identifier: MIT
#include "stacks/exception_handling.h"

#include <algorithm>

#include "runtime/methods/code_range.h"
#include "runtime/threads/threads.h"
#include "stacks/ready_to_run_sections.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kMaximumClauses = 65'536;
// Right before jitted code lies a pointer to its RealCodeHeader.
constexpr std::uint64_t kHeaderPointerBytes = 8;

/// READYTORUN_EXCEPTION_LOOKUP_TABLE_ENTRY (src/coreclr/inc/readytorun.h): which method has clauses, and where.
struct LookupEntry {
  std::uint32_t method = 0;
  std::uint32_t clauses = 0;
};

/// The clauses of a method by the table of an image, which is sorted; empty if there are none, nothing if the dump
/// lacks the part of the table that would tell.
std::optional<AddressRange> lookUp(const AddressSpace& memory, AddressRange table, Address imageBase,
                                   std::uint32_t method) {
  const std::vector<AddressRange> parts = memory.readable(table);
  for (const AddressRange& part : parts) {
    std::uint64_t first = (part.start - table.start + sizeof(LookupEntry) - 1) / sizeof(LookupEntry);
    std::uint64_t last = (part.end - table.start) / sizeof(LookupEntry);
    while (first < last) {
      const std::uint64_t middle = first + (last - first) / 2;
      LookupEntry entry;
      if (!memory.tryRead(table.start + middle * sizeof entry, entry)) break;
      if (entry.method < method) {
        first = middle + 1;
      } else if (entry.method > method) {
        last = middle;
      } else {
        // The clauses of a method end where the next one's begin; a last entry without a method ends the table.
        LookupEntry next;
        if (!memory.tryRead(table.start + (middle + 1) * sizeof next, next) || next.clauses < entry.clauses)
          return std::nullopt;
        return AddressRange{imageBase + entry.clauses, imageBase + next.clauses};
      }
    }
  }
  return parts.size() == 1 && parts.front() == table ? std::optional(AddressRange{}) : std::nullopt;
}

}  // namespace

std::optional<std::vector<ExceptionClause>> ExceptionClauses::of(const CodeLocation& code) const {
  const bool isReadyToRun = code.state == MethodState::ReadyToRun;
  const auto table = isReadyToRun ? readyToRunTable(code) : jittedTable(code);
  if (!table || table->count > kMaximumClauses) return std::nullopt;
  const std::uint64_t size = m_runtime.contract().sizeOf(isReadyToRun ? "R2RExceptionClause" : "EEExceptionClause");
  std::vector<ExceptionClause> clauses;
  for (std::uint64_t i = 0; i < table->count; ++i) {
    const auto clause = readClause(table->first + i * size, isReadyToRun);
    if (!clause) return std::nullopt;
    clauses.push_back(*clause);
  }
  return clauses;
}

// EEJitManager::InitializeEHEnumeration (src/coreclr/vm/codeman.cpp).
std::optional<ExceptionClauses::Table> ExceptionClauses::jittedTable(const CodeLocation& code) const {
  Address header;
  if (!m_runtime.memory().tryRead(code.start - kHeaderPointerBytes, header)) return std::nullopt;
  const auto info = m_runtime.pointerAt(header, "RealCodeHeader", "EHInfo");
  if (!info) return std::nullopt;
  if (!*info) return Table{};
  const auto count = m_runtime.valueAt<std::uint64_t>(*info, "EEExceptionClauses", "CountBefore");
  if (!count) return std::nullopt;
  return Table{m_runtime.member(*info, "EEExceptionClauses", "First"), *count};
}

// ReadyToRunJitManager::InitializeEHEnumeration, same file.
std::optional<ExceptionClauses::Table> ExceptionClauses::readyToRunTable(const CodeLocation& code) const {
  const auto range = findCodeRange(m_runtime, code.start);
  const auto image = range && range->module ? readReadyToRunSections(m_runtime, range->module) : std::nullopt;
  const std::uint64_t size = m_runtime.contract().sizeOf("R2RExceptionClause");
  if (!image || size == 0 || code.start < image->imageBase) return std::nullopt;
  const AddressRange table = image->find(m_runtime.contract().constant("R2RSection.ExceptionInfo"));
  const auto method = static_cast<std::uint32_t>(code.start - image->imageBase);
  const auto clauses = lookUp(m_runtime.memory(), table, image->imageBase, method);
  if (!clauses) return std::nullopt;
  return Table{clauses->start, clauses->sizeBytes() / size};
}

// Both forms begin alike.
std::optional<ExceptionClause> ExceptionClauses::readClause(Address clause, bool isReadyToRun) const {
  const auto flags = m_runtime.valueAt<std::uint32_t>(clause, "EEExceptionClause", "Flags");
  const auto tryStart = m_runtime.valueAt<std::uint32_t>(clause, "EEExceptionClause", "TryStart");
  const auto tryEnd = m_runtime.valueAt<std::uint32_t>(clause, "EEExceptionClause", "TryEnd");
  const auto handlerStart = m_runtime.valueAt<std::uint32_t>(clause, "EEExceptionClause", "HandlerStart");
  const auto handlerEnd = m_runtime.valueAt<std::uint32_t>(clause, "EEExceptionClause", "HandlerEnd");
  const auto filter = isReadyToRun ? m_runtime.valueAt<std::uint32_t>(clause, "R2RExceptionClause", "FilterOffset")
                                   : m_runtime.valueAt<std::uint32_t>(clause, "EEExceptionClause", "FilterOffset");
  if (!flags || !tryStart || !tryEnd || !handlerStart || !handlerEnd || !filter) return std::nullopt;
  ExceptionClause read{*tryStart, *tryEnd, *handlerStart, *handlerEnd};
  // Other clauses have the type that they catch there.
  read.flags = *flags;
  if (*flags & m_runtime.contract().constant("EH.FilterFlag")) read.filterStart = *filter;
  // Jitted code has a type handle in the token's place once the runtime has looked it up (eight bytes).
  constexpr std::uint32_t kHasCachedType = 0x10000000;
  if (*flags & kHasCachedType) {
    const auto handle = m_runtime.valueAt<std::uint64_t>(clause, "EEExceptionClause", "FilterOffset");
    if (handle) read.caught = *handle;
  } else if (!read.filterStart) {
    read.caught = *filter;
  }
  return read;
}

bool ExceptionClauses::isFilter(const CodeLocation& code) const {
  if (!code.isFunclet || !code.function) return false;
  const Address start = code.imageBase + code.function->begin;
  const auto clauses = of(code);
  return clauses && start >= code.start && std::ranges::any_of(*clauses, [&](const ExceptionClause& clause) {
           return clause.filterStart && code.start + *clause.filterStart == start;
         });
}

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
    exceptions.back().tracker = tracker;
    tracker = *next;
  }
  return exceptions;
}

}  // namespace heapscape::engine
