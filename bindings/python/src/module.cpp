// SPDX-License-Identifier: MIT
// The part of the Python module that is not Python: a dump that stays open, its answers as JSON, its rows as columns.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <bit>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrow_export.h"
#include "cli/command_line.h"
#include "cli/context.h"
#include "cli/open_dump.h"
#include "lists/row_question.h"
#include "object_values.h"
#include "output/query_table.h"
#include "output/typed_columns.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"

namespace py = pybind11;

namespace heapscape::python {
namespace {

using engine::Outcome;
using engine::TypedColumn;
using engine::TypedColumns;
using Type = TypedColumn::Type;

constexpr std::chrono::milliseconds kBetweenSignals{50};

/// Raised as heapscape.Error.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Raised as heapscape.QueryError, which is a ValueError as well.
struct WrongQuery : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void raise(const engine::Unfinished& unfinished) {
  if (unfinished.isCancelled()) throw Failure("It was interrupted.");
  const engine::Error& error = unfinished.error();
  if (error.code == engine::ErrorCode::BadQuery) throw WrongQuery(error.message());
  const bool isAboutMemory = error.code == engine::ErrorCode::NotEnoughMemory;
  throw Failure(error.message() + (isAboutMemory ? " To try it all the same, open it with more memory=." : ""));
}

/// One column of a table; keeps the table.
struct Column {
  Columns table;
  std::size_t place = 0;
  std::vector<std::uint8_t> flags = {};  // of a Flag, a byte each

  const TypedColumn& get() const { return table->columns()[place]; }
  bool isPresent(std::size_t row) const { return get().present[row / 8] >> row % 8 & 1; }
};

Column columnOf(const Columns& table, std::size_t place) {
  if (place >= table->columns().size()) throw py::index_error();
  Column column{table, place};
  if (column.get().type == Type::Flag) {
    for (std::size_t row = 0; row < table->rows(); ++row)
      column.flags.push_back(column.get().flags[row / 8] >> row % 8 & 1);
  }
  return column;
}

py::object valueOf(const Column& column, std::size_t row) {
  const TypedColumn& of = column.get();
  if (row >= column.table->rows()) throw py::index_error();
  if (!column.isPresent(row)) return py::none();
  switch (of.type) {
    case Type::Unsigned:
      return py::int_(of.numbers[row]);
    case Type::Signed:
      return py::int_(static_cast<std::int64_t>(of.numbers[row]));
    case Type::Fraction:
      return py::float_(std::bit_cast<double>(of.numbers[row]));
    case Type::Flag:
      return py::bool_(column.flags[row] != 0);
    case Type::Text:
      break;
  }
  const std::string_view text = of.text(static_cast<std::size_t>(of.places[row]));
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
}

py::buffer_info bufferOf(Column& column) {
  const TypedColumn& of = column.get();
  const auto rows = static_cast<py::ssize_t>(column.table->rows());
  const auto info = [rows](const void* data, py::ssize_t itemBytes, const char* format) {
    return py::buffer_info(const_cast<void*>(data), itemBytes, format, 1, {rows}, {itemBytes}, true);
  };
  if (of.type == Type::Flag) return info(column.flags.data(), 1, "?");
  if (of.type == Type::Text) return info(of.places.data(), sizeof(std::int32_t), "i");
  return info(of.numbers.data(), 8, of.type == Type::Unsigned ? "Q" : of.type == Type::Signed ? "q" : "d");
}

std::vector<std::string_view> textsOf(const Column& column) {
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < column.get().textCount(); ++i) texts.push_back(column.get().text(i));
  return texts;
}

const char* typeName(Type type) {
  switch (type) {
    case Type::Unsigned:
      return "uint64";
    case Type::Signed:
      return "int64";
    case Type::Fraction:
      return "float64";
    case Type::Flag:
      return "bool";
    case Type::Text:
      break;
  }
  return "str";
}

/// A structure of Arrow in a capsule that releases what nobody has taken out of it.
template <class Arrow>
py::capsule capsuleOf(std::unique_ptr<Arrow> structure, const char* name) {
  const auto destroy = [](PyObject* capsule) {
    auto* held = static_cast<Arrow*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
    if (held->release) held->release(held);
    delete held;
  };
  PyObject* made = PyCapsule_New(structure.get(), name, destroy);
  if (!made) throw py::error_already_set();
  structure.release();
  return py::reinterpret_steal<py::capsule>(made);
}

template <class Arrow>
py::capsule exported(const Columns& columns, void (*to)(const Columns&, Arrow&), const char* name) {
  auto structure = std::make_unique<Arrow>();
  to(columns, *structure);
  return capsuleOf(std::move(structure), name);
}

/// What a query gave.
struct Rows {
  Columns columns;
  engine::QueryTable table;  // without its rows
};

/// A dump that stays open. One question at a time: others wait.
class Dump {
 public:
  Dump(std::string path, cli::Options options)
      : m_path(std::move(path)),
        m_options(std::move(options)),
        m_interrupts(cli::Interrupts::withoutSignals()),
        m_open(m_path) {}

  const std::string& path() const { return m_path; }

