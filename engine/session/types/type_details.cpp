// SPDX-License-Identifier: MIT
#include "session/types/type_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "layout/type_kind.h"
#include "metadata/names/attribute_words.h"
#include "metadata/names/csharp_type_name.h"
#include "runtime/methods/method_descs.h"
#include "runtime/modules/loader_allocators.h"
#include "runtime/types/ee_class.h"
#include "runtime/types/method_tables.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "session/types/generic_lookups.h"
#include "session/types/type_parts.h"
#include "values/primitive_values.h"
#include "values/type_shapes.h"

namespace heapscape::engine {
namespace {

/// A method together with the exact type that declares it.
struct Declared {
  MethodDesc method;
  std::size_t level = 0;  // 0: the type itself, 1: its parent …
};

class MethodRows {
 public:
  MethodRows(const RuntimeReaders& readers, const std::vector<MethodTable>& chain, FindingList& findings)
      : m_readers(readers), m_chain(chain), m_findings(findings) {
    for (const MethodTable& type : chain) {
      m_arguments.push_back(readers.methodTables.typeArguments(type).value_or(std::vector<TypeHandle>{}));
      m_names.push_back(readers.names.nameOf(type.address));
    }
  }

  std::vector<TypeMethod> read() {
    if (m_chain.empty()) return {};
    const auto counts = m_readers.methodSlots.countsOf(m_chain.front());
    if (!counts) {
      m_findings.add(FindingKind::RuntimeDataDamaged, m_chain.front().address,
                     "The slots of a type cannot be counted. " + counts.error().what);
      return {};
    }
    m_virtuals = counts->virtuals;
    collect();
    std::vector<TypeMethod> rows;
    const auto add = [&](const Declared& declared, std::uint32_t slot) {
      TypeMethod& row = rows.emplace_back(rowOf(declared, slot));
      if (declared.method.classification == MethodClassification::Instantiated) addInstantiations(declared, row);
    };
    for (const auto& [slot, declared] : m_bySlot) add(declared, slot);
    for (const MethodDesc& method : m_others) add({method, 0}, method.slot);
    joinAsyncForms(rows);
    return rows;
  }

 private:
  /// Puts the second form of a method below the one that returns the task.
  static void joinAsyncForms(std::vector<TypeMethod>& rows) {
    const auto keyOf = [](const TypeMethod& row) { return std::tuple(row.token, row.declaringType, row.isVirtual); };
    std::map<std::tuple<std::uint32_t, std::string, bool>, TypeMethod*> returning;
    for (TypeMethod& row : rows) {
      if (!row.isAsyncVariant) returning.try_emplace(keyOf(row), &row);
    }
    for (TypeMethod& form : rows) {
      const auto method = form.isAsyncVariant ? returning.find(keyOf(form)) : returning.end();
      if (method != returning.end()) method->second->asyncForms.push_back(std::exchange(form, {}));
    }
    std::erase_if(rows, [](const TypeMethod& row) { return !row.methodDesc; });
  }

  /// The most derived method of each slot wins; one method may fill several.
  void collect() {
    for (std::size_t level = 0; level < m_chain.size(); ++level) {
      for (const MethodDescChunk& chunk : m_readers.methods.chunksOf(m_chain[level], m_findings)) {
        for (const MethodDesc& method : chunk.methods) {
          const bool isInSlot = method.slot < m_virtuals;
          if (isInSlot) m_bySlot.try_emplace(method.slot, Declared{method, level});
          for (const std::uint32_t slot : m_readers.methods.furtherSlots(method)) {
            if (slot < m_virtuals) m_bySlot.try_emplace(slot, Declared{method, level});
          }
          if (!isInSlot && level == 0) m_others.push_back(method);
        }
      }
    }
    std::ranges::stable_sort(m_others, {}, &MethodDesc::slot);
  }

