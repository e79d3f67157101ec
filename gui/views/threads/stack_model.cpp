// SPDX-License-Identifier: MIT
#include "views/threads/stack_model.h"

#include <QHeaderView>
#include <QTreeView>
#include <algorithm>
#include <set>
#include <unordered_map>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "models/rows/row_groups.h"
#include "models/rows/table_setup.h"
#include "session/stacks/parallel_stacks.h"
#include "views/threads/frame_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

engine::Outcome<std::vector<LocalGroup>> groupLocals(const engine::Snapshot& snapshot,
                                                     const engine::ThreadStackRow& stack,
                                                     const engine::QueryFieldReference& field, std::stop_token stop) {
  std::vector<std::uint32_t> ids;
  std::vector<std::optional<std::size_t>> places;  // among these, of each local
  for (const engine::StackRootRow& local : stack.roots) {
    const auto id = local.object ? engine::idOfObject(snapshot, local.object) : std::nullopt;
    places.push_back(id ? std::optional(ids.size()) : std::nullopt);
    if (id) ids.push_back(*id);
  }
  const engine::ObjectDescriber describer(snapshot, {field});
  HEAPSCAPE_TRY(const std::vector<engine::FoundObject> found, describer.describe(ids, std::move(stop)));

  std::vector<LocalGroup> groups;
  std::unordered_map<QString, std::size_t> known;
  for (std::size_t root = 0; root < places.size(); ++root) {
    const engine::FoundObject* object = places[root] ? &found[*places[root]] : nullptr;
    const QString name = groupName(object ? object->columns.front() : engine::QueryValue());
    const auto [group, isNew] = known.emplace(name, groups.size());
    if (isNew)
      groups.push_back(
          {.name = name, .locals = {}, .isOfType = object && field == engine::referenceTo(engine::ObjectField::Type)});
    groups[group->second].locals.push_back({root, object ? object->row.alignedBytes : 0});
  }
  std::ranges::stable_sort(groups, std::greater(), [](const LocalGroup& group) { return group.locals.size(); });
  return groups;
}

namespace {

constexpr std::size_t kNamesInTip = 12;

}  // namespace

StackModel::StackModel(QObject* parent)
    : TreeModelOf({{.title = u"Frame and its locals"_s},
                   {.title = u"Type"_s},
                   {.look = TreeColumn::Look::Value},
                   {.title = u"Object"_s},
                   {.title = u"Where"_s}},
                  parent) {}

void StackModel::show(SharedStack stack) {
  beginResetModel();
  m_stack = std::move(stack);
  m_groups.reset();
  m_written.clear();
  if (m_stack) m_written = engine::writtenFrames(engine::foldedFrames(m_stack->frames));
  m_hasRepeats = m_stack && m_written.size() < m_stack->frames.size();
  fill();
  endResetModel();
}

void StackModel::setAllFrames(bool isOn) {
  m_allFrames = isOn;
  build();
}

void StackModel::group(std::shared_ptr<const std::vector<LocalGroup>> groups) {
  beginResetModel();
  m_groups = std::move(groups);
  fill();
  endResetModel();
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
  fill();
  endResetModel();
}

void StackModel::fill() {
  m_root.children.clear();
  if (m_stack && !m_groups) addFrames();
  for (std::size_t group = 0; m_groups && group < m_groups->size(); ++group) addGroup(group);
}

void StackModel::addFrames() {
  if (m_filter.isEmpty()) addRegisters(m_root, m_stack->registers);
  std::optional<std::uint32_t> gap = m_filter.isEmpty() ? m_stack->gap : std::nullopt;
  const auto add = [&](std::size_t frame, std::size_t times) {
    if (gap && frame > *gap) {
      gap.reset();
      append(m_root, {.kind = Kind::Gap});
    }
    addFrame(frame, times);
  };
  if (m_hasRepeats && !m_allFrames && m_filter.isEmpty()) {
    for (const engine::WrittenFrame& each : m_written) add(each.frame, each.times);
  } else {
    for (std::size_t frame = 0; frame < m_stack->frames.size(); ++frame) add(frame, 1);
  }
}

bool StackModel::fits(const QString& text) const {
  return text.contains(m_filter, Qt::CaseInsensitive);
}

bool StackModel::fits(const engine::StackRootRow& local) const {
  return fits(localName(local)) || fits(fromEngine(local.typeName)) || fits(addressText(local.object));
}

bool StackModel::fits(const engine::VariableRow& variable) const {
  const engine::Value& value = variable.value.value;
  return fits(variableName(variable)) || fits(fromEngine(variable.value.typeName)) ||
         fits(fromEngine(value.objectType)) || fits(fromEngine(value.text)) ||
         (value.object && fits(addressText(value.object)));
}

