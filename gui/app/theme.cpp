// SPDX-License-Identifier: MIT
#include "app/theme.h"

#include <QApplication>
#include <QToolTip>
#include <array>
#include <utility>

#include "app/style/flat_style.h"
#include "base/enum_names.h"
#include "base/palette.h"

template <>
inline constexpr auto heapscape::engine::kEnumNames<heapscape::gui::Theme> =
    std::to_array<heapscape::engine::EnumName<heapscape::gui::Theme>>({{heapscape::gui::Theme::System, "system"},
                                                                       {heapscape::gui::Theme::Light, "light"},
                                                                       {heapscape::gui::Theme::Dark, "dark"},
                                                                       {heapscape::gui::Theme::Contrast, "contrast"}});

namespace heapscape::gui {

namespace {

// What is drawn with 0 is not drawn, black is.
constexpr QRgb opaque(std::uint32_t colour) {
  return 0xff000000 | colour;
}

}  // namespace

const Tones kLightTones{.window = 0xffF5F6F8,
                        .base = opaque(engine::palette::kSurface.light),
                        .alternate = 0xffFAFBFC,
                        .text = opaque(engine::palette::kText.light),
                        .dimmed = opaque(engine::palette::kDimmedText.light),
                        .disabled = 0xffA3AAB3,
                        .button = 0xffFFFFFF,
                        .hover = 0xffEBEDF0,
                        .pressed = 0xffDFE2E7,
                        .selected = 0xffE6E3FA,
                        .edge = 0xffCDD2D9,
                        .line = 0xffE4E7EB,
                        .handleHover = 0xffA9B0BA,
                        .boxEdge = 0xffA9B0BA,
                        .accent = 0xff5B4FC9,
                        .accentHover = 0xff6A5FD6,
                        .onAccent = 0xffFFFFFF,
                        .tip = 0xffFFFFFF};

const Tones kDarkTones{.window = 0xff14161A,
                       .base = opaque(engine::palette::kSurface.dark),
                       .alternate = 0xff1F2328,
                       .text = opaque(engine::palette::kText.dark),
                       .dimmed = opaque(engine::palette::kDimmedText.dark),
                       .disabled = 0xff5F6772,
                       .button = 0xff262A31,
                       .hover = 0xff2A2F37,
                       .pressed = 0xff343A44,
                       .selected = 0xff36325F,
                       .edge = 0xff3B424D,
                       .line = 0xff2B3038,
                       .handleHover = 0xff5C6470,
                       .boxEdge = 0xff5C6470,
                       .accent = 0xff9D93FF,
                       .accentHover = 0xffB1A9FF,
                       .onAccent = 0xff14161A,
                       .tip = 0xff2A2F37};

const Tones kContrastTones{.window = 0xff000000,
                           .base = opaque(engine::palette::kSurface.contrast),
                           .alternate = 0xff101010,
                           .text = opaque(engine::palette::kText.contrast),
                           .dimmed = opaque(engine::palette::kDimmedText.contrast),
                           .disabled = 0xffA8A8A8,
                           .button = 0xff000000,
                           .hover = 0xff262626,
                           .pressed = 0xff3A3A3A,
                           .selected = 0xff003A8C,
                           .edge = 0xffFFFFFF,
                           .line = 0xff9E9E9E,
                           .handleHover = 0xffFFD83D,
                           .boxEdge = 0xffFFFFFF,
                           .accent = 0xffFFD83D,
                           .accentHover = 0xffFFE680,
                           .onAccent = 0xff000000,
                           .tip = 0xff000000,
                           .ring = 3};

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
      {QPalette::ToolTipText, tones.text},
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

namespace {

// What is picked in a list has a ground that its text stays readable on, whatever the text's colour.
QPalette listPalette(const Tones& tones) {
  QPalette palette = paletteOf(tones);
  palette.setColor(QPalette::Highlight, QColor::fromRgb(tones.selected));
  palette.setColor(QPalette::HighlightedText, QColor::fromRgb(tones.text));
  palette.setColor(QPalette::Disabled, QPalette::HighlightedText, QColor::fromRgb(tones.disabled));
  return palette;
}

const Tones& tonesOf(Theme theme) {
  if (theme == Theme::Contrast) return kContrastTones;
  return theme == Theme::Dark ? kDarkTones : kLightTones;
}

}  // namespace

QString themeName(Theme theme) {
  return QString::fromLatin1(engine::toString(theme));
}

bool tryParseTheme(const QString& name, Theme& theme) {
  const std::optional<Theme> named = engine::enumNamed<Theme>(name.toStdString());
  theme = named.value_or(theme);
  return named.has_value();
}

void applyTheme(Theme theme, Theme desktop) {
  const Tones& tones = tonesOf(theme == Theme::System ? desktop : theme);
  auto* style = qobject_cast<FlatStyle*>(QApplication::style());
  if (style && &style->tones() == &tones) return;
  if (style) {
    style->setTones(tones);
  } else {
    QApplication::setStyle(new FlatStyle(tones));
  }
  QApplication::setPalette(paletteOf(tones));
  QApplication::setPalette(listPalette(tones), "QAbstractItemView");
  QToolTip::setPalette(paletteOf(tones));
  // Windows would learn of their palette with the next turn of the event loop only, and be half dressed until then.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationPaletteChange);
}

}  // namespace heapscape::gui
