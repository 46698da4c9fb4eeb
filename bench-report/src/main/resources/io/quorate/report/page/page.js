// Draws the plots of lines anew, with values under the pointer, lines to hide and parts of the axis to enlarge.
// The pictures stay in the page, for print. What is hidden and enlarged is in the fragment of the address,
// with the plot that the reader looked at last.
"use strict";
(() => {
  const source = document.getElementById("charts");
  if (!source || typeof uPlot === "undefined") {
    return;
  }
  const { places, steps, events, labels, charts } = JSON.parse(source.textContent);
  const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
  const LANE = 13;
  const ROW = 6;
  const DISTRIBUTION = { linear: 1, log: 3, percentile: 1, labels: 1 };
  const PERCENTILES = [50, 90, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999];
  const SUFFIX = { seconds: " s", percentile: "%", clients: " clients", "requests/s": " requests/s", cumulative: " keys" };
  const VIRIDIS = ["#fde725", "#a0da39", "#4ac16d", "#1fa187", "#277f8e", "#365c8d", "#46327e", "#440154"];
  const GUTTER = 104;
  const SERVICE = "service time";
  const groups = new Map();
  let last = null;
  let looked = "1";

  // colors

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const rgb = (color) => {
    const hex = color.length === 4 ? color.replace(/[0-9a-f]/gi, "$&$&") : color;
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  };
  const luminance = (parts) => {
    const [r, g, b] = parts.map((part) => {
      const value = part / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let dark = false;
  let seen = new Map();
  // Returns the color, on a dark page light enough to be seen.
  const visible = (color) => {
    if (!dark) {
      return color;
    }
    if (!seen.has(color)) {
      const back = luminance(rgb(css("--back")));
      let parts = rgb(color);
      for (let i = 0; i < 20 && (luminance(parts) + 0.05) / (back + 0.05) < 4; i++) {
        parts = parts.map((part) => Math.round(part + (255 - part) * 0.1));
      }
      seen.set(color, "rgb(" + parts.join(",") + ")");
    }
    return seen.get(color);
  };
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const takeScheme = () => {
    dark = luminance(rgb(css("--back"))) < 0.5;
    seen = new Map();
  };
  takeScheme();

  // numbers

  const number = (value) => {
    if (value === null || value === undefined) {
      return "–";
    }
    const size = Math.abs(value);
    const digits = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 2 - Math.floor(Math.log10(size));
    return value.toLocaleString("en-US", { maximumFractionDigits: Math.min(digits, 12) });
  };
  const mark = (value) => {
    const size = Math.abs(value);
    return size >= 1e9
      ? value / 1e9 + " G"
      : size >= 1e6
        ? value / 1e6 + " M"
        : value.toLocaleString("en-US", { maximumFractionDigits: 9 });
  };
  // The marks of a logarithmic axis: whole decades, and as many digits between them as there is room for.
  const decades = (least, greatest, most) => {
    for (const digits of [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1, 3], [1]]) {
      const marks = [];
      for (let decade = Math.floor(Math.log10(least)); decade <= Math.log10(greatest); decade++) {
        marks.push(...digits.map((digit) => Number((digit * 10 ** decade).toPrecision(3))));
      }
      const shown = marks.filter((each) => each >= least && each <= greatest);
      if (shown.length <= most || digits.length === 1) {
        return shown;
      }
    }
    return [];
  };
  const percentile = (position) => Number((100 * (1 - 10 ** -position)).toPrecision(8));
  const position = (percent) => (percent === 0 ? 0 : -Math.log10(1 - percent / 100));
  const closest = (all, x) => all.reduce((best, each) => (Math.abs(each.at - x) < Math.abs(best.at - x) ? each : best));
  // As many labels as fit, from the first one on.
  const fitting = (all, least, greatest, most) => {
    let free = least;
    return all.filter((each) => {
      const fits = each.at >= free && each.at <= greatest;
      free = fits ? each.at + (greatest - least) / most : free;
      return fits;
    });
  };
  const place = (chart, x) => {
    if (chart.across.scale === "labels") {
      return closest(labels[chart.labels], x).detail;
    }
    const text = chart.across.scale === "percentile" ? percentile(x).toFixed(Math.max(0, Math.min(6, Math.ceil(x)))) : number(x);
    return text + (SUFFIX[chart.across.label.split(" ")[0]] || "");
  };

  // the state of a group of charts

  const group = (name) => {
    if (!groups.has(name)) {
      groups.set(name, { name, range: null, hidden: new Set(), members: [] });
    }
    return groups.get(name);
  };
  const readAddress = () => {
    const fragment = location.hash.slice(1);
    const asked = new URLSearchParams(fragment.startsWith("view") ? fragment : "");
    for (const one of groups.values()) {
      const range = (asked.get("x." + one.name) || "").split("_").map(Number);
      one.range = range.length === 2 && range.every(Number.isFinite) && range[0] < range[1] ? range : null;
      // service times are hidden at first
      const hidden = charts
        .filter((chart) => chart.group === one.name)
        .flatMap((chart) => chart.lines.map((line) => line.entry))
        .filter((entry) => entry.endsWith(SERVICE));
      one.hidden = new Set(fragment.startsWith("view") ? asked.getAll("hide." + one.name) : hidden);
    }
  };
  const writeAddress = () => {
    const state = new URLSearchParams({ view: looked });
    let any = false;
    for (const one of groups.values()) {
      if (one.range) {
        state.append("x." + one.name, one.range.join("_"));
        any = true;
      }
      for (const entry of one.hidden) {
        state.append("hide." + one.name, entry);
        any = true;
      }
    }
    if (any || location.hash.startsWith("#view")) {
      history.replaceState(null, "", any ? "#" + state : location.pathname + location.search);
    }
  };
  const apply = (one) => one.members.forEach((member) => member.apply());
  const zoom = (one, range) => {
    one.range = range && range[1] > range[0] ? range.map((end) => Number(end.toPrecision(6))) : null;
    apply(one);
    writeAddress();
  };
  const toggle = (one, entry) => {
    if (!one.hidden.delete(entry)) {
      one.hidden.add(entry);
    }
    apply(one);
    writeAddress();
  };

  // elements

  const element = (name, className, text) => {
    const made = document.createElement(name);
    made.className = className;
    if (text !== undefined) {
      made.textContent = text;
    }
    return made;
  };

  const save = (blob, name) => {
    const link = element("a", "");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  // Paints what a line of uPlot cannot: bands and bars below the lines, marks, steps and events above them.

  const inside = (u, paint) => {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    paint(ctx);
    ctx.restore();
  };
  const paintBands = (u, chart, lines) =>
    inside(u, (ctx) => {
      const px = devicePixelRatio;
      for (const kind of events[chart.events]) {
        ctx.globalAlpha = 0.22;
        ctx.fillStyle = visible(kind.color);
        for (const [from, to] of kind.shaded) {
          const left = u.valToPos(from, "x", true);
          ctx.fillRect(left, u.bbox.top, Math.max(1.5 * px, u.valToPos(to, "x", true) - left), u.bbox.height);
        }
        ctx.globalAlpha = 1;
      }
      for (const line of lines) {
        if (!line.low.length || !line.isShown()) {
          continue;
        }
        const x = (i) => u.valToPos(line.places[i], "x", true);
        const y = (value) => u.valToPos(value, "y", true);
        ctx.strokeStyle = ctx.fillStyle = visible(line.color);
        if (line.marked) {
          ctx.globalAlpha = 0.6;
          ctx.lineWidth = 1.2 * px;
          line.y.forEach((value, i) => {
            if (value !== null && line.high[i] > line.low[i]) {
              ctx.beginPath();
              for (const end of [line.low[i], line.high[i]]) {
                ctx.moveTo(x(i) - 5 * px, y(end));
                ctx.lineTo(x(i) + 5 * px, y(end));
              }
              ctx.moveTo(x(i), y(line.low[i]));
              ctx.lineTo(x(i), y(line.high[i]));
              ctx.stroke();
            }
          });
        } else {
          ctx.globalAlpha = 0.52 / Math.max(3, lines.length);
          for (let from = 0; from < line.y.length; ) {
            let to = from;
            while (to < line.y.length && line.y[to] !== null) {
              to++;
            }
            ctx.beginPath();
            for (let i = from; i < to; i++) {
              ctx.lineTo(x(i), y(line.high[i]));
            }
            for (let i = to - 1; i >= from; i--) {
              ctx.lineTo(x(i), y(line.low[i]));
            }
            ctx.fill();
            from = to + 1;
          }
        }
        ctx.globalAlpha = 1;
      }
    });
  // Few are light and many dark, on a dark page the other way round.
  const paintCells = (u, heat) =>
    inside(u, (ctx) => {
      const px = devicePixelRatio;
      const colors = dark ? [...VIRIDIS].reverse() : VIRIDIS;
      const y = (row) => u.valToPos(10 ** ((heat.first + row * heat.step) / 10 - 6), "y", true);
      for (const [from, to, ...cells] of heat.columns) {
        const left = u.valToPos(from, "x", true);
        const width = Math.max(px, u.valToPos(to, "x", true) - left + 0.5);
        for (let i = 0; i < cells.length; i += 2) {
          const level = Math.floor((VIRIDIS.length * Math.log(cells[i + 1])) / Math.log(heat.most + 1) + 1e-9);
          ctx.fillStyle = colors[Math.min(VIRIDIS.length - 1, level)];
          ctx.fillRect(left, y(cells[i] + 1), width, y(cells[i]) - y(cells[i] + 1) + 0.5);
        }
      }
    });
  const paintMarks = (u, chart, lines) =>
    inside(u, (ctx) => {
      const px = devicePixelRatio;
      // a value without neighbors is no line
      for (const line of lines.filter((each) => !each.marked && each.isShown())) {
        ctx.fillStyle = visible(line.color);
        line.y.forEach((value, i) => {
          if (value !== null && (line.y[i - 1] ?? null) === null && (line.y[i + 1] ?? null) === null) {
            ctx.beginPath();
            ctx.arc(u.valToPos(line.places[i], "x", true), u.valToPos(value, "y", true), 2 * px, 0, 2 * Math.PI);
            ctx.fill();
          }
        });
      }
      for (const line of lines.filter((each) => each.marked && each.isShown())) {
        const radius = ((3 * line.width) / 1.5) * px;
        line.y.forEach((value, i) => {
          if (value !== null) {
            const hollow = line.hollow.includes(i);
            ctx.beginPath();
            ctx.arc(u.valToPos(line.places[i], "x", true), u.valToPos(value, "y", true), radius, 0, 2 * Math.PI);
            ctx.fillStyle = hollow ? css("--back") : visible(line.color);
            ctx.strokeStyle = visible(line.color);
            ctx.lineWidth = 1.5 * px;
            ctx.fill();
            ctx.stroke();
          }
        });
      }
      for (const kind of events[chart.events]) {
        ctx.fillStyle = visible(kind.color);
        for (const [row, from, to] of kind.spans) {
          const left = u.valToPos(from, "x", true);
          const bottom = u.bbox.top + u.bbox.height - ROW * px * (kind.rows - row);
          ctx.fillRect(left, bottom, Math.max(1.5 * px, u.valToPos(to, "x", true) - left), (ROW - 1) * px);
        }
      }
    });
  const paintSteps = (u, chart) => {
    const { ctx, bbox } = u;
    const px = devicePixelRatio;
    const lanes = steps[chart.steps];
    ctx.save();
    ctx.font = 10 * px + "px system-ui, sans-serif";
    ctx.textBaseline = "alphabetic";
    lanes.forEach((lane, i) => {
      const top = bbox.top - LANE * px * (lanes.length - i);
      let free = bbox.left;
      for (const [second, load] of lane.starts) {
        const x = u.valToPos(second, "x", true);
        if (x < bbox.left - px || x > bbox.left + bbox.width) {
          continue;
        }
        ctx.strokeStyle = visible(lane.color);
        ctx.lineWidth = 0.8 * px;
        ctx.globalAlpha = 0.35;
        ctx.beginPath();
        ctx.moveTo(x, top + LANE * px);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        ctx.globalAlpha = 1;
        ctx.lineWidth = 2 * px;
        ctx.beginPath();
        ctx.moveTo(x, top + 2 * px);
        ctx.lineTo(x, top + (LANE - 1) * px);
        ctx.stroke();
        const text = String(load);
        const width = ctx.measureText(text).width;
        if (x >= free && x + 3 * px + width <= bbox.left + bbox.width + 6 * px) {
          ctx.fillStyle = css("--text");
          ctx.textAlign = "left";
          ctx.fillText(text, x + 3 * px, top + (LANE - 3) * px);
          free = x + width + 6 * px;
        }
      }
    });
    if (lanes.length) {
      ctx.fillStyle = css("--soft");
      ctx.textAlign = "right";
      ctx.fillText(
        (lanes.find((lane) => lane.unit !== "clients") || lanes[0]).unit,
        bbox.left - 6 * px,
        bbox.top - LANE * px * (lanes.length - 1) - 3 * px,
      );
    }
    ctx.restore();
  };

  // a chart

  const build = (chart) => {
    const plot = document.getElementById(chart.id);
    const picture = plot && plot.querySelector(".picture");
    const svg = picture && picture.querySelector("svg");
    if (!svg) {
      return;
    }
    const own = group(chart.group);
    const lines = chart.lines.map((line) => ({
      ...line,
      places: places[line.x],
      isShown: () => !own.hidden.has(line.entry),
    }));
    // A missing value interrupts its line up to the next values of the same line, whatever the places of other lines.
    const EXPANDED = 2;
    const heat = chart.heat;
    const table = heat
      ? [heat.columns.map(([from, to]) => (from + to) / 2), heat.columns.map(() => null)]
      : uPlot.join(
          lines.map((line) => [line.places, line.y]),
          lines.map(() => [0, EXPANDED]),
        );
    const shape = svg.viewBox.baseVal;
    const host = element("div", "chart");
    const look = () => {
      last = own;
      looked = chart.id;
    };
    const head = element("div", "chart-head");
    const at = element("span", "at");
    const reset = element("button", "reset", "Reset zoom");
    reset.type = "button";
    reset.hidden = true;
    reset.addEventListener("click", () => {
      zoom(own, null);
      host.querySelector(".uplot").focus({ preventScroll: true });
    });
    head.append(element("p", "chart-title", chart.title), at, reset);
    const legend = element("div", "keys");
    const ends = element("div", "ends");
    ends.setAttribute("role", "group");
    ends.setAttribute("aria-label", "Lines to hide or show: " + chart.title);
    const entries = new Map();
    for (const line of lines) {
      const entry = line.entry.endsWith(SERVICE) ? SERVICE : line.entry;
      if (!entries.has(entry)) {
        entries.set(entry, []);
      }
      entries.get(entry).push(line);
    }
    const keys = [...entries].map(([entry, parts]) => {
      const main = parts.find((line) => line.name === "") || parts[0];
      const key = element("button", "key");
      key.type = "button";
      const swatch = element("i", "swatch");
      const value = element("b", "value", "\u00a0");
      const name = element("span", "name");
      name.append(swatch, element("span", "", entry));
      key.append(name, value);
      key.addEventListener("click", () => {
        look();
        new Set(parts.map((line) => line.entry)).forEach((each) => toggle(own, each));
      });
      ends.append(key);
      return { key, entry, parts, main, swatch, value };
    });
    for (const kind of events[chart.events]) {
      const key = element("span", "key event");
      const swatch = element("i", "square");
      const name = element("span", "name");
      name.append(swatch, element("span", "", kind.label));
      key.append(name);
      legend.append(key);
      keys.push({ key, parts: [], main: kind, swatch });
    }
    if (heat) {
      legend.append(element("span", "", "1"), element("i", "scale"), element("span", "", number(heat.most) + " requests"));
    }
    const spoken = element("p", "unseen");
    spoken.setAttribute("aria-live", "polite");
    host.append(head, legend, ends);
    picture.append(host, spoken);
    // Names stand at the ends of lines where there is room for them.
    const isDirect = () => entries.size <= 5 && host.clientWidth >= 440 && chart.across.scale !== "labels" && !heat;
    const placeNames = (u) => {
      const direct = isDirect();
      host.classList.toggle("direct", direct);
      if (!direct) {
        return;
      }
      const top = u.over.offsetTop + u.root.offsetTop;
      const last = (line) => {
        for (let i = line.y.length - 1; i >= 0; i--) {
          if (line.y[i] !== null && line.places[i] <= u.scales.x.max) {
            return u.valToPos(line.y[i], "y");
          }
        }
        return Infinity;
      };
      const named = keys.filter((key) => key.parts.length);
      const placed = named
        .map((key) => ({ key, at: key.main.isShown() ? last(key.main) : Infinity, height: key.key.offsetHeight }))
        .sort((one, other) => one.at - other.at);
      let free = -6;
      placed.forEach((each) => {
        each.top = Math.max(free, Math.min(each.at, u.over.clientHeight) - 9);
        free = each.top + each.height;
      });
      let end = u.over.clientHeight + 24;
      placed.reverse().forEach((each) => {
        each.top = Math.min(each.top, end - each.height);
        end = each.top;
        each.key.key.style.top = top + each.top + "px";
      });
    };
    plot.classList.add("enhanced");

    const full = { x: chart.across.range, y: chart.up.range };
    const log = chart.up.scale === "log";
    const range = (u, least, greatest) => {
      if ((!own.range && !own.hidden.size) || least === null || least === undefined || !(greatest >= least)) {
        return full.y;
      }
      return log ? [least / 1.25, greatest * 1.25] : [Math.min(0, least), greatest > 0 ? greatest * 1.04 : 1];
    };
    const size = () => {
      const width = Math.max(240, host.clientWidth);
      return { width, height: Math.max(230, Math.round((width * Math.min(shape.height, 470)) / shape.width) - 50) };
    };
    const axis = (scale, label) => ({
      scale,
      label,
      font: FONT,
      labelFont: FONT,
      labelSize: 18,
      stroke: () => css("--text"),
      grid: { show: scale === "y", stroke: () => css("--line"), width: 1 },
      ticks: { stroke: () => css("--soft"), width: 1, size: 4 },
    });
    // The nearest point of a series at or next to an index.
    const nearest = (values, index) => {
      for (let far = 0; far < values.length; far++) {
        for (const i of [index - far, index + far]) {
          if (values[i] !== null && values[i] !== undefined) {
            return i;
          }
        }
      }
      return null;
    };
    const limit = (u) =>
      chart.across.scale === "labels"
        ? (full.x[1] - full.x[0]) / 380
        : chart.across.label.startsWith("seconds")
          ? Math.max(1, (u.scales.x.max - u.scales.x.min) / 40)
          : Infinity;
    const found = (u, line, index) => {
      const i = nearest(u.data[lines.indexOf(line) + 1], index);
      return i !== null && Math.abs(u.data[0][i] - u.data[0][index]) <= limit(u) ? i : null;
    };
    const texts = (u, index, spoken) =>
      keys
        .filter((key) => key.parts.length && key.entry !== SERVICE)
        .map((key) => {
          const parts = [key.main, ...key.parts.filter((line) => line !== key.main)];
          const text = parts
            .map((line) => {
              const i = found(u, line, index);
              if (i === null) {
                return line === key.main ? "–" : "";
              }
              const own = line.places.indexOf(u.data[0][i]);
              const spread =
                line.low.length && line.high[own] > line.low[own]
                  ? " (" + number(line.low[own]) + " to " + number(line.high[own]) + ")"
                  : "";
              const what = line.name ? line.name + " " : "";
              return what + number(line.y[own]) + (line.name || !spoken ? "" : " " + chart.up.unit) + spread;
            })
            .filter((part) => part)
            .join(", ");
          return [key, text.trim()];
        });
    const show = (u) => {
      const index = u.cursor.idx;
      const off = index === null || index === undefined || u.cursor.left < 0;
      const sum = (cells) => cells.reduce((all, each, i) => (i % 2 ? all + each : all), 0);
      at.textContent = off
        ? ""
        : "at " + place(chart, u.data[0][index]) + (heat ? ": " + number(sum(heat.columns[index].slice(2))) + " requests" : "");
      if (off) {
        keys.filter((key) => key.value).forEach((key) => (key.value.textContent = "\u00a0"));
      } else {
        texts(u, index).forEach(([key, text]) => (key.value.textContent = key.parts[0].isShown() ? text : "hidden"));
      }
    };
    const u = new uPlot(
      {
        ...size(),
        padding: [8 + LANE * steps[chart.steps].length, () => (isDirect() ? GUTTER : chart.across.scale === "labels" ? 28 : 14), 0, 0],
        legend: { show: false },
        scales: {
          x: { time: false, distr: DISTRIBUTION[chart.across.scale], range: () => own.range || full.x },
          y: { distr: DISTRIBUTION[chart.up.scale], range },
        },
        axes: [
          {
            ...axis("x", chart.across.label),
            size: 28,
            ...(chart.across.scale === "percentile"
              ? {
                  splits: (self, i, least, greatest) =>
                    PERCENTILES.map(position).filter((each) => each >= least && each <= greatest),
                  values: (self, splits) => splits.map(percentile),
                }
              : chart.across.scale === "labels"
                ? {
                    splits: (self, i, least, greatest) =>
                      fitting(labels[chart.labels], least, greatest, self.width / 84).map((each) => each.at),
                    values: (self, splits) => splits.map((each) => closest(labels[chart.labels], each).text),
                  }
                : {
                  values: (self, splits) => splits.map((each) => (each === null ? "" : mark(each))),
                  ...(chart.across.scale === "log"
                    ? { filter: (self, splits) => splits, splits: (self, i, least, greatest) => decades(least, greatest, self.width / 64) }
                    : {}),
                }),
          },
          {
            ...axis("y", chart.up.label.length > 30 ? chart.up.unit : chart.up.label),
            ...(log
              ? { filter: (self, splits) => splits, splits: (self, i, least, greatest) => decades(least, greatest, self.height / 40) }
              : {}),
            values: (self, splits) => splits.map((each) => (each === null ? "" : mark(each))),
            size: (self, values) => 16 + 6.6 * Math.max(2, ...(values || []).map((value) => value.length)),
          },
        ],
        series: [
          {},
          ...lines.map((line) => ({
            label: line.name ? line.entry + " " + line.name : line.entry,
            stroke: () => visible(line.color),
            width: line.width,
            dash: line.dash,
            show: line.isShown(),
            points: { show: false },
          })),
          ...(heat ? [{ points: { show: false } }] : []),
        ],
        cursor: {
          y: false,
          drag: { x: true, y: false, setScale: false, dist: 4 },
          sync: {
            key: chart.group,
            scales: ["x", null],
            setSeries: false,
            filters: { pub: (type) => type === "mousemove" || type === "mouseleave" || type === "mouseenter" },
          },
          points: { size: 7 },
          dataIdx: (self, series, index) => (series === 0 || heat ? index : found(self, lines[series - 1], index)),
          bind: {
            dblclick: () => () => {
              zoom(own, null);
              return null;
            },
          },
        },
        hooks: {
          drawAxes: [(self) => (heat ? paintCells(self, heat) : paintBands(self, chart, lines))],
          draw: [
            (self) => {
              paintMarks(self, chart, lines);
              paintSteps(self, chart);
              placeNames(self);
            },
          ],
          setCursor: [show],
          setSelect: [
            (self) => {
              const { left, width } = self.select;
              if (width >= 4) {
                self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
                look();
                zoom(own, [self.posToVal(left, "x"), self.posToVal(left + width, "x")]);
              }
            },
          ],
        },
      },
      table,
      host,
    );
    const member = {
      apply: () => {
        reset.hidden = !own.range;
        keys
          .filter((key) => key.parts.length)
          .forEach((key) => {
            key.key.setAttribute("aria-pressed", String(key.parts[0].isShown()));
          });
        u.batch(() => {
          lines.forEach((line, i) => {
            if (u.series[i + 1].show !== line.isShown()) {
              u.setSeries(i + 1, { show: line.isShown() });
            }
          });
          const [min, max] = own.range || full.x;
          u.setScale("x", { min, max });
        });
        show(u);
      },
      recolor: () => {
        keys.forEach((key) => {
          const color = visible(key.main.color);
          if (key.parts.length) {
            key.swatch.style.borderTop =
              Math.max(2, key.main.width) + "px " + (key.main.dash.length ? "dashed " : "solid ") + color;
          } else {
            key.swatch.style.background = color;
          }
        });
        u.redraw(false);
      },
    };
    own.members.push(member);
    new ResizeObserver(() => {
      const now = size();
      if (now.width !== u.width) {
        u.setSize(now);
      }
    }).observe(host);

    // The keyboard reads, enlarges and resets, too.
    const root = u.root;
    root.tabIndex = 0;
    root.setAttribute("role", "img");
    root.setAttribute("aria-labelledby", svg.getAttribute("aria-labelledby") || "");
    root.setAttribute("aria-label", chart.title);
    root.setAttribute("aria-describedby", "chart-help");
    root.addEventListener("keydown", (event) => {
      const [least, greatest] = [u.scales.x.min, u.scales.x.max];
      const shown = u.data[0].map((x, i) => i).filter((i) => u.data[0][i] >= least && u.data[0][i] <= greatest);
      const now = shown.indexOf(u.cursor.idx);
      const go = (to) => {
        const index = shown[Math.max(0, Math.min(shown.length - 1, to))];
        if (index === undefined) {
          return;
        }
        u.setCursor({ left: u.valToPos(u.data[0][index], "x"), top: 10 });
        spoken.textContent =
          place(chart, u.data[0][index]) +
          ": " +
          texts(u, index, true)
            .filter(([key]) => key.parts[0].isShown())
            .map(([key, text]) => key.entry + " " + text)
            .join("; ");
      };
      const scale = (factor) => {
        const log10 = chart.across.scale === "log";
        const [from, to] = log10 ? [Math.log10(least), Math.log10(greatest)] : [least, greatest];
        const x = now < 0 ? (from + to) / 2 : log10 ? Math.log10(u.data[0][shown[now]]) : u.data[0][shown[now]];
        const ends = [x - (x - from) * factor, x + (to - x) * factor].map((end) => (log10 ? 10 ** end : end));
        const whole = full.x;
        zoom(own, ends[0] <= whole[0] && ends[1] >= whole[1] ? null : [Math.max(ends[0], whole[0]), Math.min(ends[1], whole[1])]);
      };
      const actions = {
        ArrowLeft: () => go(now < 0 ? shown.length - 1 : now - 1),
        ArrowRight: () => go(now + 1),
        Home: () => go(0),
        End: () => go(shown.length - 1),
        "+": () => scale(0.5),
        "-": () => scale(2),
      };
      if (actions[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        look();
        actions[event.key]();
      }
    });
    host.addEventListener("pointerenter", look);
    host.addEventListener("focusin", look);

    // files, of which a published run has only some
    const caption = plot.querySelector(".caption");
    const offer = (name, content) => {
      if (caption && ![...caption.querySelectorAll("a")].some((link) => link.textContent === name)) {
        const button = element("button", "link", name);
        button.type = "button";
        button.addEventListener("click", () => content((blob) => save(blob, chart.id + "." + name.toLowerCase())));
        caption.append(" ", button);
      }
    };
    offer("CSV", (done) => {
      const head = heat ? [chart.across.label, "to", "row", "requests"] : [chart.across.label, ...lines.map((line) => (line.entry + " " + line.name).trim())];
      const cell = (value) => (value === undefined || value === null ? "" : /[",\n]/.test(value) ? '"' + String(value).replaceAll('"', '""') + '"' : value);
      const rows = heat
        ? heat.columns.flatMap(([from, to, ...cells]) =>
            cells.flatMap((row, i) => (i % 2 ? [] : [[from, to, 10 ** ((heat.first + row * heat.step) / 10 - 6), cells[i + 1]]])),
          )
        : table[0].map((x, i) => table.map((column) => column[i]));
      done(new Blob([[head, ...rows].map((row) => row.map(cell).join(",") + "\n").join("")], { type: "text/csv" }));
    });
    offer("PNG", (done) => {
      const from = u.ctx.canvas;
      const px = devicePixelRatio;
      const sheet = document.createElement("canvas");
      const top = 44 * px;
      [sheet.width, sheet.height] = [from.width, from.height + top];
      const ctx = sheet.getContext("2d");
      ctx.fillStyle = css("--back");
      ctx.fillRect(0, 0, sheet.width, sheet.height);
      ctx.drawImage(from, 0, top);
      ctx.font = "bold " + 13 * px + "px system-ui, sans-serif";
      ctx.fillStyle = css("--text");
      ctx.fillText(chart.title, 8 * px, 17 * px);
      ctx.font = 12 * px + "px system-ui, sans-serif";
      let x = 8 * px;
      keys
        .filter((key) => !key.parts.length || key.main.isShown())
        .forEach((key) => {
          const text = key.entry || key.main.label;
          ctx.fillStyle = visible(key.main.color);
          ctx.fillRect(x, 29 * px, 12 * px, 4 * px);
          ctx.fillStyle = css("--text");
          ctx.fillText(text, x + 17 * px, 36 * px);
          x += ctx.measureText(text).width + 32 * px;
        });
      sheet.toBlob(done, "image/png");
    });

    // A finger that moves sideways enlarges; one that moves up or down scrolls the page.
    const over = u.over;
    let start = null;
    const left = (event) => event.clientX - over.getBoundingClientRect().left;
    const mine = (event) => start !== null && event.pointerType === "touch";
    over.addEventListener("pointerdown", (event) => {
      start = event.pointerType === "touch" && event.isPrimary ? left(event) : null;
    });
    over.addEventListener("pointermove", (event) => {
      if (mine(event)) {
        const [from, to] = [start, left(event)].sort((a, b) => a - b);
        u.setSelect({ left: from, width: to - from, top: 0, height: over.clientHeight }, false);
      }
    });
    over.addEventListener("pointerup", (event) => {
      if (mine(event)) {
        const [from, to] = [start, left(event)].sort((a, b) => a - b);
        u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        if (to - from >= 12) {
          zoom(own, [u.posToVal(from, "x"), u.posToVal(to, "x")]);
        }
        start = null;
      }
    });
    over.addEventListener("pointercancel", () => {
      start = null;
      u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    });
    member.recolor();
  };

  // the page

  charts.forEach((chart) => group(chart.group));
  readAddress();
  const help = element(
    "p",
    "legend",
    "Point at a plot for its values, click a name to hide its line, drag to zoom; a double click or Escape resets. " +
      "With the keyboard: arrow keys read values, + and - zoom. The address of the page keeps this view.",
  );
  help.id = "chart-help";
  const heading = document.getElementById("plots-title");
  if (heading) {
    (document.querySelector("#plots .tiles") || heading).after(help);
  }
  charts.forEach(build);
  groups.forEach(apply);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && last && last.range) {
      zoom(last, null);
    }
  });
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#view")) {
      readAddress();
      groups.forEach(apply);
    }
  });
  scheme.addEventListener("change", () => {
    takeScheme();
    groups.forEach((one) => one.members.forEach((member) => member.recolor()));
  });
})();
