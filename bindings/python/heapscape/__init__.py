# SPDX-License-Identifier: MIT
"""Reads core dumps of .NET processes: objects, types, retained sizes, stacks, as tables and as objects.

    import heapscape
    dump = heapscape.open("shop.core")
    dump.query('type ~ "Order" and retained > 1MB', sort="retained-")

Needs neither .NET nor symbols. Figures are those of heapscape-cli: sizes in bytes, addresses as whole numbers in
tables and as texts ("0x7f12") in JSON documents. The language of queries is in the manual (``Queries``).
"""
from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ._engine import Column, Error, QueryError
from ._engine import Dump as _Dump
from ._engine import Rows as _Rows
from ._engine import subjects as _subjects

__all__ = ["Column", "Dump", "Error", "Object", "QueryError", "Table", "lists", "open"]

_SHOWN_ROWS = 20


def lists() -> list[str]:
    """The names of what :meth:`Dump.query` can be asked of: "objects", "types", "handles" and so on."""
    return _subjects()


def open(path: str | os.PathLike[str], *, search: Iterable[str | os.PathLike[str]] = (), exact: bool = False,
         redact: bool = False, cache: bool = True, memory: int | None = None) -> Dump:
    """Opens a core dump, plain or compressed, or a .gcdump file. It is read when the first question is asked.

    :param search: folders to look in for files that the dump lacks parts of, as its assemblies
    :param exact: without words of stacks that stand in for references that are not known
    :param redact: without what strings and fields hold, and names that the program gave threads
    :param cache: whether what took long is kept for the next time, in the user's cache
    :param memory: bytes that retained sizes may take; what is free if not given
    :raises Error: from the first question on, where the file is no such dump
    """
    return Dump(_Dump(os.fspath(path), search=[os.fspath(folder) for folder in search], exact=exact, redact=redact,
                      cache=cache, memory=memory))


