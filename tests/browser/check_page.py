# SPDX-License-Identifier: MIT
"""Opens a report's HTML page in a real browser: it asks nobody for anything, its tables sort and filter, and nothing
but its own script may run. Usage: check_page.py HEAPSCAPE_CLI DUMP. Skips with 77 where there is no Chromium."""
import json
import os
import subprocess
import sys
import tempfile

import devtools

ROWS = """(() => {
  const table = document.querySelector('table[aria-label="Largest types by their own bytes"]');
  return Array.from(table.tBodies[0].rows).map(row => [row.cells[0].textContent, Number(row.cells[2].dataset.n)]);
})()"""


def heading(number, action):
    return f"""(() => {{
      const table = document.querySelector('table[aria-label="Largest types by their own bytes"]');
      const heading = table.tHead.rows[0].cells[{number}];
      {action};
      return heading.getAttribute('aria-sort');
    }})()"""


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")
    print("ok:", what)


def check_sorting(browser):
    click = "heading.querySelector('button').click()"
    before = browser.evaluate(ROWS)
    check(len(before) >= 40, "the table of types is there")
    check(browser.evaluate(heading(2, click)) == "descending", "figures are sorted largest first")
    rows = browser.evaluate(ROWS)
    check([row[1] for row in rows] == sorted((row[1] for row in before), reverse=True), "by number, not by their text")
    check(browser.evaluate(heading(2, click)) == "ascending", "and the other way round at the next click")
    check([row[1] for row in browser.evaluate(ROWS)] == sorted(row[1] for row in before), "smallest first")
    check(browser.evaluate(heading(0, "heading.querySelector('button').focus()")) == "none", "names are not sorted yet")
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    check(browser.evaluate(heading(0, "")) == "ascending", "the keyboard sorts, too")
    check(browser.evaluate(heading(2, "")) == "none", "one heading at a time says that it sorts")
    check(sorted(map(tuple, browser.evaluate(ROWS))) == sorted(map(tuple, before)), "no row is lost")


def check_filter(browser):
    shown = browser.evaluate("""(() => {
      const table = document.querySelector('table[aria-label="Largest types by their own bytes"]');
      const tools = table.parentElement.previousElementSibling;
      const input = tools.querySelector('input');
      input.value = 'system.string';
      input.dispatchEvent(new Event('input'));
      const rows = Array.from(table.tBodies[0].rows);
      return [rows.filter(row => !row.hidden).length, rows.length, tools.querySelector('output').value];
    })()""")
    check(0 < shown[0] < shown[1], "the filter leaves some rows")
    check(shown[2] == f"{shown[0]} of {shown[1]} rows", "and says how many")


def check_isolation(browser):
    # The page may do nothing of this, even if something got into it.
    blocked = browser.evaluate("""new Promise(resolve => {
      const kinds = [];
      document.addEventListener('securitypolicyviolation', event => kinds.push(event.effectiveDirective));
      fetch('http://127.0.0.1:9/').catch(() => {});
      const image = new Image();
      image.src = 'http://127.0.0.1:9/a.png';
      const script = document.createElement('script');
      script.textContent = 'window.planted = true';
      document.body.append(script);
      setTimeout(() => resolve([kinds.sort(), window.planted === true]), 300);
    })""")
    check(blocked[0] == ["connect-src", "img-src", "script-src-elem"], f"requests and foreign scripts are blocked: {blocked[0]}")
    check(not blocked[1], "a planted script does not run")


def main():
    program = devtools.find_browser()
    if not program:
        print("no Chromium is installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "report.html")
        subprocess.run([sys.argv[1], "report", sys.argv[2], "-o", page], check=True)
        browser = devtools.Browser(program)
        try:
            for domain in ("Page", "Network", "Log", "Runtime"):
                browser.call(f"{domain}.enable")
            browser.call("Page.navigate", url=f"file://{page}")
            browser.wait_for("Page.loadEventFired")
            check(browser.evaluate("document.readyState") == "complete", "the page loads")
            asked = [event["params"]["request"]["url"] for event in browser.events
                     if event["method"] == "Network.requestWillBeSent"]
            check(asked == [f"file://{page}"], f"it asks for nothing but itself: {asked}")
            complaints = [event["params"] for event in browser.events
                          if event["method"] in ("Log.entryAdded", "Runtime.exceptionThrown")]
            check(not complaints, f"the browser has nothing to complain of: {json.dumps(complaints)[:500]}")
            check_sorting(browser)
            check_filter(browser)
            check_isolation(browser)
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
