// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <cstddef>
#include <optional>

#include "widgets/hover_bubble.h"

class QWidget;

namespace heapscape::gui {

/// The items of a painted picture, for those who cannot see it or point at it: a screen reader finds the items as
/// the picture's children, and keys go from one to the next. A picture is a QWidget that is this as well; items are
/// told by their place, from 0.
class PictureItems {
 public:
  // These two are asked for while the picture is still being made, too.
  virtual std::size_t itemCount() const { return 0; }
  /// The one that keys go on from.
  virtual std::optional<std::size_t> currentItem() const { return std::nullopt; }

  /// Its name, and its figures as facts.
  virtual BubbleText itemText(std::size_t item) const = 0;
  /// Around it, in the picture's own coordinates, those of its viewport if it scrolls; empty if it is not drawn.
  virtual QRectF itemRect(std::size_t item) const = 0;
  /// As an arrow key does.
  virtual void goToItem(std::size_t item) = 0;
  /// As a click does.
  virtual void pressItem(std::size_t item) = 0;
  /// Whether the items inside of one are shown; nullopt if it has none.
  virtual std::optional<bool> isItemOpen(std::size_t) const { return std::nullopt; }

 protected:
  /// `picture`: the same object.
  explicit PictureItems(QWidget* picture);
  ~PictureItems() = default;
  PictureItems(const PictureItems&) = delete;
  PictureItems& operator=(const PictureItems&) = delete;

  /// Has the current item said, and shown in another look.
  void tellCurrent();
  /// Tells a screen reader that the items it has kept have changed.
  void tellItemsChanged();
  /// Scrolls what is around the picture so that the current item is seen.
  void revealCurrent();
  /// Takes the keys of every picture: arrows, Home and End go from item to item, Enter presses one. Whether it was one
  /// of them; a picture with its own way through its items asks for the rest only.
  bool takesKey(int key);

 private:
  std::optional<std::size_t> itemTowards(int key) const;

  QWidget& m_picture;
};

/// The items of a picture; null of any other widget.
PictureItems* pictureItemsOf(QObject* object);

}  // namespace heapscape::gui
