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
      u"Shows a .NET program's memory from a Linux core dump, "
      "or how the types of an assembly are laid out."_s);
  parser.addPositionalArgument(
      u"dump"_s,
      u"Core dump or .gcdump file to open, plain or in .zst, .gz, .xz, .lz4 or .tar, an assembly or a saved review."_s,
      u"[FILE]"_s);
  parser.addOptions({
      {u"theme"_s, u"Colours: system, light, dark or contrast."_s, u"THEME"_s},
      {u"place"_s, u"Place to show: %1."_s.arg(placeNames().join(u", "_s)), u"PLACE"_s},
      {u"screenshot"_s, u"Write a picture of the window once all that it shows is there, and quit."_s, u"FILE"_s},
  });
  parser.addHelpOption();
  parser.addVersionOption();
  return parser;
}

// Qt takes the program's name from the application, which there is none of yet.
QString helpOf(const QCommandLineParser& parser) {
  const QString text = parser.helpText().trimmed();
  return u"Usage: heapscape [options] [FILE]"_s + text.mid(text.indexOf(QLatin1Char('\n')));
}

ParsedCommandLine refuse(const QString& why) {
  return {{}, u"heapscape: %1 Run heapscape --help for the options."_s.arg(why), kWrongUsage};
}

}  // namespace

ParsedCommandLine parseCommandLine(const QStringList& arguments) {
  QCommandLineParser parser;
  if (!describe(parser).parse(arguments)) return refuse(parser.errorText());
  if (parser.isSet(u"help"_s) || parser.isSet(u"help-all"_s)) return {{}, helpOf(parser), 0};
  if (parser.isSet(u"version"_s)) {
    return {{}, u"heapscape %1"_s.arg(QStringLiteral(HEAPSCAPE_VERSION)), 0};
  }
  const QStringList dumps = parser.positionalArguments();
  if (dumps.size() > 1) return refuse(u"One file at a time."_s);

  CommandLine line;
  if (!dumps.isEmpty()) line.dump = QFileInfo(dumps.first()).absoluteFilePath();
  line.screenshot = parser.value(u"screenshot"_s);
  if (const QString name = parser.value(u"theme"_s); !name.isEmpty()) {
    Theme theme{};
    if (!tryParseTheme(name, theme)) return refuse(u"There is no theme \"%1\"."_s.arg(name));
    line.theme = theme;
  }
  if (const QString name = parser.value(u"place"_s); !name.isEmpty()) {
    line.place = placeByName(name);
    if (!line.place) return refuse(u"There is no place \"%1\"."_s.arg(name));
  }
  return {line, {}, 0};
}

}  // namespace heapscape::gui
