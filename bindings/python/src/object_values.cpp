// SPDX-License-Identifier: MIT
#include "object_values.h"

#include <charconv>
#include <string>
#include <string_view>

#include "values/code_address.h"
#include "values/string_object.h"

namespace heapscape::python {
namespace {

namespace py = pybind11;
using engine::FieldValue;
using engine::Value;
using engine::ValueKind;

py::object textOf(std::string_view text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
}

py::object numberOf(const std::string& text, bool isWhole) {
  if (isWhole) {
    if (PyObject* whole = PyLong_FromString(text.c_str(), nullptr, 10)) return py::reinterpret_steal<py::object>(whole);
    PyErr_Clear();
    return textOf(text);
  }
  double number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? py::object(py::float_(number)) : textOf(text);
}

py::object valueOf(const Value& value, const std::vector<FieldValue>& parts, const py::function& object, bool redact) {
  if (value.kind == ValueKind::Null) return py::none();
  const bool isHidden = redact && engine::isContents(value);
  const bool isString = engine::isStringObject(value);
  if (value.kind == ValueKind::Reference && value.object) {
    if (isString && !isHidden && !value.characters.ends_with("…")) return textOf(value.characters);
    return object(value.object.value);
  }
  const bool isOne = value.kind == ValueKind::Known || value.kind == ValueKind::Enum;
  if (!parts.empty() && !isOne) return fieldsOf(parts, object, redact);
  if (isHidden || value.kind == ValueKind::Damaged) return py::none();
  if (value.kind == ValueKind::Boolean) return py::bool_(value.text != "false");
  if (value.kind == ValueKind::Integer) return numberOf(value.text, true);
  if (value.kind == ValueKind::Real) return numberOf(value.text, false);
  return textOf(isString ? std::string_view(value.characters) : engine::codeAddressOf(value).address);
}

}  // namespace

py::dict fieldsOf(const std::vector<FieldValue>& fields, const py::function& object, bool redact) {
  py::dict dict;
  for (const FieldValue& field : fields) dict[textOf(field.name)] = valueOf(field.value, field.nested, object, redact);
  return dict;
}

py::list elementsOf(const std::vector<FieldValue>& elements, const py::function& object, bool redact) {
  py::list list(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i)
    list[i] = valueOf(elements[i].value, elements[i].nested, object, redact);
  return list;
}

py::list itemsOf(const std::vector<engine::CollectionItem>& items, bool haveKeys, const py::function& object,
                 bool redact) {
  py::list list(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const engine::CollectionItem& item = items[i];
    py::object value = valueOf(item.value, item.valueFields, object, redact);
    list[i] = haveKeys ? py::make_tuple(valueOf(item.key, item.keyFields, object, redact), std::move(value))
                       : std::move(value);
  }
  return list;
}

}  // namespace heapscape::python
