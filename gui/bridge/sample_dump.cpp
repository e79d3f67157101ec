// SPDX-License-Identifier: MIT
#include "bridge/sample_dump.h"

#include <QCoreApplication>
#include <QDir>

#include "bridge/literals.h"

namespace heapscape::gui {

QString sampleDumpPath() {
  const QStringList folders{QDir(QCoreApplication::applicationDirPath()).filePath(u"../share/heapscape"_s),
                            QStringLiteral(HEAPSCAPE_SAMPLE_FOLDER)};
  for (const QString& folder : folders) {
    const QFileInfoList found = QDir(folder).entryInfoList({u"*.core.zst"_s}, QDir::Files | QDir::Readable, QDir::Name);
    if (!found.isEmpty()) return found.first().canonicalFilePath();
  }
  return {};
}

}  // namespace heapscape::gui
