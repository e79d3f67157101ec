// SPDX-License-Identifier: MIT
#include "app/go_to/go_to_entry.h"

#include <QAction>
#include <QObject>
#include <algorithm>
#include <utility>

#include "app/session/bookmarks.h"
#include "app/window_actions.h"
#include "query/objects/object_schema.h"
#include "query/query.h"
#include "widgets/text/figures.h"

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
      entry.isType = true;
      entry.detail = found.objects == 0
                         ? QStringLiteral("none on the heap")
                         : QStringLiteral("%1 × · %2").arg(countText(found.objects), bytesText(found.bytes));
      entry.run = [&navigator, selection] {
        navigator.go({.place = PlaceId::Types, .selection = selection, .scope = {}});
      };
      break;
  }
  return entry;
}

// What an address means beside the object that holds it, which the destinations name already.
engine::Outcome<void> addTargets(const engine::Snapshot& snapshot, const std::string& text, std::stop_token stop,
                                 FoundForBox& found) {
  engine::Address address;
  if (!engine::tryParseAddress(text, address)) return {};
  HEAPSCAPE_TRY(std::vector<AddressTarget> targets, findAddressTargets(snapshot, address, stop));
  const bool isSurelyAddress = text.starts_with("0x");
  for (AddressTarget& target : targets) {
    // "add" may be an address, but is more likely part of a name.
    const bool isNothing = target.meaning.kind == engine::AddressKind::Unmapped && !isSurelyAddress;
    const bool isObjectItself = target.meaning.kind == engine::AddressKind::ObjectStart;
    if (target.meaning.kind != engine::AddressKind::Unmapped) found.address = address;
    if (!isNothing && !isObjectItself) found.targets.push_back(std::move(target));
  }
  return {};
}

GoToEntry entryOf(const AddressTarget& target, Navigator& navigator) {
  GoToEntry entry{
      .symbol = symbolOf(target.meaning.kind), .title = fromEngine(target.meaning.text), .detail = {}, .run = {}};
  if (canShow(target)) entry.run = [&navigator, target] { showTarget(navigator, target); };
  return entry;
}

engine::LayoutRow describe(const engine::DeclaredLayouts& layouts, engine::LayoutTypeId id, const std::string& name) {
  engine::LayoutRow type;
  type.id = id;
  type.name = name;
  const auto declared = layouts.layout(id, {.withReasons = false});
  if (!declared) {
    type.failure = declared.error().message();
    return type;
  }
  type.name = declared->layout.typeName;
  type.instanceBytes = declared->layout.valueSize.value_or(declared->layout.baseSize);
  return type;
}

