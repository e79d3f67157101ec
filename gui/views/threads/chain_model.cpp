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

constexpr std::size_t kMostCalls = 200;

// Length of what stands before the last dot of a method's name.
int dimmedLetters(const std::string& name) {
  return static_cast<int>(fromEngine(name).lastIndexOf(QLatin1Char('.')) + 1);
}

QStringList marksOf(const engine::AsyncFrame& frame) {
  QStringList marks;
  if (!frame.isMethod) marks << u"task"_s;
  if (frame.event && frame.thread != 0) {
    marks << u"blocks thread %1"_s.arg(frame.thread);
  } else if (frame.event) {
    marks << u"blocks a thread"_s;
  }
  return marks;
}

/// ", Orders.cs:31"; empty where the line is not known.
QString lineText(const ChainCall& call) {
  if (call.file.empty()) return {};
  const QString path = fromEngine(call.file);
  return u", %1:%2"_s.arg(path.mid(path.lastIndexOf(QLatin1Char('/')) + 1)).arg(call.frame.line);
}

QString callTip(const ChainCall& call) {
  QStringList lines{fromEngine(call.name), addressText(call.frame.object)};
  if (!call.file.empty()) lines << u"%1, line %2"_s.arg(fromEngine(call.file)).arg(call.frame.line);
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

ChainModel::ChainModel(QObject* parent)
    : TreeModelOf(
          {{.title = u"Call and its locals"_s}, {.title = u"Value"_s, .holdsContents = true}, {.title = u"Type"_s}},
          parent) {}

void ChainModel::show(ChainPage page) {
  beginResetModel();
  m_page = std::move(page);
  m_top.children.clear();
  for (const ChainCall& call : m_page.calls) {
    ChainLine& line = append(m_top, {.call = &call});
    for (const engine::FieldValue& local : call.locals) append(line, {.call = &call, .local = &local});
  }
  endResetModel();
}

engine::Address ChainModel::objectAt(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const ChainLine& line = nodeOf(index);
  return line.local ? line.local->value.object : line.call->frame.object;
}

QVariant ChainModel::cell(const QModelIndex& index, int role) const {
  const ChainLine& line = nodeOf(index);
  return line.local ? localData(*line.local, index.column(), role) : callData(*line.call, index.column(), role);
}

QVariant ChainModel::callData(const ChainCall& call, int column, int role) {
  if (role == kIsAsideRole) return !call.frame.isMethod;
  if (column == ValueColumn && role == Qt::DisplayRole && call.frame.await >= 0) {
    return u"at await %1%2"_s.arg(call.frame.await).arg(lineText(call));
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
      return suffix.isEmpty() ? value : u"%1  %2"_s.arg(value, suffix);
    }
    default:
      return typeNameData(local.value.objectType.empty() ? local.typeName : local.value.objectType, role);
  }
}

}  // namespace heapscape::gui
