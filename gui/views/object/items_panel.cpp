// SPDX-License-Identifier: MIT
#include "views/object/items_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <algorithm>

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "models/retained_cell.h"
#include "models/rows/rows_as_text.h"
#include "models/rows/table_setup.h"
#include "views/object/values/value_tree_model.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

constexpr std::uint64_t kPageItems = 500;

QVariant valueCell(const engine::Value& value, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return valueText(value);
    case kPlainRole:
      return fromEngine(value.text);
    case Qt::ToolTipRole:
      return valueTip(value);
    case kValueSuffixRole:
      return valueSuffix(value);
    case kIsWarningRole:
      return isDoubtful(value);
    case kIsDimmedRole:
      return value.kind == engine::ValueKind::Null;
    default:
      return {};
  }
}

bool isFigure(int column) {
  return column == ItemsModel::LabelColumn || column == ItemsModel::RetainedColumn;
}

}  // namespace

void ItemsModel::show(const engine::CollectionDetails& collection) {
  beginResetModel();
  m_items = collection.items;
  m_first = 0;
  m_count = collection.count;
  m_hasKeys = collection.hasKeys;
  m_isWaiting = false;
  m_isAtEnd = m_items.size() >= m_count;
  endResetModel();
}

void ItemsModel::clear() {
  show({});
}

void ItemsModel::setSnapshot(std::optional<engine::Snapshot> snapshot) {
  m_snapshot = std::move(snapshot);
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, RetainedColumn), index(rowCount() - 1, RetainedColumn));
}

void ItemsModel::jumpTo(std::uint64_t first) {
  beginResetModel();
  m_items.clear();
  m_first = std::min(first, m_count);
  m_isWaiting = false;
  m_isAtEnd = m_first >= m_count;
  endResetModel();
  fetchMore({});
}

void ItemsModel::append(std::uint64_t first, std::vector<engine::CollectionItem> items) {
  if (first != m_first + m_items.size()) return;
  m_isWaiting = false;
  m_isAtEnd = items.empty() || first + items.size() >= m_count;
  if (items.empty()) return;
  const int row = rowCount();
  beginInsertRows({}, row, row + static_cast<int>(items.size()) - 1);
  std::ranges::move(items, std::back_inserter(m_items));
  endInsertRows();
}

void ItemsModel::fail() {
  m_isWaiting = false;
  m_isAtEnd = true;
}

const engine::Value* ItemsModel::valueAt(const QModelIndex& index) const {
  if (!index.isValid()) return nullptr;
  const engine::CollectionItem& item = itemAt(index.row());
  return index.column() == KeyColumn && m_hasKeys ? &item.key : &item.value;
}

engine::Address ItemsModel::targetAt(const QModelIndex& index) const {
  const engine::Value* value = valueAt(index);
  return value && value->kind == engine::ValueKind::Reference ? value->object : engine::Address();
}

QString ItemsModel::nameOf(int row) const {
  const engine::CollectionItem& item = itemAt(row);
  return m_hasKeys ? u"[%1]"_s.arg(valueText(item.key)) : fromEngine(item.label);
}

int ItemsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

int ItemsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant ItemsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const engine::CollectionItem& item = itemAt(index.row());
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(
        Qt::Alignment((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
  }
  switch (index.column()) {
    case LabelColumn: {
      if (role != Qt::DisplayRole && role != kPlainRole) return {};
      const QString label = m_hasKeys ? QString() : fromEngine(item.label);  // a key has its own column
      return label.isEmpty() ? countText(m_first + static_cast<std::uint64_t>(index.row())) : label;
    }
    case KeyColumn:
      return m_hasKeys ? valueCell(item.key, role) : QVariant();
    case ValueColumn:
      return valueCell(item.value, role);
    case TypeColumn:
      return typeNameData(item.value.objectType, role);
    case RetainedColumn:
      return retainedCell(m_snapshot, targetAt(index), role);
    default:
      return {};
  }
}

QVariant ItemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(Qt::Alignment((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
  }
  if (role == kHoldsContentsRole) return section == LabelColumn || section == KeyColumn || section == ValueColumn;
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case LabelColumn:
      return u"#"_s;
    case KeyColumn:
      return u"Key"_s;
    case ValueColumn:
      return u"Value"_s;
    case TypeColumn:
      return u"Type"_s;
    case RetainedColumn:
      return u"Retained"_s;
    default:
      return {};
  }
}

bool ItemsModel::canFetchMore(const QModelIndex& parent) const {
  return !parent.isValid() && !m_isAtEnd && !m_isWaiting;
}

void ItemsModel::fetchMore(const QModelIndex& parent) {
  if (!canFetchMore(parent)) return;
  m_isWaiting = true;
  const std::uint64_t from = m_first + m_items.size();
  Q_EMIT itemsWanted(from, std::min(kPageItems, m_count - from));
}

QString collectionFacts(const engine::CollectionDetails& collection) {
  QStringList facts{fromEngine(collection.kind)};
  if (!collection.isHolder) facts << countedText(collection.count, u"item"_s);
  if (collection.capacity > 0 && !collection.isHolder) {
    facts << u"room for %1, %2 of it used"_s.arg(countText(collection.capacity),
                                                 percentText(collection.count, collection.capacity));
  }
  if (!collection.state.empty()) facts << fromEngine(collection.state);
  return facts.join(u" · "_s);
}

ItemsPanel::ItemsPanel(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_model(new ItemsModel(this)),
      m_table(new QTableView(this)),
      m_facts(new ElidedText(this)),
      m_damage(new ElidedText(this)),
      m_jump(new QLineEdit(this)) {
  setUpTable();
  m_facts->setObjectName(u"collectionFacts"_s);
  m_damage->setWarning(true);
  m_jump->setObjectName(u"collectionJump"_s);
  setUpFilter(m_jump);
  m_jump->setPlaceholderText(u"Go to item #"_s);
  m_jump->setAccessibleName(u"Go to item"_s);
  m_jump->setFixedWidth(fontMetrics().averageCharWidth() * 20);

  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(12);
  line->addWidget(m_facts, 1);
  line->addWidget(m_damage, 1);
  line->addWidget(m_jump);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_table, 1);
  setFocusProxy(m_table);

  connect(m_model, &ItemsModel::itemsWanted, this, &ItemsPanel::ask);
  connect(m_jump, &QLineEdit::returnPressed, this, &ItemsPanel::jump);
  connect(m_table, &QAbstractItemView::activated, this, &ItemsPanel::follow);
  connect(m_table, &QWidget::customContextMenuRequested, this, &ItemsPanel::openContextMenu);
}

void ItemsPanel::setUpTable() {
  m_table->setObjectName(u"collectionItems"_s);
  m_table->setAccessibleName(u"Items"_s);
  m_table->setModel(m_model);
  gui::setUpTable(m_table, new TableHeading(m_table));
  m_table->setItemDelegate(new ValueDelegate(m_table));
  m_table->horizontalHeader()->setSectionsClickable(false);
  const int letter = fontMetrics().averageCharWidth();
  m_table->setColumnWidth(ItemsModel::LabelColumn, letter * 10);
  m_table->setColumnWidth(ItemsModel::KeyColumn, letter * 36);
  m_table->setColumnWidth(ItemsModel::ValueColumn, letter * 48);
  m_table->setColumnWidth(ItemsModel::TypeColumn, letter * 30);
  rememberColumns(m_table->horizontalHeader(), u"collectionItems"_s);
}

void ItemsPanel::setSnapshot(std::optional<engine::Snapshot> snapshot) {
  m_model->setSnapshot(std::move(snapshot));
}

void ItemsPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_jump->clear();
  if (!page || !page->object.collection) {
    m_collection = {};
    m_model->clear();
    return;
  }
  const engine::CollectionDetails& collection = *page->object.collection;
  m_collection = page->address();
  m_model->show(collection);
  m_table->setColumnHidden(ItemsModel::KeyColumn, !collection.hasKeys);
  m_facts->setText(collectionFacts(collection));
  m_damage->setText(fromEngine(collection.damage));
  m_damage->setVisible(!collection.damage.empty());
  m_jump->setVisible(collection.count > collection.items.size());
}

void ItemsPanel::ask(quint64 first, quint64 count) {
  m_bridge.ask(
      this, "items",
      [collection = m_collection, first, count](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::collectionItems(snapshot, collection, first, static_cast<std::size_t>(count), stop);
      },
      [this, first](engine::Outcome<std::vector<engine::CollectionItem>> items) {
        if (items) return m_model->append(first, std::move(*items));
        if (items.error().isCancelled()) return;
        m_model->fail();
        m_damage->setText(fromEngine(items.error().error().message()));
        m_damage->show();
      });
}

void ItemsPanel::jump() {
  bool isNumber = false;
  const std::uint64_t item = m_jump->text().trimmed().toULongLong(&isNumber);
  if (!isNumber || item >= m_model->count()) {
    m_jump->selectAll();
    return;
  }
  m_model->jumpTo(item);
  m_table->setFocus();
}

void ItemsPanel::follow(const QModelIndex& index) {
  // Where only the key is an object, the key it is.
  QModelIndex cell = index;
  if (!m_model->targetAt(cell)) cell = index.siblingAtColumn(ItemsModel::ValueColumn);
  if (!m_model->targetAt(cell)) cell = index.siblingAtColumn(ItemsModel::KeyColumn);
  if (const engine::Address object = m_model->targetAt(cell)) Q_EMIT followWanted(object, m_model->nameOf(cell.row()));
}

void ItemsPanel::openContextMenu(const QPoint& position) {
  const QModelIndex index = m_table->indexAt(position);
  if (!index.isValid()) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (m_model->targetAt(index)) {
    menu.addAction(symbolIcon(u"object"_s), u"Go to the object"_s, this, [this, index] { follow(index); });
    menu.addSeparator();
  }
  const auto copy = [](const QString& text) { return [text] { QGuiApplication::clipboard()->setText(text); }; };
  QString value = index.data(kPlainRole).toString();
  menu.addAction(symbolIcon(u"copy"_s), u"Copy value"_s, this, copy(value));
  menu.addAction(u"Copy rows, tab-separated"_s, this, [this] { copySelectedRows(*m_table); });
  menu.addAction(pinActionAround(m_table));
  menu.exec(m_table->viewport()->mapToGlobal(position));
}

}  // namespace heapscape::gui
