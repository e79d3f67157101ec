// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "runtime/contract/contract.h"
#include "runtime/methods/code_lookup.h"
#include "stacks/unwinding/native_array.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {

/// Reads numbers of as many nibbles as they need, three bits in each and the highest first; the fourth bit says that
/// another nibble follows (NibbleReader, src/coreclr/inc/nibblestream.h). Once a read fails, all later ones fail too.
class NibbleReader {
 public:
  explicit NibbleReader(Bytes bytes) : m_bytes(bytes) {}

  std::uint32_t readUnsigned();
  /// The lowest bit is the sign.
  std::int32_t readSigned();

  bool failed() const { return m_failed; }
  /// What comes behind the last nibble read begins with a whole byte.
  std::uint64_t nextByte() const { return (m_position + 1) / 2; }

 private:
  std::uint32_t readNibble();

  Bytes m_bytes;
  std::uint64_t m_position = 0;  // in nibbles; the lower one of a byte comes first
  bool m_failed = false;
};

/// From where on native code belongs to a place of the IL that it was compiled from (ICorDebugInfo::OffsetMapping,
/// src/coreclr/inc/cordebuginfo.h).
struct IlMapping {
  // Stand for code that no IL asked for.
  static constexpr std::int32_t kNoMapping = -1;
  static constexpr std::int32_t kProlog = -2;
  static constexpr std::int32_t kEpilog = -3;

  std::uint32_t nativeOffset = 0;  // bytes from the start of the method's code
  std::int32_t ilOffset = 0;       // or one of the above

  bool operator==(const IlMapping&) const = default;
};

/// Where an IL variable lives while a part of the native code runs (ICorDebugInfo::NativeVarInfo). Offsets are bytes
/// from the start of the method's code; the end is not in the part.
struct VariablePlace {
  enum class Kind : std::uint8_t {
    Register,            // in `first`
    RegisterHoldsPlace,  // where `first` points
    Stack,               // at `base` + `offset`
    StackHoldsPlace,     // where what is at `base` + `offset` points
    TwoRegisters,        // in `first` and `second`
    RegisterThenStack,   // its first half in `first`, the other at `base` + `offset`
    StackThenRegister,   // the other way round
    TwoStackSlots,       // at `base` + `offset`, and in the slot behind it
    FloatRegister,       // in `floatRegister`
    Elsewhere,           // of a kind that the processor has not
  };
  // IL numbers of what is no argument and no local.
  static constexpr std::int32_t kArgumentsHandle = -1;
  static constexpr std::int32_t kReturnBuffer = -2;
  static constexpr std::int32_t kGenericContext = -3;
  static constexpr std::int32_t kUnknown = -4;
  static constexpr std::int32_t kCallResult = -5;  // what a call has returned

  std::uint32_t start = 0;
  std::uint32_t end = 0;
  std::int32_t variable = kUnknown;  // arguments first, `this` among them, then locals
  Kind kind = Kind::Register;
  std::optional<Register> first = {};  // nothing for a floating-point register
  std::optional<Register> second = {};
  std::optional<Register> base = {};
  std::int32_t offset = 0;
  std::optional<std::uint8_t> floatRegister =
      {};  // of xmm0 to xmm15 or v0 to v31; nothing if there is no such register

  bool operator==(const VariablePlace&) const = default;
};

/// An IL variable that lives across a suspension, and where the object that keeps it has it: bytes from its address.
struct SavedVariable {
  std::int32_t variable = VariablePlace::kUnknown;  // numbered as those of VariablePlace
  std::uint32_t offset = 0;

  bool operator==(const SavedVariable&) const = default;
};

/// A place at which code that the runtime itself suspends lets go of its thread (ICorDebugInfo::AsyncSuspensionPoint,
/// src/coreclr/inc/cordebuginfo.h). .NET 11.
struct SuspensionPoint {
  std::uint32_t nativeOffset = 0;  // bytes from the start of the method's code
  std::vector<SavedVariable> variables;

  bool operator==(const SuspensionPoint&) const = default;
};

/// What the compiler noted about a method's code for debuggers.
struct DebugInfo {
  std::vector<IlMapping> mappings;  // by native offset
  std::vector<VariablePlace> variables;
  std::vector<SuspensionPoint> suspensions;  // by number
};

/// How a runtime writes debug info (CompressDebugInfo, src/coreclr/vm/debuginfostore.cpp).
struct DebugInfoRules {
  static DebugInfoRules of(const Contract& contract);

  Architecture architecture = Architecture::X64;
  bool arePacked = false;   // mappings have a fixed count of bits; since .NET 10
  unsigned sourceBits = 2;  // of those, how many tell what kind of place it is
  std::uint32_t firstFloatRegister =
      16;                           // the number of the first one, as xmm0: moved as processors got more registers
  bool isFatMarked = false;         // zero in front stands for a head with all parts; since .NET 11
  bool isVariableFirst = false;     // in front of the code that its place is for; since .NET 11
  std::int32_t leastVariable = -4;  // what the numbers of variables are lifted by
};

/// Decode the parts of debug info. Fail with Damaged.
Result<std::vector<IlMapping>> parseIlMappings(Bytes bytes, const DebugInfoRules& rules);
Result<std::vector<VariablePlace>> parseVariablePlaces(Bytes bytes, const DebugInfoRules& rules);
Result<std::vector<SuspensionPoint>> parseSuspensionPoints(Bytes bytes, const DebugInfoRules& rules);

/// The IL offset that code at a native offset belongs to; nullopt for code that no IL asked for, but the prolog, which
/// is the method's beginning. `isReturnOffset`: the instruction is behind a call that has not returned, so that the
/// call decides.
std::optional<std::uint32_t> ilOffsetAt(const DebugInfo& info, std::uint32_t nativeOffset, bool isReturnOffset);

/// The one with that native offset; null if there is none.
const SuspensionPoint* suspensionAt(const DebugInfo& info, std::uint32_t nativeOffset);

/// Finds the debug info of methods: of jitted code beside it, of ReadyToRun code in its image. What was read is kept.
/// Safe from any thread.
class DebugInfoReader {
 public:
  explicit DebugInfoReader(const ClrRuntime& runtime)
      : m_runtime(runtime), m_rules(DebugInfoRules::of(runtime.contract())), m_readyToRun(runtime) {}

  /// The notes on the method that the code belongs to; null if there is none, or if the dump does not hold it.
  std::shared_ptr<const DebugInfo> of(const CodeLocation& code) const;

 private:
  std::shared_ptr<const DebugInfo> read(const CodeLocation& code) const;
  Address ofJitted(const CodeLocation& code) const;
  Address ofReadyToRun(const CodeLocation& code) const;
  /// What jitted code has in front until .NET 10: how a loop goes on in better code, and what was inlined.
  Address behindExtras(Address debugInfo) const;

  const ClrRuntime& m_runtime;
  DebugInfoRules m_rules;
  ReadyToRunCode m_readyToRun;
  mutable std::mutex m_mutex;
  mutable std::unordered_map<Address, std::shared_ptr<const DebugInfo>> m_known;  // by the start of the code
};

}  // namespace heapscape::engine
