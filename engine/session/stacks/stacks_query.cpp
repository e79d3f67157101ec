// SPDX-License-Identifier: MIT
#include "session/stacks/stacks_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/threads/thread_registers.h"
#include "runtime/threads/threads.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/exception_traces.h"
#include "session/stacks/folded_frames.h"
#include "session/stacks/frame_names.h"
#include "session/stacks/frame_variables.h"
#include "session/stacks/source_lines.h"
#include "stacks/stack_reader.h"
#include "stacks/unwinding/native_symbols.h"

namespace heapscape::engine {
namespace {

/// Makes rows of the stacks of one dump. Not safe from several threads.
class StackRows {
 public:
  StackRows(const Snapshot& snapshot, const StackOptions& options);

  /// Nothing for a thread that the dump has no registers of.
  std::optional<ThreadStackRow> of(const RuntimeThread& thread);

 private:
  void addFrames(const StackWithRoots& stack, const CoreThread& thread, ThreadStackRow& row);
  FrameRow managedFrame(const ManagedFrame& frame);
  FrameRow explicitFrame(const ExplicitFrame& frame);
  void nameFrame(FrameRow& frame);
  void addRoots(const StackEntry& entry, const FrameRoots& roots, FrameRow& frame, ThreadStackRow& row);
  StackRootRow rootRow(const StackRoot& root) const;
  void addProtected(const FrameRoots& roots, ThreadStackRow& row);
  /// `first`: of the row's frames the one that the walk's first entry is.
  void addValues(const StackWalk& walk, const CoreThread& thread, std::size_t first, ThreadStackRow& row);
  void noteExceptions(const StackWithRoots& stack, std::size_t firstFrame, ThreadStackRow& row);
  void addNative(Registers registers, bool isReturnAddress, Address end, ThreadStackRow& row);

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const RuntimeReaders& m_readers;
  StackOptions m_options;
  NativeUnwinder m_native;
  StackReader m_reader;
  FrameNames m_names;
  FrameSources m_sources;
  FrameVariables m_variables;
  ExceptionTraces m_traces;
  std::optional<NativeSymbols> m_symbols;
  ThreadRegisters m_registers;
};

constexpr std::size_t kMostNativeFrames = 256;

Address firstManaged(const StackWalk& walk) {
  for (const StackEntry& entry : walk.entries) {
    if (entry.managed) return entry.managed->registers.stackPointer();
  }
  return {};
}

bool beginsInManagedCode(const StackWalk& walk) {
  return walk.top && !walk.entries.empty() && walk.entries.front().managed &&
         walk.entries.front().instruction == walk.top->instruction;
}

constexpr const char* kLeft = "left by {}";

// As DAC calls them (ClrDataAccess::GetRegisterName, src/coreclr/debug/daccess/request.cpp).
std::string baseText(const StackSlotBase& base) {
  const std::uint64_t distance = base.offset < 0 ? -std::int64_t{base.offset} : std::int64_t{base.offset};
  return fmt::format("{}{}", base.isOfCaller ? "caller." : "", toString(base.reg)) +
         (distance ? fmt::format("{}{:x}", base.offset < 0 ? '-' : '+', distance) : "");
}

std::vector<RegisterRow> knownRegisters(const Registers& registers) {
  const RegisterFile& file = registerFile(registers.architecture);
  std::vector<RegisterRow> rows;
  for (std::size_t i = 0; i <= file.shown.size(); ++i) {
    if (i == file.instructionShownAt) rows.push_back({file.instruction, registers.instruction.value, true});
    if (i < file.shown.size() && registers.isKnown(file.shown[i]))
      rows.push_back({toString(file.shown[i]), registers[file.shown[i]],
                      file.shown[i] == file.stackPointer || file.shown[i] == file.framePointer});
  }
  return rows;
}

/// The general ones, and behind them what else the dump has of the thread.
std::vector<RegisterRow> registersOfThread(const CoreThread& thread) {
  std::vector<RegisterRow> rows = knownRegisters(registersOf(thread));
  for (const auto& [name, place] : registerFile(thread.architecture).others)
    rows.push_back({name, thread.registers[place]});
  return rows;
}

/// The frames of a thread on one stack.
class FramePlaces {
 public:
  void add(std::uint32_t frame, Address stackPointer) {
    m_frames.push_back(frame);
    m_highest.push_back(m_highest.empty() ? stackPointer : std::max(m_highest.back(), stackPointer));
  }
  /// The first frame that lies above a place, else the outermost; the thread's innermost where the stack has none.
  std::uint32_t ownerOf(Address place) const {
    if (m_frames.empty()) return 0;
    const auto owner = std::upper_bound(m_highest.begin(), std::prev(m_highest.end()), place);
    return m_frames[static_cast<std::size_t>(owner - m_highest.begin())];
  }

