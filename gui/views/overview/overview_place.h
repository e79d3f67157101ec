// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <array>
#include <optional>

#include "views/place.h"
#include "widgets/fact_list.h"

class QBoxLayout;
class QGridLayout;
class QStackedLayout;
class QStackedWidget;

namespace heapscape::gui {

class ActivityList;
class AgeDonut;
class AlertStrip;
class Banner;
class DeathNotice;
class FigureTile;
class FixFirst;
class HeapHead;
class HealthPanel;
class MissingFiles;
class ModulesTable;
class OwnersList;
class StatePanel;
class TopTypesChart;
class TypesMap;

/// The overview, by weight: what the process died of, what is wrong, what of the heap is live and what is garbage, who
/// holds it, what could be saved; then of what it is made, and what is odd about the dump.
class OverviewPlace : public Place {
  Q_OBJECT

 public:
  OverviewPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Overview; }
  QString title() const override { return u"Overview"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location&) override {}

  /// Folders in which files were looked for that the dump lacks parts of.
  void setSearchPlaces(const QStringList& places);

 Q_SIGNALS:
  void searchPlacePicked(const QString& folder);
  void forgetSearchPlacesWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// A picture that has to wait for the objects.
  struct Late {
    QStackedWidget* stack = nullptr;
    StatePanel* state = nullptr;
    QWidget* picture = nullptr;
  };

  QWidget* buildPage();
  QBoxLayout* buildLeaders();
  QWidget* buildTiles();
  QWidget* buildModules();
  Late makeLate(QWidget* picture);
  void arrange(int columns);
  void fitParts();
  void showFigures(const engine::Snapshot& snapshot);
  void askTopTypes();
  void askMissingFiles();
  void askMissingSymbols();
  void showHealth();
  void askMemory();
  void showRecorded(const engine::Snapshot& snapshot);
  void showNoHeap(const engine::Snapshot& snapshot);
  void showFacts(const engine::Snapshot& snapshot);
  QWidget* buildHealth();

  StatePanel* m_state;  // while no dump is open
  QStackedLayout* m_pages = nullptr;
  QWidget* m_page = nullptr;
  QGridLayout* m_grid = nullptr;
  int m_columns = 0;
  Banner* m_banner = nullptr;
  DeathNotice* m_death = nullptr;  // above all else
  std::array<FigureTile*, 4> m_tiles{};
  AgeDonut* m_donut = nullptr;
  TopTypesChart* m_topTypes = nullptr;
  TypesMap* m_typesMap = nullptr;
  ActivityList* m_activities = nullptr;
  Late m_lateDonut;
  Late m_lateTypes;
  FactList* m_facts = nullptr;
  MissingFiles* m_missingFiles = nullptr;
  std::optional<Fact> m_memoryFact;  // comes last, for all of the dump has to be looked at
  bool m_isMemoryAsked = false;
  HealthPanel* m_health = nullptr;
  ModulesTable* m_modules = nullptr;
  AlertStrip* m_alerts = nullptr;
  HeapHead* m_head = nullptr;
  OwnersList* m_owners = nullptr;
  FixFirst* m_fixFirst = nullptr;
  QBoxLayout* m_leaders = nullptr;  // owners and savings
  QWidget* m_activitiesSection = nullptr;
  QWidget* m_mapSection = nullptr;
  QWidget* m_donutSection = nullptr;
  QWidget* m_typesSection = nullptr;
  QWidget* m_factsSection = nullptr;
  QWidget* m_healthSection = nullptr;
  QWidget* m_modulesSection = nullptr;
};

}  // namespace heapscape::gui
