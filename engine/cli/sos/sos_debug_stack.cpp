// SPDX-License-Identifier: MIT
#include "cli/sos/sos_debug_stack.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/limits.h"
#include "cli/sos/sos_signatures.h"
#include "cli/sos/sos_text.h"
#include "cli/sos/sos_thread_numbers.h"
#include "runtime/managed_objects.h"
#include "session/snapshot/contents.h"
#include "session/stacks/frame_variables.h"
#include "session/stacks/stacks_query.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {

using engine::Address;
using engine::ErrorCode;
using engine::FrameKind;
using engine::FrameRow;
using engine::Outcome;
using engine::RuntimeReaders;
using engine::Snapshot;
using engine::ThreadStackRow;
using engine::ValueKind;
using engine::VariableRow;

namespace {

constexpr const char* kDoubleRule = "=============================================================================\n";
// HRESULTs: there is no value at this place in the code; what the source calls a variable has none in this part.
constexpr std::uint32_t kNotAvailable = 0x80131304;
constexpr std::uint32_t kNoVariable = 0x80004005;

constexpr std::array kShortNames{std::pair("System.Void", "void"),
                                 std::pair("System.Boolean", "bool"),
                                 std::pair("System.Char", "char"),
                                 std::pair("System.SByte", "signed byte"),
                                 std::pair("System.Byte", "byte"),
                                 std::pair("System.Int16", "short"),
                                 std::pair("System.UInt16", "unsigned short"),
                                 std::pair("System.Int32", "int"),
                                 std::pair("System.UInt32", "unsigned int"),
                                 std::pair("System.Int64", "long"),
                                 std::pair("System.UInt64", "unsigned long"),
                                 std::pair("System.Single", "float"),
                                 std::pair("System.Double", "double"),
                                 std::pair("System.Object", "object"),
                                 std::pair("System.String", "string"),
                                 std::pair("System.IntPtr", "IntPtr"),
                                 std::pair("System.UIntPtr", "UIntPtr")};

/// A name with the words of C for what has some, "System.String[]" as "string[]".
std::string shortTypeName(std::string_view name) {
  const std::size_t suffix = std::min(name.find_first_of("[*&"), name.size());
  for (const auto& [full, brief] : kShortNames) {
    if (name.substr(0, suffix) == full) return brief + std::string(name.substr(suffix));
  }
  return std::string(name);
}

/// What the runtime's own frames mean to a debugger; null for those that it does not see.
const char* frameWord(const std::string& origin) {
  if (origin.find("ExceptionFrame") != std::string::npos) return "Exception";
  if (origin == "InlinedCallFrame" || origin.starts_with("PInvokeCalli")) return "Managed to Unmanaged transition";
  if (origin.starts_with("HelperMethodFrame")) return "Internal call";
  if (origin == "FuncEvalFrame") return "Function evaluation";
  if (origin == "DebuggerU2MCatchHandlerFrame") return "Unmanaged to Managed transition";
  if (origin == "DebuggerClassInitMarkFrame") return "Class initialization";
  if (origin == "PrestubMethodFrame") return "JIT Compilation";
  return nullptr;
}

class DebugStackPrinter {
 public:
  DebugStackPrinter(SosRun& run, const Snapshot& snapshot, const DebugStackOptions& options)
      : m_run(run),
        m_readers(*snapshot.contents().readers),
        m_names(m_readers),
        m_types(m_readers),
        m_options(options) {}

  void print(const ThreadStackRow& thread) {
    for (const FrameRow& frame : thread.frames) {
      const char* word = frame.kind == FrameKind::Runtime ? frameWord(frame.origin) : nullptr;
      if (word) m_internal.emplace(frame.stackPointer, word);
    }
    bool wasNative = false;
    for (const FrameRow& frame : thread.frames) {
      if (!goesOn()) return;
      if (frame.kind == FrameKind::Managed) {
        printInternalUpTo(frame.stackPointer);
        if (goesOn()) printManaged(frame);
      } else if (frame.kind == FrameKind::Native && !wasNative) {
        ++m_printed;
        m_run.print("{} {} [NativeStackFrame]\n", upperAddress(frame.stackPointer), lowerAddress(frame.instruction));
      }
      if (frame.kind != FrameKind::Runtime) wasNative = frame.kind == FrameKind::Native;
    }
    if (goesOn()) m_run.print("Stack walk complete.\n");
  }

