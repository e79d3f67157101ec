// SPDX-License-Identifier: MIT
#include "widgets/text/elided_text.h"

#include <QAction>
#include <QCache>
#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "base/short_type_name.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/shaped_text.h"

namespace heapscape::gui {

QString shortTypeName(std::string_view fullName) {
  return QString::fromStdString(engine::shortTypeName(fullName));
}

namespace {

constexpr qsizetype kMostCharacters = 320;

constexpr int kLongestRun = 24;
constexpr int kLongRun = kLongestRun / 2;

QString shortened(const QString& name) {
  if (name.size() <= kMostCharacters) return name;
  QString head = name.left(kMostCharacters / 2);
  QString tail = name.right(kMostCharacters / 2);
  // Half of a character that takes two units would be drawn as an unknown one.
  if (head.back().isHighSurrogate()) head.chop(1);
  if (tail.front().isLowSurrogate()) tail.remove(0, 1);
  return head + QChar(0x2026) + tail;
}

// "10.0.12", "1,500".
bool isInFigure(const QString& text, qsizetype at) {
  const bool isPoint = text[at] == QLatin1Char('.') || text[at] == QLatin1Char(',');
  return isPoint && at > 0 && at + 1 < text.size() && text[at - 1].isDigit() && text[at + 1].isDigit();
}

// In "CompactionMode" before its M.
bool endsWord(const QString& text, qsizetype at) {
  return text[at].isLower() && at + 1 < text.size() && text[at + 1].isUpper();
}

}  // namespace

QString breakableText(const QString& text) {
  QString broken;
  int run = 0;
  for (qsizetype at = 0; at < text.size(); ++at) {
    const QChar character = text[at];
    broken += character;
    run = character.isSpace() ? 0 : run + 1;
    const bool isSign = u".,<>+[]_"_s.contains(character) && !isInFigure(text, at);
    const bool isEnd = isSign || run >= kLongestRun || (run >= kLongRun && endsWord(text, at));
    if (!isEnd || character.isHighSurrogate()) continue;
    broken += QChar(0x200B);
    run = 0;
  }
  return broken;
}

WrappedName::WrappedName(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  offerActions(this);
  auto* copy = new QAction(u"Copy"_s, this);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(m_name); });
  addAction(copy);
}

void WrappedName::setText(const QString& name) {
  m_name = name;
  setToolTip(name.size() > kMostCharacters ? name : QString());
  setAccessibleName(name);
  QLabel::setText(breakableText(shortened(name)));
}

namespace {

constexpr qsizetype kLeastPrefix = 4;  // a letter or two of what is left of a namespace say nothing
constexpr qsizetype kLeastOuter = 4;   // the same of a type around another
constexpr int kKeptNames = 2000;       // some screens full of lists

// Behind the name that they are arguments of: what compilers make up has brackets of its own, "Program+<Run>d__3".
qsizetype argumentsOf(const QString& name) {
  for (qsizetype at = name.indexOf(QLatin1Char('<')); at >= 0; at = name.indexOf(QLatin1Char('<'), at + 1)) {
    if (at > 0 && name[at - 1].isLetterOrNumber()) return at + 1;
  }
  return -1;
}

// Where "+Entry" begins, which is declared in another type; what compilers make up says less than what it is made for.
qsizetype innerOf(const QString& name) {
  const qsizetype at = name.lastIndexOf(QLatin1Char('+'));
  const bool isMadeUp = at >= 0 && (at + 1 == name.size() || name[at + 1] == QLatin1Char('<'));
  return isMadeUp || name.indexOf(QLatin1Char('>'), at + 1) >= 0 ? -1 : at;
}

// "Dictio…+Entry[]", "…+Entry[]", or the end of that.
QString cutOuter(const QString& name, qsizetype inner, int width, const QFontMetrics& metrics) {
  const QString own = name.mid(inner);
  const int room = width - metrics.horizontalAdvance(own);
  const QString outer = metrics.elidedText(name.left(inner), Qt::ElideRight, room);
  if (outer.size() >= kLeastOuter) return outer + own;
  return metrics.elidedText(QChar(0x2026) + own, Qt::ElideMiddle, width);
}

// "List<…>+Entry": what stands between the brackets gives way, then the type around it.
QString cutArguments(const QString& name, int width, const QFontMetrics& metrics) {
  const qsizetype begin = argumentsOf(name);
  const qsizetype end = name.lastIndexOf(QLatin1Char('>'));
  const qsizetype inner = innerOf(name);
  if (begin < 0 || end < begin)
    return inner > 0 ? cutOuter(name, inner, width, metrics) : metrics.elidedText(name, Qt::ElideMiddle, width);
  // Of "Builder<Result>+Box<Worker+<Run>d__3>" the end tells it from others.
  if (inner < 0 && name.contains(u">+"_s)) return metrics.elidedText(name, Qt::ElideLeft, width);
  const QString before = name.left(begin);
  const QString after = name.mid(end);
  const int room = width - metrics.horizontalAdvance(before) - metrics.horizontalAdvance(after);
  const QString dots(QChar(0x2026));
  if (room < metrics.horizontalAdvance(dots) && inner > end) return cutOuter(name, inner, width, metrics);
  if (room < metrics.horizontalAdvance(dots)) return metrics.elidedText(name, Qt::ElideRight, width);
  return before + metrics.elidedText(name.mid(begin, end - begin), Qt::ElideRight, room) + after;
}

// Question about a name, which a list asks again with every frame.
struct CutName {
  QString name;
  int prefixLength;
  int width;
  QFont font;
  QString shorter;

