// SPDX-License-Identifier: MIT
#include "views/review/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "print/review_pdf.h"
#include "review/html_page.h"
#include "review/whole_file.h"
#include "widgets/figures.h"
#include "widgets/section.h"

namespace heapscape::gui {

ExportDialog::ExportDialog(const engine::ReviewBoard& board, QWidget* parent)
    : QDialog(parent), m_form(new QComboBox(this)), m_redact(new QCheckBox(this)), m_about(makeNote({}, this)) {
  m_pagesWithContents = static_cast<int>(std::ranges::count_if(board.pages, engine::holdsContents));
  setWindowTitle(tr("Export the review"));
  m_form->setObjectName(QStringLiteral("exportForm"));
  m_form->addItems({tr("HTML page, in one file"), tr("PDF, for printing")});
  m_redact->setObjectName(QStringLiteral("exportRedacted"));
  m_redact->setText(tr("Leave out strings and field values"));
  m_redact->setChecked(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
  buttons->button(QDialogButtonBox::Save)->setText(tr("Export…"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_redact, &QCheckBox::toggled, this, &ExportDialog::showWhatIsLeftOut);
  auto* layout = new QFormLayout(this);
  layout->setVerticalSpacing(12);
  layout->addRow(tr("Form"), m_form);
  layout->addRow(QString(), m_redact);
  layout->addRow(QString(), m_about);
  layout->addRow(buttons);
  m_about->setMinimumWidth(fontMetrics().averageCharWidth() * 46);
  m_about->setMinimumHeight(fontMetrics().lineSpacing() * 3);
  m_about->setAlignment(Qt::AlignTop);
  showWhatIsLeftOut();
}

ExportDialog::Form ExportDialog::form() const {
  return m_form->currentIndex() == 0 ? Form::Html : Form::Pdf;
}

bool ExportDialog::isRedacted() const {
  return m_redact->isChecked();
}

void ExportDialog::showWhatIsLeftOut() {
  if (m_pagesWithContents == 0) {
    m_about->setText(tr("No page has any. Your own titles and notes are always exported."));
  } else if (m_redact->isChecked()) {
    m_about->setText(tr("%n page(s) lose columns or pictures that may show some. Your own titles and notes are always "
                        "exported.",
                        nullptr, m_pagesWithContents)
                         .replace(QStringLiteral("(s)"), m_pagesWithContents == 1 ? QString() : QStringLiteral("s")));
  } else {
    m_about->setText(tr("Whoever gets the file can read strings and values of the dump."));
  }
}

QString exportReview(const engine::ReviewBoard& board, ExportDialog::Form form, bool isRedacted, const QString& path) {
  const engine::ReviewBoard exported = isRedacted ? engine::redacted(board) : board;
  if (form == ExportDialog::Form::Pdf) {
    if (writeReviewPdf(exported, path)) return {};
    return ExportDialog::tr("%1 could not be written.").arg(QDir::toNativeSeparators(path));
  }
  const auto written = engine::writeWholeFile(QFile::encodeName(path).toStdString(), engine::htmlPage(exported));
  return written ? QString() : fromEngine(written.error().message());
}

}  // namespace heapscape::gui
