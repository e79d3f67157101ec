// SPDX-License-Identifier: MIT
// Tables are whole without this; it lets their headings sort and adds a filter.
"use strict";
(() => {
  const text = (row, column) => row.cells[column].textContent;
  const number = (row, column) => {
    const exact = row.cells[column].dataset.n;
    return exact === undefined ? null : BigInt(exact);
  };
  const order = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function compare(column, isFigure) {
    if (!isFigure) return (left, right) => collator.compare(text(left, column), text(right, column));
    return (left, right) => {
      const a = number(left, column), b = number(right, column);
      if (a === null || b === null) return order(a !== null, b !== null);
      return order(a, b);
    };
  }

  function sortBy(table, heading) {
    const isFigure = heading.classList.contains("figure");
    const before = heading.getAttribute("aria-sort");
    const descends = before === "none" || !before ? isFigure : before === "ascending";
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", descends ? "descending" : "ascending");
    const by = compare(heading.cellIndex, isFigure);
    const rows = Array.from(table.tBodies[0].rows);
    rows.sort((left, right) => (descends ? by(right, left) : by(left, right)));
    table.tBodies[0].append(...rows);
  }

  function addFilter(table) {
    const rows = Array.from(table.tBodies[0].rows);
    if (rows.length < 16) return;
    const tools = document.createElement("div");
    const input = document.createElement("input");
    const count = document.createElement("output");
    tools.className = "tools";
    input.type = "search";
    input.placeholder = "Filter rows";
    input.setAttribute("aria-label", "Filter rows of " + table.getAttribute("aria-label"));
    const words = rows.map((row) => row.textContent.toLowerCase());
    const show = () => {
      const wanted = input.value.trim().toLowerCase();
      let shown = 0;
      rows.forEach((row, i) => {
        row.hidden = !words[i].includes(wanted);
        if (!row.hidden) ++shown;
      });
      const all = rows.length.toLocaleString("en") + " rows";
      count.value = shown === rows.length ? all : shown.toLocaleString("en") + " of " + all;
    };
    input.addEventListener("input", show);
    show();
    tools.append(input, count);
    table.parentElement.before(tools);
  }

  for (const table of document.querySelectorAll("table")) {
    for (const heading of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sortBy(table, heading));
      heading.setAttribute("aria-sort", "none");
      heading.append(button);
    }
    addFilter(table);
  }
})();
