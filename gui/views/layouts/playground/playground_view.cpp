// SPDX-License-Identifier: MIT
#include "views/layouts/playground/playground_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "views/layouts/array_strip.h"
#include "widgets/arranging/layouts.h"
#include "widgets/choice_bar.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {
namespace {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutKind;
using engine::TriedDeclaration;
using engine::TriedType;

constexpr std::size_t kNow = 0;  // the columns
constexpr std::size_t kTried = 1;
enum Kind { AsDeclared, Sequential, Auto };

/// A value type without its box, whose size is what counts.
std::shared_ptr<const LayoutItems> unitItems(const engine::TypeLayout& layout) {
  const engine::TypeLayout& unit = layout.unitLayout();
  return std::make_shared<const LayoutItems>(buildLayoutItems(unit, unit.valueSize.has_value()));
}

QString changeOf(std::int64_t before, std::int64_t after) {
  if (before == after) return u"unchanged"_s;
  return (after < before ? kMinus : QChar(u'+')) + bytesText(static_cast<std::uint64_t>(std::abs(after - before)));
}

DiagramColumn columnFor(const QString& title, const engine::TypeLayout& layout) {
  DiagramColumn column;
  column.title = title;
  column.figure = bytesText(layout.unitBytes());
  column.facts << u"%1 padding"_s.arg(bytesText(layout.unitLayout().paddingBytes()));
  column.items = unitItems(layout);
  return column;
}

ArrayLine arrayLine(const QString& title, const engine::TypeLayout& layout, std::shared_ptr<const LayoutItems> items) {
  const engine::TypeLayout& unit = layout.unitLayout();
  if (!unit.valueSize) {
    ArrayLine line = objectsInARow(unit, std::move(items));
    line.title = title;
    return line;
  }
  LayoutColumn column;
  column.variant.layout = unit;
  column.unboxed = std::move(items);
  std::vector<ArrayLine> lines = arrayLines({{&column}});
  if (lines.empty()) return {};
  lines.front().title = title;
  return std::move(lines.front());
}

}  // namespace

