// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <functional>
#include <vector>

#include "bridge/navigator.h"
#include "models/address_target.h"
#include "session/details/go_to.h"
#include "session/layouts/declared_layouts.h"

class QAction;

namespace heapscape::gui {

class Bookmarks;

/// One line under the go-to box: what it is, and what picking it does.
struct GoToEntry {
  QString symbol;  // name of its icon
  QString title;
  QString detail;
  std::function<void()> run;  // empty for a line that only says something
  bool isType = false;        // the title is a type's name
};

/// What the engine found, and for a type how much of it is on the heap.
struct FoundDestination {
  engine::Destination destination;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};
/// What a text may mean: an address or a thread first, then types and segments.
struct FoundForBox {
  engine::Address address = {};  // that the text is, if there is anything at it; 0 else
  std::vector<AddressTarget> targets;
  std::vector<FoundDestination> destinations;
};
/// On the engine thread. "@" stands before threads: their id, or part of their name.
engine::Outcome<FoundForBox> findForBox(const engine::Snapshot& snapshot, const std::string& text, std::size_t limit,
                                        std::stop_token stop);

/// The same in an assembly: its types with that text in their names, or else any type of that full name.
engine::Outcome<std::vector<engine::LayoutRow>> findTypesForBox(const engine::DeclaredLayouts& layouts,
                                                                const std::string& text, std::size_t limit,
                                                                std::stop_token stop);

/// "> command": after the sign come words that a command's text must hold, in any order and case.
bool isCommandText(const QString& text);
/// Those that cannot be used now stand at the end, and lead nowhere.
std::vector<GoToEntry> commandEntries(const QString& text, const QList<QAction*>& commands);

/// "? query": a question about the objects of the whole heap. One that cannot be understood leads nowhere; what is
/// wrong with it is said instead.
bool isQueryText(const QString& text);
std::vector<GoToEntry> queryEntries(const QString& text, Navigator& navigator);

/// "* bookmark": those of the open dump whose names hold the words behind the sign, in any order and case.
bool isBookmarkText(const QString& text);
std::vector<GoToEntry> bookmarkEntries(const QString& text, Bookmarks& bookmarks);

/// Where picking leads: objects to their own place, segments to the map, types to their table, all else to its list.
std::vector<GoToEntry> destinationEntries(const FoundForBox& found, Navigator& navigator);

/// In place of an answer.
std::vector<GoToEntry> failureEntries(const QString& what, const QString& help);

/// To the layout of each.
std::vector<GoToEntry> typeEntries(const std::vector<engine::LayoutRow>& types, Navigator& navigator);

}  // namespace heapscape::gui
