// SPDX-License-Identifier: MIT
#include "app/go_to_entry.h"

#include <QAction>
#include <QObject>
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "widgets/figures.h"

namespace heapscape::gui {

namespace {

GoToEntry entryOf(const FoundDestination& found, Navigator& navigator) {
  const engine::Destination& destination = found.destination;
  const Selection selection{
      .object = destination.object, .methodTable = destination.methodTable, .segment = destination.segment};
  GoToEntry entry{
      .symbol = {}, .title = fromEngine(destination.title), .detail = fromEngine(destination.detail), .run = {}};
  switch (destination.kind) {
    case engine::Destination::Kind::Object:
      entry.symbol = QStringLiteral("object");
      entry.run = [&navigator, selection] {
        navigator.go({.place = PlaceId::Object, .selection = selection, .scope = {}});
      };
      break;
    case engine::Destination::Kind::Segment:
      entry.symbol = QStringLiteral("segments");
      entry.run = [&navigator, selection] { navigator.showInSegments(selection); };
      break;
    case engine::Destination::Kind::Type:
      entry.symbol = QStringLiteral("types");
      entry.detail = found.objects == 0
                         ? QObject::tr("none on the heap")
                         : QObject::tr("%1 × · %2").arg(countText(found.objects), bytesText(found.bytes));
      entry.run = [&navigator, selection] {
        navigator.go({.place = PlaceId::Types, .selection = selection, .scope = {}});
      };
      break;
  }
  return entry;
}

}  // namespace

std::vector<FoundDestination> findForBox(const engine::Snapshot& snapshot, const std::string& text, std::size_t limit) {
  std::vector<FoundDestination> found;
  std::unordered_map<engine::Address, std::size_t> types;
  for (engine::Destination& destination : engine::findDestinations(snapshot, text, limit)) {
    if (destination.kind == engine::Destination::Kind::Type) types.emplace(destination.methodTable, found.size());
    found.push_back({.destination = std::move(destination)});
  }
  for (std::size_t i = 0; i < snapshot.types().size() && !types.empty(); ++i) {
    const auto type = types.find(snapshot.types()[i].methodTable);
    if (type == types.end()) continue;
    found[type->second].objects = snapshot.typeCounts().count[i];
    found[type->second].bytes = snapshot.typeCounts().bytes[i];
  }
  return found;
}

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

std::vector<GoToEntry> destinationEntries(const std::vector<FoundDestination>& found, Navigator& navigator) {
  std::vector<GoToEntry> entries;
  entries.reserve(found.size());
  for (const FoundDestination& one : found) entries.push_back(entryOf(one, navigator));
  return entries;
}

}  // namespace heapscape::gui
