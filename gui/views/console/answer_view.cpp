// SPDX-License-Identifier: MIT
// What the view shows and where; answer_view_input.cpp has what it does with mouse and keys, and the search.
#include "views/console/answer_view.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr double kAnswerMargin = 12;
constexpr double kGutterCells = 2;  // for the sign of a command or a message
constexpr int kLookMs = 20;
constexpr int kTellMs = 200;
constexpr std::size_t kMostLinesKnown = 4000;
const QByteArray kMore = QByteArrayLiteral("more: ");  // as the shell begins the line
constexpr qsizetype kMostSpoken = 2000;                // letters of a line

QString signOf(LineKind kind) {
  switch (kind) {
    case LineKind::Command:
      return u"❯"_s;
    case LineKind::Message:
      return u"⚠"_s;
    default:
      return {};
  }
}

}  // namespace

AnswerView::AnswerView(const Transcript& transcript, AddressLinks& links, QWidget* parent)
    : QAbstractScrollArea(parent),
      PictureItems(this),
      m_transcript(transcript),
      m_links(links),
      m_look(new QTimer(this)),
      m_tell(new QTimer(this)),
      m_search(new QTimer(this)) {
  setObjectName(u"consoleAnswers"_s);
  setAccessibleName(u"Commands and answers"_s);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  viewport()->setCursor(Qt::IBeamCursor);
  m_look->setSingleShot(true);
  m_look->setInterval(kLookMs);
  connect(m_look, &QTimer::timeout, this, &AnswerView::lookForLinks);
  connect(&m_links, &AddressLinks::found, viewport(), qOverload<>(&QWidget::update));
  m_tell->setSingleShot(true);
  m_tell->setInterval(kTellMs);
  connect(m_tell, &QTimer::timeout, this, [this] { tellItemsChanged(); });
  m_search->setInterval(0);
  connect(m_search, &QTimer::timeout, this, &AnswerView::searchOn);
  measure();
}

void AnswerView::measure() {
  constexpr int kCells = 100;  // a font may be a fraction of a pixel wider than it says of one character
  m_fixed = fixedFont(font());
  const QFontMetricsF metrics(m_fixed);
  m_cell = metrics.horizontalAdvance(QString(kCells, u'0')) / kCells;
  m_row = std::ceil(metrics.height() * 1.2);
}

int AnswerView::rowsInView() const {
  return std::max(1, static_cast<int>((viewport()->height() - kTop) / m_row));
}

double AnswerView::left() const {
  return kAnswerMargin + kGutterCells * m_cell - horizontalScrollBar()->value();
}

QSize AnswerView::minimumSizeHint() const {
  return {static_cast<int>(m_cell * 30), static_cast<int>(m_row * 4)};
}

void AnswerView::layOut() {
  m_isLayingOut = true;
  const int rows = rowsInView();
  const int last = std::max(0, static_cast<int>(m_transcript.size()) - rows);
  m_top = std::clamp(m_isFollowing ? m_transcript.begin() + static_cast<std::uint64_t>(last) : m_top,
                     m_transcript.begin(), m_transcript.begin() + static_cast<std::uint64_t>(last));
  verticalScrollBar()->setRange(0, last);
  verticalScrollBar()->setPageStep(rows);
  verticalScrollBar()->setSingleStep(1);
  verticalScrollBar()->setValue(static_cast<int>(m_top - m_transcript.begin()));
  const double whole = 2 * kAnswerMargin + (kGutterCells + static_cast<double>(m_transcript.mostCells())) * m_cell;
  horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(whole)) - viewport()->width()));
  horizontalScrollBar()->setPageStep(viewport()->width());
  horizontalScrollBar()->setSingleStep(static_cast<int>(m_cell * 4));
  m_isLayingOut = false;
  viewport()->update();
  m_look->start();
}

void AnswerView::updateLines() {
  const std::uint64_t begin = m_transcript.begin();
  const auto isGone = [&](const std::optional<Spot>& spot) { return spot && spot->line < begin; };
  if (m_current && (*m_current < begin || *m_current >= m_transcript.end())) {
    m_current.reset();
    m_link.reset();
  }
  if (isGone(m_anchor) || isGone(m_cursor)) select(std::nullopt, std::nullopt);
  if (isGone(m_match)) m_match.reset();
  if (m_hovered && m_hovered->line < begin) m_hovered.reset();
  m_pressed.reset();
  if (m_transcript.isEmpty()) m_isFollowing = true;
  layOut();
  if (!m_tell->isActive()) m_tell->start();
}

