// SPDX-License-Identifier: MIT
#include "app/go_to/go_to_box.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "app/manual/manual_window.h"
#include "app/session/bookmarks.h"
#include "app/window_actions.h"
#include "bridge/file_work.h"
#include "models/names/type_name.h"
#include "models/object_menu.h"
#include "query/objects/object_schema.h"
#include "query/query.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/popup.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

// A thing that the engine found, and for a type how much of it is on the heap.
struct FoundDestination {
  engine::Destination destination;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};

// The meanings that a text may have: an address or a thread first, then types and segments.
struct FoundForBox {
  engine::Address address = {};  // that the text is, if there is anything at it; 0 else
  std::vector<AddressTarget> targets;
  std::vector<FoundDestination> destinations;
};

GoToEntry entryOf(const FoundDestination& found, Navigator& navigator) {
  const engine::Destination& destination = found.destination;
  const Selection selection{
      .object = destination.object, .methodTable = destination.methodTable, .segment = destination.segment};
  GoToEntry entry{
      .symbol = {}, .title = fromEngine(destination.title), .detail = fromEngine(destination.detail), .run = {}};
  switch (destination.kind) {
    case engine::Destination::Kind::Object:
      entry.symbol = u"object"_s;
      entry.run = [&navigator, selection] {
        navigator.go({.place = PlaceId::Object, .selection = selection, .scope = {}});
      };
      break;
    case engine::Destination::Kind::Segment:
      entry.symbol = u"segments"_s;
      entry.run = [&navigator, selection] { navigator.showInSegments(selection); };
      break;
    case engine::Destination::Kind::Type:
      entry.symbol = u"types"_s;
      entry.isType = true;
      entry.detail = found.objects == 0 ? u"none on the heap"_s
                                        : u"%1 × · %2"_s.arg(countText(found.objects), bytesText(found.bytes));
      entry.run = [&navigator, selection] {
        navigator.go({.place = PlaceId::Types, .selection = selection, .scope = {}});
      };
      break;
  }
  return entry;
}

// Adds meanings of an address beside the object that holds it, which the destinations name already.
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

// Looks on the engine thread. "@" stands before threads: their id, or part of their name.
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

// Looks in an assembly: its types with that text in their names, or else any type of that full name.
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

// Entries in place of an answer.
std::vector<GoToEntry> failureEntries(const QString& what, const QString& help) {
  std::vector<GoToEntry> entries{{.symbol = u"warning"_s, .title = what, .detail = {}, .run = {}}};
  if (!help.isEmpty()) entries.push_back({.symbol = u"info"_s, .title = help, .detail = {}, .run = {}});
  return entries;
}

// "> command": after the sign come words that a command's text must hold, in any order and case.
bool isCommandText(const QString& text) {
  return text.trimmed().startsWith(QLatin1Char('>'));
}

// Those that cannot be used now stand at the end, and lead nowhere.
std::vector<GoToEntry> commandEntries(const QString& text, const QList<QAction*>& commands) {
  std::vector<GoToEntry> entries;
  for (QAction* command : commands) {
    const QString title = plainText(*command);
    if (!holdsWords(title, text.trimmed().mid(1))) continue;
    const QString keys = command->shortcut().toString(QKeySequence::NativeText);
    const bool isUsable = command->isEnabled();
    entries.push_back({.symbol = u"command"_s,
                       .title = title,
                       .detail = isUsable ? keys : u"not now"_s,
                       .run = isUsable ? std::function<void()>([command] { command->trigger(); }) : nullptr});
  }
  std::ranges::stable_partition(entries, [](const GoToEntry& entry) { return bool(entry.run); });
  return entries;
}

