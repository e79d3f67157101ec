// SPDX-License-Identifier: MIT
#include "bridge/release_later.h"

#include <QCoreApplication>
#include <QPointer>
#include <utility>

#include "bridge/engine_thread.h"
#include "bridge/mailbox.h"

namespace heapscape::gui {

namespace {

/// Goes with the application.
class Releaser : public Mailbox {
 public:
  static Releaser& instance() {
    static QPointer<Releaser> releaser;
    if (!releaser) (releaser = new Releaser)->setParent(QCoreApplication::instance());
    return *releaser;
  }

  // Behind this event, when nobody on this thread holds it any more.
  void release(std::shared_ptr<const void> held) {
    post([this, held = std::move(held)]() mutable { m_thread.post([held = std::move(held)] {}); });
  }

 private:
  EngineThread m_thread;
};

}  // namespace

void releaseLater(std::shared_ptr<const void> held) {
  if (held) Releaser::instance().release(std::move(held));
}

}  // namespace heapscape::gui
