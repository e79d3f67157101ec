// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "base/result.h"
#include "layout/code_owners.h"
#include "memory/elf/elf_core.h"
#include "session/snapshot/snapshot.h"
#include "values/reading/exception_details.h"
#include "values/value.h"

namespace heapscape::engine {

enum class FrameKind : std::uint8_t { Managed, Runtime, Native };

template <>
inline constexpr auto kEnumNames<FrameKind> = std::to_array<EnumName<FrameKind>>({{FrameKind::Managed, "managed"},
                                                                                  {FrameKind::Runtime, "runtime"},
                                                                                  {FrameKind::Native, "native"}});

/// Value of a register of the processor.
struct RegisterRow {
  const char* name;
  std::uint64_t value;
  bool isPlace = false;  // shows where the frame is, in code or on the stack, and nothing of what the program has
};

/// A parameter or a local of a frame of managed code.
struct VariableRow {
  bool isParameter = false;
  std::uint32_t index = 0;  // among the parameters, `this` the first of them; of a local its slot
  std::string name = {};    // "order", "this"; empty where nothing tells it, as for what the compiler made
  /// Where it is: "rbx", "rdi, rsi", "xmm0"; empty for one in memory, or nowhere.
  std::string reg = {};
  /// Its declared type, where it lies (0 for one in a register), and what it holds. Of a parameter or local that is
  /// itself a reference to a variable (ref, in, out) what that holds, at its own address.
  FieldValue value = {};
  Address target = {};       // of such a reference: where it leads
  std::string problem = {};  // why the value is not known; empty where it is
  bool isTypeExact = true;   // false: code that instantiations share, of which nothing tells the exact type
  bool hasPlace() const { return value.address.value != 0 || !reg.empty(); }
};

/// One frame of a thread's stack, as people read it.
struct FrameRow {
  FrameKind kind = FrameKind::Managed;
  Address instruction = {};
  Address stackPointer = {};  // of a runtime frame its own address
  Address methodDesc = {};    // 0 where no method is known
  Address methodTable = {};   // of the type that declares it; 0 where there is none
  /// "Shop.Orders.Warehouse"; of an async method or an iterator the type that declares it, not the compiler's own.
  std::string type = {};
  std::string method = {};      // "Restock", of an async method its own name rather than MoveNext; of native code its
                                // symbol, or else "+0x1a"
  std::string parameters = {};  // "(System.Int32, System.String)"; empty where they are not known
  /// "InlinedCallFrame" for a frame of the runtime, "libc.so.6" for native code; of managed code the assembly.
  std::string origin = {};
  CodeOwner owner = CodeOwner::Own;  // whose code it is; what is not managed is .NET's
  bool isAsync = false;              // MoveNext of an async method, or of an async iterator
  bool isFunclet = false;            // a handler, finally block or filter of its method
  std::optional<std::uint32_t> ilOffset = {};
  std::string file = {};  // of the source, as the PDB has it; empty if not known
  std::uint32_t line = 0;
  /// Exceptions on their way in it: "handles System.IO.IOException", "throws …"; else empty.
  std::string exception = {};
  bool isExact = true;       // false: what its roots are is not known; words of its part of the stack stand in for them
  std::string problem = {};  // why not
  std::uint32_t firstRoot = 0;  // in the thread's roots
  std::uint32_t rootCount = 0;
  std::vector<VariableRow> variables = {};  // where they were asked for
  std::vector<RegisterRow> registers = {};  // where they were asked for: those whose value in this frame is known
};

/// "Shop.Orders.Warehouse.Restock(System.Int32)", "[InlinedCallFrame]", "libc.so.6!read+0x1a".
std::string nameOf(const FrameRow& frame);
/// "Shop.Orders.Warehouse.Restock", the symbol of native code alone; empty where no method is known.
std::string methodOf(const FrameRow& frame);

/// A local, argument or temporary of a frame that refers to an object, or what code of the runtime holds for it.
struct StackRootRow {
  std::uint32_t frame = 0;    // in the thread's frames
  Address slot = {};          // 0 for one in a register of the processor
  std::string reg = {};       // "rbx" where the method keeps it in a register; empty for a slot
  std::string base = {};      // "rbp-60" where the method counts the slot from a register; else empty
  std::string variable = {};  // "order", "this", where that is known
  Address object = {};        // that it refers to, or into; 0 for an interior one that leads to no object
  Address value = {};         // as it stands
  std::string typeName = {};  // of the object
  bool isInterior = false;
  bool isPinned = false;
  bool isProtected = false;  // held by code of the runtime that the frame called, rather than by its method
  bool isExact = true;
};

/// An exception that a thread has thrown and is not done with.
struct ExceptionInFlight {
  ExceptionDetails exception;  // with its stack, without what caused it; only `object`, or not even that, if it cannot
                               // be read
  std::string state = {};      // "looks for a handler", "is handled", "runs a finally block" …
  std::optional<std::uint32_t> frame = {};  // index of the frame that handles it, or whose block it runs
};

/// The stack of one thread.
struct ThreadStackRow {
  Address thread = {};  // of the runtime's Thread
  std::uint32_t managedId = 0;
  std::uint32_t osId = 0;
  std::string name = {};                    // that the program gave it; empty for none
  bool isCooperative = false;               // was in managed code, or in the runtime where no collection may begin
  AddressRange limits = {};                 // of its own stack; empty if not known. Signals are handled on another
  std::optional<CoreThread> core = {};      // its registers as the dump has them, with its id of the thread
  bool isComplete = true;                   // every frame was read, down to where the thread began
  std::string problem = {};                 // why it ends early, or why frames are missing in it
  std::optional<std::uint32_t> gap = {};    // the frame behind which they are missing, if others follow
  std::vector<FrameRow> frames = {};        // innermost first
  std::vector<StackRootRow> roots = {};     // by frame
  std::vector<RegisterRow> registers = {};  // where they were asked for: all that the dump has of the thread
  /// The latest first: each was thrown by the handler of the one behind it.
  std::vector<ExceptionInFlight> exceptions = {};
  std::string doing = {};  // in words: "waits in Task.Wait", "idle pool thread"; empty where nothing is known
};

struct StackList {
  std::vector<ThreadStackRow> threads;  // in the runtime's order; without those that have ended or not begun
  FindingList findings;
};

struct StackOptions {
  std::optional<Address> thread = {};  // only this one of the runtime's threads
  bool native = false;                 // native frames on top and below, too
  bool roots = true;
  bool variables = false;  // what the parameters and locals of managed frames hold
  bool registers = false;  // of threads and frames
  /// Variables and registers of all frames; else of those that are written where repeats are folded (folded_frames.h).
  bool valuesOfRepeats = true;
};

/// The stacks of all threads, without `doing` (threads/thread_waits.h).
Outcome<StackList> readStacks(const Snapshot& snapshot, const StackOptions& options, std::stop_token stop);
/// The stacks with what no option says, read once and kept.
Outcome<std::shared_ptr<const StackList>> keptStacks(const Snapshot& snapshot, std::stop_token stop);

/// A frame that refers to an object.
struct StackHolder {
  Address thread;  // of the runtime's Thread
  std::uint32_t managedId = 0;
  std::string threadName;  // that the program gave it; empty for none
  std::string type;        // as FrameRow has it
  std::string method;
  std::string frame;     // its full name
  std::string variable;  // empty where only the register or slot is known
  std::string place;     // "rbx", "0x7ffe12345678"
  bool isExact = true;
};

/// The frames of all threads that refer to an object or into it: by thread, innermost first.
Outcome<std::vector<StackHolder>> stackHolders(const Snapshot& snapshot, Address object, std::stop_token stop);
/// Returns who holds the object on stacks that are known already.
std::vector<StackHolder> holdersOnStacks(const StackList& stacks, Address object);

}  // namespace heapscape::engine
