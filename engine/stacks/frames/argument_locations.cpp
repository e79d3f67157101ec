// SPDX-License-Identifier: MIT
#include "stacks/frames/argument_locations.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "base/address.h"
#include "base/limits.h"
#include "runtime/methods/method_names.h"

namespace heapscape::engine {
namespace {

constexpr std::uint8_t kMostEightBytes = 2;

// SystemVClassificationType; the values before are no classes of a register.
constexpr std::uint8_t kInteger = 4;
constexpr std::uint8_t kIntegerReference = 5;
constexpr std::uint8_t kIntegerByRef = 6;
constexpr std::uint8_t kSse = 7;

std::optional<EightByteClass> classOf(std::uint8_t classification) {
  switch (classification) {
    case kInteger:
      return EightByteClass::Integer;
    case kIntegerReference:
      return EightByteClass::Reference;
    case kIntegerByRef:
      return EightByteClass::ByRef;
    case kSse:
      return EightByteClass::Float;
    default:
      return std::nullopt;
  }
}

tl::unexpected<Error> damaged(const MethodTable& type) {
  return failure(ErrorCode::Damaged,
                 fmt::format("How calls pass values of the type {} is damaged.", toString(type.address)));
}

}  // namespace

Result<std::vector<EightByteClass>> ValueClasses::eightBytesOf(const MethodTable& type) const {
  const ClrRuntime& runtime = m_readers.runtime;
  std::vector<EightByteClass> classes;
  if ((type.flags & runtime.contract().constant("MTFlags.IsRegStructPassed")) == 0) return classes;
  HEAPSCAPE_TRY(const Address optional, runtime.pointerAt(type.eeClass, "EEClass", "OptionalFields"));
  if (!optional) return damaged(type);
  HEAPSCAPE_TRY(const auto count, runtime.valueAt<std::uint8_t>(optional, "EEClassOptionalFields", "NumEightBytes"));
  if (count == 0 || count > kMostEightBytes) return damaged(type);
  const Address first = runtime.member(optional, "EEClassOptionalFields", "EightByteClassifications");
  for (std::uint64_t i = 0; i < count; ++i) {
    HEAPSCAPE_TRY(const auto classification, runtime.memory().read<std::uint8_t>(first + i));
    const auto known = classOf(classification);
    if (!known) return damaged(type);
    classes.push_back(*known);
  }
  return classes;
}

Result<std::uint32_t> ValueClasses::floatsOf(const MethodTable& type) const {
  constexpr std::uint32_t kMostFloats = 4;
  if ((type.flags & m_readers.runtime.contract().constant("MTFlags.IsHfa")) == 0) return 0;
  HEAPSCAPE_TRY(const std::uint32_t size, m_readers.methodTables.valueSize(type));
  HEAPSCAPE_TRY(const std::uint32_t one, floatBytes(type, 0));
  if (one == 0 || size / one > kMostFloats) return damaged(type);
  return size / one;
}

/// Of each element of a homogeneous aggregate. Vectors are elements themselves, whatever their fields are
/// (MethodTable::GetVectorSize, src/coreclr/vm/class.cpp).
Result<std::uint32_t> ValueClasses::floatBytes(const MethodTable& type, std::size_t depth) const {
  if (depth > kLimits.nestingDepth) return damaged(type);
  if (isVector(type)) return m_readers.methodTables.valueSize(type);
  HEAPSCAPE_TRY(const auto fields, m_readers.fields.declaredBy(type));
  const auto first = std::ranges::find_if(fields, [](const FieldDesc& field) { return !field.isStatic; });
  if (first == fields.end()) return damaged(type);
  if (first->elementType == ElementType::R4) return 4;
  if (first->elementType == ElementType::R8) return 8;
  if (first->elementType == ElementType::ValueType) {
    HEAPSCAPE_TRY(const MethodTable nested, typeOf(*first, type));
    if ((nested.flags & m_readers.runtime.contract().constant("MTFlags.IsHfa")) != 0)
      return floatBytes(nested, depth + 1);
  }
  return m_readers.methodTables.valueSize(type);
}

Result<std::vector<ReferenceInValue>> ValueClasses::referencesIn(const MethodTable& type) const {
  Collected collected;
  HEAPSCAPE_CHECK(collect(type, 0, 0, collected));
  // Fields with explicit offsets may lie over each other.
  auto& references = collected.references;
  std::ranges::sort(references, {}, &ReferenceInValue::offset);
  references.erase(std::unique(references.begin(), references.end()), references.end());
  return std::move(references);
}

Result<void> ValueClasses::collect(const MethodTable& type, std::uint32_t offset, std::size_t depth,
                                   Collected& collected) const {
  if (depth > kLimits.nestingDepth || ++collected.visited > kLimits.nestedValues) return damaged(type);
  const std::uint64_t isByRefLike = m_readers.runtime.contract().constant("MTFlags.IsByRefLike");
  if (!type.containsPointers && (type.flags & isByRefLike) == 0) return {};
  HEAPSCAPE_TRY(const auto fields, m_readers.fields.declaredBy(type));
  HEAPSCAPE_TRY(const std::uint32_t size, m_readers.methodTables.valueSize(type));
  const bool isRepeated = isInlineArray(type);
  for (const FieldDesc& field : fields) {
    if (field.isStatic) continue;
    MethodTable nested;
    std::uint32_t step = sizeof(std::uint64_t);
    if (field.elementType == ElementType::ValueType) {
      HEAPSCAPE_TRY(nested, typeOf(field, type));
      HEAPSCAPE_TRY(step, m_readers.methodTables.valueSize(nested));
    } else if (field.elementType != ElementType::Class && field.elementType != ElementType::ByRef) {
      continue;
    }
    if (step == 0 || step > size || field.offset > size - step) return damaged(type);
    // The only field of an inline array stands for all its elements.
    const std::uint32_t count = isRepeated ? (size - field.offset) / step : 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t place = offset + field.offset + i * step;
      if (field.elementType == ElementType::ValueType) {
        HEAPSCAPE_CHECK(collect(nested, place, depth + 1, collected));
      } else if (++collected.visited > kLimits.nestedValues) {
        return damaged(type);
      } else {
        collected.references.push_back({place, field.elementType == ElementType::ByRef});
      }
    }
  }
  return {};
}

