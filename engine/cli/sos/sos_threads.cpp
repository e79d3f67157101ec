// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_text.h"
#include "cli/sos/sos_thread_numbers.h"
#include "runtime/threads/sync_blocks.h"
#include "session/snapshot/contents.h"
#include "session/threads/threads_query.h"
#include "session/types/debugger_names.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::cli {

using engine::Address;
using engine::ErrorCode;
using engine::failure;
using engine::Outcome;
using engine::Result;
using engine::Snapshot;

std::optional<std::uint32_t> numberOfThread(const Snapshot& snapshot, std::uint32_t osId) {
  const auto& threads = snapshot.contents().core->threads;
  const auto found = std::ranges::find(threads, osId, &engine::CoreThread::osId);
  if (osId == 0 || found == threads.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - threads.begin());
}

Result<engine::CoreThread> currentThread(const SosRun& run, const Snapshot& snapshot) {
  const auto& threads = snapshot.contents().core->threads;
  const std::uint32_t number = run.state().thread;
  if (number >= threads.size()) return failure(ErrorCode::NotFound, "The dump has no thread.");
  return threads[number];
}

namespace {

// Bits of a thread's state, as the runtime has them (Thread::ThreadState, src/coreclr/vm/threads.h).
constexpr std::uint32_t kBackground = 0x200;
constexpr std::uint32_t kUnstarted = 0x400;
constexpr std::uint32_t kDead = 0x800;
constexpr std::uint32_t kPoolWorker = 0x1000000;
constexpr std::uint32_t kCompletionPort = 0x8000000;

struct ThreadStateWords {
  std::uint32_t bit;
  const char* words;
};

constexpr auto kStateWords = std::to_array<ThreadStateWords>({{0x1, "Thread Abort Requested"},
                                                              {0x2, "GC Suspend Pending"},
                                                              {0x4, "User Suspend Pending"},
                                                              {0x8, "Debug Suspend Pending"},
                                                              {0x10, "GC On Transitions"},
                                                              {0x20, "Legal to Join"},
                                                              {0x40, "Yield Requested"},
                                                              {0x80, "Hijacked by the GC"},
                                                              {0x100, "Blocking GC for Stack Overflow"},
                                                              {0x200, "Background"},
                                                              {0x400, "Unstarted"},
                                                              {0x800, "Dead"},
                                                              {0x1000, "CLR Owns"},
                                                              {0x2000, "CoInitialized"},
                                                              {0x4000, "In Single Threaded Apartment"},
                                                              {0x8000, "In Multi Threaded Apartment"},
                                                              {0x10000, "Reported Dead"},
                                                              {0x20000, "Fully initialized"},
                                                              {0x40000, "Task Reset"},
                                                              {0x80000, "Sync Suspended"},
                                                              {0x100000, "Debug Will Sync"},
                                                              {0x200000, "Stack Crawl Needed"},
                                                              {0x400000, "Suspend Unstarted"},
                                                              {0x800000, "Aborted"},
                                                              {0x1000000, "Thread Pool Worker Thread"},
                                                              {0x2000000, "Interruptible"},
                                                              {0x4000000, "Interrupted"},
                                                              {0x8000000, "Completion Port Thread"},
                                                              {0x10000000, "Abort Initiated"},
                                                              {0x20000000, "Finalized"},
                                                              {0x40000000, "Failed to Start"},
                                                              {0x80000000, "Detached"}});

/// What stands behind the columns of a thread.
std::string remarksOn(const engine::ThreadRow& thread, engine::DebuggerNames& names,
                      const engine::RuntimeReaders& readers) {
  std::string remarks;
  if (thread.isFinalizer) remarks += "(Finalizer) ";
  if (thread.isGc) remarks += "(GC) ";
  if (thread.stateBits & kPoolWorker)
    remarks += "(Threadpool Worker) ";
  else if (thread.stateBits & kCompletionPort)
    remarks += "(Threadpool Completion Port) ";
  if (!thread.exception) return remarks;
  const auto methodTable = readers.runtime.memory().readPointer(thread.exception);
  const std::string type = methodTable ? names.ofType(*methodTable) : std::string();
  remarks += type.empty() ? fmt::format("<Invalid Object> ({})", lowerAddress(thread.exception))
                          : fmt::format("{} {}", type, lowerAddress(thread.exception));
  if (thread.exceptionsInFlight.size() > 1) remarks += " (nested exceptions)";
  return remarks;
}

Outcome<void> clrThreads(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const engine::ThreadList list, engine::listThreads(snapshot, run.stop()));
  if (run.arguments().has("-managedexception")) {
    const auto thrower =
        std::ranges::find_if(list.threads, [](const auto& thread) { return thread.exception && thread.osId != 0; });
    const auto number = thrower == list.threads.end() ? std::nullopt : numberOfThread(snapshot, thrower->osId);
    if (!number) return {};
    run.state().thread = *number;
    run.print("Found managed exception on thread {:x}\n", thrower->osId);
    return {};
  }
  const engine::RuntimeReaders& readers = *snapshot.contents().readers;
  engine::DebuggerNames names(readers);
  const auto withState = [&](std::uint32_t bit) {
    return std::ranges::count_if(list.threads, [bit](const auto& thread) { return (thread.stateBits & bit) != 0; });
  };
  const auto background = std::ranges::count_if(list.threads, [](const auto& thread) {
    return (thread.stateBits & kBackground) != 0 && (thread.stateBits & (kDead | kUnstarted)) == 0;
  });
  run.print("ThreadCount:      {}\nUnstartedThread:  {}\nBackgroundThread: {}\nPendingThread:    0\n",
            list.threads.size(), withState(kUnstarted), background);
  run.print("DeadThread:       {}\nHosted Runtime:   no\n", withState(kDead));
  run.print("{:>113}\n", "Lock");
  run.print(
      " DBG   ID     OSID ThreadOBJ           State GC Mode     GC Alloc Context                  Domain           "
      "Count Apt Exception\n");
  const Address domain = readers.runtime.globalPointer("AppDomain").value_or(Address{});
  for (const engine::ThreadRow& thread : list.threads) {
    const bool isDead = (thread.stateBits & kDead) != 0;
    if (run.arguments().has("-live") && isDead) continue;
    const auto number = isDead ? std::nullopt : numberOfThread(snapshot, thread.osId);
    const auto cooperative =
        readers.runtime.valueAt<std::uint32_t>(thread.address, "Thread", "PreemptiveGCDisabled").value_or(0) != 0;
    run.print("{:>4} {:>4} {:>8x} {} {:>8x} {:<11} {}:{} {} -00001 Ukn {}\n",
              number ? std::to_string(*number) : std::string("XXXX"), thread.managedId, thread.osId,
              upperAddress(thread.address), thread.stateBits, cooperative ? "Cooperative" : "Preemptive",
              upperAddress(thread.allocationContext.start), upperAddress(thread.allocationContext.end),
              upperAddress(domain), remarksOn(thread, names, readers));
  }
  return {};
}

