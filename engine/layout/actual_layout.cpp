// SPDX-License-Identifier: MIT
#include "layout/actual_layout.h"

#include <algorithm>

#include "base/address.h"
#include "base/limits.h"
#include "layout/object_size.h"
#include "layout/padding.h"
#include "layout/repeated_field.h"
#include "layout/type_kind.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

namespace {

constexpr std::uint32_t kTypedReferenceBytes = 16;

class LayoutReader {
 public:
  LayoutReader(const LayoutSources& sources, LayoutNames named)
      : m_sources(sources), m_isNamed(named == LayoutNames::All) {}

  Result<TypeLayout> read(Address methodTable) {
    HEAPSCAPE_TRY(const MethodTable type, m_sources.methodTables.read(methodTable));
    TypeLayout layout;
    layout.methodTable = methodTable;
    layout.typeName = nameOf(methodTable);
    layout.baseSize = type.baseSize;
    layout.componentSize = type.componentSize;
    layout.kind = kindOf(runtime(), type);
    if (const Module* module = m_isNamed ? moduleOf(type) : nullptr) layout.assembly = module->name;
    if (type.isArray) {
      describeArray(layout, type);
      return layout;
    }
    describeDeclaration(layout, type);
    if (type.isInterface) return layout;
    if (type.isValueType) {
      HEAPSCAPE_TRY(layout.valueSize, m_sources.methodTables.valueSize(type));
    }
    layout.fieldsBytes = layout.valueSize.value_or(type.baseSize - std::min(type.baseSize, kObjectOverheadBytes));
    HEAPSCAPE_CHECK(addLevels(layout, type));
    readReferences(layout, type);
    if (type.isContinuation) addSaved(layout);
    for (const LayoutField& field : layout.fields) {
      if (field.offset + std::uint64_t{field.sizeBytes} * field.repeat <= layout.fieldsBytes) continue;
      return failure(ErrorCode::Damaged,
                     "The field " + field.name + " lies outside the objects of " + layout.typeName + ".");
    }
    layout.effectiveKind = effectiveKindOf(layout, type);
    findPaddings(layout);
    return layout;
  }

 private:
  const ClrRuntime& runtime() const { return m_sources.methodTables.runtime(); }

  std::string nameOf(TypeHandle type) const { return m_isNamed ? m_sources.names.nameOf(type) : std::string(); }

  bool isGlobal(Address methodTable, std::string_view name) const {
    const auto global = runtime().globalPointer(name);
    return global && *global == methodTable;
  }

  const Module* moduleOf(const MethodTable& type) const {
    return m_sources.modules.definingModule(m_sources.methodTables, type);
  }

  std::optional<LayoutKind> declaredKindOf(const MethodTable& type) const {
    const Module* module = moduleOf(type);
    const auto row = m_sources.methodTables.typeDefRow(type);
    const auto definition = module && module->metadata && row ? module->metadata->typeDef(*row) : std::nullopt;
    if (definition) return declaredLayoutKind(*module->metadata, *row, definition->flags);
    const auto told = toldAttributesOf(type);
    return told ? std::optional(declaredLayoutKind(told->flags)) : std::nullopt;
  }

  /// What a program without assemblies keeps of how a type is declared.
  std::optional<ToldDeclaration::Attributes> toldAttributesOf(const MethodTable& type) const {
    if (m_sources.modules.areAssemblies()) return std::nullopt;
    const auto told = m_sources.fields.toldDeclarationOf(type);
    return told ? told->attributes : std::nullopt;
  }

  void describeDeclaration(TypeLayout& layout, const MethodTable& type) const {
    layout.declaredKind = declaredKindOf(type);
    const Module* module = moduleOf(type);
    const auto row = m_sources.methodTables.typeDefRow(type);
    if (const auto told = toldAttributesOf(type)) {
      layout.declaredPack = told->pack;
      layout.declaredSize = told->size;
    }
    if (!module || !module->metadata || !row) return;
    if (const auto declared = module->metadata->classLayout(*row)) {
      layout.declaredPack = declared->packingSize;
      layout.declaredSize = declared->classSize;
    }
  }