void StackModel::addGroup(std::size_t index) {
  const LocalGroup& group = (*m_groups)[index];
  const bool fitsItself = m_filter.isEmpty() || fits(group.name);
  StackLine& line = append(m_root, {.kind = Kind::Group, .frame = index});
  std::set<engine::Address> objects;
  for (const LocalGroup::Local& each : group.locals) {
    const engine::StackRootRow& local = m_stack->roots[each.root];
    const engine::FrameRow& frame = m_stack->frames[local.frame];
    if (m_onlyMyCode && !engine::isMyCode(frame)) continue;
    if (!fitsItself && !fits(local) && !fits(frameName(frame).text)) continue;
    append(line, {.kind = Kind::Local, .frame = local.frame, .index = each.root});
    if (local.object && objects.insert(local.object).second) line.bytes += each.bytes;
  }
  line.objects = objects.size();
  if (line.children.empty()) m_root.children.pop_back();
}

void StackModel::addFrame(std::size_t index, std::size_t times) {
  const engine::FrameRow& frame = m_stack->frames[index];
  if (m_onlyMyCode && !engine::isMyCode(frame)) {
    if (!m_filter.isEmpty()) return;
    if (!m_root.children.empty() && m_root.children.back()->kind == Kind::Fold) {
      m_root.children.back()->count += times;
    } else {
      append(m_root, {.kind = Kind::Fold, .frame = index, .count = times});
    }
    return;
  }
  const bool fitsItself = m_filter.isEmpty() || fits(frameName(frame).text) || fits(framePlace(frame));
  StackLine& line = append(m_root, {.kind = Kind::Frame, .frame = index, .count = times});
  const std::size_t end = std::min<std::size_t>(m_stack->roots.size(), std::size_t{frame.firstRoot} + frame.rootCount);
  std::vector<bool> isRootShown(end > frame.firstRoot ? end - frame.firstRoot : 0);
  addVariables(line, isRootShown, fitsItself);
  for (std::size_t local = 0; local < isRootShown.size(); ++local) {
    const std::size_t root = frame.firstRoot + local;
    if (!isRootShown[local] && (fitsItself || fits(m_stack->roots[root])))
      append(line, {.kind = Kind::Local, .frame = index, .index = root});
  }
  if (!fitsItself && line.children.empty()) {
    m_root.children.pop_back();
    return;
  }
  if (m_filter.isEmpty()) addRegisters(line, frame.registers);
}

// What the GC knows of the variable itself, or of a part of it, is said with it.
void StackModel::addVariables(StackLine& line, std::vector<bool>& isRootShown, bool fitsItself) {
  const engine::FrameRow& frame = m_stack->frames[line.frame];
  for (const engine::VariableRow& variable : frame.variables) {
    StackLine added{.kind = Kind::Variable, .frame = line.frame, .variable = &variable, .value = &variable.value};
    for (std::size_t i = 0; i < isRootShown.size(); ++i) {
      if (isRootShown[i] || !isOfVariable(m_stack->roots[frame.firstRoot + i], variable)) continue;
      isRootShown[i] = true;
      if (!added.root) added.root = frame.firstRoot + i;
    }
    if (fitsItself || fits(variable)) addFields(append(line, std::move(added)), variable.value);
  }
}

void StackModel::addFields(StackLine& line, const engine::FieldValue& value) {
  for (const engine::FieldValue& field : value.nested)
    addFields(append(line, {.kind = Kind::Field, .frame = line.frame, .value = &field}), field);
}

void StackModel::addRegisters(StackLine& line, const std::vector<engine::RegisterRow>& registers) {
  if (registers.empty()) return;
  StackLine& all = append(line, {.kind = Kind::Registers, .registers = &registers});
  for (std::size_t i = 0; i < registers.size(); ++i)
    append(all, {.kind = Kind::Register, .index = i, .registers = &registers});
}

const engine::FrameRow* StackModel::frameAt(const QModelIndex& index) const {
  const StackLine& line = nodeOf(index);
  return index.isValid() && line.kind == Kind::Frame ? &m_stack->frames[line.frame] : nullptr;
}

const engine::StackRootRow* StackModel::localAt(const QModelIndex& index) const {
  const StackLine& line = nodeOf(index);
  if (!index.isValid()) return nullptr;
  if (line.kind == Kind::Local) return &m_stack->roots[line.index];
  return line.root ? &m_stack->roots[*line.root] : nullptr;
}

const engine::VariableRow* StackModel::variableAt(const QModelIndex& index) const {
  return index.isValid() ? nodeOf(index).variable : nullptr;
}