  TypeMethod rowOf(const Declared& declared, std::uint32_t slot) const {
    const MethodDesc& method = declared.method;
    TypeMethod row;
    row.name = m_readers.methodNames.signatureOf(method, m_arguments[declared.level]);
    row.declaringType = m_names[declared.level];
    row.methodDesc = method.address;
    row.token = method.row ? Token{TableId::MethodDef, method.row}.value() : 0;
    row.slot = slot;
    row.isVirtual = slot < m_virtuals;
    row.isInherited = declared.level > 0;
    row.isStatic = method.isStatic;
    row.isAsyncVariant = method.isAsyncVariant;
    row.classification = toString(method.classification);
    const auto entry = row.isVirtual ? m_readers.methodSlots.entryInSlot(m_chain.front().address, slot)
                                     : m_readers.methodSlots.entryPoint(method);
    row.entry = entry.value_or(Address{});
    addCode(method, row);
    const auto owner = m_readers.methodTables.read(method.methodTable);
    row.isShared = owner && genericFormOf(m_readers.runtime, *owner) == GenericForm::Shared;
    if (owner) row.lookupSource = lookupSourceOf(m_readers.runtime, method, *owner);
    return row;
  }

  void addCode(const MethodDesc& method, TypeMethod& row) const {
    row.versions = m_readers.methodCodes.of(method);
    if (const MethodCode* active = activeOf(row.versions)) {
      row.code = active->start;
      row.state = active->state;
      row.tier = active->tier;
      row.codeBytes = active->sizeBytes;
    }
  }

  /// Those of a generic method, of which its own MethodDesc has no code.
  void addInstantiations(const Declared& declared, TypeMethod& row) {
    auto known = m_instantiations.find(declared.level);
    if (known == m_instantiations.end()) {
      auto all = instantiatedMethodsOf(m_readers.methods, m_readers.modules, m_chain[declared.level]);
      known = m_instantiations.emplace(declared.level, std::move(all)).first;
    }
    for (const MethodDesc& method : known->second) {
      if (method.row != declared.method.row || method.isUnboxingStub != declared.method.isUnboxingStub) continue;
      TypeMethod& made = row.instantiations.emplace_back(rowOf({method, declared.level}, row.slot));
      made.entry = m_readers.methodSlots.entryPoint(method).value_or(Address{});
      for (const TypeHandle argument : m_readers.methods.typeArguments(method))
        made.methodArguments.push_back(m_readers.names.nameOf(argument));
      const auto form = m_readers.methods.formOf(method);
      made.isShared |= form.isShared;
      made.sharedMethodDesc = form.wrapped;
      const auto wrapped = form.wrapped ? m_readers.methods.read(form.wrapped) : failure(ErrorCode::NotFound, {});
      if (wrapped) addCode(*wrapped, made);
    }
    std::ranges::stable_sort(row.instantiations, {}, &TypeMethod::name);
  }

