// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractScrollArea>
#include <optional>
#include <unordered_map>
#include <vector>

#include "views/console/address_links.h"
#include "views/console/line_cells.h"
#include "views/console/transcript.h"
#include "widgets/accessible/picture_items.h"

class QAction;
class QTimer;

namespace heapscape::gui {

/// Commands with their answers, in cells of one width. Only what is in sight is laid out and looked at, however much
/// there is. Words that are addresses of something are links.
class AnswerView : public QAbstractScrollArea, public PictureItems {
  Q_OBJECT

 public:
  /// Both outlive this.
  AnswerView(const Transcript& transcript, AddressLinks& links, QWidget* parent = nullptr);

  /// The transcript has other lines. What is in sight stays, unless that is the end.
  void updateLines();
  /// The end is in sight, and stays so.
  void goToEnd();
  /// Puts a line on top, or as near to it as the end allows.
  void showOnTop(std::uint64_t line);
  /// The next command behind what is in sight, or the one before.
  void stepCommand(int step);

  bool hasSelection() const { return m_anchor && m_cursor && *m_anchor != *m_cursor; }
  /// What is selected, or the current line.
  QByteArray selectedText() const;
  void selectAll();

  /// Goes to the next place with this text, any case, behind the last one found, or before it: found() tells. Empty
  /// ends the search.
  void find(const QString& text, int step);

  std::uint64_t topLine() const { return m_top; }
  int rowsInView() const;
  /// The words of a line that are links, as far as that is known. A command for more has no address.
  std::vector<AddressWord> linksOf(std::uint64_t line) const;
  /// Of the viewport: where a word of a line is.
  QRectF wordRect(std::uint64_t line, const AddressWord& word) const;
  /// The link that keys have gone to.
  std::optional<AddressWord> currentLink() const;
  std::optional<std::uint64_t> currentLine() const { return m_current; }

  // The lines.
  std::size_t itemCount() const override { return m_transcript.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override;
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override;
  /// Follows its first link.
  void pressItem(std::size_t item) override;

  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void linkPicked(heapscape::engine::Address address);
  /// The command that the shell offers for more, behind an answer.
  void commandPicked(const QString& command);
  /// `address` is 0 for a menu of the line or of what is selected.
  void menuWanted(const QPoint& global, heapscape::engine::Address address, const QString& written);
  /// A letter was typed here, which is meant for the line of commands.
  void typed(const QString& text);
  void found(bool isThere);
  void selectionChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  static constexpr double kTop = 6;  // above the first line

  /// A cell of a line.
  struct Spot {
    std::uint64_t line = 0;
    int cell = 0;
    auto operator<=>(const Spot&) const = default;
  };
  struct Hit {
    std::uint64_t line = 0;
    AddressWord word;
    bool operator==(const Hit&) const = default;
  };
  struct Run {
    int from = 0;
    int to = 0;
    bool isLink = false;
    bool isSelected = false;
  };

  void measure();
  void layOut();
  double left() const;  // of the first cell, as it is scrolled
  void lookForLinks();
  const std::vector<AddressWord>& wordsOf(std::uint64_t line) const;
  std::optional<Hit> linkAt(const QPointF& point) const;
  Spot spotAt(const QPointF& point) const;
  std::pair<int, int> selectedCells(std::uint64_t line, int count) const;
  std::vector<Run> runsOf(std::uint64_t line, const LineCells& cells, int from, int to) const;
  void paintLine(QPainter& painter, std::uint64_t line, double top) const;
  void paintRun(QPainter& painter, const LineCells& cells, int from, int to, double baseline) const;
  void paintMatches(QPainter& painter, const LineCells& cells, double top) const;
  void select(std::optional<Spot> anchor, std::optional<Spot> cursor);
  void goToLine(std::uint64_t line, bool extends);
  void reveal(std::uint64_t line);
  void revealCells(int from, int to);
  void stepLink(int step);
  void follow(std::uint64_t line, const AddressWord& word);
  QString tellOf(std::uint64_t line, const AddressWord& word) const;
  void hover(const QPointF& point);
  void searchOn();

  const Transcript& m_transcript;
  AddressLinks& m_links;
  QFont m_fixed;
  double m_cell = 8;
  double m_row = 18;
  std::uint64_t m_top = 0;
  bool m_isFollowing = true;
  bool m_isLayingOut = false;
  std::optional<std::uint64_t> m_current;
  std::optional<std::size_t> m_link;  // of the current line's links
  std::optional<Spot> m_anchor;
  std::optional<Spot> m_cursor;
  std::optional<Hit> m_hovered;
  std::optional<Hit> m_pressed;
  bool m_isSelecting = false;
  QTimer* m_look;
  QTimer* m_tell;  // a screen reader, that there are other lines
  mutable std::unordered_map<std::uint64_t, std::vector<AddressWord>> m_words;  // of lines that were in sight

  QString m_wanted;  // what is searched
  int m_step = 1;
  std::optional<Spot> m_match;
  std::uint64_t m_searched = 0;  // the line that is looked at next
  std::uint64_t m_linesLeft = 0;
  QTimer* m_search;
};

}  // namespace heapscape::gui
