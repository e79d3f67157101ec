// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_told_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "base/address.h"
#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kTypeSymbol = "_ZTV";
constexpr std::string_view kStaticsSymbol = "__GCSTATICS";
constexpr std::string_view kThreadStaticsSymbol = "__TypeThreadStaticIndex";
constexpr std::string_view kBoxedPrefix = "Boxed_";
constexpr std::string_view kNullablePrefix = "S_P_CoreLib_System_Nullable_1<";
constexpr std::string_view kEnumField = "value__";
constexpr std::string_view kCanonical = "System___Canon";
constexpr std::uint32_t kObjectHeaderBytes = 8;
constexpr std::uint32_t kLeastObjectBytes = 24;
constexpr std::uint64_t kNotMadeYet = 7;  // bits of what stands in the place of an object that is not there yet

/// The type in the name of a MethodTable's symbol, "_ZTV14aotapp_Zoo_Dog"; empty if it is no such symbol.
std::string_view typeInSymbol(std::string_view symbol) {
  if (!symbol.starts_with(kTypeSymbol)) return {};
  symbol.remove_prefix(kTypeSymbol.size());
  std::size_t length = 0;
  const auto [behind, error] = std::from_chars(symbol.data(), symbol.data() + symbol.size(), length);
  if (error != std::errc()) return {};
  symbol.remove_prefix(static_cast<std::size_t>(behind - symbol.data()));
  if (symbol.size() != length) return {};
  if (symbol.starts_with(kBoxedPrefix)) symbol.remove_prefix(kBoxedPrefix.size());
  return symbol;
}

tl::unexpected<Error> typeNotTold(Address type) {
  return failure(ErrorCode::NotFound,
                 fmt::format("The program's debugging information does not tell of the type {}.", toString(type)));
}

/// Whether the reference to an object with static fields lies there, or what stands in its place until that is made. Of
/// thread statics something else does.
bool isCellOfStatics(const AotMethodTables& methodTables, Address cell) {
  Address object, methodTable;
  const AddressSpace& memory = methodTables.memory();
  if (!memory.tryRead(cell, object) || !object) return false;
  if (object.value & kNotMadeYet) return true;
  if (!memory.tryRead(object, methodTable)) return false;
  const auto type = methodTables.read(methodTable);
  return type && type->isStaticsBase;
}

bool isNumberOrEnum(const DwarfType& type) {
  return type.kind == DwarfType::Kind::Number || type.kind == DwarfType::Kind::Enum;
}

}  // namespace

AotToldTypes::AotToldTypes(DwarfTypes types, Address bias, const AotMethodTables& methodTables,
                           const AotModules& modules, const AotTypeNames& names)
    : m_methodTables(methodTables),
      m_modules(modules),
      m_names(names),
      m_types(std::move(types)),
      m_bias(bias),
      m_namer({.type =
                   [this](std::string_view name) {
                     const auto known = m_methodTableOf.find(name);
                     return known == m_methodTableOf.end() ? std::string() : m_names.nameOf(known->second);
                   },
               .definition =
                   [this](std::string_view name) {
                     const auto known = m_methodTableOf.find(name);
                     return known == m_methodTableOf.end() ? std::string() : m_modules.definitionName(known->second);
                   },
               .isType =
                   [this](std::string_view name) {
                     return m_methodTableOf.contains(name) || m_types.find(name) != kNoDwarfType;
                   }}) {}

Result<std::unique_ptr<const AotToldTypes>> AotToldTypes::read(DwarfFile& file, Address bias,
                                                               const AotMethodTables& methodTables,
                                                               const AotModules& modules, const AotTypeNames& names) {
  HEAPSCAPE_TRY(DwarfTypes types, DwarfTypes::read(file));
  std::unique_ptr<AotToldTypes> told(new AotToldTypes(std::move(types), bias, methodTables, modules, names));
  file.forEachSymbol([&](std::string_view symbol, std::uint64_t address) { told->addSymbol(symbol, address); });
  told->connect();
  return std::unique_ptr<const AotToldTypes>(std::move(told));
}

