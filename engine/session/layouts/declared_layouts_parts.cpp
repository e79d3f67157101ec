// SPDX-License-Identifier: MIT
#include "session/layouts/declared_layouts_parts.h"

#include <algorithm>

#include "base/limits.h"
#include "base/progress.h"
#include "layout/declared/dump_types.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

namespace {

constexpr std::uint32_t kOldestRules = 8;
constexpr std::uint32_t kNewestRules = 11;

}  // namespace

using Parts = DeclaredLayouts::Parts;

Parts::Parts(std::shared_ptr<AssemblyFinder> finder) : types(std::move(finder)) {}

Parts::~Parts() = default;

Result<ClosedTypeId> Parts::typeOf(Address methodTable) {
  const auto type = dump->contents().readers->methodTables.read(methodTable);
  if (type && type->isContinuation) {
    return failure(ErrorCode::NotFound,
                   "It is declared nowhere: the runtime lays it out for what suspended methods save.");
  }
  HEAPSCAPE_TRY(const ClosedTypeId id, dumpTypes->closedTypeOf(methodTable));
  m_methodTables.try_emplace(id, methodTable);
  return id;
}

Outcome<const std::vector<Parts::Loaded>*> Parts::loadedTypes(const std::stop_token& stop) {
  if (m_loaded) return &*m_loaded;
  HEAPSCAPE_TRY(std::vector<LoadedType> all, engine::loadedTypes(*dump, stop));
  std::vector<Loaded> loaded;
  loaded.reserve(all.size());
  for (LoadedType& type : all) {
    if (loaded.size() % kHeavyStopInterval == 0 && stop.stop_requested())
      return tl::unexpected(Unfinished::cancelled());
    const auto id = typeOf(type.methodTable);
    if (isOpen(id)) continue;
    loaded.push_back({std::move(type), id.value_or(ClosedTypeId{}), id ? std::string() : id.error().what});
  }
  m_loaded = std::move(loaded);
  return &*m_loaded;
}

Address Parts::methodTableOf(ClosedTypeId type) {
  if (!dump) return {};
  const auto known = m_methodTables.find(type);
  if (known != m_methodTables.end()) return known->second;
  if (!m_loaded && loadedTypes({})) return methodTableOf(type);
  return {};
}

LayoutRules& Parts::rules(std::optional<std::uint32_t> majorVersion, bool classic) {
  LayoutRuntime wanted = runtime;
  wanted.majorVersion = std::clamp(majorVersion.value_or(runtime.majorVersion), kOldestRules, kNewestRules);
  wanted.classicStructs = classic;
  auto& made = m_rules[{wanted.majorVersion, classic}];
  if (!made) made = std::make_unique<LayoutRules>(types, wanted);
  return *made;
}

ClosedTypeId Parts::subjectOf(ClosedTypeId type) const {
  const ClosedType* closed = &types.type(type);
  if ((closed->element != ElementType::SzArray && closed->element != ElementType::Array) || closed->arguments.empty())
    return type;
  const ClosedTypeId element = closed->arguments.front();
  return types.type(element).element == ElementType::ValueType ? element : type;
}

AssemblyId Parts::assemblyOf(ClosedTypeId type) const {
  const ClosedType* closed = &types.type(type);
  for (std::size_t depth = 0; closed->assembly.isNone() && depth < kLimits.nestingDepth; ++depth) {
    if (closed->arguments.empty()) break;
    closed = &types.type(closed->arguments.front());
  }
  return closed->assembly;
}

Result<ClosedTypeId> Parts::find(std::string_view name) {
  if (!dump) return types.parse(home, name);
  // A dump has no home: a type that is loaded is meant rather than one that is not.
  std::optional<ClosedTypeId> notLoaded;
  Error why{ErrorCode::NotFound, "No type is named '" + std::string(name) + "' in any module of this dump.",
            "Give the full name with namespace."};
  for (std::uint32_t i = 0; i < types.assemblyCount(); ++i) {
    const auto id = types.parse({i}, name);
    if (id && methodTableOf(*id)) return *id;
    if (id && !notLoaded) notLoaded = *id;
    if (!id && id.error().code != ErrorCode::NotFound) why = id.error();
  }
  if (notLoaded) return *notLoaded;
  return tl::unexpected(why);
}

LayoutRow describe(Parts& parts, ClosedTypeId type) {
  LayoutRow row;
  row.id = layoutType(type);
  row.name = parts.types.nameOf(type);
  const AssemblyId assembly = parts.assemblyOf(type);
  if (!assembly.isNone()) row.assembly = parts.types.assemblyName(assembly);
  row.methodTable = parts.methodTableOf(type);
  if (const auto layout = parts.rules().layoutOf(type)) {
    row.kind = layout->kind;
    row.instanceBytes = layout->valueSize.value_or(layout->baseSize);
    row.paddingBytes = layout->paddingBytes();
  } else {
    row.failure = layout.error().what;
    if (const auto declaration = parts.types.declarationOf(type)) row.kind = (*declaration)->kind;
  }
  return row;
}

}  // namespace heapscape::engine
