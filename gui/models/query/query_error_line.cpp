// SPDX-License-Identifier: MIT
#include "models/query/query_error_line.h"

#include <QEvent>

#include "models/query/query_edit.h"
#include "widgets/drawing/colours.h"
#include "widgets/state_panel.h"

namespace heapscape::gui {

QueryErrorLine::QueryErrorLine(QueryEdit& edit, QWidget* parent) : QLabel(parent), m_edit(edit) {
  setObjectName(edit.objectName() + u"Error"_s);
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setForegroundRole(QPalette::WindowText);  // the place's ground would choose another
  connect(&edit, &QueryEdit::complaintChanged, this, &QueryErrorLine::display);
  updateLook();
  display(edit.complaint());
}

void QueryErrorLine::say(const QString& complaint) {
  display(m_edit.complaint().isEmpty() ? complaint : m_edit.complaint());
}

void QueryErrorLine::display(const QString& complaint) {
  setText(complaint.isEmpty() ? QString() : u"⚠ "_s + complaint);
  setVisible(!complaint.isEmpty());
}

void QueryErrorLine::updateLook() {
  QPalette warning;
  warning.setColor(QPalette::WindowText, Colours(palette()).warning());
  setPalette(warning);
}

void QueryErrorLine::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) updateLook();
  QLabel::changeEvent(event);
}

void showNotUnderstood(StatePanel& panel, QueryEdit& edit) {
  panel.showEmpty(u"Not understood"_s, u"What is written above cannot be asked, so nothing is listed."_s);
  panel.setAction(u"Clear the query"_s, [&edit] { edit.clear(); });
}

}  // namespace heapscape::gui
