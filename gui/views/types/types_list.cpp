// SPDX-License-Identifier: MIT
#include "views/types/types_list.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QStackedLayout>
#include <QStyle>

#include "models/cells/generation_cells.h"
#include "models/cells/item_painting.h"
#include "models/names/type_name.h"
#include "models/rows/picked_line.h"
#include "models/rows/rows_table.h"
#include "models/rows/table_setup.h"
#include "models/rows/type_figures.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

std::vector<TreeColumn> columnsOfTypes() {
  std::vector<ColumnSetup> table = typeColumns();
  table.resize(TypeTableColumnCount);
  std::vector<TreeColumn> columns;
  for (const ColumnSetup& column : table) {
    const bool isFigure = engine::isFigure(column.kind);
    columns.push_back({.title = column.title, .look = isFigure ? TreeColumn::Look::Figure : TreeColumn::Look::Text});
  }
  return columns;
}

}  // namespace

NamespaceTreeModel::NamespaceTreeModel(QObject* parent) : NumberedTreeModel(columnsOfTypes(), parent) {}

void NamespaceTreeModel::show(std::shared_ptr<const TypeRows> rows) {
  beginResetModel();
  m_rows = std::move(rows);
  numberRows(tree() ? tree()->nodes.size() : 0);
  endResetModel();
}

engine::TypeId NamespaceTreeModel::typeAt(const QModelIndex& index) const {
  return index.isValid() && tree() ? tree()->nodes[nodeOf(index)].type : engine::TypeId{};
}

QModelIndex NamespaceTreeModel::indexOf(engine::Address methodTable) const {
  if (!tree() || !methodTable) return {};
  for (std::uint32_t node = 0; node < tree()->nodes.size(); ++node) {
    const engine::TypeId type = tree()->nodes[node].type;
    if (type.isNone() || m_rows->snapshot.types()[type.value].methodTable != methodTable) continue;
    return NumberedTreeModel::indexOf(node);
  }
  return {};
}

QVariant NamespaceTreeModel::cell(const QModelIndex& index, int role) const {
  const std::uint32_t number = nodeOf(index);
  const engine::NamespaceNode& node = tree()->nodes[number];
  if (index.column() == NameColumn) {
    const bool wantsFullName = role == Qt::ToolTipRole;
    return textData(wantsFullName ? node.fullName : node.name, role);
  }
  if (index.column() == AssemblyColumn) {
    return node.type.isNone() ? QVariant() : textData(m_rows->snapshot.types()[node.type.value].assembly, role);
  }
  if (index.column() == RetainedColumn && node.type.isNone()) {
    return role == Qt::ToolTipRole
               ? u"Retained sizes of types do not add up; the dominator tree has them by namespace."_s
               : QVariant();
  }
  if (index.column() == GenerationsColumn && m_rows->snapshot.isRecorded()) return {};
  return figureData(tree()->figures(number), tree()->largest, m_rows->hasPadding(), index.column(), role);
}

QVariant NamespaceTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && role == Qt::ToolTipRole)
    return typeTableHeadingTip(section, m_rows && m_rows->hasPadding());
  return TreeModel::headerData(section, orientation, role);
}

/// The headings of a table of types; the generations' heading names each cell of the miniature below it.
class TypeHeading : public TableHeading {
  Q_OBJECT

 public:
  using TableHeading::TableHeading;

 protected:
  void paintContent(QPainter* painter, const QRect& rect, int section) const override;
};

namespace {

constexpr std::size_t kExpandAllUpTo = 200;  // nodes
constexpr int kNameLetters = 34;             // at least

}  // namespace

void TypeHeading::paintContent(QPainter* painter, const QRect& rect, int section) const {
  if (section != GenerationsColumn) {
    TableHeading::paintContent(painter, rect, section);
    return;
  }
  // The width of the cells depends on the height of a row, not on that of the heading.
  const QRect row(rect.left() - kItemMargin, rect.top(), rect.width() + 2 * kItemMargin, tableRowHeight(*this));
  const auto cells = generationCells(GenerationCellsDelegate::pictureArea(row), {});
  for (const engine::Generation generation : engine::kGenerations) {
    QRectF letter = cells[static_cast<std::size_t>(generation)].frame;
    letter.setTop(rect.top());
    letter.setBottom(rect.bottom());
    painter->drawText(letter.adjusted(-4, 0, 4, 0), Qt::AlignCenter, generationLetter(generation));
  }
}

