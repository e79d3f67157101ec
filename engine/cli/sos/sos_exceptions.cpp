// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "cli/sos/sos_thread_numbers.h"
#include "runtime/managed_objects.h"
#include "session/details/object_details.h"
#include "session/snapshot/contents.h"
#include "session/stacks/exception_traces.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/crash_cause.h"
#include "session/threads/threads_query.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ErrorCode;
using engine::ExceptionDetails;
using engine::Outcome;
using engine::Snapshot;

constexpr std::int32_t kManagedException = static_cast<std::int32_t>(0xe0434352);  // EXCEPTION_COMPLUS

// Of exceptions that SOS takes for faults of the processor, whatever code they have: arithmetic, overflow, division by
// zero, format, null reference, misaligned data.
constexpr std::array<std::uint32_t, 6> kFaults{0x80070216, 0x80131516, 0x80020012, 0x80131537, 0x80004003, 0x80131541};

/// Prints exceptions as printexception does.
class ExceptionPrinter {
 public:
  ExceptionPrinter(SosRun& run, const Snapshot& snapshot)
      : m_run(run),
        m_snapshot(snapshot),
        m_readers(*snapshot.contents().readers),
        m_names(m_readers),
        m_traces(snapshot),
        m_values({m_readers}) {}

  /// As clrma does, what caused it below it, further to the right.
  engine::Result<void> printAnalysis(Address address, std::size_t depth) {
    constexpr std::size_t kDeepestInner = 100;
    const auto methodTable = m_readers.runtime.memory().readPointer(address);
    const auto type =
        methodTable ? m_readers.methodTables.read(*methodTable) : engine::failure(ErrorCode::NotFound, {});
    const auto exception = type ? m_traces.alone(address) : std::nullopt;
    if (!type || !exception) return engine::failure(ErrorCode::NotFound, "Not a valid exception object");
    const std::vector<engine::FieldValue> fields = m_values.readFields(*type, address + engine::kFieldsStart);
    const std::string indentation(4 * std::min<std::size_t>(depth + 1, 4), ' ');
    m_run.print("{0}Exception object: {1}\n{0}Exception type:   {2}\n{0}Message:          {3}\n", indentation,
                upperAddress(address), m_names.ofType(*methodTable), stringIn(fields, "_message"));
    m_run.print("{0}HResult:          {1:08x}\n{0}StackTrace (generated):\n", indentation,
                static_cast<std::uint32_t>(exception->hresult));
    for (const ExceptionDetails::Frame& frame : exception->stack)
      printAnalysedFrame(indentation, frame.stackPointer, frame.instruction, functionOf(frame), frame.offset);
    if (exception->stack.empty()) m_run.print("{}<no managed frames>\n", indentation);
    if (!exception->inner || depth >= kDeepestInner) return {};
    m_run.print("{}InnerException:\n", indentation);
    return printAnalysis(exception->inner, depth + 1);
  }

  void printAnalysedFrame(const std::string& indentation, Address stackPointer, Address instruction,
                          const std::string& function, std::uint64_t offset) {
    m_run.print("{}{} {} {}+{:#x}\n", indentation, upperAddress(stackPointer), upperAddress(instruction), function,
                offset);
  }

  void printAnalysedStack(const engine::ThreadStackRow& thread) {
    bool hasAny = false;
    for (const engine::FrameRow& frame : thread.frames) {
      if (frame.kind != engine::FrameKind::Managed) continue;
      const auto code = m_readers.code.find(frame.instruction);
      const std::uint64_t offset = code && frame.instruction > code->start ? frame.instruction - code->start : 0;
      printAnalysedFrame("    ", frame.stackPointer, frame.instruction,
                         fmt::format("{}!{}", frame.origin, m_names.ofMethod(frame.methodDesc)), offset);
      hasAny = true;
      if (!m_run.goesOn()) return;
    }
    if (!hasAny) m_run.print("    <no managed frames>\n");
  }

  engine::Result<void> print(Address address, bool hasLines) {
    const auto methodTable = m_readers.runtime.memory().readPointer(address);
    const auto type =
        methodTable ? m_readers.methodTables.read(*methodTable) : engine::failure(ErrorCode::NotFound, {});
    if (!type) return engine::failure(ErrorCode::NotFound, fmt::format("Invalid object {}", lowerAddress(address)));
    const auto exception = m_traces.alone(address);
    if (!exception) return engine::failure(ErrorCode::NotFound, "Not a valid exception object");
    const std::vector<engine::FieldValue> fields = m_values.readFields(*type, address + engine::kFieldsStart);
    m_run.print("Exception object: {}\nException type:   {}\n", lowerAddress(address), m_names.ofType(*methodTable));
    m_run.print("Message:          {}\n", stringIn(fields, "_message"));
    printInner(*exception);
    printStack(*exception, fields, hasLines);
    const std::string remote = stringIn(fields, "_stackTraceString");
    m_run.print("StackTraceString: {}\n{}HResult: {:x}\n", remote, remote == "<none>" ? "" : "\n",
                static_cast<std::uint32_t>(exception->hresult));
    return {};
  }

