// SPDX-License-Identifier: MIT
#include "bridge/console_shell.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QUuid>
#include <csignal>
#include <utility>

#include "bridge/literals.h"

namespace heapscape::gui {

namespace {

constexpr qsizetype kLongestLine = 32 * 1024;  // bytes: what is longer comes in parts, so that no line stalls a picture
constexpr qsizetype kMostOffersTaken = 1000;
constexpr int kInterruptedStatus = 130;
const QByteArray kStop = QByteArrayLiteral("\x03\n");  // a line of its own: about what runs, and never about the next
const QByteArray kMessageStart = QByteArrayLiteral("heapscape-cli: ");

QString asOneLine(QString line) {
  return line.replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\r'), QLatin1Char(' '));
}

/// How many bytes of a line that is too long come first: whole characters.
qsizetype partLength(const QByteArray& line) {
  qsizetype length = kLongestLine;
  while (length > kLongestLine - 4 && (static_cast<unsigned char>(line[length]) & 0xC0) == 0x80) --length;
  return length;
}

}  // namespace

ConsoleShell::ConsoleShell(QObject* parent) : QObject(parent) {}

ConsoleShell::~ConsoleShell() {
  end();
  for (QProcess* process : findChildren<QProcess*>()) {
    process->kill();
    process->waitForFinished();
  }
}

QString ConsoleShell::usualProgram() {
  return QDir(QCoreApplication::applicationDirPath()).filePath(u"heapscape-cli"_s);
}

void ConsoleShell::start(const QString& program, const QString& dump, const QStringList& options) {
  end();
  const QFileInfo file(program);
  if (!file.isFile() || !file.isExecutable()) {
    Q_EMIT ended(
        u"%1 is missing or cannot be run. The console needs heapscape-cli: install it beside the window, "
        "of the same version."_s.arg(QDir::toNativeSeparators(program)));
    return;
  }
  m_process = new QProcess(this);
  m_process->setProcessChannelMode(QProcess::MergedChannels);  // messages come where they belong
  connect(m_process, &QProcess::readyRead, this, &ConsoleShell::read);
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      finish(u"heapscape-cli could not be started: %1."_s.arg(m_process->errorString()));
  });
  connect(m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    read();
    if (status == QProcess::CrashExit && code == SIGKILL) {
      finish(u"The console's process was killed. The system does so when it runs out of memory."_s);
    } else if (status == QProcess::CrashExit) {
      finish(u"The console's process has crashed (signal %1)."_s.arg(code));
    } else if (m_state == State::Opening) {
      finish(u"The console could not open the dump."_s);
    } else {
      finish(u"The console has ended."_s);
    }
  });
  m_marker = QByteArrayLiteral("\x1e") + QUuid::createUuid().toByteArray(QUuid::Id128);
  m_rest.clear();
  m_line.clear();
  m_isLineBegun = m_isAskingOffers = m_isCancelled = false;
  m_process->setWorkingDirectory(QFileInfo(dump).absolutePath());  // where COMMAND > FILE writes
  setState(State::Opening);
  m_process->start(program, QStringList{u"shell"_s, QFileInfo(dump).absoluteFilePath(), u"--marker"_s,
                                        QString::fromLatin1(m_marker)} +
                                options);
}

void ConsoleShell::end() {
  if (!m_process) return;
  QProcess* process = std::exchange(m_process, nullptr);
  process->disconnect(this);
  // Giving back its memory takes a while, for which nobody waits here.
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  process->kill();
  setState(State::Ended);
}

qint64 ConsoleShell::processId() const {
  return m_process ? m_process->processId() : 0;
}

void ConsoleShell::run(const QString& line) {
  if (m_state != State::Idle) return;
  m_isCancelled = false;
  m_line = asOneLine(line).trimmed().toUtf8() + '\n';
  if (!m_isAskingOffers) m_process->write(std::exchange(m_line, {}));
  setState(State::Running);
}

