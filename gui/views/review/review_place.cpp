// SPDX-License-Identifier: MIT
#include "views/review/review_place.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "bridge/file_work.h"
#include "review/dump_report.h"
#include "views/review/export_dialog.h"
#include "views/review/page_editor.h"
#include "views/review/review_model.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/file_to_write.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

/// The pages of a review in their order, and what can be done with them.
class PageList : public QWidget {
  Q_OBJECT

 public:
  explicit PageList(ReviewModel* model, QWidget* parent = nullptr);

  int currentPage() const;  // -1 for none
  void setCurrentPage(int row);

 Q_SIGNALS:
  void pagePicked(int row);
  void noteWanted();

 private:
  void addActions();
  QWidget* buildUndo();
  void moveCurrent(int by);
  void removeCurrent();
  void restore();
  void openMenu(const QPoint& position);

  ReviewModel* m_model;
  QListView* m_list;
  QWidget* m_undo;  // says which page was deleted, for a while
  QLabel* m_removed;
  QTimer* m_undoing;
};

namespace {

/// A page of a review: its number, what it shows in small, its title, and what it is and where it comes from.
class PageDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;
};

constexpr int kPadding = 8;

void PageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem ground = option;
  QApplication::style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &ground, painter, option.widget);
  const bool isSelected = (option.state & QStyle::State_Selected) != 0;
  const QPalette& palette = option.palette;
  const QColor ink = palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
  const QColor dimmed = isSelected ? ink : Colours(palette).dimmedText();

  const QFontMetrics metrics = option.fontMetrics;
  const int line = metrics.lineSpacing();
  const QRect inner = option.rect.adjusted(kPadding, kPadding, -kPadding, -kPadding);
  const int top = inner.center().y() - line;  // of the words, in the middle beside the picture
  const QString number = QString::number(index.row() + 1);
  const int numberWidth = metrics.horizontalAdvance(u"88"_s);
  painter->save();
  painter->setFont(option.font);
  painter->setPen(dimmed);
  painter->drawText(QRect(inner.left(), top, numberWidth, line), Qt::AlignRight, number);
  const QRect thumbnail(QPoint(inner.left() + numberWidth + kPadding, inner.top()), kThumbnailSize);
  painter->drawPixmap(thumbnail.topLeft(), index.data(Qt::DecorationRole).value<QPixmap>());
  painter->setPen(Colours(palette).outline());
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(QRectF(thumbnail).adjusted(-0.5, -0.5, 0.5, 0.5));
  const int left = thumbnail.right() + kPadding + 2;
  const int room = inner.right() - left;
  painter->setPen(ink);
  painter->drawText(QRect(left, top, room, line), Qt::AlignLeft,
                    metrics.elidedText(index.data().toString(), Qt::ElideRight, room));
  painter->setPen(dimmed);
  painter->drawText(QRect(left, top + line, room, line), Qt::AlignLeft,
                    metrics.elidedText(index.data(ReviewModel::kSubtitleRole).toString(), Qt::ElideRight, room));
  painter->restore();
}

QSize PageDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {160, std::max(option.fontMetrics.lineSpacing() * 2, kThumbnailSize.height()) + 2 * kPadding};
}

void PageDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const {
  editor->setGeometry(option.rect.adjusted(kPadding, kPadding / 2, -kPadding, -kPadding / 2));
}

constexpr int kUndoMs = 20'000;  // until the offer goes; the keys still do it

}  // namespace

PageList::PageList(ReviewModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_list(new QListView(this)),
      m_undo(new QWidget(this)),
      m_removed(makeNote({}, m_undo)),
      m_undoing(new QTimer(this)) {
  m_list->setObjectName(u"reviewPages"_s);
  m_list->setAccessibleName(u"Pages of the review"_s);
  m_list->setModel(model);
  m_list->setItemDelegate(new PageDelegate(m_list));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setDragDropMode(QAbstractItemView::InternalMove);
  m_list->setDefaultDropAction(Qt::MoveAction);
  m_list->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
  m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  addActions();

  auto* note = new QPushButton(symbolIcon(u"review"_s), u"New note page"_s, this);
  note->setObjectName(u"newNote"_s);
  note->setToolTip(u"A page of text alone, to begin with or to sum up"_s);
  auto* buttons = new QVBoxLayout;
  buttons->setContentsMargins(8, 8, 8, 8);
  buttons->addWidget(note);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_list, 1);
  column->addWidget(buildUndo());
  column->addLayout(buttons);
  setMinimumWidth(fontMetrics().averageCharWidth() * 34);
  setFocusProxy(m_list);

  connect(note, &QPushButton::clicked, this, &PageList::noteWanted);
  connect(m_list, &QWidget::customContextMenuRequested, this, &PageList::openMenu);
  connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) { Q_EMIT pagePicked(current.row()); });
}

