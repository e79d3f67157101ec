// SPDX-License-Identifier: MIT
#include "values/fsharp_types.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "base/bounded_reader.h"
#include "base/limits.h"
#include "metadata/metadata.h"
#include "metadata/names/generated_names.h"
#include "metadata/signature.h"
#include "values/type_shapes.h"

namespace heapscape::engine {
namespace {

/// A record or a union as it is declared, whatever its type arguments.
struct Declared {
  struct Case {
    std::string name;
    std::vector<std::string> fields;  // as they are named in the class or structure that holds them, in order
  };

  bool isUnion = false;
  std::vector<Case> cases;  // of a union, by tag; of a record one without a name
  std::string definition;   // "Museum.Shape"; "…+Circle" is the class of a case
};

constexpr std::string_view kAttribute = "Microsoft.FSharp.Core.CompilationMappingAttribute";
constexpr std::uint16_t kStatic = 0x10;   // FieldAttributes and MethodAttributes, ECMA-335 II.23.1
constexpr std::uint16_t kLiteral = 0x40;  // FieldAttributes
constexpr std::string_view kTag = "_tag";

// SourceConstructFlags of prim-types.fs.
enum class Construct : std::uint32_t { None = 0, Union = 1, Record = 2, KindMask = 31 };

Construct constructOf(const Metadata& metadata, std::uint32_t row) {
  const auto value = metadata.typeAttribute(row, kAttribute);
  if (!value) return Construct::None;
  BoundedReader reader(*value);
  reader.skip(sizeof(std::uint16_t));  // prolog
  const auto flags = reader.read<std::uint32_t>();
  if (reader.failed()) return Construct::None;
  return static_cast<Construct>(flags & static_cast<std::uint32_t>(Construct::KindMask));
}

/// Fields of each instance, in the order of the source.
std::vector<std::string> instanceFields(const Metadata& metadata, std::uint32_t row) {
  std::vector<std::string> names;
  const auto [first, last] = metadata.fieldRowsOf(row);
  for (std::uint32_t place = first; place < last && names.size() < kLimits.fieldsPerType; ++place) {
    const auto field = metadata.field(metadata.fieldRowAt(place));
    if (field && !(field->flags & kStatic) && field->name != kTag) names.emplace_back(field->name);
  }
  return names;
}

/// A union's cases are static methods that make one: "NewCircle" with the fields, "get_Point" without any.
class CaseReader {
 public:
  CaseReader(const Metadata& metadata, std::uint32_t row, const std::string& definition)
      : m_metadata(metadata), m_row(row), m_definition(definition), m_own(instanceFields(metadata, row)) {
    const auto next = metadata.typeDef(row + 1);
    m_firstMethod = metadata.typeDef(row)->firstMethod;
    m_lastMethod = next ? next->firstMethod : metadata.rowCount(TableId::MethodDef) + 1;
  }

  std::vector<Declared::Case> read() {
    std::vector<Declared::Case> cases;
    const std::uint32_t tags = m_metadata.findTypeDef(m_definition + "+Tags");
    const auto [first, last] = m_metadata.fieldRowsOf(tags);
    for (std::uint32_t place = first; tags && place < last && cases.size() < kLimits.fieldsPerType; ++place) {
      const auto field = m_metadata.field(m_metadata.fieldRowAt(place));
      if (field && field->flags & kLiteral) cases.push_back({std::string(field->name), fieldsOf(field->name)});
    }
    if (cases.empty()) addOnly(cases);
    return cases;
  }

