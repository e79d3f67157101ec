// SPDX-License-Identifier: MIT
#include "session/stacks/frame_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/limits.h"
#include "heap/object_head.h"
#include "memory/files/recorded_path.h"
#include "metadata/image/assembly_file.h"
#include "runtime/methods/method_names.h"
#include "runtime/types/method_tables.h"
#include "stacks/debug_info/variable_places.h"

namespace heapscape::engine {

SignatureContext VariableTypes::contextOf(const MethodDesc& method, const Module& module) const {
  const auto declaring = m_readers.methodTables.read(method.methodTable);
  std::vector<TypeHandle> arguments;
  if (declaring) arguments = m_readers.methodTables.typeArguments(*declaring).value_or(std::vector<TypeHandle>{});
  return signatureContextOf(m_readers.methods, method, &module, arguments);
}

bool VariableTypes::isShared(const SignatureContext& context) const {
  const Address canon = m_readers.runtime.globalPointer("CanonMethodTable").value_or(Address{});
  const auto isCanonical = [&](TypeHandle argument) {
    if (argument == canon) return true;
    const auto type = m_readers.methodTables.isTypeDesc(argument) ? failure(ErrorCode::NotFound, {})
                                                                  : m_readers.methodTables.read(argument);
    return type && genericFormOf(m_readers.runtime, *type) == GenericForm::Shared;
  };
  return std::ranges::any_of(context.arguments, isCanonical) ||
         std::ranges::any_of(context.methodArguments, isCanonical);
}

Address VariableTypes::exactType(const SignatureContext& context, const MethodTable& declaring) const {
  const auto row = m_readers.methodTables.typeDefRow(declaring);
  if (!declaring.isGenericInstance || !row || !context.module) return {};
  return m_readers.loadedTypes.instantiation(*context.module, *row, context.arguments);
}

/// The type or base type of an instance that a method of a generic type was declared by, as instantiated.
Address VariableTypes::declaringOf(Address type, const MethodTable& declaring) const {
  for (std::size_t depth = 0; type && depth < kLimits.parentDepth; ++depth) {
    const auto level = m_readers.methodTables.read(type);
    if (!level) return {};
    if (level->canonical == declaring.canonical) return type;
    type = level->parent;
  }
  return {};
}

// By an argument that callers do not see, or by `this`.
SignatureContext VariableTypes::exactContext(SignatureContext context, const MethodDesc& method,
                                             const std::optional<GenericContext>& told, Address typeOfThis) const {
  const auto declaring = m_readers.methodTables.read(method.methodTable);
  if (!declaring) return context;
  Address type = told && !told->isMethod ? told->handle : Address{};
  if (told && told->isMethod) {
    if (const auto exact = m_readers.methods.read(told->handle); exact && exact->row == method.row) {
      context.methodArguments = m_readers.methods.typeArguments(*exact);
      type = exact->methodTable;
    }
  }
  const Address exact = declaringOf(type ? type : typeOfThis, *declaring);
  const auto exactType = exact ? m_readers.methodTables.read(exact) : failure(ErrorCode::NotFound, {});
  if (exactType) context.arguments = m_readers.methodTables.typeArguments(*exactType).value_or(context.arguments);
  return context;
}

Result<std::vector<SignatureType>> VariableTypes::localsOf(const Module& module, std::uint32_t methodRow) const {
  const auto row = module.metadata->methodDef(methodRow);
  if (!row || row->rva == 0 || !module.imageBase)
    return failure(ErrorCode::NotFound, "The method has no IL in an image.");
  const PeReader inDump = [&](std::uint64_t offset, std::span<std::byte> target) {
    return m_readers.runtime.memory().tryRead(module.imageBase + offset, target);
  };
  auto token = localSignatureOf(inDump, module.isMapped, row->rva);
  if (!token) {
    const std::filesystem::path path = recordedPath(module.path);
    const auto assembly = path.empty() || module.mvid.empty() ? std::nullopt : openAssembly(path, module.mvid);
    if (assembly) token = localSignatureOf(*assembly, false, row->rva);
  }
  if (!token) return tl::unexpected<Error>(token.error());
  if (token->isNil()) return std::vector<SignatureType>{};
  const auto signature = module.metadata->standAloneSig(token->row);
  if (!signature) return failure(ErrorCode::Damaged, "A method names a signature that its module has not.");
  return decodeLocalSignature(*signature);
}

namespace {

constexpr std::size_t kMostVariables = 10'000;  // of one frame
constexpr const char* kNotLive = "The code does not keep it at this point.";
constexpr const char* kNoDebugInfo = "The dump has no debug info of the method, which shows where its variables are.";
constexpr const char* kMissing = "The dump does not hold these bytes.";

std::string notKept(const std::string& reg, bool isCalleeSaved = false) {
  return isCalleeSaved ? fmt::format("It was in {}, which native code that the frame has called may use.", reg)
                       : fmt::format("It was in {}, which the call that the frame is in need not keep.", reg);
}

/// Where the bytes of a variable are: in memory, or taken out of registers.
struct Found {
  Address address = {};  // 0 for loose bytes
  LooseBytes loose = {};
  std::string reg = {};
  std::string problem = {};
};

/// Collects the bytes of one variable.
class PlaceReader {
 public:
  PlaceReader(const AddressSpace& memory, const ManagedFrame& frame, const CoreThread* thread)
      : m_memory(memory), m_frame(frame), m_thread(thread) {}

