// SPDX-License-Identifier: MIT
#include "views/assembly/assembly_place.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "models/dump_file_patterns.h"
#include "models/layout/framework_text.h"
#include "models/rows/rows_panel.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/figure_tile.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

using engine::LayoutRow;
using engine::MissingAssembly;
using engine::UsedAssembly;

std::vector<AssemblyReference> referencesOf(const std::vector<UsedAssembly>& found,
                                            const std::vector<MissingAssembly>& missing) {
  std::vector<AssemblyReference> references;
  for (const MissingAssembly& one : missing) {
    AssemblyReference& reference = references.emplace_back();
    reference.found.name = one.assembly;
    reference.why = one.why;
    reference.neededBy = one.neededBy;
  }
  for (std::size_t i = 1; i < found.size(); ++i) references.emplace_back().found = found[i];
  return references;
}

constexpr auto kChannel = "assembly";
constexpr int kInset = 12;
constexpr int kFewestRows = 9;  // of a list, what stands over it among them

RowsPanelSetup referencesSetup() {
  RowsPanelSetup setup;
  setup.name = u"assemblyReferences"_s;
  setup.title = u"Referenced assemblies"_s;
  setup.noun = u"assemblies"_s;
  setup.one = u"assembly"_s;
  setup.filterHint = u"Filter by name or path"_s;
  setup.emptyHeading = u"It needs no other"_s;
  setup.emptyText = u"The layouts of its types need no other assembly."_s;
  setup.columns = referenceSchema().setups();
  return setup;
}

RowsPanelSetup failuresSetup() {
  RowsPanelSetup setup;
  setup.name = u"assemblyFailures"_s;
  setup.title = u"Types without a layout"_s;
  setup.noun = u"types"_s;
  setup.filterHint = u"Filter by type or reason"_s;
  setup.emptyHeading = u"Every type has a layout"_s;
  setup.columns = failureSchema().setups();
  return setup;
}

// As far from the edge as what is in the lists.
QHBoxLayout* inset(QWidget* part) {
  auto* line = new QHBoxLayout;
  line->setContentsMargins(kInset, 0, kInset, 0);
  line->addWidget(part);
  return line;
}

QString traitsOf(const AssemblyFacts& facts) {
  QStringList traits;
  if (!facts.assembly.version.empty()) {
    traits << u"version %1"_s.arg(fromEngine(facts.assembly.version));
  }
  traits << (facts.assembly.isReadyToRun ? u"ReadyToRun code"_s : u"IL only"_s)
         << u"laid out by the rules of .NET %1"_s.arg(facts.runtimeMajor);
  if (facts.framework) traits << frameworkText(*facts.framework);
  return traits.join(u" · "_s);
}

}  // namespace

engine::Outcome<AssemblyFacts> readAssemblyFacts(const engine::DeclaredLayouts& layouts, std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<LayoutRow> types, layouts.types(stop));
  // Asked for only now: it is the types that need them.
  const std::vector<UsedAssembly> assemblies = layouts.assemblies();
  const std::vector<MissingAssembly> missing = layouts.missing();
  AssemblyFacts facts;
  if (!assemblies.empty()) facts.assembly = assemblies.front();
  facts.runtimeMajor = layouts.runtime().majorVersion;
  facts.framework = layouts.framework();
  facts.types = types.size();
  std::erase_if(types, [](const LayoutRow& type) { return type.failure.empty(); });
  facts.failing = types.size();
  facts.openDefinitions = layouts.openDefinitions().size();
  facts.found = assemblies.empty() ? 0 : assemblies.size() - 1;
  facts.missing = missing.size();
  facts.references = makeRowList(referencesOf(assemblies, missing), referenceSchema());
  facts.failures = makeRowList(std::move(types), failureSchema());
  return facts;
}

