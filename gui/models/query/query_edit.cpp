// SPDX-License-Identifier: MIT
#include "models/query/query_edit.h"

#include <QAction>
#include <QEvent>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextCharFormat>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "models/query/query_menu.h"
#include "query/query.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/popup.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kHelpRole = Qt::UserRole;
constexpr int kMargin = 10;
constexpr int kMostRows = 10;
constexpr int kLetters = 56;

/// Paints what is inserted, then dimmed what it means; the meaning gives way first.
class CompletionDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {0, qMax(24, qRound(option.fontMetrics.height() * 1.6))};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Colours colours(option.palette);
    const bool isSelected = option.state & QStyle::State_Selected;
    if (isSelected) painter->fillRect(option.rect, option.palette.highlight());
    const bool isError = !(index.flags() & Qt::ItemIsEnabled);
    const QColor ink = option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QRect rect = option.rect.adjusted(kMargin, 0, -kMargin, 0);
    const QString text = index.data().toString();
    const QString shown = option.fontMetrics.elidedText(text, Qt::ElideMiddle, rect.width());
    painter->setPen(isError ? colours.warning() : ink);
    painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, shown);
    const int room = rect.width() - option.fontMetrics.horizontalAdvance(shown) - 2 * kMargin;
    painter->setPen(isSelected ? ink : colours.dimmedText());
    if (room > 0) {
      painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter,
                        option.fontMetrics.elidedText(index.data(kHelpRole).toString(), Qt::ElideRight, room));
    }
  }
};

constexpr int kRestMs = 150;
constexpr int kWarningSide = 16;
constexpr auto kCompletionChannel = "complete";

// Places in UTF-8, as the engine counts, and in the line's own text.
int placeInLine(const std::string& utf8, std::size_t bytes) {
  return static_cast<int>(QString::fromUtf8(utf8.data(), static_cast<qsizetype>(std::min(bytes, utf8.size()))).size());
}

}  // namespace

CompletionPopup::CompletionPopup(QWidget* window) : QListWidget(window) {
  setObjectName(u"completions"_s);
  setAccessibleName(u"What may be written here"_s);
  setItemDelegate(new CompletionDelegate(this));
  setFocusPolicy(Qt::NoFocus);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setUpPopup(this);
  hide();
  connect(this, &QListWidget::itemClicked, this, [this] {
    if (const engine::Completion* item = current(false)) Q_EMIT picked(engine::Completion(*item));
  });
}

void CompletionPopup::setItems(const engine::Completions& completions, const QString& error) {
  m_completions = completions;
  m_hasError = !error.isEmpty();
  clear();
  if (m_hasError) {
    auto* item = new QListWidgetItem(u"⚠ "_s + error, this);
    item->setToolTip(error);
    item->setFlags(Qt::NoItemFlags);
  }
  for (const engine::Completion& completion : m_completions.items) {
    auto* item = new QListWidgetItem(fromEngine(completion.text), this);
    item->setData(kHelpRole, fromEngine(completion.help));
    const QString help = completion.help.empty() ? QString() : u'\n' + fromEngine(completion.help);
    item->setToolTip(fromEngine(completion.text) + help);
  }
  setCurrentRow(-1);
}

void CompletionPopup::showUnder(const QWidget* line) {
  const int rows = qMin(count(), kMostRows);
  if (rows == 0) {
    hide();
    return;
  }
  const QSize wanted(qMax(line->width(), fontMetrics().averageCharWidth() * kLetters),
                     rows * sizeHintForRow(0) + 2 * frameWidth());
  showPopup(this, line, wanted);
}

void CompletionPopup::moveCurrent(int rows) {
  if (count() <= firstItem()) return;
  const int from = currentRow() < 0 ? (rows > 0 ? firstItem() - 1 : count()) : currentRow();
  setCurrentRow(qBound(firstItem(), from + rows, count() - 1));
}