// What the menus of lists offer for what is picked; the menu stays as long as its entries do.
std::vector<GoToEntry> pickedEntries(const QString& text, Navigator& navigator) {
  const auto menu = std::make_shared<QMenu>();
  addSelectionLinks(*menu, navigator, navigator.location().selection);
  std::vector<GoToEntry> entries;
  for (QAction* action : menu->actions()) {
    if (action->isSeparator() || !holdsWords(action->text(), text.trimmed().mid(1))) continue;
    entries.push_back(
        {.symbol = u"command"_s, .title = action->text(), .detail = u"what is picked"_s, .run = [menu, action] {
           action->trigger();
         }});
  }
  return entries;
}

constexpr std::size_t kMostChapters = 5;
constexpr qsizetype kFewestLetters = 3;

// Chapters of the manual that have all of the words in a passage, in no more than a few lines.
std::vector<GoToEntry> manualEntries(const QString& text, const std::function<void(const QString&)>& open) {
  static const ManualIndex kIndex;
  const QStringList words = text.trimmed().mid(1).split(QLatin1Char(' '), Qt::SkipEmptyParts);
  std::vector<GoToEntry> entries;
  if (words.join(QString()).size() < kFewestLetters) return entries;
  std::size_t last = kIndex.chapters().size();
  for (const ManualPassage& passage : kIndex.find(words)) {
    if (passage.chapter == last) continue;
    last = passage.chapter;
    if (entries.size() == kMostChapters) break;
    const ManualChapter& chapter = kIndex.chapters()[passage.chapter];
    entries.push_back({.symbol = u"info"_s,
                       .title = chapter.title,
                       .detail = u"manual"_s,
                       .run = [open, link = u"%1#%2"_s.arg(chapter.page, anchorOf(chapter.title))] { open(link); }});
  }
  return entries;
}

// "* bookmark": those of the open dump whose names hold the words behind the sign, in any order and case.
bool isBookmarkText(const QString& text) {
  return text.trimmed().startsWith(QLatin1Char('*'));
}

std::vector<GoToEntry> bookmarkEntries(const QString& text, Bookmarks& bookmarks) {
  std::vector<GoToEntry> entries;
  for (const Bookmark& bookmark : bookmarks.all()) {
    if (!holdsWords(bookmark.name, text.trimmed().mid(1))) continue;
    entries.push_back(
        {.symbol = u"bookmark"_s, .title = bookmark.name, .detail = u"bookmark"_s, .run = [&bookmarks, bookmark] {
           bookmarks.goTo(bookmark);
         }});
  }
  return entries;
}

// "? query": a question about the objects of the whole heap. One that cannot be understood leads nowhere; what is
// wrong with it is said instead.
bool isQueryText(const QString& text) {
  return text.trimmed().startsWith(QLatin1Char('?'));
}

std::vector<GoToEntry> queryEntries(const QString& text, Navigator& navigator) {
  const QString query = text.trimmed().mid(1).trimmed();
  if (query.isEmpty()) {
    return {{.symbol = u"info"_s,
             .title = u"A question about objects"_s,
             .detail = u"? type ~ \"Order\" and retained > 1MB"_s,
             .run = {}}};
  }
  if (const auto parsed = engine::makeQuery(query.toStdString(), engine::objectSchema()); !parsed)
    return failureEntries(fromEngine(parsed.error().what), fromEngine(parsed.error().help));
  return {{.symbol = u"search"_s, .title = query, .detail = u"objects that fit"_s, .run = [&navigator, query] {
             navigator.showObjectsOf(query);
           }}};
}

// To the layout of each.
std::vector<GoToEntry> typeEntries(const std::vector<engine::LayoutRow>& types, Navigator& navigator) {
  std::vector<GoToEntry> entries;
  entries.reserve(types.size());
  for (const engine::LayoutRow& type : types) {
    entries.push_back({.symbol = u"layouts"_s,
                       .title = fromEngine(type.name),
                       .detail = type.failure.empty() ? bytesText(type.instanceBytes) : u"no layout"_s,
                       .run = [&navigator, id = type.id] { navigator.showLayoutOf(id); },
                       .isType = true});
  }
  return entries;
}

