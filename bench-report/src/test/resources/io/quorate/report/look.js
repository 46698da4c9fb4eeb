// Looks at the page that it stands in, and tells what it found.
addEventListener("load", async () => {
  const root = document.documentElement;
  const found = {
    width: innerWidth,
    contentWidth: root.scrollWidth,
    title: document.title,
    scripts: document.scripts.length - 2,
    attacked: "attacked" in window,
    brokenImages: [...document.images].filter((image) => !image.naturalWidth).length,
    pictures: [...document.querySelectorAll(".plot .picture")].filter((picture) => picture.checkVisibility()).map((picture) => picture.getBoundingClientRect().width),
    charts: document.querySelectorAll(".chart .uplot").length,
    fills: [...document.querySelectorAll(".plot svg rect")].map((rect) => getComputedStyle(rect).fill),
    headings: [...document.querySelectorAll("h1, h2")].map((heading) => heading.textContent),
    font: getComputedStyle(document.body).fontFamily,
    background: getComputedStyle(document.body).backgroundColor,
    cellBorder: getComputedStyle(document.querySelector("td")).borderTopStyle,
    textHeight: document.body.getBoundingClientRect().height,
    ids: [...document.querySelectorAll("[id]")].map((element) => element.id),
    deadLinks: [...document.querySelectorAll("a[href^='#']")]
      .map((link) => link.getAttribute("href").slice(1))
      .filter((id) => !document.getElementById(id)),
  };
  const seen = (element) => element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let smallest = Infinity;
  let words = 0;
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    if (texts.currentNode.textContent.trim() && !["SCRIPT", "STYLE"].includes(parent.tagName) && seen(parent)) {
      const drawing = parent.closest("svg");
      const scale = drawing && drawing.viewBox.baseVal.width ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width : 1;
      smallest = Math.min(smallest, scale * parseFloat(getComputedStyle(parent).fontSize));
      words += drawing ? 0 : texts.currentNode.textContent.trim().split(/\s+/).length;
    }
  }
  found.smallestText = smallest;
  found.words = words;
  found.cutTables = [...document.querySelectorAll(".wide")]
    .filter((box) => seen(box) && box.querySelector("table") && box.scrollWidth > box.clientWidth + 1)
    .map((box) => innerWidth + " px: " + box.scrollWidth + " of " + box.clientWidth + ": " + box.innerText.slice(0, 60));
  found.emptyPlots = [...document.querySelectorAll(".plot")]
    .filter((plot) => seen(plot) && !plot.querySelector("path, rect, canvas"))
    .map((plot) => plot.id);
  try {
    const result = await axe.run({ resultTypes: ["violations"] });
    found.rules = result.passes.length;
    found.violations = result.violations
      .filter((violation) => ["serious", "critical"].includes(violation.impact))
      .map((violation) => violation.id + ": " + violation.nodes.map((node) => node.target.join(" ")).join(", "));
  } catch (failure) {
    found.violations = ["axe failed: " + failure];
  }
  // what a reader does with the page
  const settle = () => new Promise((done) => setTimeout(done, 60));
  const plots = [...document.querySelectorAll(".plot.enhanced")].filter(seen);
  const charts = plots.length ? JSON.parse(document.getElementById("charts").textContent).charts : [];
  const overSeconds = plots.filter((plot) => charts.some((each) => each.id === plot.id && each.group === "seconds"));
  if (overSeconds.length) {
    overSeconds[0].scrollIntoView({ block: "center" });
    await settle();
    const over = overSeconds[0].querySelector(".u-over");
    const box = over.getBoundingClientRect();
    const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true, movementX: 9 };
    over.dispatchEvent(new MouseEvent("mouseenter", at));
    over.dispatchEvent(new MouseEvent("mousemove", at));
    await settle();
  }
  const ids = (some) => some.map((plot) => plot.id);
  found.deaf = ids(overSeconds.filter((plot) => !plot.querySelector(".at").textContent));
  found.notLinked = ids(plots.filter((plot) => !plot.querySelector(`a[href="#${plot.id}"]`)));
  found.notOffered = ids(plots.filter((plot) => !["CSV", "PNG"].every((kind) => plot.querySelector(".caption").innerText.includes(kind))));
  if (plots.length) {
    const last = plots[plots.length - 1];
    location.hash = "#100%"; // no link, and no script error
    await settle();
    location.hash = last.id;
    await settle();
    await settle();
    const top = last.getBoundingClientRect().top;
    found.notReached = top >= 0 && top < innerHeight ? [] : [last.id + " at " + top];
  }
  const value = (cell) => cell.innerText.replace("\u2605", "").trim();
  const inOrder = (one, other) => {
    const [first, second] = [one, other].map((text) => /^([\d,]+(?:\.\d+)?)(?=$|[ %/]) ?(\S*)/.exec(text));
    const number = (found) => parseFloat(found[1].replaceAll(",", ""));
    return first && second
      ? first[2] !== second[2] || number(first) <= number(second)
      : !second && (first || one.localeCompare(other, undefined, { numeric: true }) <= 0);
  };
  const ordered = (body, column) =>
    [...body.rows].filter((row) => !row.classList.contains("group")).map((row) => value(row.cells[column]))
      .every((each, i, all) => i === 0 || inOrder(all[i - 1], each));
  found.tables = 0;
  found.notSorted = [...document.querySelectorAll("table")].filter((table) => {
    const button = table.querySelector("thead .sort");
    if (!button || !seen(table)) {
      return false;
    }
    found.tables++;
    button.click();
    return ![...table.tBodies].every((body) => ordered(body, button.closest("th").cellIndex));
  }).map((table) => table.innerText.slice(0, 80));
  // the texts of each column of the last table, sorted by it
  found.sorted = {};
  [...document.querySelectorAll("table")].slice(-1).forEach((table) =>
    table.querySelectorAll("thead .sort").forEach((button) => {
      button.click();
      if (button.closest("th").getAttribute("aria-sort") === "descending") {
        button.click();
      }
      const column = button.closest("th").cellIndex;
      found.sorted[button.textContent] = [...table.tBodies[0].rows]
        .filter((row) => row.cells[column])
        .map((row) => value(row.cells[column]));
    }));
  fetch("/finding", { method: "POST", body: JSON.stringify(found) });
});
