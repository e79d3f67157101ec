// SPDX-License-Identifier: MIT
#include "models/query/query_help.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "models/query/query_edit.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::QueryKind;

QString exampleFor(const engine::QueryField& field) {
  const QString name = fromEngine(field.name);
  switch (field.kind) {
    case QueryKind::Text:
      return name + QStringLiteral(" ~ \"Order\"");
    case QueryKind::Number:
      return name + QStringLiteral(" > 10");
    case QueryKind::Bytes:
      return name + QStringLiteral(" >= 64 KB");
    case QueryKind::Address:
      return name + QStringLiteral(" = 0x7f0012345678");
    case QueryKind::Flag:
      return QStringLiteral("not ") + name;
    case QueryKind::Choice:
      break;
  }
  return field.choices.empty() ? name : name + QStringLiteral(" = ") + fromEngine(field.choices.back());
}

QString row(const QString& first, const QString& second, const QString& third) {
  return QStringLiteral("<tr><td><b>%1</b></td><td>%2</td><td><code>%3</code></td></tr>")
      .arg(first.toHtmlEscaped(), second.toHtmlEscaped(), third.toHtmlEscaped());
}

}  // namespace

QString queryHelpText(const engine::QuerySchema& schema) {
  QString text =
      QStringLiteral("<p>%1</p><p>%2</p>")
          .arg(
              QStringLiteral("Text without operators is looked for in names. A query compares fields, and joins "
                             "comparisons by <b>and</b>, <b>or</b>, <b>not</b> and parentheses."),
              QStringLiteral("<code>= != &lt; &lt;= &gt; &gt;=</code> compare, <code>~</code> and <code>!~</code> look "
                             "for text in any case, or for a <code>/regular expression/</code>; <code>in (1, 2)</code> "
                             "is one of several. KB, MB and GB are steps of 1024."));
  text += QStringLiteral("<table cellpadding=\"4\">");
  for (const engine::QueryField& field : schema.fields)
    text += row(fromEngine(field.name), fromEngine(field.help), exampleFor(field));
  if (schema.hasObjectFields) {
    text += row(QStringLiteral("field(\"…\")"), QStringLiteral("A field of the object, or of what it refers to."),
                QStringLiteral("field(\"Customer.Name\") = \"Ada\""));
  }
  return text + QStringLiteral("</table>");
}

void showQueryHelp(QueryEdit& edit) {
  auto* dialog = new QDialog(edit.window());
  dialog->setObjectName(QStringLiteral("queryHelp"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(QStringLiteral("What can be asked of %1").arg(fromEngine(edit.schema().noun)));
  auto* text = new QTextBrowser(dialog);
  text->setHtml(queryHelpText(edit.schema()));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(text);
  column->addWidget(buttons);
  const int letter = dialog->fontMetrics().averageCharWidth();
  dialog->resize(letter * 100, letter * 70);
  dialog->show();
}

}  // namespace heapscape::gui
