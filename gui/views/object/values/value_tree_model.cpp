// SPDX-License-Identifier: MIT
#include "views/object/values/value_tree_model.h"

#include <QPainter>
#include <algorithm>

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "models/retained_cell.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {
namespace {

constexpr int kWholeText = 1000;  // a dimmed prefix longer than any

bool isValue(const ValueNode& node) {
  return node.kind == ValueNode::Kind::Value;
}

constexpr int kGap = 6;
constexpr int kBeforeSuffix = 10;

int sampleSide(const QStyleOptionViewItem& item) {
  return std::max(8, item.fontMetrics.height() / 2);
}

void paintSample(QPainter* painter, const QStyleOptionViewItem& item, QRect& area, const QVariant& kind) {
  const int side = sampleSide(item);
  const QRect sample(area.left(), area.center().y() - side / 2, side, side);
  area.setLeft(area.left() + side + kGap + 2);
  if (!kind.isValid()) return;
  const auto fieldKind = static_cast<engine::FieldKind>(kind.toInt());
  QColor colour = Colours(item.palette).of(fieldKind);
  if (fieldKind == engine::FieldKind::Reference) {
    paintReferenceMark(*painter, QRectF(sample).adjusted(-1, -1, 1, 1), colour);
    return;
  }
  painter->setPen(Qt::NoPen);
  painter->setBrush(colour);
  if (colour.alpha() < 255) {
    colour.setAlpha(255);
    painter->setPen(QPen(colour, 1));
  }
  painter->setRenderHint(QPainter::Antialiasing);
  painter->drawRoundedRect(QRectF(sample).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
}

void paintWarningSign(QPainter* painter, const QStyleOptionViewItem& item, QRect& area) {
  const int side = item.fontMetrics.height();
  const QPixmap sign =
      symbolPixmap(u"warning"_s, Colours(item.palette).warning(), side, painter->device()->devicePixelRatioF());
  painter->drawPixmap(area.left(), area.center().y() - side / 2, sign);
  area.setLeft(area.left() + side + kGap);
}

void paintSuffix(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, const QString& suffix) {
  const QFont fixed = fixedFont(item.font);
  const QFontMetrics metrics(fixed);
  constexpr int kLeast = 60;
  if (suffix.isEmpty() || area.width() < kLeast) return;
  painter->setFont(fixed);
  painter->setPen(dimmedItemTextColour(item));
  painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                    metrics.elidedText(suffix, Qt::ElideLeft, area.width()));
}

}  // namespace

ValueTreeModel::ValueTreeModel(QObject* parent)
    : TreeModelOf(
          {{.title = u"Name"_s},
           {.title = u"Value"_s, .holdsContents = true},
           {u"Type"_s, u"As declared"_s},
           {u"Retained"_s, u"What would be freed with the object that the field refers to"_s, TreeColumn::Look::Figure},
           {u"Offset"_s, u"From the address of the object that holds it"_s, TreeColumn::Look::Figure},
           {.title = u"Size"_s, .look = TreeColumn::Look::Figure},
           {.title = u"Declared in"_s}},
          parent),
      m_root(std::make_unique<ValueNode>()) {}

void ValueTreeModel::show(std::shared_ptr<const ObjectPage> page) {
  m_page = std::move(page);
  build();
}

void ValueTreeModel::setGrouped(bool isGrouped) {
  if (m_isGrouped == isGrouped) return;
  m_isGrouped = isGrouped;
  build();
}

void ValueTreeModel::setSnapshot(std::optional<engine::Snapshot> snapshot) {
  m_snapshot = std::move(snapshot);
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, RetainedColumn), index(rowCount() - 1, RetainedColumn));
}

void ValueTreeModel::build() {
  beginResetModel();
  m_root = std::make_unique<ValueNode>();
  // Ids go on counting, so that an answer for a line of before finds none.
  m_firstId += m_nodes.size();
  m_nodes.clear();
  if (m_page) adopt(*m_root, fieldNodes(m_page->object, true, m_isGrouped));
  endResetModel();
}

