// SPDX-License-Identifier: MIT
#include "session/threads/crash_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <string_view>

#include "memory/elf/library_map.h"
#include "runtime/aot/aot_crash_report.h"
#include "runtime/threads/thread_registers.h"
#include "session/snapshot/contents.h"
#include "session/stacks/exception_traces.h"
#include "stacks/exception_handling.h"
#include "stacks/unwinding/native_unwinder.h"

namespace heapscape::engine {
namespace {

// The kernel's numbers (include/uapi/asm-generic/signal.h), which are those of every dump; the C library takes two of
// the real-time signals for itself.
constexpr std::array<std::string_view, 32> kSignalNames{
    "",          "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
    "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
    "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS"};
constexpr std::int32_t kFirstRealTime = 34;
constexpr std::int32_t kLastSignal = 64;

struct FaultCode {
  std::int32_t signal, code;
  std::string_view text;
};
constexpr std::array kFaultCodes{
    FaultCode{SIGSEGV, SEGV_MAPERR, "no memory is mapped there"},
    FaultCode{SIGSEGV, SEGV_ACCERR, "the memory there may not be used in that way"},
    FaultCode{SIGBUS, BUS_ADRALN, "the address is not aligned"},
    FaultCode{SIGBUS, BUS_ADRERR, "no memory is behind the address, as beyond the end of a mapped file"},
    FaultCode{SIGBUS, BUS_OBJERR, "the memory there is broken"},
    FaultCode{SIGILL, ILL_ILLOPC, "an instruction that there is not"},
    FaultCode{SIGILL, ILL_ILLOPN, "an instruction that there is not"},
    FaultCode{SIGILL, ILL_PRVOPC, "an instruction of the kernel's"},
    FaultCode{SIGFPE, FPE_INTDIV, "a division by zero"},
    FaultCode{SIGFPE, FPE_INTOVF, "an overflow of a whole number"},
    FaultCode{SIGFPE, FPE_FLTDIV, "a division by zero"},
    FaultCode{SIGTRAP, TRAP_BRKPT, "a breakpoint"},
};

}  // namespace

std::string signalName(std::int32_t number) {
  if (number > 0 && static_cast<std::size_t>(number) < kSignalNames.size())
    return std::string(kSignalNames[static_cast<std::size_t>(number)]);
  if (number < kFirstRealTime || number > kLastSignal) return fmt::format("signal {}", number);
  return number == kFirstRealTime ? std::string("SIGRTMIN") : fmt::format("SIGRTMIN+{}", number - kFirstRealTime);
}

bool endsInCore(std::int32_t number) {
  constexpr std::array kOthers{SIGABRT, SIGQUIT, SIGSYS, SIGXCPU, SIGXFSZ};
  return isFault(number) || std::ranges::find(kOthers, number) != kOthers.end();
}

bool isFault(std::int32_t number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGTRAP;
}

std::string faultText(const CoreSignal& signal) {
  for (const FaultCode& known : kFaultCodes)
    if (known.signal == signal.number && known.code == signal.code) return std::string(known.text);
  return {};
}

namespace {

constexpr std::string_view kStackOverflow = "System.StackOverflowException";
constexpr std::string_view kFatalError = "System.ExecutionEngineException";
constexpr std::string_view kAccessViolation = "System.AccessViolationException";
constexpr std::array<std::string_view, 2> kOutOfMemory{"System.OutOfMemoryException",
                                                       "System.InsufficientMemoryException"};

/// The thread that received the signal of which the process died.
///
/// The kernel writes that thread first, with the signal's details behind it, and the signal's number with every thread.
/// The runtime's createdump writes both with that thread alone. gdb writes details with each thread: of a living
/// process those of the signal that stopped it for the debugger.
const CoreThread* signalledThread(const ElfCore& core, DumpKind kind) {
  const auto ends = [&](std::int32_t number) {
    // A debugger stops a living process by traps as well.
    return endsInCore(number) && !(number == SIGTRAP && kind == DumpKind::Gcore);
  };
  const CoreThread* byNumber = nullptr;
  for (const CoreThread& thread : core.threads) {
    if (thread.signal && ends(thread.signal->number)) return &thread;
    if (!byNumber && !thread.signal && ends(thread.currentSignal)) byNumber = &thread;
  }
  return byNumber;
}

constexpr std::string_view kRuntimeLibrary = "libcoreclr.so";
constexpr std::string_view kCxxLibrary = "libstdc++.so";
constexpr std::size_t kMostFramesToAbort = 64;  // from where a thread waits for createdump to who called abort

/// Whether a thread aborts because the runtime has thrown a C++ exception that nothing catches: the C++ library, which
/// was called by the runtime's, does not come back. Where nothing tells how to unwind native code it does not.
bool isEndedByCxxException(const Contents& contents, const CoreThread& thread) {
  const NativeUnwinder unwinder(*contents.memory, *contents.core);
  const LibraryMap libraries(*contents.core);
  const auto libraryAt = [&](Address instruction) {
    const auto index = libraries.indexAt(instruction);
    return index ? std::filesystem::path(libraries.all()[*index].path).filename().string() : std::string();
  };
  Registers registers = registersOf(thread);
  bool isReturnAddress = false;
  bool isCxxLibrary = false;
  for (std::size_t i = 0; i < kMostFramesToAbort && registers.instruction; ++i) {
    const std::string library = libraryAt(registers.instruction);
    if (isCxxLibrary && library == kRuntimeLibrary) return true;
    isCxxLibrary = library.starts_with(kCxxLibrary);
    const auto step = unwinder.callerOf(registers, isReturnAddress);
    if (!step) return false;
    registers = step->caller;
    isReturnAddress = !step->isSignalFrame;
  }
  return false;
}

std::optional<CoreSignal> signalOf(const CoreThread& thread) {
  if (thread.signal) return thread.signal;
  if (thread.currentSignal != 0) return CoreSignal{.number = thread.currentSignal};
  return std::nullopt;
}

class CauseReader {
 public:
  explicit CauseReader(const Snapshot& snapshot)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_readers(*m_contents.readers),
        m_runtime(m_readers.runtime) {}

