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
  fetch("/finding", { method: "POST", body: JSON.stringify(found) });
});
