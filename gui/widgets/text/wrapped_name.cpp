// SPDX-License-Identifier: MIT
#include "widgets/text/wrapped_name.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

namespace heapscape::gui {

namespace {

constexpr qsizetype kMostCharacters = 320;

constexpr int kLongestRun = 24;

QString shortened(const QString& name) {
  if (name.size() <= kMostCharacters) return name;
  return name.left(kMostCharacters / 2) + QChar(0x2026) + name.right(kMostCharacters / 2);
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
  setContextMenuPolicy(Qt::ActionsContextMenu);
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
