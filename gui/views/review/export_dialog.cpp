// SPDX-License-Identifier: MIT
#include "views/review/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <algorithm>

#include "print/review_pdf.h"
#include "review/html_page.h"
#include "review/whole_file.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kLetters = 64;
constexpr int kMostShown = 5;  // of the pages that lose something; the others are scrolled to
constexpr double kLinesEach = 3.4;

QStringList changesOf(const engine::ReviewBoard& board) {
  QStringList changes;
  for (std::size_t number = 1; number <= board.pages.size(); ++number) {
    const engine::ReviewPage& page = board.pages[number - 1];
    const std::string text = engine::redactionText(page);
    if (text.empty()) continue;
    const QString title = page.title.empty() ? QStringLiteral("Untitled page") : fromEngine(page.title);
    changes << QStringLiteral("%1 · %2\n%3").arg(QString::number(number), title, fromEngine(text));
  }
  return changes;
}

}  // namespace

ExportDialog::ExportDialog(const engine::ReviewBoard& board, QWidget* parent)
    : QDialog(parent),
      m_form(new QComboBox(this)),
      m_redact(new QCheckBox(this)),
      m_about(makeNote({}, this)),
      m_changes(new QListWidget(this)) {
  setWindowTitle(QStringLiteral("Export the review"));
  m_form->setObjectName(QStringLiteral("exportForm"));
  m_form->addItems({QStringLiteral("HTML page, in one file"), QStringLiteral("PDF, for printing")});
  m_redact->setObjectName(QStringLiteral("exportRedacted"));
  m_redact->setText(QStringLiteral("Leave out strings and field values"));
  m_redact->setChecked(true);
  m_changes->setObjectName(QStringLiteral("exportChanges"));
  m_changes->setAccessibleName(QStringLiteral("What the pages lose"));
  m_changes->setSelectionMode(QAbstractItemView::NoSelection);
  m_changes->setWordWrap(true);
  m_changes->setSpacing(2);
  m_changes->addItems(changesOf(board));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
  buttons->button(QDialogButtonBox::Save)->setText(QStringLiteral("Export…"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_redact, &QCheckBox::toggled, this, &ExportDialog::showWhatIsLeftOut);
  auto* layout = new QFormLayout(this);
  layout->setVerticalSpacing(12);
  layout->addRow(QStringLiteral("Form"), m_form);
  layout->addRow(QString(), m_redact);
  layout->addRow(m_about);
  layout->addRow(m_changes);
  layout->addRow(buttons);
  m_about->setMinimumWidth(fontMetrics().averageCharWidth() * kLetters);
  const int shown = std::clamp(m_changes->count(), 1, kMostShown);
  m_changes->setFixedHeight(static_cast<int>(shown * kLinesEach * fontMetrics().lineSpacing()));
  showWhatIsLeftOut();
}

ExportDialog::Form ExportDialog::form() const {
  return m_form->currentIndex() == 0 ? Form::Html : Form::Pdf;
}

bool ExportDialog::isRedacted() const {
  return m_redact->isChecked();
}

void ExportDialog::showWhatIsLeftOut() {
  const int pages = m_changes->count();
  m_changes->setVisible(pages > 0 && m_redact->isChecked());
  if (pages == 0) {
    m_about->setText(QStringLiteral("No page has any. Your own titles and notes are exported as they are."));
  } else if (m_redact->isChecked()) {
    m_about->setText((pages == 1 ? QStringLiteral("One page loses something.")
                                 : QStringLiteral("%1 pages lose something.").arg(pages)) +
                     QLatin1Char(' ') + QStringLiteral("Your own titles and notes are exported as they are."));
  } else {
    m_about->setText(QStringLiteral("Whoever gets the file can read strings and values of the dump."));
  }
  adjustSize();
}

QString exportReview(const engine::ReviewBoard& board, ExportDialog::Form form, bool isRedacted, const QString& path) {
  const engine::ReviewBoard exported = isRedacted ? engine::redacted(board) : board;
  if (form == ExportDialog::Form::Pdf) {
    if (writeReviewPdf(exported, path)) return {};
    return QStringLiteral("%1 could not be written.").arg(QDir::toNativeSeparators(path));
  }
  const auto written = engine::writeWholeFile(QFile::encodeName(path).toStdString(), engine::htmlPage(exported));
  return written ? QString() : fromEngine(written.error().message());
}

}  // namespace heapscape::gui