PlaygroundView::PlaygroundView(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_kind(new ChoiceBar(u"playgroundKind"_s, {u"As declared"_s, u"Sequential"_s, u"Auto"_s},
                           {u"The attribute that the type has"_s, u"[StructLayout(LayoutKind.Sequential)]"_s,
                            u"[StructLayout(LayoutKind.Auto)]"_s},
                           this)),
      m_pack(new QToolButton(this)),
      m_size(new QSpinBox(this)),
      m_type(new QToolButton(this)),
      m_types(new QMenu(this)),
      m_reset(new QToolButton(this)),
      m_copy(new QToolButton(this)),
      m_pin(new QToolButton(this)),
      m_figures(new QLabel(this)),
      m_note(makeNote({}, this)),
      m_diagram(new SideBySideDiagram(this)),
      m_arrays(new ArrayStrip(this)) {
  addParts();
  fillTypes();
  connect(m_kind, &ChoiceBar::chosen, this, [this](int kind) {
    TriedDeclaration tried = m_tried;
    tried.kind = kind == AsDeclared   ? std::nullopt
                 : kind == Sequential ? std::optional(LayoutKind::Sequential)
                                      : std::optional(LayoutKind::Auto);
    change(std::move(tried));
  });
  connect(m_size, &QSpinBox::valueChanged, this, [this](int bytes) {
    TriedDeclaration tried = m_tried;
    tried.size = static_cast<std::uint32_t>(bytes);
    change(std::move(tried));
  });
  connect(m_reset, &QToolButton::clicked, this, [this] { change({}); });
  connect(m_copy, &QToolButton::clicked, this, [this] {
    if (m_answer) QGuiApplication::clipboard()->setText(linesFromEngine(m_answer->layout.declaration));
  });
  connect(m_pin, &QToolButton::clicked, this, [this] { pinActionOf(*m_diagram->canvas())->trigger(); });
  connect(m_diagram, &SideBySideDiagram::picked, this, [this](std::uint32_t field) {
    m_picked = field;
    showControls();
  });
  connect(m_diagram->canvas(), &SideBySideCanvas::dragged, this, &PlaygroundView::drag);
  connect(m_diagram->canvas(), &SideBySideCanvas::moveWanted, this, &PlaygroundView::move);
}

void PlaygroundView::addParts() {
  setObjectName(u"layoutPlayground"_s);
  setUpTextButton(m_pack, u"playgroundPack"_s, u"Pack"_s, u"No field is aligned to more than that"_s);
  auto* packs = new QMenu(m_pack);
  for (const std::uint32_t pack : {0u, 1u, 2u, 4u, 8u}) {
    packs->addAction(pack == 0 ? u"natural"_s : QString::number(pack), this, [this, pack] {
      TriedDeclaration tried = m_tried;
      tried.pack = pack;
      change(std::move(tried));
    });
  }
  m_pack->setMenu(packs);
  m_pack->setPopupMode(QToolButton::InstantPopup);
  m_size->setObjectName(u"playgroundSize"_s);
  m_size->setAccessibleName(u"Size"_s);
  m_size->setToolTip(u"StructLayout.Size: at least so many bytes; 0 for none"_s);
  m_size->setRange(0, 65536);
  m_size->setPrefix(u"Size "_s);
  setUpTextButton(m_type, u"playgroundType"_s, u"Field"_s, u"Make the picked field of another type, or leave it out"_s);
  m_type->setMenu(m_types);
  m_type->setPopupMode(QToolButton::InstantPopup);
  setUpTextButton(m_reset, u"playgroundReset"_s, u"Reset"_s, u"Back to the declaration as it is"_s);
  setUpTextButton(m_copy, u"playgroundCopy"_s, u"Copy C#"_s, u"Copy the declaration that is tried, as C#"_s);
  setUpTextButton(m_pin, u"playgroundPin"_s, u"Pin"_s, u"Put the picture into the review"_s);
  m_copy->setIcon(symbolIcon(u"copy"_s));
  m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_figures->setObjectName(u"playgroundFigures"_s);
  m_figures->setWordWrap(true);
  m_figures->setContentsMargins(12, 4, 12, 0);
  m_note->setObjectName(u"playgroundNote"_s);
  m_note->setWordWrap(true);
  m_note->setContentsMargins(12, 0, 12, 4);
  m_arrays->setObjectName(u"playgroundArrays"_s);
  m_diagram->canvas()->setMovable(kTried);
  m_diagram->canvas()->setAccessibleName(u"Layout now, and as it is tried"_s);

  auto* controls = new FlowLayout(nullptr, 6);
  controls->setContentsMargins(12, 0, 12, 4);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_kind, m_pack, m_size, m_type, m_reset, m_copy, m_pin})
    controls->addWidget(widget);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addLayout(controls);
  column->addWidget(m_figures);
  column->addWidget(m_note);
  column->addWidget(m_diagram, 1);
  column->addWidget(m_arrays);
}

void PlaygroundView::fillTypes() {
  m_types->setTitle(u"Field"_s);
  m_types->addAction(u"as declared"_s, this, [this] { retype(std::nullopt); });
  for (const TriedType type : engine::membersOf<TriedType>()) {
    m_types->addAction(QString::fromLatin1(engine::toString(type)), this, [this, type] { retype(type); });
  }
  m_types->addSeparator();
  m_types->addAction(u"Leave it out"_s, this, &PlaygroundView::leaveOut);
  m_merge = m_types->addAction(u"All bools as bits of one byte"_s, this, &PlaygroundView::mergeBools);
  SideBySideCanvas* canvas = m_diagram->canvas();
  canvas->insertAction(canvas->actions().isEmpty() ? nullptr : canvas->actions().front(), m_types->menuAction());
}

void PlaygroundView::show(const PreparedLayout& layout) {
  clear();
  m_shown = std::make_unique<PreparedLayout>(layout);
  if (isVisible()) begin();
}

void PlaygroundView::clear() {
  m_bridge.stopAsking(this, "tried");
  m_bridge.stopAsking(this, "heap of tried");
  m_shown.reset();
  m_isBegun = false;
  m_own = {};
  m_tried = {};
  m_heap.reset();
  m_answer.reset();
  m_picked = FieldMatches::kNone;
  m_diagram->show({});
  m_arrays->show({});
  m_figures->clear();
  m_note->clear();
  showControls();
}

void PlaygroundView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_shown && !m_isBegun) begin();
}

void PlaygroundView::begin() {
  m_isBegun = true;
  if (m_shown->type.isNone()) {
    m_note->setText(u"Its declaration is not known, so nothing can be tried."_s);
    return;
  }
  m_bridge.ask(
      this, "tried",
      [type = m_shown->type](const engine::DeclaredLayouts& layouts, std::stop_token) {
        return engine::ownDeclaration(layouts, type);
      },
      [this](engine::Result<engine::OwnDeclaration> own) {
        if (own) return takeOwn(std::move(*own));
        m_note->setText(fromEngine(own.error().message()));
      });
}

