// SPDX-License-Identifier: MIT
#include "app/files/redact_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <stop_token>
#include <utility>

#include "bridge/engine_bridge.h"
#include "widgets/file_to_write.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr const char* kChannel = "redact";
constexpr int kLetters = 76;
constexpr int kPerMille = 1000;
constexpr int kLinesLeft = 12;

QString endingless(QString name) {
  for (const QString& ending : {u".zst"_s, u".gz"_s, u".xz"_s, u".lz4"_s, u".tar"_s, u".tgz"_s, u".core"_s, u".dmp"_s})
    if (name.size() > ending.size() && name.endsWith(ending)) name.chop(ending.size());
  return name;
}

QLabel* makeText(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setWordWrap(true);
  return label;
}

QVBoxLayout* columnIn(QWidget* page) {
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  return column;
}

}  // namespace

QString redactedCopyPath(const QString& dump) {
  const QFileInfo file(dump);
  return file.dir().filePath(endingless(file.fileName()) + u".redacted.core.zst"_s);
}

RedactDialog::RedactDialog(EngineBridge& bridge, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_pages(new QStackedWidget(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(u"redactDialog"_s);
  setWindowTitle(u"Save a copy without contents"_s);
  for (QWidget* page : {makeChoices(), makeWriting(), makeResult()}) m_pages->addWidget(page);
  auto* buttons = new QDialogButtonBox(this);
  m_save = buttons->addButton(u"Save copy…"_s, QDialogButtonBox::ActionRole);
  m_save->setObjectName(u"redactSave"_s);
  m_open = buttons->addButton(u"Open the copy"_s, QDialogButtonBox::ActionRole);
  m_open->setObjectName(u"redactOpen"_s);
  m_close = buttons->addButton(QDialogButtonBox::Cancel);
  m_close->setObjectName(u"redactClose"_s);
  connect(m_save, &QPushButton::clicked, this, &RedactDialog::choosePath);
  connect(m_open, &QPushButton::clicked, this, [this] {
    const QString path = m_path;
    accept();
    Q_EMIT openWanted(path);
  });
  connect(buttons, &QDialogButtonBox::rejected, this, &RedactDialog::reject);
  // There is nothing left to copy, or something else.
  connect(&m_bridge, &EngineBridge::closed, this, &QDialog::accept);
  connect(&m_bridge, &EngineBridge::openStarted, this, &QDialog::accept);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 24, 24, 16);
  column->setSpacing(12);
  column->addWidget(m_pages);
  column->addWidget(buttons);
  m_pages->setMinimumWidth(fontMetrics().averageCharWidth() * kLetters);
  showPage(Choices);
}

QWidget* RedactDialog::makeChoices() {
  auto* page = new QWidget(this);
  QVBoxLayout* column = columnIn(page);
  column->addWidget(makeHeading(u"Stays"_s, page));
  column->addWidget(makeText(
      u"Objects, their types, sizes and references; handles, locks and roots; threads with the frames of their stacks. "
      "Names of types, methods, assemblies and libraries. The copy opens here as a dump does."_s,
      page));
  column->addWidget(makeHeading(u"Goes"_s, page));
  column->addWidget(makeText(
      u"Texts: strings become asterisks of the same length. Numbers, dates, characters and all other values of fields, "
      "arrays, statics and variables. Native memory, mapped files and code. The command line, the environment, names "
      "of threads, and folders below a home. Objects that nothing holds lose their values, too."_s,
      page));
  column->addSpacing(8);
  column->addWidget(makeHeading(u"Keep as well"_s, page));
  m_lengths = addChoice(page, "redactLengths", u"Exact &lengths of strings and arrays"_s,
                        u"Else they are rounded up to what the object's size has room for."_s);
  m_lengths->setChecked(true);
  m_counts = addChoice(page, "redactCounts", u"&Counts of collections"_s,
                       u"Shows which lists and dictionaries are empty or too large."_s);
  m_hashes = addChoice(page, "redactHashes", u"Which strings are &equal"_s,
                       u"Equal strings get equal letters, which nobody can turn back; duplicates still show."_s);
  m_booleans = addChoice(page, "redactBooleans", u"&Booleans"_s, {});
  m_enums = addChoice(page, "redactEnums", u"Values of e&nums"_s, {});
  column->addSpacing(8);
  column->addWidget(makeHeading(u"Give other names"_s, page));
  m_renamed = new QLineEdit(page);
  m_renamed->setObjectName(u"redactRename"_s);
  m_renamed->setPlaceholderText(u"Contoso.Payments, Contoso.Core"_s);
  auto* renamed = new QLabel(u"To types, members and assemblies in these na&mespaces:"_s, page);
  renamed->setBuddy(m_renamed);
  column->addWidget(renamed);
  column->addWidget(m_renamed);
  m_problem = makeText({}, page);
  m_problem->setObjectName(u"redactProblem"_s);
  m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_problem->hide();
  column->addWidget(m_problem);
  column->addStretch(1);
  return page;
}

QCheckBox* RedactDialog::addChoice(QWidget* page, const char* name, const QString& text, const QString& meaning) {
  auto* box = new QCheckBox(text, page);
  box->setObjectName(QString::fromLatin1(name));
  page->layout()->addWidget(box);
  if (!meaning.isEmpty()) {
    box->setAccessibleDescription(meaning);
    QLabel* note = makeNote(meaning, page);
    note->setIndent(fontMetrics().height() + 8);
    page->layout()->addWidget(note);
  }
  return box;
}

QWidget* RedactDialog::makeWriting() {
  auto* page = new QWidget(this);
  QVBoxLayout* column = columnIn(page);
  m_activity = makeText({}, page);
  m_progress = new QProgressBar(page);
  m_progress->setObjectName(u"redactProgress"_s);
  m_progress->setRange(0, kPerMille);
  column->addStretch(1);
  column->addWidget(m_activity);
  column->addWidget(m_progress);
  column->addStretch(1);
  return page;
}

QWidget* RedactDialog::makeResult() {
  auto* page = new QWidget(this);
  QVBoxLayout* column = columnIn(page);
  m_heading = makeHeading(u"The copy is written"_s, page);
  m_where = makeText({}, page);
  m_where->setObjectName(u"redactWhere"_s);
  m_where->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_sizes = makeNote({}, page);
  m_left = new QTreeWidget(page);
  m_left->setObjectName(u"redactLeft"_s);
  m_left->setAccessibleName(u"What is left in the copy"_s);
  m_left->setRootIsDecorated(false);
  m_left->setWordWrap(true);
  m_left->setHeaderLabels({u"Bytes"_s, u"What is left, and why"_s});
  m_left->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_left->header()->setStretchLastSection(true);
  m_left->setMinimumHeight(kLinesLeft * fontMetrics().lineSpacing() * 3 / 2);
  for (QWidget* part : {static_cast<QWidget*>(m_heading), static_cast<QWidget*>(m_where),
                        static_cast<QWidget*>(m_sizes), static_cast<QWidget*>(m_left)})
    column->addWidget(part);
  column->addWidget(makeNote(
      u"To prove it to whoever has to allow it: heapscape-cli redact --check reads the file as bytes."_s, page));
  return page;
}

engine::RedactOptions RedactDialog::options() const {
  engine::RedactOptions options;
  options.keepsLengths = m_lengths->isChecked();
  options.keepsCounts = m_counts->isChecked();
  options.keepsBooleans = m_booleans->isChecked();
  options.keepsEnums = m_enums->isChecked();
  options.hashesStrings = m_hashes->isChecked();
  static const QRegularExpression kBetween(u"[\\s,;]+"_s);
  for (const QString& name : m_renamed->text().split(kBetween, Qt::SkipEmptyParts))
    options.renamedNamespaces.push_back(name.toStdString());
  return options;
}

bool RedactDialog::isWriting() const {
  return m_pages->currentIndex() == Writing;
}

void RedactDialog::choosePath() {
  const QString path = askFileToWrite(this, windowTitle(), redactedCopyPath(m_bridge.path()), u"core.zst"_s,
                                      u"Packed core dumps (*.zst);;Core dumps (*)"_s);
  if (!path.isEmpty()) save(path);
}

void RedactDialog::save(const QString& path) {
  m_path = path;
  m_problem->hide();
  m_activity->setText(u"Choosing what stays…"_s);
  m_progress->setValue(0);
  showPage(Writing);
  m_bridge.askLong(
      this, kChannel,
      [options = options(), target = QFile::encodeName(path).toStdString()](
          const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
        return engine::writeRedacted(snapshot, target, options, progress, std::move(stop));
      },
      [this](const engine::Progress& progress) { showProgress(progress); },
      [this](const engine::Outcome<engine::RedactionReport>& outcome) { finish(outcome); });
}

void RedactDialog::showProgress(const engine::Progress& progress) {
  QString activity = fromEngine(progress.activity);
  if (!activity.isEmpty()) activity[0] = activity[0].toUpper();
  m_activity->setText(activity + u"…"_s);
  m_progress->setValue(static_cast<int>(progress.fraction * kPerMille));
}

void RedactDialog::finish(const engine::Outcome<engine::RedactionReport>& outcome) {
  if (!outcome) {
    showPage(Choices);
    if (outcome.error().isCancelled()) return;
    m_problem->setText(fromEngine(outcome.error().error().message()));
    m_problem->show();
    return;
  }
  m_where->setText(QDir::toNativeSeparators(m_path));
  QString sizes = u"%1 of %2"_s.arg(bytesText(outcome->copyBytes), bytesText(outcome->dumpBytes));
  if (outcome->fileBytes != outcome->copyBytes) sizes += u", packed %1"_s.arg(bytesText(outcome->fileBytes));
  QStringList choices;
  for (const std::string& choice : outcome->choices) choices << fromEngine(choice);
  m_sizes->setText(choices.isEmpty() ? sizes + u"."_s : u"%1. Kept by choice: %2."_s.arg(sizes, choices.join(u", "_s)));
  m_left->clear();
  for (const engine::KeptBytes& kept : outcome->kept) {
    auto* line = new QTreeWidgetItem(m_left, {bytesText(kept.bytes), fromEngine(kept.why)});
    line->setTextAlignment(0, Qt::AlignRight | Qt::AlignVCenter);
    line->setToolTip(0, exactBytesText(kept.bytes));
    line->setToolTip(1, fromEngine(kept.why));
  }
  showPage(Result);
}

void RedactDialog::showPage(Page page) {
  m_pages->setCurrentIndex(page);
  m_save->setVisible(page == Choices);
  m_open->setVisible(page == Result);
  m_close->setText(page == Result ? u"Close"_s : u"Cancel"_s);
  (page == Choices ? m_save : page == Result ? m_open : m_close)->setDefault(true);
}

void RedactDialog::reject() {
  m_bridge.stopAsking(this, kChannel);
  if (isWriting())
    showPage(Choices);
  else
    QDialog::reject();
}

}  // namespace heapscape::gui
