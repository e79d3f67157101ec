// SPDX-License-Identifier: MIT
// heapscape-frames DUMP [REPORTS [PLACE [OTHER]]]: frames of the window by what is done in it, a row each; with a
// folder, the whole report of each row goes there. With another word for the place the dump is opened only, with an
// empty one all places are visited. OTHER is a dump to compare with.
#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <cstdio>
#include <memory>

#include "app/desktop/desktop_settings.h"
#include "app/main_window.h"
#include "frames/frame_driver.h"
#include "frames/frame_report.h"
#include "frames/metered_application.h"

namespace heapscape::bench {
namespace {

std::vector<gui::FrameTime> timesOf(const gui::FrameTimes& times) {
  std::vector<gui::FrameTime> all;
  for (const gui::Frame& frame : times.frames) all.push_back(frame.time);
  return all;
}

QString costliestOf(const gui::FrameTimes& times) {
  const auto longest =
      std::ranges::max_element(times.frames, {}, [](const auto& frame) { return frame.time.processor; });
  return longest == times.frames.end() ? QString() : longest->costliest.text();
}

void print(const FrameRow& row) {
  const gui::FrameFigures figures = gui::FrameFigures::of(timesOf(row.times));
  std::printf("%-44s %-12s %6zu %7.2f %7.2f %7.2f %8.2f %4zu  %s\n", qPrintable(row.where), qPrintable(row.what),
              figures.count, figures.median.processor, figures.p99.processor, figures.longest.processor,
              figures.longest.wall, figures.over, qPrintable(costliestOf(row.times)));
  std::fflush(stdout);
}

void writeReport(const QString& folder, std::size_t number, const FrameRow& row) {
  QFile file(QDir(folder).filePath(QStringLiteral("%1.tsv").arg(number, 3, 10, QLatin1Char('0'))));
  if (!file.open(QIODevice::WriteOnly)) return;
  file.write((row.where + QLatin1Char(' ') + row.what + QLatin1Char('\n') + gui::frameReport(row.times)).toUtf8());
}

int run(gui::MeteredApplication& application, const QStringList& arguments) {
  gui::DesktopScheme scheme;
  gui::Settings settings;
  settings.theme = gui::Theme::Light;
  gui::FrameMeter meter;
  application.setMeter(&meter);
  const gui::FrameTime before = gui::frameTimeNow();
  auto made = std::make_unique<gui::MainWindow>(settings, scheme);
  gui::MainWindow& window = *made;
  const gui::DesktopMotion motion;
  window.resize(1440, 900);
  window.show();
  window.activateWindow();
  const gui::FrameTime making = gui::frameTimeNow() - before;
  std::printf("milliseconds; cpu is the processor time of the GUI thread\n%-44s %-12s %6s %7s %7s %7s %8s %4s\n",
              "where", "what", "frames", "median", "p99", "longest", "wall", ">16");
  std::size_t rows = 0;
  gui::FrameTime firstPaint;
  FrameDriver driver(window, meter, [&](const FrameRow& row) {
    print(row);
    if (firstPaint.wall == 0) firstPaint = row.times.firstPaint;
    if (arguments.size() > 2) writeReport(arguments.at(2), ++rows, row);
  });
  driver.run(arguments.at(1), arguments.value(3), arguments.value(4));
  application.setMeter(nullptr);
  const gui::FrameTime open = gui::frameTimeNow();
  made.reset();
  const gui::FrameTime closing = gui::frameTimeNow() - open;
  std::printf(
      "first paint %.0f ms after the start of the process (cpu %.0f ms); open to the last insight after %.0f ms\n",
      firstPaint.wall - gui::processStart(), firstPaint.processor, driver.openedMs());
  std::printf("the window is made in %.0f ms (cpu %.0f ms) and gone in %.0f ms (cpu %.0f ms)\n", making.wall,
              making.processor, closing.wall, closing.processor);
  return 0;
}

}  // namespace
}  // namespace heapscape::bench

int main(int argc, char** argv) {
  // Settings and reviews of its own.
  const QTemporaryDir home;
  for (const char* folder : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
    qputenv(folder, QFile::encodeName(home.path()));
  heapscape::gui::MeteredApplication application(argc, argv);
  const QStringList arguments = QCoreApplication::arguments();
  if (arguments.size() >= 2) return heapscape::bench::run(application, arguments);
  std::fprintf(stderr, "usage: heapscape-frames DUMP [REPORTS [PLACE [OTHER]]]\n");
  return 2;
}
