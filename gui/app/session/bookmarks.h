// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

class QMenu;

namespace heapscape::gui {

/// A location as one line of text, to be kept from one run to the next. Only what makes sense in another run is in it;
/// what differs nowhere else has the same text.
QString keptText(const Location& location);

/// Nothing if the text is none of those.
std::optional<Location> locationOf(const QString& kept);

/// Dumps of the same memory have the same, whatever their files are called and however they are compressed. Known from
/// the stage Segments on.
QString identityOf(const engine::Snapshot& snapshot);

/// A place of a dump, with what is picked in it, under a name.
struct Bookmark {
  QString name;
  Location location;
};

/// Those of the dump that is open, kept in the user's settings: the same dump has them again, from any file and in any
/// window.
class Bookmarks {
 public:
  /// `titleOf`: how a place is called. All of these outlive this.
  Bookmarks(const EngineBridge& bridge, Navigator& navigator, std::function<QString(PlaceId)> titleOf);

  /// Whether bookmarks can be kept: those of a dump from its stage Segments on; there is none for an assembly, whose
  /// types have no addresses.
  bool canBeKept() const;
  std::vector<Bookmark> all() const;
  bool isHere() const;
  /// Keeps where one is, or forgets it. What was done, in words.
  QString toggle();
  void forgetAll();
  void goTo(const Bookmark& bookmark) const { m_navigator.go(bookmark.location); }

 private:
  void keep(const std::vector<Bookmark>& bookmarks) const;
  QString key() const;
  QString nameHere() const;

  const EngineBridge& m_bridge;
  Navigator& m_navigator;
  std::function<QString(PlaceId)> m_titleOf;
};

/// An entry for each, and one that forgets them; one that says how to make some if there are none.
void fillBookmarkMenu(QMenu& menu, Bookmarks& bookmarks);

}  // namespace heapscape::gui
