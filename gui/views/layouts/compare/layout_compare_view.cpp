// SPDX-License-Identifier: MIT
#include "views/layouts/compare/layout_compare_view.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "models/dump_file_patterns.h"
#include "models/rows/rows_panel.h"
#include "session/open/open_assembly.h"
#include "session/open/open_dump.h"
#include "tables/layout_tables.h"
#include "widgets/arranging/layouts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::ComparedLayout;
using engine::FieldChange;
using engine::FieldDifference;

ComparedKind kindOf(const ComparedLayout& type) {
  if (type.before.isNone()) return ComparedKind::OnlyThere;
  return type.after.isNone() ? ComparedKind::OnlyHere : ComparedKind::Changed;
}

QString changeText(FieldChange change) {
  switch (change) {
    case FieldChange::Same:
      return u"same"_s;
    case FieldChange::Moved:
      return u"moved"_s;
    case FieldChange::Resized:
      return u"resized"_s;
    case FieldChange::Retyped:
      return u"retyped"_s;
    case FieldChange::Added:
      return u"only there"_s;
    case FieldChange::Removed:
      break;
  }
  return u"only here"_s;
}

// "2 moved, 1 only there".
QString summaryOf(const ComparedLayout& type) {
  if (kindOf(type) == ComparedKind::OnlyThere) return u"only there"_s;
  if (kindOf(type) == ComparedKind::OnlyHere) return u"only here"_s;
  std::array<std::size_t, 6> counts{};
  for (const FieldDifference& field : type.difference.fields) ++counts[static_cast<std::size_t>(field.change)];
  QStringList parts;
  for (std::size_t change = 1; change < counts.size(); ++change) {
    if (counts[change] == 0) continue;
    parts << u"%1 %2"_s.arg(countText(counts[change]), changeText(static_cast<FieldChange>(change)));
  }
  if (type.difference.kindChanged) parts << u"another kind of layout"_s;
  return parts.isEmpty() ? u"size or padding"_s : parts.join(u", "_s);
}

// "there" is said of what the open file is compared with.
RowColumn<ComparedLayout> bytesColumn(const char* field, const QString& title, std::uint32_t ComparedLayout::*bytes,
                                      engine::LayoutTypeId ComparedLayout::*side) {
  return {.setup = {.field = field, .title = title, .letters = 13, .hidesZero = true},
          .detail = [bytes, side](const ComparedLayout& type) {
            return (type.*side).isNone() ? u"The type is not there."_s : exactBytesText(type.*bytes);
          }};
}

RowColumn<FieldDifference> numberColumn(const char* field, const QString& title,
                                        std::optional<std::uint32_t> FieldDifference::*number) {
  return {.setup = {.field = field,
                    .isInWords = true,
                    .title = title,
                    .tip = u"In the open file, and there: in what it is compared with"_s,
                    .letters = 8,
                    .holdsContents = false},
          .words = [number](const FieldDifference& field) {
            return field.*number ? QString::number(*(field.*number)) : QString();
          }};
}

}  // namespace

RowSchema<ComparedLayout> comparedTypeSchema() {
  RowSchema<ComparedLayout> schema{.table = &engine::comparedLayoutsTable()};
  schema.columns = {
      {.setup = {.field = "type", .letters = 36, .stretches = true}},
      bytesColumn("sizeBefore", u"Size"_s, &ComparedLayout::instanceBytesBefore, &ComparedLayout::before),
      bytesColumn("sizeAfter", u"there"_s, &ComparedLayout::instanceBytesAfter, &ComparedLayout::after),
      bytesColumn("paddingBefore", u"Padding"_s, &ComparedLayout::paddingBefore, &ComparedLayout::before),
      bytesColumn("paddingAfter", u"there"_s, &ComparedLayout::paddingAfter, &ComparedLayout::after),
      {.setup = {.field = "changes", .letters = 30}, .words = summaryOf},
      {.setup = {.field = "assembly", .letters = 24, .isSearched = true}},
  };
  schema.kinds = {
      {.name = u"Changed"_s, .tip = u"Laid out otherwise there"_s},
      {.name = u"Only there"_s, .tip = u"Types that only the other one has"_s},
      {.name = u"Only here"_s, .tip = u"Types that only the open file has"_s},
  };
  schema.kindOf = [](const ComparedLayout& type) { return static_cast<std::size_t>(kindOf(type)); };
  return schema;
}

