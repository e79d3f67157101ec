// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QVariant>
#include <array>

namespace heapscape::gui {

/// Whether the desktop asks for less motion, as far as its portal tells: then nothing in the window moves. Widgets ask
/// motionMs(), which asks the style.
class DesktopMotion : public QObject {
  Q_OBJECT

 public:
  explicit DesktopMotion(QObject* parent = nullptr);

 private:
  /// Whoever tells; each of them alone is enough.
  enum Teller { Appearance, Gnome, Kde, TellerCount };
  void take(Teller teller, bool isReduced);

  std::array<bool, TellerCount> m_isReduced{};
};

}  // namespace heapscape::gui