 private:
  static const engine::FieldValue* fieldIn(const std::vector<engine::FieldValue>& fields, std::string_view name) {
    const auto found = std::ranges::find(fields, name, &engine::FieldValue::name);
    return found == fields.end() ? nullptr : &*found;
  }

  std::string stringIn(const std::vector<engine::FieldValue>& fields, std::string_view name) const {
    const engine::FieldValue* field = fieldIn(fields, name);
    if (!field || !field->value.object) return "<none>";
    if (!field->value.characters.empty()) return field->value.characters;
    // Where its type is not in the dump it is still a string.
    constexpr std::size_t kMostUnits = 16'384;
    return engine::readManagedString(m_readers.runtime, field->value.object, kMostUnits).value_or("<Invalid Object>");
  }

  void printInner(const ExceptionDetails& exception) {
    const auto methodTable = exception.inner ? m_readers.runtime.memory().readPointer(exception.inner)
                                             : engine::failure(ErrorCode::NotFound, {});
    if (methodTable) {
      m_run.print("InnerException:   {}, Use printexception {} to see more.\n", m_names.ofType(*methodTable),
                  upperAddress(exception.inner));
    } else {
      m_run.print("InnerException:   <none>\n");
    }
  }

  /// The runtime notes of a call the byte in front of where it returns to; of a fault, which has another code than what
  /// is thrown, SOS adds one to each.
  void printStack(const ExceptionDetails& exception, const std::vector<engine::FieldValue>& fields, bool hasLines) {
    m_run.print("StackTrace (generated):\n");
    if (exception.stack.empty()) {
      m_run.print("<none>\n");
      return;
    }
    const engine::FieldValue* code = fieldIn(fields, "_xcode");
    const bool isFault = (code && code->value.text != std::to_string(kManagedException)) ||
                         std::ranges::find(kFaults, static_cast<std::uint32_t>(exception.hresult)) != kFaults.end();
    m_run.print("    SP               IP               Function\n");
    for (const ExceptionDetails::Frame& frame : exception.stack) {
      const Address instruction = frame.instruction + (isFault ? 1 : 0);
      std::string line =
          fmt::format("    {} {} {}", upperAddress(frame.stackPointer), upperAddress(instruction), functionOf(frame));
      const std::uint64_t offset = frame.offset + (isFault ? 1 : 0);
      if (offset != 0) line += fmt::format("+{:#x}", offset);
      if (hasLines && !frame.file.empty()) line += fmt::format(" [{} @ {}]", frame.file, frame.line);
      m_run.print("{}\n", line);
    }
    m_run.print("\n");
  }

  /// "shop.dll!Shop.Orders.Pay(Int32)".
  std::string functionOf(const ExceptionDetails::Frame& frame) {
    const auto method = m_readers.methods.read(frame.methodDesc);
    const engine::Module* module = method ? m_readers.methodNames.moduleOf(*method) : nullptr;
    const std::string& name = m_names.ofMethod(frame.methodDesc);
    return fmt::format("{}!{}", module && !module->name.empty() ? module->name : std::string("UNKNOWN"),
                       name.empty() ? std::string("UNKNOWN") : name);
  }

  SosRun& m_run;
  const Snapshot& m_snapshot;
  const engine::RuntimeReaders& m_readers;
  engine::DebuggerNames m_names;
  engine::ExceptionTraces m_traces;
  engine::ValueReader m_values;
};

Outcome<void> printException(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  ExceptionPrinter printer(run, snapshot);
  const bool hasLines = !run.arguments().has("-nolines");
  if (!run.arguments().words().empty()) {
    HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
    HEAPSCAPE_CHECK(printer.print(address, hasLines));
  }
  HEAPSCAPE_TRY(const engine::CoreThread current, currentThread(run, snapshot));
  HEAPSCAPE_TRY(const engine::ThreadList threads, engine::listThreads(snapshot, run.stop()));
  const auto thread = std::ranges::find(threads.threads, current.osId, &engine::ThreadRow::osId);
  if (thread == threads.threads.end()) {
    run.print("The current thread is unmanaged\n");
    return {};
  }
  if (run.arguments().words().empty()) {
    if (thread->exception)
      HEAPSCAPE_CHECK(printer.print(thread->exception, hasLines));
    else
      run.print("There is no current managed exception on this thread\n");
  }
  HEAPSCAPE_TRY(const engine::StackList stacks,
                engine::readStacks(snapshot, {.thread = thread->address, .roots = false}, run.stop()));
  if (stacks.threads.empty() || stacks.threads.front().exceptions.size() < 2) return {};
  if (!run.arguments().has("-nested")) {
    run.print("There are nested exceptions on this thread. Run with -nested for details\n");
    return {};
  }
  const auto& exceptions = stacks.threads.front().exceptions;
  for (std::size_t i = 1; i < exceptions.size(); ++i) {
    run.print("\nNested exception -------------------------------------------------------------\n");
    HEAPSCAPE_CHECK(printer.print(exceptions[i].exception.object, hasLines));
  }
  return {};
}