void ValueTreeModel::adopt(ValueNode& parent, ValueNodes children) {
  parent.state = ValueNode::Children::Known;
  parent.children = std::move(children);
  int row = 0;
  for (const auto& child : parent.children) {
    child->id = m_firstId + m_nodes.size();
    m_nodes.push_back(child.get());
    child->parent = &parent;
    child->row = row++;
    if (!child->children.empty()) adopt(*child, std::move(child->children));
  }
}

void ValueTreeModel::insert(ValueNode& parent, ValueNodes children) {
  if (children.empty()) children.push_back(noteNode(u"nothing"_s, false));
  beginInsertRows(indexOf(parent), 0, static_cast<int>(children.size()) - 1);
  adopt(parent, std::move(children));
  endInsertRows();
}

ValueNode* ValueTreeModel::find(quint64 id) const {
  const bool isShown = id >= m_firstId && id - m_firstId < m_nodes.size();
  return isShown ? m_nodes[id - m_firstId] : nullptr;
}

void ValueTreeModel::take(quint64 id, const engine::Outcome<ValueAnswer>& answer) {
  ValueNode* node = find(id);
  if (!node || node->state != ValueNode::Children::Asked) return;
  if (answer) {
    insert(*node, answerNodes(*node, *answer));
  } else if (answer.error().isCancelled()) {
    node->state = ValueNode::Children::Unasked;
    return;
  } else {
    ValueNodes note;
    note.push_back(noteNode(fromEngine(answer.error().error().message()), true));
    insert(*node, std::move(note));
  }
  Q_EMIT valuesCame(indexOf(*node));
}

const ValueNode* ValueTreeModel::nodeAt(const QModelIndex& index) const {
  return index.isValid() ? &nodeOf(index) : nullptr;
}

QModelIndex ValueTreeModel::indexAt(const ByteSpan& span) const {
  const ValueNode* innermost = m_root.get();
  while (true) {
    const auto child =
        std::ranges::find_if(innermost->children, [&span](const auto& node) { return node->span.contains(span); });
    if (child == innermost->children.end()) return indexOf(*innermost);
    innermost = child->get();
  }
}

QString ValueTreeModel::pathAt(const QModelIndex& index) const {
  return pathOf(nodeOf(index));
}

bool ValueTreeModel::hasChildren(const QModelIndex& parent) const {
  return parent.column() <= 0 && nodeOf(parent).canOpen();
}

bool ValueTreeModel::canFetchMore(const QModelIndex& parent) const {
  return parent.isValid() && nodeOf(parent).state == ValueNode::Children::Unasked;
}

void ValueTreeModel::fetchMore(const QModelIndex& parent) {
  if (!canFetchMore(parent)) return;
  ValueNode& node = *find(nodeOf(parent).id);
  if (node.kind == ValueNode::Kind::Range) {
    if (ValueNodes ranges = rangeNodes(node); !ranges.empty()) {
      insert(node, std::move(ranges));
      Q_EMIT valuesCame(indexOf(node));
      return;
    }
  }
  node.state = ValueNode::Children::Asked;
  Q_EMIT valuesWanted(node.id, *node.question);
}

QVariant ValueTreeModel::text(const ValueNode& node, int column, bool isPlain) const {
  const engine::FieldValue& value = node.value;
  switch (column) {
    case NameColumn:
      return stepText(node.name);
    case ValueColumn:
      if (!isValue(node)) return {};
      return isPlain ? fromEngine(value.value.text) : valueText(value.value);
    case TypeColumn:
      return isValue(node) ? fromEngine(value.typeName) : QString();
    case OffsetColumn:
      if (!node.span.isEmpty()) return isPlain ? QString::number(node.span.begin) : offsetText(node.span.begin);
      if (!isValue(node) || value.sizeBytes == 0) return {};
      return QString::number(value.offset);
    case SizeColumn:
      if (!isValue(node) || value.sizeBytes == 0) return {};
      return isPlain ? QString::number(value.sizeBytes) : countText(value.sizeBytes);
    case DeclaredColumn:
      return isValue(node) ? fromEngine(value.declaringType) : QString();
    default:
      return {};
  }
}

