#!/usr/bin/env python3
"""Opens an HTML report in Chromium and uses it as a reader would.

Usage: browser.py FILE.html [--jobs N] [--shots DIR]

Speaks to chromedriver over the W3C protocol with nothing but the standard library. Prints what it measured;
its exit code is not 0 if something is wrong. With --shots it leaves pictures of all views, and a PDF.
"""

import argparse
import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1400,900",
]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Left": "\ue012", "Right": "\ue014", "End": "\ue010",
        "Shift": "\ue008", "Down": "\ue015"}
problems = []


def check(fine, what):
    """Notes what is wrong; goes on, so that one run tells everything."""
    if not fine:
        problems.append(what)
        print(f"  WRONG: {what}")


class Browser:
    """A session of chromedriver."""

    def __init__(self):
        for tool in ("chromedriver", "chromium"):
            if not shutil.which(tool):
                sys.exit(f"{tool} is not installed (Debian: chromium, chromium-driver)")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.folder = tempfile.mkdtemp(prefix="entail-browser-")
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        self.session = None
        for _ in range(200):
            try:
                if self.call("GET", "/status")["ready"]:
                    break
            except OSError:
                time.sleep(0.05)
        else:
            self.close()
            sys.exit("chromedriver does not answer")
        options = {"args": FLAGS + [f"--user-data-dir={self.folder}"], "binary": shutil.which("chromium")}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = made["sessionId"]
        self.base += f"/session/{self.session}"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        # No proxy stands between us and this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {json.load(error)['value']['message']}") from None

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def cdp(self, command, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def wait(self, condition, what, seconds=10):
        """Until the expression is true."""
        end = time.time() + seconds
        while time.time() < end:
            if self.run(f"return !!({condition})"):
                return True
            time.sleep(0.03)
        check(False, f"{what} (never: {condition})")
        return False

    def keys(self, *names, shift=False):
        """Types names of KEYS, or text."""
        actions = [{"type": "keyDown", "value": KEYS["Shift"]}] if shift else []
        for name in names:
            for key in [KEYS[name]] if name in KEYS else name:
                actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        actions += [{"type": "keyUp", "value": KEYS["Shift"]}] if shift else []
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def wheel(self, selector, delta):
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})
        origin = {ELEMENT: element[ELEMENT]}
        scroll = {"type": "scroll", "x": 0, "y": 0, "deltaX": 0, "deltaY": delta, "origin": origin}
        self.call("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [scroll]}]})

    def settle(self):
        """Two frames: everything that waits for the next one is drawn."""
        self.call("POST", "/execute/async", {
            "script": "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))", "args": []})

    def open(self, url):
        self.call("POST", "/url", {"url": "about:blank"})
        self.call("POST", "/url", {"url": url})
        self.wait("document.documentElement.dataset.ready", "the page is ready", 30)

    def media(self, kind="", scheme="light"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.cdp("Emulation.setEmulatedMedia", media=kind, features=features)
        self.settle()

    def shot(self, folder, name, whole=False):
        if not folder:
            return
        self.settle()
        more = {}
        if whole:
            width, height = self.run("return [innerWidth, document.documentElement.scrollHeight]")
            more = {"clip": {"x": 0, "y": 0, "width": width, "height": min(height, 6000), "scale": 1}, "captureBeyondViewport": True}
        data = self.cdp("Page.captureScreenshot", format="png", **more)["data"]
        with open(os.path.join(folder, f"{name}.png"), "wb") as file:
            file.write(base64.b64decode(data))

    def errors(self):
        logs = self.call("POST", "/se/log", {"type": "browser"})
        return [line["message"] for line in logs if line["level"] in ("SEVERE", "WARNING")]


def list_view(browser, jobs, shots):
    """The overview and the table."""
    shown = "Number(document.querySelector('.shown').dataset.count)"
    check(browser.run(f"return {shown}") == jobs, f"{jobs} jobs are shown")
    rows = browser.run("return document.querySelectorAll('table.jobs tbody tr[data-row]').length")
    check(0 < rows <= 250, f"the table makes only the rows that are seen, not {rows}")
    shot = lambda name, **more: browser.shot(shots, name, **more)
    shot("list", whole=jobs <= 100)
    check(browser.run("""
        const first = document.querySelector('table.jobs tbody tr[data-row] .c-status').textContent;
        return first !== 'pass' || !document.querySelector('.attention')"""), "what is not as expected comes first")

    # Scrolling to the end shows the last row.
    browser.run("scrollTo(0, document.documentElement.scrollHeight)")
    browser.settle()
    last = browser.run("return Math.max(...[...document.querySelectorAll('tr[data-row]')].map((row) => Number(row.dataset.row)))")
    check(last == jobs - 1, f"the end of the table is drawn ({last})")
    shot("end")
    browser.run("scrollTo(0, 0)")
    browser.settle()

    # Search, by keyboard.
    name = browser.run("return document.querySelector('tr[data-row=\"1\"] .c-name').textContent")
    browser.keys("/")
    browser.wait("document.activeElement.type === 'search'", "/ goes to the search")
    browser.keys(name)
    browser.wait(f"{shown} >= 1 && {shown} < {jobs}", "the search leaves some jobs")
    check(browser.run("return [...document.querySelectorAll('tr[data-row] .c-name')].some((cell) => cell.textContent === arguments[0])", name), "the job is found")
    browser.keys(" no-such-word-at-all")
    browser.wait(f"{shown} === 0 && document.querySelector('.empty').checkVisibility()", "nothing is found, and it says so")
    browser.keys("Escape")
    browser.run("document.querySelector('.clear').click()")
    check(browser.run(f"return {shown}") == jobs, "clearing shows all jobs again")

    # Filters: each status; kinds, designs and cached add up to all jobs.
    total = 0
    for status in browser.run("return [...document.querySelectorAll('.chip')].map((chip) => chip.dataset.status)"):
        browser.run("document.querySelector(`.chip[data-status=${arguments[0]}]`).click()", status)
        total += browser.run(f"return {shown}")
        check(browser.run("return [...document.querySelectorAll('tr[data-row] .c-status')].every((cell) => cell.textContent === arguments[0])", status), f"only {status} is shown")
        browser.run("document.querySelector(`.chip[data-status=${arguments[0]}]`).click()", status)
    check(total == jobs, f"the statuses add up: {total}")
    for key in ("kind", "design", "ran"):
        total = browser.run(f"""
            const select = document.querySelector('[data-filter={key}]');
            let total = 0;
            for (const option of [...select.options].slice(1).concat(select.options[0])) {{
              select.value = option.value;
              select.dispatchEvent(new Event('change'));
              if (option.value) total += {shown};
            }}
            return total""")
        check(total == jobs, f"the filter {key} adds up: {total}")

    # Sorting.
    order = browser.run("""
        const head = document.querySelector('th.c-time');
        head.querySelector('button').click();
        const rows = [...document.querySelectorAll('tr[data-row] .c-time')].slice(0, 5).map((cell) => cell.textContent);
        const said = head.getAttribute('aria-sort');
        document.querySelector('th.c-status button').click();
        return [said, rows]""")
    check(order[0] == "ascending", f"the order is announced: {order}")
    shot("sorted")

    # A job by keyboard alone, and back.
    browser.run("document.activeElement.blur(); scrollTo(0, 0)")
    browser.keys("j")
    browser.wait("document.activeElement.closest('tr[data-row=\"0\"]')", "j goes to the first job")
    browser.keys("j")
    browser.keys("k")
    wanted = browser.run("return document.activeElement.textContent")
    shot("focus")
    browser.keys("Enter")
    browser.wait("!document.querySelector('#job').hidden", "Enter opens the job")
    check(browser.run("return document.querySelector('#job h1').textContent") == wanted, "it is the job that was chosen")
    check(browser.run("return document.activeElement.tagName") == "H1", "the heading has the focus")
    browser.keys("j")
    browser.wait(f"document.querySelector('#job h1').textContent !== {json.dumps(wanted)}", "j goes to the next job")
    browser.keys("Escape")
    browser.wait("document.querySelector('#job').hidden", "Esc goes back")
    check(browser.run("return document.activeElement.closest('tr[data-row=\"1\"]') !== null"), "the focus is where it was")


def help_view(browser, shots):
    browser.keys("?")
    browser.wait("document.querySelector('dialog').open", "? shows the keys")
    browser.shot(shots, "help")
    browser.keys("Escape")
    browser.wait("!document.querySelector('dialog').open", "Esc closes them")


def wave_view(browser, shots):
    """Zooms and pans the first waveform in sight, by keys, buttons and wheel."""
    if not browser.run("return !!document.querySelector('main:not([hidden]) .wave')"):
        return False
    wave = "document.querySelector('main:not([hidden]) .wave')"
    browser.run(f"{wave}.scrollIntoView({{block: 'center'}}); {wave}.focus()")
    browser.wait(f"{wave}.dataset.to", "the waveform is drawn")
    span = lambda: browser.run(f"const seen = {wave}.dataset; return [Number(seen.from), Number(seen.to)]")

    def changes(act, how, what):
        before = span()
        act()
        browser.settle()
        after = span()
        check(how(before, after), f"{what}: {before} -> {after}")

    narrower = lambda a, b: b[1] - b[0] < (a[1] - a[0]) * 0.99
    wider = lambda a, b: b[1] - b[0] > (a[1] - a[0]) * 1.01
    changes(lambda: browser.keys("+", "+"), narrower, "+ zooms in")
    changes(lambda: browser.keys("Left"), lambda a, b: b[0] < a[0], "the left arrow pans")
    changes(lambda: browser.keys("Right"), lambda a, b: b[0] > a[0], "the right arrow pans")
    changes(lambda: browser.keys("-"), wider, "- zooms out")
    changes(lambda: browser.run(f"{wave}.querySelector('.w-in').click()"), narrower, "the button zooms in")
    browser.run(f"{wave}.focus()")
    changes(lambda: browser.wheel("main:not([hidden]) .w-plot", -200), narrower, "the wheel zooms")
    changes(lambda: browser.keys("0"), wider, "0 shows all of it")
    status = browser.run(f"return {wave}.querySelector('.w-status').textContent")
    browser.keys("Left", shift=True)
    check(browser.run(f"return {wave}.querySelector('.w-status').textContent") != status, "Shift and an arrow move the cursor")
    check(browser.run(f"return [...{wave}.querySelectorAll('.w-at')].every((cell) => cell.textContent)"), "every signal has a value at the cursor")
    names = f"{wave}.querySelectorAll('.w-row').length"
    few = browser.run(f"return {names}")
    if browser.run(f"const box = {wave}.querySelector('input'); box?.click(); return !!box"):
        browser.settle()
        check(browser.run(f"return {names}") > few, "the other signals can be shown")
        browser.shot(shots, "wave-all")
        browser.run(f"{wave}.querySelector('input').click()")
    browser.keys("End")
    browser.shot(shots, "wave")
    return True


def detail_view(browser, jobs, shots):
    """Details of jobs: waveforms, findings, pictures, proofs, names that are markup."""
    hashes = [""] if jobs == 1 else browser.run("return [...document.querySelectorAll('.attention a[href^=\"#job/\"]')].map((link) => link.hash)")[:8]
    waves = 0
    for place in hashes:
        if place:
            browser.run("location.hash = arguments[0]", place)
            browser.wait("!document.querySelector('#job').hidden", f"{place} opens")
        if waves == 0 and wave_view(browser, shots):
            waves += 1
            browser.run("scrollTo(0, 0)")
            browser.shot(shots, "job", whole=True)
            if browser.run("const code = document.querySelector('main:not([hidden]) .code'); code?.scrollIntoView({block: 'center'}); return !!code"):
                check(browser.run("return document.querySelectorAll('main:not([hidden]) mark.here').length > 0"), "the place of a finding is marked")
                browser.shot(shots, "finding")
            proof_keys(browser)
        check(browser.run("return [...document.images].every((image) => image.src.startsWith('data:image/svg+xml'))"), "pictures are data")
    # A waveform is not in every run; where a failure is said to have one, it was used.
    expects = browser.run("""
        const { jobs } = JSON.parse(document.getElementById('data').textContent);
        return jobs.filter((job) => job.status !== 'pass').slice(0, 8)
          .some((job) => job.record?.items?.some((item) => item.wave && item.verdict === 'fails'))""")
    check(waves or not expects, "a waveform was found")
    check(browser.run("return document.images.length === [...document.images].filter((image) => image.complete && image.naturalWidth).length"), "pictures are drawn")
    if jobs > 1:
        browser.run("location.hash = '#jobs'")
        browser.wait("document.querySelector('#job').hidden", "back to the jobs")


def proof_keys(browser):
    if not browser.run("const first = document.querySelector('main:not([hidden]) .proof summary'); first?.focus(); return !!first"):
        return
    steps = "[...document.querySelectorAll('main:not([hidden]) .proof summary, main:not([hidden]) .p-leaf')].filter((one) => one.checkVisibility()).length"
    before = browser.run(f"return {steps}")
    browser.keys("Left")
    check(browser.run(f"return {steps}") == 1 < before, "the left arrow closes the proof")
    browser.keys("Right")
    check(browser.run(f"return {steps}") == before, "the right arrow opens it")
    browser.keys("Right")
    check(browser.run("return document.activeElement !== document.querySelector('.proof summary')"), "and goes into it")
    browser.run("[...document.querySelectorAll('main:not([hidden]) .buttons button')][0].click()")
    check(browser.run(f"return {steps}") >= before, "all of it can be opened")


def links(browser):
    """Every link within the page leads somewhere."""
    list_of = "return [...new Set([...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href')))]"
    seen, todo = set(), browser.run(list_of)
    while todo and len(seen) < 150:
        place = todo.pop(0)
        if place in seen:
            continue
        seen.add(place)
        check(place.startswith("#"), f"the link {place} stays within the file")
        if place.startswith("#job/"):
            browser.run("location.hash = arguments[0]", place)
            browser.wait("location.hash === " + json.dumps(place) + " && !document.querySelector('#job').hidden", f"{place} opens")
            check(browser.run("return !!document.querySelector('#job .job-head')"), f"{place} is a job")
            if len(seen) < 20:
                todo += browser.run(list_of)
        elif place != "#":
            check(browser.run("return !!document.getElementById(arguments[0])", place[1:]), f"{place} is on the page")
    browser.run("location.hash = ''")
    browser.settle()
    return len(seen)


def colours(browser, shots):
    """Light, dark, and the reader's own choice."""
    paper = lambda: browser.run("return getComputedStyle(document.body).backgroundColor")
    light = lambda text: sum(int(n) for n in re.findall(r"\d+", text)[:3]) > 600
    browser.media(scheme="dark")
    check(not light(paper()), f"dark is dark: {paper()}")
    browser.shot(shots, "dark")
    if wave_in_sight(browser):
        browser.shot(shots, "dark-wave")
        browser.run("location.hash = ''")
    browser.run("document.querySelector('#theme').click()")
    check(light(paper()), "the button chooses light")
    browser.run("document.querySelector('#theme').click()")
    browser.media(scheme="light")
    check(not light(paper()), "the button chooses dark")
    browser.run("document.querySelector('#theme').click()")
    check(light(paper()), "light is light")


def wave_in_sight(browser):
    """Goes to a job with a waveform."""
    browser.run("const link = document.querySelector('.attention a'); if (link) location.hash = link.hash")
    browser.settle()
    found = browser.run("const wave = document.querySelector('main:not([hidden]) .wave'); wave?.scrollIntoView({block: 'center'}); return !!wave")
    browser.settle()
    return found


def paper(browser, jobs, shots):
    """Print media: what can be unfolded on the screen is open on paper."""
    browser.media("print")
    found = browser.run("""
        const { jobs } = JSON.parse(document.getElementById('data').textContent);
        const open = jobs.length === 1 ? jobs : jobs.filter((job) => job.status !== 'pass');
        const text = document.querySelector('#paper').textContent;
        const missing = [];
        for (const job of open) {
          if (!text.includes(job.name)) missing.push(job.name);
          for (const item of job.record?.items ?? []) if (!text.includes(item.name)) missing.push(item.name);
          if (job.message && !text.includes(job.message.replaceAll('`', ''))) missing.push(job.message);
        }
        const waves = open.flatMap((job) => job.record?.items ?? []).filter((item) => item.wave && !['holds', 'holds-unchecked', 'covered'].includes(item.verdict)).length;
        return {
          jobs: document.querySelectorAll('#paper > .job').length, open: open.length, missing: missing.slice(0, 5),
          waves, drawn: document.querySelectorAll('#paper .wave.paper').length,
          shut: document.querySelectorAll('#paper details:not([open])').length,
          buttons: [...document.querySelectorAll('button')].filter((one) => one.checkVisibility() && !one.closest('th')).length,
          rows: document.querySelectorAll('tr[data-row]').length,
          wide: document.documentElement.scrollWidth > innerWidth,
        }""")
    check(found["jobs"] == found["open"], f"every job not as expected is on paper: {found}")
    check(not found["missing"], f"nothing is lost on paper: {found['missing']}")
    check(found["waves"] == found["drawn"], f"every waveform is on paper: {found}")
    check(found["shut"] == 0, "everything is open on paper")
    check(found["buttons"] == 0, "there are no buttons on paper")
    check(jobs == 1 or found["rows"] == jobs, f"the whole table is on paper: {found['rows']}")
    if shots:
        start = time.time()
        sheet = browser.cdp("Page.printToPDF", printBackground=True, preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)
        with open(os.path.join(shots, "paper.pdf"), "wb") as file:
            file.write(base64.b64decode(sheet["data"]))
        print(f"  printed in {time.time() - start:.1f} s")
    browser.media()
    check(browser.run("return document.querySelector('#paper').childElementCount") == 0, "the screen is as before")


def narrow(browser, shots):
    for width in (900, 390):
        browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=False)
        browser.settle()
        check(browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"nothing sticks out at {width} pixels")
        browser.shot(shots, f"narrow-{width}")
        if wave_in_sight(browser):
            check(browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"nor in a job at {width}")
            browser.shot(shots, f"narrow-{width}-wave")
        browser.run("location.hash = ''")
        browser.settle()
    browser.cdp("Emulation.clearDeviceMetricsOverride")
    browser.settle()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--jobs", type=int, help="number of jobs that the report has")
    parser.add_argument("--shots", help="folder for pictures")
    args = parser.parse_args()
    url = "file://" + urllib.request.pathname2url(os.path.abspath(args.file))
    if args.shots:
        os.makedirs(args.shots, exist_ok=True)
    # Whoever ends this script ends the browser with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    browser = Browser()
    try:
        browser.media()
        loads = []
        for _ in range(3):
            browser.open(url)
            loads.append(browser.run("return performance.getEntriesByName('ready')[0].startTime"))
        jobs = browser.run("return JSON.parse(document.getElementById('data').textContent).jobs.length")
        check(args.jobs is None or jobs == args.jobs, f"the file has {jobs} jobs")
        print(f"  ready after {', '.join(f'{load:.0f}' for load in loads)} ms; {os.path.getsize(args.file) / 1e6:.2f} MB; {jobs} jobs")
        check(min(loads) < 2000, f"it opens within two seconds: {loads}")
        if jobs == 1:
            check(browser.run("return !!document.querySelector('#home .job-head')"), "the job is shown at once")
            browser.shot(args.shots, "list", whole=True)
        elif jobs:
            list_view(browser, jobs, args.shots)
        help_view(browser, args.shots)
        if jobs:
            detail_view(browser, jobs, args.shots)
        print(f"  {links(browser)} links followed")
        colours(browser, args.shots)
        browser.open(url)
        paper(browser, jobs, args.shots)
        narrow(browser, args.shots)
        title = browser.run("return document.title")
        check("broken" not in title, "a name or a picture ran a script")
        check(browser.run("return document.querySelectorAll('img:not([src^=\"data:\"])').length") == 0, "a name became an element")
        for message in browser.errors():
            check(False, f"the console says: {message}")
    finally:
        browser.close()
    print("  fine" if not problems else f"  {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
