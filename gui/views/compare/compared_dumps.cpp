// SPDX-License-Identifier: MIT
#include "views/compare/compared_dumps.h"

#include <QFile>
#include <QFileInfo>
#include <filesystem>
#include <utility>

#include "base/progress.h"
#include "insight/comparison/compare_snapshots.h"
#include "session/objects/object_query.h"
#include "session/open/open_dump.h"
#include "views/compare/comparison_rows.h"

namespace heapscape::gui {

namespace {

using engine::Outcome;
using engine::Snapshot;

constexpr std::size_t kObjectsOfDump = 2000;
constexpr double kOpeningShare = 0.2;  // of the whole work, if the other dump is not open yet

/// Opening the other dump is the first part of the work.
class OpeningOther : public engine::OpenListener {
 public:
  explicit OpeningOther(engine::ProgressSink* whole) : m_part(whole, 0, kOpeningShare) {}
  void progressed(const engine::Progress& progress) override { m_part.progressed(progress); }
  void stageReady(const Snapshot&) override {}

 private:
  engine::PartOfProgress m_part;
};

Outcome<Snapshot> openOther(const QString& path, engine::ProgressSink* progress, const std::stop_token& stop) {
  OpeningOther listener(progress);
  engine::OpenOptions options;
  options.stopAfter = engine::Stage::Retained;
  return engine::openDump(std::filesystem::path(QFile::encodeName(path).toStdString()), options, &listener, stop);
}

std::vector<ComparedObject> listOf(const Snapshot& snapshot, const std::vector<engine::TypeId>& types, bool isOther,
                                   bool& isCut, const std::stop_token& stop) {
  std::vector<ComparedObject> objects;
  for (const engine::TypeId type : types) {
    engine::ObjectFilter filter;
    filter.type = type;
    const std::size_t room = kObjectsOfDump - objects.size();
    const auto found = engine::listObjects(snapshot, filter, 0, room + 1, stop);
    for (std::size_t i = 0; i < std::min(room, found.size()); ++i)
      objects.push_back({found[i].address, found[i].alignedBytes, isOther});
    if (found.size() > room) {
      isCut = true;
      break;
    }
  }
  return objects;
}

}  // namespace

QString ComparedWith::name() const {
  return QFileInfo(path).fileName();
}

Outcome<std::shared_ptr<const ComparedDumps>> compareDumps(const Snapshot& open, const ComparedWith& with,
                                                           std::optional<Snapshot> other,
                                                           engine::ProgressSink* progress, std::stop_token stop) {
  const double begin = other ? 0 : kOpeningShare;
  if (!other) {
    HEAPSCAPE_TRY(Snapshot opened, openOther(with.path, progress, stop));
    other.emplace(std::move(opened));
  }
  engine::PartOfProgress part(progress, begin, 1);
  const Snapshot& before = with.isEarlier ? *other : open;
  const Snapshot& after = with.isEarlier ? open : *other;
  HEAPSCAPE_TRY(engine::Comparison comparison, engine::compareSnapshots(before, after, {}, &part, stop));
  auto compared = std::make_shared<ComparedDumps>(ComparedDumps{.open = open,
                                                                .other = *other,
                                                                .isOtherEarlier = with.isEarlier,
                                                                .comparison = std::move(comparison),
                                                                .types = nullptr,
                                                                .figures = nullptr,
                                                                .insights = nullptr,
                                                                .layouts = nullptr,
                                                                .bars = {}});
  const engine::Comparison& found = compared->comparison;
  compared->types = makeRowList(found.types, typeChangeSchema(before, after, !with.isEarlier));
  compared->figures = makeRowList(found.figures, figureChangeSchema(), found.findings);
  compared->insights = makeRowList(found.insights, insightChangeSchema());
  compared->layouts = makeRowList(found.layouts, layoutChangeSchema(!with.isEarlier));
  compared->bars = growthBars(found.types);
  return compared;
}

ComparedObjects objectsOfType(const ComparedDumps& compared, std::uint32_t row, std::stop_token stop) {
  const engine::TypeChange& type = compared.comparison.types[row];
  ComparedObjects objects;
  const auto& typesOpen = compared.isOtherEarlier ? type.typesAfter : type.typesBefore;
  const auto& typesOther = compared.isOtherEarlier ? type.typesBefore : type.typesAfter;
  std::vector<ComparedObject> rows = listOf(compared.open, typesOpen, false, objects.isCut, stop);
  const std::vector<ComparedObject> others = listOf(compared.other, typesOther, true, objects.isCut, stop);
  rows.insert(rows.end(), others.begin(), others.end());
  objects.rows = makeRowList(std::move(rows), comparedObjectSchema());
  return objects;
}

}  // namespace heapscape::gui