engine::Address StackModel::objectAt(const QModelIndex& index) const {
  const StackLine& line = nodeOf(index);
  if (index.isValid() && line.value) {
    const engine::Value& value = line.value->value;
    if (value.kind == engine::ValueKind::Reference) return value.objectType.empty() ? engine::Address() : value.object;
    return value.kind == engine::ValueKind::Pointer ? value.target : engine::Address();
  }
  const engine::StackRootRow* local = localAt(index);
  return local ? local->object : engine::Address();
}

engine::Address StackModel::memoryAt(const QModelIndex& index) const {
  const StackLine& line = nodeOf(index);
  if (!index.isValid()) return {};
  switch (line.kind) {
    case Kind::Frame:
      return m_stack->frames[line.frame].instruction ? m_stack->frames[line.frame].instruction
                                                     : m_stack->frames[line.frame].stackPointer;
    case Kind::Local:
      return m_stack->roots[line.index].slot;
    case Kind::Variable:
    case Kind::Field:
      return line.value->address;
    case Kind::Register:
      return {(*line.registers)[line.index].value};
    case Kind::Fold:
    case Kind::Gap:
    case Kind::Group:
    case Kind::Registers:
      break;
  }
  return {};
}

bool StackModel::isGap(const QModelIndex& index) const {
  return index.isValid() && nodeOf(index).kind == Kind::Gap;
}

bool StackModel::isFrame(const QModelIndex& index) const {
  if (!index.isValid()) return false;
  const Kind kind = nodeOf(index).kind;
  return kind == Kind::Frame || kind == Kind::Group;
}

std::vector<engine::Address> StackModel::objectsOf(const QModelIndex& index) const {
  const StackLine& line = nodeOf(index);
  if (!index.isValid() || line.kind != Kind::Group) return {};
  std::set<engine::Address> objects;
  for (const auto& local : line.children) {
    if (m_stack->roots[local->index].object) objects.insert(m_stack->roots[local->index].object);
  }
  return {objects.begin(), objects.end()};
}

QVariant StackModel::cell(const QModelIndex& index, int role) const {
  const StackLine& line = nodeOf(index);
  switch (line.kind) {
    case Kind::Frame:
      return frameData(line, index.column(), role);
    case Kind::Fold:
      return foldData(line, index.column(), role);
    case Kind::Gap:
      return gapData(index.column(), role);
    case Kind::Group:
      return groupData(line, index.column(), role);
    case Kind::Local:
      return localData(m_stack->roots[line.index], index.column(), role);
    case Kind::Variable:
    case Kind::Field:
      return variableData(line, index.column(), role);
    case Kind::Registers:
    case Kind::Register:
      break;
  }
  return registerData(line, index.column(), role);
}

QStringList StackModel::marksOf(const StackLine& line) const {
  QStringList marks = frameMarks(m_stack->frames[line.frame]);
  if (line.count > 1) marks.prepend(repeatsText(line.count));
  return marks;
}

QVariant StackModel::frameData(const StackLine& line, int column, int role) const {
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
      return (QStringList{frameName(frame).text} + marksOf(line)).join(u", "_s);
    default:
      return {};
  }
}

QVariant StackModel::foldData(const StackLine& line, int column, int role) const {
  if (role == kIsAsideRole) return true;
  if (role == Qt::DisplayRole && column == NameColumn)
    return u"[External code] %1"_s.arg(countedText(line.count, u"frame"_s));
  if (role != Qt::ToolTipRole) return {};
  QStringList names;
  for (std::size_t i = line.frame; i < std::min(m_stack->frames.size(), line.frame + std::min(line.count, kNamesInTip));
       ++i) {
    names << frameName(m_stack->frames[i]).text;
  }
  if (line.count > kNamesInTip) names << u"and %1 more"_s.arg(countText(line.count - kNamesInTip));
  return names.join(QLatin1Char('\n'));
}

QVariant StackModel::gapData(int column, int role) const {
  if (role == kIsAsideRole) return true;
  if (role == kCutAtEndRole) return true;
  const bool isText = role == Qt::ToolTipRole || (role == Qt::DisplayRole && column == NameColumn);
  return isText ? gapText(*m_stack) : QVariant();
}

QVariant StackModel::groupData(const StackLine& line, int column, int role) const {
  const LocalGroup& group = (*m_groups)[line.frame];
  const QString locals = countedText(line.children.size(), u"local"_s);
  const QString objects = countedText(line.objects, u"object"_s);
  switch (role) {
    case Qt::ToolTipRole:
      return u"%1\n%2, %3, %4"_s.arg(group.name, locals, objects, exactBytesText(line.bytes));
    case Qt::AccessibleTextRole:
      return column == NameColumn ? u"%1, %2"_s.arg(group.name, locals) : QVariant();
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
  if (column == ValueColumn) return values().data(local.object, role);
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
        return u"in %1"_s.arg(name.isEmpty() ? frameName(frame).text : name);
      }
      return local.variable.empty() ? QVariant() : localPlace(local);
  }
}

