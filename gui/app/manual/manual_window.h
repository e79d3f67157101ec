// SPDX-License-Identifier: MIT
#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStringList>
#include <QStyledItemDelegate>
#include <QTextBlock>
#include <QTextBrowser>
#include <QWidget>
#include <vector>

class QLabel;
class QLineEdit;
class QSplitter;
class QTreeWidget;

namespace heapscape::gui {

/// The files of the manual that are built into the program, in the order to be read: "places.md".
QStringList manualPages();

/// As it was written, in Markdown; empty if there is no such page.
QString manualText(const QString& page);

/// The name of a heading in links: "How one is chosen" is "how-one-is-chosen".
QString anchorOf(const QString& heading);

/// A heading of the manual.
struct ManualChapter {
  QString page;  // "queries.md"
  QString title;
  int level = 1;  // 1: the page's own
  int block = 0;  // number of its block of text in the page
};

/// A paragraph of the manual, or a row of one of its tables.
struct ManualPassage {
  std::size_t chapter = 0;
  QString text;
  int block = 0;
};

/// All of the manual, to be listed and searched. Made once: reading it takes tens of milliseconds.
class ManualIndex {
 public:
  ManualIndex();

  const std::vector<ManualChapter>& chapters() const { return m_chapters; }
  /// The passages that hold all of these words, in any case; in the order of the pages.
  std::vector<ManualPassage> find(const QStringList& words) const;

 private:
  void read(const QString& page);

  std::vector<ManualChapter> m_chapters;
  std::vector<ManualPassage> m_passages;
};

/// As much of a passage as fits a width in pixels, around the first place where the word stands.
QString excerptAround(const QString& passage, const QString& word, const QFontMetrics& metrics, int width);

/// Lines of the list of chapters. While something is searched, a passage is shown from a little before what was found,
/// which is marked as it is in the text.
class PassageDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit PassageDelegate(QObject* parent = nullptr) : QStyledItemDelegate(parent) {}

  /// None: lines are chapters.
  void setWords(const QStringList& words) { m_words = words; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  QStringList m_words;
};

/// A page of the manual as text to read: with margins, tables with lines, and headings that links lead to. Goes back
/// and forward as a browser does.
class ManualBrowser : public QTextBrowser {
  Q_OBJECT

 public:
  explicit ManualBrowser(QWidget* parent = nullptr);

  /// "queries.md", or "queries.md#grammar".
  void showPage(const QString& link);
  /// Name of the page that is shown.
  const QString& page() const { return m_page; }
  /// Marks each of these words wherever it stands; none to mark nothing.
  void mark(const QStringList& words);
  /// Brings a block of the page into sight.
  void scrollToBlock(int block);

 protected:
  void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override;
  QVariant loadResource(int type, const QUrl& name) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrive(const QUrl& name);
  void dress();
  void showMarks();
  void scrollTo(const QTextBlock& block);
  void putOnTop(const QTextBlock& block);

  QString m_page;
  QStringList m_words;
  bool m_isDressing = false;
};

/// The manual in a window of its own: its chapters, a line to search all of them, and the page.
class ManualWindow : public QWidget {
  Q_OBJECT

 public:
  /// Belongs to `window`, beside which it stays open.
  explicit ManualWindow(QWidget* window);

  /// Shows a page: "places.md", or "places.md#types".
  void open(const QString& link);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildBar();
  void showContents();
  void search();
  void showCurrent();
  void move(int lines);
  void pickChapter();
  int widthOfContents() const;

  ManualIndex m_index;
  ManualBrowser* m_text;
  QTreeWidget* m_contents;
  QLineEdit* m_search;
  PassageDelegate* m_passages;  // of the contents
  QSplitter* m_split;
  QLabel* m_count;
  bool m_isSharedByUser = false;  // the room of the splitter
};

}  // namespace heapscape::gui