void AnswerView::goToEnd() {
  m_isFollowing = true;
  layOut();
}

void AnswerView::showOnTop(std::uint64_t line) {
  m_isFollowing = false;
  m_top = line;
  layOut();
  m_isFollowing = verticalScrollBar()->value() == verticalScrollBar()->maximum();
}

void AnswerView::stepCommand(int step) {
  const auto command = m_transcript.commandBeside(m_top, step);
  if (!command) {
    if (step > 0) goToEnd();
    return;
  }
  showOnTop(*command);
  m_current = *command;
  m_link.reset();
  tellCurrent();
}

void AnswerView::scrollContentsBy(int, int) {
  if (m_isLayingOut) return;
  m_top = m_transcript.begin() + static_cast<std::uint64_t>(verticalScrollBar()->value());
  m_isFollowing = verticalScrollBar()->value() == verticalScrollBar()->maximum();
  viewport()->update();
  m_look->start();
}

void AnswerView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
}

void AnswerView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::PaletteChange) return;
  measure();
  layOut();
}

const std::vector<AddressWord>& AnswerView::wordsOf(std::uint64_t line) const {
  const auto known = m_words.find(line);
  if (known != m_words.end()) return known->second;
  if (m_words.size() > kMostLinesKnown) m_words.clear();
  const TranscriptLine& shown = m_transcript.line(line);
  return m_words.emplace(line, addressWordsOf(LineCells(shown))).first->second;
}

void AnswerView::lookForLinks() {
  std::vector<engine::Address> addresses;
  const std::uint64_t end = std::min(m_top + static_cast<std::uint64_t>(rowsInView()) + 1, m_transcript.end());
  for (std::uint64_t line = m_top; line < end; ++line) {
    for (const AddressWord& word : wordsOf(line)) addresses.push_back(word.address);
  }
  m_links.want(addresses);
}

std::vector<AddressWord> AnswerView::linksOf(std::uint64_t line) const {
  std::vector<AddressWord> links;
  if (line < m_transcript.begin() || line >= m_transcript.end()) return links;
  const TranscriptLine& shown = m_transcript.line(line);
  if (shown.kind == LineKind::Answer && shown.text.startsWith(kMore))
    return {{static_cast<int>(kMore.size()), LineCells(shown).count(), {}}};
  for (const AddressWord& word : wordsOf(line)) {
    if (m_links.meaningOf(word.address)) links.push_back(word);
  }
  return links;
}

QString AnswerView::tellOf(std::uint64_t line, const AddressWord& word) const {
  if (const engine::AddressMeaning* meaning = m_links.meaningOf(word.address)) return fromEngine(meaning->text);
  return u"Write %1 into the line below"_s.arg(LineCells(m_transcript.line(line)).text(word.fromCell, word.toCell));
}

QRectF AnswerView::wordRect(std::uint64_t line, const AddressWord& word) const {
  const double top = kTop + (static_cast<double>(line) - static_cast<double>(m_top)) * m_row;
  return {left() + word.fromCell * m_cell, top, (word.toCell - word.fromCell) * m_cell, m_row};
}

std::optional<AddressWord> AnswerView::currentLink() const {
  if (!m_current || !m_link) return std::nullopt;
  const std::vector<AddressWord> links = linksOf(*m_current);
  return *m_link < links.size() ? std::optional(links[*m_link]) : std::nullopt;
}

std::pair<int, int> AnswerView::selectedCells(std::uint64_t line, int count) const {
  if (!hasSelection()) return {0, 0};
  const Spot& first = std::min(*m_anchor, *m_cursor);
  const Spot& last = std::max(*m_anchor, *m_cursor);
  if (line < first.line || line > last.line) return {0, 0};
  // What goes on in the next line is selected up to its end, of which one cell more tells.
  return {line == first.line ? first.cell : 0, line == last.line ? last.cell : count + 1};
}

