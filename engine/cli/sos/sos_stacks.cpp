// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <map>
#include <span>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_debug_stack.h"
#include "cli/sos/sos_text.h"
#include "cli/sos/sos_thread_numbers.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "session/types/debugger_names.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ErrorCode;
using engine::FrameKind;
using engine::FrameRow;
using engine::Outcome;
using engine::Snapshot;
using engine::ThreadStackRow;

/// What clrstack is asked for.
struct ClrStackOptions {
  bool parameters = false, locals = false, lines = true, references = false, full = false, registers = false;
  std::uint64_t frames = 0;  // at most so many; 0 for all
};

Outcome<ClrStackOptions> readClrStackOptions(const SosArguments& arguments) {
  ClrStackOptions options;
  options.parameters = arguments.has("-p") || arguments.has("-a");
  options.locals = arguments.has("-l") || arguments.has("-a");
  options.lines = !arguments.has("-n");
  options.references = arguments.has("-gc");
  options.full = arguments.has("-f");
  options.registers = arguments.has("-r");
  HEAPSCAPE_TRY(options.frames, arguments.number("-c", 0));
  return options;
}

/// Prints the frames of threads as clrstack does.
class ClrStackPrinter {
 public:
  ClrStackPrinter(SosRun& run, const Snapshot& snapshot, const ClrStackOptions& options)
      : m_run(run), m_readers(*snapshot.contents().readers), m_names(m_readers), m_options(options) {}

  void print(const ThreadStackRow& thread) {
    m_run.print("        Child SP               IP Call Site\n");
    m_printed = 0;
    for (std::size_t i = 0; i < thread.frames.size() && goesOn(); ++i) {
      const FrameRow& frame = thread.frames[i];
      if (frame.kind == FrameKind::Managed) {
        printManaged(thread, i);
      } else {
        printExplicit(frame, frame.instruction);
        // Above all managed code they are what the thread has.
        const bool isOnTop = std::none_of(thread.frames.begin(), thread.frames.begin() + static_cast<std::ptrdiff_t>(i),
                                          [](const FrameRow& each) { return each.kind == FrameKind::Managed; });
        if (m_options.registers && isOnTop && thread.core) {
          const std::size_t shown = engine::registerFile(thread.core->architecture).shown.size() + 1;
          printRegisters(std::span(thread.registers).first(std::min(shown, thread.registers.size())));
        }
        // The walk of SOS stops at a call to native code twice: in it, and where it returns to.
        const bool isCall = frame.origin == "InlinedCallFrame" && i + 1 < thread.frames.size() &&
                            thread.frames[i + 1].kind == FrameKind::Managed &&
                            frame.instruction != thread.frames[i + 1].instruction;
        if (isCall && goesOn()) printExplicit(frame, thread.frames[i + 1].instruction);
      }
    }
    if (!thread.isComplete && goesOn())
      m_run.print("<failed>\nStack Walk failed. Reported stack incomplete.\n{}\n", thread.problem);
  }

 private:
  bool goesOn() const { return m_run.goesOn() && (m_options.frames == 0 || m_printed < m_options.frames); }

  void printExplicit(const FrameRow& frame, Address instruction) {
    ++m_printed;
    m_run.print("{} {:16} [{}: {}] {}\n", upperAddress(frame.stackPointer),
                m_options.full ? std::string() : lowerAddress(instruction), frame.origin,
                lowerAddress(frame.stackPointer), siteOf(frame));
  }

  /// The method of a frame of the runtime's, if it has one.
  std::string siteOf(const FrameRow& frame) {
    const std::string& method = m_names.ofMethod(frame.methodDesc);
    if (method.empty() || !m_options.full) return method;
    const auto read = m_readers.methods.read(frame.methodDesc);
    const engine::Module* module = read ? m_readers.methodNames.moduleOf(*read) : nullptr;
    return module ? fmt::format("{}!{}", module->name, method) : method;
  }