QVariant StackModel::variableData(const StackLine& line, int column, int role) const {
  const engine::FieldValue& value = *line.value;
  if (column == ValueColumn) return valueData(line, role);
  if (role == Qt::ToolTipRole) {
    if (!line.variable) return u"%1\n%2"_s.arg(fieldNameText(value.name), fromEngine(value.typeName));
    return variableTip(*line.variable, line.root ? &m_stack->roots[*line.root] : nullptr);
  }
  switch (column) {
    case NameColumn:
      if (role == Qt::DisplayRole) return line.variable ? variableName(*line.variable) : fieldNameText(value.name);
      if (role == kMarksRole && line.variable)
        return variableMarks(*line.variable, line.root ? &m_stack->roots[*line.root] : nullptr);
      return {};
    case TypeColumn:
      return typeNameData(value.value.objectType.empty() ? value.typeName : value.value.objectType, role);
    case ObjectColumn: {
      const bool isReference = value.value.kind == engine::ValueKind::Reference;
      const engine::Address object = isReference ? value.value.object : value.value.target;
      if ((role == Qt::DisplayRole || role == kPlainRole) && object) return addressText(object);
      return {};
    }
    default:
      return role == Qt::DisplayRole && line.variable ? variablePlace(*line.variable) : QVariant();
  }
}

QVariant StackModel::valueData(const StackLine& line, int role) const {
  if (role == kCutAtEndRole) return true;
  const engine::Value& value = line.value->value;
  const std::string problem = line.variable ? line.variable->problem : std::string();
  if (role == kDimmedPrefixRole) return static_cast<int>(fromEngine(problem).size());
  // Of an object what it holds says more than what it is, as soon as that was read.
  if (problem.empty() && value.kind == engine::ValueKind::Reference && values().has(value.object))
    return values().data(value.object, role);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != kPlainRole) return {};
  if (!problem.empty()) return fromEngine(problem);
  const QString text = role == Qt::ToolTipRole ? valueTip(value) : valueText(value);
  return engine::isContents(value) ? contentsText(text) : text;
}

QVariant StackModel::registerData(const StackLine& line, int column, int role) const {
  const bool isText = role == Qt::DisplayRole || role == kPlainRole;
  if (line.kind == Kind::Registers) {
    if (role == kIsAsideRole) return true;
    const bool isOfThread = line.parent == &m_root;
    if (role == Qt::ToolTipRole)
      return isOfThread ? u"All registers that the dump has of the thread"_s
                        : u"Those whose value in this frame is known"_s;
    if (!isText || column != NameColumn) return {};
    return isOfThread ? u"Registers of the thread"_s : u"Registers"_s;
  }
  const engine::RegisterRow& reg = (*line.registers)[line.index];
  if (!isText) return {};
  if (column == NameColumn) return QString::fromLatin1(reg.name);
  return column == ValueColumn ? registerText(reg) : QVariant();
}

QVariant StackModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const bool isOfGroups = m_groups && section == NameColumn && role == Qt::DisplayRole;
  return isOfGroups ? u"Group and its locals"_s : TreeModel::headerData(section, orientation, role);
}

namespace {

constexpr int kGap = 8;

/// Draws frames and locals: the name, and behind it as chips what is special about it. Frames of neither the program
/// nor .NET are slanted and dimmed.
class FrameDelegate : public NameDelegate {
 public:
  using NameDelegate::NameDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString name = item.text;
    const QRect area = paintItemWithoutText(painter, item);
    const QStringList marks = index.data(kMarksRole).toStringList();
    const int marksWidth = marks.isEmpty() ? 0 : std::min(widthOfWords(marks, item.font) + kGap, area.width() / 2);
    const bool isAside = index.data(kIsAsideRole).toBool();
    QStyleOptionViewItem text = item;
    text.text = name;
    text.font.setItalic(isAside);
    if (isAside && !isSelected(item)) text.palette.setColor(QPalette::Text, dimmedItemTextColour(item));
    const int used = paintName(painter, text, area.adjusted(0, 0, -marksWidth, 0),
                               index.data(kDimmedPrefixRole).toInt(), index.data(kShortNameRole).toString());
    if (!marks.isEmpty()) paintWords(painter, item, area.adjusted(used + kGap, 0, 0, 0), marks);
  }
};

}  // namespace

void setUpFrameTree(QTreeView* tree, int nameColumn) {
  setUpTree(tree, new TableHeading(tree));
  tree->setItemDelegate(new NameDelegate(tree));
  tree->setItemDelegateForColumn(nameColumn, new FrameDelegate(tree));
  tree->setExpandsOnDoubleClick(false);
  tree->header()->setSectionsClickable(false);
}

}  // namespace heapscape::gui