Outcome<void> threadState(SosRun& run) {
  HEAPSCAPE_TRY(const Address bits, run.arguments().address(0));
  bool hasAny = false;
  for (const ThreadStateWords& state : kStateWords) {
    if (!(bits.value & state.bit)) continue;
    run.print("    {}\n", state.words);
    hasAny = true;
  }
  if (!hasAny) run.print("    No thread states for '{}'\n", run.arguments().words().front());
  return {};
}

Result<std::uint32_t> readThreadNumber(const SosRun& run, const Snapshot& snapshot) {
  const SosArguments& arguments = run.arguments();
  const std::string& text = arguments.words().front();
  const bool isOsId = arguments.has("-t") || arguments.has("--tid");
  const bool isHex = text.starts_with("0x");
  char* end = nullptr;
  const unsigned long number = std::strtoul(text.c_str(), &end, isHex ? 16 : 10);
  if (end == text.c_str() || *end != '\0')
    return failure(ErrorCode::BadQuery, fmt::format("'{}' is no number of a thread.", text));
  const auto& threads = snapshot.contents().core->threads;
  if (!isOsId && number < threads.size()) return static_cast<std::uint32_t>(number);
  const auto found = isOsId ? numberOfThread(snapshot, static_cast<std::uint32_t>(number)) : std::nullopt;
  if (found) return *found;
  return failure(ErrorCode::NotFound, fmt::format("The dump has no thread {}.", text));
}

/// Of all threads of the process, or of the operating system's own id.
Outcome<void> threads(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  if (!run.arguments().words().empty()) {
    HEAPSCAPE_TRY(run.state().thread, readThreadNumber(run, snapshot));
    return {};
  }
  const bool isVerbose = run.arguments().has("-v") || run.arguments().has("--verbose");
  const auto& all = snapshot.contents().core->threads;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    run.print("{}{} 0x{:04X} ({})\n", i == run.state().thread ? "*" : " ", i, all[i].osId, all[i].osId);
    if (!isVerbose) continue;
    const engine::Registers registers = engine::registersOf(all[i]);
    run.print("    IP  0x{:016X}\n    SP  0x{:016X}\n    FP  0x{:016X}\n    TEB 0x{:016X}\n",
              registers.instruction.value, registers.stackPointer().value, registers.framePointer(), 0);
  }
  return {};
}