RowSchema<FieldDifference> fieldDifferenceSchema() {
  RowSchema<FieldDifference> schema{.table = &engine::fieldDifferencesTable()};
  schema.columns = {
      {.setup = {.field = "name", .letters = 18},
       .detail = [](const FieldDifference& field) { return fromEngine(field.declaringType + "." + field.name); }},
      {.setup = {.field = "change", .letters = 11},
       .words = [](const FieldDifference& field) { return changeText(field.change); }},
      numberColumn("offsetBefore", u"Offset"_s, &FieldDifference::offsetBefore),
      numberColumn("offsetAfter", u"there"_s, &FieldDifference::offsetAfter),
      numberColumn("sizeBefore", u"Size"_s, &FieldDifference::sizeBefore),
      numberColumn("sizeAfter", u"there"_s, &FieldDifference::sizeAfter),
      {.setup = {.field = "typeAfter", .title = u"Type"_s, .letters = 20, .stretches = true, .isSearched = true},
       .words =
           [](const FieldDifference& field) {
             return fromEngine(field.typeAfter.empty() ? field.typeBefore : field.typeAfter);
           },
       .detail =
           [](const FieldDifference& field) {
             if (field.typeBefore.empty() || field.typeAfter.empty() || field.typeBefore == field.typeAfter) {
               return fromEngine(field.typeAfter.empty() ? field.typeBefore : field.typeAfter);
             }
             return u"here %1, there %2"_s.arg(fromEngine(field.typeBefore), fromEngine(field.typeAfter));
           }},
  };
  schema.kinds = {{.name = u"Different"_s, .tip = u"Fields that lie elsewhere or are others"_s},
                  {.name = u"Same"_s, .tip = u"Fields that are as they were"_s}};
  schema.kindOf = [](const FieldDifference& field) {
    return static_cast<std::size_t>(field.change == FieldChange::Same ? FieldDifferenceKind::Same
                                                                      : FieldDifferenceKind::Different);
  };
  return schema;
}

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

/// Choice of what to compare the open file with, and the result in a line.
class CompareHead : public QWidget {
  Q_OBJECT

 public:
  explicit CompareHead(QWidget* parent = nullptr);

  /// The open file; empty for none.
  void showFile(const QString& path);
  void showResult(const ComparedLayouts& compared);
  void showNoResult();

 Q_SIGNALS:
  void partnerPicked(const heapscape::gui::ComparisonPartner& partner);

 private:
  QPushButton* makeButton(const QString& text, const QString& tip);
  void pickFile();

  QString m_path;
  ElidedText* m_question;
  std::vector<QPushButton*> m_buttons;
  ElidedText* m_result;
};