 private:
  /// Those of the case's own class, else the next ones of the class or structure that holds those of all cases.
  std::vector<std::string> fieldsOf(std::string_view name) {
    for (const char* mark : {"+", "+_"}) {
      if (const std::uint32_t nested = m_metadata.findTypeDef(m_definition + mark + std::string(name)))
        return instanceFields(m_metadata, nested);
    }
    const std::size_t count = std::min(parametersOfMaker(name), m_own.size() - m_used);
    const auto begin = m_own.begin() + static_cast<std::ptrdiff_t>(m_used);
    m_used += count;
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  /// The only case of a union has no tag; its name is in that of its maker.
  void addOnly(std::vector<Declared::Case>& cases) const {
    forEachMaker([&](std::string_view name, std::size_t) {
      constexpr std::string_view kNew = "New", kGet = "get_";
      for (const std::string_view prefix : {kNew, kGet}) {
        if (!name.starts_with(prefix) || name == "get_Tag") continue;
        cases.push_back({std::string(name.substr(prefix.size())), m_own});
        return false;
      }
      return true;
    });
  }

  std::size_t parametersOfMaker(std::string_view caseName) const {
    std::size_t parameters = 0;
    forEachMaker([&](std::string_view name, std::size_t count) {
      const bool isMaker = name == caseName || (name.starts_with("New") && name.substr(3) == caseName);
      if (isMaker) parameters = count;
      return !isMaker;
    });
    return parameters;
  }

  template <class Visit>
  void forEachMaker(Visit visit) const {
    for (std::uint32_t row = m_firstMethod; row && row < m_lastMethod; ++row) {
      const auto method = m_metadata.methodDef(row);
      if (!method) return;
      const auto signature =
          method->flags & kStatic ? decodeMethodSignature(method->signature) : failure(ErrorCode::NotFound, {});
      if (signature && !visit(method->name, signature->parameters.size())) return;
    }
  }

  const Metadata& m_metadata;
  std::uint32_t m_row;
  const std::string& m_definition;
  std::vector<std::string> m_own;
  std::size_t m_used = 0;
  std::uint32_t m_firstMethod = 0, m_lastMethod = 0;
};

/// Nothing if it is no record or union of F#. `type`: for an object of a union this may be the class of its case; ask
/// for its parent then.
std::optional<Declared> readDeclared(const Module& module, std::uint32_t row) {
  const Metadata& metadata = *module.metadata;
  const Construct construct = constructOf(metadata, row);
  if (construct != Construct::Union && construct != Construct::Record) return std::nullopt;
  Declared read;
  read.isUnion = construct == Construct::Union;
  read.definition = metadata.typeDefName(row);
  if (read.isUnion) {
    read.cases = CaseReader(metadata, row, read.definition).read();
  } else {
    read.cases = {{{}, instanceFields(metadata, row)}};
  }
  return read;
}

constexpr std::string_view kFrameworkNames = "System.";
constexpr std::string_view kCollectionNames = "Microsoft.FSharp.Collections.";

/// By the class of the instance, or because no other case has any fields.
const Declared::Case* onlyCaseOf(const Declared& type, const RuntimeReaders& readers, const MethodTable& own) {
  const Module* module = readers.modules.definingModule(readers.methodTables, own);
  const auto row = readers.methodTables.typeDefRow(own);
  if (!module || !module->metadata || !row) return nullptr;
  const std::string definition = module->metadata->typeDefName(*row);
  const Declared::Case* only = nullptr;
  if (definition.size() > type.definition.size() + 1 && definition.starts_with(type.definition)) {
    std::string_view name = std::string_view(definition).substr(type.definition.size() + 1);
    if (name.starts_with('_')) name.remove_prefix(1);
    const auto found = std::ranges::find(type.cases, name, &Declared::Case::name);
    return found == type.cases.end() ? nullptr : &*found;
  }
  if (type.cases.size() == 1) return &type.cases.front();
  for (const Declared::Case& one : type.cases) {
    if (one.fields.empty()) continue;
    if (only) return nullptr;
    only = &one;
  }
  return only;
}

/// "Age" of "Age@", "radius" of "_radius", "Item1" of "item1".
std::string partName(std::string_view field) {
  std::string name(csharpFieldName(field));
  if (name.starts_with('_')) return name.substr(1);
  if (name.starts_with("item")) name.front() = 'I';
  return name;
}

/// Where the instances of a type have the parts of a case.
FSharpCase caseIn(const TypeShapes& shapes, const TypeShape& shape, const Declared::Case& declared) {
  FSharpCase one{.name = declared.name, .parts = {}, .isWhole = true};
  for (const std::string& name : declared.fields) {
    const FieldShape* field = shapes.fieldOf(shape, name);
    one.isWhole &= field != nullptr;
    if (field) one.parts.push_back({partName(name), field});
  }
  return one;
}

}  // namespace

/// Reads what is declared once, though each case of a union has a class of its own.
class FSharpTypes::Definitions {
 public:
  /// Null if a type is no record or union of F#.
  const Declared* find(const RuntimeReaders& readers, const MethodTable& type) {
    const Module* module = readers.modules.definingModule(readers.methodTables, type);
    const auto row = readers.methodTables.typeDefRow(type);
    if (type.isArray || !module || !module->metadata || !row) return nullptr;
    const std::scoped_lock lock(m_mutex);
    const auto [known, isNew] = m_known.try_emplace({module, *row});
    if (isNew) known->second = readDeclared(*module, *row);
    return known->second ? &*known->second : nullptr;
  }

 private:
  std::mutex m_mutex;
  std::map<std::pair<const Module*, std::uint32_t>, std::optional<Declared>> m_known;
};

FSharpTypes::FSharpTypes() : m_definitions(std::make_unique<Definitions>()) {}

FSharpTypes::~FSharpTypes() = default;

const FSharpDeclaration* FSharpTypes::find(const RuntimeReaders& readers, const TypeShapes& shapes,
                                           const TypeShape& shape) {
  const auto known = m_types.find(shape.type.address);
  if (known != m_types.end()) return known->second.get();
  return m_types.emplace(shape.type.address, read(readers, shapes, shape)).first->second.get();
}

/// The record or union that instances of a type are of; the class of a case derives from its union.
std::unique_ptr<const FSharpDeclaration> FSharpTypes::read(const RuntimeReaders& readers, const TypeShapes& shapes,
                                                           const TypeShape& shape) {
  if (shape.name.starts_with(kFrameworkNames) || shape.name.starts_with(kCollectionNames)) return nullptr;
  const Declared* declared = m_definitions->find(readers, shape.type);
  if (!declared && !shape.type.isValueType && shape.type.parent) {
    const TypeShape* parent = shapes.find(shape.type.parent);
    if (parent && !parent->name.starts_with(kFrameworkNames)) declared = m_definitions->find(readers, parent->type);
    if (declared && !declared->isUnion) declared = nullptr;
  }
  if (!declared) return nullptr;
  auto declaration = std::make_unique<FSharpDeclaration>();
  declaration->isUnion = declared->isUnion;
  for (const Declared::Case& one : declared->cases) declaration->cases.push_back(caseIn(shapes, shape, one));
  if (declared->isUnion) declaration->tag = shapes.fieldOf(shape, kTag);
  if (const Declared::Case* only = onlyCaseOf(*declared, readers, shape.type))
    declaration->onlyCase = &declaration->cases[static_cast<std::size_t>(only - declared->cases.data())];
  return declaration;
}

}  // namespace heapscape::engine
