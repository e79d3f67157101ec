// SPDX-License-Identifier: MIT
#include "session/layouts/layout_laboratory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/stop_interval.h"
#include "layout/advice/separation.h"
#include "layout/declared/dump_types.h"
#include "session/door/contents.h"
#include "session/layouts/laboratory_parts.h"

namespace heapscape::engine {

namespace {

using Parts = LayoutLaboratory::Parts;

std::string versionText(const std::array<std::uint16_t, 4>& version) {
  return fmt::format("{}.{}.{}.{}", version[0], version[1], version[2], version[3]);
}

/// What layouts need of a dump; a laboratory that held the graph would keep an old one alive.
Snapshot withoutGraph(const Snapshot& snapshot) {
  Contents contents = snapshot.contents();
  contents.laboratory.reset();
  contents.typeReferences.reset();
  contents.dependents.reset();
  contents.graph.reset();
  contents.reverse.reset();
  contents.retention.reset();
  contents.stage = std::min(contents.stage, Stage::Layouts);
  return Snapshot(std::make_shared<const Contents>(std::move(contents)));
}

std::vector<LaboratoryType> typesOfDump(Parts& parts, const std::vector<Parts::Loaded>& loaded,
                                        const std::stop_token& stop) {
  std::vector<LaboratoryType> rows;
  rows.reserve(loaded.size());
  for (const Parts::Loaded& entry : loaded) {
    if (rows.size() % kHeavyStopInterval == 0 && stop.stop_requested()) break;
    LaboratoryType row;
    if (entry.id.isNone()) {
      row.failure = entry.failure;
    } else {
      row = describe(parts, entry.id);
    }
    // What the dump says of itself, which tells load contexts apart.
    row.name = entry.type.name;
    row.methodTable = entry.type.methodTable;
    row.assembly = std::filesystem::path(entry.type.assembly).stem();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Result<LayoutLaboratory> LayoutLaboratory::ofDump(const Snapshot& snapshot) {
  const auto make = [&]() -> Outcome<LayoutLaboratory> {
    const Snapshot dump = withoutGraph(snapshot);
    auto parts = std::make_shared<Parts>(nullptr);
    parts->dump = dump;
    parts->dumpTypes = std::make_unique<DumpTypes>(*dump.contents().readers, parts->types);
    parts->runtime = parts->dumpTypes->runtime();
    return LayoutLaboratory(std::move(parts));
  };
  auto made = snapshot.contents().laboratory->get(make);
  if (!made) return tl::unexpected(made.error().error());
  return **made;
}

bool LayoutLaboratory::isOfDump() const {
  return m_parts->dump.has_value();
}

LayoutRuntime LayoutLaboratory::runtime() const {
  return m_parts->runtime;
}

std::vector<LaboratoryAssembly> LayoutLaboratory::assemblies() const {
  const std::lock_guard lock(m_parts->mutex);
  std::vector<LaboratoryAssembly> rows;
  for (std::uint32_t i = 0; i < m_parts->types.assemblyCount(); ++i) {
    const AssemblySource& source = m_parts->types.assembly({i});
    rows.push_back({source.name, source.path.string(), versionText(source.version), source.isReadyToRun});
  }
  return rows;
}

std::vector<LaboratoryMissing> LayoutLaboratory::missing() const {
  const std::lock_guard lock(m_parts->mutex);
  std::vector<LaboratoryMissing> rows;
  for (const MetadataTypes::MissingAssembly& missing : m_parts->types.missing())
    rows.push_back({missing.name, missing.why.message(), missing.neededBy});
  if (!m_parts->dump) return rows;
  for (const ModuleRow& module : m_parts->dump->modules()) {
    if (module.metadata != MetadataSource::Missing) continue;
    const std::string name = std::filesystem::path(module.name).stem();
    if (std::ranges::find(rows, name, &LaboratoryMissing::assembly) != rows.end()) continue;
    rows.push_back({name, "The dump does not hold its metadata, and its file is not here.", ""});
  }
  return rows;
}

Outcome<std::vector<LaboratoryType>> LayoutLaboratory::types(std::stop_token stop) const {
  const std::lock_guard lock(m_parts->mutex);
  std::vector<LaboratoryType> rows;
  if (m_parts->dump) {
    HEAPSCAPE_TRY(const std::vector<Parts::Loaded>* loaded, m_parts->loadedTypes(stop));
    rows = typesOfDump(*m_parts, *loaded, stop);
  } else {
    for (const ClosedTypeId id : m_parts->types.allTypesOf(m_parts->home)) {
      if (rows.size() % kHeavyStopInterval == 0 && stop.stop_requested()) break;
      rows.push_back(describe(*m_parts, id));
    }
    std::ranges::sort(rows, {}, &LaboratoryType::name);
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return rows;
}

Outcome<std::vector<std::pair<LaboratoryTypeId, std::string>>> LayoutLaboratory::typeNames(std::stop_token stop) const {
  const std::lock_guard lock(m_parts->mutex);
  std::vector<std::pair<LaboratoryTypeId, std::string>> names;
  if (m_parts->dump) {
    HEAPSCAPE_TRY(const std::vector<Parts::Loaded>* loaded, m_parts->loadedTypes(stop));
    for (const Parts::Loaded& entry : *loaded) {
      if (!entry.id.isNone()) names.emplace_back(laboratoryType(entry.id), entry.type.name);
    }
    return names;
  }
  for (const ClosedTypeId id : m_parts->types.allTypesOf(m_parts->home))
    names.emplace_back(laboratoryType(id), m_parts->types.nameOf(id));
  std::ranges::sort(names, {}, &std::pair<LaboratoryTypeId, std::string>::second);
  return names;
}

std::vector<std::string> LayoutLaboratory::openDefinitions() const {
  const std::lock_guard lock(m_parts->mutex);
  if (!m_parts->dump) return m_parts->types.openDefinitionsOf(m_parts->home);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < m_parts->types.assemblyCount(); ++i)
    std::ranges::move(m_parts->types.openDefinitionsOf({i}), std::back_inserter(names));
  std::ranges::sort(names);
  return names;
}

Result<LaboratoryTypeId> LayoutLaboratory::find(std::string_view name) const {
  const std::lock_guard lock(m_parts->mutex);
  return m_parts->find(name).map(laboratoryType);
}

Result<LaboratoryTypeId> LayoutLaboratory::find(Address methodTable) const {
  if (!m_parts->dump) return failure(ErrorCode::BadQuery, "An assembly has no method tables.", "Give the type's name.");
  const std::lock_guard lock(m_parts->mutex);
  return m_parts->typeOf(methodTable).map(laboratoryType);
}

Result<LaidOut> LayoutLaboratory::layout(LaboratoryTypeId type, const LayoutQuestion& question) const {
  const std::lock_guard lock(m_parts->mutex);
  return layOut(*m_parts, closedType(type), question);
}

Result<std::string> LayoutLaboratory::separation(LaboratoryTypeId type) const {
  const std::lock_guard lock(m_parts->mutex);
  return separationOf(m_parts->rules(), closedType(type));
}

Result<TypeStudy> LayoutLaboratory::study(LaboratoryTypeId type, std::stop_token stop) const {
  const std::lock_guard lock(m_parts->mutex);
  return studyOf(*m_parts, closedType(type), stop);
}

}  // namespace heapscape::engine