std::vector<AnswerView::Run> AnswerView::runsOf(std::uint64_t line, const LineCells& cells, int from, int to) const {
  std::vector<int> edges{from, to};
  const auto [selectedFrom, selectedTo] = selectedCells(line, cells.count());
  const std::vector<AddressWord> links = linksOf(line);
  const auto addEdge = [&](int cell) {
    if (cell > from && cell < to) edges.push_back(cell);
  };
  addEdge(selectedFrom);
  addEdge(selectedTo);
  for (const AddressWord& link : links) {
    addEdge(link.fromCell);
    addEdge(link.toCell);
  }
  std::ranges::sort(edges);
  std::vector<Run> runs;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    if (edges[i] == edges[i + 1]) continue;
    const bool isLink = std::ranges::any_of(
        links, [&](const AddressWord& link) { return edges[i] >= link.fromCell && edges[i] < link.toCell; });
    runs.push_back({edges[i], edges[i + 1], isLink, edges[i] >= selectedFrom && edges[i] < selectedTo});
  }
  return runs;
}

void AnswerView::paintRun(QPainter& painter, const LineCells& cells, int from, int to, double baseline) const {
  if (cells.isPlain()) {
    painter.drawText(QPointF(left() + from * m_cell, baseline), cells.text(from, to));
    return;
  }
  // Each character that is none of ASCII in its own cell: whatever font has it, columns stay where they are.
  for (int cell = from; cell < to;) {
    int next = cells.nextCell(cell);
    QString text = cells.text(cell, next);
    const auto isAscii = [](const QString& part) { return part.size() == 1 && part[0].unicode() < 0x7f; };
    if (isAscii(text) && text[0] != u'\t') {
      while (next < to) {
        const int after = cells.nextCell(next);
        const QString more = cells.text(next, after);
        if (!isAscii(more) || more[0] == u'\t') break;
        text += more;
        next = after;
      }
    }
    if (text != u"\t"_s) painter.drawText(QPointF(left() + cell * m_cell, baseline), text);
    cell = std::max(next, cell + 1);
  }
}

void AnswerView::paintMatches(QPainter& painter, const LineCells& cells, double top) const {
  if (m_wanted.isEmpty()) return;
  const QString text = cells.text();
  const QColor ground = mixed(palette().color(QPalette::Highlight), Colours(palette()).surface(), 0.35);
  for (qsizetype at = text.indexOf(m_wanted, 0, Qt::CaseInsensitive); at >= 0;
       at = text.indexOf(m_wanted, at + m_wanted.size(), Qt::CaseInsensitive)) {
    const int from = cells.cellOf(at);
    const int to = cells.cellOf(at + m_wanted.size());
    painter.fillRect(QRectF(left() + from * m_cell, top, (to - from) * m_cell, m_row), ground);
  }
}

