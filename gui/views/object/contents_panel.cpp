// SPDX-License-Identifier: MIT
#include "views/object/contents_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <vector>

#include "base/unicode.h"
#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/rows/table_setup.h"
#include "session/details/object_details.h"
#include "views/object/items_panel.h"
#include "views/object/values/fields_panel.h"
#include "widgets/arranging/split_page.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

/// The characters of a string, with a search.
class TextPanel : public QWidget {
  Q_OBJECT

 public:
  explicit TextPanel(QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null, or no string: nothing

 Q_SIGNALS:
  /// More characters than are shown.
  void moreWanted(std::size_t units);

 private:
  void find(bool forward);

  ElidedText* m_facts;
  ElidedText* m_damage;
  QLineEdit* m_search;
  QPlainTextEdit* m_text;
  QPushButton* m_more;
  std::size_t m_shown = 0;
};

namespace {

constexpr std::size_t kMoreBy = 10;

/// A table for a handful of lines that are all known at once, without contents of the dump; looks as all tables do.
QTableWidget* makeSmallTable(const QString& name, const QString& spokenName, const QStringList& headings,
                             const std::vector<int>& widthsInLetters, QWidget* parent) {
  auto* table = new QTableWidget(0, static_cast<int>(headings.size()), parent);
  table->setObjectName(name);
  table->setAccessibleName(spokenName);
  setUpTable(table, new TableHeading(table));
  table->setHorizontalHeaderLabels(headings);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setSectionsClickable(false);
  table->setItemDelegate(new NameDelegate(table));
  offerActions(table);
  const int letter = table->fontMetrics().averageCharWidth();
  for (std::size_t column = 0; column < widthsInLetters.size(); ++column) {
    table->setColumnWidth(static_cast<int>(column), widthsInLetters[column] * letter);
    QTableWidgetItem* heading = table->horizontalHeaderItem(static_cast<int>(column));
    heading->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    heading->setData(kHoldsContentsRole, false);
  }
  return table;
}

/// A cell's text, whole in its tooltip.
void setCell(QTableWidget* table, int row, int column, const QString& text, bool isFixed = false) {
  auto* cell = new QTableWidgetItem(text);
  cell->setToolTip(text);
  cell->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
  if (isFixed) cell->setFont(fixedFont(table->font()));
  table->setItem(row, column, cell);
}

/// "1,234 characters from offset 12, terminator 2 bytes, alignment 4 bytes".
QString stringFacts(const engine::StringDetails& string) {
  QStringList facts{string.length == 1 ? u"1 character"_s : countedText(string.length, u"character"_s)};
  facts << u"length at %1, characters from %2"_s.arg(string.lengthOffset).arg(string.charactersOffset)
        << u"terminator %1"_s.arg(exactBytesText(string.terminatorBytes))
        << (string.alignmentBytes == 0 ? u"no alignment"_s
                                       : u"alignment %1"_s.arg(exactBytesText(string.alignmentBytes)));
  return facts.join(u" · "_s);
}

}  // namespace

TextPanel::TextPanel(QWidget* parent)
    : QWidget(parent),
      m_facts(new ElidedText(this)),
      m_damage(new ElidedText(this)),
      m_search(new QLineEdit(this)),
      m_text(new QPlainTextEdit(this)),
      m_more(new QPushButton(this)) {
  m_facts->setObjectName(u"stringFacts"_s);
  m_facts->setWraps();
  m_damage->setWraps();
  m_damage->setWarning(true);
  m_search->setObjectName(u"stringSearch"_s);
  m_search->setPlaceholderText(u"Find in the text"_s);
  m_search->setAccessibleName(u"Find in the text"_s);
  setUpFilter(m_search);
  m_search->setFixedWidth(fontMetrics().averageCharWidth() * 32);
  m_text->setObjectName(u"stringText"_s);
  m_text->setAccessibleName(u"Characters"_s);
  m_text->setReadOnly(true);
  m_text->setFrameShape(QFrame::NoFrame);
  m_text->setFont(fixedFont(font()));
  m_text->document()->setDocumentMargin(12);
  m_more->setToolTip(u"Reads more of the string"_s);

  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(12);
  line->addWidget(m_facts, 1);
  line->addWidget(m_damage, 1);
  line->addWidget(m_more);
  line->addWidget(m_search);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_text, 1);
  setFocusProxy(m_text);

