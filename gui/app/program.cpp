// SPDX-License-Identifier: MIT
#include "app/program.h"

#include <QApplication>
#include <QFile>
#include <QTimer>
#include <cstdio>

#include "app/command_line.h"
#include "app/desktop_scheme.h"
#include "app/main_window.h"
#include "print/review_pdf.h"
#include "review/board_file.h"

namespace heapscape::gui {

namespace {

// Time for the places to get their answers and for what moves to come to rest.
constexpr int kSettleMilliseconds = 1200;

void takeScreenshot(MainWindow& window, const QString& path) {
  QTimer::singleShot(kSettleMilliseconds, &window, [&window, path] {
    const bool isWritten = window.grab().save(path);
    if (!isWritten) std::fprintf(stderr, "heapscape: %s could not be written.\n", qPrintable(path));
    QApplication::exit(isWritten ? 0 : 1);
  });
}

}  // namespace

int printReview(const CommandLine& line) {
  const auto board = engine::loadBoard(QFile::encodeName(line.printedReview).toStdString());
  if (!board) {
    std::fprintf(stderr, "heapscape: %s\n", board.error().message().c_str());
    return 1;
  }
  if (writeReviewPdf(*board, line.pdf)) return 0;
  std::fprintf(stderr, "heapscape: %s could not be written.\n", qPrintable(line.pdf));
  return 1;
}

int runProgram(QApplication& application, const CommandLine& line) {
  DesktopScheme scheme;
  Settings settings = loadSettings();
  if (line.theme) settings.theme = *line.theme;
  MainWindow window(settings, scheme);
  if (line.place) window.setFirstPlace(*line.place);
  if (!line.screenshot.isEmpty()) {
    QObject::connect(&window, &MainWindow::settled, &window, [&] { takeScreenshot(window, line.screenshot); });
    if (line.dump.isEmpty()) takeScreenshot(window, line.screenshot);
  } else {
    QObject::connect(&application, &QApplication::aboutToQuit, &window, [&] {
      Settings kept = window.settings();
      if (line.theme && kept.theme == *line.theme) kept.theme = loadSettings().theme;  // meant for this run alone
      saveSettings(kept);
    });
  }
  window.show();
  if (!line.dump.isEmpty()) window.open(line.dump);
  return QApplication::exec();
}

}  // namespace heapscape::gui