const engine::Completion* CompletionPopup::current(bool orFirst) const {
  const int row = currentRow() < 0 && orFirst ? firstItem() : currentRow();
  const int item = row - firstItem();
  if (row < 0 || item < 0 || item >= static_cast<int>(m_completions.items.size())) return nullptr;
  return &m_completions.items[static_cast<std::size_t>(item)];
}

QueryErrorLine::QueryErrorLine(QueryEdit& edit, QWidget* parent) : QLabel(parent), m_edit(edit) {
  setObjectName(edit.objectName() + u"Error"_s);
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setForegroundRole(QPalette::WindowText);  // the place's ground would choose another
  connect(&edit, &QueryEdit::complaintChanged, this, &QueryErrorLine::display);
  updateLook();
  display(edit.complaint());
}

void QueryErrorLine::say(const QString& complaint) {
  display(m_edit.complaint().isEmpty() ? complaint : m_edit.complaint());
}

void QueryErrorLine::display(const QString& complaint) {
  setText(complaint.isEmpty() ? QString() : u"⚠ "_s + complaint);
  setVisible(!complaint.isEmpty());
}

void QueryErrorLine::updateLook() {
  QPalette warning;
  warning.setColor(QPalette::WindowText, Colours(palette()).warning());
  setPalette(warning);
}

void QueryErrorLine::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) updateLook();
  QLabel::changeEvent(event);
}

void showNotUnderstood(StatePanel& panel, QueryEdit& edit) {
  panel.showEmpty(u"Not valid yet"_s, u"This query is not valid yet."_s);
  panel.setAction(u"Clear the query"_s, [&edit] { edit.clear(); });
}

QueryEdit::QueryEdit(EngineBridge& bridge, const QString& list, QWidget* parent)
    : QLineEdit(parent), m_bridge(bridge), m_list(list), m_rest(new QTimer(this)) {
  setUpFilter(this);
  setMinimumWidth(fontMetrics().averageCharWidth() * 20);
  QAction* menu = addAction(symbolIcon(u"command"_s), TrailingPosition);
  menu->setObjectName(u"queryMenu"_s);
  menu->setToolTip(u"Saved views, recent queries, and what can be asked"_s);
  connect(menu, &QAction::triggered, this, &QueryEdit::openMenu);
  m_warning = addAction(QIcon(), TrailingPosition);
  m_warning->setObjectName(u"queryWarning"_s);
  m_warning->setVisible(false);

  m_rest->setSingleShot(true);
  m_rest->setInterval(kRestMs);
  connect(m_rest, &QTimer::timeout, this, &QueryEdit::tell);
  connect(this, &QLineEdit::textChanged, this, [this] {
    m_isOfLastFile = false;
    m_rest->start();
    check();
  });
  connect(this, &QLineEdit::textEdited, this, [this] {
    m_isAsked = false;
    complete();
  });
}

QSize QueryEdit::sizeHint() const {
  const QSize usual = QLineEdit::sizeHint();
  const int buttons = 3 * usual.height();  // the symbols at both ends, and what lies around them
  return {std::max(usual.width(), fontMetrics().horizontalAdvance(placeholderText()) + buttons), usual.height()};
}

void QueryEdit::setSchema(engine::QuerySchema schema) {
  m_schema = std::move(schema);
  check();
}

void QueryEdit::setQueries(bool areQueries) {
  m_areQueries = areQueries;
  check();
}

void QueryEdit::setOrder(std::function<SavedView()> order, std::function<void(const SavedView&)> apply) {
  m_order = std::move(order);
  m_apply = std::move(apply);
}

bool QueryEdit::isResting() const {
  return m_rest->isActive();
}

void QueryEdit::settle() {
  m_rest->stop();
  markError();
}

void QueryEdit::beginFile() {
  settle();
  m_isOfLastFile = !text().isEmpty();
}

