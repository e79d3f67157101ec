// SPDX-License-Identifier: MIT
#include "views/references/paths/merged_paths_panel.h"

#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

#include "models/cells/name_delegate.h"
#include "models/cells/share_bar_delegate.h"
#include "models/rows/stretched_section.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "views/references/paths/merged_paths_model.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kStepsOpenedAtOnce = 12;

}  // namespace

MergedPathsPanel::MergedPathsPanel(QWidget* parent)
    : QWidget(parent), m_model(new MergedPathsModel(this)), m_tree(new QTreeView(this)), m_note(new QLabel(this)) {
  m_tree->setObjectName(QStringLiteral("mergedPaths"));
  m_tree->setAccessibleName(QStringLiteral("What holds the objects of this type"));
  m_tree->setModel(m_model);
  setUpTree(m_tree, new TableHeading(m_tree));
  m_tree->setItemDelegateForColumn(MergedPathsModel::NameColumn, new NameDelegate(m_tree));
  m_tree->setItemDelegateForColumn(MergedPathsModel::ObjectsColumn,
                                   new ShareBarDelegate(ShareBarDelegate::Bar::Plain, m_tree));
  QHeaderView* heading = m_tree->header();
  heading->setStretchLastSection(false);
  heading->resizeSection(MergedPathsModel::ObjectsColumn, figureColumnWidth(*this) * 3 / 2);
  heading->resizeSection(MergedPathsModel::BytesColumn, figureColumnWidth(*this));
  heading->resizeSection(MergedPathsModel::HoldersColumn, figureColumnWidth(*this));
  rememberColumns(heading, QStringLiteral("mergedPaths"));
  new StretchedSection(m_tree, heading, MergedPathsModel::NameColumn, fontMetrics().averageCharWidth() * 36);
  m_note->setContentsMargins(12, 8, 12, 8);
  m_note->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_note);
  column->addWidget(m_tree, 1);
  setFocusProxy(m_tree);
}

void MergedPathsPanel::show(std::shared_ptr<const engine::MergedPaths> paths) {
  m_note->clear();
  if (paths) {
    QString text = QStringLiteral("The shortest way to each of %1; ways that go through the same fields are one line.")
                       .arg(countedText(paths->objects, QStringLiteral("object")));
    if (paths->unreachable > 0)
      text += paths->unreachable == 1
                  ? QStringLiteral(" 1 more is held by nothing.")
                  : QStringLiteral(" %1 more are held by nothing.").arg(countText(paths->unreachable));
    m_note->setText(text);
  }
  m_model->show(std::move(paths));
  openFirst();
}

// The way that holds the most, which is what people look for.
void MergedPathsPanel::openFirst() {
  QModelIndex index = m_model->index(0, 0);
  for (int step = 0; step < kStepsOpenedAtOnce && index.isValid(); ++step) {
    m_tree->expand(index);
    index = m_model->index(0, 0, index);
  }
}

}  // namespace heapscape::gui
