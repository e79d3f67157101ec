// SPDX-License-Identifier: MIT
#include "bridge/mailbox.h"

#include <QCoreApplication>
#include <QEvent>
#include <utility>

namespace heapscape::gui {

void Mailbox::post(Call call) {
  {
    const std::scoped_lock lock(m_mutex);
    m_calls.push_back(std::move(call));
  }
  QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

// One call for one event, so that what people do comes in between.
void Mailbox::customEvent(QEvent*) {
  Call call;
  {
    const std::scoped_lock lock(m_mutex);
    call = std::move(m_calls.front());
    m_calls.pop_front();
  }
  call();
}

}  // namespace heapscape::gui
