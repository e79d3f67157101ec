// SPDX-License-Identifier: MIT
#include "app/manual/manual_pages.h"

#include <QFile>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>
#include <algorithm>
#include <utility>

#include "bridge/literals.h"

// Resources of a static library are linked in only where something asks for them; the macro wants the global namespace.
static void initManualResources() {
  Q_INIT_RESOURCE(manual);
}

namespace heapscape::gui {

QStringList manualPages() {
  return {u"places.md"_s,       u"lists.md"_s,      u"queries.md"_s,      u"fields.md"_s,
          u"crashes.md"_s,      u"insights.md"_s,   u"layout-rules.md"_s, u"budgets.md"_s,
          u"command-line.md"_s, u"many-dumps.md"_s, u"contracts.md"_s};
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

}  // namespace heapscape::gui