  /// The JSON document that a verb answers with.
  std::string ask(const std::vector<std::string>& words, const std::vector<std::string>& others) {
    std::vector<std::string> files{m_path};
    files.insert(files.end(), others.begin(), others.end());
    return whileInterruptible([&] { return cli::jsonAnswer(words, files, m_options, m_interrupts, m_open); });
  }

  /// The fields of an object, by name; see object_values.h.
  py::dict fields(std::uint64_t address, const py::function& object) {
    const auto read = [&](const engine::Snapshot& snapshot, const std::stop_token&) -> Outcome<Parts> {
      HEAPSCAPE_TRY(engine::ObjectDetails details, engine::objectDetails(snapshot, {address}, {.elements = 0}));
      return Parts{.values = std::move(details.fields)};
    };
    return fieldsOf(whileInterruptible([&] { return withDump(read); }).values, object, m_options.redact);
  }

  /// Elements of an array, or items of a collection, from the place `first` on.
  py::list items(std::uint64_t address, std::uint64_t first, std::size_t count, const py::function& object) {
    const auto read = [&](const engine::Snapshot& snapshot, const std::stop_token& stop) -> Outcome<Parts> {
      HEAPSCAPE_TRY(engine::ObjectDetails details, engine::objectDetails(snapshot, {address}, {.elements = 1}));
      Parts parts;
      const engine::Address start = details.row.address;
      if (details.array) {
        HEAPSCAPE_TRY(parts.values, engine::arrayElements(snapshot, start, first, count));
      } else if (details.collection) {
        parts.haveKeys = details.collection->hasKeys;
        if (details.collection->isHolder) {  // of one item at most
          if (first == 0) parts.items = std::move(details.collection->items);
          return parts;
        }
        HEAPSCAPE_TRY(parts.items, engine::collectionItems(snapshot, start, first, count, stop));
      }
      return parts;
    };
    const Parts parts = whileInterruptible([&] { return withDump(read); });
    return parts.items.empty() ? elementsOf(parts.values, object, m_options.redact)
                               : itemsOf(parts.items, parts.haveKeys, object, m_options.redact);
  }

  Rows query(engine::RowsAsked asked, const std::map<std::string, std::vector<std::uint64_t>>& sets) {
    asked.redact = m_options.redact;
    auto question = engine::RowQuestion::make(std::move(asked));
    if (!question) {
      const engine::WrongRows& wrong = question.error();
      throw WrongQuery((wrong.place ? engine::withMark(wrong.error, wrong.text, *wrong.place) : wrong.error).message());
    }
    return whileInterruptible([&] { return answerTo(*question, sets); });
  }

 private:
  struct Parts {
    std::vector<engine::FieldValue> values = {};
    std::vector<engine::CollectionItem> items = {};
    bool haveKeys = false;
  };

  /// What `read` finds in the dump, which it opens if it is not open yet.
  template <class Read>
  Outcome<Parts> withDump(const Read& read) {
    engine::Output nowhere([](std::string_view) { return true; });
    cli::Context context("object", m_options, nowhere, m_interrupts, &m_open);
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, engine::HeapUse::Optional));
    HEAPSCAPE_TRY(Parts parts, read(snapshot, context.stop()));
    if (auto changed = context.changedInput()) return tl::unexpected(engine::Unfinished(std::move(*changed)));
    context.keepAnswers();
    return parts;
  }

  Outcome<Rows> answerTo(const engine::RowQuestion& question,
                         const std::map<std::string, std::vector<std::uint64_t>>& given) {
    engine::Output nowhere([](std::string_view) { return true; });
    cli::Context context("query", m_options, nowhere, m_interrupts, &m_open);
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(engine::Stage::Retained, {.byType = question.needsRetainedByType()}, question.heap()));
    auto sets = std::make_shared<engine::ObjectSets>();
    for (const auto& [name, addresses] : given) {
      engine::ObjectSet set;
      for (const std::uint64_t address : addresses) set.objects.push_back(engine::Address{address});
      HEAPSCAPE_TRY(auto ids, engine::idsOfSet(snapshot, set, context.stop()));
      sets->insert_or_assign(name, std::make_shared<const std::vector<std::uint32_t>>(std::move(ids)));
    }
    auto columns = std::make_shared<TypedColumns>(question.columns());
    const engine::RowQuestion::Sink add = [&](std::vector<engine::QueryValue>&& row) { columns->add(row); };
    std::vector<engine::StageTiming> timings;
    HEAPSCAPE_TRY(engine::QueryTable table, question.ask(snapshot, std::move(sets), add, timings, context.stop()));
    if (auto changed = context.changedInput()) return tl::unexpected(engine::Unfinished(std::move(*changed)));
    context.keepAnswers();
    return Rows{std::move(columns), std::move(table)};
  }

  /// Works in another thread, so that this one sees Ctrl+C, while other threads of Python go on.
  template <class Work>
  typename std::invoke_result_t<Work>::value_type whileInterruptible(Work work) {
    std::optional<py::error_already_set> raised;
    auto outcome = [&] {
      const py::gil_scoped_release others;
      const std::lock_guard lock(m_mutex);
      (void)m_interrupts.next();
      auto running = std::async(std::launch::async, work);
      while (running.wait_for(kBetweenSignals) != std::future_status::ready) {
        const py::gil_scoped_acquire own;
        if (raised || PyErr_CheckSignals() == 0) continue;
        raised.emplace();
        m_interrupts.interrupt();
      }
      return running.get();
    }();
    if (raised) throw std::move(*raised);
    if (!outcome) raise(outcome.error());
    return std::move(*outcome);
  }

  const std::string m_path;
  const cli::Options m_options;
  std::mutex m_mutex;
  cli::Interrupts m_interrupts;
  cli::OpenDump m_open;
};