  void printManaged(const ThreadStackRow& thread, std::size_t index) {
    const FrameRow& frame = thread.frames[index];
    ++m_printed;
    std::string site = m_names.ofMethod(frame.methodDesc);
    if (site.empty()) site = "<unknown>";
    if (m_options.full) {
      site = fmt::format("{}!{}", frame.origin, site);
      if (const auto code = m_readers.code.find(frame.instruction); code && frame.instruction > code->start)
        site += fmt::format(" + {}", frame.instruction - code->start);
    }
    if (m_options.lines && !frame.file.empty()) site += fmt::format(" [{} @ {}]", frame.file, frame.line);
    m_run.print("{} {} {}\n", upperAddress(frame.stackPointer), upperAddress(frame.instruction), site);
    if (m_options.references) printReferences(thread, frame);
    if (m_options.parameters || m_options.locals) printVariables(frame);
    if (m_options.registers) printRegisters(frame.registers);
  }

  void printReferences(const ThreadStackRow& thread, const FrameRow& frame) {
    for (std::uint32_t i = frame.firstRoot; i < frame.firstRoot + frame.rootCount; ++i) {
      const engine::StackRootRow& root = thread.roots[i];
      std::string text = root.reg.empty() ? fmt::format("{} -> ", lowerAddress(root.slot)) : root.reg + ": ";
      text += lowerAddress(root.value);
      if (root.isPinned) text += " (pinned)";
      if (root.isInterior) text += " (interior)";
      if (!root.isExact) text += " (may be no reference)";
      if (root.object && !root.isInterior) {
        const auto methodTable = m_readers.runtime.memory().readPointer(root.object);
        text += " - " + (methodTable ? m_names.ofType(*methodTable) : std::string());
      }
      m_run.print("{:34}{}\n", "", text);
    }
  }

  void printVariables(const FrameRow& frame) {
    printVariables(frame, true);
    printVariables(frame, false);
    m_run.print("\n");
  }

  void printVariables(const FrameRow& frame, bool areParameters) {
    if (!(areParameters ? m_options.parameters : m_options.locals)) return;
    bool isFirst = true;
    for (const engine::VariableRow& variable : frame.variables) {
      if (variable.isParameter != areParameters) continue;
      if (isFirst) m_run.print("    {}:\n", areParameters ? "PARAMETERS" : "LOCALS");
      isFirst = false;
      const std::string place = !variable.reg.empty()          ? std::string("<CLR reg>")
                                : variable.value.address.value ? "0x" + upperAddress(variable.value.address)
                                                               : std::string();
      std::string line = "        ";
      if (areParameters && !variable.name.empty()) line += variable.name + ' ';
      if (!place.empty()) line += areParameters ? fmt::format("({}) ", place) : place + ' ';
      if (!place.empty() || (areParameters && !variable.name.empty())) line += "= ";
      m_run.print("{}{}\n", line, valueOf(variable, frame));
    }
  }