// Where picking leads: objects to their own place, segments to the map, types to their table, all else to its list.
std::vector<GoToEntry> destinationEntries(const FoundForBox& found, Navigator& navigator) {
  std::vector<GoToEntry> entries;
  entries.reserve(found.targets.size() + found.destinations.size());
  for (const AddressTarget& target : found.targets) entries.push_back(entryOf(target, navigator));
  for (const FoundDestination& one : found.destinations) entries.push_back(entryOf(one, navigator));
  if (found.address) {
    entries.push_back({.symbol = u"memory"_s,
                       .title = u"Memory at %1"_s.arg(addressText(found.address)),
                       .detail = u"bytes, and what words lead to"_s,
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

constexpr int kDetailRole = Qt::UserRole;
constexpr int kIsTypeRole = Qt::UserRole + 1;
constexpr int kMargin = 10;
constexpr int kMostRows = 12;
constexpr int kLeastLetters = 64;

/// Icon, title, and the detail dimmed at the right end; the title gives way first, in its middle.
class EntryDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {0, qMax(28, qRound(option.fontMetrics.height() * 1.8))};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Colours colours(option.palette);
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, option.palette.highlight());
    const int side = qRound(option.fontMetrics.height() * 1.1);
    const QRect icon(option.rect.x() + kMargin, option.rect.center().y() - side / 2, side, side);
    index.data(Qt::DecorationRole).value<QIcon>().paint(painter, icon);

    const QRect text = option.rect.adjusted(kMargin * 2 + side, 0, -kMargin, 0);
    const QString detail = index.data(kDetailRole).toString();
    const QString shownDetail = option.fontMetrics.elidedText(detail, Qt::ElideRight, text.width() / 2);
    const int detailWidth = option.fontMetrics.horizontalAdvance(shownDetail);
    painter->setPen(colours.dimmedText());
    painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, shownDetail);
    const bool isAnswer = option.widget && option.widget->isEnabled();
    // A line that cannot be picked is read all the same.
    painter->setPen(isAnswer ? option.palette.color(QPalette::Active, QPalette::Text) : colours.dimmedText());
    const QString title = index.data().toString();
    const bool isType = index.data(kIsTypeRole).toBool();
    const std::string name = isType ? title.toStdString() : std::string();
    const ElidedName shown = elideName(title, isType ? namespaceLength(name) : 0, text.width() - detailWidth - kMargin,
                                       option.font, shortTypeName(name));
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, shown.prefix + shown.rest);
  }
};

}  // namespace

GoToPopup::GoToPopup(QWidget* window) : QListWidget(window) {
  setItemDelegate(new EntryDelegate(this));
  setFocusPolicy(Qt::NoFocus);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setUpPopup(this);
  setObjectName(u"popup"_s);
  setAccessibleName(u"Where to go"_s);
  hide();
  connect(this, &QListWidget::itemEntered, this, [this](QListWidgetItem* item) { setCurrentItem(item); });
  connect(this, &QListWidget::itemClicked, this, &GoToPopup::picked);
}

void GoToPopup::setEntries(std::vector<GoToEntry> entries) {
  m_entries = std::move(entries);
  clear();
  for (const GoToEntry& entry : m_entries) {
    auto* item = new QListWidgetItem(symbolIcon(entry.symbol), entry.title, this);
    item->setData(kDetailRole, entry.detail);
    item->setData(kIsTypeRole, entry.isType);
    item->setToolTip(entry.detail.isEmpty() ? entry.title : entry.title + QLatin1Char('\n') + entry.detail);
    if (!entry.run) item->setFlags(Qt::NoItemFlags);
  }
  setCurrentRow(m_entries.empty() || !m_entries.front().run ? -1 : 0);
}

