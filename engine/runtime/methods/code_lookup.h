// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "metadata/image/portable_pdb.h"
#include "runtime/clr_runtime.h"
#include "runtime/methods/code_range.h"
#include "runtime/methods/method_code.h"
#include "runtime/methods/ready_to_run_code.h"

namespace heapscape::engine {

/// Where the method or stub begins that holds an address in a heap of jitted code (HeapList,
/// src/coreclr/vm/codeman.h); 0 if there is none or the heap's map of beginnings is not in the dump. The map does not
/// tell where code ends.
Address findCodeStart(const ClrRuntime& runtime, Address codeHeap, Address address);

/// A method's code around an instruction.
struct CodeLocation {
  Address methodDesc;  // in a program compiled ahead of time, which has none, the address of `start` stands for it
  Address start;       // of the method's code
  MethodState state = MethodState::None;
  /// False: nothing in the dump shows that the method reaches as far as the instruction. It is right for an address
  /// out of a stack: this is the last method that was prepared to run before it, which is how the runtime looks it up.
  bool isExact = true;
  Address imageBase = {};  // what `function` counts from
  /// The function, or funclet, that holds the instruction, for unwinding; nullopt if the dump lacks its entry.
  std::optional<RuntimeFunction> function = {};
  bool isFunclet = false;  // `function` is a catch, finally or filter part of the method
  Address gcInfo = {};     // of the method; 0 if the dump does not tell where it is
};

/// From addresses of code to methods, as the runtime does it (ExecutionManager, src/coreclr/vm/codeman.h). Safe from
/// any thread.
class CodeLookup {
 public:
  explicit CodeLookup(const ClrRuntime& runtime) : m_runtime(runtime), m_readyToRun(runtime) {}

  /// The method whose code holds an instruction; nullopt if it lies in no managed method, or in none that can be told.
  std::optional<CodeLocation> find(Address instruction) const;
  /// The line of the source that an instruction was compiled from, as debugging information of a program compiled ahead
  /// of time has it; nullopt of others, whose lines PDBs tell by offsets of IL.
  std::optional<SourceLine> lineOf(Address instruction) const;
  /// Bytes of the code that begins at an address, with its funclets; 0 if the dump does not tell.
  std::uint32_t codeBytes(const CodeLocation& code) const;
  /// The MethodDesc that a call to an address ends up in: of a precode, or of code that begins there; 0 if it cannot be
  /// told, as for stubs that have no one method.
  Address methodAtEntry(Address entry) const;

 private:
  std::optional<CodeLocation> findCompiled(Address instruction) const;
  std::optional<CodeLocation> findJitted(Address codeHeap, Address instruction) const;
  std::optional<CodeLocation> findReadyToRun(const CodeRange& range, Address instruction) const;
  Address gcInfoBehindUnwindInfo(Address unwindInfo) const;

  const ClrRuntime& m_runtime;
  ReadyToRunCode m_readyToRun;
};

/// Whether an address lies where the runtime keeps code of methods: in a compiled image, or in jitted code, whether the
/// dump describes it or not. Stubs are none.
bool isManagedCode(const ClrRuntime& runtime, Address instruction);

}  // namespace heapscape::engine