  /// The bits of a variable, as SOS prints them: of a struct its first word, however wide it is.
  std::string valueOf(const engine::VariableRow& variable, const FrameRow& frame) const {
    const engine::FieldValue& field = variable.value;
    if (!variable.hasPlace() || field.value.isMissing) return "<no data>";
    std::optional<std::uint64_t> bits;
    if (variable.target) {
      bits = variable.target.value;
    } else if (variable.reg.empty()) {
      const bool isStruct =
          field.value.kind == engine::ValueKind::Struct || field.value.kind == engine::ValueKind::Known;
      const std::uint32_t size = isStruct || field.sizeBytes == 0 ? engine::kPointerBytes : field.sizeBytes;
      std::uint64_t word = 0;
      const auto target =
          std::as_writable_bytes(std::span(&word, 1)).first(std::min<std::uint64_t>(size, engine::kPointerBytes));
      if (m_readers.runtime.memory().tryRead(field.address, target)) bits = word;
    } else if (const auto reg = std::ranges::find(frame.registers, variable.reg, &engine::RegisterRow::name);
               reg != frame.registers.end()) {
      const std::uint32_t unused = 8 * (engine::kPointerBytes - std::clamp(field.sizeBytes, 1u, 8u));
      bits = reg->value << unused >> unused;
    } else if (field.value.object) {
      bits = field.value.object.value;
    } else if (field.value.kind == engine::ValueKind::Null) {
      bits = 0;
    } else if (field.value.kind == engine::ValueKind::Integer) {
      std::int64_t number = 0;
      const std::string& text = field.value.text;
      if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc())
        bits = static_cast<std::uint64_t>(number) &
               (field.sizeBytes >= 8 ? UINT64_MAX : (1ull << 8 * field.sizeBytes) - 1);
    } else if (field.value.kind == engine::ValueKind::Boolean) {
      bits = field.value.text == "true" ? 1 : 0;
    }
    if (!bits) return field.value.text.empty() ? "<no data>" : field.value.text;
    return *bits ? "0x" + lowerAddress({*bits}) : std::string("0x0000000000000000");
  }

  /// Three on a line, in SOS's order; only those whose values are known in the frame.
  void printRegisters(std::span<const engine::RegisterRow> registers) {
    std::size_t onLine = 0;
    for (const engine::RegisterRow& reg : registers) {
      m_run.print("{}{:>3}={:016x}", onLine == 0 ? "    " : " ", reg.name, reg.value);
      if (++onLine < 3) continue;
      m_run.print("\n");
      onLine = 0;
    }
    if (onLine > 0) m_run.print("\n");
  }

  SosRun& m_run;
  const engine::RuntimeReaders& m_readers;
  engine::DebuggerNames m_names;
  ClrStackOptions m_options;
  std::uint64_t m_printed = 0;
};

Outcome<void> clrStack(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const ClrStackOptions options, readClrStackOptions(run.arguments()));
  if (run.arguments().has("-i"))
    return printDebugStack(run, snapshot,
                           {.parameters = options.parameters, .locals = options.locals, .frames = options.frames});
  HEAPSCAPE_TRY(const engine::StackList stacks,
                engine::readStacks(snapshot,
                                   {.roots = options.references,
                                    .variables = options.parameters || options.locals,
                                    .registers = options.registers || options.parameters || options.locals},
                                   run.stop()));
  ClrStackPrinter printer(run, snapshot, options);
  if (run.arguments().has("-all")) {
    for (const ThreadStackRow& thread : stacks.threads) {
      if (!run.goesOn()) break;
      run.print("OS Thread Id: 0x{:x}\n", thread.osId);
      printer.print(thread);
    }
    return {};
  }
  HEAPSCAPE_TRY(const engine::CoreThread current, currentThread(run, snapshot));
  run.print("OS Thread Id: 0x{:x} ({})\n", current.osId, run.state().thread);
  const auto thread = std::ranges::find(stacks.threads, current.osId, &ThreadStackRow::osId);
  if (thread != stacks.threads.end()) {
    printer.print(*thread);
  } else {
    run.print(
        "Unable to walk the managed stack. The current thread is likely not a \nmanaged thread. You can run "
        "clrthreads to get a list of managed threads in\nthe process\nFailed to start stack walk: 80070057\n");
  }
  return {};
}

// ---- parallelstacks

/// A method with all threads that are in it, and what they have called from there.
struct MergedStack {
  std::string frame;  // with its parameters, by which frames are told apart
  std::string shown;
  std::vector<std::uint32_t> threads;  // ids of the operating system
  std::vector<MergedStack> calls;
};

std::string withoutNameSpace(std::string_view type) {
  // Behind the last dot that belongs to no argument.
  std::size_t end = type.find_first_of("`<[");
  const std::size_t dot = type.rfind('.', end == std::string_view::npos ? end : end);
  std::string name(dot == std::string_view::npos ? type : type.substr(dot + 1));
  return name;
}

