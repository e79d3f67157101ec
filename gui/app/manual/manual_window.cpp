// SPDX-License-Identifier: MIT
#include "app/manual/manual_window.h"

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QEvent>
#include <QFile>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollBar>
#include <QSplitter>
#include <QTextDocument>
#include <QTextTable>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "bridge/literals.h"
#include "models/cells/item_painting.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

// Resources of a static library are linked in only where something asks for them; the macro wants the global namespace.
static void initManualResources() {
  Q_INIT_RESOURCE(manual);
}

namespace heapscape::gui {
namespace {

constexpr int kLine = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine;

}  // namespace

QStringList manualPages() {
  return {u"places.md"_s,    u"lists.md"_s,        u"queries.md"_s,         u"fields.md"_s,
          u"crashes.md"_s,   u"insights.md"_s,     u"layout-rules.md"_s,    u"budgets.md"_s,
          u"capturing.md"_s, u"command-line.md"_s, u"coming-from-sos.md"_s, u"many-dumps.md"_s,
          u"sharing.md"_s,   u"assistants.md"_s,   u"notebooks.md"_s,       u"contracts.md"_s};
}

QString manualText(const QString& page) {
  [[maybe_unused]] static const bool kLoaded = (initManualResources(), true);
  QFile file(u":/manual/%1"_s.arg(page));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// As the sites do that show Markdown, so that the same links work there.
QString anchorOf(const QString& heading) {
  QString anchor;
  for (const QChar letter : heading.toLower()) {
    if (letter.isLetterOrNumber() || letter == QLatin1Char('_') || letter == QLatin1Char('-')) anchor += letter;
    if (letter == QLatin1Char(' ')) anchor += QLatin1Char('-');
  }
  return anchor;
}

ManualIndex::ManualIndex() {
  for (const QString& page : manualPages()) read(page);
}

void ManualIndex::read(const QString& page) {
  QTextDocument text;
  text.setMarkdown(manualText(page));
  std::pair<const QTextTable*, int> lastRow{nullptr, 0};
  for (QTextBlock block = text.begin(); block.isValid(); block = block.next()) {
    if (block.text().trimmed().isEmpty()) continue;
    if (const int level = block.blockFormat().headingLevel(); level > 0) {
      m_chapters.push_back({page, block.text(), level, block.blockNumber()});
    }
    if (m_chapters.empty()) continue;  // nothing stands above a page's heading
    const QTextTable* table = QTextCursor(block).currentTable();
    const std::pair row(table, table ? table->cellAt(block.position()).row() : 0);
    if (table && row == lastRow) {
      m_passages.back().text += u" · "_s + block.text();
    } else {
      m_passages.push_back({m_chapters.size() - 1, block.text(), block.blockNumber()});
    }
    lastRow = row;
  }
}

std::vector<ManualPassage> ManualIndex::find(const QStringList& words) const {
  std::vector<ManualPassage> found;
  if (words.isEmpty()) return found;
  std::ranges::copy_if(m_passages, std::back_inserter(found), [&](const ManualPassage& passage) {
    return std::ranges::all_of(words,
                               [&](const QString& word) { return passage.text.contains(word, Qt::CaseInsensitive); });
  });
  return found;
}

QString excerptAround(const QString& passage, const QString& word, const QFontMetrics& metrics, int width) {
  const qsizetype at = passage.indexOf(word, 0, Qt::CaseInsensitive);
  if (at <= 0 || metrics.horizontalAdvance(passage) <= width) return metrics.elidedText(passage, Qt::ElideRight, width);
  // As much before it as behind it, as long as the word itself is seen.
  const int before = (width - metrics.horizontalAdvance(passage.mid(at, word.size()))) / 2;
  const QChar dots(0x2026);
  qsizetype from = at;
  while (from > 0 && metrics.horizontalAdvance(dots + passage.mid(from - 1, at - from + 1)) <= before) --from;
  const qsizetype space = passage.lastIndexOf(QLatin1Char(' '), at);
  if (from > 0 && space >= from) from = passage.indexOf(QLatin1Char(' '), from) + 1;
  return metrics.elidedText(from > 0 ? dots + passage.mid(from) : passage, Qt::ElideRight, width);
}

void PassageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const bool isPassage = !m_words.isEmpty() && index.parent().isValid();
  if (!isPassage) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QString passage = item.text;
  const QRect room = paintItemWithoutText(painter, item);
  const QString shown = excerptAround(passage, m_words.first(), item.fontMetrics, room.width());
  painter->save();
  painter->setFont(item.font);
  painter->setPen(itemTextColour(item));
  painter->drawText(room, kLine, shown);
  const QPalette look = QGuiApplication::palette();  // a list's own has another highlight: that of what is picked
  painter->setPen(look.color(QPalette::HighlightedText));
  for (const QString& word : m_words) {
    for (qsizetype at = shown.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = shown.indexOf(word, at + word.size(), Qt::CaseInsensitive)) {
      const int left = room.left() + item.fontMetrics.horizontalAdvance(shown.first(at));
      const QString found = shown.mid(at, word.size());
      const QRect mark(left, room.center().y() - item.fontMetrics.height() / 2,
                       item.fontMetrics.horizontalAdvance(found), item.fontMetrics.height());
      painter->fillRect(mark, look.color(QPalette::Highlight));
      painter->drawText(mark, kLine | Qt::TextDontClip, found);
    }
  }
  painter->restore();
}

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
  setObjectName(u"manualText"_s);
  setAccessibleName(u"Manual"_s);
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
    if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == name.fragment()) {
      scrollTo(block);
      return;
    }
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

