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
    const QString title = page.title.empty() ? u"Untitled page"_s : fromEngine(page.title);
    changes << u"%1 · %2\n%3"_s.arg(QString::number(number), title, fromEngine(text));
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
  setWindowTitle(u"Export the review"_s);
  m_form->setObjectName(u"exportForm"_s);
  m_form->addItems({u"HTML page, in one file"_s, u"PDF, for printing"_s});
  m_redact->setObjectName(u"exportRedacted"_s);
  m_redact->setText(u"Leave out strings and field values"_s);
  m_redact->setChecked(true);
  m_changes->setObjectName(u"exportChanges"_s);
  m_changes->setAccessibleName(u"What the pages lose"_s);
  m_changes->setSelectionMode(QAbstractItemView::NoSelection);
  m_changes->setWordWrap(true);
  m_changes->setSpacing(2);
  m_changes->addItems(changesOf(board));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
  buttons->button(QDialogButtonBox::Save)->setText(u"Export…"_s);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_redact, &QCheckBox::toggled, this, &ExportDialog::showWhatIsLeftOut);
  auto* layout = new QFormLayout(this);
  layout->setVerticalSpacing(12);
  layout->addRow(u"Form"_s, m_form);
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
    m_about->setText(u"No page contains any. Titles and notes are exported unchanged."_s);
  } else if (m_redact->isChecked()) {
    m_about->setText((pages == 1 ? u"One page loses something."_s : u"%1 pages lose something."_s.arg(pages)) +
                     QLatin1Char(' ') + u"Your own titles and notes are exported as they are."_s);
  } else {
    m_about->setText(u"Whoever gets the file can read strings and values of the dump."_s);
  }
  adjustSize();
}

QString exportReview(const engine::ReviewBoard& board, ExportDialog::Form form, bool isRedacted, const QString& path) {
  const engine::ReviewBoard exported = isRedacted ? engine::redacted(board) : board;
  if (form == ExportDialog::Form::Pdf) {
    if (writeReviewPdf(exported, path)) return {};
    return u"%1 could not be written."_s.arg(QDir::toNativeSeparators(path));
  }
  const auto written = engine::writeWholeFile(QFile::encodeName(path).toStdString(), engine::htmlPage(exported));
  return written ? QString() : fromEngine(written.error().message());
}

}  // namespace heapscape::gui