  const RuntimeReaders& m_readers;
  const std::vector<MethodTable>& m_chain;
  FindingList& m_findings;
  std::vector<std::vector<TypeHandle>> m_arguments;  // by level
  std::vector<std::string> m_names;                  // by level
  std::uint32_t m_virtuals = 0;
  std::map<std::uint32_t, Declared> m_bySlot;
  std::vector<MethodDesc> m_others;
  std::map<std::size_t, std::vector<MethodDesc>> m_instantiations;  // by level, once they were asked for
};

/// The slots of a type's vtable with the methods that fill them, inherited ones too, then the type's other methods by
/// slot. `chain`: the type, then its parents. What cannot be read is a finding.
std::vector<TypeMethod> readTypeMethods(const Contents& contents, const std::vector<MethodTable>& chain,
                                        FindingList& findings) {
  return MethodRows(*contents.readers, chain, findings).read();
}

std::vector<std::string_view> parameterNames(const RuntimeReaders& readers, const MethodTable& type) {
  const Module* module = readers.modules.definingModule(readers.methodTables, type);
  const auto row = readers.methodTables.typeDefRow(type);
  if (!module || !module->metadata || !row) return {};
  return module->metadata->genericParamNames({TableId::TypeDef, *row});
}

void addArguments(const RuntimeReaders& readers, const MethodTable& type, TypeDetails& details) {
  const auto arguments = readers.methodTables.typeArguments(type);
  if (!arguments) {
    details.findings.push_back({FindingKind::RuntimeDataDamaged, type.address, arguments.error().what});
    return;
  }
  const auto canonical = readers.methodTables.read(type.canonical);
  const auto shared = canonical ? readers.methodTables.typeArguments(*canonical) : arguments;
  const bool isShared = canonical && genericFormOf(readers.runtime, *canonical) == GenericForm::Shared;
  const auto names = parameterNames(readers, type);
  const Address canon = readers.runtime.globalPointer("CanonMethodTable").value_or(Address{});
  for (std::size_t i = 0; i < arguments->size(); ++i) {
    const TypeHandle handle = (*arguments)[i];
    TypeArgument argument;
    argument.parameter = i < names.size() ? std::string(names[i]) : fmt::format("!{}", i);
    argument.argument.name = readers.names.nameOf(handle);
    if (!readers.methodTables.isTypeDesc(handle)) argument.argument.methodTable = handle;
    const TypeHandle general = shared && i < shared->size() ? (*shared)[i] : handle;
    argument.canonicalName = readers.names.nameOf(general);
    argument.isShared = isShared && (general == canon || general != handle);
    details.typeArguments.push_back(std::move(argument));
  }
}

void addSharers(const RuntimeReaders& readers, const MethodTable& type, TypeDetails& details) {
  for (const Address address : readers.loadedTypes.all()) {
    if (address == type.address) continue;
    const auto other = readers.methodTables.read(address);
    if (other && other->isGenericInstance && other->canonical == type.canonical)
      details.sharedWith.push_back({readers.names.nameOf(address), address});
  }
  std::ranges::sort(details.sharedWith, {}, [](const TypeLink& link) { return std::tie(link.name, link.methodTable); });
  const auto [first, last] = std::ranges::unique(details.sharedWith, {}, &TypeLink::methodTable);
  details.sharedWith.erase(first, last);
}

/// Fills in type arguments and who shares the canonical method table.
void readTypeGenerics(const Contents& contents, const MethodTable& type, TypeDetails& details) {
  if (!type.isGenericInstance) return;
  const RuntimeReaders& readers = *contents.readers;
  addArguments(readers, type, details);
  addSharers(readers, type, details);
}

const char* shortElementType(ElementType element) {
  switch (element) {
    case ElementType::Void:
      return "void";
    case ElementType::Boolean:
      return "boolean";
    case ElementType::Char:
      return "char";
    case ElementType::I1:
      return "i1";
    case ElementType::U1:
      return "u1";
    case ElementType::I2:
      return "i2";
    case ElementType::U2:
      return "u2";
    case ElementType::I4:
      return "i4";
    case ElementType::U4:
      return "u4";
    case ElementType::I8:
      return "i8";
    case ElementType::U8:
      return "u8";
    case ElementType::R4:
      return "r4";
    case ElementType::R8:
      return "r8";
    case ElementType::String:
      return "string";
    case ElementType::Ptr:
      return "pointer";
    case ElementType::ByRef:
      return "byref";
    case ElementType::ValueType:
      return "valuetype";
    case ElementType::Class:
      return "class";
    case ElementType::Array:
      return "array";
    case ElementType::TypedByRef:
      return "typedbyref";
    case ElementType::I:
      return "i";
    case ElementType::U:
      return "u";
    case ElementType::Object:
      return "object";
    case ElementType::SzArray:
      return "szarray";
    default:
      return "";
  }
}

/// Fills in one part of the page after the other; what cannot be read stays empty and is a finding.
class TypeDescriber {
 public:
  TypeDescriber(const Snapshot& snapshot, const MethodTable& type, Address object)
      : m_contents(snapshot.contents()), m_readers(*m_contents.readers), m_type(type), m_object(object) {}

  TypeDetails describe() {
    if (!m_readers.modules.areAssemblies()) return describeCompiled();
    describeIdentity();
    describeModule();
    describeParents();
    describeFigures();
    describeClass();
    describeArray();
    describeEnum();
    describeInterfaces();
    describeObjects();
    FindingList findings;
    m_details.fields = readTypeFields(m_contents, m_chain, m_object, findings);
    m_details.methods = readTypeMethods(m_contents, m_chain, findings);
    describeInitialisation();
    readTypeGenerics(m_contents, m_type, m_details);
    readTypeLookups(m_contents, m_type, m_details);
    for (OwnedTypePart& part : readTypeParts(m_contents, m_type)) m_details.parts.push_back(std::move(part.part));
    m_details.findings.insert(m_details.findings.end(), findings.items().begin(), findings.items().end());
    return std::move(m_details);
  }

