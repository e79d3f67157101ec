// SPDX-License-Identifier: MIT
#include "views/threads/chain_model.h"

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "views/threads/stack_model.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

constexpr quintptr kCallLine = 0;  // a local's is the number of its call's line, from 1
constexpr std::size_t kMostCalls = 200;

// What says where before the last dot of a method's name.
int dimmedLetters(const std::string& name) {
  return static_cast<int>(fromEngine(name).lastIndexOf(QLatin1Char('.')) + 1);
}

QStringList marksOf(const engine::AsyncFrame& frame) {
  QStringList marks;
  if (!frame.isMethod) marks << QStringLiteral("task");
  if (frame.event && frame.thread != 0) {
    marks << QStringLiteral("blocks thread %1").arg(frame.thread);
  } else if (frame.event) {
    marks << QStringLiteral("blocks a thread");
  }
  return marks;
}

/// ", Orders.cs:31"; empty where the line is not known.
QString lineText(const ChainCall& call) {
  if (call.file.empty()) return {};
  const QString path = fromEngine(call.file);
  return QStringLiteral(", %1:%2").arg(path.mid(path.lastIndexOf(QLatin1Char('/')) + 1)).arg(call.frame.line);
}

QString callTip(const ChainCall& call) {
  QStringList lines{fromEngine(call.name), addressText(call.frame.object)};
  if (!call.file.empty()) lines << QStringLiteral("%1, line %2").arg(fromEngine(call.file)).arg(call.frame.line);
  if (!call.missing.empty()) lines << fromEngine(call.missing);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

ChainPage readChain(const engine::Snapshot& snapshot, const engine::AsyncList& list, std::uint32_t chain,
                    std::stop_token stop) {
  ChainPage page;
  engine::AsyncLocals locals(snapshot);
  for (const engine::AsyncFrame& frame : list.framesOf(list.chains[chain])) {
    if (page.calls.size() == kMostCalls || stop.stop_requested()) {
      ++page.leftOut;
      continue;
    }
    ChainCall& call = page.calls.emplace_back();
    call.name = list.nameOf(frame.name);
    call.frame = frame;
    if (!frame.isMethod) continue;
    call.file = list.nameOf(frame.file);
    call.missing = list.nameOf(frame.missing);
    if (auto kept = locals.of(frame.object)) call.locals = std::move(*kept);
  }
  return page;
}

void ChainModel::show(ChainPage page) {
  beginResetModel();
  m_page = std::move(page);
  endResetModel();
}

engine::Address ChainModel::objectAt(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  if (index.internalId() == kCallLine) return m_page.calls[static_cast<std::size_t>(index.row())].frame.object;
  return m_page.calls[index.internalId() - 1].locals[static_cast<std::size_t>(index.row())].value.object;
}

QModelIndex ChainModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kCallLine);
}

QModelIndex ChainModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == kCallLine) return {};
  return createIndex(static_cast<int>(child.internalId() - 1), 0, kCallLine);
}

int ChainModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(m_page.calls.size());
  if (parent.internalId() != kCallLine || parent.column() != 0) return 0;
  return static_cast<int>(m_page.calls[static_cast<std::size_t>(parent.row())].locals.size());
}

int ChainModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

QVariant ChainModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto row = static_cast<std::size_t>(index.row());
  return index.internalId() == kCallLine
             ? callData(m_page.calls[row], index.column(), role)
             : localData(m_page.calls[index.internalId() - 1].locals[row], index.column(), role);
}

QVariant ChainModel::callData(const ChainCall& call, int column, int role) {
  if (role == kIsAsideRole) return !call.frame.isMethod;
  if (column == ValueColumn && role == Qt::DisplayRole && call.frame.await >= 0) {
    return QStringLiteral("at await %1%2").arg(call.frame.await).arg(lineText(call));
  }
  if (role == Qt::ToolTipRole) return callTip(call);
  if (column != NameColumn) return {};
  if (role == Qt::DisplayRole) return fromEngine(call.name);
  if (role == kDimmedPrefixRole) return dimmedLetters(call.name);
  if (role == kMarksRole) return marksOf(call.frame);
  return {};
}

QVariant ChainModel::localData(const engine::FieldValue& local, int column, int role) {
  if (role == Qt::ToolTipRole) return contentsText(valueTip(local.value));
  switch (column) {
    case NameColumn:
      return role == Qt::DisplayRole ? QVariant(fieldNameText(local.name)) : QVariant();
    case ValueColumn: {
      if (role != Qt::DisplayRole) return {};
      const QString suffix = valueSuffix(local.value);
      const QString value = contentsText(valueText(local.value));
      return suffix.isEmpty() ? value : QStringLiteral("%1  %2").arg(value, suffix);
    }
    default:
      return typeNameData(local.value.objectType.empty() ? local.typeName : local.value.objectType, role);
  }
}

QVariant ChainModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return section == ValueColumn;
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case NameColumn:
      return QStringLiteral("Call and its locals");
    case ValueColumn:
      return QStringLiteral("Value");
    default:
      return QStringLiteral("Type");
  }
}

}  // namespace heapscape::gui