Result<MethodTable> ValueClasses::typeOf(const FieldDesc& field, const MethodTable& declaring) const {
  HEAPSCAPE_TRY(const SignatureType signature, decodeFieldSignature(field.signature));
  HEAPSCAPE_TRY(const auto arguments, m_readers.methodTables.typeArguments(declaring));
  const SignatureContext context{m_readers.modules.definingModule(m_readers.methodTables, declaring), arguments};
  const TypeHandle handle = m_readers.resolver.find(signature, context);
  if (!handle) {
    return failure(ErrorCode::NotFound, fmt::format("The type {} is not loaded, or the dump does not hold it.",
                                                    m_readers.resolver.nameOf(signature, context)));
  }
  return m_readers.methodTables.read(handle);
}

bool ValueClasses::isVector(const MethodTable& type) const {
  const Module* module = m_readers.modules.definingModule(m_readers.methodTables, type);
  const auto row = m_readers.methodTables.typeDefRow(type);
  if (!row || !module || !module->metadata || module != m_readers.modules.coreLibrary()) return false;
  constexpr std::array<std::string_view, 3> kVectors{"System.Numerics.Vector`1", "System.Runtime.Intrinsics.Vector64`1",
                                                     "System.Runtime.Intrinsics.Vector128`1"};
  return std::ranges::any_of(kVectors,
                             [&](std::string_view name) { return module->metadata->findTypeDef(name) == *row; });
}

bool ValueClasses::isInlineArray(const MethodTable& type) const {
  constexpr std::string_view kInlineArray = "System.Runtime.CompilerServices.InlineArrayAttribute";
  const Module* module = m_readers.modules.definingModule(m_readers.methodTables, type);
  const auto row = m_readers.methodTables.typeDefRow(type);
  return module && module->metadata && row && module->metadata->typeAttribute(*row, kInlineArray).has_value();
}