 private:
  std::vector<std::uint32_t> m_frames;
  std::vector<Address> m_highest;  // stack pointer up to each frame, as explicit frames may lie out of order
};

/// Verb of an exception for a frame; null for nothing.
const char* wordsFor(const ExceptionOnItsWay& exception, const ManagedFrame& frame) {
  if (exception.runsIn(frame)) {
    if (exception.clause == RunningClause::Filter) return "runs a filter for {}";
    if (exception.clause == RunningClause::Finally) return "runs a finally block for {}";
    return "handles {}";
  }
  if (exception.isHandledBy(frame.callerStackPointer)) return "handles {}";
  return exception.hasUnwound(frame.callerStackPointer) ? kLeft : nullptr;
}

const char* stateOf(const ExceptionOnItsWay& exception) {
  if (exception.clause == RunningClause::Filter) return "runs a filter";
  if (exception.clause == RunningClause::Finally) return "runs a finally block";
  if (exception.clause == RunningClause::Catch) return "is handled";
  return exception.isUnwinding ? "goes to its handler" : "looks for a handler";
}

StackRows::StackRows(const Snapshot& snapshot, const StackOptions& options)
    : m_snapshot(snapshot),
      m_contents(snapshot.contents()),
      m_readers(*m_contents.readers),
      m_options(options),
      m_native(*m_contents.memory, *m_contents.core),
      m_reader(m_readers, m_native),
      m_names(m_readers, *m_contents.owners),
      m_sources(m_readers, m_contents.file->path()),
      m_variables(m_readers, m_contents.heap.get(), m_sources),
      m_traces(m_snapshot),
      m_registers(m_readers.runtime, *m_contents.core) {
  if (options.native) m_symbols.emplace(*m_contents.memory, *m_contents.core);
}

std::optional<ThreadStackRow> StackRows::of(const RuntimeThread& thread) {
  const CoreThread* registers = m_registers.of(thread.address);
  if (!registers) return std::nullopt;
  ThreadStackRow row;
  row.thread = thread.address;
  row.managedId = thread.managedId;
  row.osId = thread.osId;
  ThreadDetails details = readThreadDetails(m_readers, thread);
  row.name = std::move(details.name);
  row.limits = details.stack;
  row.core = *registers;
  row.isCooperative =
      m_readers.runtime.valueAt<std::uint32_t>(thread.address, "Thread", "PreemptiveGCDisabled").value_or(0) != 0;
  const StackWithRoots stack = m_reader.read(thread, registersOf(*registers));
  row.problem = stack.walk.problem;
  row.isComplete = row.problem.empty();
  if (m_options.registers) row.registers = registersOfThread(*registers);
  addFrames(stack, *registers, row);
  return row;
}

void StackRows::addFrames(const StackWithRoots& stack, const CoreThread& thread, ThreadStackRow& row) {
  const StackWalk& walk = stack.walk;
  if (m_options.native && walk.top && !beginsInManagedCode(walk)) addNative(*walk.top, false, firstManaged(walk), row);
  const std::size_t first = row.frames.size();
  if (walk.gap) row.gap = static_cast<std::uint32_t>(first + *walk.gap);
  row.frames.reserve(first + walk.entries.size());
  if (m_options.roots) {
    std::size_t roots = row.roots.size() + stack.protectedRoots.roots.size();
    for (const FrameRoots& frame : stack.roots) roots += frame.roots.size();
    row.roots.reserve(roots);
  }
  for (std::size_t i = 0; i < walk.entries.size(); ++i) {
    const StackEntry& entry = walk.entries[i];
    FrameRow frame = entry.managed ? managedFrame(*entry.managed) : explicitFrame(entry.explicitFrame);
    frame.instruction = entry.instruction;
    frame.stackPointer = entry.stackPointer;
    addRoots(entry, stack.roots[i], frame, row);
    row.frames.push_back(std::move(frame));
  }
  noteExceptions(stack, first, row);
  addProtected(stack.protectedRoots, row);
  if (m_options.native && walk.bottom && row.isComplete) addNative(*walk.bottom, true, {}, row);
  if (m_options.variables || m_options.registers) addValues(walk, thread, first, row);
}

void StackRows::addValues(const StackWalk& walk, const CoreThread& thread, std::size_t first, ThreadStackRow& row) {
  const auto add = [&](std::size_t index) {
    if (index < first || index >= first + walk.entries.size()) return;
    const auto& managed = walk.entries[index - first].managed;
    if (!managed) return;
    if (m_options.variables) row.frames[index].variables = m_variables.of(*managed, &thread);
    if (m_options.registers) row.frames[index].registers = knownRegisters(managed->registers);
  };
  if (m_options.valuesOfRepeats) {
    for (std::size_t i = 0; i < row.frames.size(); ++i) add(i);
  } else {
    for (const WrittenFrame& written : writtenFrames(foldedFrames(row.frames))) add(written.frame);
  }
}

FrameRow StackRows::managedFrame(const ManagedFrame& managed) {
  FrameRow frame;
  frame.methodDesc = managed.code.methodDesc;
  frame.isFunclet = managed.code.isFunclet;
  nameFrame(frame);
  const FrameName& name = m_names.of(frame.methodDesc);
  FrameSource source = m_sources.of(managed, name.module, name.row);
  frame.origin = name.assembly;
  frame.ilOffset = source.ilOffset;
  if (source.line) {
    frame.file = std::move(source.line->file);
    frame.line = source.line->line;
  }
  return frame;
}

FrameRow StackRows::explicitFrame(const ExplicitFrame& explicitFrame) {
  FrameRow frame;
  frame.kind = FrameKind::Runtime;
  frame.owner = CodeOwner::Framework;
  frame.methodDesc = m_reader.methodOf(explicitFrame);
  if (frame.methodDesc) nameFrame(frame);
  frame.origin = toString(explicitFrame.kind);
  return frame;
}

void StackRows::nameFrame(FrameRow& frame) {
  const FrameName& name = m_names.of(frame.methodDesc);
  frame.methodTable = name.methodTable;
  frame.type = name.type;
  frame.method = name.method;
  frame.parameters = name.parameters;
  if (frame.owner == CodeOwner::Own) frame.owner = name.owner;  // what the runtime's own frames are of stays
  frame.isAsync = name.isAsync;
}

void StackRows::addRoots(const StackEntry& entry, const FrameRoots& roots, FrameRow& frame, ThreadStackRow& row) {
  frame.isExact = roots.problem.empty();
  frame.problem = roots.problem;
  frame.firstRoot = static_cast<std::uint32_t>(row.roots.size());
  if (!m_options.roots) return;
  const FrameName* name = entry.managed ? &m_names.of(frame.methodDesc) : nullptr;
  for (const StackRoot& root : roots.roots) {
    StackRootRow added = rootRow(root);
    added.frame = static_cast<std::uint32_t>(row.frames.size());
    added.isExact = frame.isExact;
    if (name) added.variable = m_sources.variableOf(*entry.managed, root, name->module, name->row);
    row.roots.push_back(std::move(added));
  }
  frame.rootCount = static_cast<std::uint32_t>(row.roots.size()) - frame.firstRoot;
}

StackRootRow StackRows::rootRow(const StackRoot& root) const {
  StackRootRow row;
  row.slot = root.slot;
  if (root.reg) row.reg = toString(*root.reg);
  if (root.base) row.base = baseText(*root.base);
  row.value = root.object;
  row.isInterior = root.isInterior;
  row.isPinned = root.isPinned;
  if (!m_contents.heap) {
    row.object = root.isInterior ? Address{} : root.object;
  } else if (const auto object = objectAt(m_snapshot, root.object)) {
    row.object = object->address;
    row.typeName = m_snapshot.types()[object->type.value].name;
  }
  return row;
}

// They belong to code of the runtime that the frame above them called, most often through a frame of the runtime's.
void StackRows::addProtected(const FrameRoots& roots, ThreadStackRow& row) {
  if (!m_options.roots || row.frames.empty()) return;
  if (!roots.problem.empty() && row.problem.empty()) {
    row.problem = roots.problem;
    row.isComplete = false;
  }
  if (roots.roots.empty()) return;
  FramePlaces own;
  FramePlaces other;
  for (std::uint32_t i = 0; i < row.frames.size(); ++i)
    (row.limits.contains(row.frames[i].stackPointer) ? own : other).add(i, row.frames[i].stackPointer);
  for (const StackRoot& root : roots.roots) {
    StackRootRow added = rootRow(root);
    added.frame = (row.limits.contains(root.slot) ? own : other).ownerOf(root.slot);
    added.isProtected = true;
    ++row.frames[added.frame].rootCount;
    row.roots.push_back(std::move(added));
  }
  std::stable_sort(row.roots.begin(), row.roots.end(),
                   [](const StackRootRow& a, const StackRootRow& b) { return a.frame < b.frame; });
  std::uint32_t next = 0;
  for (FrameRow& frame : row.frames) {
    frame.firstRoot = next;
    next += frame.rootCount;
  }
}

// From the first that was thrown on: what has left a frame stays so, whatever its handler throws next.
void StackRows::noteExceptions(const StackWithRoots& stack, std::size_t firstFrame, ThreadStackRow& row) {
  std::vector<bool> isLeft(stack.walk.entries.size());
  for (auto exception = stack.exceptions.rbegin(); exception != stack.exceptions.rend(); ++exception) {
    ExceptionInFlight flight{.exception = {}, .state = stateOf(*exception)};
    if (auto read = exception->object ? m_traces.alone(exception->object) : std::nullopt)
      flight.exception = std::move(*read);
    flight.exception.object = exception->object;
    const std::string name = flight.exception.type.empty() ? std::string("an exception") : flight.exception.type;
    for (std::size_t i = 0; i < stack.walk.entries.size(); ++i) {
      const auto& managed = stack.walk.entries[i].managed;
      const char* words = managed ? wordsFor(*exception, *managed) : nullptr;
      if (!words) continue;
      if (words != kLeft) flight.frame = static_cast<std::uint32_t>(firstFrame + i);
      if (isLeft[i]) continue;
      row.frames[firstFrame + i].exception = fmt::format(fmt::runtime(words), name);
      isLeft[i] = words == kLeft;
    }
    row.exceptions.push_back(std::move(flight));
  }
  std::ranges::reverse(row.exceptions);
}

// Up to managed code, or to what lies at `end`.
void StackRows::addNative(Registers registers, bool isReturnAddress, Address end, ThreadStackRow& row) {
  for (std::size_t i = 0; i < kMostNativeFrames && registers.instruction; ++i) {
    const Address place = registers.stackPointer();
    if (end && place >= end && areOnOneStack(row.limits, place, end)) return;
    if (m_readers.code.find(registers.instruction)) return;
    const NativeName name = m_symbols->nameOf(registers.instruction);
    FrameRow frame;
    frame.kind = FrameKind::Native;
    frame.instruction = registers.instruction;
    frame.stackPointer = registers.stackPointer();
    frame.origin = name.module;
    frame.method =
        name.module.empty() && name.symbol.empty() ? std::string() : fmt::format("{}+{:#x}", name.symbol, name.offset);
    frame.owner = CodeOwner::Framework;
    frame.firstRoot = static_cast<std::uint32_t>(row.roots.size());
    if (m_options.registers) frame.registers = knownRegisters(registers);
    row.frames.push_back(std::move(frame));
    const auto step = m_native.callerOf(registers, isReturnAddress);
    if (!step) return;
    registers = step->caller;
    isReturnAddress = !step->isSignalFrame;
  }
}

}  // namespace

std::string nameOf(const FrameRow& frame) {
  if (frame.kind == FrameKind::Native) {
    const std::string module = frame.origin.empty() ? "?" : frame.origin;
    // An offset in the library stands for a symbol that is not known.
    return frame.method.starts_with('+') ? module + frame.method
                                         : fmt::format("{}!{}", module, frame.method.empty() ? "?" : frame.method);
  }
  const std::string method = methodOf(frame) + frame.parameters;
  if (frame.kind == FrameKind::Managed) return method;
  return method.empty() ? fmt::format("[{}]", frame.origin) : fmt::format("[{}: {}]", frame.origin, method);
}

std::string methodOf(const FrameRow& frame) {
  return frame.method.empty() || frame.type.empty() ? frame.method : fmt::format("{}.{}", frame.type, frame.method);
}

namespace {

void noteUnreadStack(const ThreadStackRow& row, FindingList& findings) {
  if (row.isComplete) return;
  findings.add(FindingKind::RuntimeDataDamaged, row.thread,
               row.gap ? fmt::format("The stack of thread {} lacks frames: {}", row.managedId, row.problem)
                       : fmt::format("The stack of thread {} was not read to its end: {}", row.managedId, row.problem));
}

}  // namespace

Outcome<StackList> readStacks(const Snapshot& snapshot, const StackOptions& options, std::stop_token stop) {
  StackList list;
  StackRows rows(snapshot, options);
  FindingList known;  // opening has told of them
  for (const RuntimeThread& thread : readThreads(snapshot.contents().readers->runtime, known)) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (options.thread && *options.thread != thread.address) continue;
    auto row = rows.of(thread);
    if (!row) continue;
    noteUnreadStack(*row, list.findings);
    list.threads.push_back(std::move(*row));
  }
  return list;
}