namespace {

constexpr int kPageRole = Qt::UserRole;
constexpr int kBlockRole = Qt::UserRole + 1;
constexpr int kDeepestChapter = 2;
constexpr double kMostForContents = 0.4;  // of the width
constexpr int kLettersOfText = 104;

QTreeWidgetItem* makeItem(const QWidget& list, const QString& text, const QString& page, int block) {
  auto* item = new QTreeWidgetItem(QStringList(text));
  item->setData(0, kPageRole, page);
  item->setData(0, kBlockRole, block);
  item->setToolTip(0, text);
  item->setSizeHint(0, QSize(0, tableRowHeight(list)));
  return item;
}

}  // namespace

ManualWindow::ManualWindow(QWidget* window)
    : QWidget(window, Qt::Window),
      m_text(new ManualBrowser(this)),
      m_contents(new QTreeWidget(this)),
      m_search(new QLineEdit(this)),
      m_passages(new PassageDelegate(m_contents)),
      m_split(new QSplitter(this)),
      m_count(makeNote(QString(), this)) {
  setObjectName(u"manual"_s);
  setWindowTitle(u"Manual"_s);
  m_contents->setObjectName(u"manualContents"_s);
  m_contents->setAccessibleName(u"Chapters"_s);
  m_contents->setHeaderHidden(true);
  m_contents->setItemDelegate(m_passages);
  m_contents->setFrameShape(QFrame::NoFrame);
  m_contents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(m_split, &QSplitter::splitterMoved, this, [this] { m_isSharedByUser = true; });
  connect(m_contents, &QTreeWidget::currentItemChanged, this, &ManualWindow::showCurrent);
  connect(m_text, &QTextBrowser::sourceChanged, this, [this] {
    if (m_search->text().isEmpty()) pickChapter();
  });

  auto* left = new QWidget(this);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(8, 0, 0, 8);
  column->addWidget(m_contents, 1);
  column->addWidget(m_count);
  m_split->addWidget(left);
  m_split->addWidget(m_text);
  m_split->setStretchFactor(1, 1);
  m_split->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(buildBar());
  layout->addWidget(m_split, 1);
  showContents();
  resize(widthOfContents() + fontMetrics().averageCharWidth() * kLettersOfText, fontMetrics().height() * 42);
}

QWidget* ManualWindow::buildBar() {
  auto* bar = new QWidget(this);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->setSpacing(4);
  const auto addWay = [&](const QString& symbol, const QString& word, const QKeySequence& keys) {
    auto* action = new QAction(symbolIcon(symbol), word, this);
    action->setShortcut(keys);
    action->setToolTip(u"%1 (%2)"_s.arg(word, keys.toString(QKeySequence::NativeText)));
    action->setEnabled(false);
    addAction(action);
    auto* button = new QToolButton(bar);
    button->setDefaultAction(action);
    layout->addWidget(button);
    return action;
  };
  QAction* back = addWay(u"back"_s, u"Back"_s, QKeySequence(Qt::ALT | Qt::Key_Left));
  QAction* forward = addWay(u"forward"_s, u"Forward"_s, QKeySequence(Qt::ALT | Qt::Key_Right));
  connect(back, &QAction::triggered, m_text, &QTextBrowser::backward);
  connect(forward, &QAction::triggered, m_text, &QTextBrowser::forward);
  connect(m_text, &QTextBrowser::backwardAvailable, back, &QAction::setEnabled);
  connect(m_text, &QTextBrowser::forwardAvailable, forward, &QAction::setEnabled);
  setUpFilter(m_search);
  m_search->setObjectName(u"manualSearch"_s);
  m_search->setPlaceholderText(u"Search the manual"_s);
  m_search->setAccessibleName(m_search->placeholderText());
  connect(m_search, &QLineEdit::textChanged, this, &ManualWindow::search);
  layout->addWidget(m_search, 1);
  auto* find = new QAction(u"Search the manual"_s, this);
  find->setShortcut(QKeySequence::Find);
  connect(find, &QAction::triggered, this, [this] {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
  });
  addAction(find);
  return bar;
}

