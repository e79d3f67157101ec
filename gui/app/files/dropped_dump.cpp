// SPDX-License-Identifier: MIT
#include "app/files/dropped_dump.h"

#include <QMimeData>
#include <QUrl>

namespace heapscape::gui {

QString droppedDump(const QMimeData* data) {
  const QList<QUrl> urls = data->urls();
  for (const QUrl& url : urls) {
    if (url.isLocalFile()) return url.toLocalFile();
  }
  return {};
}

}  // namespace heapscape::gui
