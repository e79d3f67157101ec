// SPDX-License-Identifier: MIT
#include "frames/frame_report.h"

#include <QMetaEnum>
#include <QStringList>
#include <algorithm>
#include <utility>

namespace heapscape::gui {

namespace {

constexpr std::size_t kMostFrames = 40;
constexpr std::size_t kMostParts = 100;

double at(std::vector<double>& values, double share) {
  const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(index), values.end());
  return values[index];
}

QString number(double milliseconds) {
  return QString::number(milliseconds, 'f', 2);
}

QStringList fields(const FrameFigures& figures) {
  return {QString::number(figures.count),    number(figures.median.processor), number(figures.p99.processor),
          number(figures.longest.processor), number(figures.median.wall),      number(figures.p99.wall),
          number(figures.longest.wall),      QString::number(figures.over)};
}

QString line(const QStringList& fields) {
  return fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
}

QString nameOf(QEvent::Type event) {
  const char* key = QMetaEnum::fromType<QEvent::Type>().valueToKey(event);
  return key ? QString::fromLatin1(key) : QString::number(static_cast<int>(event));
}

const QStringList kFigureNames = {QStringLiteral("count"),        QStringLiteral("median cpu"),
                                  QStringLiteral("p99 cpu"),      QStringLiteral("longest cpu"),
                                  QStringLiteral("median wall"),  QStringLiteral("p99 wall"),
                                  QStringLiteral("longest wall"), QStringLiteral("cpu over %1").arg(kFrameMs)};

QString byCause(const FrameTimes& times) {
  std::map<QEvent::Type, std::vector<FrameTime>> causes;
  for (const Frame& frame : times.frames) causes[frame.cause].push_back(frame.time);
  QString text = line(QStringList(QStringLiteral("frames by their first event")) + kFigureNames);
  for (auto& [cause, of] : causes) text += line(QStringList(nameOf(cause)) + fields(FrameFigures::of(std::move(of))));
  return text;
}

QString longest(const FrameTimes& times) {
  std::vector<Frame> frames = times.frames;
  std::ranges::stable_sort(frames, std::greater(), [](const Frame& frame) { return frame.time.processor; });
  if (frames.size() > kMostFrames) frames.resize(kMostFrames);
  QString text = line({QStringLiteral("longest frames"), QStringLiteral("cpu"), QStringLiteral("wall"),
                       QStringLiteral("costliest part"), QStringLiteral("its cpu")});
  for (const Frame& frame : frames) {
    text += line({nameOf(frame.cause), number(frame.time.processor), number(frame.time.wall), frame.costliest.text(),
                  number(frame.ofCostliest.processor)});
  }
  return text;
}

QString byPart(const FrameTimes& times) {
  std::vector<std::pair<FramePart, FrameFigures>> parts;
  for (const auto& [part, of] : times.parts) parts.emplace_back(part, FrameFigures::of(of));
  std::ranges::stable_sort(parts, std::greater(), [](const auto& part) { return part.second.longest.processor; });
  if (parts.size() > kMostParts) parts.resize(kMostParts);
  QString text = line(QStringList(QStringLiteral("parts")) + kFigureNames);
  for (const auto& [part, figures] : parts) text += line(QStringList(part.text()) + fields(figures));
  return text;
}

}  // namespace

FrameFigures FrameFigures::of(std::vector<FrameTime> times) {
  FrameFigures figures;
  figures.count = times.size();
  if (times.empty()) return figures;
  for (double FrameTime::*clock : {&FrameTime::wall, &FrameTime::processor}) {
    std::vector<double> values;
    values.reserve(times.size());
    for (const FrameTime& time : times) values.push_back(time.*clock);
    figures.median.*clock = at(values, 0.5);
    figures.p99.*clock = at(values, 0.99);
    figures.longest.*clock = at(values, 1);
  }
  figures.over = static_cast<std::size_t>(
      std::ranges::count_if(times, [](const FrameTime& time) { return time.processor > kFrameMs; }));
  return figures;
}

QString frameReport(const FrameTimes& times) {
  return QStringLiteral("Milliseconds; cpu is the processor time of the GUI thread.\n") +
         line({QStringLiteral("first paint after"), number(times.firstPaint.wall - processStart()),
               QStringLiteral("cpu"), number(times.firstPaint.processor)}) +
         QLatin1Char('\n') + byCause(times) + QLatin1Char('\n') + longest(times) + QLatin1Char('\n') + byPart(times);
}

}  // namespace heapscape::gui
