// SPDX-License-Identifier: MIT
#include "views/object/contents_panel.h"

#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "views/object/exception_panel.h"
#include "views/object/items_panel.h"
#include "views/object/targets_panel.h"
#include "views/object/text_panel.h"
#include "views/object/values/fields_panel.h"
#include "widgets/arranging/shown_tab.h"

namespace heapscape::gui {

ContentsPanel::ContentsPanel(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_fields(new FieldsPanel(bridge, this)),
      m_items(new ItemsPanel(bridge, this)),
      m_text(new TextPanel(this)),
      m_targets(new TargetsPanel(this)),
      m_exception(new ExceptionPanel(bridge, this)),
      m_tabs(new QTabWidget(this)) {
  m_tabs->setObjectName(QStringLiteral("objectContents"));
  m_tabs->setDocumentMode(true);
  const auto add = [this](QWidget* page, const QString& text, const QString& tip) {
    m_tabs->setTabToolTip(m_tabs->addTab(page, text), tip);
  };
  add(m_items, QStringLiteral("Data"), QStringLiteral("The items as the program sees them"));
  add(m_text, QStringLiteral("Text"), QStringLiteral("The characters of the string"));
  add(m_targets, QStringLiteral("Targets"), QStringLiteral("Whom the delegate calls"));
  add(m_exception, QStringLiteral("Exception"), QStringLiteral("What it says and where it was thrown"));
  add(m_fields, QStringLiteral("Fields"), QStringLiteral("What the object consists of"));
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
  m_tabs->setTabText(m_tabs->indexOf(m_fields), object.array ? QStringLiteral("Elements")
                                                : isData     ? QStringLiteral("Internals")
                                                             : QStringLiteral("Fields"));
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