 private:
  bool goesOn() const { return m_run.goesOn() && (m_options.frames == 0 || m_printed < m_options.frames); }

  /// The runtime's own frames that lie nearer to the top than a place.
  void printInternalUpTo(Address place) {
    while (!m_internal.empty() && m_internal.begin()->first < place && goesOn()) {
      const auto& [address, word] = *m_internal.begin();
      m_run.print("{0} (null) [{1}: {0}]\n", upperAddress(address), word);
      ++m_printed;
      m_internal.erase(m_internal.begin());
    }
  }

  void printManaged(const FrameRow& frame) {
    ++m_printed;
    m_run.print("{} {} ", upperAddress(frame.stackPointer), lowerAddress(frame.instruction));
    const auto method = m_readers.methods.read(frame.methodDesc);
    const engine::Module* module = method ? m_readers.methodNames.moduleOf(*method) : nullptr;
    const auto row = module && module->metadata ? module->metadata->methodDef(method->row) : std::nullopt;
    if (!row) {
      m_run.print("[IL Stub or LCG]\n");
      return;
    }
    const SosSignatures signatures(module->metadata.get(), [&](Address type) { return m_names.ofType(type); });
    const std::string name = metadataNameOf(*module->metadata, {engine::TableId::MethodDef, method->row});
    m_run.print("{} ({})\n", signatures.ofMember(row->signature, name).value_or(name), module->path);
    if (m_options.parameters) printParameters(frame);
    if (m_options.locals) printLocals(frame, *module, method->row);
    if (m_options.parameters || m_options.locals) m_run.print("\n");
  }

  void printParameters(const FrameRow& frame) {
    const auto isParameter = [](const VariableRow& variable) { return variable.isParameter; };
    if (std::ranges::none_of(frame.variables, isParameter)) {
      m_run.print("\nPARAMETERS: (none)\n");
      return;
    }
    m_run.print("\nPARAMETERS:\n");
    for (const VariableRow& variable : frame.variables) {
      if (!variable.isParameter) continue;
      const std::string name = variable.name.empty() ? fmt::format("param_{}", variable.index) : variable.name;
      printVariable(variable, name, "parameter");
    }
  }

  /// By their slots. With a PDB what the compiler made itself has no name, and what is out of scope none here.
  void printLocals(const FrameRow& frame, const engine::Module& module, std::uint32_t methodRow) {
    const auto types = m_types.localsOf(module, methodRow);
    const std::size_t count = types ? types->size() : frame.variables.size();
    if (count == 0) {
      m_run.print("\nLOCALS: (none)\n");
      return;
    }
    m_run.print("\nLOCALS:\n");
    const bool hasSource = !frame.file.empty();
    for (std::size_t slot = 0; slot < count && m_run.goesOn(); ++slot) {
      const auto found = std::ranges::find_if(frame.variables, [&](const VariableRow& variable) {
        return !variable.isParameter && variable.index == slot;
      });
      const std::string number = fmt::format("local_{}", slot);
      if (found != frame.variables.end() && !(hasSource && found->name.empty()))
        printVariable(*found, found->name.empty() ? number : found->name, "local variable");
      else
        printMissing(hasSource ? kNoVariable : kNotAvailable, "local variable", number);
    }
  }

  void printMissing(std::uint32_t code, const char* kind, const std::string& name) {
    m_run.print("  + (Error 0x{:x} retrieving {} '{}')\n", code, kind, name);
  }

  void printVariable(const VariableRow& variable, const std::string& name, const char* kind) {
    const engine::FieldValue& field = variable.value;
    const bool isUnknown = field.value.kind == ValueKind::Damaged;
    if (!variable.hasPlace() || !variable.problem.empty() || isUnknown) return printMissing(kNotAvailable, kind, name);
    m_run.print("  + {}{} {}{}\n", typeOf(field), variable.target ? "&" : "", name, valueOf(field));
  }

  /// Of a reference the type of what it refers to.
  std::string typeOf(const engine::FieldValue& field) {
    if (field.value.kind == ValueKind::Reference && field.value.methodTable)
      return debugTypeName(field.value.methodTable, 0);
    if (field.methodTable) return debugTypeName(field.methodTable, 0);
    return shortTypeName(field.typeName);
  }

