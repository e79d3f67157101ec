// SPDX-License-Identifier: MIT
// What is done with answers: links, menus, copies, files, the search.
#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QSaveFile>
#include <QToolButton>

#include "bridge/file_work.h"
#include "models/address_target.h"
#include "models/object_menu.h"
#include "views/console/answer_view.h"
#include "views/console/command_edit.h"
#include "views/console/console_place.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/file_to_write.h"
#include "widgets/filter_line.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

/// Commands about one address, in the order of the menu.
QStringList commandsAbout(engine::AddressKind kind) {
  switch (kind) {
    case engine::AddressKind::ObjectStart:
      return {u"dumpobj"_s, u"gcroot"_s, u"objsize"_s};
    case engine::AddressKind::MethodTable:
    case engine::AddressKind::EEClass:
      return {u"dumpmt -md"_s, u"dumpheap -mt"_s};
    case engine::AddressKind::MethodDesc:
      return {u"dumpmd"_s};
    case engine::AddressKind::MethodCode:
      return {u"ip2md"_s, u"clru"_s};
    default:
      return {u"address"_s};
  }
}

bool isListedElsewhere(engine::AddressKind kind) {
  return kind == engine::AddressKind::HandleSlot || kind == engine::AddressKind::StaticSlot ||
         kind == engine::AddressKind::SyncBlock || kind == engine::AddressKind::RuntimeThread ||
         kind == engine::AddressKind::ThreadStack;
}

}  // namespace

void ConsolePlace::addActions() {
  addFindActions(this, [this](int step) { find(step); });
  auto* copying = new QAction(u"Copy"_s, m_answers);
  copying->setShortcut(QKeySequence::Copy);
  copying->setShortcutContext(Qt::WidgetShortcut);
  connect(copying, &QAction::triggered, this, [this] {
    if (!m_answers->hasSelection() && m_shell->state() == ConsoleShell::State::Running) return stop();
    copy();
  });
  m_answers->addAction(copying);
  auto* all = new QAction(u"Select all"_s, m_answers);
  all->setShortcut(QKeySequence::SelectAll);
  all->setShortcutContext(Qt::WidgetShortcut);
  connect(all, &QAction::triggered, m_answers, &AnswerView::selectAll);
  m_answers->addAction(all);
}

void ConsolePlace::inspect(engine::Address address) {
  if (const engine::AddressMeaning* meaning = m_links.meaningOf(address))
    inspectAddress(m_navigator, address, *meaning);
}

void ConsolePlace::openMenu(const QPoint& global, engine::Address address, const QString& written) {
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (address) addAddressEntries(menu, address, written);
  const QIcon copyIcon = symbolIcon(u"copy"_s);
  menu.addAction(copyIcon, m_answers->hasSelection() ? u"Copy what is selected"_s : u"Copy this line"_s, this,
                 &ConsolePlace::copy);
  menu.addAction(copyIcon, u"Copy this answer"_s, this, &ConsolePlace::copyAnswer);
  menu.addAction(u"Select all"_s, m_answers, &AnswerView::selectAll);
  menu.addSeparator();
  menu.addAction(symbolIcon(u"save"_s), u"Save output…"_s, this, &ConsolePlace::save);
  menu.addAction(u"Clear"_s, this, &ConsolePlace::empty);
  menu.exec(global);
}

void ConsolePlace::addAddressEntries(QMenu& menu, engine::Address address, const QString& written) {
  const engine::AddressMeaning* meaning = m_links.meaningOf(address);
  if (!meaning) return;
  menu.addAction(symbolIcon(u"inspector"_s), u"Inspect"_s, this, [this, address] { inspect(address); });
  if (isListedElsewhere(meaning->kind))
    menu.addAction(symbolIcon(symbolOf(meaning->kind)), u"Show where it is listed"_s, this,
                   [this, address] { showListed(address); });
  menu.addSeparator();
  for (const QString& command : commandsAbout(meaning->kind)) {
    const QString line = command + QLatin1Char(' ') + written;
    menu.addAction(symbolIcon(u"command"_s), line, this, [this, line] { m_command->enter(line); });
  }
  menu.addSeparator();
  addCopy(menu, u"Copy %1"_s.arg(written), written);
  addSelectionLinks(menu, m_navigator,
                    {.object = meaning->object, .methodTable = meaning->methodTable, .segment = meaning->segment});
  if (!meaning->object) addMemoryLink(menu, m_navigator, address);
  menu.addSeparator();
}

void ConsolePlace::showListed(engine::Address address) {
  m_bridge.ask(
      this, "console.listed",
      [address](const engine::Snapshot& snapshot, std::stop_token stop) {
        return findAddressTargets(snapshot, address, std::move(stop));
      },
      [this](const engine::Outcome<std::vector<AddressTarget>>& targets) {
        if (targets && !targets->empty() && canShow(targets->front())) showTarget(m_navigator, targets->front());
      });
}

void ConsolePlace::copy() {
  const QByteArray text = m_answers->selectedText();
  if (!text.isEmpty()) QGuiApplication::clipboard()->setText(QString::fromUtf8(text));
}

void ConsolePlace::copyAnswer() {
  if (m_transcript.isEmpty()) return;
  const std::uint64_t here = m_answers->currentLine().value_or(m_transcript.end() - 1);
  const std::uint64_t from = m_transcript.commandOf(here).value_or(m_transcript.begin());
  const std::uint64_t to = m_transcript.commandBeside(here, 1).value_or(m_transcript.end());
  QGuiApplication::clipboard()->setText(QString::fromUtf8(textOf(m_transcript.copy(from, to))));
}

void ConsolePlace::save() {
  const QFileInfo dump(m_bridge.path());
  const QString suggested = dump.dir().filePath(dump.completeBaseName() + u".console.txt"_s);
  const QString path = askFileToWrite(this, u"Save output"_s, suggested, u"txt"_s, u"Text (*.txt)"_s);
  if (path.isEmpty()) return;
  workWithFiles(
      FileDesk::Files, this,
      [path, lines = m_transcript.copy(m_transcript.begin(), m_transcript.end())] {
        QSaveFile file(path);
        const QByteArray text = textOf(lines);
        const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
        return isWritten ? QString() : file.errorString();
      },
      [this, path](const QString& trouble) {
        if (trouble.isEmpty()) {
          setState(u"Saved: %1"_s.arg(QDir::toNativeSeparators(path)));
        } else {
          setState(u"%1 could not be written: %2"_s.arg(QDir::toNativeSeparators(path), trouble), true);
        }
      });
}

void ConsolePlace::empty() {
  m_transcript.clear();
  m_answers->updateLines();
  m_searched->setText({});
  showGone();
  showState();
  m_command->setFocus();
}

void ConsolePlace::find(int step) {
  m_searched->setText({});
  m_answers->find(m_search->text(), step);
}

}  // namespace heapscape::gui
