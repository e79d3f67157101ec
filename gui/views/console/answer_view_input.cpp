// SPDX-License-Identifier: MIT
// What the view of answers does with mouse and keys, and how it is searched.
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include "views/console/answer_view.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr qint64 kSearchMs = 6;              // of a frame
constexpr std::uint64_t kLinesOfStep = 500;  // that a key looks through for the next link
constexpr int kCellsOfScroll = 8;

bool isWordCell(const QString& text) {
  return !text.isEmpty() && (text[0].isLetterOrNumber() || QStringView(u"_.`+<>[],$:/-").contains(text[0]));
}

}  // namespace

AnswerView::Spot AnswerView::spotAt(const QPointF& point) const {
  const double row = std::floor((point.y() - kTop) / m_row);
  const auto lines = static_cast<double>(m_transcript.end()) - 1;
  const double line = std::clamp(static_cast<double>(m_top) + row, static_cast<double>(m_transcript.begin()), lines);
  const auto number = static_cast<std::uint64_t>(line);
  const int cell = static_cast<int>(std::lround((point.x() - left()) / m_cell));
  return {number, std::clamp(cell, 0, LineCells(m_transcript.line(number)).count())};
}

std::optional<AnswerView::Hit> AnswerView::linkAt(const QPointF& point) const {
  if (m_transcript.isEmpty() || point.y() < 0 || point.y() >= viewport()->height()) return std::nullopt;
  const Spot spot = spotAt(point);
  for (const AddressWord& word : linksOf(spot.line)) {
    if (wordRect(spot.line, word).contains(point)) return Hit{spot.line, word};
  }
  return std::nullopt;
}

void AnswerView::select(std::optional<Spot> anchor, std::optional<Spot> cursor) {
  m_anchor = anchor;
  m_cursor = cursor;
  viewport()->update();
  Q_EMIT selectionChanged();
}

void AnswerView::selectAll() {
  if (m_transcript.isEmpty()) return;
  const std::uint64_t last = m_transcript.end() - 1;
  select(Spot{m_transcript.begin(), 0}, Spot{last, LineCells(m_transcript.line(last)).count()});
}

void AnswerView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || m_transcript.isEmpty()) return;
  const Spot spot = spotAt(event->position());
  m_pressed = linkAt(event->position());
  m_isSelecting = true;
  m_current = spot.line;
  m_link.reset();
  const bool extends = event->modifiers() & Qt::ShiftModifier && m_anchor;
  select(extends ? m_anchor : std::optional(spot), spot);
  tellCurrent();
}

void AnswerView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_isSelecting || m_transcript.isEmpty()) {
    hover(event->position());
    return;
  }
  const Spot spot = spotAt(event->position());
  if (m_cursor == spot) return;
  if (m_pressed &&
      (spot.line != m_pressed->line || spot.cell < m_pressed->word.fromCell || spot.cell > m_pressed->word.toCell))
    m_pressed.reset();
  select(m_anchor, spot);
  if (event->position().y() < 0 || event->position().y() > viewport()->height()) {
    const int step = event->position().y() < 0 ? -1 : 1;
    verticalScrollBar()->setValue(verticalScrollBar()->value() + step);
  }
  if (event->position().x() < 0 || event->position().x() > viewport()->width()) revealCells(spot.cell, spot.cell + 1);
}

void AnswerView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_isSelecting = false;
  const std::optional<Hit> pressed = std::exchange(m_pressed, std::nullopt);
  if (pressed && !hasSelection() && linkAt(event->position()) == pressed) follow(pressed->line, pressed->word);
}

void AnswerView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || m_transcript.isEmpty()) return;
  m_pressed.reset();
  const Spot spot = spotAt(event->position());
  const LineCells cells(m_transcript.line(spot.line));
  int from = std::min(static_cast<int>((event->position().x() - left()) / m_cell), cells.count());
  int to = from;
  while (from > 0 && isWordCell(cells.text(from - 1, from))) --from;
  while (to < cells.count() && isWordCell(cells.text(to, to + 1))) ++to;
  select(Spot{spot.line, std::max(0, from)}, Spot{spot.line, std::max(0, to)});
}

void AnswerView::hover(const QPointF& point) {
  const std::optional<Hit> hovered = linkAt(point);
  if (hovered == m_hovered) return;
  m_hovered = hovered;
  viewport()->setCursor(hovered ? Qt::PointingHandCursor : Qt::IBeamCursor);
  viewport()->setToolTip(hovered ? tellOf(hovered->line, hovered->word) : QString());
  viewport()->update();
}

bool AnswerView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) hover({-1, -1});
  return QAbstractScrollArea::viewportEvent(event);
}

