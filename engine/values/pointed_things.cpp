// SPDX-License-Identifier: MIT
#include "values/pointed_things.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "heap/object_head.h"
#include "runtime/threads/threads.h"
#include "runtime/types/loaded_types.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kLowestAddress = 1 << 16;   // below there is nothing in any process: vm.mmap_min_addr
constexpr std::uint64_t kInstantiationFlags = 7;    // of InstMethodHashEntry, in the pointer's low bits
constexpr std::uint32_t kGenericParamTable = 0x2a;  // of the token of a type variable
constexpr std::uint64_t kPinnedMark = 1;            // in a GCHandle's value (GCHandle.cs)

}  // namespace

PointedThing PointedThings::at(Address address) const {
  if (address.value < kLowestAddress) return {};
  // Old bytes of the heap may look like anything.
  if (auto object = inHeap(address)) return std::move(*object);
  if (const Address method = m_readers.code.methodAtEntry(address); method && m_readers.methods.read(method))
    return {PointedKind::Code, m_readers.methodNames.nameOf(method)};
  if (isTypeHandle(address, 0)) return {PointedKind::Type, "type " + m_readers.names.nameOf(address)};
  if (isMethod(address)) return {PointedKind::Method, "method " + m_readers.methodNames.nameOf(address)};
  if (std::string field = fieldName(address); !field.empty()) return {PointedKind::Field, "field " + field};
  if (const Module* module = moduleOf(address))
    return {PointedKind::Module, (module->address == address ? "module " : "assembly ") + module->name};
  const auto handle = handleAt(address);
  if (handle) return {PointedKind::Handle, handleText(*handle), handle->object};
  if (address.value & kPinnedMark) {
    const auto pinned = handleAt(address - kPinnedMark);
    if (pinned && pinned->kind == HandleKind::Pinned) return {PointedKind::Handle, handleText(*pinned), pinned->object};
  }
  if (std::string stack = stackText(address); !stack.empty()) return {PointedKind::Stack, std::move(stack)};
  if (const MappedFile* file = m_readers.modules.mappedFileAt(address)) {
    const std::uint64_t offset = address - file->range.start + file->fileOffset;
    return {PointedKind::File, fmt::format("{:#x} in file {}", offset, file->path)};
  }
  return {};
}

std::optional<PointedThing> PointedThings::inHeap(Address address) const {
  if (!m_heap || m_heap->index.segmentOf(address).isNone()) return std::nullopt;
  const auto start = m_heap->index.startAtOrBefore(address);
  if (!start) return PointedThing{};
  Address methodTable;
  if (!m_readers.runtime.memory().tryRead(*start, methodTable)) return PointedThing{};
  methodTable.value &= kMethodTableMask;
  const auto type = m_readers.methodTables.read(methodTable);
  if (!type) return PointedThing{};
  if (*start == address)
    return PointedThing{PointedKind::Object, "object " + m_readers.names.nameOf(methodTable), *start};
  // As large as the object is, not as far as the next one: between them may be a gap.
  std::uint32_t components = 0;
  if (type->hasComponentSize && !m_readers.runtime.memory().tryRead(*start + kComponentsOffset, components))
    return PointedThing{};
  const std::uint64_t size = type->baseSize + std::uint64_t{type->componentSize} * components;
  if (address - *start >= size) return PointedThing{};
  return PointedThing{PointedKind::Object, fmt::format("{:#x} into {}", address - *start, objectText(*start)), *start};
}

bool PointedThings::isTypeHandle(TypeHandle handle, std::size_t depth) const {
  if (m_readers.methodTables.isTypeDesc(handle)) return isTypeDesc(handle, depth);
  return handle && m_readers.methodTables.isMethodTable(handle) && m_readers.methodTables.read(handle);
}

// src/coreclr/vm/typedesc.h. Nothing points back at one, so all that is in it has to be right.
bool PointedThings::isTypeDesc(TypeHandle handle, std::size_t depth) const {
  const ClrRuntime& runtime = m_readers.runtime;
  const Address typeDesc = handle - runtime.contract().constant("TypeHandle.TypeDescBit");
  if (typeDesc.value % kPointerBytes != 0 || depth > kLimits.nestingDepth) return false;
  const auto flags = runtime.valueAt<std::uint32_t>(typeDesc, "TypeDesc", "TypeAndFlags");
  if (!flags) return false;
  const auto isPart = [&](const Result<Address>& part) { return part && isTypeHandle(*part, depth + 1); };
  switch (static_cast<ElementType>(*flags & runtime.contract().constant("TypeDesc.KindMask"))) {
    case ElementType::Ptr:
    case ElementType::ByRef:
      return isPart(runtime.pointerAt(typeDesc, "ParamTypeDesc", "TypeArg"));
    case ElementType::Var:
    case ElementType::MVar: {
      const auto module = runtime.pointerAt(typeDesc, "TypeVarTypeDesc", "Module");
      const auto token = runtime.valueAt<std::uint32_t>(typeDesc, "TypeVarTypeDesc", "Token");
      const bool isKnown = module && std::ranges::find(m_readers.modules.all(), *module, &Module::address) !=
                                         m_readers.modules.all().end();
      return isKnown && token && *token >> 24 == kGenericParamTable;
    }
    case ElementType::FnPtr: {
      const auto count = runtime.valueAt<std::uint32_t>(typeDesc, "FnPtrTypeDesc", "NumArgs");
      if (!count || *count > kLimits.typeArguments) return false;
      const Address types = runtime.member(typeDesc, "FnPtrTypeDesc", "RetAndArgTypes");
      for (std::uint64_t i = 0; i <= *count; ++i) {
        if (!isPart(runtime.memory().readPointer(types + kPointerBytes * i))) return false;
      }
      return true;
    }
    default:
      return false;
  }
}

