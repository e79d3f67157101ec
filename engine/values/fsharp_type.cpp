// SPDX-License-Identifier: MIT
#include "values/fsharp_type.h"

#include <algorithm>
#include <cstring>

#include "base/bounded_reader.h"
#include "base/limits.h"
#include "metadata/signature.h"

namespace heapscape::engine {
namespace {

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

  std::vector<FSharpType::Case> read() {
    std::vector<FSharpType::Case> cases;
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
  void addOnly(std::vector<FSharpType::Case>& cases) const {
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

}  // namespace

const FSharpType::Case* FSharpType::caseOf(std::int32_t tag) const {
  return tag >= 0 && static_cast<std::size_t>(tag) < cases.size() ? &cases[static_cast<std::size_t>(tag)] : nullptr;
}

const FSharpType::Case* FSharpType::caseNamed(std::string_view name) const {
  const auto found = std::ranges::find(cases, name, &Case::name);
  return found == cases.end() ? nullptr : &*found;
}

std::optional<FSharpType> readFSharpType(const RuntimeReaders& readers, const MethodTable& type) {
  const Module* module = readers.modules.definingModule(readers.methodTables, type);
  const auto row = readers.methodTables.typeDefRow(type);
  if (type.isArray || !module || !module->metadata || !row) return std::nullopt;
  const Metadata& metadata = *module->metadata;
  const Construct construct = constructOf(metadata, *row);
  if (construct != Construct::Union && construct != Construct::Record) return std::nullopt;
  FSharpType read;
  read.isUnion = construct == Construct::Union;
  read.definition = metadata.typeDefName(*row);
  if (read.isUnion) {
    read.cases = CaseReader(metadata, *row, read.definition).read();
  } else {
    read.fields = instanceFields(metadata, *row);
  }
  return read;
}

}  // namespace heapscape::engine
