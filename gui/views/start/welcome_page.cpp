// SPDX-License-Identifier: MIT
#include "views/start/welcome_page.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "models/names/assembly_name.h"
#include "views/start/drop_zone.h"
#include "views/start/dump_button.h"
#include "views/start/failure_panel.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr int kWelcomePageColumns = 128;

void emptyLayout(QVBoxLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

QString symbolOf(const QString& path) {
  return hasAssemblyName(path) ? QStringLiteral("assembly") : QStringLiteral("dump");
}

QLabel* makeCommand(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setFont(fixedFont(label->font()));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent)
    : QWidget(parent), m_failure(new FailurePanel(this)), m_drop(new DropZone(this)) {
  m_failure->hide();
  connect(m_failure, &FailurePanel::chooseRequested, this, &WelcomePage::chooseRequested);
  connect(m_drop, &DropZone::chooseRequested, this, &WelcomePage::chooseRequested);
  connect(m_drop, &DropZone::chooseAssemblyRequested, this, &WelcomePage::chooseAssemblyRequested);

  auto* column = new QWidget(this);
  column->setMaximumWidth(fontMetrics().averageCharWidth() * kWelcomePageColumns);
  auto* inner = new QVBoxLayout(column);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(24);
  inner->addWidget(buildTitle());
  inner->addWidget(m_failure);
  inner->addWidget(buildLast());
  inner->addWidget(m_drop);
  inner->addWidget(buildColumns());
  inner->addStretch(1);

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(32, 32, 32, 24);
  layout->addStretch(1);
  layout->addWidget(column, 1000);
  layout->addStretch(1);
}

QWidget* WelcomePage::buildTitle() {
  auto* title = new QWidget(this);
  auto* icon = new QLabel(title);
  icon->setPixmap(
      symbolPixmap(QStringLiteral("heapscape"), Qt::black, fontMetrics().height() * 3, devicePixelRatioF()));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(makeHeading(QStringLiteral("Heapscape"), title, 1.7));
  words->addWidget(makeNote(QStringLiteral("See what a .NET program keeps in memory, from a core dump alone."), title));
  auto* layout = new QHBoxLayout(title);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(16);
  layout->addWidget(icon);
  layout->addLayout(words, 1);
  return title;
}

QWidget* WelcomePage::buildLast() {
  m_last = new QWidget(this);
  m_lastList = new QVBoxLayout(m_last);
  m_lastList->setContentsMargins(0, 0, 0, 0);
  m_last->hide();
  return m_last;
}

QWidget* WelcomePage::buildColumns() {
  auto* recentBody = new QWidget(this);
  m_recentList = new QVBoxLayout(recentBody);
  auto* sampleBody = new QWidget(this);
  m_sampleList = new QVBoxLayout(sampleBody);
  for (QVBoxLayout* list : {m_recentList, m_sampleList}) {
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(2);
  }
  m_recent = new Section(QStringLiteral("Recent files"), recentBody, this);
  m_sample = new Section(QStringLiteral("Sample"), sampleBody, this);
  m_recent->hide();
  m_sample->hide();

  auto* right = new QVBoxLayout;
  right->setSpacing(24);
  right->addWidget(m_sample);
  right->addWidget(buildAdvice());
  right->addStretch(1);
  auto* columns = new QWidget(this);
  auto* layout = new QHBoxLayout(columns);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(32);
  layout->addWidget(m_recent, 1, Qt::AlignTop);
  layout->addLayout(right, 1);
  return columns;
}

QWidget* WelcomePage::buildAdvice() {
  auto* body = new QWidget(this);
  auto* layout = new QVBoxLayout(body);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(makeNote(
      QStringLiteral("A dump with the heap in it is needed; a mini or triage dump has none. Of a running process:"),
      body));
  layout->addWidget(makeCommand(QStringLiteral("dotnet-dump collect --type Heap -p PID"), body));
  layout->addWidget(makeCommand(QStringLiteral("createdump --withheap PID"), body));
  layout->addSpacing(4);
  layout->addWidget(makeNote(QStringLiteral("When a program crashes, set before it starts:"), body));
  layout->addWidget(makeCommand(QStringLiteral("DOTNET_DbgEnableMiniDump=1 DOTNET_DbgMiniDumpType=2"), body));
  return new Section(QStringLiteral("How to make a dump"), body, this);
}

void WelcomePage::addDump(QVBoxLayout* list, const QString& path, const QString& symbol, const QString& note) {
  auto* button = new DumpButton(path, symbol, this);
  if (!note.isEmpty()) button->setNote(note);
  connect(button, &DumpButton::clicked, this, [this, path] { Q_EMIT openRequested(path); });
  list->addWidget(button);
}

void WelcomePage::setRecentDumps(const QStringList& paths) {
  emptyLayout(m_recentList);
  for (const QString& path : paths) addDump(m_recentList, path, symbolOf(path), QString());
  m_recent->setVisible(!paths.isEmpty());
}

void WelcomePage::setLast(const QString& path, const QString& where) {
  emptyLayout(m_lastList);
  m_last->setVisible(!path.isEmpty());
  if (path.isEmpty()) return;
  auto* button = new DumpButton(path, QStringLiteral("start"), this);
  button->setObjectName(QStringLiteral("continue"));
  button->setTitle(QStringLiteral("Continue with %1").arg(QFileInfo(path).fileName()));
  button->setNote(where);
  connect(button, &DumpButton::clicked, this, &WelcomePage::continueRequested);
  m_lastList->addWidget(button);
}

void WelcomePage::setSample(const QString& path) {
  emptyLayout(m_sampleList);
  if (!path.isEmpty()) {
    addDump(m_sampleList, path, QStringLiteral("sample"), QStringLiteral("a small shop's program, to look around in"));
  }
  m_sample->setVisible(!path.isEmpty());
}

void WelcomePage::showFailure(const QString& path, const engine::Error& error) {
  m_failure->showError(path, error);
  m_failure->show();
}

void WelcomePage::hideFailure() {
  m_failure->hide();
}

void WelcomePage::setDropHovered(bool isHovered) {
  m_drop->setHovered(isHovered);
}

}  // namespace heapscape::gui
