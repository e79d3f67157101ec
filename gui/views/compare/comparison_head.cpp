// SPDX-License-Identifier: MIT
#include "views/compare/comparison_head.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "base/progress.h"
#include "bridge/file_work.h"
#include "insight/comparison/compare_snapshots.h"
#include "insight/comparison/owner_changes.h"
#include "models/dump_file_patterns.h"
#include "models/names/assembly_name.h"
#include "models/recent_menu.h"
#include "session/layouts/layout_query.h"
#include "session/objects/object_query.h"
#include "session/open/open_dump.h"
#include "session/references/paths_query.h"
#include "tables/path_tables.h"
#include "views/compare/comparison_rows.h"
#include "views/compare/order_banner.h"
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
constexpr double kComparedEnd = 0.9;   // then come owners, roots and the picture

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
  engine::PartOfProgress part(progress, begin, kComparedEnd);
  // Who opens one dump and then picks another thinks of them in that order, unless they say otherwise.
  const engine::DumpOrder order = engine::orderOf(open, *other);
  const bool isOtherEarlier = with.isEarlier.value_or(!order.isFirstEarlier);
  const Snapshot& before = isOtherEarlier ? *other : open;
  const Snapshot& after = isOtherEarlier ? open : *other;
  HEAPSCAPE_TRY(engine::Comparison comparison, engine::compareSnapshots(before, after, {}, &part, stop));
  auto compared = std::make_shared<ComparedDumps>(ComparedDumps{.open = open,
                                                                .other = *other,
                                                                .isOtherEarlier = isOtherEarlier,
                                                                .orderSource = order.source,
                                                                .isOrderChosen = with.isEarlier.has_value(),
                                                                .comparison = std::move(comparison),
                                                                .types = nullptr,
                                                                .owners = nullptr,
                                                                .roots = nullptr,
                                                                .figures = nullptr,
                                                                .insights = nullptr,
                                                                .layouts = nullptr,
                                                                .bars = {}});
  const engine::Comparison& found = compared->comparison;
  compared->types = makeRowList(found.types, typeChangeSchema(before, after, !isOtherEarlier));
  compared->figures = makeRowList(found.figures, figureChangeSchema(), found.findings);
  compared->insights = makeRowList(found.insights, insightChangeSchema());
  compared->layouts = makeRowList(found.layouts, layoutChangeSchema(!isOtherEarlier));
  compared->bars = growthBars(found.types);
  HEAPSCAPE_TRY(engine::HolderChanges holders, engine::compareHolders(before, after, stop));
  compared->owners = makeRowList(std::move(holders.owners), ownerChangeSchema());
  compared->roots = makeRowList(std::move(holders.roots), rootChangeSchema());
  HEAPSCAPE_TRY(compared->dominators, engine::dominatorDifference(before, after, {}, stop));
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
  objects.rows = makeRowList(std::move(rows), comparedObjectSchema(dumpName(compared.open), dumpName(compared.other)));
  return objects;
}

QString dumpName(const Snapshot& snapshot) {
  return QFileInfo(fromEngine(snapshot.summary().dump.path)).fileName();
}

Outcome<ComparedWay> wayTo(const ComparedDumps& compared, const ComparedObject& object, std::stop_token stop) {
  const Snapshot& snapshot = object.isOther ? compared.other : compared.open;
  engine::PathOptions options;
  options.paths = 1;
  HEAPSCAPE_TRY(const engine::RootPathList list,
                engine::pathsToRoots(snapshot, object.address, options, nullptr, std::move(stop)));
  ComparedWay way;
  if (list.paths.empty()) return way;
  const engine::RootPath& path = list.paths.front();
  way.root = fromEngine(snapshot.roots().roots[path.root].name);
  way.expression = fromEngine(path.expression);
  way.steps = makeRowList(engine::listSteps(snapshot, path), comparedStepSchema());
  return way;
}

