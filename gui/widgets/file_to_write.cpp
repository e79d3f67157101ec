// SPDX-License-Identifier: MIT
#include "widgets/file_to_write.h"

#include <QFileDialog>
#include <QFileInfo>

namespace heapscape::gui {

QString askFileToWrite(QWidget* parent, const QString& title, const QString& suggestedPath, const QString& ending,
                       const QString& filter) {
  QFileDialog dialog(parent, title, QFileInfo(suggestedPath).absolutePath(), filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setDefaultSuffix(ending);
  dialog.selectFile(QFileInfo(suggestedPath).fileName());
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

}  // namespace heapscape::gui
