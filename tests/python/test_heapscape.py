# SPDX-License-Identifier: MIT
"""The module gives the command line's figures, and its columns are what their users expect."""
import ctypes
import json
import os
import pathlib
import subprocess
import threading
import time
import unittest

import heapscape

CLI = os.environ["HEAPSCAPE_CLI"]
DATA = os.environ["HEAPSCAPE_DATA"]
SAMPLE = os.environ["HEAPSCAPE_SAMPLE"]
NO_DUMP = __file__


def cli(*words):
    return json.loads(subprocess.run([CLI, words[0], SAMPLE, *words[1:], "--json", "--no-cache"], check=True,
                                     capture_output=True, text=True).stdout)


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dump = heapscape.open(SAMPLE, cache=False)

    def test_documents_are_those_of_the_command_line(self):
        self.assertEqual(self.dump.info, cli("info")["info"])
        self.assertEqual(self.dump.ask("retained", by_type=True, top=5)["retained"],
                         cli("retained", "--by-type", "--top=5")["retained"])
        self.assertEqual(self.dump.stacks(), cli("stacks")["threads"])
        self.assertEqual(self.dump.insights(), cli("insights")["insights"])

    def test_tables_have_all_rows_of_queries(self):
        query = 'type ~ "Order" and size > 40'
        table = self.dump.query(query, columns="value", sort="retained-")
        expected = cli("query", query, "--columns=value", "--sort=retained-", "--top=1000000")
        self.assertEqual(table.totals, expected["totals"])
        self.assertEqual(table.rows, table.rows_in_all)
        rows = [dict(row, address=int(row["address"], 16)) for row in expected["query"]]
        for ours, theirs in zip(table.to_dicts(), rows, strict=True):
            del theirs["value"], ours["value"]
            self.assertEqual(ours, theirs)

    def test_every_list_is_a_table(self):
        for name in heapscape.lists():
            if name == "objects":
                continue
            with self.subTest(name):
                expected = cli("query", f"--of={name}", "--top=1000000")
                table = self.dump.query(of=name)
                self.assertEqual(table.rows, len(expected["query"]))
                if expected["query"]:
                    self.assertEqual(table.columns, list(expected["query"][0]))
                for ours, theirs in zip(table.to_dicts(), expected["query"]):
                    for column, value in theirs.items():
                        if isinstance(value, int) and not isinstance(value, bool) and table[column].type != "str":
                            self.assertEqual(ours[column], value, column)

    def test_types_and_free_memory_are_the_heap(self):
        info = self.dump.info
        self.assertEqual(sum(memoryview(self.dump.types()["bytes"])) + info["freeBytes"], info["bytes"])

    def test_groups(self):
        table = self.dump.query('type = "Catalog.Order"', group_by='field("State")')
        self.assertEqual(sum(memoryview(table["objects"])), self.dump.query('type = "Catalog.Order"').rows)
        self.assertIn("Draft", table["State"].texts)

    def test_sets_are_retained_together(self):
        orders = list(memoryview(self.dump.query('type = "Catalog.Order"')["address"]))
        self.assertEqual(self.dump.retained(orders),
                         self.dump.query('type = "Catalog.Order"', limit=0).totals["retained"])
        table = self.dump.query('set = "picked"', sets={"picked": orders[:3]})
        self.assertEqual(list(memoryview(table["address"])), sorted(orders[:3]))

    def test_a_wrong_query_shows_its_place(self):
        with self.assertRaises(heapscape.QueryError) as raised:
            self.dump.query("sise > 3")
        self.assertIn("^~~~", str(raised.exception))
        self.assertIsInstance(raised.exception, ValueError)
        with self.assertRaises(heapscape.QueryError):
            self.dump.query(of="nothing")
        with self.assertRaises(heapscape.QueryError) as raised:
            self.dump.ask("nothing")
        self.assertEqual(str(raised.exception), "There is no verb 'nothing'.")
        with self.assertRaises(heapscape.QueryError) as raised:
            self.dump.ask("retained", by_typ=True)
        self.assertEqual(str(raised.exception), "The following arguments were not expected: --by-typ.")
        with self.assertRaises(heapscape.QueryError) as raised:
            self.dump.ask("query", "sise > 3")
        self.assertIn("\n  sise > 3\n  ^~~~", str(raised.exception))
        with self.assertRaises(heapscape.Error) as raised:
            self.dump.object(1)
        self.assertNotIn("heapscape-cli", str(raised.exception))

    def test_what_is_no_dump_says_so(self):
        with self.assertRaisesRegex(heapscape.Error, "ELF|dump"):
            heapscape.open(NO_DUMP).info

    def test_redacted_tables_hold_no_contents(self):
        dump = heapscape.open(SAMPLE, redact=True, cache=False)
        table = dump.query("", columns="value,length", limit=3)
        self.assertNotIn("value", table.columns)
        self.assertIn("length", table.columns)
        self.assertEqual(table.notes, ["There is no column value: it holds contents, which are left out."])
        order = next(dump.objects('type = "Catalog.Order"', limit=1))
        self.assertIsNone(order.Number)
        self.assertEqual(order.Customer.type, "Catalog.Customer")
        text = next(dump.objects('type = "System.String" and length > 5', limit=1))
        self.assertIsNone(text.details.get("string"))

    def test_several_threads_may_ask(self):
        rows = []
        ask = lambda: rows.append(self.dump.types().rows)
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(rows)), 1)


