// SPDX-License-Identifier: MIT
#include "models/rows/stretched_section.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QHeaderView>
#include <QTreeView>
#include <algorithm>

#include "models/cells/roles.h"

namespace heapscape::gui {

namespace {

constexpr int kRowsLookedAt = 60;

// Section whose texts stand to the right of the branches.
int branchSection(const QTreeView& tree) {
  return std::max(0, tree.treePosition());
}

}  // namespace

StretchedSection::StretchedSection(QAbstractItemView* view, QHeaderView* header, int section, int leastWidth,
                                   std::vector<int> named)
    : QObject(view), m_view(view), m_header(header), m_section(section), m_leastWidth(leastWidth) {
  for (const int each : named) m_named.push_back({each, header->sectionSize(each)});
  // Settings of an earlier session may say otherwise.
  header->setSectionResizeMode(section, QHeaderView::Interactive);
  header->setStretchLastSection(false);
  view->viewport()->installEventFilter(this);
  connect(header, &QHeaderView::sectionResized, this, &StretchedSection::follow);
  // Once the view knows where its rows are, and once for all that changes in a turn.
  m_soon.setSingleShot(true);
  connect(&m_soon, &QTimer::timeout, this, &StretchedSection::stretch);
  const auto stretchSoon = [this] { m_soon.start(0); };
  if (!m_named.empty()) {
    connect(view->model(), &QAbstractItemModel::modelReset, this, stretchSoon);
    connect(view->model(), &QAbstractItemModel::dataChanged, this, stretchSoon);
  }
  if (const auto* tree = qobject_cast<QTreeView*>(view)) {
    connect(tree, &QTreeView::expanded, this, stretchSoon);
    connect(tree, &QTreeView::collapsed, this, stretchSoon);
  }
  stretch();
}

void StretchedSection::putFirst() {
  m_isFirst = true;
  stretch();
}

int StretchedSection::chosenWidth(const QHeaderView& header, int section) {
  for (StretchedSection* each :
       header.parent()->findChildren<StretchedSection*>(QString(), Qt::FindDirectChildrenOnly)) {
    const Named* named = each->m_header == &header ? each->find(section) : nullptr;
    if (named) return named->chosen;
  }
  return header.sectionSize(section);
}

bool StretchedSection::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) stretch();
  return QObject::eventFilter(watched, event);
}

StretchedSection::Named* StretchedSection::find(int section) {
  const auto found = std::ranges::find(m_named, section, &Named::section);
  return found == m_named.end() ? nullptr : &*found;
}

void StretchedSection::follow(int section, int before, int after) {
  if (m_isStretching) return;
  // One that was hidden from the first has had no width yet.
  if (Named* named = find(section); named && after > 0 && (before > 0 || named->chosen == 0)) named->chosen = after;
  if (section != m_section || before == 0 || after == 0) stretch();
}

template <class Visit>
void StretchedSection::forEachInSight(const Visit& visit) const {
  const int bottom = m_view->viewport()->height();
  for (int y = 0, rows = 0; y < bottom && rows < kRowsLookedAt; ++rows) {
    const QModelIndex index = m_view->indexAt({1, y});
    if (!index.isValid()) break;
    visit(index);
    y = m_view->visualRect(index).bottom() + 1;
  }
}

int StretchedSection::wantedWidth(int section) const {
  int wanted = 0;
  const auto* tree = qobject_cast<QTreeView*>(m_view);
  const bool hasBranches = tree && section == branchSection(*tree);
  forEachInSight([&](const QModelIndex& index) {
    const int indent = hasBranches ? indentOf(index) : 0;
    wanted = std::max(wanted, indent + m_view->sizeHintForIndex(index.siblingAtColumn(section)).width());
  });
  return wanted;
}

int StretchedSection::indentOf(QModelIndex row) const {
  const auto* tree = qobject_cast<QTreeView*>(m_view);
  if (!tree) return 0;
  int depth = tree->rootIsDecorated() ? 1 : 0;
  while ((row = row.parent()).isValid()) ++depth;
  return depth * tree->indentation();
}

int StretchedSection::leastWidth() const {
  const auto* tree = qobject_cast<QTreeView*>(m_view);
  if (!tree || m_section != branchSection(*tree)) return m_leastWidth;
  int deepest = 0;
  forEachInSight([&](const QModelIndex& index) { deepest = std::max(deepest, indentOf(index)); });
  const int first = tree->rootIsDecorated() ? tree->indentation() : 0;
  const int most = std::max(m_leastWidth, tree->viewport()->width() * 2 / 3);
  return std::min(m_leastWidth + std::max(0, deepest - first), most);
}

bool StretchedSection::holdsContents() const {
  const QModelIndex first = m_view->indexAt({1, 0});
  return first.isValid() && first.siblingAtColumn(m_section).data(kCutAtEndRole).toBool();
}

void StretchedSection::stretch() {
  // Where it is hidden, the last one takes the room.
  const bool isHidden = m_header->isSectionHidden(m_section);
  if (m_header->stretchLastSection() != isHidden) m_header->setStretchLastSection(isHidden);
  if (isHidden || m_isStretching) return;
  m_isStretching = true;
  // One that is being hidden has no width left, and does not count as hidden yet.
  const auto isShown = [this](const Named& named) { return m_header->sectionSize(named.section) > 0; };
  int room = m_view->viewport()->width() - (m_header->length() - m_header->sectionSize(m_section));
  for (const Named& named : m_named) {
    if (isShown(named)) room += m_header->sectionSize(named.section) - named.chosen;
  }
  int least = leastWidth();
  if (!m_named.empty() && !holdsContents())
    least += std::clamp(wantedWidth(m_section) - least, 0, std::max(0, room - least) / (m_isFirst ? 1 : 2));
  for (const Named& named : m_named) {
    if (!isShown(named)) continue;
    const int spare = std::max(0, room - least);
    const int more = spare > 0 ? std::clamp(wantedWidth(named.section) - named.chosen, 0, spare) : 0;
    m_header->resizeSection(named.section, named.chosen + more);
    room -= more;
  }
  m_header->resizeSection(m_section, std::max(holdsContents() ? least * 3 / 5 : least, room));
  m_isStretching = false;
}

}  // namespace heapscape::gui