std::unique_ptr<Dump> openDump(std::string path, std::vector<std::string> search, bool exact, bool redact, bool cache,
                               std::optional<std::uint64_t> memory) {
  cli::Options options;
  options.input = path;
  options.exact = exact;
  options.redact = redact;
  options.noCache = !cache;
  options.memoryBytes = memory;
  for (std::string& folder : search) options.searchFolders.emplace_back(std::move(folder));
  return std::make_unique<Dump>(std::move(path), std::move(options));
}

std::map<std::string, std::uint64_t> totalsOf(const Rows& rows) {
  std::map<std::string, std::uint64_t> totals;
  for (const engine::TableTotal& total : rows.table.totals) totals[total.name] = total.value;
  return totals;
}

}  // namespace
}  // namespace heapscape::python

PYBIND11_MODULE(_engine, module) {
  using namespace heapscape::python;
  auto failure = py::register_exception<Failure>(module, "Error");
  const py::object wrong = py::make_tuple(failure, py::handle(PyExc_ValueError));
  py::register_exception<WrongQuery>(module, "QueryError", wrong);

  py::class_<Column>(module, "Column", py::buffer_protocol())
      .def_buffer(&bufferOf)
      .def("__len__", [](const Column& column) { return column.table->rows(); })
      .def("__getitem__",
           [](const Column& column, py::ssize_t row) {
             return valueOf(column, static_cast<std::size_t>(
                                        row < 0 ? row + static_cast<py::ssize_t>(column.table->rows()) : row));
           })
      .def_property_readonly("name", [](const Column& column) { return column.get().column.name; })
      .def_property_readonly("kind",
                             [](const Column& column) { return std::string(toString(column.get().column.kind)); })
      .def_property_readonly("type", [](const Column& column) { return typeName(column.get().type); })
      .def_property_readonly("missing", [](const Column& column) { return column.get().missing; })
      .def_property_readonly("texts", &textsOf);

  py::class_<Rows>(module, "Rows")
      .def("__len__", [](const Rows& rows) { return rows.columns->rows(); })
      .def("column", [](const Rows& rows, std::size_t place) { return columnOf(rows.columns, place); })
      .def_property_readonly("names",
                             [](const Rows& rows) {
                               std::vector<std::string> names;
                               for (const TypedColumn& column : rows.columns->columns())
                                 names.push_back(column.column.name);
                               return names;
                             })
      .def_property_readonly("noun", [](const Rows& rows) { return rows.table.noun; })
      .def_property_readonly("rows_in_all", [](const Rows& rows) { return rows.table.rowsInAll; })
      .def_property_readonly("totals", &totalsOf)
      .def_property_readonly("notes", [](const Rows& rows) { return rows.table.notes; })
      .def("arrow_schema", [](const Rows& rows) { return exported(rows.columns, &exportSchema, "arrow_schema"); })
      .def("arrow_array", [](const Rows& rows) { return exported(rows.columns, &exportArray, "arrow_array"); })
      .def("arrow_stream",
           [](const Rows& rows) { return exported(rows.columns, &exportStream, "arrow_array_stream"); });

  py::class_<Dump>(module, "Dump")
      .def(py::init(&openDump), py::arg("path"), py::kw_only(), py::arg("search"), py::arg("exact"), py::arg("redact"),
           py::arg("cache"), py::arg("memory"))
      .def_property_readonly("path", &Dump::path)
      .def("ask", &Dump::ask, py::arg("words"), py::arg("others"))
      .def("fields", &Dump::fields, py::arg("address"), py::arg("object"))
      .def("items", &Dump::items, py::arg("address"), py::arg("first"), py::arg("count"), py::arg("object"))
      .def(
          "query",
          [](Dump& dump, std::string of, std::string query, std::string columns, std::string sort, std::string groupBy,
             std::optional<std::size_t> limit, const std::map<std::string, std::vector<std::uint64_t>>& sets) {
            return dump.query({.of = std::move(of),
                               .query = std::move(query),
                               .columns = std::move(columns),
                               .sort = std::move(sort),
                               .groupBy = std::move(groupBy),
                               .limit = limit.value_or(SIZE_MAX)},
                              sets);
          },
          py::arg("of"), py::arg("query"), py::arg("columns"), py::arg("sort"), py::arg("group_by"), py::arg("limit"),
          py::arg("sets"));

  module.def("subjects", &heapscape::engine::RowQuestion::subjects);
}
