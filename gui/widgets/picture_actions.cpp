// SPDX-License-Identifier: MIT
#include "widgets/picture_actions.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMessageBox>
#include <QStandardPaths>
#include <QSvgGenerator>
#include <QWidget>

#include "widgets/colours.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {

namespace {

constexpr int kPixelsPerPoint = 2;

void prepare(QPainter& painter, const QWidget* picture) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(picture->font());
  painter.fillRect(QRect(QPoint(), picture->size()), Colours(picture->palette()).surface());
}

QString askForPath(QWidget* picture, const QString& name, const QString& ending, const QString& filter) {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
  const QString path = QFileDialog::getSaveFileName(picture->window(), QObject::tr("Save picture"),
                                                    QDir(folder).filePath(name + QLatin1Char('.') + ending), filter);
  if (path.isEmpty() || !QFileInfo(path).suffix().isEmpty()) return path;
  return path + QLatin1Char('.') + ending;
}

void tellNotWritten(QWidget* picture, const QString& path) {
  QMessageBox::warning(picture->window(), QObject::tr("Save picture"),
                       QObject::tr("%1 could not be written.").arg(QDir::toNativeSeparators(path)));
}

QAction* addAction(QWidget* picture, const QString& symbol, const QString& text, const std::function<void()>& run) {
  auto* action = new QAction(symbolIcon(symbol), text, picture);
  QObject::connect(action, &QAction::triggered, picture, run);
  picture->addAction(action);
  return action;
}

}  // namespace

QImage pictureImage(const QWidget* picture, const PaintPicture& paint) {
  QImage image(picture->size() * kPixelsPerPoint, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(kPixelsPerPoint);
  QPainter painter(&image);
  prepare(painter, picture);
  paint(painter, picture->size());
  return image;
}

bool writePictureSvg(const QWidget* picture, const PaintPicture& paint, const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) return false;
  QSvgGenerator generator;
  generator.setOutputDevice(&file);
  generator.setSize(picture->size());
  generator.setViewBox(QRect(QPoint(), picture->size()));
  generator.setTitle(picture->accessibleName());
  QPainter painter(&generator);
  prepare(painter, picture);
  paint(painter, picture->size());
  painter.end();
  return file.flush() && file.error() == QFileDevice::NoError;
}

void addPictureActions(QWidget* picture, const PaintPicture& paint, const QString& suggestedName) {
  picture->setContextMenuPolicy(Qt::ActionsContextMenu);
  QAction* copy = addAction(picture, QStringLiteral("copy"), QObject::tr("Copy picture"),
                            [picture, paint] { QGuiApplication::clipboard()->setImage(pictureImage(picture, paint)); });
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  addAction(picture, QStringLiteral("save"), QObject::tr("Save as PNG…"), [picture, paint, suggestedName] {
    const QString path = askForPath(picture, suggestedName, QStringLiteral("png"), QObject::tr("PNG pictures (*.png)"));
    if (!path.isEmpty() && !pictureImage(picture, paint).save(path, "PNG")) tellNotWritten(picture, path);
  });
  addAction(picture, QStringLiteral("save"), QObject::tr("Save as SVG…"), [picture, paint, suggestedName] {
    const QString path = askForPath(picture, suggestedName, QStringLiteral("svg"), QObject::tr("SVG pictures (*.svg)"));
    if (!path.isEmpty() && !writePictureSvg(picture, paint, path)) tellNotWritten(picture, path);
  });
}

}  // namespace heapscape::gui
