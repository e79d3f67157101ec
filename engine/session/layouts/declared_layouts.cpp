// SPDX-License-Identifier: MIT
#include "session/layouts/declared_layouts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/progress.h"
#include "layout/advice/separation.h"
#include "layout/declared/dump_types.h"
#include "layout/declared/told_types.h"
#include "session/layouts/declared_layouts_parts.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

namespace {

using Parts = DeclaredLayouts::Parts;

std::string versionText(const std::array<std::uint16_t, 4>& version) {
  return fmt::format("{}.{}.{}.{}", version[0], version[1], version[2], version[3]);
}

/// The snapshot that layouts need; one that held the graph would keep an old one alive.
Snapshot withoutGraph(const Snapshot& snapshot) {
  Contents contents = snapshot.contents();
  contents.declaredLayouts.reset();
  contents.typeReferences.reset();
  contents.dependents.reset();
  contents.graph.reset();
  contents.reverse.reset();
  contents.retention.reset();
  contents.stage = std::min(contents.stage, Stage::Layouts);
  return Snapshot(std::make_shared<const Contents>(std::move(contents)));
}

std::vector<LayoutRow> typesOfDump(Parts& parts, const std::vector<Parts::Loaded>& loaded,
                                   const std::stop_token& stop) {
  std::vector<LayoutRow> rows;
  rows.reserve(loaded.size());
  for (const Parts::Loaded& entry : loaded) {
    if (rows.size() % kHeavyStopInterval == 0 && stop.stop_requested()) break;
    LayoutRow row;
    if (entry.id.isNone()) {
      row.failure = entry.failure;
    } else {
      row = describe(parts, entry.id);
    }
    // The dump's own names, which distinguish load contexts.
    row.name = entry.type.name;
    row.methodTable = entry.type.methodTable;
    row.assembly = std::filesystem::path(entry.type.assembly).stem();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::shared_ptr<Parts> partsOf(const Snapshot& snapshot) {
  const Snapshot dump = withoutGraph(snapshot);
  auto parts = std::make_shared<Parts>(nullptr);
  parts->dump = dump;
  const RuntimeReaders& readers = *dump.contents().readers;
  parts->dumpTypes = std::make_unique<DumpTypes>(readers, parts->types);
  if (!readers.modules.areAssemblies() && readers.fields.areTold())
    parts->toldTypes = std::make_unique<ToldTypes>(readers);
  parts->runtime = parts->toldTypes ? parts->toldTypes->runtime() : parts->dumpTypes->runtime();
  return parts;
}

Result<DeclaredLayouts> DeclaredLayouts::ofDump(const Snapshot& snapshot) {
  const auto make = [&]() -> Outcome<DeclaredLayouts> { return DeclaredLayouts(partsOf(snapshot)); };
  auto made = snapshot.contents().declaredLayouts->get(make);
  if (!made) return tl::unexpected(made.error().error());
  return **made;
}

bool DeclaredLayouts::isOfDump() const {
  return m_parts->dump.has_value();
}

LayoutRuntime DeclaredLayouts::runtime() const {
  return m_parts->runtime;
}

std::optional<FrameworkRead> DeclaredLayouts::framework() const {
  return m_parts->framework;
}

std::vector<UsedAssembly> DeclaredLayouts::assemblies() const {
  const std::lock_guard lock(m_parts->mutex);
  std::vector<UsedAssembly> rows;
  for (std::uint32_t i = 0; i < m_parts->types.assemblyCount(); ++i) {
    const AssemblySource& source = m_parts->types.assembly({i});
    rows.push_back({source.name, source.path.string(), versionText(source.version), source.isReadyToRun});
  }
  return rows;
}

std::vector<MissingAssembly> DeclaredLayouts::missing() const {
  const std::lock_guard lock(m_parts->mutex);
  std::vector<MissingAssembly> rows;
  for (const MetadataTypes::MissingAssembly& missing : m_parts->types.missing())
    rows.push_back({missing.name, missing.why.message(), missing.neededBy});
  if (!m_parts->dump) return rows;
  for (const ModuleRow& module : m_parts->dump->modules()) {
    if (module.metadata != MetadataSource::Missing) continue;
    const std::string name = std::filesystem::path(module.name).stem();
    if (std::ranges::find(rows, name, &MissingAssembly::assembly) != rows.end()) continue;
    rows.push_back({name, "The dump does not hold its metadata, and its file is not here.", ""});
  }
  return rows;
}

Outcome<std::vector<LayoutRow>> DeclaredLayouts::types(std::stop_token stop) const {
  const std::lock_guard lock(m_parts->mutex);
  std::vector<LayoutRow> rows;
  if (m_parts->dump) {
    HEAPSCAPE_TRY(const std::vector<Parts::Loaded>* loaded, m_parts->loadedTypes(stop));
    rows = typesOfDump(*m_parts, *loaded, stop);
  } else {
    for (const ClosedTypeId id : m_parts->types.allTypesOf(m_parts->home)) {
      if (rows.size() % kHeavyStopInterval == 0 && stop.stop_requested()) break;
      rows.push_back(describe(*m_parts, id));
    }
    std::ranges::sort(rows, {}, &LayoutRow::name);
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return rows;
}

Outcome<std::vector<std::pair<LayoutTypeId, std::string>>> DeclaredLayouts::typeNames(std::stop_token stop) const {
  const std::lock_guard lock(m_parts->mutex);
  std::vector<std::pair<LayoutTypeId, std::string>> names;
  if (m_parts->dump) {
    HEAPSCAPE_TRY(const std::vector<Parts::Loaded>* loaded, m_parts->loadedTypes(stop));
    for (const Parts::Loaded& entry : *loaded) {
      if (!entry.id.isNone()) names.emplace_back(layoutType(entry.id), entry.type.name);
    }
    return names;
  }
  for (const ClosedTypeId id : m_parts->types.allTypesOf(m_parts->home))
    names.emplace_back(layoutType(id), m_parts->types.nameOf(id));
  std::ranges::sort(names, {}, &std::pair<LayoutTypeId, std::string>::second);
  return names;
}

std::vector<std::string> DeclaredLayouts::openDefinitions() const {
  const std::lock_guard lock(m_parts->mutex);
  if (!m_parts->dump) return m_parts->types.openDefinitionsOf(m_parts->home);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < m_parts->types.assemblyCount(); ++i)
    std::ranges::move(m_parts->types.openDefinitionsOf({i}), std::back_inserter(names));
  std::ranges::sort(names);
  return names;
}

Result<LayoutTypeId> DeclaredLayouts::find(std::string_view name) const {
  const std::lock_guard lock(m_parts->mutex);
  return m_parts->find(name).map(layoutType);
}

Result<LayoutTypeId> DeclaredLayouts::find(Address methodTable) const {
  if (!m_parts->dump) return failure(ErrorCode::BadQuery, "An assembly has no method tables.", "Give the type's name.");
  const std::lock_guard lock(m_parts->mutex);
  return m_parts->typeOf(methodTable).map(layoutType);
}

Result<LayoutVariant> DeclaredLayouts::layout(LayoutTypeId type, const LayoutQuestion& question) const {
  const std::lock_guard lock(m_parts->mutex);
  return layOut(*m_parts, closedType(type), question);
}

Result<std::string> DeclaredLayouts::separation(LayoutTypeId type) const {
  const std::lock_guard lock(m_parts->mutex);
  return separationOf(m_parts->rules(), closedType(type));
}

Result<TypeStudy> DeclaredLayouts::study(LayoutTypeId type, std::stop_token stop) const {
  const std::lock_guard lock(m_parts->mutex);
  return studyOf(*m_parts, closedType(type), stop);
}

}  // namespace heapscape::engine
