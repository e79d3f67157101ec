// SPDX-License-Identifier: MIT
#include "session/async/suspended_locals.h"

#include <fmt/format.h>

#include <algorithm>

#include "heap/object_head.h"
#include "metadata/signature.h"
#include "runtime/methods/method_names.h"
#include "values/field_path.h"

namespace heapscape::engine {

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

/// What an argument that callers do not see, or `this`, tells of code that instantiations share.
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
