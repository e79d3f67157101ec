// SPDX-License-Identifier: MIT
#include "frames/metered_application.h"

#include <QThread>

namespace heapscape::gui {

namespace {

// The part that a list or page scrolls in has no name of its own.
FramePart partOf(const QObject* receiver, QEvent::Type event) {
  while (receiver->parent() && receiver->objectName().startsWith(QLatin1String("qt_"))) receiver = receiver->parent();
  return {.event = event, .receiver = receiver->metaObject()->className(), .name = receiver->objectName()};
}

}  // namespace

bool MeteredApplication::notify(QObject* receiver, QEvent* event) {
  if (!m_meter || !receiver || QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
  FrameMeter* const meter = m_meter;  // who takes it away within an event still gets its end
  meter->begin(partOf(receiver, event->type()), thread()->loopLevel(), frameTimeNow());
  const bool isHandled = QApplication::notify(receiver, event);
  meter->end(frameTimeNow());
  return isHandled;
}

}  // namespace heapscape::gui
