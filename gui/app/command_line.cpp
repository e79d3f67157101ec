// SPDX-License-Identifier: MIT
#include "app/command_line.h"

#include <QCommandLineParser>
#include <QFileInfo>

#include "app/place_info.h"

namespace heapscape::gui {

namespace {

constexpr int kWrongUsage = 2;

QCommandLineParser& describe(QCommandLineParser& parser) {
  parser.setApplicationDescription(
      QStringLiteral("Shows a .NET program's memory from a Linux core dump, "
                     "or how the types of an assembly are laid out."));
  parser.addPositionalArgument(
      QStringLiteral("dump"),
      QStringLiteral("Core dump to open, plain or in .zst, .gz, .xz, .lz4 or .tar, an assembly or a saved review."),
      QStringLiteral("[FILE]"));
  parser.addOptions({
      {QStringLiteral("theme"), QStringLiteral("Colours: system, light, dark or contrast."), QStringLiteral("THEME")},
      {QStringLiteral("place"), QStringLiteral("Place to show: %1.").arg(placeNames().join(QStringLiteral(", "))),
       QStringLiteral("PLACE")},
      {QStringLiteral("screenshot"),
       QStringLiteral("Write a picture of the window once all that it shows is there, and quit."),
       QStringLiteral("FILE")},
  });
  parser.addHelpOption();
  parser.addVersionOption();
  return parser;
}

// Qt takes the program's name from the application, which there is none of yet.
QString helpOf(const QCommandLineParser& parser) {
  const QString text = parser.helpText().trimmed();
  return QStringLiteral("Usage: heapscape [options] [FILE]") + text.mid(text.indexOf(QLatin1Char('\n')));
}

ParsedCommandLine refuse(const QString& why) {
  return {{}, QStringLiteral("heapscape: %1 Run heapscape --help for the options.").arg(why), kWrongUsage};
}

}  // namespace

ParsedCommandLine parseCommandLine(const QStringList& arguments) {
  QCommandLineParser parser;
  if (!describe(parser).parse(arguments)) return refuse(parser.errorText());
  if (parser.isSet(QStringLiteral("help"))) return {{}, helpOf(parser), 0};
  if (parser.isSet(QStringLiteral("version"))) {
    return {{}, QStringLiteral("heapscape %1").arg(QStringLiteral(HEAPSCAPE_VERSION)), 0};
  }
  const QStringList dumps = parser.positionalArguments();
  if (dumps.size() > 1) return refuse(QStringLiteral("One file at a time."));

  CommandLine line;
  if (!dumps.isEmpty()) line.dump = QFileInfo(dumps.first()).absoluteFilePath();
  line.screenshot = parser.value(QStringLiteral("screenshot"));
  if (const QString name = parser.value(QStringLiteral("theme")); !name.isEmpty()) {
    Theme theme{};
    if (!tryParseTheme(name, theme)) return refuse(QStringLiteral("There is no theme \"%1\".").arg(name));
    line.theme = theme;
  }
  if (const QString name = parser.value(QStringLiteral("place")); !name.isEmpty()) {
    line.place = placeByName(name);
    if (!line.place) return refuse(QStringLiteral("There is no place \"%1\".").arg(name));
  }
  return {line, {}, 0};
}

}  // namespace heapscape::gui
