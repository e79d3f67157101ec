// SPDX-License-Identifier: MIT
#pragma once

#include <QMainWindow>
#include <QString>
#include <QStringList>
#include <map>
#include <optional>
#include <vector>

#include "app/files/running_dialog.h"
#include "app/session/bookmarks.h"
#include "app/settings.h"
#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/place.h"

class QSplitter;
class QTimer;

namespace heapscape::gui {

class AssemblyPlace;
class ComparePlace;
class DesktopScheme;
class FileOpener;
class FocusMark;
class GoToBox;
class GuideBar;
class Inspector;
class InspectorDrawer;
class ManualWindow;
class OverviewPlace;
class PageStack;
class PinRequest;
class PlaceBar;
class ReviewPlace;
class StartPlace;
class StatePanel;
class StatusLine;
class TopBar;
class WindowActions;

/// A window with its dump: places on the left, the inspector on the right, the bars above and below; carries what the
/// bridge and the navigator tell to all of them.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `settings` and `scheme` outlive the window; all windows of the program share them.
  /// How large it is at first, where the screen has room for it.
  static constexpr QSize kUsualSize{1440, 900};

  MainWindow(Settings& settings, DesktopScheme& scheme);
  ~MainWindow() override;

  /// The settings to be remembered, as of now.
  Settings settings() const;

  /// Another window has changed the settings.
  void takeSettings();

  void open(const QString& path);
  /// Opens what was open last, where one was in it; nothing if there was nothing, or if it is gone.
  void continueSession();
  void setTheme(Theme theme);
  /// Where to go once a file can be shown; if nobody says, Overview for a dump and Layouts for an assembly.
  void setFirstPlace(PlaceId place) { m_firstPlace = place; }

  EngineBridge& bridge() { return m_bridge; }
  Navigator& navigator() { return m_navigator; }
  Place* place(PlaceId place);
  ReviewPlace* review();
  AssemblyPlace* assembly();
  GoToBox* goToBox() const { return m_goTo; }
  Inspector* inspector() const { return m_inspector; }
  GuideBar* guide() const { return m_guide; }
  InspectorDrawer* drawer() const { return m_drawer; }
  /// Null until it is asked for.
  ManualWindow* manual() const { return m_manual; }
  WindowActions& actions() { return *m_actions; }

 Q_SIGNALS:
  /// All stages are there, references and retained sizes too, or known not to come; for an assembly, its types.
  void settled();
  /// The file that was to be opened cannot be, and why.
  void refused(const QString& why);
  /// Something that settings() tells is no longer what it was.
  void settingsChanged();
  /// One more window is wanted, for another dump.
  void windowWanted();

 protected:
  bool event(QEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildStart();
  /// The start page is all that is made before the window is painted for the first time. The other places come one by
  /// one when there is nothing else to do, or at once where one is needed, and hear then what the others have heard.
  void makeNextPlace();
  void makePlace(PlaceId place);
  void addPlace(Place* place);
  void buildShell();
  void connectFileActions();
  void connectActions();
  void connectInspector();
  void connectBridge();
  void connectOverview();

  void fillRecentMenu();
  /// Whether the file that was open last is still there; the start page then offers it.
  void lookForLast();
  void showLast();
  void goOnWith(const Session& last);
  Session session() const;
  /// Where to go in the dump that is being opened, as far as it is the same.
  void returnTo(const Location& location, const QString& identity);
  void openManual(PlaceId place);
  void openManualAt(const QString& link);
  void openShortcuts();
  void openPlaceWindow();
  void toggleBookmark();
  void openReview(const QString& path);
  void refuse(const QString& why);
  /// The user's, if it is wanted.
  void useCache();
  void emptyCache();
  void askForCode();
  void saveCopy();
  void showRunning();
  /// Opens the sample first unless it is open.
  void askGuided(std::size_t question);
  /// Opens a dump that was just taken. The next one of the same process is compared with it, as long as it is open.
  void takeCaptured(const QString& path, const DumpedProcess& process);
  void focusFilter();
  void pinFocused();
  void pin(PinRequest& request);
  void startOpening(const QString& path);
  void showStage(const engine::Snapshot& snapshot);
  void finishOpening();
  void lookElsewhere(const QString& place);
  void forgetSearchPlaces();
  void showAssembly(const engine::DeclaredLayouts& layouts);
  void showRecent();
  void showRetainedState();
  void showNothing();
  void clearPlaces();
  /// The page that the window shows as a place: an assembly has its own overview, and no heap for most others.
  QWidget* pageOf(PlaceId place);
  void follow(const Location& location);
  void updateActions();
  void updateTheme();

  Settings& m_settings;
  DesktopScheme& m_scheme;
  EngineBridge m_bridge;
  Navigator m_navigator;
  std::optional<PlaceId> m_firstPlace;
  std::optional<Location> m_returnTo;  // what was shown before the same dump was opened again
  QString m_lookedFor;                 // the file of the last session, and whether it is there
  bool m_isLastThere = false;
  QString m_returnIdentity;  // of the dump that it is a location of; empty if it is surely the same
  Bookmarks m_bookmarks;

  DumpedProcess m_dumped;  // whose dumps these are, the first of which was opened
  QStringList m_captured;

  FileOpener* m_files;
  WindowActions* m_actions;
  std::map<PlaceId, Place*> m_places;  // as far as they are made
  std::vector<PlaceId> m_stillToMake;
  QTimer* m_making;
  StartPlace* m_start = nullptr;
  AssemblyPlace* m_assembly = nullptr;
  OverviewPlace* m_overview = nullptr;
  ReviewPlace* m_review = nullptr;
  ComparePlace* m_compare = nullptr;
  StatePanel* m_noHeap = nullptr;
  PageStack* m_stack;
  QSplitter* m_split;
  PlaceBar* m_placeBar;
  GoToBox* m_goTo;
  GuideBar* m_guide;
  std::optional<std::size_t> m_guidedNext;  // question to be asked once the sample is open
  TopBar* m_topBar;
  Inspector* m_inspector;
  InspectorDrawer* m_drawer;
  StatusLine* m_status;
  ManualWindow* m_manual = nullptr;
  FocusMark* m_focusMark;
  QTimer* m_resting;  // until where one is, is written to the settings
};

}  // namespace heapscape::gui