void AotToldTypes::addSymbol(std::string_view symbol, std::uint64_t address) {
  if (m_linkerNames.size() + m_classOfCell.size() + m_threadNotes.size() >= kLimits.typesPerModule) return;
  if (symbol.starts_with(kStaticsSymbol)) {
    m_classOfCell.try_emplace(m_bias + address, symbol.substr(kStaticsSymbol.size()));
  } else if (symbol.starts_with(kThreadStaticsSymbol)) {
    m_threadNotes.push_back({std::string(symbol.substr(kThreadStaticsSymbol.size())), m_bias + address});
  } else if (const std::string_view name = typeInSymbol(symbol); !name.empty()) {
    m_linkerNames.try_emplace(m_bias + address, name);
  }
}

void AotToldTypes::connect() {
  for (const auto& [methodTable, name] : m_linkerNames) {
    m_methodTableOf.try_emplace(name, methodTable);
    if (const DwarfTypeId id = m_types.find(name); id != kNoDwarfType) {
      m_ids.emplace(methodTable, id);
      m_handles.try_emplace(id, methodTable);
      m_all.push_back(methodTable);
    }
    if (name.find('<') == std::string::npos) m_namer.learn(name, m_modules.definitionName(methodTable));
  }
  for (const AotModules::Module& module : m_modules.items()) {
    for (const std::string_view assembly : module.metadata.assemblies())
      m_assemblies.emplace_back(LinkerNames::ofAssembly(assembly), assembly);
  }
  // Of two the longer one: "System_Collections_Concurrent_" before "System_Collections_".
  std::ranges::sort(m_assemblies, std::greater(), [](const auto& one) { return one.first.size(); });
  findRoom();
  connectStatics();
}

void AotToldTypes::connectStatics() {
  m_threadPlaces.emplace(m_methodTables, m_modules, std::exchange(m_threadNotes, {}));
  std::unordered_set<DwarfTypeId> classes;
  for (const DwarfStaticPlace& place : m_types.staticPlaces()) classes.insert(place.declaring);
  for (const AotThreadPlaces::Class& one : m_threadPlaces->all())
    if (const DwarfTypeId id = m_types.find(one.name); id != kNoDwarfType) classes.insert(id);
  for (const DwarfTypeId id : classes) {
    const Statics statics = staticsIn(id);
    if (statics.fields.empty()) continue;
    if (!m_handles.contains(id)) m_all.push_back(handleOf(id));
    if (statics.cell) m_namedCells.insert(statics.cell);
    if (statics.hasThreadStatics) m_namedThreadStatics.insert(id);
  }
  for (const AotThreadPlaces::Class& one : m_threadPlaces->all()) {
    ThreadStaticsOwner& owner = m_threadOwners.emplace_back(ownerNamed(one.name), one.place);
    owner.areNamed = m_namedThreadStatics.contains(m_types.find(one.name));
  }
}

AotToldTypes::StaticsOwner AotToldTypes::ownerNamed(std::string_view linkerName) const {
  const DwarfTypeId id = m_types.find(linkerName);
  return {.type = id == kNoDwarfType ? Address{} : handleOf(id), .typeName = m_namer.fullName(linkerName)};
}

std::optional<AotToldTypes::StaticsOwner> AotToldTypes::staticsOwner(Address cell) const {
  const auto found = m_classOfCell.find(cell);
  if (found == m_classOfCell.end()) return std::nullopt;
  StaticsOwner owner = ownerNamed(found->second);
  owner.areNamed = m_namedCells.contains(cell);
  return owner;
}