/// What a debugger's own analysis of a crash asks SOS.
Outcome<void> analyseCrash(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const engine::CoreThread current, currentThread(run, snapshot));
  HEAPSCAPE_TRY(const engine::ThreadList threads, engine::listThreads(snapshot, run.stop()));
  run.print("Managed analysis provider: SOSCLRMA\n");
  const auto thread = std::ranges::find(threads.threads, current.osId, &engine::ThreadRow::osId);
  if (thread == threads.threads.end()) {
    run.print("Thread {:04x} is not a managed thread or has no managed analysis.\n", current.osId);
    return {};
  }
  HEAPSCAPE_TRY(const engine::StackList stacks,
                engine::readStacks(snapshot, {.thread = thread->address, .roots = false}, run.stop()));
  ExceptionPrinter printer(run, snapshot);
  run.print("OSThreadId: {:04x}\nManaged stack trace:\n", current.osId);
  if (!stacks.threads.empty()) printer.printAnalysedStack(stacks.threads.front());
  if (!thread->exception) {
    run.print("Current exception: <none>\n");
    return {};
  }
  run.print("Current exception:\n");
  HEAPSCAPE_CHECK(printer.printAnalysis(thread->exception, 0));
  if (stacks.threads.empty()) return {};
  const auto& exceptions = stacks.threads.front().exceptions;
  for (std::size_t i = 1; i < exceptions.size() && run.goesOn(); ++i) {
    run.print("Nested exception #{}:\n", i - 1);
    HEAPSCAPE_CHECK(printer.printAnalysis(exceptions[i].exception.object, 0));
  }
  return {};
}

/// Each exception of the heap with its message and the frame that threw it.
Outcome<void> dumpExceptions(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot,
                run.arguments().has("-live") || run.arguments().has("-dead") ? run.retained() : run.heap());
  HEAPSCAPE_TRY(const SosScope scope, readScope(run, snapshot, 0));
  const engine::RuntimeReaders& readers = *snapshot.contents().readers;
  engine::ExceptionTraces traces(snapshot);
  const engine::ValueReader values({readers});
  engine::DebuggerNames names(readers);
  const std::string wanted = run.arguments().valueOf("-type").value_or("");
  std::uint64_t count = 0;
  std::vector<signed char> isException(snapshot.types().size(), -1);
  forEachInSosOrder(snapshot, scope, run.stop(), [&](const engine::ObjectRow& row) {
    const engine::TypeRow& type = snapshot.types()[row.type.value];
    signed char& known = isException[row.type.value];
    const auto methodTable = readers.methodTables.read(type.methodTable);
    if (known < 0) known = methodTable && !type.isFree && traces.isException(*methodTable) ? 1 : 0;
    if (known == 0 || !methodTable || type.name.find(wanted) == std::string::npos) return true;
    const bool choosesLive = run.arguments().has("-live") != run.arguments().has("-dead");
    if (choosesLive) {
      const auto retained = engine::retainedOf(snapshot, row.address);
      if ((retained && retained->isReachable) != run.arguments().has("-live")) return true;
    }
    const auto details = traces.brief(row.address, false);
    if (!details) return true;
    if (count++ == 0) run.print("{:>16} {:>16} Message Name\n", "Address", "MethodTable");
    run.print("{:>16} {:>16} {}\n", shortAddress(row.address), shortAddress(type.methodTable), type.name);
    const auto fields = values.readFields(*methodTable, row.address + engine::kFieldsStart);
    const auto message = std::ranges::find(fields, std::string_view("_message"), &engine::FieldValue::name);
    run.print("        Message: {}\n",
              message != fields.end() && message->value.object ? message->value.characters : std::string("<null>"));
    if (!details->stack.empty())
      run.print("        StackFrame: {}\n", names.ofMethod(details->stack.front().methodDesc));
    return run.goesOn();
  });
  run.print("\n    Total: {} objects\n", count);
  return {};
}

Outcome<void> crashInfo(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  run.print("No crash info to display\n");
  return {};
}

}  // namespace

void addSosExceptionCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "printexception pe",
                      .arguments = "[-lines] [-nested] [ADDRESS]",
                      .summary = "An exception, or the current one of the current thread",
                      .flags = "-lines -nolines -nested -ccw /d",
                      .mostArguments = 1,
                      .run = printException,
                      .more = "object {}"});
  commands.push_back({.names = "clrma",
                      .arguments = "",
                      .summary = "Stack and exceptions of the current thread, as a debugger's analysis asks for them",
                      .run = analyseCrash,
                      .more = "crash"});
  commands.push_back({.names = "dumpexceptions",
                      .arguments = "[-live|-dead] [-type TEXT] [-gen G] [-heap N] [-segment ADDRESS] [START [END]]",
                      .summary = "All exceptions of the heap",
                      .flags = "-live -dead",
                      .values = "-type -gen -heap -segment",
                      .mostArguments = 2,
                      .run = dumpExceptions,
                      .more = "exceptions"});
  commands.push_back({.names = "crashinfo",
                      .arguments = "",
                      .summary = "Notes that a runtime which is compiled ahead leaves of its end",
                      .run = crashInfo,
                      .more = "crash"});
}

}  // namespace heapscape::cli
