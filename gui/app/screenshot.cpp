// SPDX-License-Identifier: MIT
#include "app/screenshot.h"

#include <QPixmap>

#include "app/main_window.h"

namespace heapscape::gui {

namespace {

constexpr int kLookEachMs = 50;
// So long without a question, for lists that ask after a short rest, and for what moves to come to its end.
constexpr int kRestMs = 800;

}  // namespace

Screenshot::Screenshot(MainWindow& window, const QString& path, bool isOpening)
    : m_window(window), m_path(path), m_isAwaited(isOpening) {
  connect(&window.bridge(), &EngineBridge::openStarted, this, [this] { m_isAwaited = false; });
  connect(&window, &MainWindow::settled, this, [this] { m_isAwaited = false; });
  connect(&window, &MainWindow::refused, this, [this](const QString& why) { m_refusal = why; });
  connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
  m_timer.start(kLookEachMs);
}

void Screenshot::look() {
  m_restingMs = !m_isAwaited && m_window.bridge().isAtRest() ? m_restingMs + kLookEachMs : 0;
  if (m_restingMs < kRestMs) return;
  m_timer.stop();
  const bool isWritten = m_window.grab().save(m_path);
  Q_EMIT taken(isWritten ? m_refusal : u"%1 could not be written."_s.arg(m_path));
}

}  // namespace heapscape::gui
