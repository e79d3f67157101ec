// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace heapscape::engine {

/// Rows in a frame of bars and rules; a row may be a box of its own, set in a little. All right bars are in one line.
class TextBox {
 public:
  void addRow(std::string text);
  void addBox(TextBox box);
  /// A line of this character, with a title in it if there is one.
  void addRule(char character, std::string title = {});

  /// The box, line by line, at least so many columns wide.
  std::vector<std::string> draw(std::size_t minimumWidth = 0) const;

 private:
  struct Item {
    char rule = 0;  // 0 for a row or a box
    std::string text;
    std::vector<TextBox> box;  // none or one
  };

  std::size_t width() const;

  std::vector<Item> m_items;
};

}  // namespace heapscape::engine