 private:
  const ClrRuntime& runtime() const { return m_readers.runtime; }
  std::string nameOf(TypeHandle handle) const { return m_readers.names.nameOf(handle); }
  TypeLink linkTo(TypeHandle handle) const {
    return {nameOf(handle), m_readers.methodTables.isTypeDesc(handle) ? Address{} : handle};
  }
  void noteDamage(Address address, const Error& error) {
    m_details.findings.push_back({FindingKind::RuntimeDataDamaged, address, error.what});
  }
  /// The value, or a default and a finding.
  template <class T>
  T orFinding(const Result<T>& value) {
    if (!value) noteDamage(m_type.address, value.error());
    return value ? *value : T{};
  }

  // All that a program compiled ahead of time has of a type lies in and around its method table.
  TypeDetails describeCompiled() {
    describeMethodTable();
    describeParents();
    describeArray();
    describeCompiledEnum();
    describeInterfaces();
    describeObjects();
    describeCompiledMethods();
    if (m_readers.fields.areTold()) {
      FindingList findings;
      m_details.fields = readTypeFields(m_contents, m_chain, m_object, findings);
      m_details.findings.insert(m_details.findings.end(), findings.items().begin(), findings.items().end());
      countCompiledFields();
    }
    addCompiledArguments();
    return std::move(m_details);
  }

  void describeCompiledEnum() {
    const Address parent = m_type.parent;
    if (!parent || parent != runtime().globalPointer("EnumMethodTable").value_or(Address{})) return;
    const auto underlying = m_readers.methodTables.normalisedElementType(m_type);
    const std::vector<EnumLiteral> literals = m_readers.fields.literalsOf(m_type);
    if (!underlying || literals.empty()) return;
    m_details.isFlags = m_readers.fields.isToldAsFlags(m_type).value_or(false);
    m_details.underlyingType = primitiveName(*underlying);
    const std::uint32_t bits = primitiveSize(*underlying) * 8;
    for (const EnumLiteral& literal : literals) {
      const std::uint64_t value = bits < 64 ? literal.value & ((1ull << bits) - 1) : literal.value;
      m_details.members.push_back({literal.name, value, integerText(*underlying, value)});
    }
  }

  // Virtual methods are all that leads from a type to its code. Slots of generic types may lead to other things.
  void describeCompiledMethods() {
    const auto slots = m_readers.methodSlots.compiledSlots(m_type.address);
    if (!slots) return;
    m_details.vtableSlots = m_details.totalSlots = static_cast<std::uint32_t>(slots->size());
    const auto inherited =
        m_type.parent ? m_readers.methodSlots.compiledSlots(m_type.parent) : failure(ErrorCode::NotFound, {});
    for (std::uint32_t slot = 0; slot < slots->size(); ++slot) {
      const Address code = (*slots)[slot];
      const Address method = m_readers.code.methodAtEntry(code);
      const auto name = m_readers.methodNames.compiledName(method);
      if (!method) continue;
      TypeMethod& row = m_details.methods.emplace_back();
      row.name = name ? name->method + name->parameters : toString(code);
      row.declaringType = name ? name->type : std::string();
      row.methodDesc = row.entry = row.code = code;
      row.slot = slot;
      row.isVirtual = true;
      row.isInherited = inherited && slot < inherited->size() && (*inherited)[slot] == code;
      row.state = MethodState::ReadyToRun;
    }
    m_details.methodCount = static_cast<std::uint32_t>(m_details.methods.size());
  }

  void countCompiledFields() {
    const auto own = m_readers.fields.declaredBy(m_type);
    if (!own) return;
    for (const FieldDesc& field : *own) {
      if (!field.isStatic) ++m_details.instanceFieldCount;
      if (field.isStatic) ++m_details.staticFieldCount;
      if (field.isThreadStatic) ++m_details.threadStaticFieldCount;
    }
  }

  void addCompiledArguments() {
    const auto arguments = m_readers.methodTables.typeArguments(m_type);
    if (!arguments) return;
    for (std::size_t i = 0; i < arguments->size(); ++i) {
      TypeArgument& argument = m_details.typeArguments.emplace_back();
      argument.parameter = fmt::format("!{}", i);
      argument.argument = linkTo((*arguments)[i]);
      argument.canonicalName = argument.argument.name;
    }
  }

