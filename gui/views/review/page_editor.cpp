// SPDX-License-Identifier: MIT
#include "views/review/page_editor.h"

#include <QAbstractTableModel>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QStackedLayout>
#include <QSvgRenderer>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <vector>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/rows/table_setup.h"
#include "review/html_page.h"
#include "views/review/review_model.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

/// A pinned table, as it was.
class ReviewTableModel : public QAbstractTableModel {
 public:
  using QAbstractTableModel::QAbstractTableModel;

  void show(engine::ReviewTable table);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  engine::ReviewTable m_table;
};

namespace {

QVariant alignmentOf(engine::ColumnKind kind) {
  return QVariant::fromValue(
      Qt::Alignment((engine::isFigure(kind) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

}  // namespace

void ReviewTableModel::show(engine::ReviewTable table) {
  beginResetModel();
  m_table = std::move(table);
  endResetModel();
}

int ReviewTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ReviewTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant ReviewTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto column = static_cast<std::size_t>(index.column());
  const engine::ColumnKind kind = m_table.columns[column].kind;
  const engine::ReviewCell& cell = m_table.rows[static_cast<std::size_t>(index.row())][column];
  switch (role) {
    case Qt::DisplayRole:
      return fromEngine(cell.text);
    case Qt::ToolTipRole: {
      const std::string exact = engine::exactText(kind, cell);
      return exact.empty() ? linesFromEngine(cell.text) : fromEngine(exact);
    }
    case Qt::TextAlignmentRole:
      return alignmentOf(kind);
    case Qt::FontRole:
      return kind == engine::ColumnKind::Address ? QVariant(fixedFont(QGuiApplication::font())) : QVariant();
    case kPlainRole:
      return cell.number ? QString::number(*cell.number) : fromEngine(cell.text);
    default:
      return {};
  }
}

QVariant ReviewTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const engine::ReviewColumn& column = m_table.columns[static_cast<std::size_t>(section)];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      return fromEngine(column.title);
    case Qt::TextAlignmentRole:
      return alignmentOf(column.kind);
    case kCellKindRole:
      return static_cast<int>(column.kind);
    case kHoldsContentsRole:
      return column.holdsContents;
    default:
      return {};
  }
}

/// A pinned picture on light ground, as wide as it was or as there is room for.
class PicturePreview : public QWidget {
 public:
  explicit PicturePreview(QWidget* parent = nullptr);

  void show(const engine::ReviewPicture& picture, const QString& title);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QSizeF fitted(double width) const;

  QSvgRenderer m_renderer;
  QSizeF m_size;  // in device-independent pixels
};

namespace {

constexpr double kPicturePreviewPixelsPerPoint = 4.0 / 3;
constexpr int kGround = 8;  // white around it
constexpr int kPicturePreviewMargin = 16 + kGround;

}  // namespace

PicturePreview::PicturePreview(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void PicturePreview::show(const engine::ReviewPicture& picture, const QString& title) {
  m_renderer.load(QByteArray::fromStdString(picture.svg));
  m_size = QSizeF(picture.width, picture.height) * kPicturePreviewPixelsPerPoint;
  setAccessibleName(title);
  updateGeometry();
  update();
}

QSizeF PicturePreview::fitted(double width) const {
  const double room = std::max(1.0, width - 2 * kPicturePreviewMargin);
  const double scale = m_size.width() > 0 ? std::min(1.0, room / m_size.width()) : 1;
  return m_size * scale;
}

int PicturePreview::heightForWidth(int width) const {
  return static_cast<int>(std::ceil(fitted(width).height())) + 2 * kPicturePreviewMargin;
}

QSize PicturePreview::sizeHint() const {
  return {320, heightForWidth(std::max(width(), 320))};
}

void PicturePreview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF place(QPointF(kPicturePreviewMargin, kPicturePreviewMargin), fitted(width()));
  painter.fillRect(place.adjusted(-kGround, -kGround, kGround, kGround), Qt::white);
  m_renderer.render(&painter, place);
}

namespace {

constexpr int kNoteLines = 4;
constexpr int kWidestColumn = 48;  // characters

}  // namespace

PageEditor::PageEditor(QWidget* parent)
    : QWidget(parent),
      m_title(new QLineEdit(this)),
      m_source(makeNote({}, this)),
      m_remark(makeNote({}, this)),
      m_note(new QPlainTextEdit(this)),
      m_pages(new QStackedLayout),
      m_nothing(new QWidget(this)),
      m_table(new QTableView(this)),
      m_rows(new ReviewTableModel(this)),
      m_scroll(new QScrollArea(this)),
      m_picture(new PicturePreview) {
  m_title->setObjectName(u"pageTitle"_s);
  m_title->setAccessibleName(u"Title of the page"_s);
  m_title->setPlaceholderText(u"Title"_s);
  m_title->setFont(scaledFont(font(), 1.3, QFont::DemiBold));
  m_title->setFrame(false);
  m_note->setObjectName(u"pageNote"_s);
  m_note->setAccessibleName(u"Note"_s);
  m_note->setPlaceholderText(u"Add a note"_s);
  m_note->setTabChangesFocus(true);
  m_note->setFixedHeight(fontMetrics().lineSpacing() * kNoteLines + 16);
  m_table->setObjectName(u"pageTable"_s);
  m_table->setModel(m_rows);
  setUpTable(m_table, new TableHeading(m_table));
  m_table->setItemDelegate(new NameDelegate(m_table));
  m_scroll->setWidget(m_picture);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (QWidget* page : {m_nothing, static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_scroll)}) {
    m_pages->addWidget(page);
  }