  // A sequential type that holds references, or that derives from a class without a layout of its own, is laid out as
  // auto (methodtablebuilder.cpp, HasLayout and IsBlittable in dotnet/runtime).
  LayoutKind effectiveKindOf(const TypeLayout& layout, const MethodTable& type) const {
    const LayoutKind declared = layout.declaredKind.value_or(LayoutKind::Auto);
    if (declared != LayoutKind::Sequential) return declared;
    if (type.containsPointers) return LayoutKind::Auto;
    if (type.isValueType || isGlobal(type.parent, "ObjectMethodTable")) return LayoutKind::Sequential;
    const auto parent = m_sources.methodTables.read(type.parent);
    const bool hasLayout = parent && declaredKindOf(*parent).value_or(LayoutKind::Auto) != LayoutKind::Auto;
    return hasLayout ? LayoutKind::Sequential : LayoutKind::Auto;
  }

  Result<void> addLevels(TypeLayout& layout, const MethodTable& type) {
    std::vector<MethodTable> chain{type};
    while (!type.isValueType && chain.back().parent) {
      if (chain.size() > kLimits.parentDepth)
        return failure(ErrorCode::Damaged, "The chain of base types runs in a circle.");
      HEAPSCAPE_TRY(MethodTable parent, m_sources.methodTables.read(chain.back().parent));
      chain.push_back(std::move(parent));
    }
    for (auto level = chain.rbegin(); level != chain.rend(); ++level) {
      HEAPSCAPE_TRY(std::vector<LayoutField> fields, fieldsOf(*level, 0));
      layout.addLevel(nameOf(level->address), level->address, std::move(fields));
    }
    sortAndClose(layout.fields, layout.fieldsBytes);
    return {};
  }

  // Own instance fields of one type of the chain, or of a value type that lies inside another.
  Result<std::vector<LayoutField>> fieldsOf(const MethodTable& type, std::size_t depth) {
    std::vector<LayoutField> fields;
    HEAPSCAPE_TRY(const std::vector<FieldDesc> declared, m_sources.fields.declaredBy(type));
    if (declared.empty()) return fields;
    // Statics count too, since reading them takes as long.
    m_fieldCount += declared.size();
    if (m_fieldCount > kMaximumFieldsOfLayout)
      return failure(ErrorCode::Damaged, "The type has more fields than any real one.");
    SignatureContext context{moduleOf(type), {}};
    if (auto arguments = m_sources.methodTables.typeArguments(type)) context.arguments = std::move(*arguments);
    const std::string declaringType = nameOf(type.address);
    for (const FieldDesc& field : declared) {
      if (field.isStatic) continue;
      fields.push_back(readField(field, context, depth));
      fields.back().declaringType = declaringType;
    }
    if (fields.size() == 1) {
      fields.front().repeat = repeatOfOnlyField(m_sources.methodTables, m_sources.modules, m_sources.fields, type,
                                                m_sources.names.nameOf(type.address), fields.front().sizeBytes);
    }
    return fields;
  }

  LayoutField readField(const FieldDesc& desc, const SignatureContext& context, std::size_t depth) {
    LayoutField field;
    if (m_isNamed) {
      field.name = desc.name;
      field.typeName = m_sources.resolver.nameOf(desc, context);
    }
    field.offset = desc.offset;
    const auto signature = decodeFieldSignature(desc.signature);
    switch (desc.elementType) {
      case ElementType::Class:
        field.kind = FieldKind::Reference;
        field.sizeBytes = kPointerBytes;
        break;
      case ElementType::ValueType:
        field.kind = FieldKind::ValueType;
        readValueType(field, m_sources.resolver.find(desc, context), depth);
        break;
      case ElementType::TypedByRef:
        field.kind = FieldKind::Pointer;
        field.sizeBytes = kTypedReferenceBytes;
        break;
      default: {
        const bool isPointer =
            signature && (signature->element == ElementType::Ptr || signature->element == ElementType::FnPtr ||
                          signature->element == ElementType::ByRef);
        field.kind = isPointer || desc.elementType == ElementType::ByRef ? FieldKind::Pointer : FieldKind::Primitive;
        field.sizeBytes = primitiveSize(desc.elementType);
        break;
      }
    }
    return field;
  }

  void readValueType(LayoutField& field, TypeHandle handle, std::size_t depth) {
    if (!handle || m_sources.methodTables.isTypeDesc(handle) || depth > kLimits.nestingDepth) return;
    const auto type = m_sources.methodTables.read(handle);
    if (!type || !type->isValueType) return;
    const auto size = m_sources.methodTables.valueSize(*type);
    if (!size) return;
    field.methodTable = handle;
    field.sizeBytes = *size;
    auto nested = fieldsOf(*type, depth + 1);
    if (!nested) return;
    sortAndClose(*nested, *size);
    field.nested = std::move(*nested);
    TypeLayout::move(field.nested, field.offset);
  }

