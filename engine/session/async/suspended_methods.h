// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/enum_names.h"
#include "runtime/clr_runtime.h"
#include "session/snapshot/contents.h"
#include "session/stacks/frame_names.h"
#include "session/stacks/frame_variables.h"
#include "session/stacks/source_lines.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// Object of an async method that the runtime itself suspends: the place at which it goes on, and its locals
/// (System.Runtime.CompilerServices.Continuation, AsyncHelpers.CoreCLR.cs; .NET 11). Each call has one, and refers to
/// that of its caller. The innermost may have one in front that waits for a task or the source of a value task.
struct Continuation {
  Address next;             // that of the caller; 0 for the outermost
  Address resumeInfo;       // what the runtime notes of the place
  std::int32_t number = 0;  // of the place among those of the method
};

/// Reads continuations by the runtime's own offsets. Safe from any thread.
class ContinuationReader {
 public:
  explicit ContinuationReader(const ClrRuntime& runtime) : m_runtime(runtime) {}

  /// Returns nullopt where the runtime has none, or if the dump does not hold it.
  std::optional<Continuation> read(Address object) const;
  /// Part that the runtime itself keeps in a continuation beside the locals, and where: bytes from its address.
  struct Part {
    enum class Kind : std::uint8_t { ExecutionContext, Context, Exception, Result };
    Kind kind;
    std::uint64_t offset = 0;
  };
  std::vector<Part> partsOf(Address object) const;
  /// Size of the head of all continuations, from the object's address; the locals follow.
  std::uint64_t headBytes() const { return m_runtime.contract().sizeOf("ContinuationObject"); }

 private:
  const ClrRuntime& m_runtime;
};

template <>
inline constexpr auto kEnumNames<ContinuationReader::Part::Kind> =
    std::to_array<EnumName<ContinuationReader::Part::Kind>>(
        {{ContinuationReader::Part::Kind::ExecutionContext, "execution context"},
         {ContinuationReader::Part::Kind::Context, "synchronization context or scheduler"},
         {ContinuationReader::Part::Kind::Exception, "exception"},
         {ContinuationReader::Part::Kind::Result, "result"}});

/// Whether a type is that of tasks which end with a method that the runtime itself suspends:
/// AsyncHelpers.RuntimeAsyncTask<T>. They refer to the innermost continuation while they wait.
bool isRuntimeAsyncTaskName(std::string_view typeName);
/// The field of such a task that does so.
inline constexpr std::string_view kFirstContinuationField = "m_stateObject";

/// The field of a continuation that waits in front of the others, which refers to what is awaited; empty for others.
std::string_view awaitedFieldOf(std::string_view typeName);

/// An async method at a place where the runtime itself has suspended it.
struct SuspendedMethod {
  std::string name;     // "Shop.Orders.PlaceAsync"; where it cannot be told, of which assembly it is
  std::string image;    // of ReadyToRun code whose method cannot be told: the assembly's file name
  std::string missing;  // what is missing to tell more; empty if nothing is
  Address methodDesc;   // 0 if it cannot be told
  const Module* module = nullptr;
  std::uint32_t row = 0;  // in the MethodDef table of the module
  std::optional<std::uint32_t> ilOffset;
  std::optional<SourceLine> line;
  std::shared_ptr<const DebugInfo> info;   // of its code; null if there is none
  const SuspensionPoint* point = nullptr;  // in `info`; null if that does not have it
};

/// Tells where continuations go on. The method, its IL offset and the locals come from the code that suspends it, on
/// whose address the runtime keeps hold. Of compiled images that note lies in the image's data, which heap dumps lack:
/// it is read from the file. Remembers what it has told; for one thread.
class SuspendedMethods {
 public:
  explicit SuspendedMethods(const Contents& contents);

  /// By Continuation::resumeInfo.
  const SuspendedMethod& of(Address resumeInfo);
  /// "Shop.Orders.PlaceAsync"; empty for an address that is no method's.
  std::string nameOfMethod(Address methodDesc);
  /// Names of the methods that wait for each other and end with a task, by its continuations: first the one that goes
  /// on first, last the one whose task it is. Of very many those in between are left out. Empty while it runs, and for
  /// other objects.
  std::vector<std::string> methodsOfTask(Address task);

  /// Whether a continuation belongs to the runtime's own ways to wait, rather than to a method that awaits.
  bool isHelper(Address object, const Continuation& continuation);

  const FrameSources& sources() const { return m_sources; }

 private:
  SuspendedMethod read(Address resumeInfo);
  std::optional<Address> codeOf(Address resumeInfo, std::string& missing) const;
  std::string imageAt(Address address) const;

  const RuntimeReaders& m_readers;
  ContinuationReader m_continuations;
  FrameNames m_names;
  FrameSources m_sources;
  std::unordered_map<Address, SuspendedMethod> m_known;  // by resumeInfo
};

/// The locals and parameters that the continuation of an async method keeps, by the debug info of its code. Their names
/// are the PDB's, those of parameters the assembly's own. For one thread.
class SuspendedLocals {
 public:
  /// `methods` outlives this.
  SuspendedLocals(const Contents& contents, SuspendedMethods& methods);

  /// Where a continuation goes on; null for an object that is none.
  const SuspendedMethod* methodOf(Address continuation);
  /// "Shop.Orders.PlaceAsync, at await 1"; empty for an object that is none.
  std::string placeText(Address continuation);
  /// Name of a place of a continuation, by bytes from its address: "local order", "parameter customer", "local
  /// price.Currency", "execution context"; empty where that is not known.
  std::string nameAt(Address continuation, std::uint64_t offset);
  /// Parameters first, `this` the first of them; then locals by their slots. Empty where nothing is known.
  std::vector<FieldValue> of(Address continuation);

  struct Variable {
    bool isParameter = false;
    std::string name;
    Slot slot;
    std::uint32_t offset = 0;  // from the object's address
  };
  /// Returns the variables without their values.
  std::vector<Variable> variablesOf(Address continuation);

 private:
  std::vector<Variable> variablesOf(Address continuation, const SuspendedMethod& method) const;
  SignatureContext contextIn(Address continuation, const SuspendedMethod& method, const MethodDesc& desc) const;
  Address pointerIn(Address continuation, const SuspendedMethod& method, std::int32_t variable) const;

  const RuntimeReaders& m_readers;
  SuspendedMethods& m_methods;
  ContinuationReader m_continuations;
  VariableTypes m_types;
  ValueReader m_values;
};

}  // namespace heapscape::engine
