// Opens the part of the page to which a link leads, sorts tables, and copies them.
"use strict";
(() => {
  const make = (name, className, text) => {
    const made = document.createElement(name);
    made.type = "button";
    made.className = className;
    made.textContent = text;
    return made;
  };

  // links to plots and sections that are folded, and shared views of a plot

  const reveal = () => {
    let fragment;
    try {
      fragment = decodeURIComponent(location.hash.slice(1));
    } catch {
      return; // no link of a page
    }
    const id = fragment.startsWith("view") ? new URLSearchParams(fragment).get("view") : fragment;
    const target = document.getElementById(id);
    if (!target) {
      return;
    }
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    const choice = target.closest(".choice");
    if (choice) {
      const place = [...choice.querySelectorAll(":scope > .plot")].indexOf(target);
      const inputs = choice.querySelectorAll("input");
      if (inputs[place]) {
        inputs[place].checked = true;
      }
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  addEventListener("load", () => requestAnimationFrame(reveal));

  // tables

  // dates and versions begin with a number, and are none
  const NUMBER = /^[<>]? ?([-+]?[\d,]*\.?\d+)(?![\w.:-]) ?(\w*)/;
  const UNITS = { us: 1e-6, ms: 1e-3, min: 60, h: 3600, KB: 1e3, MB: 1e6, GB: 1e9 };
  const value = (row, column) => {
    const text = row.cells[column] ? row.cells[column].innerText.replace("\u2605", "").trim() : "";
    const [, number, unit] = NUMBER.exec(text) || [];
    return { text, number: number ? parseFloat(number.replaceAll(",", "")) * (UNITS[unit] || 1) : Infinity };
  };
  const compare = (one, other) =>
    one.number !== other.number
      ? one.number - other.number
      : one.text.localeCompare(other.text, undefined, { numeric: true });
  const sort = (table, column, head) => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const body of table.tBodies) {
      const rows = [...body.rows];
      const [first, rest] = rows[0] && rows[0].classList.contains("group") ? [rows.slice(0, 1), rows.slice(1)] : [[], rows];
      rest.sort((one, other) => (down ? -1 : 1) * compare(value(one, column), value(other, column)));
      body.append(...first, ...rest);
    }
    table.querySelectorAll("[aria-sort]").forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  };
  const copy = (table, button) => {
    const cells = (row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim()).join("\t");
    const text = document.createElement("textarea");
    text.value = [...table.rows].map(cells).join("\n");
    document.body.append(text);
    text.select();
    // files have no navigator.clipboard
    button.textContent = document.execCommand("copy") ? "copied" : "not copied";
    text.remove();
  };
  for (const table of document.querySelectorAll("table")) {
    const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
    if (table.rows.length < 3 || table.querySelector("[rowspan]")) {
      continue;
    }
    heads.forEach((head, column) => {
      if (head.tagName === "TH" && !head.querySelector("svg")) {
        const button = make("button", "sort", head.textContent);
        button.addEventListener("click", () => sort(table, column, head));
        head.replaceChildren(button);
      }
    });
    const button = make("button", "link copy", "copy table");
    button.addEventListener("click", () => copy(table, button));
    table.parentElement.append(button);
  }
})();