Outcome<std::shared_ptr<const StackList>> keptStacks(const Snapshot& snapshot, std::stop_token stop) {
  return snapshot.contents().stacks->get([&] { return readStacks(snapshot, {}, stop); });
}

namespace {

StackHolder holderOf(const ThreadStackRow& thread, const FrameRow& frame, const StackRootRow& root) {
  StackHolder holder;
  holder.thread = thread.thread;
  holder.managedId = thread.managedId;
  holder.threadName = thread.name;
  holder.type = frame.type;
  holder.method = frame.method;
  holder.frame = nameOf(frame);
  holder.variable = root.variable;
  holder.place = root.reg.empty() ? fmt::format("0x{:x}", root.slot.value) : root.reg;
  holder.isExact = root.isExact && frame.isExact;
  return holder;
}

}  // namespace

std::vector<StackHolder> holdersOnStacks(const StackList& stacks, Address object) {
  std::vector<StackHolder> holders;
  for (const ThreadStackRow& thread : stacks.threads) {
    for (const StackRootRow& root : thread.roots) {
      if (!object || root.object != object || root.frame >= thread.frames.size()) continue;
      holders.push_back(holderOf(thread, thread.frames[root.frame], root));
    }
  }
  return holders;
}

Outcome<std::vector<StackHolder>> stackHolders(const Snapshot& snapshot, Address object, std::stop_token stop) {
  HEAPSCAPE_TRY(const auto stacks, keptStacks(snapshot, std::move(stop)));
  return holdersOnStacks(*stacks, object);
}

}  // namespace heapscape::engine