  void describeIdentity() {
    describeMethodTable();
    m_details.eeClass = m_type.eeClass;
    m_details.auxiliaryData = orFinding(runtime().pointerAt(m_type.address, "MethodTable", "AuxiliaryData"));
    m_details.flags2 = orFinding(readFlags2(runtime(), m_type));
    m_details.flagNames = flagNames(runtime(), m_type, m_details.flags2);
    m_details.attributes = orFinding(runtime().valueAt<std::uint32_t>(m_type.eeClass, "EEClass", "CorTypeAttr"));
    m_details.attributeNames = typeAttributeWords(m_details.attributes);
  }

  void describeMethodTable() {
    m_details.name = nameOf(m_type.address);
    m_details.csharpName = csharpTypeName(m_details.name);
    m_details.methodTable = m_type.address;
    m_details.canonical = linkTo(m_type.canonical);
    m_details.kind = toString(kindOf(runtime(), m_type));
    m_details.elementType =
        shortElementType(m_readers.methodTables.normalisedElementType(m_type).value_or(ElementType::End));
    m_details.baseSize = m_type.baseSize;
    m_details.componentSize = m_type.componentSize;
    m_details.flags = m_type.flags;
    m_details.containsPointers = m_type.containsPointers;
    m_details.isCollectible = m_type.isCollectible;
    m_details.hasFinalizer = (m_type.flags & runtime().contract().constant("MTFlags.HasFinalizer")) != 0;
  }

  void describeModule() {
    m_details.loaderModule = orFinding(m_readers.methodTables.loaderModule(m_type));
    m_details.loaderAllocator = orFinding(loaderAllocatorOf(m_readers.methodTables, m_type));
    const Module* module = m_readers.modules.definingModule(m_readers.methodTables, m_type);
    if (!module) return;
    m_details.module = module->address;
    m_details.moduleName = module->name;
    m_details.modulePath = module->path;
    m_details.loadContext = m_readers.loadContexts.nameOf(*module);
    const auto row = m_readers.methodTables.typeDefRow(m_type);
    if (m_type.isArray || !row || *row == 0) return;
    m_details.token = Token{TableId::TypeDef, *row}.value();
    if (module->metadata) m_details.clrName = module->metadata->typeDefName(*row);
  }

  void describeParents() {
    m_chain.push_back(m_type);
    while (m_chain.back().parent && m_chain.size() < kLimits.parentDepth) {
      const auto parent = m_readers.methodTables.read(m_chain.back().parent);
      if (!parent) {
        noteDamage(m_chain.back().parent, parent.error());
        break;
      }
      m_details.parents.push_back(linkTo(parent->address));
      m_chain.push_back(*parent);
    }
    if (!m_details.parents.empty()) m_details.parent = m_details.parents.front();
  }

  void describeFigures() {
    const auto slots = orFinding(m_readers.methodSlots.countsOf(m_type));
    m_details.vtableSlots = slots.virtuals;
    m_details.totalSlots = slots.total;
    const auto counts = orFinding(readEEClassCounts(runtime(), m_type));
    m_details.methodCount = counts.methods;
    m_details.instanceFieldCount = counts.instanceFields;
    m_details.staticFieldCount = counts.staticFields;
    m_details.threadStaticFieldCount = counts.threadStaticFields;
  }

  void describeClass() {
    m_details.eeClassFigures = orFinding(readEEClassFigures(runtime(), m_type));
    m_details.eeClassOptionalFields = orFinding(readEEClassOptionalFields(runtime(), m_type));
    m_details.eeClassLayout = orFinding(readEEClassLayout(runtime(), m_type));
  }

  void describeArray() {
    if (!m_type.isArray) return;
    if (const auto element = m_readers.methodTables.arrayElementType(m_type))
      m_details.elementTypeLink = linkTo(*element);
    m_details.rank = orFinding(m_readers.methodTables.arrayRank(m_type));
  }