namespace {

constexpr std::uint32_t kRuntimes[]{8, 9, 10, 11};
constexpr std::size_t kMostFailureLines = 12;

QString failureLines(const ComparedLayouts& compared) {
  QStringList lines;
  for (const std::string& failure : compared.failures) {
    if (lines.size() == kMostFailureLines) {
      lines << u"…"_s;
      break;
    }
    lines << fromEngine(failure);
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

CompareHead::CompareHead(QWidget* parent)
    : QWidget(parent), m_question(new ElidedText(this)), m_result(new ElidedText(this)) {
  m_question->setObjectName(u"compareQuestion"_s);
  m_result->setObjectName(u"compareResult"_s);
  m_result->setElideMode(Qt::ElideRight);
  auto* line = new FlowLayout(nullptr, 8);
  QPushButton* file = makeButton(u"Another dump or assembly…"_s, u"Open a second file and compare the types of both"_s);
  file->setObjectName(u"compareFile"_s);
  file->setIcon(symbolIcon(u"open"_s));
  connect(file, &QPushButton::clicked, this, &CompareHead::pickFile);
  line->addWidget(file);
  for (const std::uint32_t runtime : kRuntimes) {
    QPushButton* rules = makeButton(u"Rules of .NET %1"_s.arg(runtime),
                                    u"The same declarations, laid out as .NET %1 would"_s.arg(runtime));
    rules->setObjectName(u"compareRuntime%1"_s.arg(runtime));
    connect(rules, &QPushButton::clicked, this,
            [this, runtime] { Q_EMIT partnerPicked({.path = {}, .runtimeMajor = runtime}); });
    line->addWidget(rules);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(8);
  column->addWidget(m_question);
  column->addLayout(line);
  column->addWidget(m_result);
  showFile({});
}

QPushButton* CompareHead::makeButton(const QString& text, const QString& tip) {
  auto* button = new QPushButton(text, this);
  button->setToolTip(tip);
  m_buttons.push_back(button);
  return button;
}

void CompareHead::showFile(const QString& path) {
  m_path = path;
  m_question->setText(path.isEmpty() ? u"Nothing is open"_s
                                     : u"Compare the layouts of %1 with"_s.arg(QFileInfo(path).fileName()));
  for (QPushButton* button : m_buttons) button->setEnabled(!path.isEmpty());
  showNoResult();
}

void CompareHead::showNoResult() {
  m_result->setText({});
  m_result->hide();
}

void CompareHead::showResult(const ComparedLayouts& compared) {
  QString text = u"%1 against %2: %3 of %4 types laid out otherwise, %5 only there, %6 only here"_s.arg(
      compared.here.name, compared.there.name, countText(compared.changed), countText(compared.changed + compared.same),
      countText(compared.added), countText(compared.removed));
  if (!compared.failures.empty()) {
    text += u" · %1 could not be laid out"_s.arg(countText(compared.failures.size()));
  }
  m_result->setText(text);
  m_result->setDetail(compared.failures.empty() ? QString() : text + QLatin1Char('\n') + failureLines(compared));
  m_result->show();
}

void CompareHead::pickFile() {
  const QString path =
      QFileDialog::getOpenFileName(this, u"Compare with"_s, QFileInfo(m_path).absolutePath(),
                                   u"Dumps and assemblies (%1 *.dll *.exe);;All files (*)"_s.arg(dumpFilePatterns()));
  if (!path.isEmpty()) Q_EMIT partnerPicked({.path = path, .runtimeMajor = 0});
}

namespace {

constexpr auto kChannel = "compare";
constexpr auto kTypeChannel = "compare.type";
constexpr auto kReleaseChannel = "compare.release";

RowsPanelSetup comparedTypesSetup() {
  RowsPanelSetup setup;
  setup.name = u"comparedTypes"_s;
  setup.title = u"Types that differ"_s;
  setup.noun = u"types"_s;
  setup.filterHint = u"Filter by type or assembly"_s;
  setup.emptyHeading = u"No difference"_s;
  setup.emptyText = u"Every type is in both, and laid out the same to the byte."_s;
  setup.columns = comparedTypeSchema().setups();
  return setup;
}

RowsPanelSetup fieldsSetup() {
  RowsPanelSetup setup;
  setup.name = u"comparedFields"_s;
  setup.title = u"Fields of the type in both"_s;
  setup.noun = u"fields"_s;
  setup.filterHint = u"Filter by field"_s;
  setup.emptyHeading = u"Nothing to compare"_s;
  setup.emptyText = u"Only one of the two has this type, or it has no fields."_s;
  setup.columns = fieldDifferenceSchema().setups();
  return setup;
}

}  // namespace

LayoutCompareView::LayoutCompareView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_head(new CompareHead(this)),
      m_types(new RowsPanel(bridge, navigator, comparedTypesSetup(), {}, this)),
      m_diagram(new SideBySideDiagram(this)),
      m_fields(new RowsPanel(bridge, navigator, fieldsSetup(), {}, this)),
      m_state(new StatePanel(this)),
      m_typeState(new StatePanel(this)),
      m_pages(new QStackedLayout),
      m_typePages(new QStackedLayout) {
  m_pages->addWidget(m_state);
  m_pages->addWidget(buildBody());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(m_head);
  column->addLayout(m_pages, 1);
  connect(m_head, &CompareHead::partnerPicked, this, &LayoutCompareView::compareWith);
  connect(m_types, &RowsPanel::rowPicked, this, &LayoutCompareView::showType);
  clear();
}

QWidget* LayoutCompareView::buildBody() {
  auto* both = new QSplitter(Qt::Horizontal, this);
  both->addWidget(m_diagram);
  both->addWidget(m_fields);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 2);
  both->setSizes({600, 400});
  both->setHandleWidth(1);
  both->setChildrenCollapsible(false);
  auto* type = new QWidget(this);
  type->setLayout(m_typePages);
  m_typePages->addWidget(m_typeState);
  m_typePages->addWidget(both);
  auto* body = new QSplitter(Qt::Vertical, this);
  body->addWidget(m_types);
  body->addWidget(type);
  body->setStretchFactor(0, 2);
  body->setStretchFactor(1, 3);
  body->setSizes({400, 600});
  body->setHandleWidth(1);
  body->setChildrenCollapsible(false);
  return body;
}

void LayoutCompareView::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Layouts) || std::exchange(m_isReady, true)) return;
  invite();
}

