// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_export.h"

#include <QDir>
#include <QMessageBox>
#include <QSaveFile>
#include <QStandardPaths>

#include "session/dominators/collapsed_stacks.h"
#include "widgets/file_to_write.h"

namespace heapscape::gui {

QByteArray collapsedText(const DominatorScene& scene) {
  QByteArray text;
  engine::forEachCollapsedStack(scene.shapes, false, [&](std::string_view frames, std::uint64_t bytes) {
    text.append(frames.data(), static_cast<qsizetype>(frames.size()));
    text.append(' ').append(QByteArray::number(static_cast<qulonglong>(bytes))).append('\n');
    return true;
  });
  return text;
}

void saveCollapsed(QWidget* parent, const DominatorScene& scene) {
  const QString title = QStringLiteral("Save for flame graph tools");
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  const QString path =
      askFileToWrite(parent->window(), title, QDir(folder).filePath(QStringLiteral("dominators.collapsed")),
                     QStringLiteral("collapsed"), QStringLiteral("Collapsed stacks (*.collapsed *.folded *.txt)"));
  if (path.isEmpty()) return;
  QSaveFile file(path);
  const QByteArray text = collapsedText(scene);
  if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit()) return;
  QMessageBox::warning(parent->window(), title,
                       QStringLiteral("%1 could not be written.").arg(QDir::toNativeSeparators(path)));
}

}  // namespace heapscape::gui
