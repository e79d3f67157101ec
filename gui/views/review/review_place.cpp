// SPDX-License-Identifier: MIT
#include "views/review/review_place.h"

#include <QClipboard>
#include <QDate>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "bridge/file_work.h"
#include "review/dump_report.h"
#include "review/markdown_page.h"
#include "review/opening_page.h"
#include "views/review/export_dialog.h"
#include "views/review/page_editor.h"
#include "views/review/page_list.h"
#include "views/review/review_model.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/file_to_write.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kSaveEachMs = 300;  // at most so often, while words are being written

}  // namespace

ReviewPlace::ReviewPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_model(new ReviewModel(this)),
      m_heading(new QLineEdit(this)),
      m_export(new QPushButton(symbolIcon(u"save"_s), u"Export…"_s, this)),
      m_markdown(new QPushButton(symbolIcon(u"copy"_s), u"Copy as Markdown issue"_s, this)),
      m_fileLine(new ElidedText(this)),
      m_other(new Banner(this)),
      m_list(new PageList(m_model, this)),
      m_editor(new PageEditor(this)),
      m_state(new StatePanel(this)),
      m_body(new QWidget(this)),
      m_pages(new QStackedLayout(this)),
      m_saving(new QTimer(this)) {
  m_saving->setSingleShot(true);
  m_saving->setInterval(kSaveEachMs);
  build();
  connect(m_saving, &QTimer::timeout, this, &ReviewPlace::write);
  connect(m_model, &ReviewModel::edited, this, [this] {
    m_isEdited = true;
    saveSoon();
    showState();
  });
  connect(m_heading, &QLineEdit::textEdited, m_model, &ReviewModel::setBoardTitle);
  connect(m_export, &QPushButton::clicked, this, &ReviewPlace::exportReview);
  connect(m_markdown, &QPushButton::clicked, this, [this] { copyMarkdown(std::nullopt); });
  connect(m_list, &PageList::markdownWanted, this, [this](int row) {
    if (row >= 0) copyMarkdown(row);
  });
  connect(m_list, &PageList::pagePicked, this, &ReviewPlace::showPage);
  connect(m_list, &PageList::noteWanted, this, &ReviewPlace::addNote);
  connect(m_model, &ReviewModel::dataChanged, this, [this] {
    if (m_list->currentPage() >= 0) m_editor->showWords(m_model->page(m_list->currentPage()));
  });
  connect(m_editor, &PageEditor::titleWritten, this,
          [this](const QString& title) { m_model->setData(m_model->index(m_list->currentPage()), title); });
  connect(m_editor, &PageEditor::noteWritten, this, [this](const QString& note) {
    if (m_list->currentPage() >= 0) m_model->setNote(m_list->currentPage(), note);
  });
  clear();
}

ReviewPlace::~ReviewPlace() {
  save();
}

void ReviewPlace::build() {
  auto* split = new QSplitter(this);
  split->addWidget(m_list);
  split->addWidget(m_editor);
  split->setStretchFactor(1, 1);
  split->setChildrenCollapsible(false);
  split->setHandleWidth(1);
  split->setSizes({fontMetrics().averageCharWidth() * 48, 1000});
  auto* column = new QVBoxLayout(m_body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildHead());
  m_other->setObjectName(u"otherDump"_s);
  column->addWidget(m_other);
  column->addWidget(split, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_body);
}

QWidget* ReviewPlace::buildHead() {
  m_heading->setObjectName(u"reviewTitle"_s);
  m_heading->setAccessibleName(u"Review title"_s);
  m_heading->setPlaceholderText(u"Review title"_s);
  m_heading->setMinimumHeight(std::max(28, fontMetrics().height() * 8 / 5));
  m_export->setObjectName(u"exportReview"_s);
  m_export->setToolTip(u"As one HTML page or a PDF, to be sent around"_s);
  m_markdown->setObjectName(u"copyMarkdown"_s);
  m_markdown->setToolTip(u"All pages as text for an issue, without strings and field values of the dump"_s);
  m_fileLine->setObjectName(u"reviewFile"_s);
  m_fileLine->setDimmed(true);
  auto* open = new QPushButton(symbolIcon(u"open"_s), u"Open review…"_s, this);
  connect(open, &QPushButton::clicked, this, &ReviewPlace::openWanted);
  auto* head = new QWidget(this);
  auto* line = new QHBoxLayout(head);
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(12);
  line->addWidget(m_heading, 2);
  line->addWidget(m_fileLine, 3);
  line->addWidget(open);
  line->addWidget(m_markdown);
  line->addWidget(m_export);
  return head;
}