  Found find(const VariablePlace& place) {
    using Kind = VariablePlace::Kind;
    switch (place.kind) {
      case Kind::Register:
        addRegister(place.first);
        break;
      case Kind::RegisterHoldsPlace:
        if (const auto value = registerOf(place.first)) m_found.address = {*value};
        m_found.reg.clear();
        break;
      case Kind::Stack:
      case Kind::TwoStackSlots:
        m_found.address = slotOf(place);
        break;
      case Kind::StackHoldsPlace:
        if (const Address slot = slotOf(place); slot && !m_memory.tryRead(slot, m_found.address))
          m_found.problem = kMissing;
        break;
      case Kind::TwoRegisters:
        addRegister(place.first);
        addRegister(place.second);
        break;
      case Kind::RegisterThenStack:
        addRegister(place.first);
        addSlot(place);
        break;
      case Kind::StackThenRegister:
        addSlot(place);
        addRegister(place.first);
        break;
      case Kind::FloatRegister:
        addFloatRegister(place.floatRegister);
        break;
      case Kind::Elsewhere:
        m_found.problem = "The method's debug info has it in a place that this processor has not.";
        break;
    }
    return std::move(m_found);
  }

 private:
  std::optional<std::uint64_t> registerOf(std::optional<Register> reg) {
    const std::string name = reg ? toString(*reg) : "a floating-point register";
    m_found.reg += (m_found.reg.empty() ? "" : ", ") + name;
    if (reg && m_frame.registers.isKnown(*reg)) return m_frame.registers[*reg];
    m_found.problem = notKept(name, reg && isCalleeSaved(*reg));
    return std::nullopt;
  }

  void add(std::uint64_t word) {
    std::memcpy(m_found.loose.bytes.data() + m_found.loose.size, &word, sizeof word);
    m_found.loose.size += sizeof word;
  }

  void addRegister(std::optional<Register> reg) {
    if (const auto value = registerOf(reg)) add(*value);
  }

  void addFloatRegister(std::optional<std::uint8_t> number) {
    m_found.reg = number ? fmt::format("{}{}", registerFile(m_frame.registers.architecture).floatPrefix, *number)
                         : std::string("a floating-point register");
    // No call keeps them, so they are those of the frame that the dump stopped, or of none.
    const bool isTop = m_thread && m_frame.isFirst && m_frame.registers.instruction == m_thread->instructionPointer() &&
                       m_frame.registers.stackPointer() == m_thread->stackPointer();
    if (!number || !isTop || m_thread->floatRegisters.empty()) {
      m_found.problem = notKept(m_found.reg);
      return;
    }
    const auto& value = m_thread->floatRegisters[*number];
    add(value[0]);
    add(value[1]);
  }

  Address slotOf(const VariablePlace& place) {
    if (place.base && m_frame.registers.isKnown(*place.base))
      return {m_frame.registers[*place.base] + static_cast<std::uint64_t>(std::int64_t{place.offset})};
    m_found.problem = place.base ? notKept(toString(*place.base)) : "It is not known where its frame begins.";
    return {};
  }

  void addSlot(const VariablePlace& place) {
    std::uint64_t word = 0;
    const Address slot = slotOf(place);
    m_found.reg += (m_found.reg.empty() ? "" : ", ") + toString(slot);
    if (slot && m_memory.tryRead(slot, word)) {
      add(word);
    } else if (slot) {
      m_found.problem = kMissing;
    }
  }

