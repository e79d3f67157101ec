// SPDX-License-Identifier: MIT
#include "views/object/values/fields_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "models/rows/rows_as_text.h"
#include "models/rows/table_setup.h"
#include "views/object/values/value_tree_model.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

ValueFilter::ValueFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setRecursiveFilteringEnabled(true);
  setAutoAcceptChildRows(true);
}

void ValueFilter::setText(const QString& text) {
  m_text = text.trimmed();
  invalidateFilter();
}

bool ValueFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (m_text.isEmpty()) return true;
  const auto holds = [&](int column) {
    return sourceModel()->index(row, column, parent).data().toString().contains(m_text, Qt::CaseInsensitive);
  };
  return holds(ValueTreeModel::NameColumn) || holds(ValueTreeModel::ValueColumn);
}

FieldsPanel::FieldsPanel(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_model(new ValueTreeModel(this)),
      m_filterModel(new ValueFilter(this)),
      m_tree(new QTreeView(this)),
      m_filter(new QLineEdit(this)),
      m_group(new QToolButton(this)) {
  m_filterModel->setSourceModel(m_model);
  setUpTree();
  addParts();
  connectParts();
}

void FieldsPanel::setUpTree() {
  m_tree->setObjectName(u"objectFields"_s);
  m_tree->setAccessibleName(u"Fields"_s);
  m_tree->setModel(m_filterModel);
  gui::setUpTree(m_tree, new TableHeading(m_tree));
  m_tree->setItemDelegate(new ValueDelegate(m_tree));
  m_tree->setExpandsOnDoubleClick(false);
  QHeaderView* heading = m_tree->header();
  heading->setSectionsClickable(false);
  const int letter = fontMetrics().averageCharWidth();
  heading->resizeSection(ValueTreeModel::NameColumn, letter * 21);
  heading->resizeSection(ValueTreeModel::ValueColumn, letter * 26);
  heading->resizeSection(ValueTreeModel::TypeColumn, letter * 28);
  heading->resizeSection(ValueTreeModel::OffsetColumn, letter * 9);
  heading->resizeSection(ValueTreeModel::SizeColumn, letter * 8);
  heading->resizeSection(ValueTreeModel::DeclaredColumn, letter * 23);
  rememberColumns(heading, u"objectFields"_s);
  // A name, an offset and a value have what they need before the type has more than that.
  new StretchedSection(m_tree, heading, ValueTreeModel::TypeColumn, letter * 19,
                       {ValueTreeModel::NameColumn, ValueTreeModel::OffsetColumn, ValueTreeModel::ValueColumn});
}

void FieldsPanel::addParts() {
  m_filter->setObjectName(u"objectFieldFilter"_s);
  m_filter->setAccessibleName(u"Filter the fields"_s);
  setUpFilter(m_filter);
  m_group->setObjectName(u"objectGroupFields"_s);
  m_group->setText(u"By class"_s);
  m_group->setToolTip(u"Group the fields by the class that declares them"_s);
  m_group->setAccessibleName(m_group->text());
  m_group->setCheckable(true);
  m_group->setFocusPolicy(Qt::TabFocus);
  m_group->setMinimumHeight(std::max(26, fontMetrics().height() * 8 / 5));

  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(8);
  m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * 60);
  line->addWidget(m_filter, 1);
  line->addWidget(m_group);
  line->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_tree, 1);
  setFocusProxy(m_tree);
}

void FieldsPanel::connectParts() {
  connect(m_filter, &QLineEdit::textChanged, m_filterModel, &ValueFilter::setText);
  connect(m_filter, &QLineEdit::returnPressed, this, &FieldsPanel::goToElement);
  connect(m_group, &QToolButton::toggled, this, [this](bool isGrouped) {
    m_model->setGrouped(isGrouped);
    if (isGrouped) m_tree->expandToDepth(0);
  });
  connect(m_model, &ValueTreeModel::valuesWanted, this, &FieldsPanel::ask);
  // Later, because lines may come while the view lays itself out.
  connect(m_model, &ValueTreeModel::valuesCame, this, &FieldsPanel::revealPending, Qt::QueuedConnection);
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FieldsPanel::pick);
  connect(m_tree, &QAbstractItemView::activated, this, &FieldsPanel::follow);
  connect(m_tree, &QWidget::customContextMenuRequested, this, &FieldsPanel::openContextMenu);
}

void FieldsPanel::setSnapshot(std::optional<engine::Snapshot> snapshot) {
  m_model->setSnapshot(std::move(snapshot));
}

void FieldsPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_isFollowing = true;
  m_pending.reset();
  m_filter->clear();
  m_page = std::move(page);
  m_model->show(m_page);
  m_isFollowing = false;
  const bool isArray = m_page && m_page->object.array;
  m_filter->setPlaceholderText(isArray ? u"Filter, or type an index and press Enter"_s : u"Filter by name or value"_s);
  m_group->setVisible(!isArray);
  if (m_group->isChecked()) m_tree->expandToDepth(0);
}

void FieldsPanel::ask(quint64 node, const ValueQuestion& question) {
  // Lines are opened faster than answers come: each has a channel of its own.
  const QByteArray channel = QByteArrayLiteral("values/") + QByteArray::number(node);
  m_bridge.ask(
      this, channel.constData(),
      [question](const engine::Snapshot& snapshot, std::stop_token stop) {
        return readValues(snapshot, question, stop);
      },
      [this, node](const engine::Outcome<ValueAnswer>& answer) { m_model->take(node, answer); });
}

