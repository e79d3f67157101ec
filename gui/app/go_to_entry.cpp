// SPDX-License-Identifier: MIT
#include "app/go_to_entry.h"

#include <QAction>
#include <algorithm>

#include "widgets/figures.h"

namespace heapscape::gui {

namespace {

GoToEntry entryOf(const engine::Destination& destination, Navigator& navigator) {
  const Selection selection{
      .object = destination.object, .methodTable = destination.methodTable, .segment = destination.segment};
  GoToEntry entry{
      .symbol = {}, .title = fromEngine(destination.title), .detail = fromEngine(destination.detail), .run = {}};
  switch (destination.kind) {
    case engine::Destination::Kind::Object:
      entry.symbol = QStringLiteral("object");
      entry.run = [&navigator, selection] { navigator.showInSegments(selection); };
      break;
    case engine::Destination::Kind::Segment:
      entry.symbol = QStringLiteral("segments");
      entry.run = [&navigator, selection] { navigator.showInSegments(selection); };
      break;
    case engine::Destination::Kind::Type:
      entry.symbol = QStringLiteral("types");
      entry.run = [&navigator, selection] {
        navigator.go({.place = PlaceId::Types, .selection = selection, .scope = {}});
      };
      break;
  }
  return entry;
}

}  // namespace

bool isCommandText(const QString& text) {
  return text.trimmed().startsWith(QLatin1Char('>'));
}

std::vector<GoToEntry> commandEntries(const QString& text, const QList<QAction*>& commands) {
  const QStringList words = text.trimmed().mid(1).split(QLatin1Char(' '), Qt::SkipEmptyParts);
  std::vector<GoToEntry> entries;
  for (QAction* command : commands) {
    if (!command->isEnabled()) continue;
    QString title = command->text().remove(QLatin1Char('&'));
    if (title.endsWith(QStringLiteral("…"))) title.chop(1);
    const auto holds = [&title](const QString& word) { return title.contains(word, Qt::CaseInsensitive); };
    if (!std::all_of(words.begin(), words.end(), holds)) continue;
    entries.push_back({.symbol = QStringLiteral("command"),
                       .title = title,
                       .detail = command->shortcut().toString(QKeySequence::NativeText),
                       .run = [command] { command->trigger(); }});
  }
  return entries;
}

std::vector<GoToEntry> destinationEntries(const std::vector<engine::Destination>& found, Navigator& navigator) {
  std::vector<GoToEntry> entries;
  entries.reserve(found.size());
  for (const engine::Destination& destination : found) entries.push_back(entryOf(destination, navigator));
  return entries;
}

}  // namespace heapscape::gui
