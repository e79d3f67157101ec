// SPDX-License-Identifier: MIT
#include "views/start/dump_button.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QPainter>

#include "bridge/file_work.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr int kDumpButtonMargin = 12;

QString folderText(const QFileInfo& file) {
  QString folder = file.absolutePath();
  const QString home = QDir::homePath();
  if (folder == home || folder.startsWith(home + QLatin1Char('/'))) folder.replace(0, home.size(), u"~"_s);
  return QDir::toNativeSeparators(folder);
}

QString dateText(const QDateTime& date) {
  if (date.date() == QDate::currentDate())
    return u"today %1"_s.arg(QLocale().toString(date.time(), QLocale::ShortFormat));
  return QLocale().toString(date.date(), QLocale::ShortFormat);
}

}  // namespace

DumpButton::DumpButton(const QString& path, const QString& symbol, QWidget* parent)
    : PaintedButton(parent), m_path(path), m_symbol(symbol) {
  const QFileInfo file(path);
  m_name = file.fileName();
  m_note = folderText(file);
  setToolTip(QDir::toNativeSeparators(path));
  askForFiles({path}, this, [this](const std::vector<FileFacts>& files) { show(files.front()); });
  setText(m_name);
  setAccessibleName(u"Open %1"_s.arg(m_name));
  setAccessibleDescription(m_note);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setLeadsSomewhere(true);
}

void DumpButton::show(const FileFacts& file) {
  if (file.isThere) {
    m_size = bytesText(file.sizeBytes);
    m_date = m_hasNote ? QString() : dateText(file.written);
    setToolTip(QDir::toNativeSeparators(m_path) + QLatin1Char('\n') + exactBytesText(file.sizeBytes));
  } else {
    m_date = u"no longer there"_s;
    setToolTip(u"%1 is no longer there."_s.arg(QDir::toNativeSeparators(m_path)));
    setEnabled(false);
  }
  update();
}

void DumpButton::setTitle(const QString& title) {
  m_name = title;
  m_isFramed = true;
  setText(title);
  setAccessibleName(title);
  update();
}

void DumpButton::setNote(const QString& note) {
  m_note = note;
  m_hasNote = true;
  setAccessibleDescription(note);
  update();
}

QSize DumpButton::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 48, qRound(fontMetrics().height() * 2.2) + kDumpButtonMargin + 4};
}

QSize DumpButton::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 28, sizeHint().height()};
}

void DumpButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  paintGround(painter);
  if (m_isFramed) {
    painter.setPen(palette().color(QPalette::Highlight));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  }
  const QColor strong = isEnabled() ? palette().color(QPalette::WindowText) : colours.dimmedText();
  const QColor weak = colours.dimmedText();
  const int side = qRound(fontMetrics().height() * 1.4);
  painter.drawPixmap(QPoint(kDumpButtonMargin, (height() - side) / 2),
                     symbolPixmap(m_symbol, weak, side, devicePixelRatioF()));

  const int line = qRound(fontMetrics().height() * 1.1);
  const QRect body = rect().adjusted(kDumpButtonMargin * 2 + side, 0, -kDumpButtonMargin, 0);
  const int top = (height() - 2 * line) / 2;
  const QRect upper(body.x(), top, body.width(), line);
  const QRect lower(body.x(), top + line, body.width(), line);
  const auto roomBeside = [&](const QString& figure) {
    return body.width() - (figure.isEmpty() ? 0 : fontMetrics().horizontalAdvance(figure) + kDumpButtonMargin);
  };

  painter.setPen(weak);
  painter.drawText(m_size.isEmpty() ? QRect(body.x(), top, body.width(), 2 * line) : lower,
                   Qt::AlignRight | Qt::AlignVCenter, m_date);
  painter.drawText(lower, Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(m_note, Qt::ElideMiddle, roomBeside(m_date)));
  painter.drawText(upper, Qt::AlignRight | Qt::AlignVCenter, m_size);
  const int nameRoom = roomBeside(m_size.isEmpty() ? m_date : m_size);
  painter.setFont(scaledFont(font(), 1, QFont::DemiBold));
  painter.setPen(strong);
  painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(m_name, Qt::ElideMiddle, nameRoom));
}

}  // namespace heapscape::gui