/// "Shop.Locks.Embrace(Object, Barrier)" of its whole signature.
std::string shownSignature(const std::string& type, const std::string& signature) {
  const std::size_t open = signature.rfind('(');
  if (open == std::string::npos) return signature;
  std::string_view method = std::string_view(signature).substr(0, open);
  if (const std::size_t arguments = method.find("[["); arguments != std::string_view::npos && method.ends_with("]]")) {
    const std::size_t dot = method.rfind('.', method.rfind("[[") == arguments ? arguments : method.rfind("].") + 1);
    method =
        method.substr(dot + 1, method.rfind("[[") > dot ? method.find("[[", dot) - dot - 1 : std::string_view::npos);
  } else {
    const std::size_t dot = method.rfind('.');
    // Constructors begin with a dot themselves.
    method = method.substr(dot != std::string_view::npos && dot > 0 && method[dot - 1] == '.' ? dot : dot + 1);
  }
  std::string shown = fmt::format("{}.{}(", type, method);
  std::string_view rest = std::string_view(signature).substr(open + 1);
  if (rest.ends_with(')')) rest.remove_suffix(1);
  bool isFirst = true;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    std::string_view parameter = rest.substr(0, comma);
    if (!isFirst) shown += ", ";
    isFirst = false;
    const bool isByRef = parameter.ends_with(" ByRef");
    if (isByRef) parameter.remove_suffix(std::string_view(" ByRef").size());
    shown += withoutNameSpace(parameter);
    if (isByRef) shown += " ByRef";
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
  }
  return shown + ')';
}

class MergedStacksPrinter {
 public:
  MergedStacksPrinter(SosRun& run, bool hasAllThreads) : m_run(run), m_most(hasAllThreads ? SIZE_MAX : 4) {}

  void print(const MergedStack& stack, std::size_t depth) {
    const std::string indentation(5 * depth, ' ');
    if (stack.calls.empty()) printThreads(indentation, stack.threads);
    if (stack.calls.size() == 1 && stack.calls.front().threads.size() != stack.threads.size()) {
      std::vector<std::uint32_t> own = stack.threads;
      const auto& inner = stack.calls.front().threads;
      std::erase_if(own, [&](std::uint32_t thread) { return std::ranges::find(inner, thread) != inner.end(); });
      printThreads(indentation, own);
    }
    std::vector<const MergedStack*> calls;
    for (const MergedStack& call : stack.calls) calls.push_back(&call);
    std::ranges::stable_sort(calls, {}, [](const MergedStack* call) { return call->threads.size(); });
    for (const MergedStack* call : calls)
      print(*call, call->threads.size() == stack.threads.size() ? depth : depth + 1);
    m_run.print("\n{}{:>5} {}", indentation, stack.threads.size(), stack.shown);
  }

 private:
  void printThreads(const std::string& indentation, const std::vector<std::uint32_t>& threads) {
    std::string list;
    for (std::size_t i = 0; i < std::min(threads.size(), m_most); ++i)
      list += fmt::format("{}{:x}", i == 0 ? "" : ",", threads[i]);
    m_run.print("\n{} ~~~~ {}{}", indentation, list, threads.size() > m_most ? "..." : "");
  }

  SosRun& m_run;
  std::size_t m_most;
};

constexpr std::size_t kDeepestMerged = 4000;  // frames; merged stacks are printed frame in frame

