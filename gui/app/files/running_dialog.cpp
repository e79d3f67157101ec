// SPDX-License-Identifier: MIT
#include "app/files/running_dialog.h"

#include <QCheckBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <array>

#include "bridge/live_programs.h"
#include "widgets/file_to_write.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kListLetters = 104;
constexpr int kListLines = 10;
constexpr int kDumpPerMille = 1000;

enum ProgramColumn { NameColumn, PidColumn, RuntimeColumn, GcColumn, HeapColumn, WorkingSetColumn, CommandColumn };

QString suggestedDumpPath(const engine::RunningProgram& program) {
  QString name = fromEngine(program.name());
  static const QRegularExpression kOthers(u"[^A-Za-z0-9._-]"_s);
  name.remove(kOthers);
  const QString time = QDateTime::currentDateTime().toString(u"yyyyMMdd-HHmmss"_s);
  return QDir::home().filePath(u"%1-%2-%3.core"_s.arg(name).arg(program.process.pid).arg(time));
}

QString gcText(const engine::DotnetProcess& process) {
  return process.gc ? fromEngine(toString(*process.gc)) : u"?"_s;
}

QTreeWidgetItem* makeProgramItem(const engine::RunningProgram& program) {
  const engine::DotnetProcess& process = program.process;
  auto* item = new QTreeWidgetItem({fromEngine(program.name()), QString::number(process.pid),
                                    program.info ? fromEngine(program.info->runtimeVersion) : u"?"_s, gcText(process),
                                    program.heapBytes ? bytesText(*program.heapBytes) : u"?"_s,
                                    bytesText(process.residentBytes), fromEngine(program.command())});
  for (const int column : {PidColumn, HeapColumn, WorkingSetColumn})
    item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  if (process.isElsewhere) item->setToolTip(PidColumn, u"In a container, where it is %1"_s.arg(process.namespacePid));
  item->setToolTip(CommandColumn, fromEngine(program.command()));
  return item;
}

}  // namespace

RunningDialog::RunningDialog(QWidget* parent)
    : QDialog(parent), m_live(new LivePrograms(this)), m_pages(new QStackedWidget(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(u"runningDialog"_s);
  setWindowTitle(u"Running programs"_s);
  for (QWidget* page : {makePrograms(), makeWriting()}) m_pages->addWidget(page);
  auto* buttons = new QDialogButtonBox(this);
  m_refresh = buttons->addButton(u"&Refresh"_s, QDialogButtonBox::ActionRole);
  m_refresh->setObjectName(u"runningRefresh"_s);
  m_dump = buttons->addButton(u"&Dump and open…"_s, QDialogButtonBox::ActionRole);
  m_dump->setObjectName(u"runningDump"_s);
  m_close = buttons->addButton(QDialogButtonBox::Close);
  m_close->setObjectName(u"runningClose"_s);
  connect(m_refresh, &QPushButton::clicked, this, &RunningDialog::look);
  connect(m_dump, &QPushButton::clicked, this, &RunningDialog::choosePath);
  connect(buttons, &QDialogButtonBox::rejected, this, &RunningDialog::reject);
  connect(m_live, &LivePrograms::listed, this, &RunningDialog::show);
  connect(m_live, &LivePrograms::progressed, this, &RunningDialog::showProgress);
  connect(m_live, &LivePrograms::captured, this, &RunningDialog::finish);
  connect(m_live, &LivePrograms::failed, this, &RunningDialog::tell);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 24, 24, 16);
  column->setSpacing(12);
  column->addWidget(m_pages);
  column->addWidget(buttons);
  m_pages->setMinimumWidth(fontMetrics().averageCharWidth() * kListLetters);
  showPage(Programs);
  look();
}

QWidget* RunningDialog::makePrograms() {
  auto* page = new QWidget(this);
  m_list = new QTreeWidget(page);
  m_list->setObjectName(u"runningList"_s);
  m_list->setAccessibleName(u"Running .NET programs"_s);
  m_list->setRootIsDecorated(false);
  m_list->setHeaderLabels({u"Name"_s, u"PID"_s, u"Runtime"_s, u"GC"_s, u"Heap"_s, u"Working set"_s, u"Command"_s});
  m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_list->header()->setStretchLastSection(true);
  m_list->setMinimumHeight(kListLines * fontMetrics().lineSpacing() * 3 / 2);
  connect(m_list, &QTreeWidget::currentItemChanged, this, &RunningDialog::follow);
  connect(m_list, &QTreeWidget::itemActivated, this, [this] {
    if (m_dump->isEnabled()) choosePath();
  });
  m_note = makeNote({}, page);
  m_note->setObjectName(u"runningNote"_s);
  m_note->setWordWrap(true);
  m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_withoutContents = new QCheckBox(u"Keep only a copy &without contents"_s, page);
  m_withoutContents->setObjectName(u"runningWithoutContents"_s);
  m_withoutContents->setToolTip(u"No texts and no values; what the process wrote is removed"_s);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addWidget(m_list, 1);
  column->addWidget(m_note);
  column->addWidget(m_withoutContents);
  return page;
}

