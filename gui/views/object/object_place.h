// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "views/object/trail_bar.h"
#include "views/place.h"
#include "widgets/hex_view/object_page.h"

class QSplitter;
class QStackedLayout;
class QTimer;

namespace heapscape::gui {

class ContentsPanel;
class MemoryPanel;
class ObjectHeadline;
class PartTabs;
class StatePanel;
class TrailBar;

/// One object with all that is known of it: what it holds, and how it lies in memory.
class ObjectPlace : public Place {
  Q_OBJECT

 public:
  ObjectPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Object; }
  QString title() const override { return u"Object"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

  /// Page that is shown; null for nothing.
  const std::shared_ptr<const ObjectPage>& shown() const { return m_page; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  using Answer = engine::Result<std::shared_ptr<const ObjectPage>>;

  void addParts();
  void connectParts();
  void ask(const engine::DetailLimits& limits);
  void take(engine::Address asked, Answer answer);
  void showPage(std::shared_ptr<const ObjectPage> page);
  void fill();
  void showRetained();
  void askForReach();
  void showNothingPicked();
  void goTo(engine::Address object, const QString& via);
  Selection selection() const;

  TrailBar* m_trailBar;
  ObjectHeadline* m_headline;
  ContentsPanel* m_contents;
  MemoryPanel* m_memory;
  PartTabs* m_parts;
  QSplitter* m_splitter;
  QWidget* m_whole;
  StatePanel* m_state;
  QStackedLayout* m_pages;
  QTimer* m_patience;

  ObjectTrail m_trail;
  engine::Address m_asked;
  std::shared_ptr<const ObjectPage> m_page;
  bool m_isFilled = false;  // the parts show it
  bool m_isReady = false;   // the objects of the dump are known
};

}  // namespace heapscape::gui