void GoToPopup::showUnder(const QWidget* box) {
  const int rows = qMin(count(), kMostRows);
  if (rows == 0) {
    hide();
    return;
  }
  const QSize wanted(qMax(box->width(), fontMetrics().averageCharWidth() * kLeastLetters),
                     rows * sizeHintForRow(0) + 2 * frameWidth());
  showPopup(this, box, wanted);
}

void GoToPopup::moveCurrent(int rows) {
  if (count() > 0) setCurrentRow(qBound(0, currentRow() + rows, count() - 1));
}

bool GoToPopup::canRunCurrent() const {
  const int row = currentRow();
  return row >= 0 && row < static_cast<int>(m_entries.size()) && m_entries[static_cast<std::size_t>(row)].run;
}

void GoToPopup::runCurrent() {
  if (!canRunCurrent()) return;
  const auto run = m_entries[static_cast<std::size_t>(currentRow())].run;  // a copy: running may fill the list anew
  hide();
  run();
}

namespace {

constexpr std::size_t kMostDestinations = 50;
constexpr auto kGoToBoxChannel = "goTo";

bool isPathText(const QString& text) {
  return text.startsWith(QLatin1Char('/')) || text.startsWith(u"~/"_s);
}

QString expanded(const QString& path) {
  return path.startsWith(u"~/"_s) ? QDir::home().filePath(path.mid(2)) : path;
}

}  // namespace

GoToBox::GoToBox(EngineBridge& bridge, Navigator& navigator, QWidget* window)
    : QLineEdit(window), m_bridge(bridge), m_navigator(navigator), m_popup(new GoToPopup(window)) {
  setPlaceholderText(u"Go to: address, type, @thread, ? query, * bookmark, or > command"_s);
  setAccessibleName(u"Go to"_s);
  setClearButtonEnabled(true);
  addAction(symbolIcon(u"search"_s), QLineEdit::LeadingPosition);
  connect(m_popup, &GoToPopup::picked, this, &GoToBox::pick);
  connect(&bridge, &EngineBridge::openStarted, this, &QLineEdit::clear);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget* from, QWidget* to) {
    if (to == this && from && from->window() == this->window()) m_cameFrom = from;
  });
  connect(this, &QLineEdit::textEdited, this, [this] {
    m_picksFirst = false;
    complete();
  });
}

void GoToBox::complete() {
  const QString typed = text().trimmed();
  if (typed.isEmpty()) {
    std::vector<GoToEntry> kept = m_bookmarks ? bookmarkEntries(typed, *m_bookmarks) : std::vector<GoToEntry>();
    kept.empty() ? m_popup->hide() : show(std::move(kept));
  } else if (isCommandText(typed)) {
    std::vector<GoToEntry> entries = commandEntries(typed, m_commands);
    const auto add = [&entries](std::vector<GoToEntry> more) { std::ranges::move(more, std::back_inserter(entries)); };
    add(pickedEntries(typed, m_navigator));
    add(manualEntries(typed, [this](const QString& link) { Q_EMIT manualRequested(link); }));
    show(std::move(entries));
  } else if (isBookmarkText(typed) && m_bookmarks) {
    show(bookmarkEntries(typed, *m_bookmarks));
  } else if (isQueryText(typed) && m_bridge.snapshot()) {
    show(queryEntries(typed, m_navigator));
  } else if (isPathText(typed)) {
    askForFile(typed);
  } else if (m_bridge.isAssembly() && m_bridge.hasLayouts()) {
    askForTypes(typed);
  } else if (!m_bridge.snapshot()) {
    show({{.symbol = u"info"_s, .title = u"Open a dump first"_s, .detail = u"or type > for commands"_s, .run = {}}});
  } else {
    askEngine(typed);
  }
}