RowSchema<AssemblyReference> referenceSchema() {
  using Reference = AssemblyReference;
  RowSchema<Reference> schema;
  schema.columns = {
      {.setup = {.title = u"Assembly"_s, .letters = 34, .isSearched = true, .holdsContents = false},
       .words = [](const Reference& row) { return fromEngine(row.found.name); },
       .isWarning = [](const Reference& row) { return !row.why.empty(); }},
      {.setup = {.title = u"Version"_s, .letters = 12, .holdsContents = false},
       .words = [](const Reference& row) { return fromEngine(row.found.version); }},
      {.setup = {.title = u"Where it is, or was looked for"_s,
                 .letters = 60,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words =
           [](const Reference& row) { return row.why.empty() ? fromEngine(row.found.path) : fromEngine(row.why); }},
      {.setup = {.title = u"Needed by"_s, .kind = engine::ColumnKind::TypeName, .letters = 28, .isSearched = true},
       .words = [](const Reference& row) { return fromEngine(row.neededBy); }},
  };
  schema.kinds = {{.name = u"Missing"_s, .tip = u"Types that need them have no layout"_s},
                  {.name = u"Found"_s, .tip = u"Read as far as layouts need it"_s}};
  schema.kindOf = [](const Reference& row) -> std::size_t { return row.why.empty() ? 1 : 0; };
  return schema;
}

RowSchema<LayoutRow> failureSchema() {
  RowSchema<LayoutRow> schema;
  schema.columns = {
      {.setup = {.title = u"Type"_s, .kind = engine::ColumnKind::TypeName, .letters = 40, .isSearched = true},
       .words = [](const LayoutRow& row) { return fromEngine(row.name); }},
      {.setup = {.title = u"Why it has no layout"_s,
                 .letters = 60,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words = [](const LayoutRow& row) { return fromEngine(row.failure); }},
      {.setup = {.title = u"Assembly"_s, .letters = 24, .isSearched = true, .holdsContents = false},
       .words = [](const LayoutRow& row) { return fromEngine(row.assembly); }},
  };
  return schema;
}

QString assemblyStatusLine(const AssemblyFacts& facts) {
  QStringList parts{countedText(facts.types, u"type"_s)};
  if (facts.failing > 0) parts << u"%1 without a layout"_s.arg(countText(facts.failing));
  if (facts.missing > 0) parts << countedText(facts.missing, u"assembly missing"_s, u"assemblies missing"_s);
  return parts.join(u" · "_s);
}

QString assemblyTitleLine(const AssemblyFacts& facts) {
  const QString file = QFileInfo(fromEngine(facts.assembly.path)).fileName();
  QStringList parts{file.isEmpty() ? fromEngine(facts.assembly.name) : file};
  if (!facts.assembly.version.empty()) parts << fromEngine(facts.assembly.version);
  parts << u"rules of .NET %1"_s.arg(facts.runtimeMajor);
  return parts.join(u" · "_s);
}

AssemblyPlace::AssemblyPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_name(makeHeading(QString(), this, 1.5)),
      m_traits(makeNote(QString(), this)),
      m_path(new ElidedText(this)),
      m_banner(new Banner(this)),
      m_search(new QToolButton(this)),
      m_searched(makeNote(QString(), this)),
      m_references(new RowsPanel(bridge, navigator, referencesSetup(), {}, this)),
      m_failures(new RowsPanel(bridge, navigator, failuresSetup(), {}, this)) {
  auto* lists = new QSplitter(Qt::Vertical, this);
  lists->setChildrenCollapsible(false);
  lists->setHandleWidth(1);
  m_failureList = makeList(u"Types without a layout"_s, m_failures, nullptr);
  lists->addWidget(makeList(u"Referenced assemblies"_s, m_references, buildSearch()));
  lists->addWidget(m_failureList);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 20, 0, 0);
  column->setSpacing(16);
  column->addLayout(inset(buildHead()));
  column->addLayout(inset(m_banner));
  column->addLayout(inset(buildTiles()));
  column->addWidget(lists, 1);
  connect(m_failures, &RowsPanel::rowActivated, this,
          [this](std::uint32_t row) { m_navigator.showLayoutOf(m_failures->rows()->as<engine::LayoutRow>(row).id); });
  clear();
}

QWidget* AssemblyPlace::buildHead() {
  auto* head = new QWidget(this);
  m_name->setObjectName(u"assemblyName"_s);
  m_name->setTextFormat(Qt::PlainText);
  m_traits->setObjectName(u"assemblyTraits"_s);
  m_path->setDimmed(true);
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(m_name);
  column->addWidget(m_traits);
  column->addWidget(m_path);
  return head;
}

QWidget* AssemblyPlace::buildTiles() {
  auto* row = new QWidget(this);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(24);
  const std::array<QString, 4> labels{u"Types with a layout"_s, u"Types without"_s, u"Generic definitions"_s,
                                      u"Assemblies missing"_s};
  for (std::size_t tile = 0; tile < labels.size(); ++tile) {
    m_tiles[tile] = new FigureTile(labels[tile], row);
    line->addWidget(m_tiles[tile], 1);
  }
  return row;
}

QWidget* AssemblyPlace::buildSearch() {
  m_search->setObjectName(u"assemblySearch"_s);
  m_search->setText(u"Look elsewhere…"_s);
  m_search->setToolTip(u"Look for missing assemblies in a folder, or in a dump whose modules serve as well"_s);
  m_search->setIcon(symbolIcon(u"search"_s));
  m_search->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_search->setPopupMode(QToolButton::InstantPopup);
  m_search->setMinimumHeight(qMax(28, fontMetrics().height() * 8 / 5));
  auto* menu = new QMenu(m_search);
  menu->addAction(symbolIcon(u"open"_s), u"In a folder…"_s, this, &AssemblyPlace::pickFolder);
  menu->addAction(symbolIcon(u"dump"_s), u"In a dump or an assembly…"_s, this, &AssemblyPlace::pickFile);
  menu->addSeparator();
  m_forget = menu->addAction(u"No longer elsewhere"_s, this, &AssemblyPlace::forgetSearchPlacesWanted);
  m_search->setMenu(menu);
  auto* bar = new QWidget(this);
  auto* line = new QHBoxLayout(bar);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(12);
  line->addWidget(m_searched);
  line->addWidget(m_search);
  return bar;
}

QWidget* AssemblyPlace::makeList(const QString& heading, RowsPanel* list, QWidget* beside) {
  auto* part = new QWidget(this);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(kInset, 8, kInset, 0);
  line->addWidget(makeHeading(heading, part));
  line->addStretch(1);
  if (beside) line->addWidget(beside);
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(line);
  column->addWidget(list, 1);
  list->setMinimumHeight(tableRowHeight(*list) * kFewestRows);  // the page scrolls rather
  return part;
}

void AssemblyPlace::showAssembly(const engine::DeclaredLayouts&) {
  m_name->setText(QFileInfo(m_bridge.path()).fileName());
  m_path->setText(QDir::toNativeSeparators(m_bridge.path()));
  m_references->showWaiting(u"Laying out its types"_s);
  m_bridge.ask(this, kChannel, readAssemblyFacts, [this](const engine::Outcome<AssemblyFacts>& facts) {
    if (facts) return show(*facts);
    if (facts.error().isCancelled()) return;
    m_references->showFailure(facts.error().error());
    Q_EMIT failed(fromEngine(facts.error().error().message()));
  });
}

void AssemblyPlace::show(const AssemblyFacts& facts) {
  m_traits->setText(traitsOf(facts));
  m_tiles[0]->setFigure(countText(facts.types - facts.failing), u"of %1"_s.arg(countText(facts.types)));
  m_tiles[1]->setFigure(countText(facts.failing), facts.failing == 0 ? QString() : u"each says why, below"_s);
  m_tiles[2]->setFigure(countText(facts.openDefinitions), u"laid out with arguments only"_s,
                        u"In Layouts, enter a full name: Namespace.Type<System.Int32>"_s);
  m_tiles[3]->setFigure(countText(facts.missing), u"%1 found"_s.arg(countText(facts.found)));
  QStringList lacking;
  if (facts.missing > 0)
    lacking << u"Not every assembly that its types need was found. Types that derive from classes in "
               "them, or hold their value types, have no layout. “Look elsewhere…” can help."_s;
  if (facts.framework && facts.framework->isAnother)
    lacking << otherFrameworkText(*facts.framework, facts.runtimeMajor);
  m_banner->setText(lacking.join(QLatin1Char(' ')));
  m_references->setRows(facts.references);
  m_failures->setRows(facts.failures);
  m_failureList->setVisible(facts.failing > 0);
  Q_EMIT described(facts);
}

void AssemblyPlace::setSearchPlaces(const QStringList& places) {
  m_forget->setEnabled(!places.isEmpty());
  m_searched->setText(places.isEmpty() ? QString() : u"also looked in %1 other places"_s.arg(places.size()));
  if (places.size() == 1) m_searched->setText(u"also looked in %1"_s.arg(QFileInfo(places.first()).fileName()));
  m_searched->setToolTip(places.join(QLatin1Char('\n')));
}

void AssemblyPlace::clear() {
  m_name->clear();
  m_traits->clear();
  m_path->setText({});
  m_banner->setText({});
  for (FigureTile* tile : m_tiles) tile->clear();
  m_references->clear();
  m_failures->clear();
  m_failureList->hide();
  setSearchPlaces({});
}

void AssemblyPlace::pickFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, u"Look for assemblies in a folder"_s,
                                                           QFileInfo(m_bridge.path()).absolutePath());
  if (!folder.isEmpty()) Q_EMIT searchPlacePicked(folder);
}

void AssemblyPlace::pickFile() {
  const QString file = QFileDialog::getOpenFileName(
      this, u"Look for assemblies in a dump or an assembly"_s, QFileInfo(m_bridge.path()).absolutePath(),
      u"Dumps and assemblies (%1 *.dll);;All files (*)"_s.arg(dumpFilePatterns()));
  if (!file.isEmpty()) Q_EMIT searchPlacePicked(file);
}

}  // namespace heapscape::gui
