// SPDX-License-Identifier: MIT
#include "app/theme.h"

#include <QApplication>
#include <QToolTip>

#include "app/style/flat_style.h"

namespace heapscape::gui {

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
  switch (theme) {
    case Theme::Light:
      return QStringLiteral("light");
    case Theme::Dark:
      return QStringLiteral("dark");
    case Theme::Contrast:
      return QStringLiteral("contrast");
    case Theme::System:
      break;
  }
  return QStringLiteral("system");
}

bool tryParseTheme(const QString& name, Theme& theme) {
  for (const Theme candidate : {Theme::System, Theme::Light, Theme::Dark, Theme::Contrast}) {
    if (name == themeName(candidate)) {
      theme = candidate;
      return true;
    }
  }
  return false;
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
