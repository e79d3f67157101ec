// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

#include "views/place.h"

class QScrollArea;
class QStackedWidget;

namespace heapscape::gui {

class OpeningPage;
class WelcomePage;

/// Shows what can be opened; while a dump or an assembly is being opened, how far that is; and why one could not be.
class StartPlace : public Place {
  Q_OBJECT

 public:
  StartPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Start; }
  QString title() const override { return u"Start"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location&) override {}

  void setRecentDumps(const QStringList& paths);
  /// Sets what was open last, what a click on it does, and where one was in it, in words.
  void setLast(const QString& path, const QString& title, const QString& where);
  void setSample(const QString& path);
  /// One more guided question about the sample.
  void addGuide(const QString& title, const QString& about);
  /// While a file that could be dropped is held over the window.
  void setDropHovered(bool isHovered);

 Q_SIGNALS:
  void chooseRequested();
  void chooseAssemblyRequested();
  void runningRequested();
  /// A guided question, by its number in the order of addGuide().
  void guideRequested(std::size_t question);
  void openRequested(const QString& path);
  void continueRequested();

 private:
  void showOpening(const QString& path);
  void showWelcome();

  QString m_openingPath;
  QStackedWidget* m_pages;
  QScrollArea* m_scroll;
  WelcomePage* m_welcome;
  OpeningPage* m_opening;
};

}  // namespace heapscape::gui
