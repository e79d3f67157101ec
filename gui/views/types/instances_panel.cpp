// SPDX-License-Identifier: MIT
#include "views/types/instances_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "models/query/query_edit.h"
#include "models/rows/field_columns.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kWidestQuery = 60;  // letters
constexpr int kWantedLetters = 120;

using engine::ObjectField;
const std::vector<ObjectField> kInstanceColumns{ObjectField::Address, ObjectField::Size, ObjectField::Retained,
                                                ObjectField::Gen, ObjectField::Value};

void setUpButton(QToolButton* button, const char* name, const QString& symbol, const QString& text,
                 const QString& tip) {
  button->setObjectName(QString::fromLatin1(name));
  button->setText(text);
  button->setIcon(symbolIcon(symbol));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setToolTip(tip);
  button->setMinimumHeight(std::max(28, button->fontMetrics().height() * 8 / 5));
}

}  // namespace

InstancesPanel::InstancesPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_list(new ObjectList(bridge, navigator,
                            {.name = u"instances"_s, .title = u"Instances"_s, .columns = kInstanceColumns}, this)),
      m_heading(new QLabel(this)),
      m_query(new QueryEdit(bridge, u"instances"_s, this)),
      m_open(new QToolButton(this)),
      m_showOnMap(new QToolButton(this)) {
  m_heading->setTextFormat(Qt::PlainText);
  m_query->setObjectName(u"instanceQuery"_s);
  m_query->setPlaceholderText(u"field(\"Name\") = \"x\", size > 1 KB"_s);
  m_query->setAccessibleName(u"Query over the instances"_s);
  engine::QuerySchema schema = engine::objectSchema();
  schema.fields.front().isPlain = false;  // the type is the same for all
  m_query->setSchema(std::move(schema));
  m_query->setOrder(
      [this] { return SavedView{.sortColumn = m_list->sortColumn(), .descending = m_list->isDescending()}; },
      [this](const SavedView& view) { m_list->setOrder(view.sortColumn, view.descending); });
  m_query->setMaximumWidth(fontMetrics().averageCharWidth() * kWidestQuery);
  setUpButton(m_open, "openObject", u"object"_s, u"Open"_s, u"What the object holds"_s);
  setUpButton(m_showOnMap, "showOnMap", u"segments"_s, u"Show on map"_s, u"Where the object lies among the segments"_s);

  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(12);
  line->addWidget(m_heading);
  line->addWidget(m_query, 1);
  line->addStretch();
  line->addWidget(m_open);
  line->addWidget(m_showOnMap);
  m_error = new QueryErrorLine(*m_query, this);
  m_error->setContentsMargins(12, 0, 12, 8);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_error);
  column->addWidget(m_list, 1);

  connect(m_query, &QueryEdit::complaintChanged, this, &InstancesPanel::showComplaint);
  connect(m_query, &QueryEdit::queryChanged, this, &InstancesPanel::load);
  connect(m_list, &ObjectList::orderChanged, this, &InstancesPanel::load);
  connect(m_list, &ObjectList::pickedChanged, this, &InstancesPanel::showPicked);
  connect(m_open, &QToolButton::clicked, this, [this] { m_navigator.showObject(m_list->picked().object); });
  connect(m_showOnMap, &QToolButton::clicked, this, [this] { m_navigator.showInSegments(m_list->picked()); });
  clear();
}

void InstancesPanel::show(engine::Address methodTable, const QString& typeName, std::uint64_t count,
                          const engine::HeapScope& scope) {
  const bool isSame = methodTable == m_methodTable && scope == m_scope && count == m_count;
  if (isSame) return;
  m_methodTable = methodTable;
  m_typeName = typeName;
  m_list->fields().setTypeText(typeName);
  m_count = count;
  m_scope = scope;
  m_isLoaded = false;
  if (isVisible()) load();
}

// Retained sizes may have come, or come from other roots.
void InstancesPanel::showSnapshot(const engine::Snapshot& snapshot) {
  if (!m_methodTable || !snapshot.has(engine::Stage::Retained)) return;
  m_isLoaded = false;
  if (isVisible()) load();
}

