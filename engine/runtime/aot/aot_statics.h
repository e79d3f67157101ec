// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/finding.h"
#include "runtime/aot/aot_thread_statics.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// An object that holds the static fields of one class, on the heap of a program that was compiled ahead of time.
/// Neither it nor its fields have a name there.
struct StaticsHolder {
  Address cell;    // where the reference to it lies
  Address object;  // never 0
  /// False of what leads to further holders: the array of a thread's holders that are made when first used.
  bool hasFields = true;
  /// A class whose fields lie in it, where debugging information tells.
  struct Part {
    std::uint32_t start = 0;  // in the object
    std::uint32_t end = 0;
    Address type;           // 0 if nothing more than its name is told
    std::string typeName;   // full
    bool areNamed = false;  // its fields are told of with their names
  };
  std::vector<Part> parts = {};  // by place
};

/// The holders of static fields that all threads share, of all compiled modules in their order (ReadyToRun section
/// GCStaticRegion). Classes that no code has used yet have none.
std::vector<StaticsHolder> readAotStatics(const ClrRuntime& runtime, FindingList& findings);

/// Those of one thread's [ThreadStatic] fields: what was compiled into the program lies in a list of its own, all else
/// in an array (src/coreclr/nativeaot/Runtime/threadstore.cpp). `thread`: the runtime's own structure.
std::vector<StaticsHolder> readAotThreadStatics(const ClrRuntime& runtime, Address thread);

/// The object of a thread with the thread statics that lie at a place; null where it has none yet.
Address threadStaticsAt(const ClrRuntime& runtime, Address thread, const AotThreadPlace& place);

/// The System.Threading.Thread object of a thread: the one that its thread statics refer to; 0 if there is none, or if
/// they refer to several.
Address managedThreadOf(const ClrRuntime& runtime, Address thread);

}  // namespace heapscape::engine
