// SPDX-License-Identifier: MIT
#include "session/threads/crash_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "base/figures.h"
#include "layout/framework_assembly.h"
#include "runtime/aot/aot_crash_report.h"
#include "runtime/managed_objects.h"
#include "runtime/threads/threads.h"
#include "session/heap/gc_query.h"
#include "session/heap/gc_settings.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"
#include "session/stacks/exception_traces.h"
#include "session/stacks/frame_names.h"
#include "session/threads/crash_cause.h"
#include "stacks/frames/protected_references.h"

namespace heapscape::engine {
namespace {

/// Arguments of a thread's Environment.FailFast.
struct FailFastCall {
  std::uint32_t caller = 0;                 // the frame that called it; the number of frames if there is none
  std::optional<std::string> message = {};  // nothing for null, or where the dump does not hold it
  Address exception = {};                   // 0 for none
};

constexpr std::size_t kMostMessage = 100'000;  // UTF-16 units

/// The runtime's code of .NET 8 protects message, exception and source of the error, as one structure in that order
/// (SystemNative::GenericFailFast, src/coreclr/classlibnative/bcltype/system.cpp).
constexpr std::uint32_t kProtectedArguments = 3;

bool isFailFast(const FrameRow& frame) {
  return frame.type == "System.Environment" && frame.method == "FailFast";
}

class CallReader {
 public:
  CallReader(const Snapshot& snapshot, const ThreadStackRow& stack)
      : m_readers(*snapshot.contents().readers), m_values({.readers = m_readers}), m_stack(stack) {}

  std::optional<FailFastCall> read() const {
    const auto first = std::ranges::find_if(m_stack.frames, isFailFast);
    if (first == m_stack.frames.end()) return std::nullopt;
    const auto end = std::find_if_not(first, m_stack.frames.end(), isFailFast);
    FailFastCall call;
    call.caller = static_cast<std::uint32_t>(end - m_stack.frames.begin());
    if (readProtected(first->stackPointer, call)) return call;
    readRoots(static_cast<std::uint32_t>(first - m_stack.frames.begin()), call);
    return call;
  }

 private:
  std::optional<std::string> textOf(Address string) const {
    auto text = readManagedString(m_readers.runtime, string, kMostMessage);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  }

  bool isException(Address object) const {
    const auto methodTable = m_readers.runtime.memory().readPointer(object);
    if (!methodTable) return false;
    const Address type{methodTable->value & ~m_readers.runtime.contract().constant("ObjectToMethodTableUnmask")};
    if (!m_readers.methodTables.isMethodTable(type)) return false;
    const auto read = m_readers.methodTables.read(type);
    return read && readException(m_values, *read, object);
  }

  // The group that was protected right above the managed frame.
  bool readProtected(Address failFast, FailFastCall& call) const {
    const ProtectedGroup* arguments = nullptr;
    const std::vector<ProtectedGroup> groups = protectedGroups(m_readers.runtime, m_stack.thread);
    for (const ProtectedGroup& group : groups)
      if (group.frame < failFast && group.count == kProtectedArguments) arguments = &group;
    if (!arguments) return false;
    const AddressSpace& memory = m_readers.runtime.memory();
    const auto message = memory.readPointer(arguments->references);
    const auto exception = memory.readPointer(arguments->references + sizeof(Address));
    if (!message || !exception || (*exception && !isException(*exception))) return false;
    if (*message) call.message = textOf(*message);
    call.exception = *exception;
    return true;
  }

  // Since .NET 9 the managed part hands over pinned characters, of the message and of the source, and a place on the
  // stack that holds the exception (checked on 9.0.18 and 10.0.12: the message has the lower slot).
  void readRoots(std::uint32_t first, FailFastCall& call) const {
    Address lowest;
    for (const StackRootRow& root : m_stack.roots) {
      if (root.frame < first || root.frame >= call.caller || root.isProtected) continue;
      if (root.isPinned && root.slot && (!lowest || root.slot < lowest)) {
        const std::uint64_t characters = m_readers.runtime.contract().offset("String", "m_FirstChar");
        if (auto text = textOf(root.value - characters)) {
          call.message = std::move(text);
          lowest = root.slot;
        }
      } else if (!root.isInterior && !call.exception && isException(root.value)) {
        call.exception = root.value;
      }
    }
  }