  connect(m_search, &QLineEdit::returnPressed, this, [this] { find(true); });
  addFindActions(this, [this](int step) { find(step > 0); });
  connect(m_more, &QPushButton::clicked, this, [this] { Q_EMIT moreWanted(m_shown * kMoreBy); });
}

void TextPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_search->clear();
  if (!page || !page->object.string) {
    m_text->clear();
    return;
  }
  const engine::StringDetails& string = *page->object.string;
  m_shown = string.shown;
  m_facts->setText(stringFacts(string));
  m_damage->setText(fromEngine(string.damage));
  m_damage->setVisible(!string.damage.empty());
  m_more->setVisible(string.shown < string.length);
  m_more->setText(u"First %1 shown: show more"_s.arg(countText(string.shown)));
  // Unlike a name a text keeps its lines and tabs.
  m_text->setPlainText(QString::fromStdString(engine::withEscapes(string.text, "\n\t")));
}

void TextPanel::find(bool forward) {
  const QString wanted = m_search->text();
  if (wanted.isEmpty()) return;
  const QTextDocument::FindFlags flags = forward ? QTextDocument::FindFlags() : QTextDocument::FindBackward;
  if (m_text->find(wanted, flags)) return;
  m_text->moveCursor(forward ? QTextCursor::Start : QTextCursor::End);
  m_text->find(wanted, flags);
}

/// Whom a delegate calls: one line, or several for a multicast delegate.
class TargetsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit TargetsPanel(QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null, or no delegate: nothing

 Q_SIGNALS:
  void followWanted(heapscape::engine::Address object, const QString& via);

 private:
  QTableWidget* m_table;
  std::shared_ptr<const ObjectPage> m_page;
};

namespace {

enum TargetColumn : int { MethodColumn, TargetColumn, AddressColumn, CodeColumn };

QString targetText(const engine::DelegateTarget& target) {
  if (target.target) return shortTypeName(target.targetType);
  return target.isClosed ? u"null"_s : u"static"_s;
}

}  // namespace

TargetsPanel::TargetsPanel(QWidget* parent)
    : QWidget(parent),
      m_table(makeSmallTable(u"delegateTargets"_s, u"Targets"_s, {u"Calls"_s, u"On"_s, u"Object"_s, u"Code"_s},
                             {56, 28, 22, 22}, this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 8, 0, 0);
  column->addWidget(m_table);
  setFocusProxy(m_table);
  connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    const auto& targets = m_page->object.delegate;
    const engine::Address target = targets[static_cast<std::size_t>(index.row())].target;
    const QString via = targets.size() > 1 ? u"target %1"_s.arg(index.row()) : u"target"_s;
    if (target) Q_EMIT followWanted(target, via);
  });
}

void TargetsPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_page = std::move(page);
  const int rows = m_page ? static_cast<int>(m_page->object.delegate.size()) : 0;
  m_table->setRowCount(rows);
  for (int row = 0; row < rows; ++row) {
    const engine::DelegateTarget& target = m_page->object.delegate[static_cast<std::size_t>(row)];
    setCell(m_table, row, MethodColumn, fromEngine(target.method));
    setCell(m_table, row, TargetColumn, targetText(target));
    setCell(m_table, row, AddressColumn, target.target ? addressText(target.target) : QString(), true);
    setCell(m_table, row, CodeColumn, target.code ? addressText(target.code) : QString(), true);
  }
}

/// An exception that another one carries along.
struct InnerException {
  engine::Address address;
  std::string typeName;
  std::string message;
};

/// The chain of exceptions from an inner one inwards; on the engine thread. Ends where the chain bites its own tail.
std::vector<InnerException> innerExceptions(const engine::Snapshot& snapshot, const engine::ExceptionDetails& outer,
                                            std::stop_token stop);

/// A panel of what an exception says, what caused it, and where it was thrown.
class ExceptionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ExceptionPanel(EngineBridge& bridge, QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null, or no exception: nothing

 Q_SIGNALS:
  void followWanted(heapscape::engine::Address object, const QString& via);

 private:
  void askForInner();
  void showInner(const std::vector<InnerException>& inner);
  void showStack();

  EngineBridge& m_bridge;
  QLabel* m_message;
  QLabel* m_facts;
  QLabel* m_carried;
  QWidget* m_inner = nullptr;
  QVBoxLayout* m_head;
  QTableWidget* m_stack;
  std::shared_ptr<const ObjectPage> m_page;
};