void ReviewPlace::showSnapshot(const engine::Snapshot& snapshot) {
  const QString path = m_bridge.path();
  if (m_seen != path) adopt(path);
  showSubject(snapshot);
}

void ReviewPlace::showSubject(const engine::Snapshot& snapshot) {
  const engine::ReviewBoard& board = m_model->board();
  if (!snapshot.has(engine::Stage::Objects) || board.pages.empty() || m_dump.isEmpty()) return;
  // What was pinned early says less of its dump.
  const std::string summary = engine::summaryLine(snapshot);
  if (board.summary != summary && summary.starts_with(board.summary)) {
    engine::ReviewBoard described = board;
    describe(described);
    show(std::move(described));
  }
  showOther();
  if (m_isOpeningPartial && snapshot.has(engine::Stage::Retained)) fillOpening();
}

void ReviewPlace::addOpening(engine::ReviewBoard& board) const {
  const engine::Snapshot* snapshot = m_bridge.snapshot();
  if (!snapshot || !snapshot->has(engine::Stage::Objects)) return;
  board.pages.push_back({.title = engine::kOpeningTitle, .content = engine::factsTable(*snapshot)});
  const QString day = QLocale::c().toString(QDate::currentDate(), u"d MMM"_s);
  if (board.title.empty()) board.title = engine::proposedTitle(*snapshot, day.toStdString());
}

void ReviewPlace::fillOpening() {
  m_bridge.ask(
      this, "opening",
      [](const engine::Snapshot& snapshot, std::stop_token stop) { return openingPage(snapshot, stop); },
      [this, begun = m_begun](engine::Outcome<engine::ReviewPage> page) {
        const auto& pages = m_model->board().pages;
        const auto found = std::ranges::find(pages, engine::kOpeningTitle, &engine::ReviewPage::title);
        if (!page || begun != m_begun || found == pages.end()) return;
        const auto row = static_cast<int>(found - pages.begin());
        m_model->setContent(row, std::move(*page));
        if (m_list->currentPage() == row) showPage(row);
        m_isOpeningPartial = !m_bridge.snapshot() || !m_bridge.snapshot()->has(engine::Stage::Retained);
      });
}

void ReviewPlace::changeEvent(QEvent* event) {
  Place::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_model->setLook(palette());
}

void ReviewPlace::copyMarkdown(std::optional<int> page) {
  engine::ReviewBoard board = m_model->board();
  if (page) board.pages = {m_model->page(*page)};
  board = engine::redacted(std::move(board));
  const std::string text = page ? engine::markdownOf(board, 0) : engine::markdownOf(board);
  QGuiApplication::clipboard()->setText(QString::fromStdString(text));
  m_fileLine->setText(
      page ? u"Copied this page, without strings and values of the dump"_s
           : u"Copied %1, without strings and values of the dump"_s.arg(countedText(board.pages.size(), u"page"_s)));
}

// The same path may be of another dump by now: its figures tell.
std::optional<std::string> ReviewPlace::otherDump() const {
  const std::string& pinned = m_model->board().summary;
  if (m_dump.isEmpty() || pinned.empty() || !m_bridge.snapshot()) return std::nullopt;
  const std::string open = engine::summaryLine(*m_bridge.snapshot());
  return open.starts_with(pinned) || pinned.starts_with(open) ? std::nullopt : std::optional(open);
}

void ReviewPlace::showOther() {
  const std::optional<std::string> other = otherDump();
  m_other->setText(
      other ? u"These pages are of another dump of that name (%1). Open now: %2. What is pinned now says so."_s.arg(
                  fromEngine(m_model->board().summary), fromEngine(*other))
            : QString());
}

void ReviewPlace::clear() {
  begin({}, {});
  m_seen.clear();
  show({});
}

