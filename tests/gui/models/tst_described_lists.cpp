// SPDX-License-Identifier: MIT
// Lists that the engine describes, as the window shows them.
#include <QTest>
#include <algorithm>

#include "lists/lists.h"
#include "models/rows/row_question.h"
#include "models/rows/static_rows.h"
#include "support/window_test.h"
#include "tables/root_tables.h"
#include "tables/thread_tables.h"
#include "views/compare/comparison_rows.h"
#include "views/findings/findings_place.h"
#include "views/generations/gc_page.h"
#include "views/insights/insight_detail.h"
#include "views/layouts/compare/layout_compare_view.h"
#include "views/layouts/waste/waste_view.h"
#include "views/memory/memory_parts.h"
#include "views/references/paths/object_paths_panel.h"
#include "views/roots/root_rows.h"
#include "views/runtime/field_rows.h"
#include "views/threads/thread_rows.h"

namespace heapscape::gui {

namespace {

template <class Row>
void checkColumns(const RowSchema<Row>& schema) {
  QVERIFY(schema.table);
  const engine::TableDescription& table = schema.table->description();
  const std::vector<ColumnSetup> shown = schema.setups();
  const RowSchema<Row> all = schema.withExtra();
  // What a list does not show at first can be shown: nothing that the engine describes is missing.
  for (const engine::ListColumn& column : table.columns) {
    QVERIFY2(std::ranges::find(shown, column.name, &ColumnSetup::field) != shown.end() ||
                 std::ranges::find(shown, column.jsonName, &ColumnSetup::field) != shown.end(),
             column.name.c_str());
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const ColumnSetup& own = all.columns[i].setup;
    QCOMPARE(shown[i].isExtra, i >= schema.columns.size() || schema.columns[i].setup.isExtra);
    if (own.field.empty()) continue;
    const auto column = table.find(own.field);
    QVERIFY2(column, own.field.c_str());
    if (own.title.isEmpty()) QCOMPARE(shown[i].title, QString::fromStdString(table.columns[*column].title));
    if (!own.holdsContents) QCOMPARE(shown[i].mayHoldContents(), table.columns[*column].holdsContents);
  }
}

template <class Row>
void checkFields(const RowSchema<Row>& schema, const engine::List& list) {
  const engine::QuerySchema asked = schemaOf(schema.asTable().description(), {});
  const auto own =
      std::ranges::count_if(schema.columns, [](const RowColumn<Row>& column) { return column.setup.field.empty(); });
  QCOMPARE(asked.fields.size(), list.description().columns.size() + static_cast<std::size_t>(own));
  for (const engine::ListColumn& column : list.description().columns) {
    QVERIFY2(asked.find(column.name), column.name.c_str());
    QVERIFY2(asked.find(column.nameInJson()), column.nameInJson().c_str());
  }
}

}  // namespace

class DescribedLists : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void columnsAreThoseOfTheEngine() {
    checkColumns(threadSchema());
    checkColumns(lockSchema());
    checkColumns(handleSchema());
    checkColumns(finalizerSchema());
    checkColumns(rootSchema());
    checkColumns(staticSchema());
    checkColumns(staticSchema(true));
    checkColumns(moduleSchema());
    checkColumns(genericSchema());
    checkColumns(typeArgumentSchema());
    checkColumns(typeLinkSchema(QStringLiteral("Interface")));
    checkColumns(methodSchema());
    checkColumns(fieldSchema());
    checkColumns(dictionarySchema());
    checkColumns(inheritedSchema());
    checkColumns(methodLookupSchema());
    checkColumns(memorySchema(1));
    checkColumns(gcGenerationSchema());
    checkColumns(gcGapSchema());
    checkColumns(gcPinSchema());
    checkColumns(gcCollectionSchema());
    checkColumns(gcFinalizerSchema());
    checkColumns(wasteSchema({}));
    checkColumns(wasteGroupSchema(engine::WasteGrouping::Namespace));
    checkColumns(findingSchema());
    checkColumns(insightItemSchema(engine::InsightKind::Suspect));
    checkColumns(asyncSchema());
    const engine::Snapshot none(nullptr);
    checkColumns(typeChangeSchema(none, none, true));
    checkColumns(figureChangeSchema());
    checkColumns(insightChangeSchema());
    checkColumns(layoutChangeSchema(true));
    checkColumns(comparedTypeSchema());
    checkColumns(fieldDifferenceSchema());
    checkColumns(stepSchema());
  }

  void theWindowIsAskedAsTheCommandLineIs() {
    checkFields(threadSchema(), *engine::findList("threads"));
    checkFields(lockSchema(), *engine::findList("locks"));
    checkFields(handleSchema(), *engine::findList("handles"));
    checkFields(finalizerSchema(), *engine::findList("finalizers"));
    checkFields(rootSchema(), *engine::findList("roots"));
    checkFields(staticSchema(), *engine::findList("statics"));
    checkFields(moduleSchema(), *engine::findList("modules"));
    checkFields(genericSchema(), *engine::findList("generics"));
    checkFields(memorySchema(1), *engine::findList("memory"));
    checkFields(gcGapSchema(), *engine::findList("gaps"));
    checkFields(gcPinSchema(), *engine::findList("pins"));
    checkFields(wasteSchema({}), *engine::findList("waste"));
    checkFields(findingSchema(), *engine::findList("findings"));
    checkFields(asyncSchema(), *engine::findList("chains"));
  }

  void aFieldThatIsNotShownIsAskedForAsWell() {
    std::vector<engine::ThreadRow> threads(2);
    for (engine::ThreadRow& thread : threads) thread.isAlive = true;
    threads[0].managedId = 1;
    threads[1].managedId = 2;
    threads[1].isFinalizer = true;
    const auto rows = makeRowList(std::move(threads), threadSchema());
    const auto found = [&rows](const char* text) {
      RowQuestion question;
      question.text = QString::fromUtf8(text);
      const auto order = askRows(*rows, question, {});
      return order ? *order : std::vector<std::uint32_t>{99};
    };
    QCOMPARE(found("finalizer = true"), std::vector<std::uint32_t>{1});
    QCOMPARE(found("role = foreground"), std::vector<std::uint32_t>{0});
    QCOMPARE(found("managedId in (1, 2)"), (std::vector<std::uint32_t>{0, 1}));
    QCOMPARE(found("Managed = 1"), std::vector<std::uint32_t>{99});
  }
};

HEAPSCAPE_WINDOW_TEST(DescribedLists)

}  // namespace heapscape::gui

#include "tst_described_lists.moc"