QWidget* RunningDialog::makeWriting() {
  auto* page = new QWidget(this);
  m_activity = new QLabel(page);
  m_activity->setWordWrap(true);
  m_progress = new QProgressBar(page);
  m_progress->setObjectName(u"runningProgress"_s);
  m_progress->setAccessibleName(u"Writing the dump"_s);
  m_progress->setRange(0, kDumpPerMille);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addStretch(1);
  column->addWidget(m_activity);
  column->addWidget(m_progress);
  column->addStretch(1);
  return page;
}

void RunningDialog::look() {
  m_refresh->setEnabled(false);
  m_note->setText(u"Asking them; that takes a second or two…"_s);
  m_live->list();
}

void RunningDialog::show(const std::vector<engine::RunningProgram>& programs) {
  const engine::RunningProgram* before = selected();
  const std::uint32_t pid = before ? before->process.pid : 0;
  m_programs = programs;
  m_list->clear();
  QTreeWidgetItem* again = nullptr;
  for (const engine::RunningProgram& program : m_programs) {
    QTreeWidgetItem* item = makeProgramItem(program);
    m_list->addTopLevelItem(item);
    if (program.process.pid == pid) again = item;
  }
  if (m_list->topLevelItemCount() > 0) m_list->setCurrentItem(again ? again : m_list->topLevelItem(0));
  m_refresh->setEnabled(true);
  follow();
}

void RunningDialog::follow() {
  const engine::RunningProgram* program = selected();
  m_dump->setEnabled(program && program->info);
  if (m_programs.empty()) {
    m_note->setText(u"No process shows anything of .NET. Those of other users show to root only."_s);
  } else if (!program || program->missing.empty()) {
    m_note->setText(
        u"It stands still while its runtime writes the dump: a second for each GB, or longer on a slow disk."_s);
  } else {
    m_note->setText(fromEngine(program->missing.front().message()));
  }
}

const engine::RunningProgram* RunningDialog::selected() const {
  const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
  return row >= 0 && static_cast<std::size_t>(row) < m_programs.size() ? &m_programs[static_cast<std::size_t>(row)]
                                                                       : nullptr;
}

void RunningDialog::choosePath() {
  const engine::RunningProgram* program = selected();
  if (!program) return;
  const QString path = askFileToWrite(this, u"Dump %1"_s.arg(fromEngine(program->name())), suggestedDumpPath(*program),
                                      u"core"_s, u"Core dumps (*.core);;Packed core dumps (*.zst)"_s);
  if (!path.isEmpty()) capture(path);
}

void RunningDialog::capture(const QString& path) {
  const engine::RunningProgram* program = selected();
  if (!program) return;
  m_dumped = {program->process.pid, program->process.startTicks};
  engine::CaptureRequest request{.places = engine::ProcessPlaces::ofThisProcess(),
                                 .pid = program->process.pid,
                                 .target = QFile::encodeName(path).toStdString()};
  if (m_withoutContents->isChecked()) request.redact.emplace();
  m_activity->setText(u"Asking %1 for a dump…"_s.arg(fromEngine(program->name())));
  m_progress->setValue(0);
  showPage(Writing);
  m_live->capture(request);
}

void RunningDialog::showProgress(const engine::Progress& progress) {
  QString activity = fromEngine(progress.activity);
  if (!activity.isEmpty()) activity[0] = activity[0].toUpper();
  m_activity->setText(activity + u"…"_s);
  m_progress->setValue(static_cast<int>(progress.fraction * kDumpPerMille));
}

void RunningDialog::finish(const engine::CapturedDump& dump) {
  const QString path = QFile::decodeName(QByteArray::fromStdString(dump.file.string()));
  const DumpedProcess process = m_dumped;
  accept();
  Q_EMIT captured(path, process);
}

void RunningDialog::tell(const engine::Error& error) {
  m_refresh->setEnabled(true);
  showPage(Programs);
  m_note->setText(fromEngine(error.message()));
}

bool RunningDialog::isWriting() const {
  return m_pages->currentIndex() == Writing;
}

void RunningDialog::showPage(Page page) {
  m_pages->setCurrentIndex(page);
  m_refresh->setVisible(page == Programs);
  m_dump->setVisible(page == Programs);
  m_close->setText(page == Programs ? u"Close"_s : u"Cancel"_s);
  (page == Programs ? m_dump : m_close)->setDefault(true);
}

void RunningDialog::reject() {
  m_live->stop();
  if (!isWriting()) {
    QDialog::reject();
    return;
  }
  m_refresh->setEnabled(true);
  showPage(Programs);
  follow();
}

}  // namespace heapscape::gui