Outcome<void> parallelStacks(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const auto stacks, engine::keptStacks(snapshot, run.stop()));
  const engine::RuntimeReaders& readers = *snapshot.contents().readers;
  engine::DebuggerNames names(readers);
  MergedStack whole;
  for (const ThreadStackRow& thread : stacks->threads) {
    MergedStack* at = &whole;
    std::size_t depth = 0;
    for (auto frame = thread.frames.rbegin(); frame != thread.frames.rend() && depth < kDeepestMerged; ++frame) {
      if (frame->kind != FrameKind::Managed || !frame->methodDesc) continue;
      const std::string& signature = names.ofMethod(frame->methodDesc);
      auto call = std::ranges::find(at->calls, signature, &MergedStack::frame);
      if (call == at->calls.end()) {
        const auto method = readers.methods.read(frame->methodDesc);
        const std::string type = method ? readers.names.nameOf(method->methodTable) : std::string();
        at->calls.push_back({signature, shownSignature(type, signature), {}, {}});
        call = std::prev(at->calls.end());
      }
      call->threads.push_back(thread.osId);
      at = &*call;
      ++depth;
    }
    if (depth > 0) whole.threads.push_back(thread.osId);
  }
  run.print("\n");
  MergedStacksPrinter printer(run, run.arguments().has("-a") || run.arguments().has("--allthreads"));
  for (const MergedStack& stack : whole.calls) {
    run.print("________________________________________________");
    printer.print(stack, 0);
    run.print("\n\n\n");
  }
  run.print("==> {} threads with {} roots\n\n", whole.threads.size(), whole.calls.size());
  return {};
}

// ---- dumpstackobjects

constexpr std::uint64_t kScannedStack = 0x10000;  // bytes from the stack pointer on, as SOS looks through

Outcome<void> dumpStackObjects(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::CoreThread thread, currentThread(run, snapshot));
  engine::AddressRange range{thread.stackPointer(), thread.stackPointer() + kScannedStack};
  if (run.arguments().words().size() == 2) {
    HEAPSCAPE_TRY(const Address one, run.arguments().address(0));
    HEAPSCAPE_TRY(const Address other, run.arguments().address(1));
    range = {std::min(one, other), std::max(one, other)};
  }
  range = {Address{range.start.value & ~7ull}, Address{engine::alignUp(range.end.value, engine::kPointerBytes)}};
  run.print("OS Thread Id: 0x{:x} ({})\n", thread.osId, run.state().thread);
  run.print("{:>16} {:>16} Name\n", "SP/REG", "Object");
  const auto print = [&](const std::string& place, Address word) {
    const auto object = engine::objectAt(snapshot, word);
    if (!object || object->address != word) return;
    const engine::TypeRow& type = snapshot.types()[object->type.value];
    run.print("{:>16} {:>16} {}\n", place, shortAddress(word), type.name);
  };
  const engine::Registers registers = engine::registersOf(thread);
  for (std::uint8_t i = 0; i < engine::registerFile(thread.architecture).count(); ++i) {
    const engine::Register reg{i, thread.architecture};
    print(engine::toString(reg), {registers[reg]});
  }
  const engine::AddressSpace& memory = *snapshot.contents().memory;
  for (Address at = range.start; at < range.end && run.goesOn(); at += engine::kPointerBytes) {
    Address word;
    if (!memory.tryRead(at, word)) break;
    print(shortAddress(at), word);
  }
  return {};
}

}  // namespace

void addSosStackCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "clrstack",
                      .arguments = "[-a] [-l] [-p] [-r] [-f] [-gc] [-n] [-all] [-i] [-c FRAMES]",
                      .summary = "Managed frames of the current thread, or of all",
                      .flags = "-a -l -p -r -f -gc -n -all -i /d",
                      .values = "-c",
                      .run = clrStack,
                      .more = "stacks --locals"});
  commands.push_back({.names = "parallelstacks pstacks",
                      .arguments = "[-a]",
                      .summary = "Stacks of all threads laid over each other",
                      .flags = "-a --allthreads",
                      .run = parallelStacks,
                      .more = "stacks --parallel"});
  commands.push_back({.names = "dumpstackobjects dso",
                      .arguments = "[TOP BOTTOM]",
                      .summary = "Objects that words of the current stack lead to",
                      .flags = "-verify",
                      .mostArguments = 2,
                      .run = dumpStackObjects,
                      .more = "stacks --roots"});
}

}  // namespace heapscape::cli