// What was shown before is written, and answers about it come too late.
void ReviewPlace::begin(const QString& dump, const ReviewFile& file) {
  write();
  m_isEdited = false;
  m_loading.reset();
  ++m_begun;
  m_dump = dump;
  m_file = file;
  m_hasFailed = false;
  m_isOpeningPartial = false;
}

void ReviewPlace::adopt(const QString& dump) {
  begin(dump, {});
  m_seen = dump;
  m_loading = std::make_shared<LoadedReview>();
  show({});
  const auto load = [dump, into = m_loading] {
    *into = loadReviewOf(dump);
    return into;
  };
  workWithFiles(FileDesk::Files, this, load, [this](const std::shared_ptr<LoadedReview>& loaded) {
    if (loaded == m_loading) take();
  });
}

void ReviewPlace::take() {
  const std::shared_ptr<LoadedReview> loaded = std::exchange(m_loading, nullptr);
  m_file = loaded->file;
  m_hasFailed = !loaded->board;
  show(loaded->board ? std::move(*loaded->board) : engine::ReviewBoard());
  if (m_hasFailed)
    m_state->showFailed(u"The review of this dump cannot be read"_s,
                        u"%1 Nothing is written over it: move %2 away to begin a new one."_s.arg(
                            fromEngine(loaded->board.error().message()), QDir::toNativeSeparators(m_file.path)));
  if (m_bridge.snapshot()) showSubject(*m_bridge.snapshot());
}

void ReviewPlace::describe(engine::ReviewBoard& board) const {
  board.dump = QFileInfo(m_dump).fileName().toStdString();
  if (const auto& snapshot = m_bridge.snapshot()) board.summary = engine::summaryLine(*snapshot);
}

void ReviewPlace::openReview(const QString& path, std::function<void(const QString& trouble)> done) {
  workWithFiles(
      FileDesk::Files, this, [path] { return loadReview(path); },
      [this, path, begun = m_begun, done = std::move(done)](engine::Result<engine::ReviewBoard> board) {
        if (begun != m_begun) return;  // something else was opened in the meantime
        if (!board) return done(fromEngine(board.error().message()));
        begin({}, {QFileInfo(path).absoluteFilePath(), true});
        show(std::move(*board));
        done({});
      });
}

int ReviewPlace::pin(engine::ReviewPage page) {
  const QString open = m_bridge.path();
  if (m_file.path.isEmpty() && !m_loading && !open.isEmpty()) adopt(open);
  // Who pins within the moment that the review is being read waits for it.
  if (m_loading) waitForFileWork(FileDesk::Files);
  if (m_loading) take();
  if (m_hasFailed) return 0;
  const std::string dump = QFileInfo(open).fileName().toStdString();
  if (m_model->board().pages.empty() && !m_dump.isEmpty()) {
    engine::ReviewBoard board = m_model->board();
    describe(board);
    addOpening(board);
    const bool hasOpening = !board.pages.empty();
    show(std::move(board));
    if (hasOpening) fillOpening();
  } else if (dump != m_model->board().dump && !dump.empty()) {
    page.source += (page.source.empty() ? "" : " · ") + dump;
  } else if (const auto other = otherDump()) {
    page.source += (page.source.empty() ? "" : " · ") + *other;
  }
  const int row = m_model->add(std::move(page));
  m_list->setCurrentPage(row);
  return row + 1;
}

void ReviewPlace::addNote() {
  if (pin({.title = u"Note"_s.toStdString()}) > 0) m_editor->beginWriting();
}

void ReviewPlace::show(engine::ReviewBoard board) {
  const int page = m_list->currentPage();
  m_heading->setText(fromEngine(board.title));
  m_heading->setCursorPosition(0);  // its beginning says what the review is of
  m_model->setBoard(std::move(board));
  m_list->setCurrentPage(std::clamp(page, 0, std::max(0, m_model->rowCount() - 1)));
  showState();
  showFile();
  showOther();
}

void ReviewPlace::showPage(int row) {
  if (row >= 0 && row < m_model->rowCount()) m_editor->show(m_model->page(row));
}