std::optional<AotThreadPlace> AotToldTypes::threadPlaceOf(Address type) const {
  const auto id = idOf(type);
  const AotThreadPlace* place = id ? m_threadPlaces->find(m_types.type(*id).name) : nullptr;
  return place ? std::optional(*place) : std::nullopt;
}

Result<DwarfTypeId> AotToldTypes::idOf(Address type) const {
  if (isPlain(type)) {
    const auto id = static_cast<DwarfTypeId>((type - kPlainTypes) / kPointerBytes);
    if (id < m_types.size() && type.value % kPointerBytes == 0) return id;
    return typeNotTold(type);
  }
  if (const auto known = m_ids.find(type); known != m_ids.end()) return known->second;
  HEAPSCAPE_TRY(const AotMethodTable read, m_methodTables.read(type));
  const DwarfTypeId id = canonicalOf(read);
  if (id == kNoDwarfType) return typeNotTold(type);
  return id;
}

/// What is told has to be as large as the program's own type is.
Result<DwarfTypeId> AotToldTypes::checkedIdOf(Address type) const {
  HEAPSCAPE_TRY(const DwarfTypeId id, idOf(type));
  if (isPlain(type)) return id;
  HEAPSCAPE_TRY(const AotMethodTable read, m_methodTables.read(type));
  const std::uint32_t head = kObjectHeaderBytes + (read.isValueType ? kPointerBytes : 0);
  const std::uint64_t whole = alignUp(std::uint64_t{m_types.type(id).sizeBytes} + head, kPointerBytes);
  const bool isEnum = m_types.type(id).kind == DwarfType::Kind::Enum;
  if (!read.isInterface && !read.hasComponentSize && !isEnum &&
      std::max<std::uint64_t>(whole, kLeastObjectBytes) != read.baseSize) {
    return failure(ErrorCode::Damaged,
                   fmt::format("The program's debugging information tells of other objects of the type {}: of {} bytes "
                               "in place of {}.",
                               toString(type), whole, read.baseSize));
  }
  return id;
}

// Types that the type loader makes at run time have no symbol. Their fields are those of the instantiation that shares
// its code with them, which the compiler has made: over System.__Canon in place of every reference type.
DwarfTypeId AotToldTypes::canonicalOf(const AotMethodTable& type) const {
  if (!type.isGenericInstance) return kNoDwarfType;
  const auto definition = m_methodTables.genericDefinition(type);
  const auto known = definition ? m_linkerNames.find(*definition) : m_linkerNames.end();
  if (known == m_linkerNames.end()) return kNoDwarfType;
  const auto arguments = m_methodTables.typeArguments(type);
  if (!arguments) return kNoDwarfType;
  std::string name = known->second + "<";
  for (std::size_t i = 0; i < arguments->size(); ++i) name += (i == 0 ? "" : "__") + canonicalName((*arguments)[i], 0);
  return m_types.find(name + ">");
}

std::string AotToldTypes::canonicalName(Address argument, std::size_t depth) const {
  const auto type = m_methodTables.read(argument);
  if (!type || depth > kLimits.nestingDepth) return {};
  if (!type->isValueType) return std::string(kCanonical);
  const auto arguments = m_methodTables.typeArguments(*type);
  const auto definition = type->isGenericInstance ? m_methodTables.genericDefinition(*type) : Result<Address>(argument);
  const auto known = definition ? m_linkerNames.find(*definition) : m_linkerNames.end();
  if (!arguments || known == m_linkerNames.end()) return {};
  std::string name = known->second;
  for (std::size_t i = 0; i < arguments->size(); ++i)
    name += (i == 0 ? "<" : "__") + canonicalName((*arguments)[i], depth + 1);
  return arguments->empty() ? name : name + ">";
}

Address AotToldTypes::handleOf(DwarfTypeId id) const {
  const auto known = m_handles.find(id);
  return known != m_handles.end() ? known->second : kPlainTypes + std::uint64_t{kPointerBytes} * id;
}

