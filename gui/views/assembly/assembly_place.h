// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <array>
#include <memory>
#include <optional>
#include <stop_token>

#include "models/rows/row_list.h"
#include "session/layouts/declared_layouts.h"
#include "views/place.h"

class QAction;
class QLabel;
class QToolButton;

namespace heapscape::gui {

class Banner;
class ElidedText;
class FigureTile;
class RowsPanel;

/// Facts of an assembly as a whole; made on the engine thread.
struct AssemblyFacts {
  engine::UsedAssembly assembly;
  std::uint32_t runtimeMajor = 0;
  std::optional<engine::FrameworkRead> framework;  // nothing if none was found
  std::size_t types = 0;
  std::size_t failing = 0;
  std::size_t openDefinitions = 0;
  std::size_t found = 0;    // assemblies beside itself
  std::size_t missing = 0;  // assemblies that were looked for
  std::shared_ptr<const RowList> references;
  std::shared_ptr<const RowList> failures;  // of LayoutRow
};

engine::Outcome<AssemblyFacts> readAssemblyFacts(const engine::DeclaredLayouts& layouts, std::stop_token stop);

/// An assembly that a type needed: found or missing.
struct AssemblyReference {
  engine::UsedAssembly found;
  std::string why;  // it is missing; empty if it was found
  std::string neededBy;
};
RowSchema<AssemblyReference> referenceSchema();
RowSchema<engine::LayoutRow> failureSchema();

/// "342 types · 3 assemblies missing".
QString assemblyStatusLine(const AssemblyFacts& facts);
/// "Lib.dll · 1.2.0.0 · rules of .NET 10".
QString assemblyTitleLine(const AssemblyFacts& facts);

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