  const RuntimeReaders& m_readers;
  const ValueReader m_values;
  const ThreadStackRow& m_stack;
};

/// Nothing if no frame of the stack is that of FailFast. Needs a stack with roots: only these have the arguments.
std::optional<FailFastCall> failFastCallOf(const Snapshot& snapshot, const ThreadStackRow& stack) {
  return CallReader(snapshot, stack).read();
}

constexpr std::size_t kSearchedForAssertion = 64;  // frames above FailFast
constexpr std::string_view kHardLimit = "GCHeapHardLimit";

class CrashReader {
 public:
  CrashReader(const Snapshot& snapshot, std::stop_token stop)
      : m_snapshot(snapshot), m_contents(snapshot.contents()), m_stop(std::move(stop)), m_exceptions(m_snapshot) {}

  Outcome<Crash> read() {
    m_crash.cause = crashCauseOf(m_snapshot);
    m_crash.processId = m_contents.core->pid;
    if (m_crash.cause.thread) HEAPSCAPE_CHECK(readThread());
    const auto report = readCrashReport(m_contents.readers->runtime);
    if (report && m_crash.cause.kind != CrashKind::Signal) {
      takeReport(*report);
    } else if (m_crash.cause.kind == CrashKind::FailFast) {
      readFailFast();
    } else {
      m_crash.exception = readException(m_crash.cause.exception);
    }
    if (m_crash.cause.kind == CrashKind::OutOfMemory) readMemory();
    if (m_crash.stack) m_crash.runs = foldedFrames(m_crash.stack->frames);
    findPlace();
    return std::move(m_crash);
  }

 private:
  Outcome<void> readThread() {
    const CrashCause& cause = m_crash.cause;
    FindingList known;
    for (const RuntimeThread& thread : readThreads(m_contents.readers->runtime, known)) {
      if (thread.address != cause.thread) continue;
      const ThreadDetails details = readThreadDetails(*m_contents.readers, thread);
      m_crash.managedId = thread.managedId;
      m_crash.threadName = details.name;
      m_crash.isFinalizer = details.isFinalizer;
      m_crash.isThreadPool = decodeThreadState(thread.state).isThreadPool;
    }
    if (useKeptStack()) return {};
    // The arguments of FailFast are among the roots; an overflown stack has too many for anything else.
    const StackOptions options{
        .thread = cause.thread, .native = cause.kind == CrashKind::Signal, .roots = cause.kind == CrashKind::FailFast};
    HEAPSCAPE_TRY(StackList list, readStacks(m_snapshot, options, m_stop));
    m_crash.findings.append(list.findings);
    if (!list.threads.empty()) m_crash.stack = std::make_shared<ThreadStackRow>(std::move(list.threads.front()));
    return {};
  }

  // An overflown stack is large: it is not read twice.
  bool useKeptStack() {
    if (m_crash.cause.kind == CrashKind::Signal) return false;
    const std::shared_ptr<const StackList> kept = m_contents.stacks->made();
    if (!kept) return false;
    for (const ThreadStackRow& stack : kept->threads)
      if (stack.thread == m_crash.cause.thread) m_crash.stack = {kept, &stack};
    for (const Finding& finding : kept->findings.items())
      if (finding.address == m_crash.cause.thread) m_crash.findings.add(finding.kind, finding.address, finding.message);
    return true;
  }

  // What the runtime wrote down itself, with the names of methods.
  void takeReport(const CrashReport& report) {
    m_crash.exception = readException(m_crash.cause.exception);
    if (report.reason == CrashReason::EnvironmentFailFast) m_crash.message = report.message;
    if (report.reason == CrashReason::InternalFailFast) m_crash.failFastBy = FailFastBy::Runtime;
    if (!report.exception) return;
    if (!m_crash.exception) {
      ExceptionDetails& told = m_crash.exception.emplace();
      told.object = report.exception->object;
      told.type = report.exception->type;
      told.message = report.exception->message;
      told.hresult = report.exception->hresult;
    }
    std::vector<ExceptionDetails::Frame> stack;
    for (const CrashReport::Frame& frame : report.exception->stack) {
      stack.push_back({.instruction = frame.instruction, .method = frame.method, .offset = frame.offset});
      if (m_crash.place.empty() && !isFrameworkMember(frame.method)) m_crash.place = frame.method;
    }
    if (stack.empty()) return;
    m_crash.exception->frameCount = static_cast<std::uint32_t>(stack.size());
    m_crash.exception->stack = std::move(stack);
  }

