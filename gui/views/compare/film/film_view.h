// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <array>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

class QPushButton;
class QStackedLayout;

namespace heapscape::gui {

class ChoiceBar;
class ElidedText;
class FilmReel;
class FilmStrip;
class RowsPanel;
class StatePanel;
struct FilmRows;

/// Several dumps of one program in a row: a box for each, and what became of every type, owner, root and insight.
class FilmView : public QWidget {
  Q_OBJECT

 public:
  FilmView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);
  ~FilmView() override;

  /// Whether the dump at this path is in the row.
  bool has(const QString& path) const;
  bool isEmpty() const;
  /// Puts them into the row, by the times of their files if there was none before, and reads them. `isOrdered`: in the
  /// order in which they are given.
  void add(const QStringList& paths, bool isOrdered = false);
  /// Another dump is open now, or its roots are others: what was read is shown with links to that one.
  void showAgain();
  /// Nothing is open: rows go, and nothing is read any more; what was read stays.
  void pause();
  void clear();

 Q_SIGNALS:
  void openWanted(const QString& path);
  void endWanted();

 private:
  QWidget* buildHead();
  RowsPanel* makePanel(std::size_t list);
  void pickFiles();
  void showReel();
  void showReading();
  void showRows(const FilmRows& rows);
  void showNotes(const FilmRows& rows);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  FilmReel* m_reel;
  ElidedText* m_question;
  ElidedText* m_notes;
  QPushButton* m_add;
  QPushButton* m_byTime;
  QPushButton* m_end;
  FilmStrip* m_strip;
  ChoiceBar* m_choice;
  StatePanel* m_state;
  std::array<RowsPanel*, 4> m_panels{};  // types, owners, roots, insights
  QStackedLayout* m_lists;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