  void describeEnum() {
    const Address parent = m_type.parent;
    if (!parent || parent != runtime().globalPointer("EnumMethodTable").value_or(Address{})) return;
    const Module* module = m_readers.modules.definingModule(m_readers.methodTables, m_type);
    const auto row = m_readers.methodTables.typeDefRow(m_type);
    const auto underlying = m_readers.methodTables.normalisedElementType(m_type);
    if (!module || !module->metadata || !row || !underlying) return;
    const EnumNames names = readEnumNames(*module->metadata, *row, *underlying);
    m_details.isFlags = names.isFlags;
    m_details.underlyingType = primitiveName(*underlying);
    for (const EnumNames::Member& member : names.members)
      m_details.members.push_back({member.name, member.value, integerText(*underlying, member.value)});
  }

  void describeInterfaces() {
    for (const Address address : orFinding(readInterfaceMap(runtime(), m_type)).interfaces) {
      TypeLink link = linkTo(address);
      const auto interface = m_readers.methodTables.read(address);
      // The open form stands for the interface over the type itself.
      if (interface && !isOpen(runtime(), m_type) && genericFormOf(runtime(), *interface) == GenericForm::Typical) {
        const auto parameters = m_readers.methodTables.typeArguments(*interface);
        std::string arguments;
        for (std::size_t i = 0; parameters && i < parameters->size(); ++i)
          arguments += (i ? ", " : "") + m_details.name;
        link.name = link.name.substr(0, link.name.find('<')) + "<" + arguments + ">";
      }
      m_details.interfaces.push_back(std::move(link));
    }
  }

  void describeObjects() {
    const auto& heap = m_contents.heap;
    const TypeIndex::Slot* slot = heap ? heap->types.find(m_type.address.value) : nullptr;
    if (!slot) return;
    m_details.objects = heap->counts.count[slot->type];
    m_details.bytes = heap->counts.bytes[slot->type];
  }

  void describeInitialisation() {
    m_details.isDynamicStatics =
        (m_details.flags2 & runtime().contract().constant("MTFlags2.DynamicStatics")) != 0 || hasStaticsOfItsOwn();
    if (!hasClassConstructor(runtime(), m_details.flags2)) return;
    const auto area = m_readers.staticFields.areaOf(m_type);
    m_details.isClassInitialised = area && area->isInitialised;
  }

  // .NET 8: statics that are not laid out for the module as a whole.
  bool hasStaticsOfItsOwn() const {
    const std::uint64_t mask = runtime().contract().constant("MTFlags.StaticsMask");
    return !m_type.hasComponentSize && (m_type.flags & mask) != 0;
  }

  const Contents& m_contents;
  const RuntimeReaders& m_readers;
  const MethodTable m_type;
  const Address m_object;
  std::vector<MethodTable> m_chain;
  TypeDetails m_details;
};

/// Whether an object begins at the address and has the type's fields.
Result<void> checkIsInstance(const Snapshot& snapshot, Address object, const MethodTable& type) {
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const auto row = objectAt(snapshot, object);
  if (!row || row->address != object)
    return failure(ErrorCode::BadQuery, fmt::format("No object begins at {}.", toString(object)));
  const TypeRow& actual = snapshot.types()[row->type.value];
  Address level = actual.methodTable;
  for (std::size_t depth = 0; level && depth < kLimits.parentDepth; ++depth) {
    if (level == type.address) return {};
    const auto parent = readers.methodTables.read(level);
    if (!parent) break;
    level = parent->parent;
  }
  return failure(ErrorCode::BadQuery, fmt::format("The object at {} is a {}, no {}.", toString(object), actual.name,
                                                  readers.names.nameOf(type.address)));
}

}  // namespace

Result<TypeDetails> typeDetails(const Snapshot& snapshot, Address methodTable, Address object) {
  const RuntimeReaders& readers = *snapshot.contents().readers;
  // Free space has a method table with nothing behind it.
  if (methodTable == readers.runtime.globalPointer("FreeObjectMethodTable").value_or(Address{})) {
    return failure(ErrorCode::NotFound, "Free space has a method table of its own, but it is no type.");
  }
  HEAPSCAPE_TRY(const MethodTable type, readers.methodTables.read(methodTable));
  if (object) HEAPSCAPE_CHECK(checkIsInstance(snapshot, object, type));
  return TypeDescriber(snapshot, type, object).describe();
}

}  // namespace heapscape::engine