  auto* head = new QVBoxLayout;
  head->setContentsMargins(16, 12, 16, 8);
  head->setSpacing(6);
  for (QWidget* part : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_source), static_cast<QWidget*>(m_note),
                        static_cast<QWidget*>(m_remark)}) {
    head->addWidget(part);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(head);
  column->addLayout(m_pages, 1);
  connect(m_title, &QLineEdit::textEdited, this, &PageEditor::titleWritten);
  connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
    if (!m_isShowing) Q_EMIT noteWritten(m_note->toPlainText());
  });
}

void PageEditor::show(const engine::ReviewPage& page) {
  showWords(page);
  showContent(page);
}

void PageEditor::showWords(const engine::ReviewPage& page) {
  m_isShowing = true;
  const QString title = fromEngine(page.title);
  if (m_title->text().trimmed() != title) m_title->setText(title);  // a blank may be followed by a word
  const QString source = fromEngine(page.source);
  m_source->setText(source.isEmpty() ? contentText(page) : u"%1 · %2"_s.arg(source, contentText(page)));
  m_remark->setText(linesFromEngine(page.remark));
  m_remark->setVisible(!page.remark.empty());
  const QString note = linesFromEngine(page.note);
  if (m_note->toPlainText() != note) m_note->setPlainText(note);
  m_isShowing = false;
}

void PageEditor::showContent(const engine::ReviewPage& page) {
  const auto* table = std::get_if<engine::ReviewTable>(&page.content);
  const auto* picture = std::get_if<engine::ReviewPicture>(&page.content);
  m_rows->show(table ? *table : engine::ReviewTable());
  m_table->setAccessibleName(fromEngine(page.title));
  if (picture) m_picture->show(*picture, fromEngine(page.title));
  m_pages->setCurrentWidget(table     ? static_cast<QWidget*>(m_table)
                            : picture ? static_cast<QWidget*>(m_scroll)
                                      : m_nothing);
  if (table) fitColumns();
}

// As wide as their words, the widest ones only as far as there is room for all.
void PageEditor::fitColumns() {
  m_table->resizeColumnsToContents();
  const int letter = fontMetrics().averageCharWidth();
  std::vector<int> wanted;
  int room = m_table->viewport()->width();
  for (int column = 0; column < m_rows->columnCount(); ++column) {
    wanted.push_back(m_table->columnWidth(column) + 3 * letter);  // the theme's margins are not in what a cell asks for
    m_table->setColumnWidth(column, std::min(wanted.back(), kWidestColumn * letter));
    room -= m_table->columnWidth(column);
  }
  for (int column = 0; column < m_rows->columnCount() && room > 0; ++column) {
    const int more = std::min(room, wanted[static_cast<std::size_t>(column)] - m_table->columnWidth(column));
    m_table->setColumnWidth(column, m_table->columnWidth(column) + more);
    room -= more;
  }
}

void PageEditor::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (m_rows->columnCount() > 0) fitColumns();
}

void PageEditor::beginWriting() {
  m_title->setFocus();
  m_title->selectAll();
}

}  // namespace heapscape::gui
