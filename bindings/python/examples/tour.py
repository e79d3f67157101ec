# SPDX-License-Identifier: MIT
"""A tour of a dump, as one would take it in a notebook: python3 tour.py [DUMP]"""
import pathlib
import sys

import heapscape

sample = pathlib.Path(__file__).resolve().parents[3] / "resources/sample/sample.core.zst"
dump = heapscape.open(sys.argv[1] if len(sys.argv) > 1 else sample)

# What kind of process it was.
info = dump.info
print(f"{info['runtime']['version']}, {info['objects']:,} objects, {info['bytes']:,} bytes")

# The types that hold most. Columns are buffers: sums need no loop over rows, and pandas or polars take the whole table
# (pandas.DataFrame.from_arrow(types), polars.DataFrame(types)).
types = dump.types(sort="retained-")
print(types)
print(f"{sum(memoryview(types['bytes'])):,} bytes in all types, {info['freeBytes']:,} between them are free")

# Large objects and why they are alive.
large = dump.query("bytes > 10KB", sort="retained-", limit=5)
for address in memoryview(large["address"]):
    thing = dump.object(address)
    print(f"{thing.retained or 0:>12,}  {thing.type}  {thing.held_by()}")

# Objects by their fields.
if dump.query('type = "Catalog.Order"', limit=0).totals["objects"]:
    order = next(dump.objects('type = "Catalog.Order"', limit=1))
    print(order, order.Number, order.State, [line for line in order.Lines][:2])
    print("held by", order.held_by())
    print(dump.query('type = "Catalog.Order"', group_by='field("State")'))

# What can be won back, and who waits for whom.
for insight in dump.insights()[:5]:
    print(f"{insight['bytes']:>12,}  {insight['title']}")
for thread in dump.stacks():
    print(thread["managedId"], thread.get("doing", ""))
