// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

class QProcess;

namespace heapscape::gui {

/// A line of what the shell has written. Control characters are still in it.
struct ShellLine {
  QByteArray text;         // in UTF-8, without its end
  bool isMessage = false;  // of the program rather than of the answer: what went wrong, or a note
  bool goesOn = false;     // the next one is the rest of this line, which is too long to be one
};

/// What a word of a command may become, and what that does; `about` may be empty.
struct ShellOffer {
  QString word;
  QString about;
};

/// The command line's shell, `heapscape-cli shell DUMP`, in a process of its own that keeps the dump open. One command
/// at a time; what it writes is told as it comes. The process ends with this.
class ConsoleShell : public QObject {
  Q_OBJECT

 public:
  enum class State {
    Ended,    // not started, or gone
    Opening,  // the dump
    Idle,
    Running,
  };

  explicit ConsoleShell(QObject* parent = nullptr);
  ~ConsoleShell() override;

  /// The program that is started, and no other one: beside our own.
  static QString usualProgram();

  /// Ends what runs. `options` go behind the dump. If there is no such program, ended() says so at once.
  void start(const QString& program, const QString& dump, const QStringList& options);
  State state() const { return m_state; }
  /// Only while idle; `line` is one line.
  void run(const QString& line);
  /// Only while idle: offered() tells what the last word of the line may become.
  void askOffers(const QString& line);
  /// Stops the command that runs and no more; the opening, which ends it. Asked again while it goes on after that, it
  /// ends the process.
  void cancel();
  /// Ends the process without a word.
  void end();
  /// 0 while there is none. For tests.
  qint64 processId() const;

 Q_SIGNALS:
  void stateChanged();
  void wrote(const std::vector<heapscape::gui::ShellLine>& lines);
  /// The command that ran has ended with this status; 130 if it was stopped.
  void answered(int status);
  void offered(const QString& line, const std::vector<heapscape::gui::ShellOffer>& offers);
  /// The process is gone though nobody has called end(), and why, in a sentence or two.
  void ended(const QString& why);

 private:
  void setState(State state);
  void read();
  void takeLine(QByteArray line, std::vector<ShellLine>& lines);
  void takeMark(int status);
  void finish(const QString& why);

  QProcess* m_process = nullptr;
  State m_state = State::Ended;
  QByteArray m_marker;  // of this process: nothing that a dump holds can be one
  QByteArray m_line;    // to be run once offers have come; else empty
  QByteArray m_rest;    // that was read of a line
  bool m_isLineBegun = false;
  bool m_isAskingOffers = false;
  QString m_asked;
  std::vector<ShellOffer> m_offers;
  bool m_isCancelled = false;  // what runs
};

}  // namespace heapscape::gui
