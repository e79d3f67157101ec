// SPDX-License-Identifier: MIT
#include "widgets/hex_view/hex_view.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

HexView::HexView(QWidget* parent)
    : QAbstractScrollArea(parent), PictureItems(this), m_bubble(new HoverBubble(viewport())) {
  setObjectName(u"objectBytes"_s);
  setAccessibleName(u"Bytes"_s);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  addActions();
}

void HexView::addActions() {
  offerActions(this);
  auto* copy = new QAction(u"Copy bytes"_s, this);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, &HexView::copyBytes);
  addAction(copy);
  const auto add = [this](const QString& text, const auto& go) {
    auto* action = new QAction(text, this);
    connect(action, &QAction::triggered, this, go);
    addAction(action);
    return action;
  };
  m_copyAddress = add(u"Copy address of the selected bytes"_s,
                      [this] { QGuiApplication::clipboard()->setText(addressText(selectedAddress())); });
  m_memoryHere = add({}, [this] { Q_EMIT memoryWanted(selectedAddress()); });
  m_memoryThere = add({}, [this] { Q_EMIT memoryWanted(selectedWord()); });
  updateActions();
}

engine::Address HexView::selectedAddress() const {
  if (!m_page || m_selected.isEmpty()) return {};
  return {m_page->address().value + static_cast<std::uint64_t>(m_selected.begin)};
}

engine::Address HexView::selectedWord() const {
  if (m_selected.end - m_selected.begin != static_cast<std::int64_t>(sizeof(std::uint64_t))) return {};
  std::uint64_t word = 0;
  for (std::int64_t offset = m_selected.end - 1; offset >= m_selected.begin; --offset) {
    const auto byte = m_window.byteAt(offset);
    if (!byte) return {};
    word = word << 8 | *byte;
  }
  return {word};
}

void HexView::updateActions() {
  const engine::Address here = selectedAddress();
  const engine::Address there = selectedWord();
  m_copyAddress->setEnabled(static_cast<bool>(here));
  m_memoryHere->setEnabled(static_cast<bool>(here));
  m_memoryHere->setText(here ? memoryLinkText(here) : u"Show memory at the selected bytes"_s);
  m_memoryThere->setVisible(static_cast<bool>(there));
  m_memoryThere->setText(u"Show memory at %1, as the bytes read as an address"_s.arg(addressText(there)));
}

void HexView::show(std::shared_ptr<const ObjectPage> page) {
  m_page = std::move(page);
  m_window = {};
  m_selected = m_hovered = m_asked = {};
  m_wanted.reset();
  updateActions();
  m_bubble->hide();
  m_whole = {};
  if (m_page) m_whole = {-8, static_cast<std::int64_t>(m_page->object.row.alignedBytes) - 8};
  layOut();
  verticalScrollBar()->setValue(0);
  requestInSight();
}

void HexView::take(engine::ObjectBytes bytes) {
  if (!m_page || bytes.object != m_page->address()) return;
  m_window = ByteWindow(std::move(bytes));
  if (m_window.whole() != m_whole) {
    m_whole = m_window.whole();
    layOut();
  }
  tellItemsChanged();
  viewport()->update();
  requestInSight();
  if (m_wanted) goTo(*m_wanted);
}

HexMetrics HexView::metrics() const {
  const QFontMetricsF fixed(fixedFont(font()));
  HexMetrics metrics;
  metrics.letterWidth = fixed.horizontalAdvance(QLatin1Char('0'));
  // As in the layout diagram, so that its rows go on in these.
  const double line = QFontMetricsF(font()).height();
  metrics.rowHeight = std::ceil(std::max(24.0, line * 1.75));
  metrics.rulerHeight = std::ceil(line * 1.2) + 8;
  metrics.begin = m_whole.begin;
  metrics.end = m_whole.end;
  metrics.offsetLetters = std::max(4, static_cast<int>(offsetText(m_whole.end).size()));
  return metrics;
}

