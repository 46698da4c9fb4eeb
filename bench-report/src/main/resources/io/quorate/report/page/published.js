"use strict";
// Filters the rows of the index; the address of the page keeps the chosen chips.
(() => {
  const chips = [...document.querySelectorAll("#filters button")];
  const rows = [...document.querySelectorAll("tr[data-row]")];
  const table = document.getElementById("runs");
  const count = document.getElementById("count");

  const chosen = () => {
    const filters = new Map();
    chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").forEach((chip) => {
      const values = filters.get(chip.dataset.filter) || [];
      filters.set(chip.dataset.filter, [...values, chip.dataset.value]);
    });
    return filters;
  };

  const show = () => {
    const filters = chosen();
    let shown = 0;
    rows.forEach((row) => {
      row.hidden = ![...filters].every(
        ([filter, values]) => filter === "values" || !row.dataset[filter] || values.includes(row.dataset[filter]));
      shown += row.hidden ? 0 : 1;
    });
    document.querySelectorAll("#runs tbody").forEach((body) => {
      body.hidden = ![...body.querySelectorAll("tr[data-row]")].some((row) => !row.hidden);
    });
    const only = filters.get("values") || [];
    table.classList.toggle("absolute", only.includes("absolute") && only.length === 1);
    table.classList.toggle("relative", only.includes("relative") && only.length === 1);
    count.textContent = shown === rows.length ? "" : `${shown} of ${rows.length} rows`;
  };

  const save = () => {
    const view = new URLSearchParams();
    chosen().forEach((values, filter) => values.forEach((value) => view.append(filter, value)));
    const text = view.toString();
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  };

  const load = () => {
    const view = new URLSearchParams(location.hash.slice(1));
    chips.forEach((chip) => chip.setAttribute(
      "aria-pressed", String(view.getAll(chip.dataset.filter).includes(chip.dataset.value))));
    show();
  };

  chips.forEach((chip) => chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    save();
    show();
  }));
  addEventListener("hashchange", load);
  document.getElementById("filters").hidden = false;
  load();
})();
