// SPDX-License-Identifier: MIT
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <csignal>
#include <cstdio>
#include <optional>

#include "app/command_line.h"
#include "app/desktop/desktop_settings.h"
#include "app/main_window.h"
#include "app/screenshot.h"
#include "app/windows.h"

namespace heapscape::gui {

namespace {

// Parsed before there is a window, so that --help works where there is no display.
ParsedCommandLine parse(int argc, char** argv) {
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  return parseCommandLine(arguments);
}

/// On a system without fonts takes those that an archive for any Linux has beside the program.
void useOwnFontsWhereThereAreNone() {
  if (QFile::exists(u"/etc/fonts/fonts.conf"_s) || qEnvironmentVariableIsSet("FONTCONFIG_PATH")) return;
  const QFileInfo program(QFile::symLinkTarget(u"/proc/self/exe"_s));
  const QString own = program.dir().filePath(u"../etc/fonts"_s);
  if (QFile::exists(own + u"/fonts.conf"_s)) qputenv("FONTCONFIG_PATH", QFile::encodeName(own));
}

/// Shows the window and runs until it is closed; the exit status.
int runProgram(QApplication& application, const CommandLine& line) {
  nameSettings();
  DesktopScheme scheme;
  Settings settings = loadSettings();
  if (line.theme) settings.theme = *line.theme;
  const bool isForScreenshot = !line.screenshot.isEmpty();
  Windows windows(settings, scheme, isForScreenshot ? std::nullopt : std::optional(QString()), line.theme);
  MainWindow& window = windows.add();
  const DesktopMotion motion;  // of the style that the window has put on
  if (line.place) window.setFirstPlace(*line.place);
  std::optional<Screenshot> screenshot;
  if (isForScreenshot) {
    window.resize(MainWindow::kUsualSize);  // whatever the screen is
    screenshot.emplace(window, line.screenshot, !line.dump.isEmpty());
    QObject::connect(&*screenshot, &Screenshot::taken, &application, [](const QString& trouble) {
      if (!trouble.isEmpty()) std::fprintf(stderr, "heapscape: %s\n", qPrintable(trouble));
      QApplication::exit(trouble.isEmpty() ? 0 : 1);
    });
  }
  window.show();
  if (!line.dump.isEmpty()) {
    window.open(line.dump);
  } else if (settings.reopensLast && !isForScreenshot) {
    window.continueSession();
  }
  return QApplication::exec();
}

}  // namespace

}  // namespace heapscape::gui

int main(int argc, char** argv) {
  using namespace heapscape::gui;
  QCoreApplication::setApplicationName(u"heapscape"_s);
  QGuiApplication::setDesktopFileName(u"heapscape"_s);
  QGuiApplication::setApplicationDisplayName(u"Heapscape"_s);
  const auto line = parse(argc, argv);
  if (!line.value) {
    std::fprintf(line.exitStatus == 0 ? stdout : stderr, "%s\n", qPrintable(line.text));
    return line.exitStatus;
  }
  // A limit on file sizes shall be an error of decompression, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  useOwnFontsWhereThereAreNone();
  QApplication application(argc, argv);
  return runProgram(application, *line.value);
}