void HexView::layOut() {
  const std::int64_t first = m_geometry.spanOf(topRow()).begin;
  m_geometry = HexGeometry(metrics(), viewport()->width());
  const int inView = std::max(1, m_geometry.rowsIn(viewport()->height()));
  const std::int64_t last = std::max<std::int64_t>(0, m_geometry.rows() - inView);
  verticalScrollBar()->setRange(0, static_cast<int>(std::min<std::int64_t>(last, std::numeric_limits<int>::max())));
  verticalScrollBar()->setPageStep(inView);
  verticalScrollBar()->setValue(static_cast<int>(m_geometry.rowOf(std::max(first, m_whole.begin))));
  const int wide = static_cast<int>(std::ceil(m_geometry.width())) - viewport()->width();
  horizontalScrollBar()->setRange(0, std::max(0, wide));
  horizontalScrollBar()->setPageStep(viewport()->width());
  viewport()->update();
}

QSize HexView::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 40, tableRowHeight(*this) * 4};
}

std::int64_t HexView::topRow() const {
  return verticalScrollBar()->value();
}

ByteSpan HexView::inSight() const {
  const std::int64_t last = topRow() + m_geometry.rowsIn(viewport()->height()) + 1;
  const std::int64_t begin = std::clamp(m_geometry.spanOf(topRow()).begin, m_whole.begin, m_whole.end);
  return {begin, std::clamp(m_geometry.spanOf(last).end, begin, m_whole.end)};
}

void HexView::requestInSight() {
  const ByteSpan wanted = inSight();
  if (!m_page || wanted.isEmpty() || m_window.read().contains(wanted)) return;
  const ByteSpan asked = windowAround(wanted, m_whole);
  if (asked == m_asked) return;  // under way, or all that there is
  m_asked = asked;
  Q_EMIT windowWanted(asked);
}

void HexView::select(const ByteSpan& span) {
  m_selected = span;
  if (!span.isEmpty()) {
    const std::int64_t row = m_geometry.rowOf(span.begin);
    const int inView = std::max(1, m_geometry.rowsIn(viewport()->height()));
    if (row < topRow() || row >= topRow() + inView) {
      verticalScrollBar()->setValue(static_cast<int>(std::max<std::int64_t>(0, row - inView / 3)));
    }
  }
  updateActions();
  tellCurrent();
}

BubbleText HexView::itemText(std::size_t item) const {
  const engine::ByteRun& run = m_window.runs()[item];
  BubbleText text = textOf(run);
  text.facts << bytesAsText(m_window, spanOf(run));
  return text;
}

QRectF HexView::itemRect(std::size_t item) const {
  const ByteSpan run = spanOf(m_window.runs()[item]);
  const ByteSpan seen = inSight();
  const ByteSpan part{std::max(run.begin, seen.begin), std::min(run.end, seen.end)};
  if (part.isEmpty()) return {};
  QRectF rect = m_geometry.byteRect(part.begin, topRow()) | m_geometry.byteRect(part.end - 1, topRow());
  // What goes on in the next row has bytes at both ends of a row.
  if (m_geometry.rowOf(part.begin) != m_geometry.rowOf(part.end - 1)) {
    const ByteSpan row = m_geometry.spanOf(m_geometry.rowOf(part.begin));
    rect |= m_geometry.byteRect(row.begin, topRow()) | m_geometry.byteRect(row.end - 1, topRow());
  }
  return rect.translated(-horizontalScrollBar()->value(), 0);
}

std::optional<std::size_t> HexView::currentItem() const {
  const engine::ByteRun* run = m_selected.isEmpty() ? nullptr : m_window.runAt(m_selected.begin);
  return run ? std::optional(static_cast<std::size_t>(run - m_window.runs().data())) : std::nullopt;
}

void HexView::paintBytes(QPainter& painter, bool isForScreen) const {
  const HexPainter::Look look{palette(),
                              scaledFont(font(), 0.86),
                              fixedFont(font()),
                              topRow(),
                              isForScreen ? m_selected : ByteSpan(),
                              isForScreen ? m_hovered : ByteSpan(),
                              isForScreen && hasFocus()};
  painter.translate(-horizontalScrollBar()->value(), 0);
  HexPainter(*m_page, m_window, m_geometry, look).paint(painter, viewport()->rect());
}

void HexView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), Colours(palette()).surface());
  if (!m_page) return;
  paintBytes(painter, true);
  painter.resetTransform();
  if (hasFocus() && m_selected.isEmpty()) paintFocusRing(painter, viewport()->rect(), palette());
}

void HexView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
  requestInSight();
}

void HexView::scrollContentsBy(int, int) {
  m_bubble->hide();
  viewport()->update();
  requestInSight();
}