void LayoutCompareView::showAssembly() {
  m_isReady = true;
  invite();
}

void LayoutCompareView::invite() {
  m_head->showFile(m_bridge.path());
  m_state->showEmpty(u"Compare it with something"_s,
                     u"Another version of the same assembly, a dump of an older program, or the rules of another "
                     "runtime: the types that are laid out otherwise are listed, field by field."_s);
  m_pages->setCurrentWidget(m_state);
}

void LayoutCompareView::clear() {
  m_isReady = false;
  m_bridge.stopAsking(this, kChannel);
  m_bridge.stopAsking(this, kTypeChannel);
  m_types->clear();
  m_fields->clear();
  m_diagram->show({});
  release();
  m_head->showFile({});
  m_state->showEmpty(u"Nothing is open"_s, u"Open a core dump or an assembly to compare its layouts."_s);
  m_pages->setCurrentWidget(m_state);
}

void LayoutCompareView::compareWith(const ComparisonPartner& partner) {
  m_partner = partner;
  m_head->showNoResult();
  showProgress({});
  m_pages->setCurrentWidget(m_state);
  using Answer = engine::Outcome<std::shared_ptr<const ComparedLayouts>>;
  m_bridge.askLong(
      this, kChannel,
      [partner, path = m_bridge.path()](const engine::DeclaredLayouts& layouts, engine::ProgressSink* progress,
                                        std::stop_token stop) {
        return compareLayoutsWith(layouts, path, partner, progress, stop);
      },
      [this](const engine::Progress& progress) { showProgress(progress); },
      [this](Answer answer) {
        if (answer) return take(std::move(*answer));
        if (answer.error().isCancelled()) return;
        m_state->showFailed(u"%1 cannot be compared with"_s.arg(m_partner.name()),
                            fromEngine(answer.error().error().message()));
      });
}

void LayoutCompareView::stop() {
  m_bridge.stopAsking(this, kChannel);
  invite();
}

void LayoutCompareView::showProgress(const engine::Progress& progress) {
  const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
  m_state->showLoading(progress.activity.empty()
                           ? u"Comparing with %1"_s.arg(m_partner.name())
                           : u"%1: %2, %3"_s.arg(m_partner.name(), fromEngine(progress.activity), percent));
  m_state->setAction(u"Stop"_s, [this] { stop(); });
}

void LayoutCompareView::take(std::shared_ptr<const ComparedLayouts> compared) {
  release();
  m_compared = std::move(compared);
  m_head->showResult(*m_compared);
  m_diagram->show({});
  m_fields->clear();
  m_typeState->showEmpty(u"Pick a type"_s, u"Both of its layouts are shown here side by side."_s);
  m_typePages->setCurrentWidget(m_typeState);
  m_types->pickFirst();
  m_types->setRows(m_compared->rows);
  m_pages->setCurrentIndex(1);
}

// A second dump is as large as the first: it is let go on the engine thread.
void LayoutCompareView::release() {
  if (!m_compared) return;
  m_bridge.compute(
      this, kReleaseChannel, [held = std::exchange(m_compared, nullptr)](std::stop_token) { return held.use_count(); },
      [](long) {});
}

void LayoutCompareView::showType(std::uint32_t row) {
  if (!m_compared) return;
  m_bridge.compute(
      this, kTypeChannel, [compared = m_compared, row](std::stop_token) { return readComparedType(*compared, row); },
      [this](engine::Result<ComparedType> type) {
        if (!type) {
          m_typeState->showFailed(u"No layout of this type"_s, fromEngine(type.error().message()));
          return m_typePages->setCurrentWidget(m_typeState);
        }
        m_diagram->show(std::move(type->columns));
        m_fields->setRows(std::move(type->fields));
        m_typePages->setCurrentIndex(1);
      });
}

}  // namespace heapscape::gui

#include "layout_compare_view.moc"