  /// "System.Func`2<int,int>".
  std::string debugTypeName(engine::TypeHandle handle, std::size_t depth) {
    const engine::MethodTables& methodTables = m_readers.methodTables;
    if (depth > engine::kLimits.nestingDepth || methodTables.isTypeDesc(handle))
      return shortTypeName(m_readers.names.nameOf(handle));
    const auto type = methodTables.read(handle);
    if (!type) return shortTypeName(m_readers.names.nameOf(handle));
    if (type->isArray) {
      const auto element = methodTables.arrayElementType(*type);
      const std::uint32_t rank = methodTables.arrayRank(*type).value_or(1);
      return (element ? debugTypeName(*element, depth + 1) : std::string()) +
             fmt::format("[{}]", std::string(rank - 1, ','));
    }
    const engine::Module* module = m_readers.modules.definingModule(methodTables, *type);
    const auto row = methodTables.typeDefRow(*type);
    if (!module || !module->metadata || !row) return shortTypeName(m_readers.names.nameOf(handle));
    std::string name = shortTypeName(module->metadata->typeDefName(*row));
    const auto arguments = methodTables.typeArguments(*type);
    if (!arguments || arguments->empty()) return name;
    for (std::size_t i = 0; i < arguments->size(); ++i)
      name += (i == 0 ? "<" : ",") + debugTypeName((*arguments)[i], depth + 1);
    return name + '>';
  }

  std::string valueOf(const engine::FieldValue& field) {
    switch (field.value.kind) {
      case ValueKind::Null:
        return " = null";
      case ValueKind::Reference:
        return objectText(field.value);
      case ValueKind::Boolean:
      case ValueKind::Character:
      case ValueKind::Integer:
      case ValueKind::Real:
        return "  = " + field.value.text;
      case ValueKind::Enum:
        // A number without a name is not shown.
        return field.value.text.empty() || !isName(field.value.text) ? std::string() : " = " + field.value.text;
      case ValueKind::Pointer:
        return "  = <pointer>";
      default:
        return field.address ? fmt::format(" @ 0x{:x}", field.address.value) : std::string();
    }
  }

  static bool isName(std::string_view text) {
    return !text.empty() && text.front() != '-' && (text.front() < '0' || text.front() > '9');
  }

  std::string objectText(const engine::Value& value) {
    const auto type = m_readers.methodTables.read(value.methodTable);
    if (value.isString || value.objectType == "System.String") return fmt::format(" = \"{}\"", stringAt(value.object));
    if (type && type->isSzArray) {
      const auto count = m_readers.runtime.memory().read<std::uint32_t>(value.object + engine::kPointerBytes);
      const std::uint32_t elements = count.value_or(0);
      if (elements == 0) return "   (empty)";
      return elements == 1 ? "   (1 element)" : fmt::format("   ({} elements)", elements);
    }
    return fmt::format(" @ 0x{:x}", value.object.value);
  }

  std::string stringAt(Address object) {
    constexpr std::size_t kMostCharacters = 1'000'000;
    const auto text = engine::readManagedString(m_readers.runtime, object, kMostCharacters);
    return text.value_or(std::string());
  }

  SosRun& m_run;
  const RuntimeReaders& m_readers;
  engine::DebuggerNames m_names;
  engine::VariableTypes m_types;
  DebugStackOptions m_options;
  std::map<Address, const char*> m_internal;  // that have not been printed
  std::uint64_t m_printed = 0;
};

}  // namespace

Outcome<void> printDebugStack(SosRun& run, const Snapshot& snapshot, const DebugStackOptions& options) {
  HEAPSCAPE_TRY(
      const engine::StackList stacks,
      engine::readStacks(snapshot, {.native = true, .roots = false, .variables = options.parameters || options.locals},
                         run.stop()));
  HEAPSCAPE_TRY(const engine::CoreThread current, currentThread(run, snapshot));
  const auto thread = std::ranges::find(stacks.threads, current.osId, &ThreadStackRow::osId);
  if (thread == stacks.threads.end())
    return tl::unexpected(
        engine::Unfinished(engine::Error{ErrorCode::NotFound, "The current thread is no managed thread."}));
  run.print("\n\n\nDumping managed stack and managed variables using ICorDebug.\n{}{:<16} {:<16} {}\n", kDoubleRule,
            "Child SP", "IP", "Call Site");
  DebugStackPrinter(run, snapshot, options).print(*thread);
  run.print("{}", kDoubleRule);
  return {};
}

}  // namespace heapscape::cli
