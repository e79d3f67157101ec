// SPDX-License-Identifier: MIT
#include "widgets/section.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/text/fonts.h"

namespace heapscape::gui {

Section::Section(const QString& heading, QWidget* content, QWidget* parent)
    : QWidget(parent), m_heading(makeHeading(heading, this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(m_heading);
  layout->addWidget(content, 1);
}

void Section::setHeading(const QString& heading) {
  m_heading->setText(heading);
}

QLabel* makeHeading(const QString& text, QWidget* parent, double factor) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setFont(scaledFont(label->font(), factor, QFont::DemiBold));
  return label;
}

QLabel* makeNote(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setForegroundRole(QPalette::PlaceholderText);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

}  // namespace heapscape::gui
