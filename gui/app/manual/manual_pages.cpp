// SPDX-License-Identifier: MIT
#include "app/manual/manual_pages.h"

#include <QFile>

// Resources of a static library are linked in only where something asks for them; the macro wants the global namespace.
static void initManualResources() {
  Q_INIT_RESOURCE(manual);
}

namespace heapscape::gui {

QStringList manualPages() {
  return {QStringLiteral("places.md"),       QStringLiteral("lists.md"),    QStringLiteral("queries.md"),
          QStringLiteral("fields.md"),       QStringLiteral("crashes.md"),  QStringLiteral("insights.md"),
          QStringLiteral("layout-rules.md"), QStringLiteral("budgets.md"),  QStringLiteral("command-line.md"),
          QStringLiteral("many-dumps.md"),   QStringLiteral("contracts.md")};
}

QString manualText(const QString& page) {
  [[maybe_unused]] static const bool kLoaded = (initManualResources(), true);
  QFile file(QStringLiteral(":/manual/%1").arg(page));
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

}  // namespace heapscape::gui
