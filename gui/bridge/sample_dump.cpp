// SPDX-License-Identifier: MIT
#include "bridge/sample_dump.h"

#include <QCoreApplication>
#include <QDir>

namespace heapscape::gui {

QString sampleDumpPath() {
  const QStringList folders{QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("../share/heapscape")),
                            QStringLiteral(HEAPSCAPE_SAMPLE_FOLDER)};
  for (const QString& folder : folders) {
    const QFileInfoList found =
        QDir(folder).entryInfoList({QStringLiteral("*.core.zst")}, QDir::Files | QDir::Readable, QDir::Name);
    if (!found.isEmpty()) return found.first().canonicalFilePath();
  }
  return {};
}

}  // namespace heapscape::gui