namespace {

// rdi, rsi, rdx, rcx, r8, r9, or x0 to x7, which a transition block has in this order.
constexpr unsigned kIntegerRegistersOfX64 = 6;
constexpr unsigned kIntegerRegistersOfArm64 = 8;
constexpr unsigned kFloatRegisters = 8;
constexpr std::uint32_t kMostBytesInRegisters = 16;  // of a value on arm64
constexpr std::uint8_t kCallingConventionMask = 0x0f;
constexpr std::uint8_t kVariableArguments = 0x05;
constexpr std::uint16_t kAbstract = 0x0400;  // MethodAttributes, ECMA-335 II.23.1.10

bool isReference(EightByteClass eightBytes) {
  return eightBytes == EightByteClass::Reference || eightBytes == EightByteClass::ByRef;
}

}  // namespace

/// Gives registers and stack to one argument after the other.
class ArgumentLocator::Placement {
 public:
  Placement(const ClrRuntime& runtime, ArgumentLocations& locations)
      : m_registers(static_cast<std::uint32_t>(runtime.contract().offset("TransitionBlock", "ArgumentRegisters"))),
        m_stack(static_cast<std::uint32_t>(runtime.contract().sizeOf("TransitionBlock"))),
        m_buffer(runtime.contract().offset("TransitionBlock", "ReturnBuffer")),
        m_isArm64(runtime.contract().architecture() == Architecture::Arm64),
        m_integerRegisters(m_isArm64 ? kIntegerRegistersOfArm64 : kIntegerRegistersOfX64),
        m_locations(locations) {}

  /// `this`, the result's buffer and the generic context always find a register.
  void placeWord(bool isReference, bool isInterior) {
    const std::uint32_t place = m_integers < m_integerRegisters ? integerRegister() : stack(kPointerBytes);
    if (isReference) m_locations.references.push_back({place, isInterior});
  }
  /// Where the result goes: arm64 has a register for that alone, x8.
  void placeBuffer(bool isReference) {
    if (!m_isArm64) {
      placeWord(isReference, true);
    } else if (isReference) {
      m_locations.references.push_back({static_cast<std::uint32_t>(m_buffer), true});
    }
  }
  void placeFloat() {
    if (m_floats < kFloatRegisters) {
      ++m_floats;
    } else {
      stack(kPointerBytes);
    }
  }
  /// A TypedReference: a pointer and a type handle, both in registers or none.
  void placeTypedReference() {
    const bool fits = m_integers + 2 <= m_integerRegisters;
    const std::uint32_t place = fits ? integerRegister() : stack(2 * kPointerBytes);
    if (fits) integerRegister();
    if (!fits && m_isArm64) m_integers = m_integerRegisters;
    m_locations.references.push_back({place, true});
  }
  /// True if registers take the whole value; else it goes on the stack, and later arguments may still take them.
  bool placeInRegisters(const std::vector<EightByteClass>& eightBytes) {
    const auto floats = static_cast<unsigned>(std::ranges::count(eightBytes, EightByteClass::Float));
    const auto integers = static_cast<unsigned>(eightBytes.size()) - floats;
    if (eightBytes.empty() || m_integers + integers > m_integerRegisters || m_floats + floats > kFloatRegisters)
      return false;
    m_floats += floats;
    for (const EightByteClass one : eightBytes) {
      if (one == EightByteClass::Float) continue;
      const std::uint32_t place = integerRegister();
      if (isReference(one)) m_locations.references.push_back({place, one == EightByteClass::ByRef});
    }
    return true;
  }
  /// A value on arm64: larger ones are a copy in the caller's frame, smaller ones are in registers as a whole or, with
  /// all that follows, on the stack. `floats`: how many registers for these it takes, 0 if it takes none.
  void placeValueOfArm64(std::uint32_t sizeBytes, std::uint32_t floats,
                         const std::vector<ReferenceInValue>& references) {
    if (floats > 0) {
      const bool fits = m_floats + floats <= kFloatRegisters;
      m_floats = fits ? m_floats + floats : kFloatRegisters;
      if (!fits) stack(sizeBytes);
      return;
    }
    if (sizeBytes > kMostBytesInRegisters) {
      placeWord(true, true);
      return;
    }
    const std::uint32_t words = (sizeBytes + kPointerBytes - 1) / kPointerBytes;
    if (m_integers + words > m_integerRegisters) {
      m_integers = m_integerRegisters;
      placeOnStack(sizeBytes, references);
      return;
    }
    const std::uint32_t place = m_registers + kPointerBytes * m_integers;
    m_integers += words;
    for (const ReferenceInValue& reference : references)
      m_locations.references.push_back({place + reference.offset, reference.isInterior});
  }
  void placeOnStack(std::uint32_t sizeBytes, const std::vector<ReferenceInValue>& references) {
    const std::uint32_t place = stack(sizeBytes);
    for (const ReferenceInValue& reference : references)
      m_locations.references.push_back({place + reference.offset, reference.isInterior});
  }

