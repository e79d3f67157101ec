// SPDX-License-Identifier: MIT
#include "models/recent_menu.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QPointer>
#include <utility>
#include <vector>

#include "bridge/file_work.h"
#include "models/names/assembly_name.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

void addRecent(QMenu& menu, const QStringList& paths, const std::function<void(const QString&)>& open) {
  std::vector<QPointer<QAction>> actions;
  for (const QString& path : paths) {
    // A lone & would be taken for the mark of a key.
    const QString name = QFileInfo(path).fileName().replace(QLatin1Char('&'), u"&&"_s);
    const QString symbol = hasAssemblyName(path) ? u"assembly"_s : u"dump"_s;
    QAction* action = menu.addAction(symbolIcon(symbol), name, &menu, [open, path] { open(path); });
    action->setToolTip(QDir::toNativeSeparators(path));
    actions.emplace_back(action);
  }
  // The menu does not wait for a disk: what is gone is greyed once that is known.
  askForFiles(paths, &menu, [actions = std::move(actions)](const std::vector<FileFacts>& files) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (actions[i]) actions[i]->setEnabled(files[i].isThere);
    }
  });
}

}  // namespace heapscape::gui
