// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

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

}  // namespace heapscape::gui
