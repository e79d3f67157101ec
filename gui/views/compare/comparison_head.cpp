// SPDX-License-Identifier: MIT
#include "views/compare/comparison_head.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <filesystem>
#include <utility>

#include "base/progress.h"
#include "insight/comparison/compare_snapshots.h"
#include "models/dump_file_patterns.h"
#include "models/names/assembly_name.h"
#include "models/recent_menu.h"
#include "session/objects/object_query.h"
#include "session/open/open_dump.h"
#include "views/compare/comparison_rows.h"
#include "widgets/arranging/layouts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

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

namespace {

QString changeText(const QString& name, const engine::Change& change, bool isBytes) {
  const auto value = [isBytes](std::uint64_t number) { return isBytes ? bytesText(number) : countText(number); };
  return u"%1 %2 → %3 (%4)"_s.arg(name, value(change.before), value(change.after), differenceText(change, isBytes));
}

QString exactText(const QString& name, const engine::Change& change) {
  return u"%1: %2 before, %3 after"_s.arg(name, countText(change.before), countText(change.after));
}

}  // namespace

ComparisonHead::ComparisonHead(QWidget* parent)
    : QWidget(parent),
      m_others(new QMenu(this)),
      m_question(new ElidedText(this)),
      m_figures(new ElidedText(this)),
      m_pick(new QPushButton(symbolIcon(u"open"_s), u"Compare with…"_s, this)),
      m_swap(new QPushButton(u"Swap"_s, this)),
      m_open(new QPushButton(u"Open the other"_s, this)),
      m_more(new QPushButton(u"More dumps…"_s, this)) {
  m_question->setObjectName(u"comparisonQuestion"_s);
  m_figures->setObjectName(u"comparisonFigures"_s);
  m_figures->setWraps();
  m_pick->setObjectName(u"comparisonPick"_s);
  m_swap->setObjectName(u"comparisonSwap"_s);
  m_open->setObjectName(u"comparisonOpen"_s);
  m_more->setObjectName(u"comparisonMore"_s);
  m_pick->setToolTip(
      u"With another dump of the same program, earlier or later, of any version of it or of .NET; several "
      "are put in a row"_s);
  m_more->setToolTip(u"Puts these two and others in a row: what grows steadily, what comes and goes"_s);
  m_swap->setToolTip(u"Swap before and after: take the other dump for the later one, or back"_s);
  m_open->setToolTip(u"Opens it in this window in place of the dump that is open"_s);
  m_question->setFont(scaledFont(font(), 1.1, QFont::DemiBold));
  auto* buttons = new QWidget(this);
  auto* row = new QHBoxLayout(buttons);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  for (QPushButton* button : {m_pick, m_more, m_swap, m_open}) row->addWidget(button);
  row->addStretch(1);
  // What is compared is read whole: buttons stand below it rather.
  auto* line = new HeadLayout(nullptr, 8);
  line->addWidget(m_question);
  line->addWidget(buttons);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(4);
  column->addLayout(line);
  column->addWidget(m_figures);
  connect(m_pick, &QPushButton::clicked, this, &ComparisonHead::pickFiles);
  connect(m_more, &QPushButton::clicked, this, &ComparisonHead::pickMore);
  connect(m_swap, &QPushButton::clicked, this, &ComparisonHead::swapWanted);
  connect(m_open, &QPushButton::clicked, this, &ComparisonHead::openWanted);
  showFile({});
}

void ComparisonHead::showFile(const QString& path) {
  m_path = path;
  showRecent();
  m_question->setText(path.isEmpty() ? QString() : u"What changed to or from %1"_s.arg(QFileInfo(path).fileName()));
  setReady(false);
  showNoResult();
}

void ComparisonHead::setRecentDumps(const QStringList& paths) {
  m_recent = paths;
  m_recent.removeIf([](const QString& path) { return hasAssemblyName(path); });
  showRecent();
}

// Without any, the button asks for a file at once.
void ComparisonHead::showRecent() {
  QStringList others = m_recent;
  others.removeAll(m_path);
  m_others->clear();
  addRecent(*m_others, others, [this](const QString& path) { Q_EMIT picked({path}); });
  m_others->addSeparator();
  m_others->addAction(symbolIcon(u"open"_s), u"Other files…"_s, this, &ComparisonHead::pickFiles);
  m_pick->setMenu(others.isEmpty() ? nullptr : m_others);
}

void ComparisonHead::setReady(bool isReady) {
  m_pick->setEnabled(isReady);
}

void ComparisonHead::showNoResult() {
  m_figures->setText({});
  m_figures->hide();
  for (QPushButton* button : {m_more, m_swap, m_open}) {
    button->hide();
    button->setEnabled(false);
  }
}

void ComparisonHead::showResult(const ComparedDumps& compared, const ComparedWith& with) {
  const engine::Comparison& found = compared.comparison;
  const QString open = QFileInfo(m_path).fileName();
  const bool areOfOneArchitecture = found.before.runtime.architecture == found.after.runtime.architecture;
  const auto named = [&](const QString& name, const engine::Summary& summary) {
    return u"%1 (.NET %2%3)"_s.arg(
        name, fromEngine(summary.runtime.version),
        areOfOneArchitecture ? QString() : u", "_s + fromEngine(summary.runtime.architecture));
  };
  m_question->setText(u"From %1 to %2"_s.arg(named(with.isEarlier ? with.name() : open, found.before),
                                             named(with.isEarlier ? open : with.name(), found.after)));
  m_figures->setText(QStringList{changeText(u"Heap"_s, found.bytes, true),
                                 changeText(u"Objects"_s, engine::objectsOf(found), false),
                                 changeText(u"Reachable"_s, found.retainedBytes, true)}
                         .join(u"  ·  "_s));
  m_figures->setDetail(QStringList{exactText(u"Bytes of the heap, free space among it"_s, found.bytes),
                                   exactText(u"Objects, without free objects"_s, engine::objectsOf(found)),
                                   exactText(u"Reachable bytes"_s, found.retainedBytes)}
                           .join(QLatin1Char('\n')));
  m_figures->show();
  for (QPushButton* button : {m_more, m_swap, m_open}) {
    button->show();
    button->setEnabled(true);
  }
}

QStringList ComparisonHead::askForFiles(const QString& title) {
  return QFileDialog::getOpenFileNames(this, title, QFileInfo(m_path).absolutePath(),
                                       u"Core dumps (%1);;All files (*)"_s.arg(dumpFilePatterns()));
}

void ComparisonHead::pickFiles() {
  const QStringList paths = askForFiles(u"Compare with"_s);
  if (!paths.isEmpty()) Q_EMIT picked(paths);
}

void ComparisonHead::pickMore() {
  const QStringList paths = askForFiles(u"More dumps of the program"_s);
  if (!paths.isEmpty()) Q_EMIT morePicked(paths);
}

}  // namespace heapscape::gui
