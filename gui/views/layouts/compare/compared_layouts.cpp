// SPDX-License-Identifier: MIT
#include "views/layouts/compare/compared_layouts.h"

#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "session/open/open_assembly.h"
#include "session/open/open_dump.h"
#include "views/layouts/compare/compare_rows.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::LayoutItems;

namespace {

using engine::ComparedLayout;
using engine::DeclaredLayouts;
using engine::Outcome;
using engine::RuleSet;

/// Progress of a dump that is opened for its types alone.
class OpeningProgress : public engine::OpenListener {
 public:
  explicit OpeningProgress(engine::ProgressSink* sink) : m_sink(sink) {}
  void progressed(const engine::Progress& progress) override {
    if (m_sink) m_sink->progressed(progress);
  }
  void stageReady(const engine::Snapshot&) override {}

 private:
  engine::ProgressSink* m_sink;
};

std::filesystem::path fileOf(const QString& path) {
  return QFile::encodeName(path).toStdString();
}

// The types are those of the modules and of the objects, so the walk has to be done. What an assembly references may
// well be in the file that is open.
Outcome<DeclaredLayouts> openPartner(const QString& path, const QString& openPath, engine::ProgressSink* progress,
                                     const std::stop_token& stop) {
  if (engine::looksLikeAssembly(fileOf(path))) {
    return engine::openAssemblyFile(fileOf(path), {.search = {fileOf(openPath)}}, stop);
  }
  OpeningProgress listener(progress);
  HEAPSCAPE_TRY(
      const engine::Snapshot dump,
      engine::openDump(fileOf(path), {.stopAfter = engine::Stage::Objects, .searchFolders = {}}, &listener, stop));
  auto layouts = DeclaredLayouts::ofDump(dump);
  if (!layouts) return tl::unexpected(engine::Unfinished(std::move(layouts.error())));
  return std::move(*layouts);
}

// Both sides are computed, also of a dump, whose runtime names the types of shared code otherwise.
constexpr engine::LayoutQuestion kAsDeclared{.rules = RuleSet::Declared};

Outcome<ComparedSide> sideOf(const DeclaredLayouts& layouts, const QString& openPath, const ComparisonPartner& partner,
                             engine::ProgressSink* progress, const std::stop_token& stop) {
  if (partner.path.isEmpty()) {
    return ComparedSide{layouts, {.rules = RuleSet::Declared, .runtimeMajor = partner.runtimeMajor}, partner.name()};
  }
  HEAPSCAPE_TRY(DeclaredLayouts other, openPartner(partner.path, openPath, progress, stop));
  return ComparedSide{std::move(other), kAsDeclared, partner.name()};
}

DiagramColumn columnOf(const engine::TypeLayout& layout, const QString& name) {
  const std::uint32_t bytes = layout.valueSize.value_or(layout.baseSize);
  DiagramColumn column;
  column.title = name;
  column.figure = bytesText(bytes);
  column.facts << u"%1 padding, %2"_s.arg(bytesText(layout.paddingBytes()), percentText(layout.paddingBytes(), bytes));
  column.tip = u"%1, of which %2 are padding"_s.arg(exactBytesText(bytes), exactBytesText(layout.paddingBytes()));
  column.items = std::make_shared<const LayoutItems>(buildLayoutItems(layout, layout.valueSize.has_value()));
  return column;
}

}  // namespace

QString ComparisonPartner::name() const {
  return path.isEmpty() ? u"rules of .NET %1"_s.arg(runtimeMajor) : QFileInfo(path).fileName();
}

Outcome<std::shared_ptr<const ComparedLayouts>> compareLayoutsWith(const DeclaredLayouts& layouts, const QString& path,
                                                                   const ComparisonPartner& partner,
                                                                   engine::ProgressSink* progress,
                                                                   std::stop_token stop) {
  ComparedSide here{layouts, kAsDeclared, QFileInfo(path).fileName()};
  HEAPSCAPE_TRY(ComparedSide there, sideOf(layouts, path, partner, progress, stop));
  if (progress) progress->progressed({.activity = "comparing the types", .fraction = 1});
  HEAPSCAPE_TRY(engine::LayoutComparison found,
                engine::compareLayouts(here.layouts, here.question, there.layouts, there.question, stop));
  auto compared = std::make_shared<ComparedLayouts>(
      ComparedLayouts{.here = std::move(here), .there = std::move(there), .failures = {}, .rows = nullptr});
  compared->changed = found.changed.size();
  compared->added = found.added.size();
  compared->removed = found.removed.size();
  compared->same = found.same;
  compared->failures = std::move(found.failures);
  std::vector<ComparedLayout> rows = std::move(found.changed);
  std::ranges::move(found.added, std::back_inserter(rows));
  std::ranges::move(found.removed, std::back_inserter(rows));
  compared->rows = makeRowList(std::move(rows), comparedTypeSchema());
  return compared;
}

engine::Result<ComparedType> readComparedType(const ComparedLayouts& compared, std::uint32_t row) {
  const ComparedLayout& type = compared.rows->as<ComparedLayout>(row);
  ComparedType answer;
  const std::pair<const ComparedSide&, engine::LayoutTypeId> sides[]{{compared.here, type.before},
                                                                     {compared.there, type.after}};
  for (const auto& [side, id] : sides) {
    if (id.isNone()) continue;
    HEAPSCAPE_TRY(const engine::LayoutVariant variant, side.layouts.layout(id, side.question));
    answer.columns.push_back(columnOf(variant.layout, side.name));
  }
  answer.fields = makeRowList(type.difference.fields, fieldDifferenceSchema());
  return answer;
}

}  // namespace heapscape::gui