  void readFailFast() {
    const auto call = m_crash.stack ? failFastCallOf(m_snapshot, *m_crash.stack) : std::nullopt;
    if (!call) {
      m_crash.failFastBy = FailFastBy::Runtime;
      m_crash.exception = readException(m_crash.cause.exception);
      return;
    }
    m_crash.message = call->message;
    m_crash.exception = readException(call->exception);
    if (isCalledByAssertion(call->caller)) m_crash.failFastBy = FailFastBy::Assertion;
  }

  std::optional<ExceptionDetails> readException(Address exception) {
    return exception ? m_exceptions.of(exception) : std::nullopt;
  }

  bool isCalledByAssertion(std::size_t caller) const {
    const std::vector<FrameRow>& frames = m_crash.stack->frames;
    const std::size_t end = std::min(frames.size(), caller + kSearchedForAssertion);
    for (std::size_t i = caller; i < end && frames[i].owner == CodeOwner::Framework; ++i)
      if (frames[i].type.starts_with("System.Diagnostics.")) return true;
    return false;
  }

  void findPlace() {
    const bool isOfException = m_crash.exception && m_crash.cause.kind != CrashKind::FailFast;
    if (isOfException) {
      FrameNames names(*m_contents.readers, *m_contents.owners);
      for (const ExceptionDetails::Frame& frame : m_crash.exception->stack) {
        const FrameName& name = names.of(frame.methodDesc);
        if (!frame.methodDesc || name.owner == CodeOwner::Framework || name.method.empty()) continue;
        m_crash.place = name.type.empty() ? name.method : fmt::format("{}.{}", name.type, name.method);
        return;
      }
    }
    if (!m_crash.stack) return;
    const std::vector<FrameRow>& frames = m_crash.stack->frames;
    const auto own = std::ranges::find_if(frames, [](const FrameRow& frame) {
      return frame.kind == FrameKind::Managed && frame.owner != CodeOwner::Framework && !frame.method.empty();
    });
    if (own == frames.end()) return;
    m_crash.place = methodOf(*own);
    m_crash.isPlaceOnTop = own == frames.begin();
  }