void ConsoleShell::askOffers(const QString& line) {
  if (m_state != State::Idle || m_isAskingOffers) return;
  m_isAskingOffers = true;
  m_asked = line;
  m_offers.clear();
  m_process->write('\t' + asOneLine(line).toUtf8() + '\n');
}

void ConsoleShell::cancel() {
  if (m_state != State::Running && m_state != State::Opening) return;
  if (std::exchange(m_isCancelled, true)) {
    end();
    Q_EMIT ended(u"The command did not stop, so the console was ended."_s);
    return;
  }
  if (m_state == State::Opening) {
    end();
    Q_EMIT ended(u"Opening the dump for the console was stopped."_s);
    return;
  }
  if (m_line.isEmpty()) {
    m_process->write(kStop);
    return;
  }
  // It waits for offers, and has not been asked yet.
  m_line.clear();
  m_isCancelled = false;
  setState(State::Idle);
  Q_EMIT answered(kInterruptedStatus);
}

void ConsoleShell::setState(State state) {
  if (std::exchange(m_state, state) != state) Q_EMIT stateChanged();
}

void ConsoleShell::read() {
  const QProcess* process = m_process;
  if (!process) return;
  m_rest += m_process->readAll();
  std::vector<ShellLine> lines;
  qsizetype from = 0;
  for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n', from)) {
    QByteArray line = m_rest.mid(from, end - from);
    from = end + 1;
    takeLine(std::move(line), lines);
    if (m_process != process) return;  // somebody who heard of it has ended it
  }
  m_rest.remove(0, from);
  // The end may be a part of a mark, or of a character.
  while (m_rest.size() > kLongestLine + m_marker.size()) {
    const qsizetype length = partLength(m_rest);
    lines.push_back({.text = m_rest.left(length), .goesOn = true});
    m_rest.remove(0, length);
    m_isLineBegun = true;
  }
  if (!lines.empty()) Q_EMIT wrote(lines);
}

void ConsoleShell::takeLine(QByteArray line, std::vector<ShellLine>& lines) {
  const qsizetype mark = line.indexOf(m_marker);
  const int status = mark < 0 ? 0 : line.mid(mark + m_marker.size()).trimmed().toInt();
  if (mark >= 0) line.truncate(mark);
  if (line.endsWith('\r')) line.chop(1);
  if (m_isAskingOffers) {
    const qsizetype tab = line.indexOf('\t');
    if (tab > 0 && static_cast<qsizetype>(m_offers.size()) < kMostOffersTaken)
      m_offers.push_back({QString::fromUtf8(line.left(tab)), QString::fromUtf8(line.mid(tab + 1))});
  } else if (mark < 0 || !line.isEmpty()) {
    const bool isMessage = !m_isLineBegun && line.startsWith(kMessageStart);
    if (isMessage) line.remove(0, kMessageStart.size());
    while (line.size() > kLongestLine) {
      const qsizetype length = partLength(line);
      lines.push_back({line.left(length), isMessage, true});
      line.remove(0, length);
    }
    lines.push_back({std::move(line), isMessage, false});
  }
  m_isLineBegun = false;
  if (mark < 0) return;
  if (!lines.empty()) Q_EMIT wrote(std::exchange(lines, {}));
  takeMark(status);
}

void ConsoleShell::takeMark(int status) {
  if (std::exchange(m_isAskingOffers, false)) {
    if (!m_line.isEmpty()) m_process->write(std::exchange(m_line, {}));
    Q_EMIT offered(m_asked, std::exchange(m_offers, {}));
    return;
  }
  m_isCancelled = false;
  const State before = m_state;
  setState(State::Idle);
  if (before == State::Running) Q_EMIT answered(status);
}

void ConsoleShell::finish(const QString& why) {
  if (!m_process) return;
  // What stood in a line that has no end.
  if (!m_rest.isEmpty() && !m_isAskingOffers) Q_EMIT wrote({{.text = std::exchange(m_rest, {})}});
  QProcess* process = std::exchange(m_process, nullptr);
  process->disconnect(this);
  process->deleteLater();
  setState(State::Ended);
  Q_EMIT ended(why);
}

}  // namespace heapscape::gui
