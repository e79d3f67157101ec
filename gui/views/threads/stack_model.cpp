// SPDX-License-Identifier: MIT
#include "views/threads/stack_model.h"

#include <algorithm>
#include <set>

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
  m_groups.reset();
  m_written.clear();
  if (m_stack) m_written = engine::writtenFrames(engine::foldedFrames(m_stack->frames));
  m_hasRepeats = m_stack && m_written.size() < m_stack->frames.size();
  build();
}

void StackModel::setAllFrames(bool isOn) {
  m_allFrames = isOn;
  build();
}

void StackModel::group(std::shared_ptr<const std::vector<LocalGroup>> groups) {
  m_groups = std::move(groups);
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
  if (m_stack && !m_groups) {
    if (m_hasRepeats && !m_allFrames && m_filter.isEmpty()) {
      for (const engine::WrittenFrame& each : m_written) addLine(each.frame, each.times);
    } else {
      for (std::size_t frame = 0; frame < m_stack->frames.size(); ++frame) addLine(frame, 1);
    }
  }
  for (std::size_t group = 0; m_groups && group < m_groups->size(); ++group) addGroup(group);
  endResetModel();
}

bool StackModel::fits(const QString& text) const {
  return text.contains(m_filter, Qt::CaseInsensitive);
}

bool StackModel::fits(const engine::StackRootRow& local) const {
  return fits(localName(local)) || fits(fromEngine(local.typeName)) || fits(addressText(local.object));
}

void StackModel::addGroup(std::size_t index) {
  const LocalGroup& group = (*m_groups)[index];
  const bool fitsItself = m_filter.isEmpty() || fits(group.name);
  Line line{.frame = index};
  std::set<engine::Address> objects;
  for (const LocalGroup::Local& each : group.locals) {
    const engine::StackRootRow& local = m_stack->roots[each.root];
    const engine::FrameRow& frame = m_stack->frames[local.frame];
    if (m_onlyMyCode && !engine::isMyCode(frame)) continue;
    if (!fitsItself && !fits(local) && !fits(frameName(frame).text)) continue;
    line.locals.push_back(each.root);
    if (local.object && objects.insert(local.object).second) line.bytes += each.bytes;
  }
  line.objects = objects.size();
  if (!line.locals.empty()) m_lines.push_back(std::move(line));
}

void StackModel::addLine(std::size_t index, std::uint32_t times) {
  const engine::FrameRow& frame = m_stack->frames[index];
  if (m_onlyMyCode && !engine::isMyCode(frame)) {
    if (!m_filter.isEmpty()) return;
    if (!m_lines.empty() && m_lines.back().folded > 0) {
      m_lines.back().folded += times;
    } else {
      m_lines.push_back({.frame = index, .folded = times});
    }
    return;
  }
  Line line{.frame = index, .times = times};
  const bool fitsItself = m_filter.isEmpty() || fits(frameName(frame).text) || fits(framePlace(frame));
  const std::size_t end = std::min<std::size_t>(m_stack->roots.size(), std::size_t{frame.firstRoot} + frame.rootCount);
  for (std::size_t local = frame.firstRoot; local < end; ++local) {
    const engine::StackRootRow& root = m_stack->roots[local];
    if (fitsItself || fits(root)) line.locals.push_back(local);
  }
  if (fitsItself || !line.locals.empty()) m_lines.push_back(std::move(line));
}

const engine::FrameRow* StackModel::frameAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() != kFrameLine || m_groups) return nullptr;
  const Line& line = m_lines[static_cast<std::size_t>(index.row())];
  return line.folded > 0 ? nullptr : &m_stack->frames[line.frame];
}

const engine::StackRootRow* StackModel::localAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kFrameLine) return nullptr;
  return &m_stack->roots[m_lines[index.internalId() - 1].locals[static_cast<std::size_t>(index.row())]];
}

engine::Address StackModel::objectAt(const QModelIndex& index) const {
  const engine::StackRootRow* local = localAt(index);
  return local ? local->object : engine::Address();
}

std::vector<engine::Address> StackModel::objectsOf(const QModelIndex& index) const {
  if (!m_groups || !index.isValid() || index.internalId() != kFrameLine) return {};
  std::set<engine::Address> objects;
  for (const std::size_t local : m_lines[static_cast<std::size_t>(index.row())].locals) {
    if (m_stack->roots[local].object) objects.insert(m_stack->roots[local].object);
  }
  return {objects.begin(), objects.end()};
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
  if (m_groups) return groupData(line, index.column(), role);
  return line.folded > 0 ? foldData(line, index.column(), role) : frameData(line, index.column(), role);
}

QStringList StackModel::marksOf(const Line& line) const {
  QStringList marks = frameMarks(m_stack->frames[line.frame]);
  if (line.times > 1) marks.prepend(repeatsText(line.times));
  return marks;
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
      return marksOf(line);
    case Qt::AccessibleTextRole:
      return (QStringList{frameName(frame).text} + marksOf(line)).join(QStringLiteral(", "));
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
  for (std::size_t i = line.frame;
       i < std::min(m_stack->frames.size(), line.frame + std::min(line.folded, kNamesInTip)); ++i) {
    names << frameName(m_stack->frames[i]).text;
  }
  if (line.folded > kNamesInTip) names << QStringLiteral("and %1 more").arg(countText(line.folded - kNamesInTip));
  return names.join(QLatin1Char('\n'));
}

QVariant StackModel::groupData(const Line& line, int column, int role) const {
  const LocalGroup& group = (*m_groups)[line.frame];
  const QString locals = countedText(line.locals.size(), QStringLiteral("local"));
  const QString objects = countedText(line.objects, QStringLiteral("object"));
  switch (role) {
    case Qt::ToolTipRole:
      return QStringLiteral("%1\n%2, %3, %4").arg(group.name, locals, objects, exactBytesText(line.bytes));
    case Qt::AccessibleTextRole:
      return column == NameColumn ? QStringLiteral("%1, %2").arg(group.name, locals) : QVariant();
    case kMarksRole:
      return column == NameColumn ? QStringList{locals} : QVariant();
    default:
      break;
  }
  if (column == NameColumn) {
    if (group.isOfType) return typeNameData(group.name.toStdString(), role);
    return role == Qt::DisplayRole ? group.name : QVariant();
  }
  if (role != Qt::DisplayRole || line.objects == 0) return {};
  return column == ObjectColumn ? objects : column == PlaceColumn ? bytesText(line.bytes) : QVariant();
}

QVariant StackModel::localData(const engine::StackRootRow& local, int column, int role) const {
  const engine::FrameRow& frame = m_stack->frames[local.frame];
  if (column == ValueColumn) return m_values.data(local.object, role);
  if (role == Qt::ToolTipRole)
    return m_groups ? localTip(local) + QLatin1Char('\n') + frameName(frame).text : localTip(local);
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
      if (role != Qt::DisplayRole) return {};
      if (m_groups) {
        const QString name = shortFrameName(frame);
        return QStringLiteral("in %1").arg(name.isEmpty() ? frameName(frame).text : name);
      }
      return local.variable.empty() ? QVariant() : localPlace(local);
  }
}

QVariant StackModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (section == ValueColumn) return ValueCells::headerData(role);
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case NameColumn:
      return m_groups ? QStringLiteral("Group and its locals") : QStringLiteral("Frame and its locals");
    case TypeColumn:
      return QStringLiteral("Type");
    case ObjectColumn:
      return QStringLiteral("Object");
    default:
      return QStringLiteral("Where");
  }
}

}  // namespace heapscape::gui
