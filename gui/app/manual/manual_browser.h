// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QTextBlock>
#include <QTextBrowser>

namespace heapscape::gui {

/// A page of the manual as text to read: with margins, tables with lines, and headings that links lead to. Goes back
/// and forward as a browser does.
class ManualBrowser : public QTextBrowser {
  Q_OBJECT

 public:
  explicit ManualBrowser(QWidget* parent = nullptr);

  /// "queries.md", or "queries.md#grammar".
  void showPage(const QString& link);
  /// Of the page that is shown.
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

}  // namespace heapscape::gui
