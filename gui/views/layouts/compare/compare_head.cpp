// SPDX-License-Identifier: MIT
#include "views/layouts/compare/compare_head.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

#include "models/dump_file_patterns.h"
#include "views/layouts/compare/compared_layouts.h"
#include "widgets/arranging/flow_layout.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr std::uint32_t kRuntimes[]{8, 9, 10, 11};
constexpr std::size_t kMostFailureLines = 12;

QString failureLines(const ComparedLayouts& compared) {
  QStringList lines;
  for (const std::string& failure : compared.failures) {
    if (lines.size() == kMostFailureLines) {
      lines << QStringLiteral("…");
      break;
    }
    lines << fromEngine(failure);
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

CompareHead::CompareHead(QWidget* parent)
    : QWidget(parent), m_question(new ElidedText(this)), m_result(new ElidedText(this)) {
  m_question->setObjectName(QStringLiteral("compareQuestion"));
  m_result->setObjectName(QStringLiteral("compareResult"));
  m_result->setElideMode(Qt::ElideRight);
  auto* line = new FlowLayout(nullptr, 8);
  QPushButton* file = makeButton(QStringLiteral("Another dump or assembly…"),
                                 QStringLiteral("Open a second file and compare the types of both"));
  file->setObjectName(QStringLiteral("compareFile"));
  file->setIcon(symbolIcon(QStringLiteral("open")));
  connect(file, &QPushButton::clicked, this, &CompareHead::pickFile);
  line->addWidget(file);
  for (const std::uint32_t runtime : kRuntimes) {
    QPushButton* rules = makeButton(QStringLiteral("Rules of .NET %1").arg(runtime),
                                    QStringLiteral("The same declarations, laid out as .NET %1 would").arg(runtime));
    rules->setObjectName(QStringLiteral("compareRuntime%1").arg(runtime));
    connect(rules, &QPushButton::clicked, this,
            [this, runtime] { Q_EMIT partnerPicked({.path = {}, .runtimeMajor = runtime}); });
    line->addWidget(rules);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(8);
  column->addWidget(m_question);
  column->addLayout(line);
  column->addWidget(m_result);
  showFile({});
}

QPushButton* CompareHead::makeButton(const QString& text, const QString& tip) {
  auto* button = new QPushButton(text, this);
  button->setToolTip(tip);
  m_buttons.push_back(button);
  return button;
}

void CompareHead::showFile(const QString& path) {
  m_path = path;
  m_question->setText(path.isEmpty()
                          ? QStringLiteral("Nothing is open")
                          : QStringLiteral("Compare the layouts of %1 with").arg(QFileInfo(path).fileName()));
  for (QPushButton* button : m_buttons) button->setEnabled(!path.isEmpty());
  showNoResult();
}

void CompareHead::showNoResult() {
  m_result->setText({});
  m_result->hide();
}

void CompareHead::showResult(const ComparedLayouts& compared) {
  QString text =
      QStringLiteral("%1 against %2: %3 of %4 types laid out otherwise, %5 only there, %6 only here")
          .arg(compared.here.name, compared.there.name, countText(compared.changed),
               countText(compared.changed + compared.same), countText(compared.added), countText(compared.removed));
  if (!compared.failures.empty()) {
    text += QStringLiteral(" · %1 could not be laid out").arg(countText(compared.failures.size()));
  }
  m_result->setText(text);
  m_result->setDetail(compared.failures.empty() ? QString() : text + QLatin1Char('\n') + failureLines(compared));
  m_result->show();
}

void CompareHead::pickFile() {
  const QString path = QFileDialog::getOpenFileName(
      this, QStringLiteral("Compare with"), QFileInfo(m_path).absolutePath(),
      QStringLiteral("Dumps and assemblies (%1 *.dll *.exe);;All files (*)").arg(dumpFilePatterns()));
  if (!path.isEmpty()) Q_EMIT partnerPicked({.path = path, .runtimeMajor = 0});
}

}  // namespace heapscape::gui
