// SPDX-License-Identifier: MIT
#include "models/query/saved_views.h"

#include <QSettings>
#include <algorithm>

#include "bridge/literals.h"

namespace heapscape::gui {
namespace {

constexpr int kMostRecent = 12;

QString viewsKey(const QString& list) {
  return u"views/"_s + list;
}
QString recentKey(const QString& list) {
  return u"recentQueries/"_s + list;
}

void store(const QString& list, const std::vector<SavedView>& views) {
  QSettings settings;
  settings.remove(viewsKey(list));
  settings.beginWriteArray(viewsKey(list), static_cast<int>(views.size()));
  for (std::size_t i = 0; i < views.size(); ++i) {
    settings.setArrayIndex(static_cast<int>(i));
    settings.setValue(u"name"_s, views[i].name);
    settings.setValue(u"query"_s, views[i].query);
    settings.setValue(u"sortColumn"_s, views[i].sortColumn);
    settings.setValue(u"descending"_s, views[i].descending);
  }
  settings.endArray();
}

}  // namespace

std::vector<SavedView> savedViews(const QString& list) {
  QSettings settings;
  std::vector<SavedView> views;
  const int count = settings.beginReadArray(viewsKey(list));
  for (int i = 0; i < count; ++i) {
    settings.setArrayIndex(i);
    views.push_back({settings.value(u"name"_s).toString(), settings.value(u"query"_s).toString(),
                     settings.value(u"sortColumn"_s, -1).toInt(), settings.value(u"descending"_s).toBool()});
  }
  settings.endArray();
  return views;
}

void saveView(const QString& list, const SavedView& view) {
  std::vector<SavedView> views = savedViews(list);
  std::erase_if(views, [&](const SavedView& each) { return each.name == view.name; });
  const auto place = std::ranges::upper_bound(
      views, view.name, [](const QString& a, const QString& b) { return a.localeAwareCompare(b) < 0; },
      &SavedView::name);
  views.insert(place, view);
  store(list, views);
}

void renameView(const QString& list, const QString& name, const QString& newName) {
  for (SavedView view : savedViews(list)) {
    if (view.name != name) continue;
    forgetView(list, name);
    view.name = newName;
    saveView(list, view);
    return;
  }
}

void forgetView(const QString& list, const QString& name) {
  std::vector<SavedView> views = savedViews(list);
  std::erase_if(views, [&](const SavedView& each) { return each.name == name; });
  store(list, views);
}

QStringList recentQueries(const QString& list) {
  return QSettings().value(recentKey(list)).toStringList();
}

void rememberQuery(const QString& list, const QString& query) {
  QStringList queries = recentQueries(list);
  queries.removeAll(query);
  queries.prepend(query);
  QSettings().setValue(recentKey(list), QStringList(queries.mid(0, kMostRecent)));
}

}  // namespace heapscape::gui