bool QueryEdit::dropUnlessFound(bool isFound) {
  if (!m_isOfLastFile) return false;
  // What is not known yet fits no comparison, and says nothing about the text.
  const bool isRetainedToCome = m_bridge.isOpening() || m_bridge.retainedState() == RetainedState::Computing;
  const bool asksForRetained = !m_isPlainText && text().contains(QLatin1String("retain"), Qt::CaseInsensitive);
  if (!isFound && isRetainedToCome && asksForRetained) return false;
  m_isOfLastFile = false;
  if (isFound) return false;
  clear();
  settle();
  return true;
}

bool QueryEdit::isQueryBegun() const {
  const QString begun = text().trimmed();
  if (!hasFocus() || !m_areQueries || !m_isPlainText || m_error || begun.isEmpty()) return false;
  return std::ranges::any_of(m_schema.fields, [&](const engine::QueryField& field) {
    return fromEngine(field.name).startsWith(begun, Qt::CaseInsensitive);
  });
}

void QueryEdit::applyView(const SavedView& view) {
  if (m_apply) m_apply(view);
  setText(view.query);
  tell();
}

void QueryEdit::keepView(const QString& name) {
  SavedView view = m_order ? m_order() : SavedView{};
  view.name = name;
  view.query = text();
  saveView(m_list, view);
}

void QueryEdit::check() {
  m_error.reset();
  m_isPlainText = true;
  if (m_areQueries) {
    const auto query = engine::makeQuery(text().toStdString(), m_schema);
    m_isPlainText = query && query->isPlainText;
    if (!query) m_error = query.error();
  }
  // What is being written is not yet wrong; it is marked after a rest.
  if (!m_error || !m_rest->isActive()) markError();
}

// A line has no other way to underline a part of it than that of input methods.
void QueryEdit::markError() {
  const QString sentence = m_error ? fromEngine(m_error->message()) : QString();
  if (m_error)
    m_warning->setIcon(symbolPixmap(u"warning"_s, Colours(palette()).warning(), kWarningSide, devicePixelRatioF()));
  m_warning->setVisible(m_error.has_value());
  m_warning->setText(sentence);
  m_warning->setToolTip(sentence);
  setAccessibleDescription(sentence);
  QList<QInputMethodEvent::Attribute> attributes;
  if (m_error) {
    const std::string utf8 = text().toStdString();
    int from = placeInLine(utf8, m_error->position);
    int to = placeInLine(utf8, m_error->position + m_error->length);
    // At the end there is nothing left to underline but the last character.
    if (from == to) from = std::max(0, to - 1);
    QTextCharFormat format;
    format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    format.setUnderlineColor(Colours(palette()).warning());
    attributes << QInputMethodEvent::Attribute(QInputMethodEvent::TextFormat, from - cursorPosition(), to - from,
                                               format);
  }
  m_isMarking = true;
  QInputMethodEvent event({}, attributes);
  QLineEdit::inputMethodEvent(&event);
  m_isMarking = false;
  if (std::exchange(m_complaint, sentence) != sentence) Q_EMIT complaintChanged(sentence);
}

void QueryEdit::tell() {
  m_rest->stop();
  markError();
  if (!m_error) Q_EMIT queryChanged();
  if (m_popup && m_popup->isVisible() && m_error) complete();
}

void QueryEdit::complete() {
  if (!m_areQueries || !hasFocus()) return;
  const std::string written = text().toStdString();
  const auto cursor = static_cast<std::size_t>(text().left(cursorPosition()).toUtf8().size());
  if (!m_bridge.snapshot()) {
    showCompletions(engine::completeQuery(written, cursor, m_schema, nullptr));
    return;
  }
  m_bridge.ask(
      this, kCompletionChannel,
      [written, cursor, schema = m_schema](const engine::Snapshot& snapshot, std::stop_token) {
        const engine::SnapshotCompletion source(snapshot, schema);
        return engine::completeQuery(written, cursor, schema, &source);
      },
      [this, written](const engine::Completions& completions) {
        if (written == text().toStdString()) showCompletions(completions);
      });
}

