// SPDX-License-Identifier: MIT
#include "runtime/types/field_descs.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "runtime/aot/aot_program.h"
#include "runtime/types/ee_class.h"

namespace heapscape::engine {

namespace {

FieldDesc fieldDescOf(AotField read) {
  FieldDesc field;
  field.name = std::move(read.name);
  field.offset = read.offset;
  field.elementType = read.element;
  field.isStatic = read.place != AotField::Place::Instance;
  field.isThreadStatic = read.place == AotField::Place::Thread;
  field.isUnboxed = field.isStatic;
  field.isAmongReferences = read.place == AotField::Place::Object;
  field.type = read.type;
  field.typeName = std::move(read.typeName);
  return field;
}

Result<std::vector<FieldDesc>> fieldsOfCompiled(const AotProgram& program, const MethodTable& type) {
  if (type.isArray) return std::vector<FieldDesc>{};
  const AotToldTypes* told = program.debugFile.types();
  if (!told) return failure(ErrorCode::NotFound, "A Native AOT program does not tell of the fields of its types.");
  HEAPSCAPE_TRY(std::vector<AotField> read, told->declaredBy(type.address));
  std::vector<FieldDesc> fields;
  fields.reserve(read.size());
  for (AotField& one : read) fields.push_back(fieldDescOf(std::move(one)));
  return fields;
}

}  // namespace

bool FieldDescs::areTold() const {
  const AotProgram* aot = m_methodTables.runtime().aot();
  return !aot || aot->debugFile.types();
}

std::string FieldDescs::fileName() const {
  const AotProgram* aot = m_methodTables.runtime().aot();
  return aot ? aot->debugFile.fileName() : std::string();
}

std::string FieldDescs::problem() const {
  const AotProgram* aot = m_methodTables.runtime().aot();
  return aot ? aot->debugFile.problem() : std::string();
}

std::vector<EnumLiteral> FieldDescs::literalsOf(const MethodTable& type) const {
  std::vector<EnumLiteral> literals;
  const AotProgram* aot = m_methodTables.runtime().aot();
  const AotToldTypes* told = aot ? aot->debugFile.types() : nullptr;
  if (!told) return literals;
  for (AotToldTypes::Literal& one : told->literalsOf(type.address))
    literals.push_back({std::move(one.name), one.value});
  return literals;
}

std::optional<bool> FieldDescs::isToldAsFlags(const MethodTable& type) const {
  const AotProgram* aot = m_methodTables.runtime().aot();
  return aot ? aot->modules.hasAttribute(type.address, "System.FlagsAttribute") : std::nullopt;
}

Result<ToldDeclaration> FieldDescs::toldDeclarationOf(const MethodTable& type) const {
  const AotProgram* aot = m_methodTables.runtime().aot();
  const AotToldTypes* told = aot ? aot->debugFile.types() : nullptr;
  if (!told) return failure(ErrorCode::NotFound, "No debugging information tells how types are declared.");
  HEAPSCAPE_TRY(AotDeclaration read, told->declarationOf(type.address));
  ToldDeclaration declaration{.definition = std::move(read.definition), .assembly = std::move(read.assembly)};
  for (AotField& one : read.fields) declaration.fields.push_back(fieldDescOf(std::move(one)));
  if (read.attributes) declaration.attributes = {read.attributes->flags, read.attributes->size, read.attributes->pack};
  return declaration;
}

Result<std::vector<FieldDesc>> FieldDescs::declaredBy(const MethodTable& type) const {
  std::vector<DeclaredField> places;
  if (const AotProgram* aot = m_methodTables.runtime().aot()) return fieldsOfCompiled(*aot, type);
  HEAPSCAPE_CHECK(placesOf(type, places));
  std::vector<FieldDesc> fields;
  if (places.empty()) return fields;
  const Module* module = m_modules.definingModule(m_methodTables, type);
  const Metadata* metadata = module ? module->metadata.get() : nullptr;
  fields.reserve(places.size());
  for (const DeclaredField& place : places) {
    const auto row = metadata ? metadata->field(place.row) : std::nullopt;
    fields.push_back({place, row ? std::string(row->name) : fmt::format("field#{}", place.row), {}, {}});
    if (row) fields.back().signature = row->signature;
  }
  return fields;
}

Result<void> FieldDescs::placesOf(const MethodTable& type, std::vector<DeclaredField>& places) const {
  places.clear();
  if (type.isArray || type.isContinuation) return {};
  const ClrRuntime& runtime = m_methodTables.runtime();
  if (const AotProgram* aot = runtime.aot()) {
    HEAPSCAPE_TRY(const std::vector<FieldDesc> fields, fieldsOfCompiled(*aot, type));
    places.assign(fields.begin(), fields.end());
    return {};
  }
  HEAPSCAPE_TRY(const EEClassCounts counts, readEEClassCounts(runtime, type));
  std::uint32_t inherited = 0;
  if (type.parent) {
    HEAPSCAPE_TRY(const MethodTable parent, m_methodTables.read(type.parent));
    HEAPSCAPE_TRY(const EEClassCounts parents, readEEClassCounts(runtime, parent));
    inherited = parents.instanceFields;
  }
  const std::uint64_t own = std::uint64_t{counts.instanceFields} - inherited + counts.staticFields;
  if (counts.instanceFields < inherited || own > kLimits.fieldsPerType) {
    return failure(ErrorCode::Damaged,
                   fmt::format("The field counts of method table {} contradict its parent's.", toString(type.address)));
  }
  HEAPSCAPE_TRY(const Address list, runtime.pointerAt(type.eeClass, "EEClass", "FieldDescList"));
  const std::uint64_t size = runtime.contract().sizeOf("FieldDesc");
  places.reserve(own);
  for (std::uint64_t i = 0; i < own; ++i) {
    HEAPSCAPE_TRY(const DeclaredField place, readDeclared(list + i * size));
    places.push_back(place);
  }
  return {};
}

Result<DeclaredField> FieldDescs::readDeclared(Address address) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const std::uint32_t first, runtime.valueAt<std::uint32_t>(address, "FieldDesc", "DWord1"));
  HEAPSCAPE_TRY(const std::uint32_t second, runtime.valueAt<std::uint32_t>(address, "FieldDesc", "DWord2"));
  DeclaredField place;
  place.address = address;
  place.row = static_cast<std::uint32_t>(first & contract.constant("FieldDesc.DWord1.TokenMask"));
  place.isStatic = (first & contract.constant("FieldDesc.DWord1.IsStatic")) != 0;
  place.isThreadStatic = (first & contract.constant("FieldDesc.DWord1.IsThreadStatic")) != 0;
  place.isRva = (first & contract.constant("FieldDesc.DWord1.IsRVA")) != 0;
  place.offset = static_cast<std::uint32_t>(second & contract.constant("FieldDesc.DWord2.OffsetMask"));
  place.elementType = static_cast<ElementType>(second >> contract.constant("FieldDesc.DWord2.TypeShift"));
  return place;
}

}  // namespace heapscape::engine
