// SPDX-License-Identifier: MIT
#include <QApplication>
#include <csignal>
#include <cstdio>

#include "app/command_line.h"
#include "app/program.h"

namespace {

// Parsed before there is a window, so that --help works where there is no display.
heapscape::gui::ParsedCommandLine parse(int argc, char** argv) {
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  return heapscape::gui::parseCommandLine(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  QCoreApplication::setApplicationName(QStringLiteral("heapscape"));
  QGuiApplication::setDesktopFileName(QStringLiteral("heapscape"));
  QGuiApplication::setApplicationDisplayName(QStringLiteral("Heapscape"));
  const auto line = parse(argc, argv);
  if (!line.value) {
    std::fprintf(line.exitStatus == 0 ? stdout : stderr, "%s\n", qPrintable(line.text));
    return line.exitStatus;
  }
  // A limit on file sizes shall be an error of decompression, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  const bool isPrinting = !line.value->printedReview.isEmpty();
  if (isPrinting) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  if (isPrinting) return heapscape::gui::printReview(*line.value);
  return heapscape::gui::runProgram(application, *line.value);
}
