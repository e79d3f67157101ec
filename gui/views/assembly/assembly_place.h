// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <array>

#include "views/assembly/assembly_facts.h"
#include "views/place.h"

class QAction;
class QLabel;
class QToolButton;

namespace heapscape::gui {

class Banner;
class ElidedText;
class FigureTile;
class RowsPanel;

/// The Overview of an assembly: what it is, which assemblies its types need and where they are, and which types have no
/// layout. Takes the place of a dump's overview while an assembly is open.
class AssemblyPlace : public Place {
  Q_OBJECT

 public:
  AssemblyPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Overview; }
  QString title() const override { return u"Assembly"_s; }
  void showSnapshot(const engine::Snapshot&) override {}
  void showAssembly(const engine::DeclaredLayouts& layouts) override;
  void clear() override;
  void follow(const Location&) override {}

  /// Where references were looked for beside the usual places.
  void setSearchPlaces(const QStringList& places);

 Q_SIGNALS:
  void described(const heapscape::gui::AssemblyFacts& facts);
  /// The assembly could not be looked through.
  void failed(const QString& why);
  void searchPlacePicked(const QString& path);
  void forgetSearchPlacesWanted();

 private:
  QWidget* buildHead();
  QWidget* buildTiles();
  QWidget* buildSearch();
  QWidget* makeList(const QString& heading, RowsPanel* list, QWidget* beside);
  void show(const AssemblyFacts& facts);
  void pickFolder();
  void pickFile();

  QLabel* m_name;
  QLabel* m_traits;
  ElidedText* m_path;
  Banner* m_banner;
  std::array<FigureTile*, 4> m_tiles{};
  QToolButton* m_search;
  QAction* m_forget = nullptr;
  QLabel* m_searched;
  RowsPanel* m_references;
  RowsPanel* m_failures;
  QWidget* m_failureList = nullptr;
};

}  // namespace heapscape::gui
