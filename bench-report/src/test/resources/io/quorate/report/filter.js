// Uses the index of published runs as a reader does, and tells on the console what it shows.
(() => {
  const told = {};
  const shown = () => [...document.querySelectorAll("tr[data-row]")].filter((row) => row.offsetParent)
    .map((row) => row.querySelector("th").textContent);
  const chip = (value) => document.querySelector(`button[data-value="${value}"]`);
  const display = (selector) => getComputedStyle(document.querySelector(selector)).display;
  told.atFirst = shown();
  chip("etcd").click();
  told.both = shown().length;
  told.address = location.hash;
  chip("etcd").click();
  chip("ZooKeeper").click();
  told.none = location.hash;
  chip("absolute").click();
  told.absolute = display("td.compared .ratio");
  chip("absolute").click();
  chip("relative").click();
  told.relative = display("td.compared .value");
  console.log("TOLD " + JSON.stringify(told) + " END");
})();