void PageList::addActions() {
  const auto add = [this](const char* name, const QString& text, const QKeySequence& keys,
                          const std::function<void()>& run) {
    auto* action = new QAction(text, m_list);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, run);
    m_list->addAction(action);
  };
  add("renamePage", u"Rename"_s, QKeySequence(Qt::Key_F2), [this] { m_list->edit(m_list->currentIndex()); });
  add("movePageUp", u"Move up"_s, QKeySequence(Qt::ALT | Qt::Key_Up), [this] { moveCurrent(-1); });
  add("movePageDown", u"Move down"_s, QKeySequence(Qt::ALT | Qt::Key_Down), [this] { moveCurrent(1); });
  add("deletePage", u"Delete"_s, QKeySequence::Delete, [this] { removeCurrent(); });
  add("restorePage", u"Bring back what was deleted"_s, QKeySequence::Undo, [this] { restore(); });
}

QWidget* PageList::buildUndo() {
  auto* undo = new QPushButton(u"Undo"_s, m_undo);
  undo->setObjectName(u"undoDelete"_s);
  auto* line = new QHBoxLayout(m_undo);
  line->setContentsMargins(12, 8, 8, 0);
  line->addWidget(m_removed, 1);
  line->addWidget(undo);
  m_undo->hide();
  m_undoing->setSingleShot(true);
  m_undoing->setInterval(kUndoMs);
  connect(undo, &QPushButton::clicked, this, &PageList::restore);
  connect(m_undoing, &QTimer::timeout, m_undo, &QWidget::hide);
  connect(m_model, &QAbstractItemModel::modelReset, m_undo, &QWidget::hide);
  return m_undo;
}

void PageList::removeCurrent() {
  if (currentPage() < 0) return;
  m_model->removePage(currentPage());
  m_removed->setText(u"“%1” is deleted"_s.arg(m_model->removedPage().value_or(QString())));
  m_undo->show();
  m_undoing->start();
}

void PageList::restore() {
  m_undo->hide();
  const int row = m_model->restorePage();
  if (row < 0) return;
  setCurrentPage(row);
  m_list->setFocus();
}

int PageList::currentPage() const {
  return m_list->currentIndex().row();
}

void PageList::setCurrentPage(int row) {
  m_list->setCurrentIndex(m_model->index(row));
}

void PageList::moveCurrent(int by) {
  const int row = currentPage();
  if (row >= 0) m_model->movePage(row, row + by);
}

void PageList::openMenu(const QPoint& position) {
  if (!m_list->indexAt(position).isValid()) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  menu.addActions(m_list->actions());
  menu.exec(m_list->viewport()->mapToGlobal(position));
}

namespace {

constexpr int kSaveEachMs = 300;  // at most so often, while words are being written

}  // namespace

ReviewPlace::ReviewPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_model(new ReviewModel(this)),
      m_heading(new QLineEdit(this)),
      m_export(new QPushButton(symbolIcon(u"save"_s), u"Export…"_s, this)),
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
  m_heading->setAccessibleName(u"Title of the review"_s);
  m_heading->setPlaceholderText(u"Title of the review"_s);
  m_heading->setMinimumHeight(std::max(28, fontMetrics().height() * 8 / 5));
  m_export->setObjectName(u"exportReview"_s);
  m_export->setToolTip(u"As one HTML page or a PDF, to be sent around"_s);
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
    show(std::move(board));
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
  m_export->setEnabled(m_model->rowCount() > 0);
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

#include "review_place.moc"
