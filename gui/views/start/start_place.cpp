// SPDX-License-Identifier: MIT
#include "views/start/start_place.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "views/start/opening_page.h"
#include "views/start/welcome_page.h"

namespace heapscape::gui {

StartPlace::StartPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_pages(new QStackedWidget(this)),
      m_scroll(new QScrollArea(this)),
      m_welcome(new WelcomePage(this)),
      m_opening(new OpeningPage(this)) {
  m_scroll->setWidget(m_welcome);
  m_scroll->setWidgetResizable(true);
  m_pages->addWidget(m_scroll);
  m_pages->addWidget(m_opening);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);

  connect(m_welcome, &WelcomePage::openRequested, this, &StartPlace::openRequested);
  connect(m_welcome, &WelcomePage::continueRequested, this, &StartPlace::continueRequested);
  connect(m_welcome, &WelcomePage::chooseRequested, this, &StartPlace::chooseRequested);
  connect(m_welcome, &WelcomePage::chooseAssemblyRequested, this, &StartPlace::chooseAssemblyRequested);
  connect(m_opening, &OpeningPage::cancelRequested, &m_bridge, &EngineBridge::cancel);
  connect(&m_bridge, &EngineBridge::openStarted, this, &StartPlace::showOpening);
  connect(&m_bridge, &EngineBridge::progressed, m_opening, &OpeningPage::showProgress);
  connect(&m_bridge, &EngineBridge::openFinished, this, &StartPlace::showWelcome);
  connect(&m_bridge, &EngineBridge::assemblyOpened, this, &StartPlace::showWelcome);
  connect(&m_bridge, &EngineBridge::openCancelled, this, &StartPlace::showWelcome);
  connect(&m_bridge, &EngineBridge::openFailed, this, [this](const engine::Error& error) {
    showWelcome();
    m_welcome->showFailure(m_openingPath, error);
    m_scroll->verticalScrollBar()->setValue(0);
  });
}

void StartPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_opening->showStage(snapshot.stage());
}

void StartPlace::clear() {}

void StartPlace::setRecentDumps(const QStringList& paths) {
  m_welcome->setRecentDumps(paths);
}

void StartPlace::setLast(const QString& path, const QString& where) {
  m_welcome->setLast(path, where);
}

void StartPlace::setSample(const QString& path) {
  m_welcome->setSample(path);
}

void StartPlace::setDropHovered(bool isHovered) {
  m_welcome->setDropHovered(isHovered);
}

void StartPlace::showOpening(const QString& path) {
  m_openingPath = path;
  m_welcome->hideFailure();
  m_bridge.isAssembly() ? m_opening->startAssembly(path) : m_opening->start(path);
  m_pages->setCurrentWidget(m_opening);
}

void StartPlace::showWelcome() {
  m_pages->setCurrentWidget(m_scroll);
}

}  // namespace heapscape::gui
