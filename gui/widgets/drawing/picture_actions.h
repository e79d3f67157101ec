// SPDX-License-Identifier: MIT
#pragma once

#include <QEvent>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QPointer>
#include <QSize>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "review/board.h"
#include "widgets/drawing/colours.h"

class QAction;

namespace heapscape::gui {

/// Asks the window to put a page on the review board, so that pictures and tables need not know where it is.
class PinRequest : public QEvent {
 public:
  explicit PinRequest(engine::ReviewPage page) : QEvent(kind()), m_page(std::move(page)) {}
  static QEvent::Type kind();

  const engine::ReviewPage& page() const { return m_page; }

 private:
  engine::ReviewPage m_page;
};

/// Sends the page to the window that the widget is in, or to the one above it.
void requestPin(QWidget* from, engine::ReviewPage page);

/// Gives a picture or table the action "Pin to review" with the page that `makePage` makes of it at that moment.
QAction* addPinAction(QWidget* pinned, std::function<engine::ReviewPage()> makePage);
/// Pin action of the widget itself; null if it has none.
QAction* pinActionOf(const QWidget& widget);
/// Pin action of the widget or of the nearest one around it that has one; null if none does.
QAction* pinActionAround(QWidget* widget);

/// Dresses a picture and the widgets in it for paper as long as it lives: dark on light whatever the theme is, and
/// without patterns, which an SVG file cannot keep.
class PaperLook {
 public:
  explicit PaperLook(QWidget* picture);
  ~PaperLook();
  PaperLook(const PaperLook&) = delete;
  PaperLook& operator=(const PaperLook&) = delete;

 private:
  struct Dressed {
    QPointer<QWidget> widget;
    QPalette palette;  // of its own; empty where it takes that of the widget around it
  };

  PlainPatterns m_plain;
  std::vector<Dressed> m_dressed;
};

/// Draws a picture into a size given in device-independent pixels.
using PaintPicture = std::function<void(QPainter&, QSize)>;

/// Whether a picture shows what strings and fields of the dump hold. One that hides them paints them by the functions
/// of hidden_contents, and is drawn twice for a review; of one that only may show some, a review without has no text.
enum class PictureContents { MayShow, Hides, None };

/// Adds Copy, Save as PNG…, Save as SVG… and Pin to review to a picture's context menu, and Ctrl+C while it has the
/// focus. `paint` draws the picture without what only belongs to the screen (hover, focus); it is called at the
/// widget's present size. The actions live in QWidget::actions(), so that a picture with a context menu of its own can
/// append them.
void addPictureActions(QWidget* picture, const PaintPicture& paint, const QString& suggestedName,
                       PictureContents contents = PictureContents::MayShow);

/// The picture for those who save without a dialog. Two pixels to a point, in the colours of the screen.
QImage pictureImage(const QWidget* picture, const PaintPicture& paint);
/// As for a review: dark on light. False if the file cannot be written.
bool writePictureSvg(QWidget* picture, const PaintPicture& paint, const QString& path);
/// As a page of a review: dark on light whatever the theme, for it is read on paper and in mails; with what
/// stands below the picture (picture_legend.h).
engine::ReviewPage picturePage(QWidget* picture, const PaintPicture& paint, const QString& otherwiseNamed,
                               PictureContents contents);

}  // namespace heapscape::gui