Result<std::vector<AotField>> AotToldTypes::declaredBy(Address type) const {
  HEAPSCAPE_TRY(const DwarfTypeId id, checkedIdOf(type));
  const DwarfType& told = m_types.type(id);
  std::vector<AotField> fields;
  if (told.kind == DwarfType::Kind::Enum) {
    if (told.target == kNoDwarfType) return typeNotTold(type);
    fields.push_back(fieldOf({.name = kEnumField, .type = told.target}));
    return fields;
  }
  fields = instanceFieldsOf(type, id);
  std::ranges::stable_sort(fields, {}, &AotField::offset);
  std::ranges::move(staticsIn(id).fields, std::back_inserter(fields));
  return fields;
}

// The compiler tells of them in the order in which they are declared.
std::vector<AotField> AotToldTypes::instanceFieldsOf(Address type, DwarfTypeId id) const {
  const DwarfType& told = m_types.type(id);
  bool isOfObject = told.target != kNoDwarfType;
  if (!isPlain(type)) {
    const auto read = m_methodTables.read(type);
    isOfObject = read && !read->isValueType;
  }
  std::vector<AotField> fields;
  for (const DwarfMember& member : m_types.membersOf(told)) {
    if (member.isStatic || (isOfObject && member.offset < kPointerBytes)) continue;
    fields.push_back(fieldOf(member));
    if (isOfObject) fields.back().offset -= kPointerBytes;
  }
  return fields;
}

Result<AotDeclaration> AotToldTypes::declarationOf(Address type) const {
  HEAPSCAPE_TRY(const DwarfTypeId id, checkedIdOf(type));
  const DwarfType& told = m_types.type(id);
  AotDeclaration declaration;
  declaration.definition = told.name.substr(0, told.name.find('<'));
  declaration.assembly = assemblyOf(declaration.definition);
  if (told.kind == DwarfType::Kind::Class) declaration.fields = instanceFieldsOf(type, id);
  if (told.kind == DwarfType::Kind::Enum && told.target != kNoDwarfType)
    declaration.fields.push_back(fieldOf({.name = kEnumField, .type = told.target}));
  if (const auto definition = m_methodTableOf.find(declaration.definition); definition != m_methodTableOf.end())
    declaration.attributes = m_modules.declared(definition->second);
  return declaration;
}

std::string AotToldTypes::assemblyOf(std::string_view linkerName) const {
  for (const auto& [beginning, assembly] : m_assemblies)
    if (linkerName.starts_with(beginning)) return assembly;
  return {};
}

AotField AotToldTypes::fieldOf(const DwarfMember& member) const {
  AotField field{.name = std::string(member.name), .offset = member.offset, .typeName = typeNameOf(member.type)};
  const DwarfTypeId id = m_types.described(member.type);
  if (id == kNoDwarfType) return field;
  const DwarfType& type = m_types.type(id);
  switch (type.kind) {
    case DwarfType::Kind::Number:
      field.element = type.element;
      break;
    case DwarfType::Kind::Enum:
      if (type.target != kNoDwarfType) field.element = m_types.type(type.target).element;
      field.type = handleOf(id);
      break;
    case DwarfType::Kind::Class:
      field.element = ElementType::ValueType;
      field.type = handleOf(id);
      break;
    case DwarfType::Kind::Reference: {
      field.element = ElementType::Class;
      const DwarfTypeId target = m_types.described(type.target);
      if (const auto known = m_handles.find(target); known != m_handles.end()) field.type = known->second;
      break;
    }
    case DwarfType::Kind::Pointer:
      field.element = ElementType::Ptr;
      break;
    case DwarfType::Kind::Other:
      break;
  }
  return field;
}

