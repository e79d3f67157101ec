// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace heapscape::gui {

/// View of a list's rows: a query, and the order. Called by a name that the user has given.
struct SavedView {
  QString name = {};
  QString query = {};
  int sortColumn = -1;  // -1: as the list comes
  bool descending = false;
  bool operator==(const SavedView&) const = default;
};

/// The views of one list, by name; kept in the user's settings.
std::vector<SavedView> savedViews(const QString& list);
/// Takes the place of one with the same name.
void saveView(const QString& list, const SavedView& view);
void renameView(const QString& list, const QString& name, const QString& newName);
void forgetView(const QString& list, const QString& name);

/// Queries that were asked of a list, the newest first.
QStringList recentQueries(const QString& list);
void rememberQuery(const QString& list, const QString& query);

}  // namespace heapscape::gui