void ReviewPlace::showState() {
  for (QPushButton* button : {m_export, m_markdown}) button->setEnabled(m_model->rowCount() > 0);
  if (m_model->rowCount() > 0) {
    m_pages->setCurrentWidget(m_body);
    return;
  }
  m_pages->setCurrentWidget(m_state);
  if (m_hasFailed) return;
  if (m_loading) {
    m_state->showLoading(u"Reading the review"_s);
    return;
  }
  const bool hasSubject = !m_dump.isEmpty();
  m_state->showEmpty(
      hasSubject ? u"Nothing pinned yet"_s : u"No review is open"_s,
      hasSubject ? u"Right-click any picture or table and choose “Pin to review”, or press Ctrl+Shift+P: it becomes a "
                   "page here, with a note of yours, to be exported as one HTML page or a PDF."_s
                 : u"Open a dump and pin pictures and tables of it, or open a saved review: its pages can be read "
                   "without the dump."_s);
  if (const auto removed = m_model->removedPage()) {
    m_state->setAction(u"Bring back “%1”"_s.arg(*removed), [this] { m_list->setCurrentPage(m_model->restorePage()); });
  } else {
    m_state->setAction(u"Open review…"_s, [this] { Q_EMIT openWanted(); });
  }
}

void ReviewPlace::showFile(const QString& trouble) {
  m_fileLine->setWarning(!trouble.isEmpty());
  const QString name = QFileInfo(m_file.path).fileName();
  const QString folder = QDir::toNativeSeparators(QFileInfo(m_file.path).absolutePath());
  if (!trouble.isEmpty()) {
    m_fileLine->setText(trouble);
  } else if (m_file.path.isEmpty()) {
    m_fileLine->setText({});
  } else if (m_dump.isEmpty()) {
    const QString subject = fromEngine(m_model->board().dump);
    m_fileLine->setText(
        subject.isEmpty() ? name : u"%1: of %2, %3"_s.arg(name, subject, fromEngine(m_model->board().summary)));
  } else if (m_file.isBesideDump) {
    m_fileLine->setText(u"Saved beside the dump: %1"_s.arg(name));
  } else if (!bundledReviewOf(m_dump).isEmpty()) {
    m_fileLine->setText(u"Saved in %1: what comes with the sample stays as it is"_s.arg(folder));
  } else {
    m_fileLine->setText(u"Saved in %1: the dump's own folder cannot be written to"_s.arg(folder));
  }
  m_fileLine->setDetail(QDir::toNativeSeparators(m_file.path));
}

// The first change at once, so that a process that is killed takes none with it.
void ReviewPlace::saveSoon() {
  if (m_saving->isActive()) return;
  write();
  m_saving->start();
}

void ReviewPlace::save() {
  write();
  waitForFileWork(FileDesk::Files);
}

void ReviewPlace::write() {
  m_saving->stop();
  if (!m_isEdited || m_file.path.isEmpty() || m_hasFailed) return;
  m_isEdited = false;
  workWithFiles(
      FileDesk::Files, this,
      [board = m_model->board(), file = m_file, dump = m_dump] { return writeReview(board, file, dump); },
      [this, begun = m_begun](const WrittenReview& written) {
        if (begun != m_begun) return;
        m_file = written.file;
        m_isEdited = m_isEdited || !written.trouble.isEmpty();
        showFile(written.trouble);
      });
}

void ReviewPlace::exportReview() {
  ExportDialog dialog(m_model->board(), window());
  if (dialog.exec() != QDialog::Accepted) return;
  const bool isHtml = dialog.form() == ExportDialog::Form::Html;
  const QString ending = isHtml ? u".html"_s : u".pdf"_s;
  const QString subject = fromEngine(m_model->board().dump);
  const QString name = (subject.isEmpty() ? u"review"_s : subject + u"-review"_s) + ending;
  const QString path =
      askFileToWrite(window(), u"Export the review"_s, QFileInfo(m_file.path).absoluteDir().filePath(name),
                     ending.mid(1), isHtml ? u"HTML pages (*.html)"_s : u"PDF files (*.pdf)"_s);
  if (path.isEmpty()) return;
  const QString trouble = gui::exportReview(m_model->board(), dialog.form(), dialog.isRedacted(), path);
  if (!trouble.isEmpty()) {
    QMessageBox::warning(window(), u"Export the review"_s, trouble);
  } else {
    m_fileLine->setText(u"Exported as %1"_s.arg(QDir::toNativeSeparators(path)));
  }
}

}  // namespace heapscape::gui