Outcome<void> syncBlocks(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const engine::RuntimeReaders& readers = *snapshot.contents().readers;
  HEAPSCAPE_TRY(const engine::ThreadList threads, engine::listThreads(snapshot, run.stop()));
  engine::FindingList findings;
  const std::vector<engine::SyncBlock> blocks = engine::readSyncBlocks(readers.runtime, findings);
  engine::DebuggerNames names(readers);
  std::optional<std::uint32_t> asked;
  if (!run.arguments().words().empty()) {
    HEAPSCAPE_TRY(const Address number, run.arguments().address(0));
    asked = static_cast<std::uint32_t>(number.value);
  }
  run.print("Index         SyncBlock MonitorHeld Recursion Owning Thread Info          SyncBlock Owner\n");
  for (const engine::SyncBlock& block : blocks) {
    const std::uint32_t held = (block.isHeld ? 1 : 0) + 2 * block.waiting;
    if (asked ? *asked != block.index : held == 0 && !run.arguments().has("-all")) continue;
    const auto owner = std::ranges::find(threads.threads, block.holderManagedId, &engine::ThreadRow::managedId);
    const bool hasOwner = block.holderManagedId != 0 && owner != threads.threads.end();
    run.print("{:>5} {}  {:>11} {:>9} {} ", block.index, upperAddress(block.address), held, block.recursion,
              upperAddress(block.hasHolderEnded ? Address{UINT64_MAX}
                           : hasOwner           ? owner->address
                                                : Address{}));
    if (block.hasHolderEnded) {
      run.print(" orphaned ");
    } else if (hasOwner) {
      const auto number = numberOfThread(snapshot, owner->osId);
      run.print("{:x} {:>3} ", owner->osId, number ? std::to_string(*number) : std::string("XXX"));
    } else {
      run.print("    none  ");
    }
    const auto methodTable = readers.runtime.memory().readPointer(block.object);
    run.print("  {} {}\n", lowerAddress(block.object), methodTable ? names.ofType(*methodTable) : std::string());
  }
  const std::uint32_t total = engine::countSyncEntries(readers.runtime);
  run.print("-----------------------------\nTotal           {}\nFree            {}\n", total,
            total > blocks.size() ? total - blocks.size() : 0);
  return {};
}

struct OtherRegister {
  const char* name;
  const char* kernelName;
  int digits;
};

// Of x64, in SOS's order and under its names.
constexpr auto kOtherRegisters = std::to_array<OtherRegister>({{"cs", "cs", 4},
                                                               {"ds", "ds", 4},
                                                               {"es", "es", 4},
                                                               {"fs", "fs", 4},
                                                               {"gs", "gs", 4},
                                                               {"ss", "ss", 4},
                                                               {"eflags", "rflags", 8}});

Outcome<void> registers(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const engine::CoreThread thread, currentThread(run, snapshot));
  const engine::RegisterFile& file = engine::registerFile(thread.architecture);
  const engine::Registers values = engine::registersOf(thread);
  const auto printOther = [&](const OtherRegister& other) {
    for (const auto& [name, place] : file.others) {
      if (std::string_view(name) == other.kernelName)
        run.print("{} = 0x{:0{}X}\n", other.name, thread.registers[place], other.digits);
    }
  };
  if (thread.architecture == engine::Architecture::X64) std::ranges::for_each(kOtherRegisters, printOther);
  for (std::uint8_t i = 0; i < file.count(); ++i) {
    const engine::Register reg{i, thread.architecture};
    run.print("{} = 0x{:016X}\n", toString(reg), values[reg]);
  }
  run.print("{} = 0x{:016X}\n", file.instruction, values.instruction.value);
  return {};
}

}  // namespace

void addSosThreadCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "clrthreads",
                      .arguments = "[-live] [-managedexception]",
                      .summary = "Threads of the runtime, with their exceptions, or the first that has one",
                      .flags = "-live -special -managedexception",
                      .run = clrThreads,
                      .more = "threads"});
  commands.push_back({.names = "setthread threads",
                      .arguments = "[NUMBER | -t OSID] [-v]",
                      .summary = "Threads of the process; with a number: which one is current",
                      .flags = "-t --tid -v --verbose",
                      .mostArguments = 1,
                      .run = threads});
  commands.push_back({.names = "threadstate",
                      .arguments = "BITS",
                      .summary = "Bits of the state of a thread in words",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = threadState});
  commands.push_back({.names = "syncblk",
                      .arguments = "[-all | NUMBER]",
                      .summary = "Sync blocks that are held",
                      .flags = "-all",
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = syncBlocks,
                      .more = "locks"});
  commands.push_back({.names = "registers r",
                      .arguments = "",
                      .summary = "Registers of the current thread",
                      .flags = "-v --verbose",
                      .run = registers,
                      .more = "stacks --registers"});
}

}  // namespace heapscape::cli
