// Uses a page as a reader does, and tells on the console what it shows.
(async () => {
  const violations = [];
  addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
  const settle = () => new Promise((done) => setTimeout(done, 60));
  await new Promise((done) => setTimeout(done, 500));
  const told = { charts: document.querySelectorAll(".chart .uplot").length };
  const linked = document.getElementById("CPU").getBoundingClientRect();
  told.scrolledTo = Math.round(linked.top);
  told.unfolded = document.getElementById("all-plots").open;
  const one = document.querySelector("#CPU .chart");
  document.getElementById("all-plots").open = true;
  await settle();
  const other = document.querySelector("#MAX-CPU .chart");
  const keys = (chart) => [...chart.querySelectorAll("button.key")];
  const values = (chart) => keys(chart).map((key) => key.querySelector("b").textContent.trim());
  const zoomed = (chart) => !chart.querySelector(".reset").hidden;
  const over = one.querySelector(".u-over");
  const send = (type, part, target) => {
    const box = over.getBoundingClientRect();
    const at = { clientX: box.left + part * box.width, clientY: box.top + box.height / 2, bubbles: true, movementX: 9 };
    (target || over).dispatchEvent(new MouseEvent(type, at));
  };
  const touch = (type, part) => {
    const box = over.getBoundingClientRect();
    over.dispatchEvent(new PointerEvent(type, {
      clientX: box.left + part * box.width, clientY: box.top + 20, pointerType: "touch", isPrimary: true, bubbles: true,
    }));
  };
  const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  told.pressedAtFirst = keys(one).map((key) => key.getAttribute("aria-pressed"));
  told.zoomedAtFirst = zoomed(one);
  one.scrollIntoView({ block: "center" });
  await settle();
  send("mouseenter", 0.5);
  send("mousemove", 0.5);
  await settle();
  told.hovered = values(one);
  told.at = one.querySelector(".at").textContent;
  told.hoveredOther = other.querySelector(".at").textContent;
  told.deaf = [...document.querySelectorAll(".chart")].filter(
    (chart) =>
      JSON.parse(document.getElementById("charts").textContent).charts.find((each) => each.id === chart.closest(".plot").id).group === "seconds" &&
      !chart.querySelector(".at").textContent,
  ).length;
  keys(one)[0].click();
  await settle();
  told.hidden = keys(one)[0].getAttribute("aria-pressed");
  told.hiddenOther = keys(other)[0].getAttribute("aria-pressed");
  told.addressHidden = location.hash;
  keys(one)[0].click();
  send("mousedown", 0.25);
  send("mousemove", 0.4);
  send("mousemove", 0.6);
  send("mouseup", 0.6, document);
  await settle();
  told.zoomed = zoomed(one) && zoomed(other);
  told.addressZoomed = location.hash;
  press(document.body, "Escape");
  await settle();
  told.afterEscape = zoomed(one) || zoomed(other);
  press(one.querySelector(".uplot"), "+");
  await settle();
  told.afterPlus = zoomed(one);
  press(one.querySelector(".uplot"), "Home");
  await settle();
  told.spoken = one.parentElement.querySelector("[aria-live]").textContent;
  send("dblclick", 0.5);
  await settle();
  told.afterDoubleClick = zoomed(one);
  touch("pointerdown", 0.2);
  touch("pointermove", 0.7);
  touch("pointerup", 0.7);
  await settle();
  told.afterSwipe = zoomed(one);
  told.touchAction = getComputedStyle(over).touchAction;
  told.downloads = [];
  const blobs = new Map();
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const address = create.call(URL, blob);
    blobs.set(address, blob);
    return address;
  };
  HTMLAnchorElement.prototype.click = function () {
    told.downloads.push(this.download + " " + blobs.get(this.href).type);
  };
  document.querySelectorAll("#LATENCY-DISTRIBUTION-MS button.link").forEach((button) => button.click());
  for (let i = 0; i < 100 && told.downloads.length < 2; i++) {
    await settle(); // a PNG is encoded in the background
  }
  document.querySelectorAll("#overview .sort")[0].click();
  told.sorted = [...document.querySelectorAll("#overview tbody tr td:nth-child(2)")].map((cell) => cell.textContent.match(/[\d,]+/)[0]);
  const copy = document.querySelector("#overview .copy");
  document.execCommand = () => {
    told.clipboard = getSelection().toString() || document.activeElement.value;
    return true;
  };
  copy.click();
  told.copied = copy.textContent;
  told.violations = violations;
  told.evil = "attacked" in window;
  console.log("TOLD " + JSON.stringify(told) + " END");
})();
