// SPDX-License-Identifier: MIT
#include "widgets/wrapped_name.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

namespace heapscape::gui {

namespace {

constexpr qsizetype kMostCharacters = 320;

QString breakable(const QString& name) {
  QString shown = name;
  if (shown.size() > kMostCharacters) {
    shown = shown.left(kMostCharacters / 2) + QChar(0x2026) + shown.right(kMostCharacters / 2);
  }
  QString broken;
  for (const QChar character : shown) {
    broken += character;
    if (QStringLiteral(".,<>+[]_").contains(character)) broken += QChar(0x200B);
  }
  return broken;
}

}  // namespace

WrappedName::WrappedName(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(tr("Copy"), this);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(m_name); });
  addAction(copy);
}

void WrappedName::setText(const QString& name) {
  m_name = name;
  setToolTip(name.size() > kMostCharacters ? name : QString());
  setAccessibleName(name);
  QLabel::setText(breakable(name));
}

}  // namespace heapscape::gui
