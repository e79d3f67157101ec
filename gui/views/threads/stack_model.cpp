// SPDX-License-Identifier: MIT
#include "views/threads/stack_model.h"

#include <algorithm>

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "session/threads/parallel_stacks.h"
#include "views/threads/frame_text.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr quintptr kFrameLine = 0;  // a local's is the number of its frame's line, from 1
constexpr std::size_t kNamesInTip = 12;

}  // namespace

void StackModel::show(SharedStack stack) {
  m_stack = std::move(stack);
  build();
}

void StackModel::setOnlyMyCode(bool isOn) {
  m_onlyMyCode = isOn;
  build();
}

void StackModel::setFilter(const QString& text) {
  m_filter = text.trimmed();
  build();
}

void StackModel::build() {
  beginResetModel();
  m_lines.clear();
  const std::size_t frames = m_stack ? m_stack->frames.size() : 0;
  for (std::size_t frame = 0; frame < frames; ++frame) addLine(frame);
  endResetModel();
}

bool StackModel::fits(const QString& text) const {
  return text.contains(m_filter, Qt::CaseInsensitive);
}

void StackModel::addLine(std::size_t index) {
  const engine::FrameRow& frame = m_stack->frames[index];
  if (m_onlyMyCode && !engine::isMyCode(frame)) {
    if (!m_filter.isEmpty()) return;
    if (!m_lines.empty() && m_lines.back().folded > 0) {
      ++m_lines.back().folded;
    } else {
      m_lines.push_back({.frame = index, .folded = 1});
    }
    return;
  }
  Line line{.frame = index};
  const bool fitsItself = m_filter.isEmpty() || fits(frameName(frame).text) || fits(framePlace(frame));
  const std::size_t end = std::min<std::size_t>(m_stack->roots.size(), std::size_t{frame.firstRoot} + frame.rootCount);
  for (std::size_t local = frame.firstRoot; local < end; ++local) {
    const engine::StackRootRow& root = m_stack->roots[local];
    if (fitsItself || fits(localName(root)) || fits(fromEngine(root.typeName)) || fits(addressText(root.object))) {
      line.locals.push_back(local);
    }
  }
  if (fitsItself || !line.locals.empty()) m_lines.push_back(std::move(line));
}

const engine::FrameRow* StackModel::frameAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() != kFrameLine) return nullptr;
  const Line& line = m_lines[static_cast<std::size_t>(index.row())];
  return line.folded > 0 ? nullptr : &m_stack->frames[line.frame];
}

const engine::StackRootRow* StackModel::localAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kFrameLine) return nullptr;
  return &m_stack->roots[m_lines[index.internalId() - 1].locals[static_cast<std::size_t>(index.row())]];
}

QModelIndex StackModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kFrameLine);
}

QModelIndex StackModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == kFrameLine) return {};
  return createIndex(static_cast<int>(child.internalId() - 1), 0, kFrameLine);
}

int StackModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(m_lines.size());
  if (parent.internalId() != kFrameLine || parent.column() != 0) return 0;
  return static_cast<int>(m_lines[static_cast<std::size_t>(parent.row())].locals.size());
}

int StackModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

QVariant StackModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (const engine::StackRootRow* local = localAt(index)) return localData(*local, index.column(), role);
  const Line& line = m_lines[static_cast<std::size_t>(index.row())];
  return line.folded > 0 ? foldData(line, index.column(), role) : frameData(line, index.column(), role);
}

QVariant StackModel::frameData(const Line& line, int column, int role) const {
  const engine::FrameRow& frame = m_stack->frames[line.frame];
  if (role == Qt::ToolTipRole) return frameTip(frame);
  if (role == kIsAsideRole) return frame.kind != engine::FrameKind::Managed;
  if (column == PlaceColumn && role == Qt::DisplayRole) return framePlace(frame);
  // An assembly is what one knows already; a line of source is what one looks for.
  if (column == PlaceColumn && role == kDimmedPrefixRole) return frame.file.empty() ? framePlace(frame).size() : 0;
  if (column != NameColumn) return {};
  switch (role) {
    case Qt::DisplayRole:
      return frameName(frame).text;
    case kDimmedPrefixRole:
      return frameName(frame).dimmedLetters;
    case kShortNameRole:
      return shortFrameName(frame);
    case kMarksRole:
      return frameMarks(frame);
    case Qt::AccessibleTextRole:
      return (QStringList{frameName(frame).text} + frameMarks(frame)).join(QStringLiteral(", "));
    default:
      return {};
  }
}

QVariant StackModel::foldData(const Line& line, int column, int role) const {
  if (role == kIsAsideRole) return true;
  if (role == Qt::DisplayRole && column == NameColumn)
    return QStringLiteral("[.NET] %1").arg(countedText(line.folded, QStringLiteral("frame")));
  if (role != Qt::ToolTipRole) return {};
  QStringList names;
  for (std::size_t i = 0; i < std::min(line.folded, kNamesInTip); ++i) {
    names << frameName(m_stack->frames[line.frame + i]).text;
  }
  if (line.folded > kNamesInTip) names << QStringLiteral("and %1 more").arg(countText(line.folded - kNamesInTip));
  return names.join(QLatin1Char('\n'));
}

QVariant StackModel::localData(const engine::StackRootRow& local, int column, int role) const {
  if (role == Qt::ToolTipRole) return localTip(local);
  switch (column) {
    case NameColumn:
      if (role == Qt::DisplayRole) return localName(local);
      if (role == kMarksRole) return localMarks(local);
      return {};
    case TypeColumn:
      return typeNameData(local.typeName, role);
    case ObjectColumn:
      if (role == Qt::DisplayRole || role == kPlainRole) return addressText(local.object ? local.object : local.value);
      return {};
    default:
      return role == Qt::DisplayRole && !local.variable.empty() ? localPlace(local) : QVariant();
  }
}

QVariant StackModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case NameColumn:
      return QStringLiteral("Frame and its locals");
    case TypeColumn:
      return QStringLiteral("Type");
    case ObjectColumn:
      return QStringLiteral("Object");
    default:
      return QStringLiteral("Where");
  }
}

}  // namespace heapscape::gui