TypesList::TypesList(QWidget* parent)
    : QWidget(parent),
      m_table(new RowsTable(u"typeTable"_s, u"Types"_s, typeColumns(), u"types"_s, this, new TypeHeading(this))),
      m_treeModel(new NamespaceTreeModel(this)),
      m_tree(new QTreeView(this)),
      m_pages(new QStackedLayout(this)) {
  m_table->setItemDelegateForColumn(GenerationsColumn, new GenerationCellsDelegate(m_table));
  m_table->horizontalHeader()->setMinimumSectionSize(fontMetrics().averageCharWidth() * 6);
  connect(m_table, &RowsTable::sortWanted, this, &TypesList::sortBy);
  connectView(m_table);
  setUpTree(m_tree);
  connectView(m_tree);

  m_pages->addWidget(m_table);
  m_pages->addWidget(m_tree);
  setFocusProxy(m_table);
}

void TypesList::setUpTree(QTreeView* tree) {
  tree->setObjectName(u"namespaceTree"_s);
  tree->setAccessibleName(u"Types by namespace"_s);
  tree->setModel(m_treeModel);
  auto* heading = new TypeHeading(tree);
  gui::setUpTree(tree, heading);
  tree->setItemDelegateForColumn(NameColumn, new NameDelegate(tree));
  auto* bars = new ShareBarDelegate(ShareBarDelegate::Bar::Plain, tree);
  for (const int column : {ObjectsColumn, BytesColumn, RetainedColumn, GarbageColumn, AverageColumn})
    tree->setItemDelegateForColumn(column, bars);
  tree->setItemDelegateForColumn(PaddingColumn, new ShareBarDelegate(ShareBarDelegate::Bar::Padding, tree));
  tree->setItemDelegateForColumn(GenerationsColumn, new GenerationCellsDelegate(tree));
  tree->setItemDelegateForColumn(AssemblyColumn, new NameDelegate(tree));

  const QHeaderView* table = m_table->horizontalHeader();
  heading->setMinimumSectionSize(table->minimumSectionSize());
  for (int column = 0; column < TypeTableColumnCount; ++column)
    heading->resizeSection(column,
                           table->isSectionHidden(column) ? heading->defaultSectionSize() : table->sectionSize(column));
  rememberColumns(heading, u"namespaces"_s);
  new StretchedSection(tree, heading, NameColumn, leastNameWidth());
  heading->setSortIndicatorShown(true);
  connect(heading, &QHeaderView::sectionClicked, this, [this](int section) {
    if (!m_rows || !sortedOf(section)) {
      showSorting();
      return;
    }
    const TypeQuestion& asked = m_rows->question;
    sortBy(section, section == asked.section ? !asked.descending
                                             : isFigure(typeColumns()[static_cast<std::size_t>(section)].kind));
  });
}

void TypesList::connectView(QAbstractItemView* view) {
  connect(view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this, view](const QModelIndex& current) {
            const engine::Address type = typeAt(current);
            if (m_isFollowing) return;
            if (!type) {
              if (current.isValid() && view == m_tree && isVisible()) Q_EMIT otherPicked(current, *m_tree->header());
              return;
            }
            m_followed = type;
            Q_EMIT typePicked(type);
          });
  connect(view, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    if (const engine::Address type = typeAt(index)) Q_EMIT layoutWanted(type);
  });
  connect(view, &QWidget::customContextMenuRequested, this,
          [this, view](const QPoint& position) { openContextMenu(view, position); });
}

int TypesList::leastNameWidth() const {
  return fontMetrics().averageCharWidth() * kNameLetters;
}

int TypesList::wantedWidth() const {
  const QHeaderView* heading = m_table->horizontalHeader();
  return heading->length() - heading->sectionSize(NameColumn) + leastNameWidth() +
         style()->pixelMetric(QStyle::PM_ScrollBarExtent);
}

