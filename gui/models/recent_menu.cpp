// SPDX-License-Identifier: MIT
#include "models/recent_menu.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>

#include "models/names/assembly_name.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

void addRecent(QMenu& menu, const QStringList& paths, const std::function<void(const QString&)>& open) {
  for (const QString& path : paths) {
    // A lone & would be taken for the mark of a key.
    const QString name = QFileInfo(path).fileName().replace(QLatin1Char('&'), QStringLiteral("&&"));
    const QString symbol = hasAssemblyName(path) ? QStringLiteral("assembly") : QStringLiteral("dump");
    QAction* action = menu.addAction(symbolIcon(symbol), name, &menu, [open, path] { open(path); });
    action->setEnabled(QFileInfo(path).isFile());
    action->setToolTip(QDir::toNativeSeparators(path));
  }
}

}  // namespace heapscape::gui