void AnswerView::paintLine(QPainter& painter, std::uint64_t line, double top) const {
  const Colours colours(palette());
  const TranscriptLine& shown = m_transcript.line(line);
  const LineCells cells(shown);
  const double width = viewport()->width();
  const QColor accent = palette().color(QPalette::Link);
  QColor ink = palette().color(QPalette::Text);
  QFont font = m_fixed;
  if (shown.kind == LineKind::Command) {
    painter.fillRect(QRectF(0, top, width, m_row), palette().color(QPalette::AlternateBase));
    painter.setPen(colours.gridLine());
    painter.drawLine(QPointF(0, top + 0.5), QPointF(width, top + 0.5));
    font.setWeight(QFont::DemiBold);
  } else if (shown.kind == LineKind::Message) {
    ink = colours.warning();
  } else if (shown.kind == LineKind::Note) {
    ink = colours.dimmedText();
  }
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  const double baseline = top + (m_row - metrics.height()) / 2 + metrics.ascent();
  if (const QString sign = signOf(shown.kind); !sign.isEmpty()) {
    painter.setPen(shown.kind == LineKind::Command ? accent : ink);
    painter.drawText(QPointF(left() - kGutterCells * m_cell, baseline), sign);
  }
  paintMatches(painter, cells, top);

  const int from = std::clamp(static_cast<int>(std::floor(-left() / m_cell)), 0, cells.count());
  const int to = std::clamp(static_cast<int>(std::ceil((width - left()) / m_cell)) + 1, from, cells.count());
  const auto [selectedFrom, selectedTo] = selectedCells(line, cells.count());
  if (selectedFrom < selectedTo) {
    painter.fillRect(QRectF(left() + selectedFrom * m_cell, top, (selectedTo - selectedFrom) * m_cell, m_row),
                     palette().color(QPalette::Highlight));
  }
  const std::optional<AddressWord> current = m_current == line ? currentLink() : std::nullopt;
  for (const Run& run : runsOf(line, cells, from, to)) {
    painter.setPen(run.isSelected ? palette().color(QPalette::HighlightedText) : run.isLink ? accent : ink);
    paintRun(painter, cells, run.from, run.to, baseline);
    if (!run.isLink) continue;
    const double y = std::round(baseline + metrics.underlinePos()) + 0.5;
    const bool isHovered = m_hovered && m_hovered->line == line && run.from >= m_hovered->word.fromCell &&
                           run.from < m_hovered->word.toCell;
    painter.setPen(QPen(painter.pen().color(), isHovered ? 2 : 1));
    painter.drawLine(QPointF(left() + run.from * m_cell, y), QPointF(left() + run.to * m_cell, y));
  }
  if (current && hasFocus()) {
    painter.setPen(focusRing(palette()));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(wordRect(line, *current).adjusted(-1, 0.5, 1, -0.5));
  } else if (m_current == line && hasFocus()) {
    painter.setPen(focusRing(palette()));
    painter.drawLine(QPointF(3, top + 2), QPointF(3, top + m_row - 2));
  }
}

void AnswerView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), palette().color(QPalette::Base));
  const std::uint64_t end = std::min(m_top + static_cast<std::uint64_t>(rowsInView()) + 2, m_transcript.end());
  for (std::uint64_t line = std::max(m_top, m_transcript.begin()); line < end; ++line)
    paintLine(painter, line, kTop + static_cast<double>(line - m_top) * m_row);
  if (hasFocus() && !m_current) paintFocusRing(painter, viewport()->rect(), palette());
}

QByteArray AnswerView::selectedText() const {
  if (!hasSelection()) return m_current ? textOf(m_transcript.copy(*m_current, *m_current + 1)) : QByteArray();
  const Spot& first = std::min(*m_anchor, *m_cursor);
  const Spot& last = std::max(*m_anchor, *m_cursor);
  QByteArray text;
  for (std::uint64_t line = first.line; line <= last.line && line < m_transcript.end(); ++line) {
    const TranscriptLine& shown = m_transcript.line(line);
    const bool isWhole = (line > first.line || first.cell == 0) && line < last.line;
    if (isWhole) {
      text += textOf({shown});
      continue;
    }
    const LineCells cells(shown);
    text += cells.text(line == first.line ? first.cell : 0, line == last.line ? last.cell : cells.count()).toUtf8();
    if (line < last.line && !shown.goesOn) text += '\n';
  }
  return text;
}

BubbleText AnswerView::itemText(std::size_t item) const {
  const std::uint64_t line = m_transcript.begin() + item;
  const TranscriptLine& shown = m_transcript.line(line);
  BubbleText text{.swatch = {}, .title = QString::fromUtf8(shown.text.left(kMostSpoken)), .facts = {}};
  if (shown.kind == LineKind::Command) text.facts << u"command"_s;
  if (shown.kind == LineKind::Message) text.facts << u"message"_s;
  // Those that were in sight are known.
  if (const auto link = m_current == line ? currentLink() : std::nullopt) {
    text.facts << u"link %1: %2"_s.arg(LineCells(shown).text(link->fromCell, link->toCell), tellOf(line, *link));
  }
  return text;
}

QRectF AnswerView::itemRect(std::size_t item) const {
  const double top = kTop + (static_cast<double>(m_transcript.begin() + item) - static_cast<double>(m_top)) * m_row;
  if (top + m_row <= 0 || top >= viewport()->height()) return {};
  return {0, top, static_cast<double>(viewport()->width()), m_row};
}

std::optional<std::size_t> AnswerView::currentItem() const {
  if (!m_current || *m_current < m_transcript.begin()) return std::nullopt;
  return static_cast<std::size_t>(*m_current - m_transcript.begin());
}

}  // namespace heapscape::gui