  bool operator==(const CutName&) const = default;
};

std::size_t qHash(const CutName& key, std::size_t seed = 0) {
  return qHashMulti(seed, key.name, key.width);
}

ElidedName cutName(const QString& prefix, const QString& rest, int restWidth, const CutName& asked) {
  const QFontMetrics metrics(asked.font);
  const int width = asked.width;
  if (restWidth <= width) {
    const QString cut = metrics.elidedText(prefix, Qt::ElideMiddle, width - restWidth);
    return {cut.size() < kLeastPrefix ? QString() : cut, rest};
  }
  if (asked.shorter.isEmpty()) return {{}, metrics.elidedText(rest, Qt::ElideMiddle, width)};
  const bool fits = shapedText(asked.font, asked.shorter).width() <= width;
  return {{}, fits ? asked.shorter : cutArguments(asked.shorter, width, metrics)};
}

}  // namespace

ElidedName elideName(const QString& name, int prefixLength, int width, const QFont& font, const QString& shorter) {
  const QString prefix = name.left(prefixLength);
  const QString rest = name.mid(prefixLength);
  const int restWidth = shapedText(font, rest).width();
  if (restWidth + shapedText(font, prefix).width() <= width) return {prefix, rest};
  const CutName key{name, prefixLength, width, font, shorter};
  static QCache<CutName, ElidedName> kept(kKeptNames);
  if (const ElidedName* cut = kept.object(key)) return *cut;
  auto* cut = new ElidedName(cutName(prefix, rest, restWidth, key));
  kept.insert(key, cut);
  return *cut;
}

int drawName(QPainter& painter, const QRect& area, const QFont& font, const ElidedName& name, const QColor& prefix,
             const QColor& rest) {
  int used = 0;
  const auto draw = [&](const QString& part, const QColor& colour) {
    painter.setPen(colour);
    const ShapedText& shaped = shapedText(font, part);
    shaped.draw(&painter, area.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter);
    used += shaped.width();
  };
  if (!name.prefix.isEmpty()) draw(name.prefix, prefix);
  draw(name.rest, rest);
  return used;
}

namespace {

constexpr int kFewestCharacters = 6;

}  // namespace

ElidedText::ElidedText(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  offerActions(this);
  auto* copy = new QAction(u"Copy"_s, this);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(m_text); });
  addAction(copy);
}

ElidedText::ElidedText(const QString& text, QWidget* parent) : ElidedText(parent) {
  setText(text);
}

void ElidedText::setText(const QString& text) {
  m_text = text;
  setAccessibleName(text);
  updateGeometry();
  update();
}

void ElidedText::setDetail(const QString& detail) {
  m_detail = detail;
}

void ElidedText::setElideMode(Qt::TextElideMode mode) {
  m_mode = mode;
  update();
}

void ElidedText::setWraps() {
  m_wraps = true;
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void ElidedText::setAlignment(Qt::Alignment alignment) {
  m_alignment = alignment;
  update();
}

void ElidedText::setDimmed(bool isDimmed) {
  m_isDimmed = isDimmed;
  update();
}

void ElidedText::setWarning(bool isWarning) {
  m_isWarning = isWarning;
  update();
}

QSize ElidedText::sizeHint() const {
  return QSize(fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height()).grownBy(contentsMargins());
}

QSize ElidedText::minimumSizeHint() const {
  const int few = fontMetrics().averageCharWidth() * kFewestCharacters;
  return {qMin(sizeHint().width(), few), sizeHint().height()};
}

int ElidedText::heightForWidth(int width) const {
  if (!m_wraps) return -1;
  const QMargins around = contentsMargins();
  const QRect room(0, 0, width - around.left() - around.right(), 0);
  return fontMetrics().boundingRect(room, Qt::TextWordWrap, breakableText(m_text)).height() + around.top() +
         around.bottom();
}

bool ElidedText::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const bool isWhole = m_wraps || fontMetrics().horizontalAdvance(m_text) <= contentsRect().width();
    const QString shown = !m_detail.isEmpty() ? m_detail : isWhole ? QString() : m_text;
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), shown, this);
    return true;
  }
  return QWidget::event(event);
}

void ElidedText::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colours colours(palette());
  painter.setPen(m_isWarning  ? colours.warning()
                 : m_isDimmed ? colours.dimmedText()
                              : palette().color(foregroundRole()));
  const QRect room = contentsRect();
  if (m_wraps) {
    painter.drawText(room, static_cast<int>(m_alignment | Qt::AlignVCenter) | Qt::TextWordWrap, breakableText(m_text));
    return;
  }
  const QString shown = fontMetrics().elidedText(m_text, m_mode, room.width());
  painter.drawText(room, static_cast<int>(m_alignment | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
}

ElidedLabel::ElidedLabel(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLabel::setName(const QString& name, int dimmedPrefix) {
  m_name = name;
  m_dimmedPrefix = dimmedPrefix;
  m_shortName = shortTypeName(name.toStdString());
  setToolTip(name);
  setAccessibleName(name);
  updateGeometry();
  update();
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(m_name) + 2, fontMetrics().height() + 4};
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 16, fontMetrics().height() + 4};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ElidedName text = elideName(m_name, m_dimmedPrefix, width(), font(), m_shortName);
  drawName(painter, rect(), font(), text, Colours(palette()).dimmedText(), palette().color(QPalette::WindowText));
}

}  // namespace heapscape::gui
