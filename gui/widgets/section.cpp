// SPDX-License-Identifier: MIT
#include "widgets/section.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include "widgets/colours.h"
#include "widgets/fonts.h"

namespace heapscape::gui {

namespace {

class NoteLabel : public QLabel {
 public:
  NoteLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { dim(); }

 protected:
  void changeEvent(QEvent* event) override {
    QLabel::changeEvent(event);
    // The application's palette is asked, because this label's own no longer follows in the role set here.
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange) dim();
  }

 private:
  void dim() {
    const QColor colour = Colours(palette()).dimmedText();
    if (palette().color(QPalette::WindowText) == colour) return;
    QPalette dimmed = palette();
    dimmed.setColor(QPalette::WindowText, colour);
    setPalette(dimmed);
  }
};

}  // namespace

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
  auto* label = new NoteLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

}  // namespace heapscape::gui
