// SPDX-License-Identifier: MIT
#include "session/async/suspended_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "heap/object_head.h"
#include "memory/file_backed_memory.h"
#include "metadata/names/generated_names.h"
#include "metadata/signature.h"
#include "runtime/managed_objects.h"
#include "runtime/methods/method_names.h"
#include "values/written_fields.h"

namespace heapscape::engine {
namespace {

struct WaitingType {
  std::string_view name;
  std::string_view awaited;
};
constexpr std::array kWaitingTypes{
    WaitingType{"System.Runtime.CompilerServices.RuntimeAsyncTaskContinuation", "Task"},
    WaitingType{"System.Runtime.CompilerServices.AsyncHelpers+ValueTaskSourceContinuation", "Source"},
};

}  // namespace

std::optional<Continuation> ContinuationReader::read(Address object) const {
  constexpr const char* kType = "ContinuationObject";
  if (!m_runtime.contract().has(kType, "Next")) return std::nullopt;
  const auto next = m_runtime.pointerAt(object, kType, "Next");
  const auto resumeInfo = m_runtime.pointerAt(object, kType, "ResumeInfo");
  const auto number = m_runtime.valueAt<std::int32_t>(object, kType, "State");
  if (!next || !resumeInfo || !number) return std::nullopt;
  return Continuation{*next, *resumeInfo, *number};
}

// Its flags have a number for each: of the word behind the head, from 1 on, or 0 if it is not there.
std::vector<ContinuationReader::Part> ContinuationReader::partsOf(Address object) const {
  struct Place {
    Part::Kind kind;
    const char* firstBit;
    const char* bits;
  };
  constexpr std::array kPlaces{
      Place{Part::Kind::ExecutionContext, "Continuation.ExecutionContextBit", "Continuation.ExecutionContextBits"},
      Place{Part::Kind::Context, "Continuation.ContextBit", "Continuation.ContextBits"},
      Place{Part::Kind::Exception, "Continuation.ExceptionBit", "Continuation.ExceptionBits"},
      Place{Part::Kind::Result, "Continuation.ResultBit", "Continuation.ResultBits"},
  };
  std::vector<Part> parts;
  const auto flags = m_runtime.valueAt<std::uint32_t>(object, "ContinuationObject", "Flags");
  if (!flags) return parts;
  for (const Place& place : kPlaces) {
    const std::uint64_t mask = (1ull << m_runtime.contract().constant(place.bits)) - 1;
    const std::uint64_t index = *flags >> m_runtime.contract().constant(place.firstBit) & mask;
    if (index != 0) parts.push_back({place.kind, headBytes() + (index - 1) * kPointerBytes});
  }
  return parts;
}

bool isRuntimeAsyncTaskName(std::string_view typeName) {
  return typeName.starts_with("System.Runtime.CompilerServices.AsyncHelpers+RuntimeAsyncTask<") &&
         typeName.ends_with('>');
}

std::string_view awaitedFieldOf(std::string_view typeName) {
  const auto* found = std::ranges::find(kWaitingTypes, typeName, &WaitingType::name);
  return found == kWaitingTypes.end() ? std::string_view() : found->awaited;
}

namespace {

constexpr std::size_t kMostContinuations = 1'000'000;  // of one task
constexpr std::size_t kMostNames = 1000;               // of these
constexpr std::string_view kHelpers = "System.Runtime.CompilerServices.AsyncHelpers.";

}  // namespace

SuspendedMethods::SuspendedMethods(const Contents& contents)
    : m_readers(*contents.readers),
      m_continuations(m_readers.runtime),
      m_names(m_readers, *contents.owners),
      m_sources(m_readers, contents.file->path()) {}

const SuspendedMethod& SuspendedMethods::of(Address resumeInfo) {
  const auto [known, isNew] = m_known.try_emplace(resumeInfo);
  if (isNew) known->second = read(resumeInfo);
  return known->second;
}

// As of a state machine's type, which has the method's name in angle brackets.
std::string SuspendedMethods::nameOfMethod(Address methodDesc) {
  const FrameName& name = m_names.of(methodDesc);
  if (name.type.empty()) return name.method;
  const std::size_t arguments = name.method.ends_with('>') ? name.method.find('<', 1) : std::string::npos;
  const bool isMadeByCompiler = name.method.starts_with('<');  // of a lambda, or a local function
  if (!isMadeByCompiler)
    return asyncMethodName(fmt::format("{}+<{}>d{}", name.type, name.method.substr(0, arguments),
                                       arguments == std::string::npos ? "" : name.method.substr(arguments)));
  return asyncMethodName(fmt::format("{}+<{}>d", name.type, name.method));
}

std::vector<std::string> SuspendedMethods::methodsOfTask(Address task) {
  std::vector<std::string> names;
  const auto methodTable = m_readers.runtime.memory().readPointer(task);
  if (!methodTable || !isRuntimeAsyncTaskName(m_readers.names.nameOf({methodTable->value & kMethodTableMask})))
    return names;
  const auto first = readReferenceField(m_readers.methodTables, m_readers.fields, task, kFirstContinuationField);
  std::unordered_set<Address> seen;
  for (Address at = first.value_or(Address{}); at && seen.size() < kMostContinuations && seen.insert(at).second;) {
    const auto continuation = m_continuations.read(at);
    if (!continuation) break;
    // Objects that the runtime puts in front of the methods have no name that says anything.
    if (!names.empty() || !continuation->next || !isHelper(at, *continuation)) {
      if (names.size() == kMostNames) names.pop_back();
      names.push_back(of(continuation->resumeInfo).name);
    }
    at = continuation->next;
  }
  return names;
}

bool SuspendedMethods::isHelper(Address object, const Continuation& continuation) {
  const auto methodTable = m_readers.runtime.memory().readPointer(object);
  if (!methodTable) return false;
  const auto type = m_readers.methodTables.read({methodTable->value & kMethodTableMask});
  return !type || !type->isContinuation || of(continuation.resumeInfo).name.starts_with(kHelpers);
}

SuspendedMethod SuspendedMethods::read(Address resumeInfo) {
  SuspendedMethod method;
  method.name = "an async method";
  const auto code = codeOf(resumeInfo, method.missing);
  method.image = imageAt(code ? *code : resumeInfo);
  if (!method.image.empty()) method.name = fmt::format("an async method of {}", method.image);
  if (!code) return method;
  const auto location = m_readers.code.find(*code);
  if (!location) {
    method.missing = "The dump does not show which method has the code at which it goes on.";
    return method;
  }
  method.image.clear();
  method.methodDesc = location->methodDesc;
  method.name = nameOfMethod(location->methodDesc);
  const FrameName& name = m_names.of(location->methodDesc);
  method.module = name.module;
  method.row = name.row;
  FrameSource source = m_sources.of(*location, *code, name.module, name.row);
  method.ilOffset = source.ilOffset;
  method.line = std::move(source.line);
  method.info = m_sources.debugInfo().of(*location);
  if (method.info) method.point = suspensionAt(*method.info, static_cast<std::uint32_t>(*code - location->start));
  if (!method.info) {
    method.missing = "There is no debug info of its code, which shows where in the method it waits.";
  } else if (!method.point) {
    // The compiler of ReadyToRun images leaves that part empty (DebugInfoTableNode.cs).
    method.missing =
        "The debug info of its code does not show where the locals are that it keeps; that of ReadyToRun code never "
        "does.";
  }
  return method;
}

std::optional<Address> SuspendedMethods::codeOf(Address resumeInfo, std::string& missing) const {
  const ClrRuntime& runtime = m_readers.runtime;
  const Address place = runtime.member(resumeInfo, "AsyncResumeInfo", "DiagnosticIP");
  Address code;
  if (runtime.memory().tryRead(place, code)) {
    if (!code) missing = "It is code of the runtime's own, which no method belongs to.";
    return code ? std::optional(code) : std::nullopt;
  }
  const FileBackedMemory* files = runtime.memory().files();
  if (const auto relocated = files ? files->relocatedPointer(place) : std::nullopt) return relocated;
  const std::string image = imageAt(resumeInfo);
  missing = image.empty()
                ? std::string("The dump does not hold what the runtime notes of the place at which it goes on.")
                : fmt::format(
                      "Which method it is stands in the data of {}, which neither the dump holds nor a file that "
                      "is proven to be the same.",
                      image);
  return std::nullopt;
}

/// The file name of the image with compiled code that an address lies in; empty for none.
std::string SuspendedMethods::imageAt(Address address) const {
  const auto range = findCodeRange(m_readers.runtime, address);
  const Module* module = range && range->module ? m_readers.modules.find(range->module) : nullptr;
  return module ? module->name : std::string();
}

SuspendedLocals::SuspendedLocals(const Contents& contents, SuspendedMethods& methods)
    : m_readers(*contents.readers),
      m_methods(methods),
      m_continuations(m_readers.runtime),
      m_types(m_readers),
      m_values({.readers = m_readers, .heap = contents.heap.get()}) {}

const SuspendedMethod* SuspendedLocals::methodOf(Address continuation) {
  const auto methodTable = m_readers.runtime.memory().readPointer(continuation);
  const auto type = methodTable ? m_readers.methodTables.read({methodTable->value & kMethodTableMask})
                                : tl::unexpected<Error>(methodTable.error());
  if (!type || !type->isContinuation) return nullptr;
  const auto read = m_continuations.read(continuation);
  return read ? &m_methods.of(read->resumeInfo) : nullptr;
}

std::string SuspendedLocals::placeText(Address continuation) {
  const SuspendedMethod* method = methodOf(continuation);
  const auto read = m_continuations.read(continuation);
  return method && read ? fmt::format("{}, at await {}", method->name, read->number) : std::string();
}

std::string SuspendedLocals::nameAt(Address continuation, std::uint64_t offset) {
  const SuspendedMethod* method = methodOf(continuation);
  if (!method) return {};
  for (const Variable& variable : variablesOf(continuation, *method)) {
    const std::uint32_t size = std::max<std::uint32_t>(variable.slot.sizeBytes, 1);
    if (offset < variable.offset || offset - variable.offset >= size) continue;
    const std::string name = fmt::format("{} {}", variable.isParameter ? "parameter" : "local", variable.name);
    const TypeShape* shape =
        variable.slot.kind == Slot::Kind::ValueType ? m_values.shapes().find(variable.slot.type) : nullptr;
    const std::string part =
        shape ? toString(fieldPathAt(m_values.shapes(), *shape, offset - variable.offset)) : std::string();
    return part.empty() ? name : fmt::format("{}.{}", name, part);
  }
  const auto parts = m_continuations.partsOf(continuation);
  const auto part = std::ranges::find(parts, offset, &ContinuationReader::Part::offset);
  return part == parts.end() ? std::string() : toString(part->kind);
}

std::vector<FieldValue> SuspendedLocals::of(Address continuation) {
  std::vector<FieldValue> locals;
  const SuspendedMethod* method = methodOf(continuation);
  if (!method) return locals;
  for (Variable& variable : variablesOf(continuation, *method)) {
    FieldValue local = m_values.readSlot(variable.slot, continuation + variable.offset);
    local.name = std::move(variable.name);
    if (local.typeName.empty()) local.typeName = variable.slot.typeName;
    local.offset = variable.offset;
    locals.push_back(std::move(local));
  }
  return locals;
}

std::vector<SuspendedLocals::Variable> SuspendedLocals::variablesOf(Address continuation) {
  const SuspendedMethod* method = methodOf(continuation);
  return method ? variablesOf(continuation, *method) : std::vector<Variable>();
}

std::vector<SuspendedLocals::Variable> SuspendedLocals::variablesOf(Address continuation,
                                                                    const SuspendedMethod& method) const {
  std::vector<Variable> variables;
  const auto desc = method.point ? m_readers.methods.read(method.methodDesc) : failure(ErrorCode::NotFound, {});
  if (!desc || !method.module || !method.module->metadata) return variables;
  const auto signature = decodeMethodSignature(signatureBytesOf(m_readers.runtime, *desc, method.module));
  if (!signature) return variables;
  const SignatureContext context = contextIn(continuation, method, *desc);
  const auto types = m_types.localsOf(*method.module, method.row);
  const std::uint32_t firstParameter = signature->hasThis ? 1 : 0;
  const std::uint32_t firstLocal = firstParameter + static_cast<std::uint32_t>(signature->parameters.size());
  std::vector<SavedVariable> saved = method.point->variables;
  std::ranges::sort(saved, {}, &SavedVariable::variable);
  for (const SavedVariable& kept : saved) {
    if (kept.variable < 0) continue;
    const auto number = static_cast<std::uint32_t>(kept.variable);
    Variable variable{.isParameter = number < firstLocal, .name = {}, .slot = {}, .offset = kept.offset};
    if (number < firstParameter) {
      const auto declaring = m_readers.methodTables.read(desc->methodTable);
      const Address exact = declaring ? m_types.exactType(context, *declaring) : Address{};
      variable.name = "this";
      variable.slot = m_values.shapes().slotOf(exact ? exact : desc->methodTable);
    } else if (number < firstLocal) {
      variable.name = method.module->metadata->parameterName(method.row, number - firstParameter + 1);
      if (variable.name.empty()) variable.name = fmt::format("parameter {}", number);
      variable.slot = m_values.shapes().slotOf(signature->parameters[number - firstParameter], context);
    } else {
      const std::uint32_t slot = number - firstLocal;
      auto name = m_methods.sources().lines().localName(*method.module, method.row, slot, method.ilOffset);
      if (!name || !types || slot >= types->size()) continue;
      variable.name = name->empty() ? fmt::format("local {}", slot) : std::move(*name);
      variable.slot = m_values.shapes().slotOf((*types)[slot], context);
    }
    variables.push_back(std::move(variable));
  }
  return variables;
}

/// Context from an argument that callers do not see, or `this`, for code that instantiations share.
SignatureContext SuspendedLocals::contextIn(Address continuation, const SuspendedMethod& method,
                                            const MethodDesc& desc) const {
  SignatureContext context = m_types.contextOf(desc, *method.module);
  if (!m_types.isShared(context)) return context;
  std::optional<GenericContext> told;
  if (const Address handle = pointerIn(continuation, method, VariablePlace::kGenericContext))
    told = GenericContext{handle, desc.classification == MethodClassification::Instantiated};
  const auto declaring = m_readers.methodTables.read(desc.methodTable);
  const bool isObject = !desc.isStatic && declaring && !declaring->isValueType;
  const Address object = isObject ? pointerIn(continuation, method, 0) : Address{};
  const auto typeOfThis = object ? m_readers.runtime.memory().readPointer(object) : failure(ErrorCode::NotFound, {});
  return m_types.exactContext(std::move(context), desc, told,
                              typeOfThis ? Address{typeOfThis->value & kMethodTableMask} : Address{});
}

Address SuspendedLocals::pointerIn(Address continuation, const SuspendedMethod& method, std::int32_t variable) const {
  const auto saved = std::ranges::find(method.point->variables, variable, &SavedVariable::variable);
  Address pointer;
  const bool isRead = saved != method.point->variables.end() &&
                      m_readers.runtime.memory().tryRead(continuation + saved->offset, pointer);
  return isRead ? pointer : Address{};
}

}  // namespace heapscape::engine