QVariant ValueTreeModel::valueData(const ValueNode& node, int role) const {
  if (!isValue(node)) return {};
  const engine::Value& value = node.value.value;
  switch (role) {
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

QVariant ValueTreeModel::cell(const QModelIndex& index, int role) const {
  const ValueNode& node = nodeOf(index);
  if (index.column() == RetainedColumn) return retainedCell(m_snapshot, node.target(), role);
  if (role == Qt::DisplayRole || role == kPlainRole) return text(node, index.column(), role == kPlainRole);
  if (index.column() == ValueColumn) return valueData(node, role);
  if (index.column() == NameColumn) {
    if (role == kIsNameRole) return true;
    if (role == kIsWarningRole) return node.kind == ValueNode::Kind::Note && node.isWarning;
    if (role == kIsDimmedRole) return !isValue(node);
    if (role == kDimmedPrefixRole && node.kind == ValueNode::Kind::Declarer)
      return namespaceLength(node.value.typeName);
    if (role == Qt::ToolTipRole) return isValue(node) ? fromEngine(node.value.name) : node.name;
    if (role == kFieldKindRole && isValue(node) && !node.span.isEmpty() && m_page) {
      const bool isStruct = !node.children.empty() && !node.target();
      return static_cast<int>(isStruct ? engine::FieldKind::ValueType : kindAt(*m_page, node.span.begin));
    }
  }
  const bool isType = index.column() == TypeColumn || index.column() == DeclaredColumn;
  if (isType && isValue(node)) {
    return typeNameData(index.column() == TypeColumn ? node.value.typeName : node.value.declaringType, role);
  }
  return {};
}

void ValueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const bool isName = index.data(kIsNameRole).toBool();
  const bool isValue = index.data(kIsDimmedRole).isValid();
  if (!isName && !isValue) {
    NameDelegate::paint(painter, option, index);
    return;
  }
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QString text = item.text;
  QRect area = paintItemWithoutText(painter, item);
  painter->save();
  painter->setClipRect(option.rect);
  const bool isWarning = index.data(kIsWarningRole).toBool();
  const bool isDimmed = index.data(kIsDimmedRole).toBool();
  if (isName) paintSample(painter, item, area, index.data(kFieldKindRole));
  if (isWarning) paintWarningSign(painter, item, area);
  painter->setFont(item.font);
  painter->setPen(isDimmed ? dimmedItemTextColour(item) : itemTextColour(item));
  const QString shown = item.fontMetrics.elidedText(text, Qt::ElideRight, area.width());
  painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
  area.setLeft(area.left() + item.fontMetrics.horizontalAdvance(shown) + kBeforeSuffix);
  if (!isName && shown == text) paintSuffix(painter, item, area, index.data(kValueSuffixRole).toString());
  painter->restore();
}

// With all that is painted before and behind the text.
QSize ValueDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = NameDelegate::sizeHint(option, index);
  const bool isName = index.data(kIsNameRole).toBool();
  if (!isName && !index.data(kIsDimmedRole).isValid()) return size;
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  if (isName) size.rwidth() += sampleSide(item) + kGap + 2;
  if (index.data(kIsWarningRole).toBool()) size.rwidth() += item.fontMetrics.height() + kGap;
  const QString suffix = isName ? QString() : index.data(kValueSuffixRole).toString();
  if (!suffix.isEmpty()) size.rwidth() += kBeforeSuffix + QFontMetrics(fixedFont(item.font)).horizontalAdvance(suffix);
  return size;
}

}  // namespace heapscape::gui
