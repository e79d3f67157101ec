// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_model.h"

#include <QFontDatabase>

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::DominatorKind;
using engine::DominatorNode;

DominatorModel::DominatorModel(EngineBridge& bridge, QObject* parent)
    : TreeModelOf(
          {{QStringLiteral("Name"), QStringLiteral("A root, or the type of what it dominates")},
           {.look = TreeColumn::Look::Value},
           {QStringLiteral("Address"), QStringLiteral("Of the object, or of the one that a root holds")},
           {QStringLiteral("Objects"), QStringLiteral("How many objects, or roots, this row stands for"),
            TreeColumn::Look::Figure},
           {QStringLiteral("Bytes"), QStringLiteral("What these objects take up themselves"), TreeColumn::Look::Figure},
           {QStringLiteral("Keeps"), QStringLiteral("How many objects would be freed with them, themselves included"),
            TreeColumn::Look::Figure},
           {QStringLiteral("Retained"), QStringLiteral("What would be freed with them; the bar is its share of all"),
            TreeColumn::Look::Figure},
           {QStringLiteral("Share"), QStringLiteral("Of all that can be reached"), TreeColumn::Look::Figure}},
          parent),
      m_bridge(bridge) {}

DominatorLine& DominatorModel::add(DominatorLine& parent, DominatorNode node) {
  DominatorLine& line = append(parent, {.node = std::move(node)});
  line.isComplete = line.node.children == 0;
  m_lines[line.node.node] = &line;
  return line;
}

void DominatorModel::addPage(DominatorLine& line, engine::DominatorPage page) {
  for (DominatorNode& node : page.nodes) add(line, std::move(node));
  line.isAsked = false;
  line.isComplete = page.nodes.empty() || line.children.size() >= page.total;
}

void DominatorModel::show(SharedScene scene, std::uint64_t wholeBytes) {
  beginResetModel();
  ++m_showing;
  m_lines.clear();
  m_top.children.clear();
  m_scene = std::move(scene);
  m_wholeBytes = wholeBytes;
  if (m_scene) {
    add(m_top, m_scene->top());
    for (std::size_t i = 0; i < m_scene->opened.size() && m_lines.contains(m_scene->opened[i]); ++i)
      addPage(*m_lines[m_scene->opened[i]], m_scene->pages[i]);
  }
  endResetModel();
}

const DominatorNode* DominatorModel::nodeAt(const QModelIndex& index) const {
  return index.isValid() ? &nodeOf(index).node : nullptr;
}

QModelIndex DominatorModel::indexOf(std::uint32_t node) const {
  const auto found = m_lines.find(node);
  return found == m_lines.end() ? QModelIndex() : TreeModelOf::indexOf(*found->second);
}

bool DominatorModel::hasChildren(const QModelIndex& parent) const {
  if (parent.column() > 0) return false;
  return parent.isValid() ? nodeOf(parent).node.children > 0 : !m_top.children.empty();
}

bool DominatorModel::canFetchMore(const QModelIndex& parent) const {
  if (!parent.isValid() || parent.column() > 0) return false;
  const DominatorLine& line = nodeOf(parent);
  return line.children.empty() && !line.isComplete && !line.isAsked;
}

void DominatorModel::fetchMore(const QModelIndex& parent) {
  if (canFetchMore(parent)) fetchNext(parent);
}

void DominatorModel::fetchNext(const QModelIndex& parent) {
  if (!parent.isValid()) return;
  const std::uint32_t node = nodeOf(parent).node.node;
  DominatorLine& line = *m_lines.at(node);
  if (line.isComplete || line.isAsked) return;
  line.isAsked = true;
  const std::uint64_t skip = line.children.size();
  const QByteArray channel = "children of " + QByteArray::number(node);
  m_bridge.ask(
      this, channel.constData(),
      [grouping = m_scene->grouping, node, skip](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::dominatedBy(snapshot, grouping, node, skip, kDominatorPage, stop);
      },
      [this, showing = m_showing, node](engine::Outcome<engine::DominatorPage> page) {
        if (showing != m_showing) return;
        DominatorLine& line = *m_lines.at(node);
        line.isComplete = !page || page->nodes.empty();
        if (line.isComplete) return;
        // Still asked for while views hear of the rows, or they would ask again.
        const auto first = static_cast<int>(line.children.size());
        beginInsertRows(TreeModelOf::indexOf(line), first, first + static_cast<int>(page->nodes.size()) - 1);
        addPage(line, std::move(*page));
        endInsertRows();
      });
}

QVariant DominatorModel::figure(const DominatorNode& node, int column, int role) const {
  const bool isSize = column == OwnColumn || column == RetainedColumn;
  std::uint64_t value = node.retainedBytes;
  if (column == ObjectsColumn) value = node.kind == DominatorKind::Root ? node.roots : node.objects;
  if (column == OwnColumn) value = node.bytes;
  if (column == HeldColumn) value = node.retainedCount;
  if (role == kPlainRole) return QString::number(value);
  if (role == Qt::ToolTipRole) return isSize || column == ShareColumn ? exactBytesText(value) : countText(value);
  if (role == kShareRole && column == RetainedColumn && m_wholeBytes) return shareOfWhole(value, m_wholeBytes);
  if (role != Qt::DisplayRole) return {};
  if (column == ShareColumn) return m_wholeBytes ? percentText(value, m_wholeBytes) : QString();
  // A group of roots is made of no objects: nothing rather than a nought.
  if (column != RetainedColumn && value == 0) return QString();
  return isSize ? bytesText(value) : countText(value);
}

QVariant DominatorModel::cell(const QModelIndex& index, int role) const {
  const DominatorNode& node = nodeOf(index).node;
  if (index.column() == ValueColumn) return values().data(node.object, role);
  if (index.column() == NameColumn) {
    const bool isOfObjects = node.kind == DominatorKind::Object || node.kind == DominatorKind::Type;
    if (isOfObjects && !node.name.empty()) return typeNameData(node.name, role);
    const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kPlainRole;
    return isText ? QVariant(dominatorName(node)) : QVariant();
  }
  if (index.column() == AddressColumn) {
    if (role == Qt::FontRole) return QFontDatabase::systemFont(QFontDatabase::FixedFont);
    const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kPlainRole;
    return isText && node.object ? QVariant(addressText(node.object)) : QVariant();
  }
  return figure(node, index.column(), role);
}

}  // namespace heapscape::gui