  // Orders fields by offset; one whose type is not known reaches up to the next.
  static void sortAndClose(std::vector<LayoutField>& fields, std::uint32_t end) {
    TypeLayout::sortByOffset(fields);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].sizeBytes) continue;
      const std::uint32_t next = i + 1 < fields.size() ? fields[i + 1].offset : end;
      fields[i].sizeBytes = next - std::min(next, fields[i].offset);
    }
  }

  // The GCDesc in front of the method table: {size − object size, offset} of each run (src/coreclr/gc/gcdesc.h).
  void readReferences(TypeLayout& layout, const MethodTable& type) const {
    std::int64_t series = 0;
    if (!type.containsPointers || !runtime().memory().tryRead(type.address - 8, series)) return;
    if (series <= 0 || static_cast<std::size_t>(series) > kLimits.fieldsPerType) return;
    for (std::int64_t i = 0; i < series; ++i) {
      const Address entry = type.address - 8 - 16 * static_cast<std::uint64_t>(i + 1);
      std::int64_t size = 0;
      std::uint64_t offset = 0;
      if (!runtime().memory().tryRead(entry, size) || !runtime().memory().tryRead(entry + 8, offset)) return;
      const std::int64_t bytes = size + type.baseSize;
      if (bytes <= 0 || bytes > type.baseSize || offset < kFieldsStart || offset > type.baseSize) continue;
      layout.references.emplace_back(static_cast<std::uint32_t>(offset - kFieldsStart),
                                     static_cast<std::uint32_t>(bytes));
    }
    std::sort(layout.references.begin(), layout.references.end());
  }

  // The locals that a continuation keeps are declared nowhere; all methods with the same words of references share its
  // type. Each run of words is one field, called as a place of which nothing is known.
  void addSaved(TypeLayout& layout) const {
    auto at = static_cast<std::uint32_t>(runtime().contract().sizeOf("ContinuationObject") - kFieldsStart);
    std::vector<LayoutField> saved;
    const auto addUpTo = [&](std::uint32_t end, bool areReferences) {
      end = std::min(end, layout.fieldsBytes);
      if (at >= end) return;
      const std::uint32_t each = areReferences ? kPointerBytes : 1;
      saved.push_back({.declaringType = layout.typeName,
                       .name = "+" + std::to_string(at + kFieldsStart),
                       .typeName = areReferences ? "System.Object" : "System.Byte",
                       .offset = at,
                       .sizeBytes = each,
                       .repeat = (end - at) / each,
                       .kind = areReferences ? FieldKind::Reference : FieldKind::Primitive,
                       .methodTable = {},
                       .nested = {}});
      at = end;
    };
    for (const auto& [offset, bytes] : layout.references) {
      if (offset < at) continue;
      addUpTo(offset, false);
      addUpTo(offset + bytes, true);
    }
    addUpTo(layout.fieldsBytes, false);
    layout.addLevel(layout.typeName, layout.methodTable, std::move(saved));
    TypeLayout::sortByOffset(layout.fields);
  }

  void describeArray(TypeLayout& layout, const MethodTable& array) {
    const auto element = m_sources.methodTables.arrayElementType(array);
    if (!element) return;
    layout.rank = m_sources.methodTables.arrayRank(array).value_or(1);
    layout.elementTypeName = nameOf(*element);
    // The object's size counts the header, which lies in front of its address, so elements begin 8 bytes before it.
    layout.elementOffset = array.baseSize - std::min(array.baseSize, kFieldsStart);
    layout.elementKind = FieldKind::Pointer;
    if (m_sources.methodTables.isTypeDesc(*element)) return;
    layout.elementKind = FieldKind::Reference;
    const auto type = m_sources.methodTables.read(*element);
    if (!type || !type->isValueType) return;
    layout.elementKind = FieldKind::Primitive;
    const auto normalised = m_sources.methodTables.normalisedElementType(*type);
    if (normalised && *normalised != ElementType::ValueType) return;
    layout.elementKind = FieldKind::ValueType;
    if (auto nested = read(*element)) layout.elementLayout.push_back(std::move(*nested));
  }

  const LayoutSources& m_sources;
  const bool m_isNamed;
  std::size_t m_fieldCount = 0;
};

}  // namespace

Result<TypeLayout> readActualLayout(const LayoutSources& sources, Address methodTable, LayoutNames named) {
  return LayoutReader(sources, named).read(methodTable);
}

}  // namespace heapscape::engine