 private:
  std::uint32_t integerRegister() { return m_registers + kPointerBytes * m_integers++; }
  std::uint32_t stack(std::uint32_t sizeBytes) {
    const std::uint32_t place = m_stack;
    m_stack += static_cast<std::uint32_t>(alignUp(sizeBytes, kPointerBytes));
    return place;
  }

  std::uint32_t m_registers;
  std::uint32_t m_stack;
  std::uint64_t m_buffer;
  bool m_isArm64;
  unsigned m_integerRegisters;
  unsigned m_integers = 0;
  unsigned m_floats = 0;
  ArgumentLocations& m_locations;
};

ArgumentLocations ArgumentLocator::ofCall(const MethodDesc& method, bool mayHaveGenericContext) const {
  ArgumentLocations locations;
  const auto call = callOf(method);
  if (!call) {
    locations.problem = call.error().what;
    return locations;
  }
  Placement placement(m_readers.runtime, locations);
  if (hasThis(method, *call)) placement.placeWord(true, call->declaring.isValueType && !method.isUnboxingStub);
  const auto result = passed(call->signature.returned, call->context);
  if (!result) {
    locations.problem = result.error().what;
    return locations;
  }
  // Since .NET 10 callers always have the buffer on the stack, and the GC does not look at it.
  const bool isBufferReference = m_readers.runtime.contract().constant("Call.ResultBufferMayBeOnHeap") != 0;
  if (needsBuffer(*result)) placement.placeBuffer(isBufferReference);
  if (mayHaveGenericContext && needsGenericContext(method, *call)) placement.placeWord(false, false);
  for (const SignatureType& parameter : call->signature.parameters) {
    const auto placed = place(parameter, call->context, placement);
    if (!placed) {
      locations.problem = placed.error().what;
      break;
    }
  }
  return locations;
}

Result<void> ArgumentLocator::place(const SignatureType& parameter, const SignatureContext& context,
                                    Placement& placement) const {
  HEAPSCAPE_TRY(const Passed argument, passed(parameter, context));
  switch (argument.kind) {
    case Passed::Kind::Nothing:
      break;
    case Passed::Kind::Integer:
      placement.placeWord(false, false);
      break;
    case Passed::Kind::Float:
      placement.placeFloat();
      break;
    case Passed::Kind::Reference:
    case Passed::Kind::ByRef:
      placement.placeWord(true, argument.kind == Passed::Kind::ByRef);
      break;
    case Passed::Kind::TypedReference:
      placement.placeTypedReference();
      break;
    case Passed::Kind::Value: {
      if (m_isArm64) {
        HEAPSCAPE_TRY(const auto inside, m_values.referencesIn(argument.type));
        placement.placeValueOfArm64(argument.sizeBytes, argument.floats, inside);
        break;
      }
      if (placement.placeInRegisters(argument.eightBytes)) break;
      HEAPSCAPE_TRY(const std::uint32_t size, m_readers.methodTables.valueSize(argument.type));
      HEAPSCAPE_TRY(const auto references, m_values.referencesIn(argument.type));
      placement.placeOnStack(size, references);
      break;
    }
  }
  return {};
}