void AnswerView::contextMenuEvent(QContextMenuEvent* event) {
  if (m_transcript.isEmpty()) return;
  std::optional<AddressWord> word;
  QPoint at = event->globalPos();
  if (event->reason() == QContextMenuEvent::Keyboard) {
    word = currentLink();
    if (word) at = viewport()->mapToGlobal(wordRect(*m_current, *word).bottomLeft().toPoint());
  } else {
    const QPointF point = viewport()->mapFromGlobal(QPointF(event->globalPos()));
    m_current = spotAt(point).line;
    m_link.reset();
    if (const auto hit = linkAt(point)) word = hit->word;
    viewport()->update();
  }
  const QString written =
      word && m_current ? LineCells(m_transcript.line(*m_current)).text(word->fromCell, word->toCell) : QString();
  Q_EMIT menuWanted(at, word ? word->address : engine::Address(), written);
}

void AnswerView::reveal(std::uint64_t line) {
  const auto rows = static_cast<std::uint64_t>(rowsInView());
  if (line >= m_top && line < m_top + rows) return;
  showOnTop(line < m_top ? line : line + 1 - std::min(rows, line + 1 - m_transcript.begin()));
}

void AnswerView::revealCells(int from, int to) {
  QScrollBar* bar = horizontalScrollBar();
  const double begin = left() + from * m_cell;
  const double end = left() + to * m_cell;
  if (begin < 0)
    bar->setValue(bar->value() + static_cast<int>(std::floor(begin - m_cell * kCellsOfScroll)));
  else if (end > viewport()->width())
    bar->setValue(bar->value() + static_cast<int>(std::ceil(end - viewport()->width() + m_cell * kCellsOfScroll)));
}

void AnswerView::goToLine(std::uint64_t line, bool extends) {
  if (m_transcript.isEmpty()) return;
  line = std::clamp(line, m_transcript.begin(), m_transcript.end() - 1);
  if (extends) {
    const std::uint64_t from = m_anchor ? m_anchor->line : m_current.value_or(line);
    const auto endOf = [this](std::uint64_t at) { return Spot{at, LineCells(m_transcript.line(at)).count()}; };
    select(line >= from ? Spot{from, 0} : endOf(from), line >= from ? endOf(line) : Spot{line, 0});
  } else if (hasSelection()) {
    select(std::nullopt, std::nullopt);
  }
  if (!extends) m_anchor.reset();
  m_current = line;
  m_link.reset();
  reveal(line);
  m_look->start();
  tellCurrent();
}

void AnswerView::goToItem(std::size_t item) {
  goToLine(m_transcript.begin() + item, false);
}

void AnswerView::pressItem(std::size_t item) {
  const std::uint64_t line = m_transcript.begin() + item;
  const std::vector<AddressWord> links = linksOf(line);
  if (m_current == line && currentLink())
    follow(line, *currentLink());
  else if (!links.empty())
    follow(line, links.front());
}

// From link to link over the lines; what leads further than can be looked through at once is a step of its own.
void AnswerView::stepLink(int step) {
  if (m_transcript.isEmpty()) return;
  std::uint64_t line = m_current.value_or(step > 0 ? m_top : m_transcript.end() - 1);
  bool isFirst = m_link.has_value();
  for (std::uint64_t looked = 0; looked < kLinesOfStep; ++looked) {
    const std::vector<AddressWord> links = linksOf(line);
    // Indices wrap below 0, which is beyond the last one as well.
    const std::size_t end = step > 0 ? 0 : links.size() - 1;
    const std::size_t next = isFirst ? m_link.value_or(0) + static_cast<std::size_t>(step) : end;
    if (next < links.size()) {
      goToLine(line, false);
      m_link = next;
      revealCells(links[next].fromCell, links[next].toCell);
      tellCurrent();
      return;
    }
    isFirst = false;
    if (step > 0 ? line + 1 >= m_transcript.end() : line <= m_transcript.begin()) return;
    line += static_cast<std::uint64_t>(step);
    // What was never in sight has not been asked for yet: it comes into sight, and the next key finds it.
    if (line < m_top || line >= m_top + static_cast<std::uint64_t>(rowsInView())) {
      const bool isKnown =
          std::ranges::all_of(wordsOf(line), [this](const AddressWord& word) { return m_links.isKnown(word.address); });
      if (!isKnown) {
        goToLine(line, false);
        return;
      }
    }
  }
  goToLine(line, false);
}

void AnswerView::follow(std::uint64_t line, const AddressWord& word) {
  if (word.address) {
    Q_EMIT linkPicked(word.address);
  } else {
    Q_EMIT commandPicked(LineCells(m_transcript.line(line)).text(word.fromCell, word.toCell));
  }
}

