// SPDX-License-Identifier: MIT
#pragma once

#include <QElapsedTimer>
#include <QStringList>
#include <vector>

#include "bridge/console_shell.h"
#include "views/console/address_links.h"
#include "views/console/transcript.h"
#include "views/place.h"

class QLineEdit;
class QMenu;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTimer;
class QToolButton;

namespace heapscape::gui {

class AnswerView;
class Banner;
class CommandEdit;
class ElidedText;
class ExamplesPage;

/// A place of *Console*: what `heapscape-cli shell` takes, typed into the window. Its process is started when the first
/// command is typed, and ends with the dump or the window.
class ConsolePlace : public Place {
  Q_OBJECT

 public:
  ConsolePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);
  ~ConsolePlace() override;

  PlaceId id() const override { return PlaceId::Console; }
  QString title() const override { return u"Console"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

  /// Runs it, or once what runs now is done.
  void run(const QString& command);
  /// What is started instead of the program beside ours. For tests.
  void setProgram(const QString& program) { m_program = program; }
  const ConsoleShell& shell() const { return *m_shell; }
  const Transcript& transcript() const { return m_transcript; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QWidget* buildHead();
  QWidget* buildFoot();
  void connectParts();
  void addActions();

  QStringList wantedOptions() const;
  QString costText() const;
  void begin();
  /// Into the line of commands.
  void write(const QString& command);
  void start();
  void startAgain();
  void goOn();
  void stop();
  void note(const QString& text);
  void takeLines(const std::vector<ShellLine>& lines);
  void takeAnswer(int status);
  void takeEnd(const QString& why);
  void offer(const QString& line);
  void takeOffers(const QString& line, const std::vector<ShellOffer>& offers);
  void showState();
  void showGone();
  void setState(const QString& text, bool isWarning = false);

  void inspect(engine::Address address);
  void openMenu(const QPoint& global, engine::Address address, const QString& written);
  void addAddressEntries(QMenu& menu, engine::Address address, const QString& written);
  void showListed(engine::Address address);
  void copy();
  void copyAnswer();
  void save();
  void empty();
  void find(int step);

  Transcript m_transcript;
  AddressLinks m_links;
  ConsoleShell* m_shell;
  QString m_program = ConsoleShell::usualProgram();
  QStringList m_startedWith;  // options
  QStringList m_waiting;      // commands
  QString m_running;
  std::vector<ShellOffer> m_commands;  // that a line may begin with; empty until the shell has told
  QString m_offerWanted;               // the line of which somebody wants to know how it may go on; null for none
  bool m_hasEnded = false;             // by itself, and it was not started again
  bool m_isOpening = false;
  bool m_isStopping = false;
  bool m_isHere = false;
  QElapsedTimer m_since;  // when what happens now has begun

  QLineEdit* m_search;
  ElidedText* m_searched;
  QToolButton* m_save;
  QToolButton* m_clear;
  Banner* m_gone;
  QStackedWidget* m_pages;
  ExamplesPage* m_examples;
  AnswerView* m_answers;
  QProgressBar* m_busy;
  ElidedText* m_state;
  QPushButton* m_again;
  CommandEdit* m_command;
  QPushButton* m_run;
  QTimer* m_tick;
};

}  // namespace heapscape::gui