engine::Result<std::vector<DiagramColumn>> layoutsOfType(const ComparedDumps& compared, std::uint32_t row) {
  const engine::LayoutChange& type = compared.comparison.layouts[row];
  std::vector<DiagramColumn> columns;
  const std::pair<const Snapshot&, engine::Address> sides[]{{compared.before(), type.methodTableBefore},
                                                            {compared.after(), type.methodTableAfter}};
  for (const auto& [snapshot, methodTable] : sides) {
    HEAPSCAPE_TRY(const engine::TypeLayout layout, engine::layoutOf(snapshot, methodTable));
    const std::uint32_t bytes = layout.valueSize.value_or(layout.baseSize);
    DiagramColumn& column = columns.emplace_back();
    column.title = dumpName(snapshot);
    column.figure = bytesText(bytes);
    column.facts << u"%1 padding"_s.arg(bytesText(layout.paddingBytes()));
    column.tip = u"%1, of which %2 are padding"_s.arg(exactBytesText(bytes), exactBytesText(layout.paddingBytes()));
    column.items =
        std::make_shared<const engine::LayoutItems>(engine::buildLayoutItems(layout, layout.valueSize.has_value()));
  }
  return columns;
}

namespace {

QString changeText(const QString& name, const engine::Change& change, bool isBytes) {
  const auto value = [isBytes](std::uint64_t number) { return isBytes ? bytesText(number) : countText(number); };
  return u"%1 %2 → %3 (%4)"_s.arg(name, value(change.before), value(change.after), differenceText(change, isBytes));
}

QString orderText(const ComparedDumps& compared) {
  if (compared.isOrderChosen) return u"In the order that you chose"_s;
  switch (compared.orderSource) {
    case engine::OrderSource::Collections:
      return u"Both are of one process, and the later one has had more collections"_s;
    case engine::OrderSource::FileTimes:
      return u"In the order in which the files were written; a core itself has no time"_s;
    case engine::OrderSource::Nothing:
      break;
  }
  return u"The open dump first: nothing tells which is earlier"_s;
}

QString exactText(const QString& name, const engine::Change& change) {
  return u"%1: %2 before, %3 after"_s.arg(name, countText(change.before), countText(change.after));
}

}  // namespace

ComparisonHead::ComparisonHead(QWidget* parent)
    : QWidget(parent),
      m_others(new QMenu(this)),
      m_question(new ElidedText(this)),
      m_order(new OrderBanner(this)),
      m_figures(new ElidedText(this)),
      m_pick(new QPushButton(symbolIcon(u"open"_s), u"Compare with…"_s, this)),
      m_open(new QPushButton(u"Open the other"_s, this)),
      m_more(new QPushButton(u"More dumps…"_s, this)) {
  m_question->setObjectName(u"comparisonQuestion"_s);
  m_figures->setObjectName(u"comparisonFigures"_s);
  m_figures->setWraps();
  m_pick->setObjectName(u"comparisonPick"_s);
  m_open->setObjectName(u"comparisonOpen"_s);
  m_more->setObjectName(u"comparisonMore"_s);
  m_pick->setToolTip(
      u"With another dump of the same program, earlier or later, of any version of it or of .NET; several "
      "are put in a row"_s);
  m_more->setToolTip(u"Puts these two and others in a row: what grows steadily, what fluctuates"_s);
  m_open->setToolTip(u"Opens it in this window in place of the dump that is open"_s);
  m_question->setFont(scaledFont(font(), 1.1, QFont::DemiBold));
  auto* buttons = new QWidget(this);
  auto* row = new QHBoxLayout(buttons);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  for (QPushButton* button : {m_pick, m_more, m_open}) row->addWidget(button);
  row->addStretch(1);
  // What is compared is read whole: buttons stand below it rather.
  auto* subject = new QWidget(this);
  auto* subjects = new QVBoxLayout(subject);
  subjects->setContentsMargins(0, 0, 0, 0);
  subjects->addWidget(m_question);
  subjects->addWidget(m_order);
  auto* line = new HeadLayout(nullptr, 8);
  line->addWidget(subject);
  line->addWidget(buttons);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(4);
  column->addLayout(line);
  column->addWidget(m_figures);
  connect(m_pick, &QPushButton::clicked, this, &ComparisonHead::pickFiles);
  connect(m_more, &QPushButton::clicked, this, &ComparisonHead::pickMore);
  connect(m_order, &OrderBanner::swapWanted, this, &ComparisonHead::swapWanted);
  connect(m_open, &QPushButton::clicked, this, &ComparisonHead::openWanted);
  setFocusProxy(m_pick);
  showFile({});
}