// MethodDesc::ParseReturnKindFromSig (src/coreclr/vm/method.cpp), GCInfo::getReturnKind (src/coreclr/jit).
ResultReferences ArgumentLocator::ofResult(const MethodDesc& method) const {
  using Place = ResultReferences::Place;
  ResultReferences result;
  const auto call = callOf(method);
  const auto returned = call ? passed(call->signature.returned, call->context) : tl::unexpected<Error>(call.error());
  if (!returned) {
    result.problem = returned.error().what;
    return result;
  }
  if (returned->kind == Passed::Kind::Reference || returned->kind == Passed::Kind::ByRef)
    result.references.push_back({Place::First, returned->kind == Passed::Kind::ByRef});
  // On x64 a buffer's address is given back in rax.
  if (needsBuffer(*returned) && !m_isArm64) result.references.push_back({Place::First, true});
  if (m_isArm64 && returned->kind == Passed::Kind::Value && !needsBuffer(*returned) && returned->floats == 0) {
    const auto references = m_values.referencesIn(returned->type);
    if (!references) result.problem = references.error().what;
    for (const ReferenceInValue& reference : references.value_or(std::vector<ReferenceInValue>{}))
      result.references.push_back({reference.offset == 0 ? Place::First : Place::Second, reference.isInterior});
  }
  Place next = Place::First;
  for (const EightByteClass one : returned->eightBytes) {
    if (one == EightByteClass::Float) continue;
    if (isReference(one)) result.references.push_back({next, one == EightByteClass::ByRef});
    next = Place::Second;
  }
  return result;
}

Result<ArgumentLocator::Call> ArgumentLocator::callOf(const MethodDesc& method) const {
  Call call;
  HEAPSCAPE_TRY(call.declaring, m_readers.methodTables.read(method.methodTable));
  HEAPSCAPE_TRY(const auto arguments, m_readers.methodTables.typeArguments(call.declaring));
  const Module* module = m_readers.methodNames.moduleOf(method);
  const Bytes bytes = signatureBytesOf(m_readers.runtime, method, module);
  const auto signature = decodeMethodSignature(bytes);
  if (!module || !signature) {
    return failure(ErrorCode::NotInDump, fmt::format("The signature of {} is not in the dump, or damaged.",
                                                     m_readers.methodNames.nameOf(method.address)));
  }
  if ((static_cast<std::uint8_t>(bytes[0]) & kCallingConventionMask) == kVariableArguments) {
    return failure(ErrorCode::NotFound, fmt::format("{} takes variable arguments, which only the call itself shows.",
                                                    m_readers.methodNames.nameOf(method.address)));
  }
  call.signature = *signature;
  call.context = signatureContextOf(m_readers.methods, method, module, arguments);
  return call;
}

Result<ArgumentLocator::Passed> ArgumentLocator::passed(const SignatureType& type,
                                                        const SignatureContext& context) const {
  switch (type.element) {
    case ElementType::Void:
      return Passed{Passed::Kind::Nothing};
    case ElementType::R4:
    case ElementType::R8:
      return Passed{Passed::Kind::Float};
    case ElementType::String:
    case ElementType::Object:
    case ElementType::Class:
    case ElementType::Array:
    case ElementType::SzArray:
      return Passed{Passed::Kind::Reference};
    case ElementType::ByRef:
      return Passed{Passed::Kind::ByRef};
    case ElementType::TypedByRef:
      return Passed{Passed::Kind::TypedReference};
    case ElementType::GenericInst:
      if (!type.isValueType) return Passed{Passed::Kind::Reference};
      break;
    case ElementType::Internal:
      return passedHandle({type.handle});
    case ElementType::ValueType:
    case ElementType::Var:
    case ElementType::MVar:
      break;
    default:
      return Passed{Passed::Kind::Integer};
  }
  const TypeHandle handle = m_readers.resolver.find(type, context);
  if (!handle) {
    return failure(ErrorCode::NotFound,
                   fmt::format("How values of {} are passed is not known: the type is not loaded, or not in the dump.",
                               m_readers.resolver.nameOf(type, context)));
  }
  return passedHandle(handle);
}