  void readMemory() {
    m_crash.outOfMemory = readGcHistory(m_contents.readers->runtime, *m_contents.gc).outOfMemory;
    for (const GcSetting& setting : listGcSettings(m_snapshot, m_stop).settings)
      if (setting.name == kHardLimit && !setting.isOverruled && setting.number) m_crash.hardLimitBytes = setting.number;
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  std::stop_token m_stop;
  ExceptionTraces m_exceptions;
  Crash m_crash;
};

}  // namespace

std::vector<FrameRun> Crash::repeated() const {
  std::vector<FrameRun> folded;
  std::ranges::copy_if(runs, std::back_inserter(folded), &FrameRun::isFolded);
  return folded;
}

Outcome<Crash> readCrash(const Snapshot& snapshot, std::stop_token stop) {
  return CrashReader(snapshot, std::move(stop)).read();
}

namespace {

std::string placeText(const Crash& crash) {
  if (crash.place.empty()) return {};
  const bool isBelow = crash.cause.kind == CrashKind::Signal && !crash.isPlaceOnTop;
  return fmt::format(", {}{}", isBelow ? "in what was called by " : "in ", crash.place);
}

std::string exceptionTypeText(const Crash& crash) {
  const std::string& type = crash.exception ? crash.exception->type : crash.cause.exceptionType;
  return type.empty() ? std::string("an exception that the dump does not hold") : type;
}

std::string signalSentence(const Crash& crash, const std::string& thread) {
  const CrashCause& cause = crash.cause;
  if (!cause.signal) return fmt::format("The process died on {}.", thread);
  return fmt::format("The process died of {} on {}{}.", signalName(cause.signal->number), thread, placeText(crash));
}

std::string overflowSentence(const Crash& crash, const std::string& thread) {
  const std::vector<FrameRun> repeated = crash.repeated();
  if (repeated.empty() || !crash.stack)
    return fmt::format("The process died of a stack overflow on {}{}.", thread, placeText(crash));
  const auto longest = std::ranges::max_element(repeated, {}, &FrameRun::count);
  return fmt::format("The process died of a stack overflow on {}: {} frames, {}.", thread,
                     readableCount(crash.stack->frames.size()), textOf(*longest, crash.stack->frames));
}

std::string livingSentence(const Crash& crash) {
  switch (crash.cause.state) {
    case ProcessState::Living:
      return "The process was alive when it was dumped: it did not crash.";
    case ProcessState::Died:
      return "The process died, but the dump does not show of what.";
    case ProcessState::Unknown:
      break;
  }
  return "The dump does not show whether the process died.";
}

std::string failFastSentence(const Crash& crash, const std::string& thread) {
  switch (crash.failFastBy) {
    case FailFastBy::Program:
      return fmt::format("The program ended itself by Environment.FailFast on {}{}.", thread, placeText(crash));
    case FailFastBy::Assertion:
      return fmt::format("An assertion of the program failed on {}{}.", thread, placeText(crash));
    case FailFastBy::Runtime:
      break;
  }
  return fmt::format("The runtime itself gave up on {}{}.", thread, placeText(crash));
}

/// Note on the sender of the signal, and of a fault what was wrong.
std::string signalNote(const Crash& crash, std::uint32_t pid) {
  const CoreSignal& signal = *crash.cause.signal;
  if (signal.sender)
    return *signal.sender == pid
               ? fmt::format("The process sent {} to itself, as abort and raise do.", signalName(signal.number))
               : fmt::format("Process {} sent {}.", *signal.sender, signalName(signal.number));
  const std::string fault = faultText(signal);
  if (!signal.address) return fault.empty() ? std::string() : fmt::format("It was {}.", fault);
  // Of memory the address is what was wanted, of an instruction where it stands.
  const bool isOfMemory = signal.number == SIGSEGV || signal.number == SIGBUS;
  if (!isOfMemory) return fmt::format("At {}: {}.", toString(*signal.address), fault.empty() ? "a fault" : fault);
  return fmt::format("It touched {}{}{}.", toString(*signal.address), fault.empty() ? "" : ": ", fault);
}

}  // namespace

std::string threadText(const Crash& crash, bool withName) {
  const std::uint32_t osId = crash.cause.osId;
  const std::string name = withName && !crash.threadName.empty() ? fmt::format(" \"{}\"", crash.threadName) : "";
  if (!crash.cause.thread) return osId ? fmt::format("a thread of native code (OS id {})", osId) : "a thread";
  if (crash.isFinalizer) return fmt::format("the finalizer's thread {} (OS id {})", crash.managedId, osId);
  return fmt::format("thread {}{}{} (OS id {})", crash.managedId, name, crash.isThreadPool ? " of the pool" : "", osId);
}

std::string crashSentence(const Crash& crash, bool withName) {
  const std::string thread = threadText(crash, withName);
  switch (crash.cause.kind) {
    case CrashKind::None:
      break;
    case CrashKind::UnhandledException:
      return fmt::format("The process died of an unhandled {} on {}{}.", exceptionTypeText(crash), thread,
                         placeText(crash));
    case CrashKind::OutOfMemory:
      return fmt::format("The process died for lack of memory: an unhandled {} on {}{}.", exceptionTypeText(crash),
                         thread, placeText(crash));
    case CrashKind::StackOverflow:
      return overflowSentence(crash, thread);
    case CrashKind::FailFast:
      return failFastSentence(crash, thread);
    case CrashKind::Signal:
      return signalSentence(crash, thread);
  }
  return livingSentence(crash);
}

std::vector<std::string> crashNotes(const Crash& crash) {
  std::vector<std::string> notes;
  const CrashCause& cause = crash.cause;
  if (cause.kind == CrashKind::Signal && cause.signal) {
    if (std::string note = signalNote(crash, crash.processId); !note.empty()) notes.push_back(std::move(note));
  } else if (cause.kind != CrashKind::None && cause.faultAddress) {
    notes.push_back(fmt::format("It touched {}.", toString(*cause.faultAddress)));
  }
  if (cause.kind != CrashKind::None && !cause.signal) notes.push_back("The signal that ended it is not known.");
  for (const OutOfMemoryRecord& record : crash.outOfMemory) notes.push_back(describe(record));
  if (crash.hardLimitBytes)
    notes.push_back(fmt::format("The heap was limited to {} (GCHeapHardLimit).", sizeText(*crash.hardLimitBytes)));
  return notes;
}

}  // namespace heapscape::engine
