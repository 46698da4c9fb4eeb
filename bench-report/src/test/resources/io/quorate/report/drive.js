// Uses a page as a reader does, and tells on the console what it shows.
(async () => {
  const violations = [];
  addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
  const settle = () => new Promise((done) => setTimeout(done, 60));
  const charts = [...document.querySelectorAll("#plots .chart")].filter((chart) =>
    chart.querySelector(".chart-title").textContent.startsWith("Server CPU"),
  );
  const [one, other] = charts;
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
  const told = { charts: document.querySelectorAll(".chart .uplot").length };
  told.pressedAtFirst = keys(one).map((key) => key.getAttribute("aria-pressed"));
  told.zoomedAtFirst = zoomed(one);
  one.scrollIntoView({ block: "center" });
  await settle();
  send("mouseenter", 0.5);
  send("mousemove", 0.5);
  await settle();
  told.hovered = values(one);
  told.at = one.querySelector(".at b").textContent;
  told.hoveredOther = other.querySelector(".at b").textContent;
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
  told.violations = violations;
  told.evil = "attacked" in window;
  console.log("TOLD " + JSON.stringify(told) + " END");
})();
