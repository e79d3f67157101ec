// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "views/place.h"

class QStackedLayout;

namespace heapscape::gui {

class ComparisonBody;
class ComparisonHead;
class FilmView;
class StatePanel;
struct ComparedDumps;
struct ComparedWith;

/// Changes between two dumps of one program: the open one and another, which is held here. Three and more are put in a
/// row, of which only the figures are kept.
class ComparePlace : public Place {
  Q_OBJECT

 public:
  ComparePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);
  ~ComparePlace() override;

  PlaceId id() const override { return PlaceId::Compare; }
  QString title() const override { return u"Compare"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location&) override {}

  /// Opens another dump and compares. The open one is before, unless the dumps clearly say otherwise.
  void compareWith(const QString& path);
  /// The open dump and these: with one it is compared, several are put in a row. While there is a row, they join it.
  void takeFiles(const QStringList& paths);
  /// Sets the files that are offered beside any other, the newest first.
  void setRecentDumps(const QStringList& paths);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void compare(const ComparedWith& with, std::optional<engine::Snapshot> other);
  void ask(const ComparedWith& with, std::optional<engine::Snapshot> other);
  /// The two that are compared, the earlier one first.
  QStringList chosenOrder() const;
  void showLacking();
  void invite();
  void stop();
  void swap();
  void showProgress(const engine::Progress& progress);
  void take(std::shared_ptr<const ComparedDumps> compared);
  void release();
  /// `isOrdered`: in this order, else by the times of their files.
  void putInRow(const QStringList& paths, bool isOrdered);
  void endRow();
  bool hasFocusIn(const QWidget& part) const;

  ComparisonHead* m_head;
  ComparisonBody* m_body;
  FilmView* m_film;
  StatePanel* m_state;
  QStackedLayout* m_pages;
  std::unique_ptr<ComparedWith> m_with;
  std::shared_ptr<const ComparedDumps> m_compared;
  bool m_isReady = false;
};

}  // namespace heapscape::gui
