// SPDX-License-Identifier: MIT
#include "widgets/drawing/picture_actions.h"

#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QMessageBox>
#include <QStandardPaths>
#include <QSvgGenerator>
#include <QtMath>

#include "widgets/context_menu.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/file_to_write.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

constexpr auto kActionName = "pinToReview";

}  // namespace

QEvent::Type PinRequest::kind() {
  static const int type = QEvent::registerEventType();
  return static_cast<QEvent::Type>(type);
}

void requestPin(QWidget* from, engine::ReviewPage page) {
  PinRequest request(std::move(page));
  for (QWidget* window = from->window(); window;) {
    request.ignore();
    QCoreApplication::sendEvent(window, &request);
    if (request.isAccepted()) return;
    window = window->parentWidget() ? window->parentWidget()->window() : nullptr;
  }
}

QAction* addPinAction(QWidget* pinned, std::function<engine::ReviewPage()> makePage) {
  auto* action = new QAction(symbolIcon(u"pin"_s), u"Pin to review"_s, pinned);
  action->setObjectName(QLatin1String(kActionName));
  QObject::connect(action, &QAction::triggered, pinned,
                   [pinned, makePage = std::move(makePage)] { requestPin(pinned, makePage()); });
  pinned->addAction(action);
  return action;
}

QAction* pinActionOf(const QWidget& widget) {
  for (QAction* action : widget.actions()) {
    if (action->objectName() == QLatin1String(kActionName)) return action;
  }
  return nullptr;
}

QAction* pinActionAround(QWidget* widget) {
  for (; widget; widget = widget->parentWidget()) {
    if (QAction* action = pinActionOf(*widget)) return action;
    if (widget->isWindow()) break;
  }
  return nullptr;
}

// Each widget is told, for one that has a palette of its own, or stands below a style sheet, would keep it.
PaperLook::PaperLook(QWidget* picture) {
  QPalette paper(QColor(0xf0, 0xf1, 0xf3), Qt::white);
  paper.setColor(QPalette::PlaceholderText, Colours(paper).dimmedText());
  QList<QWidget*> parts = picture->findChildren<QWidget*>();
  parts.prepend(picture);
  for (QWidget* part : parts) {
    if (part != picture && part->isWindow()) continue;
    m_dressed.push_back({part, part->testAttribute(Qt::WA_SetPalette) ? part->palette() : QPalette()});
    part->setPalette(paper);
  }
}

PaperLook::~PaperLook() {
  m_plain.end();
  for (const Dressed& dressed : m_dressed) {
    if (dressed.widget) dressed.widget->setPalette(dressed.palette);
  }
}

namespace {

constexpr int kPixelsPerPoint = 2;
constexpr double kPointsPerPixel = 0.75;  // of those that do not depend on the device

void prepare(QPainter& painter, const QWidget* picture) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(picture->font());
  painter.fillRect(QRect(QPoint(), picture->size()), Colours(picture->palette()).surface());
}

// Texts as large as on the screen, beside which the picture has put everything else.
void writeSvg(QWidget* picture, const PaintPicture& paint, QIODevice& device, int heightBelow = 0) {
  const PaperLook paper(picture);
  const QSize whole = picture->size() + QSize(0, heightBelow);
  QSvgGenerator generator;
  generator.setResolution(picture->logicalDpiX());
  generator.setOutputDevice(&device);
  generator.setSize(whole);
  generator.setViewBox(QRect(QPoint(), whole));
  generator.setTitle(picture->accessibleName());
  QPainter painter(&generator);
  prepare(painter, picture);
  paint(painter, picture->size());
  if (heightBelow > 0) {
    const QRect room(0, picture->height(), picture->width(), heightBelow);
    painter.resetTransform();
    painter.setOpacity(1);
    painter.fillRect(room, Colours(picture->palette()).surface());
    paintBelowPicture(painter, *picture, room);
  }
  painter.end();
}

std::string svgOf(QWidget* picture, const PaintPicture& paint, int heightBelow) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  writeSvg(picture, paint, buffer, heightBelow);
  return buffer.data().toStdString();
}

QString askForPath(QWidget* picture, const QString& name, const QString& ending, const QString& filter) {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
  return askFileToWrite(picture->window(), u"Save picture"_s, QDir(folder).filePath(name + QLatin1Char('.') + ending),
                        ending, filter);
}

void tellNotWritten(QWidget* picture, const QString& path) {
  QMessageBox::warning(picture->window(), u"Save picture"_s,
                       u"%1 could not be written."_s.arg(QDir::toNativeSeparators(path)));
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

bool writePictureSvg(QWidget* picture, const PaintPicture& paint, const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) return false;
  writeSvg(picture, paint, file);
  return file.flush() && file.error() == QFileDevice::NoError;
}

engine::ReviewPage picturePage(QWidget* picture, const PaintPicture& paint, const QString& otherwiseNamed,
                               PictureContents contents) {
  const int heightBelow = qCeil(heightBelowPicture(*picture, picture->width()));
  engine::ReviewPicture drawn{.svg = svgOf(picture, paint, heightBelow),
                              .width = picture->width() * kPointsPerPixel,
                              .height = (picture->height() + heightBelow) * kPointsPerPixel};
  drawn.holdsContents = contents == PictureContents::MayShow;
  if (contents == PictureContents::Hides) {
    const HiddenContents hidden;
    std::string without = svgOf(picture, paint, heightBelow);
    drawn.holdsContents = without != drawn.svg;
    if (drawn.holdsContents) drawn.redactedSvg = std::move(without);
  }
  QString title = picture->accessibleName().isEmpty() ? otherwiseNamed : picture->accessibleName();
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  return {.title = title.toStdString(), .content = std::move(drawn)};
}

void addPictureActions(QWidget* picture, const PaintPicture& paint, const QString& suggestedName,
                       PictureContents contents) {
  offerActions(picture);
  QAction* copy = addAction(picture, u"copy"_s, u"Copy picture"_s,
                            [picture, paint] { QGuiApplication::clipboard()->setImage(pictureImage(picture, paint)); });
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  addAction(picture, u"save"_s, u"Save as PNG…"_s, [picture, paint, suggestedName] {
    const QString path = askForPath(picture, suggestedName, u"png"_s, u"PNG pictures (*.png)"_s);
    if (!path.isEmpty() && !pictureImage(picture, paint).save(path, "PNG")) tellNotWritten(picture, path);
  });
  addAction(picture, u"save"_s, u"Save as SVG…"_s, [picture, paint, suggestedName] {
    const QString path = askForPath(picture, suggestedName, u"svg"_s, u"SVG pictures (*.svg)"_s);
    if (!path.isEmpty() && !writePictureSvg(picture, paint, path)) tellNotWritten(picture, path);
  });
  addPinAction(picture, [picture, paint, suggestedName, contents] {
    return picturePage(picture, paint, suggestedName, contents);
  });
}

}  // namespace heapscape::gui