void PlaygroundView::takeOwn(engine::OwnDeclaration own) {
  m_own = std::move(own);
  showControls();
  if (!m_own.canChange) {
    m_note->setText(u"It is laid out in one way alone: there is nothing to try."_s);
    return;
  }
  ask();
  askForHeap();
}

void PlaygroundView::askForHeap() {
  if (m_bridge.isAssembly() || !m_bridge.snapshot()) return;
  using Answer = engine::Outcome<std::shared_ptr<const engine::HeapOfType>>;
  m_bridge.askLong(
      this, "heap of tried",
      [snapshot = *m_bridge.snapshot(), type = m_shown->type](const engine::DeclaredLayouts& layouts,
                                                              engine::ProgressSink*, std::stop_token stop) -> Answer {
        return engine::heapOfType(snapshot, layouts, type, stop);
      },
      [](const engine::Progress&) {},
      [this](Answer heap) {
        if (!heap || !*heap) return;
        m_heap = *heap;
        ask();
      });
}

void PlaygroundView::change(TriedDeclaration tried) {
  if (!m_shown || !m_own.canChange || tried == m_tried) return;
  m_tried = std::move(tried);
  showControls();
  ask();
}

void PlaygroundView::ask() {
  m_bridge.ask(
      this, "tried",
      [type = m_shown->type, tried = m_tried, heap = m_heap](const engine::DeclaredLayouts& layouts, std::stop_token) {
        return engine::tryDeclaration(layouts, type, tried, heap.get());
      },
      [this](engine::Result<engine::TriedLayout> answer) { take(std::move(answer)); });
}

// What the runtime would refuse is said, and the picture stays as it was.
void PlaygroundView::take(engine::Result<engine::TriedLayout> answer) {
  if (!answer) {
    m_note->setText(u"⚠ "_s + fromEngine(answer.error().message()));
    return;
  }
  m_answer = std::move(*answer);
  showAnswer();
}

void PlaygroundView::showAnswer() {
  const engine::TypeLayout& tried = m_answer->layout.layout;
  const bool isFirst = m_diagram->canvas()->columns().empty();
  DiagramColumn now = columnFor(u"Now"_s, m_shown->layout());
  DiagramColumn trial = columnFor(u"Tried"_s, tried);
  now.isInForce = true;
  trial.tip = u"Drag a field to another place, or move it by Alt and the arrows; its menu has other types."_s;
  std::vector<ArrayLine> lines{arrayLine(u"Now"_s, m_shown->layout(), now.items),
                               arrayLine(u"Tried"_s, tried, trial.items)};
  std::vector<DiagramColumn> columns{std::move(now), std::move(trial)};
  if (isFirst) {
    m_diagram->show(std::move(columns));
  } else {
    m_diagram->setColumns(std::move(columns));
  }
  m_picked = m_diagram->canvas()->selected();
  m_arrays->show(std::move(lines));
  m_figures->setText(figures());
  m_note->setText(fromEngine(m_answer->layout.remark));
  showControls();
}

QString PlaygroundView::figures() const {
  const engine::TypeLayout& now = m_shown->layout();
  const engine::TypeLayout& tried = m_answer->layout.layout;
  QStringList parts;
  const QString unit = now.unit() == engine::LayoutUnit::Object  ? u"an object"_s
                       : now.unit() == engine::LayoutUnit::Value ? u"a value"_s
                                                                 : u"an element"_s;
  parts << u"%1 %2 (%3)"_s.arg(bytesText(tried.unitBytes()), unit, changeOf(now.unitBytes(), tried.unitBytes()));
  const std::uint32_t paddingNow = now.unitLayout().paddingBytes();
  const std::uint32_t padding = tried.unitLayout().paddingBytes();
  parts << u"%1 padding (%2)"_s.arg(bytesText(padding), changeOf(paddingNow, padding));
  if (m_heap) {
    parts << (m_answer->savedOnHeap ? u"whole heap: %1"_s.arg(changeOf(0, -*m_answer->savedOnHeap))
                                    : u"whole heap: the runtime would refuse a type on it"_s);
  }
  return parts.join(u" · "_s);
}

