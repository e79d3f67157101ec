// SPDX-License-Identifier: MIT
#include "app/manual/manual_browser.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>

#include "app/manual/manual_pages.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr int kLettersInLine = 104;
constexpr int kTextMargin = 16;

void dressHeading(QTextCursor& cursor, const QFont& font) {
  QTextBlockFormat block;
  block.setTopMargin(cursor.blockFormat().headingLevel() == 1 ? 0 : font.pointSizeF() * 1.8);
  block.setBottomMargin(font.pointSizeF() * 0.7);
  cursor.mergeBlockFormat(block);
}

void dressTable(QTextTable& table, const QPalette& palette) {
  QTextTableFormat format = table.format();
  format.setBorderCollapse(true);
  format.setBorder(1);
  format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
  format.setBorderBrush(palette.color(QPalette::Mid));
  format.setCellPadding(5);
  format.setCellSpacing(0);
  format.setTopMargin(6);
  format.setBottomMargin(12);
  table.setFormat(format);
}

}  // namespace

ManualBrowser::ManualBrowser(QWidget* parent) : QTextBrowser(parent) {
  setObjectName(QStringLiteral("manualText"));
  setAccessibleName(QStringLiteral("Manual"));
  setFrameShape(QFrame::NoFrame);
  // Beside the lines as well.
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  setOpenExternalLinks(true);
  connect(this, &QTextBrowser::sourceChanged, this, &ManualBrowser::arrive);
}

void ManualBrowser::showPage(const QString& link) {
  setSource(QUrl(link), QTextDocument::MarkdownResource);
}

QVariant ManualBrowser::loadResource(int type, const QUrl& name) {
  const QString text = manualText(name.fileName());
  return text.isEmpty() ? QTextBrowser::loadResource(type, name) : QVariant(text);
}

// A link says no type.
void ManualBrowser::doSetSource(const QUrl& name, QTextDocument::ResourceType) {
  QTextBrowser::doSetSource(name, QTextDocument::MarkdownResource);
}

// The headings of Markdown have no names that Qt would find.
void ManualBrowser::arrive(const QUrl& name) {
  m_page = name.fileName();
  dress();
  showMarks();
  if (name.fragment().isEmpty()) return;
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == name.fragment()) return scrollTo(block);
  }
}

void ManualBrowser::dress() {
  m_isDressing = true;
  document()->setUndoRedoEnabled(false);
  document()->setDocumentMargin(kTextMargin);
  for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
    if (auto* table = qobject_cast<QTextTable*>(frame)) dressTable(*table, palette());
  }
  const QString fixed = fixedFont(font()).family();
  QTextCharFormat code;
  code.setFontFamilies({fixed});
  code.setBackground(palette().color(QPalette::Midlight));
  QTextCharFormat link;
  link.setFontUnderline(true);  // its colour alone tells not everybody
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    if (block.blockFormat().headingLevel() > 0) {
      dressHeading(cursor, font());
    } else if (!cursor.currentTable() && !block.textList()) {
      QTextBlockFormat format;
      format.setBottomMargin(block.blockFormat().nonBreakableLines() ? 0 : font().pointSizeF() * 0.8);
      cursor.mergeBlockFormat(format);
    }
    for (auto part = block.begin(); !part.atEnd(); ++part) {
      const QTextFragment fragment = part.fragment();
      const bool isCode = fragment.charFormat().fontFixedPitch();
      const bool isLink = fragment.charFormat().isAnchor();
      if (!isCode && !isLink) continue;
      cursor.setPosition(fragment.position());
      cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
      if (isCode) cursor.mergeCharFormat(code);
      if (isLink) cursor.mergeCharFormat(link);
    }
  }
  m_isDressing = false;
}

void ManualBrowser::mark(const QStringList& words) {
  m_words = words;
  showMarks();
}

void ManualBrowser::showMarks() {
  QList<QTextEdit::ExtraSelection> marks;
  for (const QString& word : m_words) {
    for (QTextCursor found = document()->find(word); !found.isNull(); found = document()->find(word, found)) {
      QTextEdit::ExtraSelection mark{found, {}};
      mark.format.setBackground(palette().color(QPalette::Highlight));
      mark.format.setForeground(palette().color(QPalette::HighlightedText));
      marks << mark;
    }
  }
  setExtraSelections(marks);
}

void ManualBrowser::scrollToBlock(int block) {
  scrollTo(document()->findBlockByNumber(block));
}

void ManualBrowser::scrollTo(const QTextBlock& block) {
  if (!block.isValid()) return;
  setTextCursor(QTextCursor(block));
  putOnTop(block);
}

void ManualBrowser::putOnTop(const QTextBlock& block) {
  const QRectF place = document()->documentLayout()->blockBoundingRect(block);
  verticalScrollBar()->setValue(qRound(place.top()) - kTextMargin);
}

// Links and lines have the colours of the theme that they were read under.
void ManualBrowser::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && !m_isDressing && !source().isEmpty()) {
    const int at = verticalScrollBar()->value();
    reload();
    verticalScrollBar()->setValue(at);
  }
}

// Longer lines than that are hard to read. What was on top stays there, however the lines are broken now.
void ManualBrowser::resizeEvent(QResizeEvent* event) {
  const bool isAtBegin = verticalScrollBar()->value() == 0;
  const QTextBlock top = cursorForPosition(QPoint(2 * kTextMargin, 2 * kTextMargin)).block();
  const int spare = width() - fontMetrics().averageCharWidth() * kLettersInLine - 2 * kTextMargin;
  setViewportMargins(qMax(0, spare / 2), 0, qMax(0, spare / 2), 0);
  QTextBrowser::resizeEvent(event);
  if (!isAtBegin) putOnTop(top);
}

}  // namespace heapscape::gui