void QueryEdit::showCompletions(const engine::Completions& completions) {
  if (!hasFocus()) return;
  engine::Completions offered = completions;
  const std::string utf8 = text().toStdString();
  const std::string part = utf8.substr(std::min(offered.from, utf8.size()), offered.to - offered.from);
  // A part of a name is most likely just that: only fields that begin so are offered, and none for an empty line.
  if (m_isPlainText && !m_error) {
    std::erase_if(offered.items,
                  [&](const engine::Completion& item) { return part.empty() || !item.text.starts_with(part); });
  }
  if (offered.items.size() == 1 && offered.items.front().text == part) offered.items.clear();
  if (isFinished(part) && !m_isAsked) offered.items.clear();
  // What is being written is not yet wrong; once it is marked, what is offered would cover the words that say why.
  const bool isMarked = m_error && m_warning->isVisible();
  popup()->setItems(offered, isMarked ? fromEngine(m_error->message()) : QString());
  popup()->showUnder(this);
}

// A query that is whole could go on, but need not: what it lists is not to be covered. `part` is what stands before the
// cursor of the word there.
bool QueryEdit::isFinished(const std::string& part) const {
  return !m_error && !m_isPlainText && (part.empty() || part.ends_with('"') || part.ends_with('\''));
}

void QueryEdit::endCompletion() {
  m_bridge.stopAsking(this, kCompletionChannel);
  m_isAsked = false;
  if (m_popup) m_popup->hide();
}

void QueryEdit::insertCompletion(const engine::Completion& completion) {
  const std::string utf8 = text().toStdString();
  const int from = placeInLine(utf8, popup()->completions().from);
  const int to = placeInLine(utf8, popup()->completions().to);
  QString inserted = fromEngine(completion.text);
  const bool goesOn = inserted.endsWith(QLatin1String("(\""));
  if (!goesOn && !text().mid(to).startsWith(QLatin1Char(' '))) inserted += QLatin1Char(' ');
  m_isAsked = false;
  setSelection(from, to - from);
  insert(inserted);
  complete();
}

CompletionPopup* QueryEdit::popup() {
  if (m_popup && m_popup->parentWidget() == window()) return m_popup;
  delete m_popup;
  m_popup = new CompletionPopup(window());
  connect(m_popup, &CompletionPopup::picked, this, &QueryEdit::insertCompletion);
  connect(this, &QObject::destroyed, m_popup, &QObject::deleteLater);
  return m_popup;
}

// Tab leaves the line unless there is something to take.
bool QueryEdit::event(QEvent* event) {
  const bool isTab = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab;
  if (isTab && m_popup && m_popup->isVisible()) {
    if (const engine::Completion* first = m_popup->current(true)) {
      insertCompletion(engine::Completion(*first));
      return true;
    }
  }
  return QLineEdit::event(event);
}

void QueryEdit::keyPressEvent(QKeyEvent* event) {
  const bool isOpen = m_popup && m_popup->isVisible();
  const bool isComplete = event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier;
  if (isComplete) {
    m_isAsked = true;
    complete();
    return;
  }
  if (isOpen && (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up)) {
    m_popup->moveCurrent(event->key() == Qt::Key_Down ? 1 : -1);
    return;
  }
  if (isOpen && event->key() == Qt::Key_Escape) {
    endCompletion();
    return;
  }
  if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
    QLineEdit::keyPressEvent(event);
    return;
  }
  if (isOpen) {
    if (const engine::Completion* chosen = m_popup->current(false)) {
      insertCompletion(engine::Completion(*chosen));
      return;
    }
  }
  endCompletion();
  tell();
  if (!m_error && !m_isPlainText) rememberQuery(m_list, text());
  QLineEdit::keyPressEvent(event);
}

void QueryEdit::focusOutEvent(QFocusEvent* event) {
  endCompletion();
  QLineEdit::focusOutEvent(event);
}

void QueryEdit::openMenu() {
  const QRect corner = rect();
  runQueryMenu(*this, mapToGlobal(corner.bottomLeft()));
}

}  // namespace heapscape::gui