QModelIndex FieldsPanel::inModel(const QModelIndex& shown) const {
  return m_filterModel->mapToSource(shown);
}

void FieldsPanel::pick(const QModelIndex& index) {
  if (m_isFollowing) return;
  m_pending.reset();
  const ValueNode* node = m_model->nodeAt(inModel(index));
  while (node && node->span.isEmpty()) node = node->parent;
  Q_EMIT spanPicked(node ? node->span : ByteSpan());
}

void FieldsPanel::follow(const QModelIndex& index) {
  const QModelIndex line = inModel(index);
  const ValueNode* node = m_model->nodeAt(line);
  if (!node) return;
  if (const engine::Address object = node->target()) {
    Q_EMIT followWanted(object, m_model->pathAt(line));
  } else if (node->canOpen()) {
    const QModelIndex first = index.siblingAtColumn(0);
    m_tree->setExpanded(first, !m_tree->isExpanded(first));
  }
}

void FieldsPanel::goToElement() {
  if (!m_page || !m_page->object.array) return;
  const engine::ArrayDetails& array = *m_page->object.array;
  bool isNumber = false;
  QString typed = m_filter->text().trimmed();
  const std::uint64_t element = typed.remove(QLatin1Char('[')).remove(QLatin1Char(']')).toULongLong(&isNumber);
  if (!isNumber || element >= array.count) return;
  m_filter->clear();
  const auto begin = static_cast<std::int64_t>(array.elementOffset + element * array.elementSize);
  const ByteSpan span{begin, begin + array.elementSize};
  reveal(span);
  Q_EMIT spanPicked(span);
}

void FieldsPanel::reveal(const ByteSpan& span) {
  m_pending = span;
  revealPending();
}

void FieldsPanel::revealPending() {
  if (!m_pending) return;
  const QModelIndex line = m_pending->isEmpty() ? QModelIndex() : m_model->indexAt(*m_pending);
  if (line.isValid() && m_model->canFetchMore(line) && m_model->nodeAt(line)->kind == ValueNode::Kind::Range) {
    m_model->fetchMore(line);
    return;
  }
  const ValueNode* node = m_model->nodeAt(line);
  const bool isStillComing = node && node->state == ValueNode::Children::Asked;
  if (!isStillComing) m_pending.reset();
  const QModelIndex shown = m_filterModel->mapFromSource(line);
  m_isFollowing = true;
  if (shown.isValid()) {
    m_tree->scrollTo(shown);
    m_tree->setCurrentIndex(shown);
  } else {
    m_tree->selectionModel()->clear();
  }
  m_isFollowing = false;
}

QString FieldsPanel::valueAt(const ByteSpan& span) const {
  const ValueNode* node = m_model->nodeAt(m_model->indexAt(span));
  if (!node || node->kind != ValueNode::Kind::Value) return {};
  return u"%1 = %2"_s.arg(pathOf(*node), valueText(node->value.value));
}

void FieldsPanel::openContextMenu(const QPoint& position) {
  const QModelIndex index = m_tree->indexAt(position);
  if (!index.isValid()) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  fillContextMenu(menu, index);
  menu.exec(m_tree->viewport()->mapToGlobal(position));
}

void FieldsPanel::fillContextMenu(QMenu& menu, const QModelIndex& index) {
  const QModelIndex line = inModel(index);
  const ValueNode* node = m_model->nodeAt(line);
  if (!node) return;
  const engine::Value value = node->value.value;
  if (const engine::Address target = node->target()) {
    const QString via = m_model->pathAt(line);
    menu.addAction(symbolIcon(u"object"_s), u"Go to the object"_s, this,
                   [this, target, via] { Q_EMIT followWanted(target, via); });
    if (value.methodTable) {
      menu.addAction(symbolIcon(u"runtime"_s), u"Show its type"_s, this,
                     [this, type = value.methodTable] { Q_EMIT typeWanted(type); });
      menu.addAction(symbolIcon(u"layouts"_s), u"Show its layout"_s, this,
                     [this, type = value.methodTable] { Q_EMIT layoutWanted(type); });
    }
    menu.addSeparator();
  }
  if (const engine::Address place = node->value.address) {
    menu.addAction(symbolIcon(u"memory"_s), memoryLinkText(place), this, [this, place] { Q_EMIT memoryWanted(place); });
    menu.addSeparator();
  }
  const auto copy = [](const QString& text) { return [text] { QGuiApplication::clipboard()->setText(text); }; };
  if (node->kind == ValueNode::Kind::Value) {
    menu.addAction(symbolIcon(u"copy"_s), u"Copy value"_s, this, copy(fromEngine(value.text)));
    if (value.object) menu.addAction(u"Copy address of the object"_s, this, copy(addressText(value.object)));
    if (node->value.address) {
      menu.addAction(u"Copy address of the field"_s, this, copy(addressText(node->value.address)));
    }
    menu.addAction(u"Copy path"_s, this, copy(m_model->pathAt(line)));
  }
  menu.addAction(u"Copy rows, tab-separated"_s, this, [this] { copySelectedRows(*m_tree); });
  menu.addAction(pinActionAround(m_tree));
}

}  // namespace heapscape::gui