void ComparisonHead::showFile(const QString& path) {
  m_path = path;
  m_beside.clear();
  showRecent();
  constexpr qsizetype kMostBeside = 8;
  if (!path.isEmpty())
    askForDumpsBeside(path, kMostBeside, this, [this, path](const QStringList& dumps) {
      if (path != m_path) return;
      m_beside = dumps;
      // Those named alike are of the same program, most often.
      std::ranges::stable_sort(m_beside, std::ranges::greater(), [&path](const QString& dump) {
        const QString name = QFileInfo(dump).fileName(), open = QFileInfo(path).fileName();
        return std::ranges::mismatch(name, open).in1 - name.begin();
      });
      showRecent();
    });
  m_question->setText(path.isEmpty() ? QString() : u"Compare %1 with…"_s.arg(QFileInfo(path).fileName()));
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
  others.removeIf([this](const QString& path) { return m_beside.contains(path); });
  const auto open = [this](const QString& path) { Q_EMIT picked({path}); };
  m_others->clear();
  // First those of the same folder, which are most often of the same program.
  addRecent(*m_others, m_beside, open);
  m_others->addSeparator();
  addRecent(*m_others, others, open);
  m_others->addSeparator();
  m_others->addAction(symbolIcon(u"open"_s), u"Other files…"_s, this, &ComparisonHead::pickFiles);
  m_pick->setMenu(others.isEmpty() && m_beside.isEmpty() ? nullptr : m_others);
}

void ComparisonHead::offer(const QPoint& globalPosition) {
  if (m_pick->menu()) {
    m_others->popup(globalPosition);
  } else {
    pickFiles();
  }
}

void ComparisonHead::setReady(bool isReady) {
  m_pick->setEnabled(isReady);
}

void ComparisonHead::showNoResult() {
  m_figures->setText({});
  m_figures->hide();
  m_question->show();
  m_order->hide();
  m_order->setUsable(false);
  for (QPushButton* button : {m_more, m_open}) {
    button->hide();
    button->setEnabled(false);
  }
}

void ComparisonHead::showResult(const ComparedDumps& compared) {
  const engine::Comparison& found = compared.comparison;
  const bool areOfOneArchitecture = found.before.runtime.architecture == found.after.runtime.architecture;
  const auto side = [&](const Snapshot& snapshot, const engine::Summary& summary) {
    if (summary.dump.kind == engine::DumpKind::GcDump) return OrderBanner::Side{dumpName(snapshot), u".gcdump"_s};
    const QString runtime = u".NET %1"_s.arg(fromEngine(summary.runtime.version));
    const QString architecture = areOfOneArchitecture ? QString() : u", "_s + fromEngine(summary.runtime.architecture);
    return OrderBanner::Side{dumpName(snapshot), runtime + architecture};
  };
  const bool isDoubtful = !compared.isOrderChosen && compared.orderSource == engine::OrderSource::Nothing;
  m_order->showOrder(
      side(compared.before(), found.before), side(compared.after(), found.after), orderText(compared),
      isDoubtful ? u"The dumps do not tell which is earlier: swap them if it is the other way round."_s : QString());
  m_order->show();
  m_order->setUsable(true);
  m_question->hide();
  m_figures->setText(QStringList{changeText(u"Heap"_s, found.bytes, true),
                                 changeText(u"Objects"_s, engine::objectsOf(found), false),
                                 changeText(u"Live"_s, found.retainedBytes, true)}
                         .join(u"  ·  "_s));
  m_figures->setDetail(QStringList{exactText(u"Bytes of the heap, free space among it"_s, found.bytes),
                                   exactText(u"Objects, without free objects"_s, engine::objectsOf(found)),
                                   exactText(u"Live bytes: what roots lead to"_s, found.retainedBytes)}
                           .join(QLatin1Char('\n')));
  m_figures->show();
  for (QPushButton* button : {m_more, m_open}) {
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
