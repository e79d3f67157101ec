// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

enum class FrameKind : std::uint8_t { Managed, Runtime, Native };
/// "managed", "runtime", "native".
const char* toString(FrameKind kind);

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
  bool isFramework = false;  // belongs to .NET rather than to the program
  bool isAsync = false;      // MoveNext of an async method, or of an async iterator
  bool isFunclet = false;    // a handler, finally block or filter of its method
  std::optional<std::uint32_t> ilOffset = {};
  std::string file = {};  // of the source, as the PDB has it; empty if not known
  std::uint32_t line = 0;
  /// What the exceptions on their way have to do with it: "handles System.IO.IOException", "throws …"; else empty.
  std::string exception = {};
  bool isExact = true;       // false: what its roots are is not known; words of its part of the stack stand in for them
  std::string problem = {};  // why not
  std::uint32_t firstRoot = 0;  // in the thread's roots
  std::uint32_t rootCount = 0;
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
  std::string variable = {};  // "order", "this", where that is known
  Address object = {};        // that it refers to, or into; 0 for an interior one that leads to no object
  Address value = {};         // as it stands
  std::string typeName = {};  // of the object
  bool isInterior = false;
  bool isPinned = false;
  bool isProtected = false;  // held by code of the runtime that the frame called, rather than by its method
  bool isExact = true;
};

/// The stack of one thread.
struct ThreadStackRow {
  Address thread = {};  // of the runtime's Thread
  std::uint32_t managedId = 0;
  std::uint32_t osId = 0;
  std::string name = {};                 // that the program gave it; empty for none
  bool isCooperative = false;            // was in managed code, or in the runtime where no collection may begin
  AddressRange limits = {};              // of its stack; empty if not known
  bool isComplete = true;                // every frame was read, down to where the thread began
  std::string problem = {};              // why it ends early
  std::vector<FrameRow> frames = {};     // innermost first
  std::vector<StackRootRow> roots = {};  // by frame
  std::string doing = {};  // in words: "waits in Task.Wait", "idle in the pool"; empty where nothing is known
};

struct StackList {
  std::vector<ThreadStackRow> threads;  // in the runtime's order; without those that have ended or not begun
  FindingList findings;
};

struct StackOptions {
  std::optional<Address> thread = {};  // only this one of the runtime's threads
  bool native = false;                 // native frames on top and below, too
  bool roots = true;
  bool doing = true;  // what each thread does, in words; with `roots` it can say which object it waits for
};

/// The stacks of all threads.
Outcome<StackList> listStacks(const Snapshot& snapshot, const StackOptions& options, std::stop_token stop);
/// The same with what no option says, read once and kept.
Outcome<std::shared_ptr<const StackList>> keptStacks(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