std::string AotToldTypes::typeNameOf(DwarfTypeId id, std::size_t depth) const {
  if (id == kNoDwarfType || depth > kLimits.nestingDepth) return {};
  const DwarfType& type = m_types.type(id);
  switch (type.kind) {
    case DwarfType::Kind::Number:
      return std::string(primitiveName(type.element));
    case DwarfType::Kind::Reference:
      return typeNameOf(type.target, depth + 1);
    case DwarfType::Kind::Pointer:
      return typeNameOf(type.target, depth + 1) + "*";
    case DwarfType::Kind::Enum:
    case DwarfType::Kind::Class:
      return type.name.empty() ? std::string() : m_namer.fullName(type.name);
    case DwarfType::Kind::Other:
      break;
  }
  return {};
}

std::vector<AotToldTypes::Literal> AotToldTypes::literalsOf(Address type) const {
  std::vector<Literal> literals;
  const auto id = idOf(type);
  if (!id) return literals;
  for (const DwarfEnumerator& one : m_types.enumeratorsOf(m_types.type(*id)))
    literals.push_back({std::string(one.name), one.value});
  return literals;
}

bool AotToldTypes::holdsReferences(DwarfTypeId id, std::size_t depth) const {
  id = m_types.described(id);
  if (id == kNoDwarfType || depth > kLimits.nestingDepth) return false;
  const DwarfType& type = m_types.type(id);
  if (type.kind == DwarfType::Kind::Reference) return true;
  return std::ranges::any_of(m_types.membersOf(type), [&](const DwarfMember& member) {
    return !member.isStatic && holdsReferences(member.type, depth + 1);
  });
}

std::uint32_t AotToldTypes::alignmentOf(DwarfTypeId id, std::size_t depth) const {
  id = m_types.described(id);
  if (id == kNoDwarfType || depth > kLimits.nestingDepth) return 1;
  const DwarfType& type = m_types.type(id);
  if (isNumberOrEnum(type)) return std::clamp(type.sizeBytes, 1u, kPointerBytes);
  if (type.kind != DwarfType::Kind::Class) return kPointerBytes;
  std::uint32_t alignment = 1;
  for (const DwarfMember& member : m_types.membersOf(type))
    if (!member.isStatic) alignment = std::max(alignment, alignmentOf(member.type, depth + 1));
  return alignment;
}

// The compiler rounds sizes of values up to words. Where there is no MethodTable that knows better, the end of the
// fields tells, and how near behind such a value others put their next field.
std::uint32_t AotToldTypes::sizeOf(DwarfTypeId id, std::size_t depth) const {
  id = m_types.described(id);
  if (id == kNoDwarfType || depth > kLimits.nestingDepth) return 0;
  const DwarfType& type = m_types.type(id);
  if (type.kind != DwarfType::Kind::Class) return isNumberOrEnum(type) ? type.sizeBytes : kPointerBytes;
  if (const auto known = m_handles.find(id); known != m_handles.end()) {
    const auto read = m_methodTables.read(known->second);
    const auto size = read ? m_methodTables.valueSize(*read) : failure(ErrorCode::NotFound, {});
    if (size) return *size;
  }
  std::uint64_t end = 1;  // a value without fields has a byte
  for (const DwarfMember& member : m_types.membersOf(type))
    if (!member.isStatic) end = std::max<std::uint64_t>(end, member.offset + sizeOf(member.type, depth + 1));
  const std::uint64_t natural = alignUp(end, alignmentOf(id, depth + 1));
  std::uint32_t size = type.sizeBytes;
  const auto known = m_roomFor.find(id);
  const Room room = known != m_roomFor.end() ? known->second : Room{};
  const bool isRoomy = natural < room.least && room.least <= size;
  if (isRoomy && isOfOneField(type)) return static_cast<std::uint32_t>((room.least + end - 1) / end * end);
  if (natural <= size && size - natural < kPointerBytes && !isRoomy) size = static_cast<std::uint32_t>(natural);
  return room.most >= end ? std::min(size, room.most) : size;
}

