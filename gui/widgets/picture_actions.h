// SPDX-License-Identifier: MIT
#pragma once

#include <QImage>
#include <QPainter>
#include <QSize>
#include <QString>
#include <functional>

class QWidget;

namespace heapscape::gui {

/// Draws a picture into a size given in device-independent pixels.
using PaintPicture = std::function<void(QPainter&, QSize)>;

/// Adds Copy, Save as PNG… and Save as SVG… to a picture's context menu, and Ctrl+C while it has the focus. `paint`
/// draws the picture without what only belongs to the screen (hover, focus); it is called at the widget's present size.
/// The actions live in QWidget::actions(), so that a picture with a context menu of its own can append them.
void addPictureActions(QWidget* picture, const PaintPicture& paint, const QString& suggestedName);

/// For those who save without a dialog. Two pixels to a point, on the widget's palette.
QImage pictureImage(const QWidget* picture, const PaintPicture& paint);
/// False if the file cannot be written.
bool writePictureSvg(const QWidget* picture, const PaintPicture& paint, const QString& path);

}  // namespace heapscape::gui
