// SPDX-License-Identifier: MIT
#pragma once

#include <QAccessibleWidget>
#include <map>
#include <optional>

namespace heapscape::gui {

/// A picture as a screen reader meets it: a list of its items. Widgets inside of it are no children of it: what they
/// show is in the items.
class PictureAccessible : public QAccessibleWidget {
 public:
  explicit PictureAccessible(QWidget* picture);
  ~PictureAccessible() override;

  int childCount() const override;
  QAccessibleInterface* child(int index) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  QAccessibleInterface* focusChild() const override;

 private:
  mutable std::map<int, QAccessible::Id> m_children;  // those that were asked for
};

/// Once is enough, and has no effect later.
void installPictureAccessible();

/// What a picture is painted on: its viewport, if it scrolls.
QWidget& surfaceOf(QWidget& picture);
/// Has a screen reader say that an item of the picture has the focus.
void sayItem(QWidget& picture, std::optional<std::size_t> item);

}  // namespace heapscape::gui