/// An inline array declares its first element alone.
bool AotToldTypes::isOfOneField(const DwarfType& type) const {
  return std::ranges::count_if(m_types.membersOf(type), [](const DwarfMember& member) { return !member.isStatic; }) ==
         1;
}

/// How much room a value has in the types that hold one, up to the next field, if that is about as much as its size.
void AotToldTypes::findRoom() {
  std::vector<std::pair<std::uint32_t, DwarfTypeId>> fields;
  for (DwarfTypeId id = 0; id < m_types.size(); ++id) {
    fields.clear();
    for (const DwarfMember& member : m_types.membersOf(m_types.type(id)))
      if (!member.isStatic) fields.emplace_back(member.offset, m_types.described(member.type));
    std::ranges::sort(fields);
    for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
      const auto& [offset, of] = fields[i];
      if (of == kNoDwarfType || m_types.type(of).kind != DwarfType::Kind::Class || m_handles.contains(of)) continue;
      const std::uint32_t up = fields[i + 1].first - offset, size = m_types.type(of).sizeBytes;
      if (up + kPointerBytes <= size) continue;
      Room& room = m_roomFor[of];
      room.most = std::min(room.most, up);
      // The next field begins at the next multiple of its alignment.
      const std::uint32_t rounding = alignmentOf(fields[i + 1].second) - 1;
      if (up > rounding) room.least = std::max(room.least, up - rounding);
    }
  }
}

// The compiler lists the static fields of a class by where they lie: those without references first, then those with,
// then thread statics; and each group in the order of the source. It lists the places in the order of the source alone,
// and gives the first field the first place, and so on. The group that a place belongs to is certain, however, and
// within a group places follow one another as the sizes of the fields ask for. A group that does so has names; one that
// does not has none.
AotToldTypes::Statics AotToldTypes::staticsIn(DwarfTypeId id) const {
  Statics statics;
  const auto places = std::ranges::equal_range(m_types.staticPlaces(), id, {}, &DwarfStaticPlace::declaring);
  std::vector<std::uint32_t> inObject, beside;
  for (const DwarfStaticPlace& place : places) {
    if (place.isInObject && !isCellOfStatics(m_methodTables, m_bias + place.base)) continue;
    (place.isInObject ? inObject : beside).push_back(place.offset);
    Address& base = place.isInObject ? statics.cell : statics.others;
    if (base && base != m_bias + place.base) return {};
    base = m_bias + place.base;
  }
  std::ranges::sort(inObject);
  std::ranges::sort(beside);
  std::vector<const DwarfMember*> members;
  for (const DwarfMember& member : m_types.membersOf(m_types.type(id)))
    if (member.isStatic) members.push_back(&member);
  if (members.size() < inObject.size() + beside.size()) return {};

  const auto add = [&](std::size_t first, const std::vector<std::uint32_t>& offsets, AotField::Place place) {
    std::uint64_t end = place == AotField::Place::Object ? kPointerBytes : 0;
    std::vector<AotField> fields;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const DwarfMember& member = *members[first + i];
      if (alignUp(end, alignmentOf(member.type)) != offsets[i] ||
          holdsReferences(member.type) != (place == AotField::Place::Object))
        return false;
      end = std::uint64_t{offsets[i]} + sizeOf(member.type);
      fields.push_back(fieldOf(member));
      fields.back().offset = offsets[i];
      fields.back().place = place;
    }
    std::ranges::move(fields, std::back_inserter(statics.fields));
    return true;
  };
  if (!add(0, beside, AotField::Place::Beside)) statics.others = {};
  if (!add(beside.size(), inObject, AotField::Place::Object)) statics.cell = {};
  std::vector<AotField> ofThreads = threadStaticsIn(id, std::span(members).subspan(beside.size() + inObject.size()));
  statics.hasThreadStatics = !ofThreads.empty();
  std::ranges::move(ofThreads, std::back_inserter(statics.fields));
  return statics;
}

