// SPDX-License-Identifier: MIT
#include "views/object/exception_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "session/details/object_details.h"
#include "views/object/small_table.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {
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
      m_stack(makeSmallTable(QStringLiteral("exceptionStack"), QStringLiteral("Stack"),
                             {QStringLiteral("Thrown in"), QStringLiteral("Offset"), QStringLiteral("Instruction")},
                             {80, 12, 22}, this)) {
  m_message->setObjectName(QStringLiteral("exceptionMessage"));
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
  m_message->setText(exception.message.empty() ? QStringLiteral("No message") : fromEngine(exception.message));
  QStringList facts{
      QStringLiteral("HRESULT 0x%1").arg(static_cast<std::uint32_t>(exception.hresult), 8, 16, QLatin1Char('0'))};
  if (exception.stack.empty()) facts << QStringLiteral("never thrown, or its stack is not in the dump");
  if (const std::uint64_t more = exception.framesLeftOut())
    facts << QStringLiteral("%1 more are not shown").arg(countedText(more, QStringLiteral("frame")));
  if (!exception.damage.empty()) facts << fromEngine(exception.damage);
  m_facts->setText(facts.join(QStringLiteral(" · ")));
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
  lines->addWidget(makeNote(QStringLiteral("Caused by"), m_inner));
  for (const InnerException& exception : inner) {
    QString text = shortTypeName(exception.typeName);
    if (!exception.message.empty()) text += QStringLiteral(": ") + fromEngine(exception.message).left(120);
    auto* link = new QPushButton(symbolIcon(QStringLiteral("object")),
                                 text.replace(QLatin1Char('&'), QStringLiteral("&&")), m_inner);
    link->setObjectName(QStringLiteral("innerException"));
    link->setToolTip(QStringLiteral("%1\n%2").arg(fromEngine(exception.typeName), addressText(exception.address)));
    lines->addWidget(link, 0, Qt::AlignLeft);
    connect(link, &QPushButton::clicked, this,
            [this, object = exception.address] { Q_EMIT followWanted(object, QStringLiteral("InnerException")); });
  }
  m_head->addWidget(m_inner);
}

void ExceptionPanel::showStack() {
  const int rows = m_page ? static_cast<int>(m_page->object.exception->stack.size()) : 0;
  m_stack->setVisible(rows > 0);
  m_stack->setRowCount(rows);
  for (int row = 0; row < rows; ++row) {
    const auto& frame = m_page->object.exception->stack[static_cast<std::size_t>(row)];
    setCell(m_stack, row, TraceMethodColumn,
            frame.method.empty() ? QStringLiteral("(unknown)") : fromEngine(frame.method));
    setCell(m_stack, row, TraceOffsetColumn,
            frame.method.empty() ? QString() : QStringLiteral("+0x%1").arg(frame.offset, 0, 16));
    setCell(m_stack, row, TraceInstructionColumn, addressText(frame.instruction), true);
  }
}

}  // namespace heapscape::gui