  const AddressSpace& m_memory;
  const ManagedFrame& m_frame;
  const CoreThread* m_thread;
  Found m_found;
};

// What lay in registers has no address.
void forgetLoosePlaces(FieldValue& field) {
  if (field.address >= LooseBytes::kPlace) field.address = {};
  for (FieldValue& part : field.nested) forgetLoosePlaces(part);
}

void readVariable(const ValueReader& values, const Slot& slot, const Found& found, VariableRow& row) {
  row.value.typeName = slot.typeName;
  row.value.sizeBytes = slot.sizeBytes;
  row.reg = found.reg;
  row.problem = found.problem;
  if (!row.problem.empty()) return;
  const std::string declared = slot.typeName;
  row.value = found.address ? values.readSlot(slot, found.address)
                            : values.with(found.loose).readSlot(slot, LooseBytes::kPlace);
  forgetLoosePlaces(row.value);
  if (row.value.typeName.empty()) row.value.typeName = declared;
  if (row.value.value.kind == ValueKind::Damaged) row.problem = row.value.value.damage;
}

/// `inner`: of what a reference to a variable leads to; it may lie on a stack, in an object or anywhere.
void readThrough(const ValueReader& values, const AddressSpace& memory, const Slot& inner, const Found& found,
                 VariableRow& row) {
  row.value.typeName = inner.typeName + "&";
  row.value.sizeBytes = kPointerBytes;
  row.value.address = found.address;
  row.reg = found.reg;
  row.problem = found.problem;
  if (!row.problem.empty()) return;
  const bool isRead = found.address ? memory.tryRead(found.address, row.target)
                                    : values.with(found.loose).tryRead(LooseBytes::kPlace, row.target);
  if (!isRead) {
    row.problem = kMissing;
  } else if (!row.target) {
    row.value.value = {.kind = ValueKind::Null, .text = "null"};
  } else {
    FieldValue there = values.readSlot(inner, row.target);
    row.value.value = std::move(there.value);
    row.value.nested = std::move(there.nested);
    row.value.methodTable = there.methodTable;
    if (row.value.value.kind == ValueKind::Damaged) row.problem = row.value.value.damage;
  }
}

/// How many locals debug info tells of at least.
std::uint32_t slotsIn(const DebugInfo& info, std::uint32_t parameters) {
  std::uint32_t slots = 0;
  for (const VariablePlace& place : info.variables) {
    if (place.variable >= 0 && static_cast<std::uint32_t>(place.variable) >= parameters)
      slots = std::max(slots, static_cast<std::uint32_t>(place.variable) - parameters + 1);
  }
  return slots;
}

bool usesTypeParameters(const SignatureType& type, std::size_t depth = 0) {
  if (type.element == ElementType::Var || type.element == ElementType::MVar) return true;
  return depth < kLimits.nestingDepth && std::ranges::any_of(type.parts, [&](const SignatureType& part) {
           return usesTypeParameters(part, depth + 1);
         });
}

}  // namespace

/// Data of all variables of a frame.
struct FrameVariables::Method {
  const ManagedFrame& frame;
  const CoreThread* thread;
  std::shared_ptr<const DebugInfo> info;  // null if there is none
  SignatureContext context;
  bool isContextExact = true;
};

FrameVariables::FrameVariables(const RuntimeReaders& readers, const WalkedHeap* heap, const FrameSources& sources)
    : m_readers(readers),
      m_sources(sources),
      m_values({.readers = readers, .heap = heap}),
      m_types(readers),
      m_gcInfo(readers.runtime) {}

std::vector<VariableRow> FrameVariables::of(const ManagedFrame& frame, const CoreThread* thread) {
  std::vector<VariableRow> rows;
  const auto desc = m_readers.methods.read(frame.code.methodDesc);
  const Module* module = desc ? m_readers.methodNames.moduleOf(*desc) : nullptr;
  if (!module || !module->metadata) return rows;
  const auto signature = decodeMethodSignature(signatureBytesOf(m_readers.runtime, *desc, module));
  if (!signature) return rows;
  Method method{.frame = frame, .thread = thread, .info = m_sources.debugInfo().of(frame.code), .context = {}};
  method.context = exactContext(frame, *desc, *module, method.info.get());
  method.isContextExact = !m_types.isShared(method.context);
  const auto declaring = m_readers.methodTables.read(desc->methodTable);
  if (signature->hasThis && declaring) rows.push_back(thisOf(method, *declaring));
  for (std::uint32_t i = 0; i < signature->parameters.size() && rows.size() < kMostVariables; ++i) {
    VariableRow row{.isParameter = true, .index = static_cast<std::uint32_t>(rows.size())};
    row.name = module->metadata->parameterName(desc->row, i + 1);
    rows.push_back(read(method, signature->parameters[i], row.index, std::move(row)));
  }
  const auto parameters = static_cast<std::uint32_t>(rows.size());
  const auto locals = m_types.localsOf(*module, desc->row);
  const auto ilOffset = method.info ? ilOffsetOf(*method.info, frame) : std::nullopt;
  // Where their types are not known, those that the debug info has are named at least.
  const std::uint32_t slots = locals        ? static_cast<std::uint32_t>(locals->size())
                              : method.info ? slotsIn(*method.info, parameters)
                                            : 0;
  for (std::uint32_t slot = 0; slot < slots && rows.size() < kMostVariables; ++slot) {
    auto name = m_sources.lines().localName(*module, desc->row, slot, ilOffset);
    if (!name) continue;
    VariableRow row{.index = slot, .name = std::move(*name)};
    if (!locals) row.problem = locals.error().what;
    rows.push_back(locals ? read(method, (*locals)[slot], parameters + slot, std::move(row)) : std::move(row));
  }
  return rows;
}

VariableRow FrameVariables::read(const Method& method, const SignatureType& type, std::uint32_t variable,
                                 VariableRow row) const {
  const TypeShapes& shapes = m_values.shapes();
  const bool isByRef = type.element == ElementType::ByRef && !type.parts.empty();
  const Slot slot = shapes.slotOf(isByRef ? type.parts.front() : type, method.context);
  row.isTypeExact = method.isContextExact || !usesTypeParameters(type);
  readInto(method, slot, isByRef, variable, row);
  return row;
}

// Of a value type `this` is a reference to where the value lies.
VariableRow FrameVariables::thisOf(const Method& method, const MethodTable& declaring) const {
  VariableRow row{.isParameter = true, .name = "this"};
  const Address exact = m_types.exactType(method.context, declaring);
  Slot slot = m_values.shapes().slotOf(exact ? exact : declaring.address);
  row.isTypeExact = method.isContextExact;
  readInto(method, slot, declaring.isValueType, 0, row);
  return row;
}

void FrameVariables::readInto(const Method& method, const Slot& slot, bool isByRef, std::uint32_t variable,
                              VariableRow& row) const {
  row.value.typeName = slot.typeName + (isByRef ? "&" : "");
  row.value.sizeBytes = isByRef ? kPointerBytes : slot.sizeBytes;
  const VariablePlace* place =
      method.info ? placeOf(*method.info, method.frame, static_cast<std::int32_t>(variable)) : nullptr;
  if (!place) {
    row.problem = method.info ? kNotLive : kNoDebugInfo;
    return;
  }
  const AddressSpace& memory = m_readers.runtime.memory();
  const Found found = PlaceReader(memory, method.frame, method.thread).find(*place);
  if (isByRef)
    readThrough(m_values, memory, slot, found, row);
  else
    readVariable(m_values, slot, found, row);
}

std::optional<GenericContext> FrameVariables::genericContext(const ManagedFrame& frame, const DebugInfo* info,
                                                             bool isMethod) const {
  if (const auto kept = m_gcInfo.of(frame, false).context) return kept;
  const auto handle = pointerIn(frame, info, VariablePlace::kGenericContext);
  return handle ? std::optional(GenericContext{*handle, isMethod}) : std::nullopt;
}

/// Value of a variable that is a pointer; nothing for null, and where that is not known.
std::optional<Address> FrameVariables::pointerIn(const ManagedFrame& frame, const DebugInfo* info,
                                                 std::int32_t variable) const {
  const VariablePlace* place = info ? placeOf(*info, frame, variable) : nullptr;
  if (!place) return std::nullopt;
  const Found found = PlaceReader(m_readers.runtime.memory(), frame, nullptr).find(*place);
  Address pointer;
  const bool isRead = found.problem.empty() &&
                      m_values.with(found.loose).tryRead(found.address ? found.address : LooseBytes::kPlace, pointer);
  return isRead && pointer ? std::optional(pointer) : std::nullopt;
}

// Code that instantiations share is told what it runs for: by `this`, or by an argument that callers do not see.
SignatureContext FrameVariables::exactContext(const ManagedFrame& frame, const MethodDesc& method, const Module& module,
                                              const DebugInfo* info) const {
  const auto declaring = m_readers.methodTables.read(method.methodTable);
  SignatureContext context = m_types.contextOf(method, module);
  if (!declaring || !m_types.isShared(context)) return context;
  const bool isMethod = method.classification == MethodClassification::Instantiated;
  const auto told = genericContext(frame, info, isMethod);
  Address typeOfThis;
  if (!method.isStatic && !declaring->isValueType) {
    const auto object = pointerIn(frame, info, 0);
    const auto methodTable =
        object ? m_readers.runtime.memory().readPointer(*object) : failure(ErrorCode::NotFound, {});
    if (methodTable) typeOfThis = {methodTable->value & kMethodTableMask};
  }
  return m_types.exactContext(std::move(context), method, told, typeOfThis);
}

}  // namespace heapscape::engine
