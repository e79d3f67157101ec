// SPDX-License-Identifier: MIT
#include "views/compare/comparison_head.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/compare/compared_dumps.h"
#include "views/compare/comparison_rows.h"
#include "widgets/elided_text.h"
#include "widgets/figures.h"
#include "widgets/flow_layout.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {

namespace {

QString changeText(const QString& name, const engine::Change& change, bool isBytes) {
  const auto value = [isBytes](std::uint64_t number) { return isBytes ? bytesText(number) : countText(number); };
  return QObject::tr("%1 %2 → %3 (%4)")
      .arg(name, value(change.before), value(change.after), differenceText(change, isBytes));
}

QString exactText(const QString& name, const engine::Change& change) {
  return QObject::tr("%1: %2 before, %3 after").arg(name, countText(change.before), countText(change.after));
}

}  // namespace

ComparisonHead::ComparisonHead(QWidget* parent)
    : QWidget(parent),
      m_question(new ElidedText(this)),
      m_figures(new ElidedText(this)),
      m_pick(new QPushButton(symbolIcon(QStringLiteral("open")), tr("Compare with another dump…"), this)),
      m_swap(new QPushButton(tr("Swap before and after"), this)),
      m_open(new QPushButton(tr("Open the other dump"), this)) {
  m_question->setObjectName(QStringLiteral("comparisonQuestion"));
  m_figures->setObjectName(QStringLiteral("comparisonFigures"));
  m_figures->setElideMode(Qt::ElideRight);
  m_pick->setObjectName(QStringLiteral("comparisonPick"));
  m_swap->setObjectName(QStringLiteral("comparisonSwap"));
  m_open->setObjectName(QStringLiteral("comparisonOpen"));
  m_pick->setToolTip(tr("A dump of the same program, earlier or later, of any version of it or of .NET"));
  m_swap->setToolTip(tr("Take the other dump for the later one, or back"));
  m_open->setToolTip(tr("Opens it in this window in place of the dump that is open"));
  auto* line = new FlowLayout(nullptr, 8);
  for (QPushButton* button : {m_pick, m_swap, m_open}) line->addWidget(button);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(8);
  column->addWidget(m_question);
  column->addLayout(line);
  column->addWidget(m_figures);
  connect(m_pick, &QPushButton::clicked, this, &ComparisonHead::pickFile);
  connect(m_swap, &QPushButton::clicked, this, &ComparisonHead::swapWanted);
  connect(m_open, &QPushButton::clicked, this, &ComparisonHead::openWanted);
  showFile({});
}

void ComparisonHead::showFile(const QString& path) {
  m_path = path;
  m_question->setText(path.isEmpty() ? tr("Nothing is open")
                                     : tr("What changed to or from %1").arg(QFileInfo(path).fileName()));
  setReady(false);
  showNoResult();
}

void ComparisonHead::setReady(bool isReady) {
  m_pick->setEnabled(isReady);
}

void ComparisonHead::showNoResult() {
  m_figures->setText({});
  m_figures->hide();
  m_swap->setEnabled(false);
  m_open->setEnabled(false);
}

void ComparisonHead::showResult(const ComparedDumps& compared, const ComparedWith& with) {
  const engine::Comparison& found = compared.comparison;
  const QString open = QFileInfo(m_path).fileName();
  const auto named = [](const QString& name, const engine::Summary& summary) {
    return tr("%1 (.NET %2)").arg(name, fromEngine(summary.runtime.version));
  };
  m_question->setText(tr("From %1 to %2")
                          .arg(named(with.isEarlier ? with.name() : open, found.before),
                               named(with.isEarlier ? open : with.name(), found.after)));
  m_figures->setText(QStringList{changeText(tr("Heap"), found.bytes, true),
                                 changeText(tr("Objects"), found.objects, false),
                                 changeText(tr("Reachable"), found.retainedBytes, true)}
                         .join(QStringLiteral("  ·  ")));
  m_figures->setDetail(QStringList{exactText(tr("Bytes of the heap, free space among it"), found.bytes),
                                   exactText(tr("Objects, free blocks among them"), found.objects),
                                   exactText(tr("Reachable bytes"), found.retainedBytes)}
                           .join(QLatin1Char('\n')));
  m_figures->show();
  m_swap->setEnabled(true);
  m_open->setEnabled(true);
}

void ComparisonHead::pickFile() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Compare with"), QFileInfo(m_path).absolutePath(),
                                                    tr("Core dumps (*core* *.dmp *.zst *.dump);;All files (*)"));
  if (!path.isEmpty()) Q_EMIT picked(path);
}

}  // namespace heapscape::gui
