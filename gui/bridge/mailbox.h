// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <deque>
#include <functional>
#include <mutex>

namespace heapscape::gui {

/// Carries calls from any thread to the one that the mailbox was made on, in the order in which they were posted. What
/// has not been called when it goes is dropped.
class Mailbox : public QObject {
 public:
  using Call = std::function<void()>;

  /// On any thread, for as long as the mailbox is there.
  void post(Call call);

 protected:
  void customEvent(QEvent* event) override;

 private:
  std::mutex m_mutex;  // of its own, since what Qt locks for its events the thread sanitizer does not see
  std::deque<Call> m_calls;
};

}  // namespace heapscape::gui