void ManualWindow::open(const QString& link) {
  m_search->clear();
  show();  // what is to be scrolled to is known once the page has its size
  raise();
  activateWindow();
  m_text->showPage(link);
  m_search->setFocus();
}

void ManualWindow::showContents() {
  const QSignalBlocker quiet(m_contents);
  m_contents->clear();
  m_contents->setRootIsDecorated(true);
  QTreeWidgetItem* page = nullptr;
  for (const ManualChapter& chapter : m_index.chapters()) {
    if (chapter.level > kDeepestChapter) continue;
    QTreeWidgetItem* item = makeItem(*m_contents, chapter.title, chapter.page, chapter.block);
    if (chapter.level == 1 || !page) {
      m_contents->addTopLevelItem(item);
      page = item;
    } else {
      page->addChild(item);
    }
  }
  m_count->hide();
}

void ManualWindow::search() {
  const QStringList words = m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  m_text->mark(words);
  m_passages->setWords(words);
  if (words.isEmpty()) {
    showContents();
    pickChapter();
    return;
  }
  const std::vector<ManualPassage> found = m_index.find(words);
  const QSignalBlocker quiet(m_contents);
  m_contents->clear();
  m_contents->setRootIsDecorated(true);
  std::size_t last = m_index.chapters().size();
  for (const ManualPassage& passage : found) {
    const ManualChapter& chapter = m_index.chapters()[passage.chapter];
    if (passage.chapter != last) {
      auto* heading = makeItem(*m_contents, chapter.title, chapter.page, chapter.block);
      m_contents->addTopLevelItem(heading);
      heading->setExpanded(true);
    }
    last = passage.chapter;
    QTreeWidgetItem* heading = m_contents->topLevelItem(m_contents->topLevelItemCount() - 1);
    heading->addChild(makeItem(*m_contents, passage.text, chapter.page, passage.block));
    heading->setExpanded(true);
  }
  m_count->setText(found.empty() ? u"Nothing found"_s : countedText(found.size(), u"passage"_s));
  m_count->show();
}

// Width at which every chapter can be read.
int ManualWindow::widthOfContents() const {
  int widest = 0;
  for (const ManualChapter& chapter : m_index.chapters()) {
    if (chapter.level > kDeepestChapter) continue;
    widest = std::max(
        widest, m_contents->fontMetrics().horizontalAdvance(chapter.title) + chapter.level * m_contents->indentation());
  }
  return widest + 4 * kItemMargin + style()->pixelMetric(QStyle::PM_ScrollBarExtent);
}

void ManualWindow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int contents = std::min(widthOfContents(), static_cast<int>(std::lround(width() * kMostForContents)));
  if (!m_isSharedByUser) m_split->setSizes({contents, width() - contents});
}

void ManualWindow::showCurrent() {
  const QTreeWidgetItem* item = m_contents->currentItem();
  if (!item) return;
  const QString page = item->data(0, kPageRole).toString();
  if (m_text->page() != page) m_text->showPage(page);
  m_text->scrollToBlock(item->data(0, kBlockRole).toInt());
}

// The chapter in which the text stands now.
void ManualWindow::pickChapter() {
  const int block = m_text->textCursor().blockNumber();
  QTreeWidgetItem* chapter = nullptr;
  for (QTreeWidgetItemIterator item(m_contents); *item; ++item) {
    const bool isAbove =
        (*item)->data(0, kPageRole).toString() == m_text->page() && (*item)->data(0, kBlockRole).toInt() <= block;
    if (isAbove) chapter = *item;
  }
  const QSignalBlocker quiet(m_contents);
  m_contents->setCurrentItem(chapter);
  if (chapter) chapter->setExpanded(true);
}

void ManualWindow::move(int lines) {
  const QTreeWidgetItem* current = m_contents->currentItem();
  QTreeWidgetItem* next = !current    ? m_contents->topLevelItem(0)
                          : lines > 0 ? m_contents->itemBelow(current)
                                      : m_contents->itemAbove(current);
  if (next) m_contents->setCurrentItem(next);
}

// Keys that the line of the search leaves: those that go through what was found.
void ManualWindow::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      move(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
      return;
    case Qt::Key_Up:
      move(-1);
      return;
    case Qt::Key_Escape:
      if (m_search->text().isEmpty()) {
        close();
      } else {
        m_search->clear();
      }
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace heapscape::gui
