// SPDX-License-Identifier: MIT
#include "app/code_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kCodeDialogWidth = 480;

QString joined(const std::vector<std::string>& beginnings) {
  QStringList words;
  for (const std::string& beginning : beginnings) words << fromEngine(beginning);
  return words.join(u", "_s);
}

std::vector<std::string> beginningsIn(const QString& text) {
  static const QRegularExpression kBetween(u"[\\s,;]+"_s);
  std::vector<std::string> beginnings;
  for (const QString& word : text.split(kBetween, Qt::SkipEmptyParts)) beginnings.push_back(word.toStdString());
  return beginnings;
}

}  // namespace

CodeDialog::CodeDialog(const engine::NamedCode& named, const engine::CodeOwners& owners, QWidget* parent)
    : QDialog(parent),
      m_own(new QLineEdit(joined(named.own), this)),
      m_packages(new QLineEdit(joined(named.packages), this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(u"Your code and packages"_s);
  setMinimumWidth(kCodeDialogWidth);
  m_own->setObjectName(u"ownBeginnings"_s);
  m_own->setPlaceholderText(u"Shop, Warehouse.Core"_s);
  m_packages->setObjectName(u"packageBeginnings"_s);
  m_packages->setPlaceholderText(u"Vendor"_s);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 24, 24, 16);
  column->setSpacing(12);
  QString rule =
      u"Your code: the program's first assembly, those whose names begin with the same part, those of its "
      "company, and those that name no company. All others are packages, but for .NET's own."_s;
  if (!owners.entry().empty()) rule += u" Of this dump, the first is %1."_s.arg(fromEngine(owners.entry()));
  column->addWidget(makeNote(rule, this));
  auto* form = new QFormLayout;
  form->addRow(u"&Your code, too:"_s, m_own);
  form->addRow(u"&Packages, too:"_s, m_packages);
  column->addLayout(form);
  column->addWidget(
      makeNote(u"What names of assemblies begin with, with commas between. An open dump is read again."_s, this));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
}

engine::NamedCode CodeDialog::named() const {
  return {beginningsIn(m_own->text()), beginningsIn(m_packages->text())};
}

}  // namespace heapscape::gui