  CrashCause read() const {
    CrashCause cause;
    FindingList known;  // opening has told of them
    const std::vector<RuntimeThread> threads = readThreads(m_runtime, known);
    const DumpKind kind = m_contents.summary.dump.kind;
    if (const CoreThread* dead = signalledThread(*m_contents.core, kind)) {
      cause.state = ProcessState::Died;
      cause.signal = signalOf(*dead);
      cause.osId = dead->osId;
      if (cause.signal) cause.faultAddress = cause.signal->address;
      cause.thread = ThreadRegisters(m_runtime, *m_contents.core, threads).threadOf(dead->osId);
      cause.kind = CrashKind::Signal;
      if (cause.thread) readException(cause);
      if (cause.thread && cause.kind == CrashKind::Signal) readExceptionInNativeCode(cause, *dead);
      return cause;
    }
    // The runtime notes what it gives up for before it has anything dumped.
    for (const RuntimeThread& thread : threads) {
      if (!isLastThrownUnhandled(thread.address)) continue;
      cause.thread = thread.address;
      cause.osId = thread.osId;
      readException(cause);
      if (cause.kind == CrashKind::None) continue;
      cause.state = ProcessState::Died;
      return cause;
    }
    cause = {};
    cause.state = stateOfUnsignalled(kind);
    return cause;
  }

 private:
  // A dump without signal was made by a debugger or a tool, unless its notes are lost.
  ProcessState stateOfUnsignalled(DumpKind kind) const {
    if (kind == DumpKind::Kernel) return ProcessState::Died;
    const bool isKnownMaker = kind != DumpKind::Unknown && !m_contents.core->threads.empty();
    return isKnownMaker && m_contents.core->areNotesWhole ? ProcessState::Living : ProcessState::Unknown;
  }

  bool isLastThrownUnhandled(Address thread) const {
    const auto flag = m_runtime.valueAt<std::uint32_t>(thread, "Thread", "LastThrownIsUnhandled");
    return flag && *flag == 1;
  }

  Address lastThrown(Address thread) const {
    const auto handle = m_runtime.pointerAt(thread, "Thread", "LastThrownObject");
    return handle && *handle ? m_runtime.memory().readPointer(*handle).value_or(Address{}) : Address{};
  }

  // Without the index of objects, which a dump without a heap has not.
  std::string typeNameOf(Address object) const {
    Address methodTable;
    if (!object || !m_runtime.memory().tryRead(object, methodTable)) return {};
    methodTable.value &= ~m_runtime.contract().constant("ObjectToMethodTableUnmask");
    return m_readers.methodTables.isMethodTable(methodTable) ? m_readers.names.nameOf(methodTable) : std::string();
  }

  // By the runtime's abort, which has no sender in createdump's notes, or in the kernel's the process itself; or
  // by nothing that the dump tells.
  bool isEndedByRuntime(const CrashCause& cause) const {
    if (!cause.signal) return true;
    if (cause.signal->number != SIGABRT) return false;
    return !cause.signal->sender || *cause.signal->sender == m_contents.core->pid;
  }