class Table(Mapping[str, Column]):
    """Rows that a query found, column by column: ``table["bytes"]``.

    A column of numbers or flags is a buffer: ``memoryview(table["bytes"])`` and ``numpy.asarray(table["bytes"])`` copy
    nothing; a missing value is 0 there and ``None`` in ``table["bytes"][row]``. A column of texts is one of places
    (``int32``) in its ``texts``. The whole table goes to pandas, polars and DuckDB by Arrow's interface for Python, without
    copying either: ``pyarrow.table(table)``, ``polars.DataFrame(table)``.
    """

    def __init__(self, rows: _Rows) -> None:
        self._rows = rows
        self._columns = {name: rows.column(i) for i, name in enumerate(rows.names)}

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in their order."""
        return list(self._columns)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    @property
    def rows_in_all(self) -> int:
        """How many fit: more than there are rows where these were limited."""
        return self._rows.rows_in_all

    @property
    def totals(self) -> dict[str, int]:
        """Figures of all that fit, whatever the limit: of objects "objects", "bytes" and "retained" (in bytes)."""
        return self._rows.totals

    @property
    def notes(self) -> list[str]:
        """Why the answer may not be what was meant."""
        return self._rows.notes

    def row(self, number: int) -> dict[str, Any]:
        """One row by the names of its columns; missing values are ``None``."""
        return {name: column[number] for name, column in self._columns.items()}

    def to_dicts(self) -> list[dict[str, Any]]:
        """All rows."""
        return [self.row(number) for number in range(self.rows)]

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __arrow_c_schema__(self) -> object:
        return self._rows.arrow_schema()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._rows.arrow_schema(), self._rows.arrow_array()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows.arrow_stream()

    def _cell(self, name: str, row: int) -> str:
        value = self._columns[name][row]
        if value is None:
            return ""
        return f"{value:#x}" if self._columns[name].kind == "address" else str(value)

    def _remark(self) -> str:
        more = self.rows_in_all - min(self.rows, _SHOWN_ROWS)
        return f"… and {more:,} more" if more > 0 else ""

    def __repr__(self) -> str:
        shown = range(min(self.rows, _SHOWN_ROWS))
        texts = [[name, *(self._cell(name, row) for row in shown)] for name in self._columns]
        widths = [max(map(len, column)) for column in texts]
        lines = ["  ".join(column[i].rjust(width) if _is_figure(self[column[0]]) else column[i].ljust(width)
                           for column, width in zip(texts, widths)).rstrip() for i in range(len(shown) + 1)]
        return "\n".join(line for line in [*lines, self._remark()] if line)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(self._cell(name, row))}</td>" for name in self._columns) +
                       "</tr>" for row in range(min(self.rows, _SHOWN_ROWS)))
        return f"<table><tr>{head}</tr>{body}</table>{self._remark()}"


def _is_figure(column: Column) -> bool:
    return column.type not in ("str", "bool") and column.kind != "address"


class Object:
    """One object of the heap. Its fields are attributes, by their names in the source: ``order.Customer.Name``.

    Values are what they are in Python: numbers, ``True`` and ``False``, ``None`` for null, ``str`` for strings and for
    members of enums, other objects; value types are :class:`dict`. Items of arrays and collections are reached by ``[]``
    and in loops. A field whose name is taken here (as ``size``) is reached by ``order.fields["size"]``.
    """

    __slots__ = ("_details", "_dump", "_held", "address")

    address: int
    """Where it lies in the memory of the process."""

    def __init__(self, dump: Dump, address: int) -> None:
        self._dump = dump
        self._details: dict[str, Any] | None = None
        self._held: dict[str, Any] | None = None
        self.address = address

    @property
    def details(self) -> dict[str, Any]:
        """All that ``heapscape-cli object`` tells of it."""
        if self._details is None:
            self._details = self._dump.ask("object", f"{self.address:#x}")["object"]
            self.address = int(self._details["address"], 16)
        return self._details

    @property
    def type(self) -> str:
        """The name of its type."""
        return self.details["type"]

    @property
    def size(self) -> int:
        """Its exact size, in bytes."""
        return self.details["size"]

    @property
    def bytes(self) -> int:
        """What it takes up in the heap: its size, rounded up to a multiple of 8."""
        return self.details["bytes"]

    @property
    def generation(self) -> str:
        """gen0, gen1, gen2, large, pinned or frozen."""
        return self.details["generation"]

    @property
    def retained(self) -> int | None:
        """Bytes that would be freed with it, itself included; ``None`` where nothing holds it."""
        return self.details.get("retainedBytes")

    @property
    def reachable(self) -> bool:
        """Whether any root leads to it."""
        return self.details["reachable"]

    @property
    def dominator(self) -> Object | None:
        """The object that holds it alone: freed with it. ``None`` if only roots do."""
        address = int(self.details.get("dominator") or "0", 16)
        return Object(self._dump, address) if address else None

    @property
    def fields(self) -> dict[str, Any]:
        """Its fields with what they hold; those of bases come first."""
        if self._held is None:
            self._held = self._dump._engine.fields(self.address, partial(Object, self._dump))
        return self._held

    def path(self) -> list[Object]:
        """The shortest way from a root to it, the root's object first; empty where nothing holds it."""
        found = self._dump.ask("path", f"{self.address:#x}")["paths"]
        return [Object(self._dump, int(step["object"], 16)) for step in found[0]["steps"]] if found else []

    def held_by(self) -> str:
        """Why it is alive, as an expression that begins with a root: ``Shop.Cache.orders[42].Lines``."""
        found = self._dump.ask("path", f"{self.address:#x}")["paths"]
        return found[0]["expression"] if found else ""

    def _items_of(self) -> dict[str, Any] | None:
        return self.details.get("array") or self.details.get("collection")

    def _window(self, start: int, count: int) -> list[Any]:
        return self._dump._engine.items(self.address, start, count, partial(Object, self._dump))

    def __len__(self) -> int:
        items = self._items_of()
        if items is None:
            raise TypeError(f"{self.type} is no array or collection that is known")
        if "count" in items:
            return items["count"]
        length = 1
        for part in items["lengths"]:
            length *= part
        return length

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, place: int) -> Any:
        count = len(self)
        if not -count <= place < count:
            raise IndexError(place)
        return self._window(place % count, 1)[0]

    def __iter__(self) -> Iterator[Any]:
        count, page = len(self), 10_000
        for start in range(0, count, page):
            yield from self._window(start, min(page, count - start))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        fields = self.fields
        for spelled in (name, f"<{name}>k__BackingField", f"_{name}", f"m_{name}"):
            if spelled in fields:
                return fields[spelled]
        raise AttributeError(f"{self.type} has no field {name}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(_plain(name) for name in self.fields)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Object) and other._dump is self._dump and other.address == self.address

    def __hash__(self) -> int:
        return hash(self.address)

    def __str__(self) -> str:
        text = self.details.get("string")
        if isinstance(text, dict):
            text = text.get("value")
        return text if isinstance(text, str) else repr(self)

    def __repr__(self) -> str:
        return f"<{self.type} at {self.address:#x}>"


def _plain(name: str) -> str:
    return name[1:-len(">k__BackingField")] if name.endswith(">k__BackingField") else name


class Dump:
    """A core dump that stays open: each question takes as long as its own work. Get one by :func:`open`."""

    def __init__(self, engine: _Dump) -> None:
        self._engine = engine

    @property
    def file(self) -> str:
        """The path that it was opened with."""
        return self._engine.path

    def ask(self, verb: str, *arguments: str | int, others: Sequence[str | os.PathLike[str]] = (),
            **options: Any) -> dict[str, Any]:
        """Asks as the command line does: the JSON document of a verb of heapscape-cli.

        ``dump.ask("retained", by_type=True, top=5)`` is ``heapscape-cli retained DUMP --by-type --top=5 --json``.

        :param others: more dumps, for verbs that take several, such as ``compare``
        :param options: the verb's options; ``True`` for one without a value
        """
        words = [verb]
        for name, value in options.items():
            if value is None or value is False:
                continue
            option = "--" + name.replace("_", "-")
            words.append(option if value is True else f"{option}={value}")
        words += ["--", *(f"{argument:#x}" if isinstance(argument, int) else argument for argument in arguments)]
        return json.loads(self._engine.ask(words, [os.fspath(other) for other in others]))

    @property
    def info(self) -> dict[str, Any]:
        """The runtime, the dump and the sums of its heap."""
        return self.ask("info")["info"]

    def query(self, query: str = "", *, of: str = "objects", columns: str = "", sort: str = "", group_by: str = "",
              limit: int | None = None, sets: Mapping[str, Iterable[int | Object]] | None = None) -> Table:
        """Objects, or rows of a list, that fit a query; all of them without one.

        :param query: as in ``type ~ "Order" and size > 1KB``
        :param of: one of :func:`lists`
        :param columns: more fields, as in ``value,field("Customer.Name")``
        :param sort: a field, the largest first with a - behind it
        :param group_by: a field: rows are what it holds, with how many
        :param limit: at most so many rows; totals are about all that fit
        :param sets: objects by a name, which the query may ask for: ``set = "picked"``
        :raises QueryError: where the query is wrong; the message marks the place

        Of a redacted dump columns that hold contents are not there, and :attr:`Table.notes` say so.
        """
        given = {name: [each.address if isinstance(each, Object) else each for each in objects]
                 for name, objects in (sets or {}).items()}
        return Table(self._engine.query(of=of, query=query, columns=columns, sort=sort, group_by=group_by,
                                        limit=limit, sets=given))

    def types(self, query: str = "", **options: Any) -> Table:
        """The types of the heap with their objects, bytes and retained bytes.

        Free memory between objects is of no type: ``info["freeBytes"]`` of the ``info["bytes"]``.
        """
        return self.query(query, of="types", **options)

    def object(self, address: int | str) -> Object:
        """The object at an address, or around it."""
        found = Object(self, int(address, 16) if isinstance(address, str) else address)
        _ = found.details
        return found

    def objects(self, query: str = "", *, limit: int | None = None, sort: str = "") -> Iterator[Object]:
        """Objects that fit a query."""
        for address in memoryview(self.query(query, sort=sort, limit=limit)["address"]):
            yield Object(self, address)

    def retained(self, objects: Iterable[int | Object]) -> int:
        """Bytes that would be freed with these objects together."""
        return self.query('set = "these"', limit=0, sets={"these": objects}).totals["retained"]

    def stacks(self, **options: Any) -> list[dict[str, Any]]:
        """The managed threads with their frames and the references in these."""
        return self.ask("stacks", **options)["threads"]

    def insights(self, **options: Any) -> list[dict[str, Any]]:
        """What is wasted or leaked, with the bytes that can be won back, examples and advice."""
        return self.ask("insights", **options)["insights"]

    def crash(self) -> dict[str, Any]:
        """Why the process died."""
        return self.ask("crash")["crash"]

    def compare(self, after: str | os.PathLike[str], **options: Any) -> dict[str, Any]:
        """How a later dump of the same program differs."""
        return self.ask("compare", others=[after], **options)

    def __repr__(self) -> str:
        return f"heapscape.open({self.file!r})"