void HexView::pick(const ByteSpan& span) {
  select(span);
  Q_EMIT picked(span);
}

void HexView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_page) {
    QAbstractScrollArea::mousePressEvent(event);
    return;
  }
  const QPointF point = event->position() + QPointF(horizontalScrollBar()->value(), 0);
  const auto offset = m_geometry.byteAt(point, topRow());
  const engine::ByteRun* run = offset ? m_window.runAt(*offset) : nullptr;
  pick(run ? spanOf(*run) : ByteSpan());
}

void HexView::mouseMoveEvent(QMouseEvent* event) {
  hoverAt(event->position());
}

BubbleText HexView::textOf(const engine::ByteRun& run) const {
  QStringList facts = runFacts(run);
  if (const QString value = m_describe ? m_describe(spanOf(run)) : QString(); !value.isEmpty()) facts.prepend(value);
  const HexPainter painter(*m_page, m_window, m_geometry, {});
  return {painter.colourOf(run), runName(run), facts};
}

void HexView::hoverAt(const QPointF& point) {
  const auto offset =
      m_page ? m_geometry.byteAt(point + QPointF(horizontalScrollBar()->value(), 0), topRow()) : std::nullopt;
  const engine::ByteRun* run = offset ? m_window.runAt(*offset) : nullptr;
  const ByteSpan hovered = run ? spanOf(*run) : ByteSpan();
  if (hovered != m_hovered) {
    m_hovered = hovered;
    viewport()->update();
  }
  if (run) {
    m_bubble->showAt(point.toPoint(), textOf(*run));
  } else {
    m_bubble->hide();
  }
}

bool HexView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) hoverAt({-1, -1});
  return QAbstractScrollArea::viewportEvent(event);
}

// To the run before or behind the one selected.
void HexView::step(bool forward) {
  if (m_whole.isEmpty()) return;
  std::int64_t offset = m_whole.begin;
  if (!m_selected.isEmpty()) offset = forward ? m_selected.end : m_selected.begin - 1;
  goTo(offset);
}

void HexView::goTo(std::int64_t offset) {
  m_wanted.reset();
  if (offset < m_whole.begin || offset >= m_whole.end) return;
  if (const engine::ByteRun* run = m_window.runAt(offset)) {
    pick(spanOf(*run));
    return;
  }
  if (m_window.read().contains(offset)) return;
  m_wanted = offset;
  verticalScrollBar()->setValue(
      static_cast<int>(std::min<std::int64_t>(m_geometry.rowOf(offset), verticalScrollBar()->maximum())));
}

void HexView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
      step(true);
      return;
    case Qt::Key_Left:
    case Qt::Key_Up:
      step(false);
      return;
    case Qt::Key_Home:
      goTo(m_whole.begin);
      return;
    case Qt::Key_End:
      goTo(m_whole.end - 1);
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void HexView::copyBytes() const {
  const ByteSpan span = m_selected.isEmpty() ? m_window.read() : m_selected;
  QGuiApplication::clipboard()->setText(bytesAsText(m_window, span));
}

void HexView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange) layOut();
  if (event->type() == QEvent::PaletteChange) viewport()->update();
}

ObjectHexView::ObjectHexView(EngineBridge& bridge, QWidget* parent) : HexView(parent), m_bridge(bridge) {
  connect(this, &HexView::windowWanted, this, &ObjectHexView::askForBytes);
}

void ObjectHexView::show(std::shared_ptr<const ObjectPage> page) {
  m_shown = page;
  HexView::show(std::move(page));
}

void ObjectHexView::askForBytes(const ByteSpan& window) {
  if (!m_shown) return;
  constexpr std::int64_t kHeaderBytes = 8;  // before the object's address
  const auto skip = static_cast<std::uint64_t>(window.begin + kHeaderBytes);
  const auto limit = static_cast<std::size_t>(window.sizeBytes());
  m_bridge.ask(
      this, "bytes",
      [object = m_shown->address(), skip, limit](const engine::Snapshot& snapshot, std::stop_token) {
        return engine::objectBytes(snapshot, object, skip, limit);
      },
      [this](engine::Result<engine::ObjectBytes> bytes) {
        if (!bytes || !m_shown) return;
        nameUnused(*m_shown, *bytes);
        take(std::move(*bytes));
      });
}

}  // namespace heapscape::gui