// Methods are in the list of their type, or instantiations in that of a module. Dynamic ones are in none.
bool PointedThings::isMethod(Address methodDesc) const {
  const auto method = m_readers.methods.read(methodDesc);
  const auto type = method ? m_readers.methodTables.read(method->methodTable) : tl::unexpected<Error>(method.error());
  if (!type || method->classification == MethodClassification::Dynamic) return false;
  if (method->classification == MethodClassification::Instantiated && methodInstantiations().contains(methodDesc))
    return true;
  FindingList ignored;
  return std::ranges::any_of(m_readers.methods.chunksOf(*type, ignored), [&](const MethodDescChunk& chunk) {
    return std::ranges::find(chunk.methods, methodDesc, &MethodDesc::address) != chunk.methods.end();
  });
}

std::string PointedThings::methodName(Address methodDesc, TypeHandle declaring) const {
  const auto method = m_readers.methods.read(methodDesc);
  if (!method) return {};
  const bool isExact = declaring && !m_readers.methodTables.isTypeDesc(declaring);
  const auto type = isExact ? m_readers.methodTables.read(declaring) : failure(ErrorCode::NotFound, {});
  const auto arguments = type ? m_readers.methodTables.typeArguments(*type) : tl::unexpected<Error>(type.error());
  if (!arguments || type->canonical != method->methodTable) return m_readers.methodNames.nameOf(methodDesc);
  return m_readers.names.nameOf(declaring) + "." + m_readers.methodNames.signatureOf(*method, *arguments);
}

std::string PointedThings::fieldName(Address fieldDesc) const {
  const auto owner = m_readers.runtime.pointerAt(fieldDesc, "FieldDesc", "EnclosingMethodTable");
  if (!owner || !m_readers.methodTables.isMethodTable(*owner)) return {};
  const auto type = m_readers.methodTables.read(*owner);
  const auto fields = type ? m_readers.fields.declaredBy(*type) : tl::unexpected<Error>(type.error());
  if (!fields) return {};
  const auto field = std::ranges::find(*fields, fieldDesc, &FieldDesc::address);
  return field == fields->end() ? std::string() : m_readers.names.nameOf(*owner) + "." + field->name;
}

const Module* PointedThings::moduleOf(Address assembly) const {
  const ClrRuntime& runtime = m_readers.runtime;
  const Address behind = runtime.pointerAt(assembly, "DomainAssembly", "Assembly").value_or(Address{});
  for (const Module* module : m_readers.modules.all()) {
    if (module->address == assembly) return module;
    const auto own = runtime.pointerAt(module->address, "Module", "Assembly");
    if (own && *own && (*own == assembly || *own == behind)) return module;
  }
  return nullptr;
}

std::optional<GcHandle> PointedThings::handleAt(Address address) const {
  const auto handle = std::ranges::lower_bound(handles(), address, {}, &GcHandle::address);
  return handle != handles().end() && handle->address == address ? std::optional(*handle) : std::nullopt;
}

std::string PointedThings::objectText(Address object) const {
  Address methodTable;
  if (!m_readers.runtime.memory().tryRead(object, methodTable)) return toString(object);
  return fmt::format("{} at {}", m_readers.names.nameOf({methodTable.value & kMethodTableMask}), toString(object));
}

std::string PointedThings::handleText(const GcHandle& handle) const {
  std::string text = fmt::format("{} handle to ", toString(handle.kind));
  if (!handle.object) return text + "nothing";
  // What the handle of an interior pointer holds is no object.
  text += handle.kind == HandleKind::WeakInteriorPointer ? toString(handle.object) : objectText(handle.object);
  if (handle.kind == HandleKind::Dependent && handle.dependent) text += ", value " + objectText(handle.dependent);
  return text;
}

std::string PointedThings::stackText(Address address) const {
  const auto stack =
      std::ranges::find_if(stacks(), [&](const Stack& candidate) { return candidate.range.contains(address); });
  return stack == stacks().end() ? std::string() : fmt::format("stack of thread {}", stack->thread);
}

const std::vector<GcHandle>& PointedThings::handles() const {
  std::call_once(m_hasHandles, [this] {
    FindingList ignored;
    m_handles = readHandles(m_readers.runtime, true, ignored);
    std::ranges::sort(m_handles, {}, &GcHandle::address);
  });
  return m_handles;
}

const std::unordered_set<Address>& PointedThings::methodInstantiations() const {
  std::call_once(m_hasInstantiations, [this] {
    for (const Module* module : m_readers.modules.all()) {
      for (const Address entry : readHandleHashTable(m_readers.runtime, module->address, "InstMethodHashTable"))
        m_instantiations.insert({entry.value & ~kInstantiationFlags});
    }
  });
  return m_instantiations;
}

const std::vector<PointedThings::Stack>& PointedThings::stacks() const {
  std::call_once(m_hasStacks, [this] {
    FindingList ignored;
    for (const RuntimeThread& thread : readThreads(m_readers.runtime, ignored))
      m_stacks.push_back({readThreadDetails(m_readers, thread).stack, thread.managedId});
  });
  return m_stacks;
}

}  // namespace heapscape::engine