namespace {

constexpr std::size_t kMostInner = 32;  // nobody reads further

enum TraceColumn : int { TraceMethodColumn, TraceOffsetColumn, TraceInstructionColumn };

QLabel* makeText(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

}  // namespace

std::vector<InnerException> innerExceptions(const engine::Snapshot& snapshot, const engine::ExceptionDetails& outer,
                                            std::stop_token stop) {
  std::vector<InnerException> chain;
  std::vector<engine::Address> next = outer.innerExceptions;
  if (next.empty() && outer.inner) next.push_back(outer.inner);
  std::set<engine::Address> seen;
  for (std::size_t at = 0; at < next.size() && chain.size() < kMostInner && !stop.stop_requested(); ++at) {
    if (!seen.insert(next[at]).second) continue;
    const auto object = engine::objectDetails(snapshot, next[at]);
    if (!object || !object->exception) continue;
    chain.push_back({object->row.address, object->typeName, object->exception->message});
    if (object->exception->inner) next.push_back(object->exception->inner);
  }
  return chain;
}

ExceptionPanel::ExceptionPanel(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_message(makeText(this)),
      m_facts(makeNote(QString(), this)),
      m_carried(makeText(this)),
      m_head(new QVBoxLayout),
      m_stack(makeSmallTable(u"exceptionStack"_s, u"Stack"_s, {u"Thrown in"_s, u"Offset"_s, u"Instruction"_s},
                             {80, 12, 22}, this)) {
  m_message->setObjectName(u"exceptionMessage"_s);
  m_message->setFont(scaledFont(font(), 1.1));
  m_carried->setFont(fixedFont(font()));
  m_head->setContentsMargins(12, 8, 12, 8);
  m_head->setSpacing(4);
  m_head->addWidget(m_message);
  m_head->addWidget(m_facts);
  m_head->addWidget(m_carried);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(m_head);
  column->addWidget(m_stack, 1000);
  column->addStretch(1);
  setFocusProxy(m_stack);
}

void ExceptionPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_page = page && page->object.exception ? std::move(page) : nullptr;
  showInner({});
  showStack();
  if (!m_page) return;
  const engine::ExceptionDetails& exception = *m_page->object.exception;
  m_message->setText(exception.message.empty() ? u"No message"_s : fromEngine(exception.message));
  QStringList facts{u"HRESULT 0x%1"_s.arg(static_cast<std::uint32_t>(exception.hresult), 8, 16, QLatin1Char('0'))};
  if (exception.stack.empty()) facts << u"never thrown, or its stack is not in the dump"_s;
  if (const std::uint64_t more = exception.framesLeftOut())
    facts << u"%1 more are not shown"_s.arg(countedText(more, u"frame"_s));
  if (!exception.damage.empty()) facts << fromEngine(exception.damage);
  m_facts->setText(facts.join(u" · "_s));
  m_carried->setText(QString::fromStdString(exception.remoteStackText));
  m_carried->setVisible(!exception.remoteStackText.empty());
  if (exception.inner || !exception.innerExceptions.empty()) askForInner();
}

void ExceptionPanel::askForInner() {
  m_bridge.ask(
      this, "inner",
      [page = m_page](const engine::Snapshot& snapshot, std::stop_token stop) {
        return innerExceptions(snapshot, *page->object.exception, stop);
      },
      [this, page = m_page](const std::vector<InnerException>& inner) {
        if (page == m_page) showInner(inner);
      });
}

void ExceptionPanel::showInner(const std::vector<InnerException>& inner) {
  delete m_inner;
  m_inner = nullptr;
  if (inner.empty()) return;
  m_inner = new QWidget(this);
  auto* lines = new QVBoxLayout(m_inner);
  lines->setContentsMargins(0, 4, 0, 4);
  lines->setSpacing(2);
  lines->addWidget(makeNote(u"Caused by"_s, m_inner));
  for (const InnerException& exception : inner) {
    QString text = shortTypeName(exception.typeName);
    if (!exception.message.empty()) text += u": "_s + fromEngine(exception.message).left(120);
    auto* link = new QPushButton(symbolIcon(u"object"_s), text.replace(QLatin1Char('&'), u"&&"_s), m_inner);
    link->setObjectName(u"innerException"_s);
    link->setToolTip(u"%1\n%2"_s.arg(fromEngine(exception.typeName), addressText(exception.address)));
    lines->addWidget(link, 0, Qt::AlignLeft);
    connect(link, &QPushButton::clicked, this,
            [this, object = exception.address] { Q_EMIT followWanted(object, u"InnerException"_s); });
  }
  m_head->addWidget(m_inner);
}

void ExceptionPanel::showStack() {
  const int rows = m_page ? static_cast<int>(m_page->object.exception->stack.size()) : 0;
  m_stack->setVisible(rows > 0);
  m_stack->setRowCount(rows);
  for (int row = 0; row < rows; ++row) {
    const auto& frame = m_page->object.exception->stack[static_cast<std::size_t>(row)];
    setCell(m_stack, row, TraceMethodColumn, frame.method.empty() ? u"(unknown)"_s : fromEngine(frame.method));
    setCell(m_stack, row, TraceOffsetColumn, frame.method.empty() ? QString() : u"+0x%1"_s.arg(frame.offset, 0, 16));
    setCell(m_stack, row, TraceInstructionColumn, addressText(frame.instruction), true);
  }
}

ContentsPanel::ContentsPanel(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_fields(new FieldsPanel(bridge, this)),
      m_items(new ItemsPanel(bridge, this)),
      m_text(new TextPanel(this)),
      m_targets(new TargetsPanel(this)),
      m_exception(new ExceptionPanel(bridge, this)),
      m_tabs(new QTabWidget(this)) {
  m_tabs->setObjectName(u"objectContents"_s);
  m_tabs->setDocumentMode(true);
  const auto add = [this](QWidget* page, const QString& text, const QString& tip) {
    m_tabs->setTabToolTip(m_tabs->addTab(page, text), tip);
  };
  add(m_items, u"Data"_s, u"The items as the program sees them"_s);
  add(m_text, u"Text"_s, u"The characters of the string"_s);
  add(m_targets, u"Targets"_s, u"Whom the delegate calls"_s);
  add(m_exception, u"Exception"_s, u"What it says and where it was thrown"_s);
  add(m_fields, u"Fields"_s, u"What the object consists of"_s);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_tabs);
  connectParts();
}

void ContentsPanel::connectParts() {
  connect(m_fields, &FieldsPanel::followWanted, this, &ContentsPanel::followWanted);
  connect(m_items, &ItemsPanel::followWanted, this, &ContentsPanel::followWanted);
  connect(m_targets, &TargetsPanel::followWanted, this, &ContentsPanel::followWanted);
  connect(m_exception, &ExceptionPanel::followWanted, this, &ContentsPanel::followWanted);
  connect(m_text, &TextPanel::moreWanted, this, &ContentsPanel::charactersWanted);
  connect(m_tabs, &QTabWidget::tabBarClicked, this,
          [this](int tab) { m_prefersFields = m_tabs->widget(tab) == m_fields; });
}

QWidget* ContentsPanel::bestPage(const engine::ObjectDetails& object) const {
  if (object.string) return m_text;
  if (m_prefersFields) return m_fields;
  if (object.exception) return m_exception;
  if (!object.delegate.empty()) return m_targets;
  return object.collection ? static_cast<QWidget*>(m_items) : m_fields;
}

void ContentsPanel::setSnapshot(const std::optional<engine::Snapshot>& snapshot) {
  m_fields->setSnapshot(snapshot);
  m_items->setSnapshot(snapshot);
}

void ContentsPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_fields->show(page);
  m_items->show(page);
  m_text->show(page);
  m_targets->show(page);
  m_exception->show(page);
  if (!page) return;
  const engine::ObjectDetails& object = page->object;
  const bool isData = object.collection || !object.delegate.empty() || object.exception;
  m_tabs->setTabText(m_tabs->indexOf(m_fields), object.array ? u"Elements"_s : isData ? u"Internals"_s : u"Fields"_s);
  const auto setShown = [this](QWidget* part, bool isShown) { setTabShown(*m_tabs, part, isShown); };
  // The new one first: without any tab there would be a page without one.
  QWidget* best = bestPage(object);
  setShown(best, true);
  m_tabs->setCurrentWidget(best);
  setShown(m_items, object.collection.has_value());
  setShown(m_text, object.string.has_value());
  setShown(m_targets, !object.delegate.empty());
  setShown(m_exception, object.exception.has_value());
  setShown(m_fields, !object.string);
  int shown = 0;
  for (int tab = 0; tab < m_tabs->count(); ++tab) shown += m_tabs->isTabVisible(tab);
  m_tabs->tabBar()->setVisible(shown > 1);  // one alone is no choice
}

}  // namespace heapscape::gui

#include "contents_panel.moc"