void AnswerView::keyPressEvent(QKeyEvent* event) {
  const bool extends = event->modifiers() & Qt::ShiftModifier;
  const bool isControl = event->modifiers() & Qt::ControlModifier;
  const auto page = static_cast<std::uint64_t>(std::max(1, rowsInView() - 1));
  const std::uint64_t begin = m_transcript.begin();
  const std::uint64_t line = m_current.value_or(m_top);
  const auto up = [&](std::uint64_t lines) { return line > begin + lines ? line - lines : begin; };
  QScrollBar* across = horizontalScrollBar();
  switch (event->key()) {
    case Qt::Key_Up:
      if (isControl) return stepCommand(-1);
      return goToLine(m_current ? up(1) : line, extends);
    case Qt::Key_Down:
      if (isControl) return stepCommand(1);
      return goToLine(m_current ? line + 1 : line, extends);
    case Qt::Key_PageUp:
      return goToLine(up(page), extends);
    case Qt::Key_PageDown:
      return goToLine(line + page, extends);
    case Qt::Key_Home:
      return goToLine(begin, extends);
    case Qt::Key_End:
      goToLine(m_transcript.isEmpty() ? 0 : m_transcript.end() - 1, extends);
      return goToEnd();
    case Qt::Key_Left:
    case Qt::Key_Right: {
      const int step = event->key() == Qt::Key_Left ? -1 : 1;
      if (isControl) return across->setValue(across->value() + step * static_cast<int>(m_cell) * kCellsOfScroll);
      return stepLink(step);
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const auto item = currentItem()) pressItem(*item);
      return;
    default:
      break;
  }
  const QString text = event->text();
  if (!isControl && !(event->modifiers() & Qt::AltModifier) && !text.isEmpty() && text[0].isPrint()) {
    Q_EMIT typed(text);
    return;
  }
  QAbstractScrollArea::keyPressEvent(event);
}

void AnswerView::find(const QString& text, int step) {
  if (text != m_wanted && !text.startsWith(m_wanted, Qt::CaseInsensitive)) m_match.reset();
  const bool isSame = text == m_wanted;
  m_wanted = text;
  m_step = step;
  viewport()->update();
  m_search->stop();
  if (text.isEmpty() || m_transcript.isEmpty()) {
    m_match.reset();
    return;
  }
  // More letters of the same: it may still be where it was found.
  if (m_match && !isSame) --m_match->cell;
  if (!m_match) m_match = step > 0 ? Spot{m_transcript.begin(), -1} : Spot{m_transcript.end() - 1, INT_MAX};
  m_searched = m_match->line;
  m_linesLeft = m_transcript.size() + 1;
  searchOn();
  if (m_linesLeft > 0) m_search->start();
}

void AnswerView::searchOn() {
  QElapsedTimer time;
  time.start();
  for (int looked = 0; m_linesLeft > 0; ++looked) {
    if (looked % 64 == 63 && time.elapsed() >= kSearchMs) return;
    if (m_searched < m_transcript.begin() || m_searched >= m_transcript.end())
      m_searched = m_step > 0 ? m_transcript.begin() : m_transcript.end() - 1;
    const LineCells cells(m_transcript.line(m_searched));
    const QString text = cells.text();
    const bool isFirst = m_match && m_match->line == m_searched && m_linesLeft == m_transcript.size() + 1;
    qsizetype at = -1;
    if (m_step > 0) {
      qsizetype from = 0;
      do {
        at = text.indexOf(m_wanted, from, Qt::CaseInsensitive);
        from = at + 1;
      } while (at >= 0 && isFirst && cells.cellOf(at) <= m_match->cell);
    } else {
      at = text.lastIndexOf(m_wanted, -1, Qt::CaseInsensitive);
      while (at >= 0 && isFirst && cells.cellOf(at) >= m_match->cell)
        at = at == 0 ? -1 : text.lastIndexOf(m_wanted, at - 1, Qt::CaseInsensitive);
    }
    if (at >= 0) {
      const int from = cells.cellOf(at);
      const int to = cells.cellOf(at + m_wanted.size());
      m_match = Spot{m_searched, from};
      m_linesLeft = 0;
      m_search->stop();
      const auto rows = static_cast<std::uint64_t>(rowsInView());
      if (m_searched < m_top || m_searched >= m_top + rows)
        showOnTop(m_searched - std::min(rows / 3, m_searched - m_transcript.begin()));
      goToLine(m_searched, false);
      select(Spot{m_searched, from}, Spot{m_searched, to});
      revealCells(from, to);
      Q_EMIT found(true);
      return;
    }
    --m_linesLeft;
    m_searched += static_cast<std::uint64_t>(m_step);
  }
  m_search->stop();
  Q_EMIT found(false);
}

}  // namespace heapscape::gui