void TypesList::show(std::shared_ptr<const TypeRows> rows) {
  m_isFollowing = true;
  m_rows = std::move(rows);
  const bool isTree = m_rows && m_rows->question.asTree;
  if (m_rows && m_rows->list) {
    m_table->rows().show(m_rows->list, m_rows->order);
  } else {
    m_table->rows().clear();
  }
  m_treeModel->show(isTree ? m_rows : nullptr);
  m_pages->setCurrentWidget(isTree ? static_cast<QWidget*>(m_tree) : m_table);
  setFocusProxy(m_pages->currentWidget());
  if (isTree) expandSmallTree();
  showSorting();
  m_isFollowing = false;
  follow(m_followed);
}

void TypesList::expandSmallTree() {
  if (m_rows->tree.nodes.size() <= kExpandAllUpTo) {
    m_tree->expandAll();
    return;
  }
  // A namespace that holds nothing but another one is no step of its own.
  for (QModelIndex node; m_treeModel->rowCount(node) == 1;) {
    node = m_treeModel->index(0, 0, node);
    m_tree->expand(node);
  }
}

void TypesList::showSorting() {
  if (!m_rows) return;
  const TypeQuestion& asked = m_rows->question;
  m_table->showSorting(asked.section, asked.descending);
  m_tree->header()->setSortIndicator(asked.section, asked.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void TypesList::sortBy(int section, bool descending) {
  if (!m_rows) return;
  const bool isKnown = section != GenerationsColumn && (section != PaddingColumn || m_rows->hasPadding()) &&
                       ((section != RetainedColumn && section != GarbageColumn) || m_rows->hasRetained());
  if (isKnown) {
    Q_EMIT sortWanted(section, descending);
  } else {
    showSorting();
  }
}

void TypesList::follow(engine::Address methodTable) {
  m_followed = methodTable;
  const bool isTree = view() == m_tree;
  const QModelIndex index =
      isTree ? m_treeModel->indexOf(methodTable) : m_table->rows().index(m_table->rows().lineAbout(methodTable), 0);
  if (index == view()->currentIndex().siblingAtColumn(0)) return;
  m_isFollowing = true;
  if (index.isValid()) {
    view()->setCurrentIndex(index);
    view()->scrollTo(index);
  } else {
    view()->selectionModel()->clear();
  }
  m_isFollowing = false;
}

engine::Address TypesList::typeAt(const QModelIndex& index) const {
  if (!index.isValid() || !m_rows) return {};
  if (index.model() != m_treeModel) return m_table->rows().identityAt(index.row());
  const engine::TypeId type = m_treeModel->typeAt(index);
  return type.isNone() ? engine::Address{} : m_rows->snapshot.types()[type.value].methodTable;
}

QAbstractItemView* TypesList::view() const {
  return static_cast<QAbstractItemView*>(m_pages->currentWidget());
}

void TypesList::openContextMenu(QAbstractItemView* view, const QPoint& position) {
  const QModelIndex index = view->indexAt(position);
  if (!index.isValid()) return;
  if (view == m_table && m_picked && m_picked->openMenu(index, position)) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (const engine::Address type = typeAt(index)) {
    menu.addAction(symbolIcon(u"layouts"_s), u"Show layout"_s, this, [this, type] { Q_EMIT layoutWanted(type); });
    menu.addAction(symbolIcon(u"object"_s), u"List instances"_s, this, [this, type] { Q_EMIT instancesWanted(type); });
    menu.addAction(symbolIcon(u"references"_s), u"Why are they alive?"_s, this,
                   [this, type] { Q_EMIT reasonWanted(type); });
    menu.addSeparator();
  }
  const QString name = index.siblingAtColumn(NameColumn).data(Qt::ToolTipRole).toString();
  menu.addAction(symbolIcon(u"copy"_s), u"Copy name"_s, this, [name] { QGuiApplication::clipboard()->setText(name); });
  menu.addActions(view->actions());
  menu.exec(view->viewport()->mapToGlobal(position));
}

}  // namespace heapscape::gui

#include "types_list.moc"