void GoToBox::askForFile(const QString& typed) {
  m_popup->setEnabled(false);
  const QString path = expanded(typed);
  askForFiles({path}, this, [this, typed, path](const std::vector<FileFacts>& files) {
    if (typed != text().trimmed()) return;
    const bool exists = files.front().isThere;
    show({{.symbol = u"dump"_s,
           .title = typed,
           .detail = exists ? u"open this file"_s : u"no such file"_s,
           .run = exists ? std::function<void()>([this, path] { Q_EMIT openRequested(path); }) : nullptr}});
  });
}

// What is offered until the answer comes was for another text: it is dimmed, and cannot be picked.
void GoToBox::askEngine(const QString& typed) {
  m_popup->setEnabled(false);
  m_bridge.ask(
      this, kGoToBoxChannel,
      [wanted = typed.toStdString()](const engine::Snapshot& snapshot, std::stop_token stop) {
        return findForBox(snapshot, wanted, kMostDestinations, stop);
      },
      [this, typed](const engine::Outcome<FoundForBox>& found) {
        if (typed != text().trimmed()) return;
        if (found) {
          show(destinationEntries(*found, m_navigator));
        } else {
          showFailure(found.error());
        }
      });
}

void GoToBox::askForTypes(const QString& typed) {
  m_popup->setEnabled(false);
  m_bridge.ask(
      this, kGoToBoxChannel,
      [wanted = typed.toStdString()](const engine::DeclaredLayouts& layouts, std::stop_token stop) {
        return findTypesForBox(layouts, wanted, kMostDestinations, stop);
      },
      [this, typed](const engine::Outcome<std::vector<engine::LayoutRow>>& found) {
        if (typed != text().trimmed()) return;
        if (found) {
          show(typeEntries(*found, m_navigator));
        } else {
          showFailure(found.error());
        }
      });
}

void GoToBox::show(std::vector<GoToEntry> entries) {
  if (entries.empty()) {
    entries.push_back({.symbol = u"info"_s, .title = u"Nothing found"_s, .detail = {}, .run = {}});
  }
  m_popup->setEntries(std::move(entries));
  m_popup->setEnabled(true);
  m_answered = text().trimmed();
  if (m_picksFirst) {
    m_picksFirst = false;
    pick();
  } else if (hasFocus()) {
    m_popup->showUnder(this);
  }
}

void GoToBox::showFailure(const engine::Unfinished& why) {
  if (!why.isCancelled()) show(failureEntries(fromEngine(why.error().what), fromEngine(why.error().help)));
}

void GoToBox::begin() {
  setFocus(Qt::ShortcutFocusReason);
  selectAll();
  complete();
}

void GoToBox::beginCommand() {
  setFocus(Qt::OtherFocusReason);  // that of a shortcut would pick the sign, to be written over
  setText(u"> "_s);
  complete();
}

// What is run finds the focus where it was, and may be about that.
void GoToBox::pick() {
  if (!m_popup->canRunCurrent()) {
    m_popup->showUnder(this);
    return;
  }
  clear();
  leave();
  m_popup->runCurrent();
}

void GoToBox::leave() {
  m_cameFrom && m_cameFrom->isVisible() ? m_cameFrom->setFocus(Qt::OtherFocusReason) : clearFocus();
}

void GoToBox::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Up:
      m_popup->isVisible() ? m_popup->moveCurrent(event->key() == Qt::Key_Down ? 1 : -1) : complete();
      return;
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
      m_popup->moveCurrent(event->key() == Qt::Key_PageDown ? 10 : -10);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_popup->isVisible() && m_answered == text().trimmed()) {
        pick();
      } else if (!text().trimmed().isEmpty()) {
        m_picksFirst = true;
        complete();
      }
      return;
    case Qt::Key_Escape:
      m_popup->hide();
      clear();
      leave();
      return;
    default:
      QLineEdit::keyPressEvent(event);
  }
}

void GoToBox::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  if (!text().isEmpty()) complete();
}

void GoToBox::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  m_popup->hide();
}

void GoToBox::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  if (m_popup->isVisible()) m_popup->showUnder(this);
}

}  // namespace heapscape::gui
