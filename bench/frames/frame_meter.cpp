// SPDX-License-Identifier: MIT
#include "frames/frame_meter.h"

#include <unistd.h>

#include <QMetaEnum>
#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

namespace heapscape::gui {

namespace {

// With nothing to do for longer than this, the window would have taken input.
constexpr double kPauseMs = 0.5;

double millisecondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

bool isFromOutside(QEvent::Type event) {
  switch (event) {
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
    case QEvent::ShortcutOverride:
    case QEvent::Wheel:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove:
    case QEvent::Resize:
      return true;
    default:
      return false;
  }
}

}  // namespace

FrameTime& FrameTime::operator+=(const FrameTime& other) {
  wall += other.wall;
  processor += other.processor;
  return *this;
}

FrameTime FrameTime::operator-(const FrameTime& other) const {
  return {wall - other.wall, processor - other.processor};
}

FrameTime frameTimeNow() {
  return {millisecondsOf(CLOCK_MONOTONIC), millisecondsOf(CLOCK_THREAD_CPUTIME_ID)};
}

// The kernel has it as the 22nd field, in ticks since the machine came up; the second one is in parentheses and may
// hold anything.
double processStart() {
  std::ifstream file("/proc/self/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string field;
  for (int index = 3; index < 22; ++index) fields >> field;
  double ticks = 0;
  fields >> ticks;
  const double sinceBoot = ticks * 1e3 / static_cast<double>(sysconf(_SC_CLK_TCK));
  return sinceBoot - millisecondsOf(CLOCK_BOOTTIME) + millisecondsOf(CLOCK_MONOTONIC);
}

bool FramePart::operator<(const FramePart& other) const {
  const int classes = std::strcmp(receiver, other.receiver);
  return std::tie(event, name) == std::tie(other.event, other.name)
             ? classes < 0
             : std::tie(event, name) < std::tie(other.event, other.name);
}

QString FramePart::text() const {
  const char* key = QMetaEnum::fromType<QEvent::Type>().valueToKey(event);
  const QString kind = key ? QString::fromLatin1(key) : QStringLiteral("event %1").arg(static_cast<int>(event));
  const QString whole = QStringLiteral("%1 of %2").arg(kind, QString::fromLatin1(receiver));
  return name.isEmpty() ? whole : whole + QLatin1Char(' ') + name;
}

void FrameMeter::begin(FramePart part, int loopLevel, FrameTime now) {
  const bool isInNewLoop = !m_running.empty() && loopLevel > m_running.back().loopLevel;
  if (isInNewLoop) {
    for (Running& around : m_running) around.hasLoop = true;
  }
  const bool isOutermost = m_running.empty() || isInNewLoop;
  if (isOutermost && m_hasFrame && now.wall - m_restingSince.wall > kPauseMs) endFrame();
  m_running.push_back({.part = std::move(part), .loopLevel = loopLevel, .since = now, .isOutermost = isOutermost});
}

void FrameMeter::end(FrameTime now) {
  const Running ended = std::move(m_running.back());
  m_running.pop_back();
  m_restingSince = now;
  if (ended.hasLoop) return;
  const FrameTime whole = now - ended.since;
  if (!ended.isOutermost) m_running.back().ofNested += whole;
  add(ended, whole);
}

void FrameMeter::add(const Running& event, FrameTime whole) {
  const FrameTime own = whole - event.ofNested;
  m_times.parts[event.part].push_back(own);
  if (!m_hasFrame) m_frame = {};
  m_hasFrame = true;
  if (own.processor > m_frame.ofCostliest.processor || m_frame.costliest.event == QEvent::None) {
    m_frame.costliest = event.part;
    m_frame.ofCostliest = own;
  }
  if (event.part.event == QEvent::Paint) m_frame.hasPainted = true;
  if (!event.isOutermost) return;
  if (m_frame.cause == QEvent::None || (isFromOutside(event.part.event) && !isFromOutside(m_frame.cause)))
    m_frame.cause = event.part.event;
  m_frame.time += whole;
  if (m_frame.hasPainted) endFrame();
}

void FrameMeter::endFrame() {
  if (m_frame.hasPainted && m_firstPaint.wall == 0) m_firstPaint = m_restingSince;
  m_times.frames.push_back(std::exchange(m_frame, {}));
  m_hasFrame = false;
}

FrameTimes FrameMeter::take() {
  if (m_hasFrame && m_running.empty()) endFrame();
  m_times.firstPaint = m_firstPaint;
  return std::exchange(m_times, {});
}

}  // namespace heapscape::gui