class Objects(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dump = heapscape.open(SAMPLE, cache=False)
        cls.order = next(cls.dump.objects('type = "Catalog.Order"', limit=1))

    def test_fields_are_attributes(self):
        self.assertEqual(self.order.type, "Catalog.Order")
        self.assertEqual(self.order.Number, 20240000000)
        self.assertEqual(self.order.State, "Draft")
        self.assertIs(self.order.Gift, True)
        self.assertIsNone(self.order.Shipped)
        self.assertEqual(self.order.Customer.type, "Catalog.Customer")
        self.assertIn("Customer", dir(self.order))
        with self.assertRaises(AttributeError):
            self.order.Nothing

    def test_figures_are_those_of_the_command_line(self):
        expected = cli("object", f"{self.order.address:#x}")["object"]
        self.assertEqual((self.order.size, self.order.bytes, self.order.retained, self.order.generation),
                         (expected["size"], expected["bytes"], expected["retainedBytes"], expected["generation"]))
        path = cli("path", f"{self.order.address:#x}")["paths"][0]
        self.assertEqual(self.order.held_by(), path["expression"])
        self.assertEqual([step.address for step in self.order.path()],
                         [int(step["object"], 16) for step in path["steps"]])

    def test_values_are_those_of_documents(self):
        kinds = set()
        for thing in self.dump.objects("", limit=2000):
            for document, values in (("fields", thing.fields), ("array", thing), ("collection", thing)):
                parts = thing.details.get(document) or []
                if isinstance(parts, dict):
                    parts = parts.get("elements") or parts.get("items") or []
                    values = dict(enumerate(thing))
                for place, part in enumerate(parts):
                    value = values[part["name"]] if document == "fields" else values[place]
                    if part.get("key"):
                        self.compare(part["key"], value[0])
                        value = value[1]
                    self.compare(part, value)
                    kinds.add(part["kind"])
        self.assertLessEqual({"null", "reference", "boolean", "integer", "struct", "known", "enum"}, kinds)

    def compare(self, document, value):
        nested = document.get("nested") or document.get("fields")
        if document["kind"] == "reference" and not isinstance(value, str):
            self.assertEqual(value.address, int(document["object"], 16))
        elif nested and isinstance(value, dict):
            for part in nested:
                self.compare(part, value[part["name"]])
        elif document["kind"] == "real":
            self.assertIsInstance(value, float)
            self.assertEqual(str(value), str(float(document["value"])))  # NaN is not equal to itself
        else:
            self.assertEqual(value, document["value"])

    def test_large_arrays_are_read_in_blocks(self):
        dump = heapscape.open(os.path.join(DATA, "shop-10.core.zst"), cache=False)
        array = next(dump.objects('type = "System.Byte[]" and length = 200001', limit=1))
        _ = len(array)
        start = time.monotonic()
        values = list(array)
        self.assertLess(time.monotonic() - start, 10)  # well under a second but for other work
        self.assertEqual(len(values), 200001)
        self.assertEqual(values[-5:], [array[place] for place in range(-5, 0)])

    def test_items_are_reached_by_their_place(self):
        lines = self.order.Lines
        items = list(lines)
        self.assertEqual(len(items), len(lines))
        self.assertEqual(items[-1], lines[-1])
        with self.assertRaises(IndexError):
            lines[len(lines)]
        with self.assertRaises(TypeError):
            len(self.order)


class Columns(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dump = heapscape.open(SAMPLE, cache=False)
        cls.table = cls.dump.query("", columns="pinned,length", limit=500)

    def test_numbers_are_buffers(self):
        sizes = memoryview(self.table["size"])
        self.assertEqual((sizes.format, sizes.itemsize, sizes.readonly, sizes.shape), ("Q", 8, True, (500,)))
        self.assertEqual(list(sizes), [self.table["size"][row] for row in range(500)])
        self.assertEqual(memoryview(self.table["pinned"]).format, "?")
        lengths = self.table["length"]
        self.assertGreater(lengths.missing, 0)
        self.assertEqual(sum(lengths[row] is None for row in range(500)), lengths.missing)

    def test_texts_are_places_among_texts(self):
        types = self.table["type"]
        texts = types.texts
        self.assertEqual([texts[place] for place in memoryview(types)], [types[row] for row in range(500)])
        self.assertEqual(len(texts), len(set(texts)))

    def test_arrow_takes_them_as_they_are(self):
        capsules = self.table.__arrow_c_array__()  # which own what is looked at
        schema = Schema.from_address(pointer_of(capsules[0], b"arrow_schema"))
        array = Array.from_address(pointer_of(capsules[1], b"arrow_array"))
        self.assertEqual(schema.format, b"+s")
        self.assertEqual(array.length, 500)
        names = [schema.children[i].contents.name.decode() for i in range(schema.n_children)]
        self.assertEqual(names, self.table.columns)
        size = names.index("size")
        self.assertEqual(schema.children[size].contents.format, b"L")
        values = (ctypes.c_uint64 * 500).from_address(array.children[size].contents.buffers[1])
        self.assertEqual(list(values), list(memoryview(self.table["size"])))
        # The very same memory.
        view = memoryview(self.table["size"])
        address = ctypes.addressof(values)
        self.assertEqual(address, address_of(view))
        kinds = schema.children[names.index("type")].contents
        self.assertEqual((kinds.format, kinds.dictionary.contents.format), (b"i", b"U"))

    def test_a_table_may_go_before_what_was_taken_from_it(self):
        table = self.dump.query("", limit=10)
        schema, array = table.__arrow_c_array__()
        column = memoryview(table["size"])
        expected = list(column)
        del table
        address = Array.from_address(pointer_of(array, b"arrow_array")).children[2].contents.buffers[1]
        self.assertEqual(list((ctypes.c_uint64 * 10).from_address(address)), expected)
        del schema, array
        self.assertEqual(list(column), expected)

    def test_tables_are_shown(self):
        self.assertIn(f"and {self.table.rows_in_all - 20:,} more", repr(self.table))
        self.assertTrue(repr(self.table).startswith("address"))
        self.assertIn("<th>size</th>", self.table._repr_html_())


class Schema(ctypes.Structure):
    pass


Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                   ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)),
                   ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class Array(ctypes.Structure):
    pass


Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                  ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
                  ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ctypes.POINTER(Array))),
                  ("dictionary", ctypes.POINTER(Array)), ("release", ctypes.c_void_p),
                  ("private_data", ctypes.c_void_p)]


def pointer_of(capsule, name):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, name)


def address_of(view):
    """Where a buffer lies."""
    class Buffer(ctypes.Structure):
        _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
                    ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                    ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                    ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p)]
    buffer = Buffer()
    get, release = ctypes.pythonapi.PyObject_GetBuffer, ctypes.pythonapi.PyBuffer_Release
    get.argtypes = [ctypes.py_object, ctypes.POINTER(Buffer), ctypes.c_int]
    release.argtypes = [ctypes.POINTER(Buffer)]
    get(view, ctypes.byref(buffer), 0)
    address = buffer.buf
    release(ctypes.byref(buffer))
    return address


if __name__ == "__main__":
    unittest.main()
