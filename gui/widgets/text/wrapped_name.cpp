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

QString shortened(const QString& name) {
  if (name.size() <= kMostCharacters) return name;
  QString head = name.left(kMostCharacters / 2);
  QString tail = name.right(kMostCharacters / 2);
  // Half of a character that takes two units would be drawn as an unknown one.
  if (head.back().isHighSurrogate()) head.chop(1);
  if (tail.front().isLowSurrogate()) tail.remove(0, 1);
  return head + QChar(0x2026) + tail;
}

}  // namespace

QString breakableText(const QString& text) {
  QString broken;
  int run = 0;
  for (const QChar character : text) {
    broken += character;
    run = character.isSpace() ? 0 : run + 1;
    const bool isEnd = QStringLiteral(".,<>+[]_").contains(character) || run >= kLongestRun;
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