void PlaygroundView::showControls() {
  const QSignalBlocker blocker(m_size);
  const bool canChange = m_own.canChange;
  for (QWidget* widget : std::initializer_list<QWidget*>{m_kind, m_pack, m_size}) widget->setEnabled(canChange);
  m_kind->choose(!m_tried.kind ? AsDeclared : *m_tried.kind == LayoutKind::Sequential ? Sequential : Auto);
  const std::uint32_t pack = m_tried.pack.value_or(m_own.pack);
  m_pack->setText(pack == 0 ? u"Pack"_s : u"Pack %1"_s.arg(pack));
  m_size->setValue(static_cast<int>(std::min(m_tried.size.value_or(m_own.size), 65536u)));
  const std::optional<std::uint32_t> field = canChange ? ownField(m_picked) : std::nullopt;
  m_type->setEnabled(field.has_value());
  m_types->menuAction()->setEnabled(field.has_value());
  const QString name = field ? fieldNameText(m_own.fields[*field].name) : QString();
  m_type->setText(field ? u"Type of %1"_s.arg(name) : u"Field"_s);
  m_types->setTitle(m_type->text());
  m_merge->setEnabled(std::ranges::count(m_own.fields, true, &engine::OwnField::isBool) > 1);
  m_reset->setEnabled(m_tried != TriedDeclaration());
  m_copy->setEnabled(m_answer.has_value());
  m_pin->setEnabled(m_answer.has_value());
}

std::vector<std::uint32_t> PlaygroundView::order() const {
  if (!m_tried.order.empty()) return m_tried.order;
  std::vector<std::uint32_t> all(m_own.fields.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

std::optional<std::uint32_t> PlaygroundView::ownField(std::uint32_t field) const {
  const auto& columns = m_diagram->canvas()->columns();
  if (columns.size() <= kTried || !m_answer || field == FieldMatches::kNone) return std::nullopt;
  const LayoutItems& items = *columns[kTried].items;
  const std::uint32_t item = m_diagram->matches().itemOf(kTried, field);
  if (item == LayoutItem::kNoItem || items[item].parent != LayoutItem::kNoItem) return std::nullopt;
  if (items[item].declaringType != m_answer->layout.layout.unitLayout().typeName) return std::nullopt;
  const auto own = std::ranges::find(m_own.fields, items[item].name, &engine::OwnField::name);
  if (own == m_own.fields.end()) return std::nullopt;
  return static_cast<std::uint32_t>(own - m_own.fields.begin());
}

void PlaygroundView::drag(std::uint32_t field, std::uint32_t over, bool isBehind) {
  const auto moved = ownField(field);
  const auto other = ownField(over);
  if (!moved || !other) return;
  TriedDeclaration tried = m_tried;
  tried.order = order();
  std::erase(tried.order, *moved);
  const auto place = std::ranges::find(tried.order, *other);
  if (place == tried.order.end()) return;
  tried.order.insert(isBehind ? place + 1 : place, *moved);
  change(std::move(tried));
}

void PlaygroundView::move(std::uint32_t field, int by) {
  const auto moved = ownField(field);
  if (!moved) return;
  TriedDeclaration tried = m_tried;
  tried.order = order();
  const auto place = std::ranges::find(tried.order, *moved) - tried.order.begin();
  const std::ptrdiff_t to = place + by;
  if (to < 0 || to >= std::ssize(tried.order)) return;
  std::swap(tried.order[static_cast<std::size_t>(place)], tried.order[static_cast<std::size_t>(to)]);
  change(std::move(tried));
}

void PlaygroundView::retype(std::optional<TriedType> type) {
  const auto field = ownField(m_picked);
  if (!field) return;
  TriedDeclaration tried = m_tried;
  tried.types.erase(*field);
  if (type) tried.types.emplace(*field, *type);
  change(std::move(tried));
}

void PlaygroundView::leaveOut() {
  const auto field = ownField(m_picked);
  if (!field || order().size() < 2) return;
  TriedDeclaration tried = m_tried;
  tried.order = order();
  std::erase(tried.order, *field);
  change(std::move(tried));
}

void PlaygroundView::mergeBools() {
  TriedDeclaration tried = m_tried;
  tried.order = order();
  std::optional<std::uint32_t> first;
  std::erase_if(tried.order, [&](std::uint32_t field) {
    if (!m_own.fields[field].isBool) return false;
    if (first) return true;
    first = field;
    return false;
  });
  if (!first) return;
  tried.types[*first] = TriedType::Byte;
  change(std::move(tried));
}

}  // namespace heapscape::gui