  // A program compiled ahead of time says itself why it ended.
  bool readReport(CrashCause& cause) const {
    const auto report = readCrashReport(m_runtime);
    if (!report || report->reason == CrashReason::Unknown || !isEndedByRuntime(cause)) return false;
    const Address exception = report->exception ? report->exception->object : Address{};
    const std::string type = report->exception ? report->exception->type : std::string();
    if (report->reason == CrashReason::UnhandledException) {
      setUncaught(cause, exception, type);
    } else {
      cause.kind = CrashKind::FailFast;
      setException(cause, exception, type);
    }
    return true;
  }

  void readException(CrashCause& cause) const {
    if (readReport(cause)) return;
    const bool isFatal = isLastThrownUnhandled(cause.thread);
    const Address last = lastThrown(cause.thread);
    const std::string lastType = typeNameOf(last);
    const std::vector<ExceptionOnItsWay> onTheirWay = exceptionsOf(m_runtime, cause.thread);
    const auto newest = std::ranges::find_if(onTheirWay, [](const auto& each) { return each.object != Address{}; });
    // A handler was looked for, and none found. Where a filter or a finally block runs, the program goes on in there.
    const bool isUncaught = newest != onTheirWay.end() && !newest->isUnwinding && newest->clause == RunningClause::None;
    if (isFatal && lastType == kStackOverflow) {
      cause.kind = CrashKind::StackOverflow;
      setException(cause, last, lastType);
    } else if (isFatal && lastType == kFatalError) {
      cause.kind = CrashKind::FailFast;
      setException(cause, last, lastType);
      // Nobody can catch it; the runtime gives up as soon as it is thrown.
      if (newest == onTheirWay.end() || newest->isUnwinding) return;
      if (const std::string type = typeNameOf(newest->object); type == kAccessViolation) {
        cause.kind = CrashKind::UnhandledException;
        setException(cause, newest->object, type);
        cause.faultAddress = newest->faultAddress;
      }
    } else if (isEndedByRuntime(cause) && (isUncaught || isFatal)) {
      const Address thrown = isUncaught ? newest->object : last;
      const std::string type = isUncaught ? typeNameOf(thrown) : lastType;
      if (type.empty()) return;
      setUncaught(cause, thrown, type);
      if (isUncaught) cause.faultAddress = newest->faultAddress;
    }
  }

  // Into native code that has called managed code, .NET 9 passes an exception on as one of C++, which that code cannot
  // catch either. By then the runtime has forgotten that it was on its way, and the frames that it has left are gone.
  void readExceptionInNativeCode(CrashCause& cause, const CoreThread& dead) const {
    if (!isEndedByRuntime(cause) || !isEndedByCxxException(m_contents, dead)) return;
    const Address last = lastThrown(cause.thread);
    const auto exception = last ? ExceptionTraces(m_snapshot).alone(last) : std::nullopt;
    const Address innermost = m_runtime.pointerAt(cause.thread, "Thread", "Frame").value_or(Address{});
    // One that managed code has caught has come further out, or was thrown further out.
    if (!exception || exception->stack.empty() || exception->framesLeftOut() > 0) return;
    if (exception->stack.back().stackPointer >= innermost) return;
    setUncaught(cause, last, typeNameOf(last));
  }

  static void setUncaught(CrashCause& cause, Address exception, std::string type) {
    const bool isMemory = std::ranges::find(kOutOfMemory, type) != kOutOfMemory.end();
    cause.kind = isMemory ? CrashKind::OutOfMemory : CrashKind::UnhandledException;
    setException(cause, exception, std::move(type));
  }

  static void setException(CrashCause& cause, Address exception, std::string type) {
    cause.exception = exception;
    cause.exceptionType = std::move(type);
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const RuntimeReaders& m_readers;
  const ClrRuntime& m_runtime;
};

}  // namespace

const CrashCause& crashCauseOf(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  // Kept as long as the dump is open; nothing can fail or be cancelled.
  return **contents.crashCause->get([&]() -> Outcome<CrashCause> { return CauseReader(snapshot).read(); });
}

std::string dyingWords(const CrashCause& cause) {
  switch (cause.kind) {
    case CrashKind::None:
      return {};
    case CrashKind::UnhandledException:
    case CrashKind::OutOfMemory:
      return fmt::format("died of {}", cause.exceptionType);
    case CrashKind::StackOverflow:
      return "overflowed its stack";
    case CrashKind::FailFast:
      return "ended the process as failed";
    case CrashKind::Signal:
      break;
  }
  return cause.signal ? fmt::format("received {}", signalName(cause.signal->number)) : std::string();
}

}  // namespace heapscape::engine
