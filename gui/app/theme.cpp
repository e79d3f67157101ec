// SPDX-License-Identifier: MIT
#include "app/theme.h"

#include <QApplication>
#include <QFile>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>
#include <array>
#include <map>
#include <utility>

static void initThemeResources() {
  Q_INIT_RESOURCE(themes);
}

namespace heapscape::gui {

namespace {

/// Everything but the data is grey, and one accent says what is picked.
struct Tones {
  QRgb window, base, alternate, text, dimmed, disabled, button, hover, pressed, selected, edge, line, handle,
      handleHover;
  QRgb accent, accentHover, onAccent, tip, tipText;
};

constexpr Tones kLight{.window = 0xffF5F6F8,
                       .base = 0xffFFFFFF,
                       .alternate = 0xffFAFBFC,
                       .text = 0xff1F2328,
                       .dimmed = 0xff636B75,
                       .disabled = 0xffA3AAB3,
                       .button = 0xffFFFFFF,
                       .hover = 0xffEBEDF0,
                       .pressed = 0xffDFE2E7,
                       .selected = 0xffE6E3FA,
                       .edge = 0xffCDD2D9,
                       .line = 0xffE4E7EB,
                       .handle = 0xffCDD2D9,
                       .handleHover = 0xffA9B0BA,
                       .accent = 0xff5B4FC9,
                       .accentHover = 0xff6A5FD6,
                       .onAccent = 0xffFFFFFF,
                       .tip = 0xffFFFFFF,
                       .tipText = 0xff1F2328};

constexpr Tones kDark{.window = 0xff14161A,
                      .base = 0xff1B1E23,
                      .alternate = 0xff1F2328,
                      .text = 0xffE4E7EB,
                      .dimmed = 0xff9AA3AF,
                      .disabled = 0xff5F6772,
                      .button = 0xff262A31,
                      .hover = 0xff2A2F37,
                      .pressed = 0xff343A44,
                      .selected = 0xff36325F,
                      .edge = 0xff3B424D,
                      .line = 0xff2B3038,
                      .handle = 0xff3B424D,
                      .handleHover = 0xff5C6470,
                      .accent = 0xff9D93FF,
                      .accentHover = 0xffB1A9FF,
                      .onAccent = 0xff14161A,
                      .tip = 0xff2A2F37,
                      .tipText = 0xffE4E7EB};

QPalette paletteOf(const Tones& tones) {
  const std::array<std::pair<QPalette::ColorRole, QRgb>, 20> roles{{
      {QPalette::Window, tones.window},
      {QPalette::WindowText, tones.text},
      {QPalette::Base, tones.base},
      {QPalette::AlternateBase, tones.alternate},
      {QPalette::Text, tones.text},
      {QPalette::PlaceholderText, tones.dimmed},
      {QPalette::Button, tones.button},
      {QPalette::ButtonText, tones.text},
      {QPalette::BrightText, tones.onAccent},
      {QPalette::Highlight, tones.accent},
      {QPalette::HighlightedText, tones.onAccent},
      {QPalette::Link, tones.accent},
      {QPalette::LinkVisited, tones.accent},
      {QPalette::ToolTipBase, tones.tip},
      {QPalette::ToolTipText, tones.tipText},
      {QPalette::Light, tones.base},
      {QPalette::Midlight, tones.hover},
      {QPalette::Mid, tones.line},
      {QPalette::Dark, tones.edge},
      {QPalette::Shadow, tones.edge},
  }};
  QPalette palette;
  for (const auto& [role, colour] : roles) palette.setColor(role, QColor::fromRgb(colour));
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, QColor::fromRgb(tones.disabled));
  }
  return palette;
}

QString styleSheetOf(const Tones& tones, bool isDark) {
  [[maybe_unused]] static const bool kLoaded = (initThemeResources(), true);
  QFile file(QStringLiteral(":/themes/heapscape.qss"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  const std::map<QString, QRgb> colours{
      {QStringLiteral("window"), tones.window},       {QStringLiteral("base"), tones.base},
      {QStringLiteral("alternate"), tones.alternate}, {QStringLiteral("text"), tones.text},
      {QStringLiteral("dimmed"), tones.dimmed},       {QStringLiteral("disabled"), tones.disabled},
      {QStringLiteral("button"), tones.button},       {QStringLiteral("hover"), tones.hover},
      {QStringLiteral("pressed"), tones.pressed},     {QStringLiteral("selected"), tones.selected},
      {QStringLiteral("edge"), tones.edge},           {QStringLiteral("line"), tones.line},
      {QStringLiteral("handle"), tones.handle},       {QStringLiteral("handleHover"), tones.handleHover},
      {QStringLiteral("accent"), tones.accent},       {QStringLiteral("accentHover"), tones.accentHover},
      {QStringLiteral("onAccent"), tones.onAccent},   {QStringLiteral("tip"), tones.tip},
      {QStringLiteral("tipText"), tones.tipText}};
  QString sheet = QString::fromUtf8(file.readAll());
  // From the last name to the first, so that "accentHover" is not taken for "accent".
  for (auto entry = colours.rbegin(); entry != colours.rend(); ++entry) {
    sheet.replace(QLatin1Char('@') + entry->first, QColor::fromRgb(entry->second).name());
  }
  return sheet.replace(QStringLiteral("@mode"), isDark ? QStringLiteral("dark") : QStringLiteral("light"));
}

}  // namespace

QString themeName(Theme theme) {
  switch (theme) {
    case Theme::Light:
      return QStringLiteral("light");
    case Theme::Dark:
      return QStringLiteral("dark");
    case Theme::System:
      break;
  }
  return QStringLiteral("system");
}

bool tryParseTheme(const QString& name, Theme& theme) {
  for (const Theme candidate : {Theme::System, Theme::Light, Theme::Dark}) {
    if (name == themeName(candidate)) {
      theme = candidate;
      return true;
    }
  }
  return false;
}

void applyTheme(Theme theme, bool isDesktopDark) {
  const bool isDark = theme == Theme::Dark || (theme == Theme::System && isDesktopDark);
  const Tones& tones = isDark ? kDark : kLight;
  QApplication::setPalette(paletteOf(tones));
  qApp->setStyleSheet(styleSheetOf(tones, isDark));
}

}  // namespace heapscape::gui