bool holdsWords(const QString& text, const QString& words) {
  const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  return std::ranges::all_of(wanted, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

engine::Outcome<FoundForBox> findForBox(const engine::Snapshot& snapshot, const std::string& text, std::size_t limit,
                                        std::stop_token stop) {
  FoundForBox found;
  if (text.starts_with('@')) {
    HEAPSCAPE_TRY(found.targets, findThreads(snapshot, text.substr(1), stop));
    if (found.targets.size() > limit) found.targets.resize(limit);
    return found;
  }
  for (engine::Destination& destination : engine::findDestinations(snapshot, text, limit)) {
    const bool isType = destination.kind == engine::Destination::Kind::Type;
    const engine::TypeId type = isType ? snapshot.typeOf(destination.methodTable) : engine::TypeId();
    auto& entry = found.destinations.emplace_back();
    entry.destination = std::move(destination);
    if (type.isNone()) continue;
    entry.objects = snapshot.typeCounts().count[type.value];
    entry.bytes = snapshot.typeCounts().bytes[type.value];
  }
  HEAPSCAPE_CHECK(addTargets(snapshot, text, stop, found));
  return found;
}

engine::Outcome<std::vector<engine::LayoutRow>> findTypesForBox(const engine::DeclaredLayouts& layouts,
                                                                const std::string& text, std::size_t limit,
                                                                std::stop_token stop) {
  HEAPSCAPE_TRY(const auto names, layouts.typeNames(stop));
  const QString wanted = fromEngine(text);
  std::vector<engine::LayoutRow> types;
  for (const auto& [id, name] : names) {
    if (types.size() == limit) break;
    if (fromEngine(name).contains(wanted, Qt::CaseInsensitive)) types.push_back(describe(layouts, id, name));
  }
  if (!types.empty()) return types;
  if (const auto found = layouts.find(text)) types.push_back(describe(layouts, *found, text));
  return types;
}

bool isCommandText(const QString& text) {
  return text.trimmed().startsWith(QLatin1Char('>'));
}

std::vector<GoToEntry> commandEntries(const QString& text, const QList<QAction*>& commands) {
  std::vector<GoToEntry> entries;
  for (QAction* command : commands) {
    const QString title = plainText(*command);
    if (!holdsWords(title, text.trimmed().mid(1))) continue;
    const QString keys = command->shortcut().toString(QKeySequence::NativeText);
    const bool isUsable = command->isEnabled();
    entries.push_back({.symbol = QStringLiteral("command"),
                       .title = title,
                       .detail = isUsable ? keys : QStringLiteral("not now"),
                       .run = isUsable ? std::function<void()>([command] { command->trigger(); }) : nullptr});
  }
  std::ranges::stable_partition(entries, [](const GoToEntry& entry) { return bool(entry.run); });
  return entries;
}

bool isBookmarkText(const QString& text) {
  return text.trimmed().startsWith(QLatin1Char('*'));
}

std::vector<GoToEntry> bookmarkEntries(const QString& text, Bookmarks& bookmarks) {
  std::vector<GoToEntry> entries;
  for (const Bookmark& bookmark : bookmarks.all()) {
    if (!holdsWords(bookmark.name, text.trimmed().mid(1))) continue;
    entries.push_back({.symbol = QStringLiteral("bookmark"),
                       .title = bookmark.name,
                       .detail = QStringLiteral("bookmark"),
                       .run = [&bookmarks, bookmark] { bookmarks.goTo(bookmark); }});
  }
  return entries;
}

bool isQueryText(const QString& text) {
  return text.trimmed().startsWith(QLatin1Char('?'));
}

std::vector<GoToEntry> queryEntries(const QString& text, Navigator& navigator) {
  const QString query = text.trimmed().mid(1).trimmed();
  if (query.isEmpty()) {
    return {{.symbol = QStringLiteral("info"),
             .title = QStringLiteral("A question about objects"),
             .detail = QStringLiteral("? type ~ \"Order\" and retained > 1MB"),
             .run = {}}};
  }
  if (const auto parsed = engine::makeQuery(query.toStdString(), engine::objectSchema()); !parsed)
    return failureEntries(fromEngine(parsed.error().what), fromEngine(parsed.error().help));
  return {{.symbol = QStringLiteral("search"),
           .title = query,
           .detail = QStringLiteral("objects that fit"),
           .run = [&navigator, query] { navigator.showObjectsOf(query); }}};
}

std::vector<GoToEntry> failureEntries(const QString& what, const QString& help) {
  std::vector<GoToEntry> entries{{.symbol = QStringLiteral("warning"), .title = what, .detail = {}, .run = {}}};
  if (!help.isEmpty()) entries.push_back({.symbol = QStringLiteral("info"), .title = help, .detail = {}, .run = {}});
  return entries;
}

std::vector<GoToEntry> typeEntries(const std::vector<engine::LayoutRow>& types, Navigator& navigator) {
  std::vector<GoToEntry> entries;
  entries.reserve(types.size());
  for (const engine::LayoutRow& type : types) {
    entries.push_back({.symbol = QStringLiteral("layouts"),
                       .title = fromEngine(type.name),
                       .detail = type.failure.empty() ? bytesText(type.instanceBytes) : QStringLiteral("no layout"),
                       .run = [&navigator, id = type.id] { navigator.showLayoutOf(id); },
                       .isType = true});
  }
  return entries;
}

std::vector<GoToEntry> destinationEntries(const FoundForBox& found, Navigator& navigator) {
  std::vector<GoToEntry> entries;
  entries.reserve(found.targets.size() + found.destinations.size());
  for (const AddressTarget& target : found.targets) entries.push_back(entryOf(target, navigator));
  for (const FoundDestination& one : found.destinations) entries.push_back(entryOf(one, navigator));
  if (found.address) {
    entries.push_back({.symbol = QStringLiteral("memory"),
                       .title = QStringLiteral("Memory at %1").arg(addressText(found.address)),
                       .detail = QStringLiteral("bytes, and what words lead to"),
                       .run = [&navigator, address = found.address] {
                         navigator.showListed(PlaceId::Memory, address, navigator.location().selection);
                       }});
    // What has no place of its own is shown as memory.
    for (GoToEntry& entry : entries) {
      if (!entry.run) entry.run = entries.back().run;
    }
  }
  return entries;
}

}  // namespace heapscape::gui