// Behind the others the compiler lists the thread statics, without places that would be right. They follow one another
// from where those of the class begin, and have to have their references where the object with them does.
std::vector<AotField> AotToldTypes::threadStaticsIn(DwarfTypeId id, std::span<const DwarfMember* const> members) const {
  const AotThreadPlace* place = m_threadPlaces->find(m_types.type(id).name);
  if (!place || members.empty()) return {};
  std::uint64_t end = place->start;
  std::vector<AotField> fields;
  std::vector<std::uint32_t> references;
  for (const DwarfMember* member : members) {
    AotField& field = fields.emplace_back(fieldOf(*member));
    field.place = AotField::Place::Thread;
    end = alignUp(end, alignmentOf(member->type));
    field.offset = static_cast<std::uint32_t>(end);
    if (!addReferencePlaces(member->type, field.offset, references)) return {};
    end += sizeOf(member->type);
    if (end > place->end) return {};
  }
  if (place->end - end >= kPointerBytes) return {};
  std::vector<std::uint32_t> places = referencePlacesOf(m_methodTables, place->holderType);
  std::erase_if(places, [&](std::uint32_t at) { return at < place->start || at >= place->end; });
  std::ranges::sort(references);
  return places == references ? fields : std::vector<AotField>();
}

/// False where there are more than any real class has.
bool AotToldTypes::addReferencePlaces(DwarfTypeId id, std::uint32_t start, std::vector<std::uint32_t>& places,
                                      std::size_t depth) const {
  id = m_types.described(id);
  if (id == kNoDwarfType || depth > kLimits.nestingDepth || places.size() > kLimits.fieldsPerType) return false;
  const DwarfType& type = m_types.type(id);
  if (type.kind == DwarfType::Kind::Reference) places.push_back(start);
  return std::ranges::all_of(m_types.membersOf(type), [&](const DwarfMember& member) {
    return member.isStatic || addReferencePlaces(member.type, start + member.offset, places, depth + 1);
  });
}

Address AotToldTypes::libraryType(std::string_view fullName) const {
  const DwarfTypeId id = m_types.find(LinkerNames::ofCoreLibrary(fullName));
  return id == kNoDwarfType ? Address{} : handleOf(id);
}

AotStaticsArea AotToldTypes::staticsOf(Address type) const {
  const auto id = idOf(type);
  if (!id) return {};
  const Statics statics = staticsIn(*id);
  AotStaticsArea area{.object = {}, .others = statics.others};
  Address object;
  if (statics.cell && m_methodTables.memory().tryRead(statics.cell, object) && (object.value & kNotMadeYet) == 0)
    area.object = object;
  return area;
}

std::optional<AotPlainType> AotToldTypes::plainType(Address handle) const {
  const auto id = isPlain(handle) ? idOf(handle) : failure(ErrorCode::NotFound, {});
  if (!id) return std::nullopt;
  const DwarfType& type = m_types.type(*id);
  if (type.kind != DwarfType::Kind::Class && type.kind != DwarfType::Kind::Enum) return std::nullopt;
  AotPlainType plain{.sizeBytes = sizeOf(*id)};
  plain.isEnum = type.kind == DwarfType::Kind::Enum;
  plain.isValueType = plain.isEnum || type.target == kNoDwarfType;
  plain.isNullable = type.name.starts_with(kNullablePrefix);
  plain.containsPointers = holdsReferences(*id);
  if (plain.isEnum && type.target != kNoDwarfType) plain.element = m_types.type(type.target).element;
  return plain;
}

const std::string& AotToldTypes::nameOf(Address handle) const {
  const auto id = idOf(handle);
  const std::lock_guard lock(m_mutex);
  const auto [known, isNew] = m_plainNames.try_emplace(handle);
  if (isNew) known->second = id ? typeNameOf(*id) : unknownTypeName(handle);
  return known->second;
}

}  // namespace heapscape::engine
