// SPDX-License-Identifier: MIT
#include "widgets/text/wrapped_name.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

#include "widgets/actions_menu.h"

namespace heapscape::gui {

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
    const bool isSign = QStringLiteral(".,<>+[]_").contains(character) && !isInFigure(text, at);
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
  auto* copy = new QAction(QStringLiteral("Copy"), this);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(m_name); });
  addAction(copy);
}

void WrappedName::setText(const QString& name) {
  m_name = name;
  setToolTip(name.size() > kMostCharacters ? name : QString());
  setAccessibleName(name);
  QLabel::setText(breakableText(shortened(name)));
}

}  // namespace heapscape::gui