int InstancesPanel::wantedWidth() const {
  return std::max(minimumSizeHint().width(), fontMetrics().averageCharWidth() * kWantedLetters);
}

void InstancesPanel::beginFile() {
  m_query->beginFile();
}

void InstancesPanel::clear() {
  showNoType();
}

void InstancesPanel::showNoType() {
  m_methodTable = {};
  m_followed = {};
  m_count = 0;
  m_isLoaded = false;
  m_list->drop();
  showPicked();
  m_heading->setText(u"Instances"_s);
  m_heading->setToolTip({});
  m_list->showState().showEmpty(u"No type selected"_s, u"Pick a type to list its objects."_s);
}

void InstancesPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_methodTable && !m_isLoaded) load();
}

void InstancesPanel::load() {
  if (!m_methodTable || !m_bridge.snapshot()) return;
  if (m_query->error() && !m_query->dropUnlessFound(false)) {
    showComplaint(m_query->complaint());
    return;
  }
  m_isLoaded = true;
  const bool isOther = m_methodTable != m_listedType || m_scope != m_listedScope || m_query->text() != m_listedQuery;
  if (m_methodTable != m_listedType) m_list->drop();
  if (!m_list->list()) m_list->showState().showLoading(u"Listing the instances"_s);
  updateHeading();
  engine::ObjectSearch search;
  search.scope = m_scope;
  search.methodTable = m_methodTable;
  m_list->ask(
      m_query->text().toStdString(), std::move(search), isOther,
      [this](const engine::Progress& progress) {
        m_heading->setText(u"Instances · %1"_s.arg(searchProgressText(progress)));
      },
      [this, type = m_methodTable, scope = m_scope, query = m_query->text()](ObjectList::Answer answer) {
        m_listedType = type;
        m_listedScope = scope;
        m_listedQuery = query;
        take(std::move(answer));
      });
}

void InstancesPanel::take(ObjectList::Answer answer) {
  if (!answer && answer.error().isCancelled()) return;
  if (!answer) {
    m_list->drop();
    m_list->showState().showFailed(u"The instances cannot be searched"_s, fromEngine(answer.error().error().message()));
    return;
  }
  if (m_query->dropUnlessFound((*answer)->found.objects > 0)) {
    load();
    return;
  }
  m_list->show(std::move(*answer));
  m_list->follow(m_followed);
  showPicked();
  updateHeading();
  if (m_list->size() > 0) {
    m_list->showTable();
  } else {
    showNone();
  }
}

// Those that fit the last query stay, dimmed, and are not counted.
void InstancesPanel::showComplaint(const QString& complaint) {
  if (complaint.isEmpty() || !m_methodTable) return;
  m_list->dim();
  m_isLoaded = false;
  updateHeading();
  if (m_list->size() > 0) return;
  showNotUnderstood(m_list->showState(), *m_query);
}

void InstancesPanel::showPicked() {
  const bool isPicked = !m_list->picked().isEmpty();
  m_open->setEnabled(isPicked);
  m_showOnMap->setEnabled(isPicked);
}

void InstancesPanel::showNone() {
  StatePanel& state = m_list->showState();
  if (!m_query->text().isEmpty()) {
    state.showEmpty(u"No match"_s, u"None of the %1 fits the query."_s.arg(countedText(m_count, u"instance"_s)));
    state.setAction(u"Clear the query"_s, [this] { m_query->clear(); });
  } else {
    state.showEmpty(u"No objects"_s, m_typeName == u"Free"_s
                                         ? u"These are gaps. Segments shows where they lie."_s
                                         : u"This part of the heap holds no object of the selected type."_s);
  }
}

void InstancesPanel::updateHeading() {
  m_heading->setToolTip(m_typeName);
  if (!m_list->isAnswer()) {
    m_heading->setText(u"Instances"_s);
    return;
  }
  const std::uint64_t found = m_list->size();
  const QString figures =
      found == m_count ? countText(m_count) : u"%1 of %2"_s.arg(countText(found), countText(m_count));
  m_heading->setText(u"Instances · %1"_s.arg(figures));
}

void InstancesPanel::follow(engine::Address object) {
  m_followed = object;
  m_list->follow(object);
}

}  // namespace heapscape::gui
