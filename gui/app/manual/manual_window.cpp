// SPDX-License-Identifier: MIT
#include "app/manual/manual_window.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/manual/manual_browser.h"
#include "app/manual/manual_pages.h"
#include "app/manual/passage_delegate.h"
#include "models/cells/item_painting.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/row_height.h"
#include "widgets/section.h"
#include "widgets/text/counted_text.h"

namespace heapscape::gui {

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
  setObjectName(QStringLiteral("manual"));
  setWindowTitle(QStringLiteral("Manual"));
  m_contents->setObjectName(QStringLiteral("manualContents"));
  m_contents->setAccessibleName(QStringLiteral("Chapters"));
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
    action->setToolTip(QStringLiteral("%1 (%2)").arg(word, keys.toString(QKeySequence::NativeText)));
    action->setEnabled(false);
    addAction(action);
    auto* button = new QToolButton(bar);
    button->setDefaultAction(action);
    layout->addWidget(button);
    return action;
  };
  QAction* back = addWay(QStringLiteral("back"), QStringLiteral("Back"), QKeySequence(Qt::ALT | Qt::Key_Left));
  QAction* forward =
      addWay(QStringLiteral("forward"), QStringLiteral("Forward"), QKeySequence(Qt::ALT | Qt::Key_Right));
  connect(back, &QAction::triggered, m_text, &QTextBrowser::backward);
  connect(forward, &QAction::triggered, m_text, &QTextBrowser::forward);
  connect(m_text, &QTextBrowser::backwardAvailable, back, &QAction::setEnabled);
  connect(m_text, &QTextBrowser::forwardAvailable, forward, &QAction::setEnabled);
  setUpFilter(m_search);
  m_search->setObjectName(QStringLiteral("manualSearch"));
  m_search->setPlaceholderText(QStringLiteral("Search the manual"));
  m_search->setAccessibleName(m_search->placeholderText());
  connect(m_search, &QLineEdit::textChanged, this, &ManualWindow::search);
  layout->addWidget(m_search, 1);
  auto* find = new QAction(QStringLiteral("Search the manual"), this);
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
    return pickChapter();
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
  m_count->setText(found.empty() ? QStringLiteral("Nothing found")
                                 : countedText(found.size(), QStringLiteral("passage")));
  m_count->show();
}

// So that every chapter can be read.
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

// What the line of the search leaves: the keys that go through what was found.
void ManualWindow::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return move(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    case Qt::Key_Up:
      return move(-1);
    case Qt::Key_Escape:
      return m_search->text().isEmpty() ? void(close()) : m_search->clear();
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace heapscape::gui