Result<ArgumentLocator::Passed> ArgumentLocator::passedHandle(TypeHandle handle) const {
  if (m_readers.methodTables.isTypeDesc(handle)) {
    if (!m_readers.methodTables.isTypeVariable(handle)) return Passed{Passed::Kind::Integer};  // pointers
    return failure(ErrorCode::NotFound, "What a type parameter stands for is not known.");
  }
  HEAPSCAPE_TRY(const MethodTable type, m_readers.methodTables.read(handle));
  if (!type.isValueType) return Passed{Passed::Kind::Reference};
  HEAPSCAPE_TRY(const ElementType normalised, m_readers.methodTables.normalisedElementType(type));
  if (normalised == ElementType::R4 || normalised == ElementType::R8) return Passed{Passed::Kind::Float};
  if (normalised != ElementType::ValueType) return Passed{Passed::Kind::Integer};  // enums are what they are made of
  Passed value{Passed::Kind::Value, type};
  if (m_isArm64) {
    HEAPSCAPE_TRY(value.sizeBytes, m_readers.methodTables.valueSize(type));
    HEAPSCAPE_TRY(value.floats, m_values.floatsOf(type));
  } else {
    HEAPSCAPE_TRY(value.eightBytes, m_values.eightBytesOf(type));
  }
  return value;
}

bool ArgumentLocator::needsBuffer(const Passed& result) const {
  if (result.kind != Passed::Kind::Value) return false;
  return m_isArm64 ? result.sizeBytes > kMostBytesInRegisters && result.floats == 0 : result.eightBytes.empty();
}

// Constructors of strings make the object themselves (TransitionFrame::PromoteCallerStack, src/coreclr/vm/frames.cpp).
bool ArgumentLocator::hasThis(const MethodDesc& method, const Call& call) const {
  if (!call.signature.hasThis) return false;
  const auto string = m_readers.runtime.globalPointer("StringMethodTable");
  return !string || method.methodTable != *string || m_readers.methodNames.bareName(method) != ".ctor";
}

// MethodDesc::RequiresInstArg (src/coreclr/vm/method.cpp).
bool ArgumentLocator::needsGenericContext(const MethodDesc& method, const Call& call) const {
  const Contract& contract = m_readers.runtime.contract();
  if (method.isUnboxingStub) return false;
  const bool isSharedType =
      !call.declaring.hasComponentSize && (call.declaring.flags & contract.constant("MTFlags.GenericsMask")) ==
                                              contract.constant("MTFlags.Generics.SharedInst");
  if (method.classification == MethodClassification::Instantiated) {
    const auto flags = m_readers.runtime.valueAt<std::uint16_t>(method.address, "InstantiatedMethodDesc", "Flags2");
    const std::uint64_t kind =
        flags.value_or(std::uint16_t{0}) & contract.constant("InstantiatedMethodDesc.Flags2.KindMask");
    // Stubs add the argument themselves.
    if (kind == contract.constant("InstantiatedMethodDesc.Kind.Wrapper")) return false;
    return isSharedType || kind == contract.constant("InstantiatedMethodDesc.Kind.Shared");
  }
  if (!isSharedType) return false;
  if (method.isStatic || call.declaring.isValueType) return true;
  const Metadata* metadata = call.context.module->metadata.get();
  const auto row = metadata ? metadata->methodDef(method.row) : std::nullopt;
  return call.declaring.isInterface && row && (row->flags & kAbstract) == 0;
}

}  // namespace heapscape::engine
