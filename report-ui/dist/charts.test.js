// test/charts.test.ts
import assert from "node:assert/strict";
import { existsSync, readdirSync as readdirSync2, readFileSync as readFileSync2, writeFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

// src/tree.ts
function h(tag, attributes = {}, ...children) {
  const kept = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) kept[name] = "";
    else if (value !== false && value != null) kept[name] = plain(String(value));
  }
  const content = children.flat().filter((child) => child !== null && child !== void 0 && child !== false);
  return {
    tag,
    attributes: kept,
    children: content.map((child) => typeof child === "object" ? child : plain(String(child)))
  };
}
function plain(text) {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\uFFFD");
}
var svgTags = new Set(
  "svg g path line rect circle polygon polyline text tspan title desc defs pattern clipPath".split(" ")
);
function print(tree, indent = "") {
  const attributes = Object.entries(tree.attributes).map(([name, value]) => ` ${name}="${markup(value)}"`).join("");
  const [first] = tree.children;
  if (first === void 0) return `${indent}<${tree.tag}${attributes}/>
`;
  if (tree.children.every((child) => typeof child === "string")) {
    return `${indent}<${tree.tag}${attributes}>${markup(tree.children.join(""))}</${tree.tag}>
`;
  }
  const content = tree.children.map(
    (child) => typeof child === "string" ? `${indent}  ${markup(child)}
` : print(child, `${indent}  `)
  ).join("");
  return `${indent}<${tree.tag}${attributes}>
${content}${indent}</${tree.tag}>
`;
}
function markup(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

// src/verdict.ts
var steps = {
  passed: { tone: "good", text: "passed" },
  breached: { tone: "bad", text: "breached" },
  invalid: { tone: "doubtful", text: "invalid" },
  unjudged: { tone: "unknown", text: "not judged" }
};
var ofStep = (verdict) => steps[verdict];
function mark(tone, x, y, radius = 4.5) {
  const at = (dx, dy) => `${pixel(x + dx * radius)} ${pixel(y + dy * radius)}`;
  const shape = (d) => h("path", { class: `mark ${tone}`, d });
  switch (tone) {
    case "good":
      return h("circle", { class: "mark good", cx: pixel(x), cy: pixel(y), r: pixel(radius) });
    case "bad":
      return shape(`M${at(-1, -1)}L${at(1, 1)}M${at(-1, 1)}L${at(1, -1)}`);
    case "doubtful":
      return shape(`M${at(0, -1.2)}L${at(1.15, 0.9)}L${at(-1.15, 0.9)}Z`);
    case "unknown":
      return shape(`M${at(-0.9, -0.9)}L${at(0.9, -0.9)}L${at(0.9, 0.9)}L${at(-0.9, 0.9)}Z`);
  }
}
var pixel = (value) => String(Math.round(value * 10) / 10);

// src/explore.ts
function nearest(chart, x, y) {
  let best = 0;
  let least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  chart.stops.forEach((stop3, index) => {
    const aside = Math.abs(stop3.x - x);
    const above = Math.min(...stop3.rings.map(([, ring]) => Math.abs(ring - y)));
    if (aside < least[0] || aside === least[0] && above <= least[1]) {
      best = index;
      least = [aside, above];
    }
  });
  return best;
}

// src/figures.ts
var unknown = "\u2013";
function count(value) {
  return BigInt(Math.round(value)).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}
function number(value) {
  if (!Number.isFinite(value)) return "-";
  const size = Math.abs(value);
  const sign = value < 0 ? "-" : "";
  if (size >= 99.95) return sign + count(size);
  return sign + trim(size.toFixed(size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3));
}
var rate = (perSecond) => `${number(perSecond)} req/s`;
function duration(ms) {
  if (!Number.isFinite(ms)) return "-";
  const size = Math.abs(ms);
  if (size === 0) return "0 ms";
  if (size < 0.9995) return `${significant(ms * 1e3)} \xB5s`;
  if (size < 999.5) return `${significant(ms)} ms`;
  return `${significant(ms / 1e3)} s`;
}
function elapsed(seconds) {
  if (!Number.isFinite(seconds)) return "-";
  if (seconds < 9.95) return `${trim(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  const [h2, m, s] = [Math.floor(whole / 3600), Math.floor(whole % 3600 / 60), whole % 60];
  if (h2 > 0) return m > 0 ? `${count(h2)} h ${m} min` : `${count(h2)} h`;
  if (m > 0) return s > 0 ? `${m} min ${s} s` : `${m} min`;
  return `${s} s`;
}
function share(value) {
  if (!Number.isFinite(value)) return "-";
  const percent = value * 100;
  if (percent === 0) return "0%";
  if (percent > 0 && percent < 5e-4) return "<0.001%";
  if (percent >= 99.95 && percent < 100) return ">99.9%";
  return `${trim(percent.toFixed(percent < 0.0995 ? 3 : percent < 9.995 ? 2 : 1))}%`;
}
function bytes(value) {
  if (value < 1024) return `${value} B`;
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB"];
  let size = value / 1024;
  let unit = 0;
  while (size >= 999.5 && unit + 1 < units.length) {
    size /= 1024;
    unit += 1;
  }
  return `${significant(size)} ${units[unit]}`;
}
function inUnit(value, unit) {
  if (unit === "ms") return duration(value);
  if (unit === "share") return share(value);
  return `${number(value)} ${unit}`;
}
function orDash(value, draw) {
  return value == null ? unknown : draw(value);
}
function significant(value) {
  const size = Math.abs(value);
  return size >= 99.95 ? number(value) : value.toFixed(size >= 9.995 ? 1 : 2);
}
function trim(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

// src/scale.ts
function linear(domain, range) {
  const [low, high] = widened(domain);
  return {
    at: (value) => between(range, (value - low) / (high - low)),
    ticks: (wanted) => roundSteps(low, high, roundStep((high - low) / Math.max(wanted, 1)))
  };
}
function logarithmic(domain, range) {
  const [low, high] = widened([Math.log10(domain[0]), Math.log10(domain[1])]);
  return {
    at: (value) => between(range, value > 0 ? (Math.log10(value) - low) / (high - low) : 0),
    ticks: (wanted) => logarithmicTicks(low, high, wanted)
  };
}
function quantile(highest, range) {
  const last = Math.max(nines(highest), 1);
  return {
    at: (value) => between(range, nines(value) / last),
    ticks: () => [0, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999].filter((q) => nines(q) <= last + 1e-9)
  };
}
function time(domain, range) {
  const [low, high] = widened(domain);
  const steps2 = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400];
  return {
    at: linear(domain, range).at,
    ticks: (wanted) => {
      const least = (high - low) / Math.max(wanted, 1);
      return roundSteps(low, high, steps2.find((step) => step >= least) ?? roundStep(least));
    }
  };
}
function extent(values) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value == null || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : null;
}
function nines(value) {
  return -Math.log10(Math.max(1 - value, 1e-9));
}
function between([from, to], share2) {
  return from + (to - from) * Math.min(Math.max(share2, 0), 1);
}
function widened([low, high]) {
  return high > low ? [low, high] : [low, low + (Math.abs(low) || 1)];
}
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least * 0.999) ?? 10) * power;
}
function roundSteps(low, high, step) {
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) {
    ticks.push(Number.parseFloat((n * step).toPrecision(12)));
  }
  return ticks;
}
function logarithmicTicks(low, high, wanted) {
  const inside = (factors, every) => {
    const ticks = [];
    for (let power = Math.floor(low); power <= Math.ceil(high); power += 1) {
      if (power % every !== 0) continue;
      for (const factor of factors) {
        const position = power + Math.log10(factor);
        if (position >= low - 1e-9 && position <= high + 1e-9) {
          ticks.push(Number.parseFloat((factor * 10 ** power).toPrecision(12)));
        }
      }
    }
    return ticks;
  };
  const decades = Math.max(high - low, 0.1);
  if (decades * 3 <= wanted + 1) return inside([1, 2, 5], 1);
  return inside([1], Math.max(1, Math.ceil(decades / Math.max(wanted, 1))));
}

// src/charts/frame.ts
var titleHeight = 27;
var axisHeight = 40;
var gap = 14;
var plot = (width) => [width < 480 ? 54 : 60, width - 16];
function frame(spec, stops) {
  const [left, right] = plot(spec.width);
  let y = spec.head ?? 0;
  const ys = [];
  const panels = [];
  const top = y + titleHeight;
  let bottom = top;
  for (const panel3 of spec.panels) {
    const from = y + titleHeight;
    bottom = from + panel3.height;
    const scale = panel3.scale([bottom, from]);
    ys.push(scale);
    panels.push(drawn(panel3, scale, { left, right, top: from, bottom }));
    y = bottom + gap;
  }
  const height2 = bottom + axisHeight;
  const svg = h(
    "svg",
    { viewBox: `0 0 ${spec.width} ${pixel(height2)}`, role: "img", "aria-label": spec.label, class: "chart" },
    h("g", { class: "behind" }, spec.behind?.(top, bottom) ?? []),
    panels,
    h("g", { class: "axis" }, xAxis(spec, bottom)),
    h("g", { class: "before" }, spec.before?.(top, bottom) ?? []),
    h("g", { class: "cursor", visibility: "hidden" }, h("line", { y1: pixel(top), y2: pixel(bottom) }))
  );
  return { svg, width: spec.width, height: height2, stops: stops(ys).sort((a, b) => a.x - b.x) };
}
function drawn(panel3, y, box) {
  const ticks = panel3.scale([box.bottom, box.top]).ticks(Math.max(2, Math.floor(panel3.height / 30)));
  return h(
    "g",
    { class: "panel" },
    h("text", { class: "title", x: 0, y: pixel(box.top - 11) }, panel3.title),
    panelKey(panel3, box),
    ticks.flatMap((tick) => [
      h("line", {
        class: "grid",
        x1: pixel(box.left),
        x2: pixel(box.right),
        y1: pixel(y.at(tick)),
        y2: pixel(y.at(tick))
      }),
      h(
        "text",
        { class: "tick", x: pixel(box.left - 7), y: pixel(y.at(tick) + 4), "text-anchor": "end" },
        panel3.tick(tick)
      )
    ]),
    (panel3.bounds ?? []).map((bound) => drawnBound(bound, y, box)),
    panel3.marks(y),
    h("line", {
      class: "base",
      x1: pixel(box.left),
      x2: pixel(box.right),
      y1: pixel(box.bottom),
      y2: pixel(box.bottom)
    })
  );
}
function drawnBound(bound, y, box) {
  const at = y.at(bound.value);
  const beyond = bound.allowed === "below" ? { y: box.top, height: at - box.top } : { y: at, height: box.bottom - at };
  const room = bound.allowed === "below" ? at - box.top > 17 : box.bottom - at > 17;
  const labelAt = bound.allowed === "below" === room ? at - 5 : at + 14;
  return h(
    "g",
    { class: "bound" },
    h("rect", {
      class: "beyond",
      x: pixel(box.left),
      width: pixel(box.right - box.left),
      y: pixel(beyond.y),
      height: pixel(Math.max(beyond.height, 0))
    }),
    h("line", { x1: pixel(box.left), x2: pixel(box.right), y1: pixel(at), y2: pixel(at) }),
    h(
      "text",
      { x: pixel(box.left + 6), y: pixel(labelAt) },
      shortened(bound.label, (box.right - box.left) / 7)
    )
  );
}
function panelKey(panel3, box) {
  if (!panel3.key) return null;
  let x = box.right;
  const entries = [...panel3.key].reverse().map((entry) => {
    const textAt = x;
    x -= entry.name.length * 6.9 + 8;
    const sample2 = h("line", {
      class: entry.class,
      x1: pixel(x - 18),
      x2: pixel(x),
      y1: pixel(box.top - 15),
      y2: pixel(box.top - 15)
    });
    x -= 32;
    return [
      h("text", { x: pixel(textAt), y: pixel(box.top - 11), "text-anchor": "end" }, entry.name),
      sample2
    ];
  });
  return h("g", { class: "key" }, entries.flat());
}
function xAxis(spec, bottom) {
  const [left, right] = plot(spec.width);
  const ticks = spec.x.ticks(Math.max(2, Math.floor((right - left) / 88)));
  return [
    ...ticks.flatMap((tick) => [
      h("line", {
        class: "base",
        x1: pixel(spec.x.at(tick)),
        x2: pixel(spec.x.at(tick)),
        y1: pixel(bottom),
        y2: pixel(bottom + 4)
      }),
      h(
        "text",
        { class: "tick", x: pixel(spec.x.at(tick)), y: pixel(bottom + 19), "text-anchor": "middle" },
        spec.xTick(tick)
      )
    ]),
    h("text", { class: "tick", x: pixel(right), y: pixel(bottom + 35), "text-anchor": "end" }, spec.xTitle)
  ];
}
function path(points, className) {
  let d = "";
  let drawing = false;
  for (const [x, y] of points) {
    if (y === null) {
      drawing = false;
      continue;
    }
    d += `${drawing ? "L" : "M"}${pixel(x)} ${pixel(y)}`;
    drawing = true;
  }
  return d ? h("path", { class: className, d }) : null;
}
var shortened = (text, longest) => text.length > longest ? `${text.slice(0, Math.max(longest - 1, 1)).trimEnd()}\u2026` : text;
var bareTick = (text) => text.replace(/\.0+(?=\D|$)/, "").replace(/(\.\d*[1-9])0+(?=\D|$)/, "$1");

// src/charts/curve.ts
function percentileCurve(findings, width) {
  const curve = findings.response_time_curve.filter((point) => Number.isFinite(point.ms));
  const highest = curve.at(-1);
  if (!highest || curve.length < 2) return null;
  const ends = extent(curve.map((point) => point.ms).filter((ms) => ms > 0)) ?? [0.1, 1];
  const bounds = boundsOf(findings).filter((bound) => bound.value <= ends[1] * 8);
  const greatest = Math.max(ends[1], ...bounds.map((bound) => bound.value));
  const service2 = known(findings.service_time);
  const x = quantile(Math.min(highest.quantile, 0.999999), plot(width));
  const scale = greatest / ends[0] > 40 ? (range) => logarithmic([ends[0] * 0.7, greatest * 1.4], range) : (range) => linear([0, greatest * 1.12], range);
  const until = (points) => points.filter(([q]) => q <= highest.quantile);
  return frame(
    {
      width,
      label: `Response time by percentile: ${known(findings.response_time).map(([q, ms]) => `${percentile(q)} ${duration(ms)}`).join(", ")}.`,
      x,
      xTick: (q) => percentile(q).slice(1),
      xTitle: "percentile of the requests",
      panels: [
        {
          title: "",
          height: width < 480 ? 220 : 280,
          scale,
          tick: (ms) => bareTick(duration(ms)),
          bounds,
          key: [
            { name: "response time", class: "line first" },
            ...service2.length > 0 ? [{ name: "service time", class: "line second" }] : []
          ],
          marks: (y) => [
            path(
              until(service2).map(([q, ms]) => [x.at(q), y.at(ms)]),
              "line second"
            ),
            path(
              curve.map((point) => [x.at(point.quantile), y.at(point.ms)]),
              "line first"
            ),
            ...until(known(findings.response_time)).map(([q, ms]) => dot(x.at(q), y.at(ms)))
          ]
        }
      ]
    },
    ([y]) => curve.map((point) => ({
      x: x.at(point.quantile),
      title: percentile(point.quantile),
      rows: [
        ["response time", duration(point.ms)],
        ["slower than that", `1 in ${number(1 / Math.max(1 - point.quantile, 1e-9))}`]
      ],
      rings: ringAt(x.at(point.quantile), y?.at(point.ms))
    }))
  );
}
var dot = (x, y) => h("circle", { class: "dot first", cx: pixel(x), cy: pixel(y), r: 3 });
var ringAt = (x, y) => y === void 0 ? [] : [[x, y]];
var percentile = (q) => `p${Number.parseFloat((q * 100).toFixed(4))}`;
function known(p) {
  if (p.count === 0) return [];
  return [
    [0.5, p.p50_ms],
    [0.9, p.p90_ms],
    [0.95, p.p95_ms],
    [0.99, p.p99_ms],
    [0.999, p.p999_ms]
  ];
}
function boundsOf(findings) {
  return findings.objectives.filter((objective) => objective.unit === "ms").map((objective) => ({ value: objective.bound, label: objective.objective, allowed: "below" }));
}

// src/charts/load-line.ts
function loadLineChart(findings, width) {
  const steps2 = findings.steps.filter((step) => step.offered_per_s !== null);
  const rates = extent(steps2.map((step) => step.offered_per_s));
  if (!rates) return null;
  const line = findings.load_line;
  const highest = Math.max(rates[1], line?.interval_high_per_s ?? 0, line?.rate_per_s ?? 0);
  const x = linear([0, highest * 1.04], plot(width));
  const measures = measuresOf(findings).filter((measure) => steps2.some((step) => measure.of(step) !== null));
  return frame(
    {
      width,
      label: summary(findings, steps2),
      x,
      xTick: number,
      xTitle: "offered rate, requests per second",
      head: line ? 24 : 0,
      panels: measures.map((measure) => panel(measure, steps2, x)),
      behind: (top, bottom) => line ? interval(line, x, plot(width)[1], top, bottom) : [],
      before: (top, bottom) => line ? loadLine(line, x, width, top, bottom) : []
    },
    (ys) => steps2.map((step) => stop(step, x, measures, ys))
  );
}
function measuresOf(findings) {
  const failing = findings.steps.some((step) => step.error_share > 0);
  const measures = findings.objectives.map((objective) => {
    const subject = objective.objective.split(/\s*[<>=]/)[0] ?? "";
    return {
      title: titleOf(subject, objective.unit),
      height: objective.unit === "ms" ? 150 : subject === "errors" && !failing ? 56 : 104,
      unit: objective.unit,
      of: (step) => step.objectives.find((each) => each.objective === objective.objective)?.observed ?? fallback(subject, objective, step),
      bounds: [
        {
          value: objective.bound,
          label: objective.objective,
          allowed: objective.objective.includes(">") ? "above" : "below"
        }
      ],
      held: (step) => step.verdict === "breached" && step.objectives.some((each) => each.objective === objective.objective && each.passed)
    };
  });
  const missing = (unit, title) => !measures.some((each) => each.unit === unit && title.test(each.title));
  if (missing("ms", /./))
    measures.push({
      title: titleOf("p99", "ms"),
      height: 150,
      unit: "ms",
      of: p99,
      bounds: [],
      held: () => false
    });
  if (missing("share", /CPU/)) {
    measures.push({
      title: titleOf("cpu", "share"),
      height: 104,
      unit: "share",
      of: (step) => step.cpu_share,
      bounds: [],
      held: () => false
    });
  }
  if (missing("share", /Errors/)) {
    measures.push({
      title: titleOf("errors", "share"),
      height: 104,
      unit: "share",
      of: (step) => step.error_share,
      bounds: [],
      held: () => false
    });
  }
  return measures;
}
function titleOf(subject, unit) {
  if (subject === "cpu") return "CPU of the service";
  if (subject === "errors") return "Errors";
  if (subject === "rate") return "Completed of scheduled";
  return unit === "ms" ? `Response time, ${subject}` : subject;
}
function fallback(subject, { unit }, step) {
  if (subject === "cpu") return step.cpu_share;
  if (subject === "errors") return step.error_share;
  return unit === "ms" && subject === "p99" ? p99(step) : null;
}
var p99 = (step) => step.response_time.count > 0 ? step.response_time.p99_ms : null;
function panel(measure, steps2, x) {
  const inOrder = [...steps2].sort((a, b) => a.offered_per_s - b.offered_per_s);
  return {
    title: measure.title,
    height: measure.height,
    scale: yScale(measure, steps2),
    tick: (value) => bareTick(inUnit(value, measure.unit)),
    bounds: measure.bounds,
    marks: (y) => [
      path(
        inOrder.filter((step) => step.verdict === "passed" || step.verdict === "breached").map((step) => [x.at(step.offered_per_s), height(measure, step, y)]),
        "thread"
      ),
      ...inOrder.map((step) => {
        const at = height(measure, step, y);
        if (at === null) return null;
        const shape = mark(ofStep(step.verdict).tone, x.at(step.offered_per_s), at);
        return measure.held(step) ? h("g", { class: "aside" }, shape) : shape;
      })
    ]
  };
}
function height(measure, step, y) {
  const value = measure.of(step);
  return value === null ? null : y.at(value);
}
function yScale(measure, steps2) {
  const bounds = measure.bounds.map((bound) => bound.value);
  const values = steps2.map(measure.of);
  if (measure.unit === "ms") {
    const positive = extent([...values, ...bounds].filter((value) => value !== null && value > 0)) ?? [1, 10];
    if (positive[1] / positive[0] > 30)
      return (range) => logarithmic([positive[0] * 0.6, positive[1] * 1.8], range);
    return (range) => linear([0, positive[1] * 1.15], range);
  }
  const highest = extent([...values, ...bounds])?.[1] ?? 1;
  if (measure.title === "Errors") return (range) => linear([0, Math.max(highest * 1.25, 0.01)], range);
  return (range) => linear([0, measure.unit === "share" ? Math.max(highest, 1) : highest * 1.15], range);
}
function interval(line, x, right, top, bottom) {
  const from = x.at(line.interval_low_per_s);
  const to = line.interval_high_per_s === null ? right : x.at(line.interval_high_per_s);
  return [
    h("rect", {
      class: "interval",
      x: pixel(from),
      width: pixel(Math.max(to - from, 1)),
      y: pixel(top),
      height: pixel(bottom - top)
    })
  ];
}
function loadLine(line, x, width, top, bottom) {
  const at = x.at(line.rate_per_s);
  const onLeft = at > width / 2;
  const y = top - 33;
  return [
    h("line", { class: "load-line", x1: pixel(at), x2: pixel(at), y1: pixel(y), y2: pixel(bottom) }),
    h("circle", { class: "load-line", cx: pixel(at), cy: pixel(y), r: 5 }),
    h("line", { class: "load-line", x1: pixel(at - 9), x2: pixel(at + 9), y1: pixel(y), y2: pixel(y) }),
    h(
      "text",
      {
        class: "load-line",
        x: pixel(onLeft ? at - 15 : at + 15),
        y: pixel(y + 4.5),
        "text-anchor": onLeft ? "end" : "start"
      },
      `load line ${number(line.rate_per_s)}`
    )
  ];
}
function stop(step, x, measures, ys) {
  const { tone, text } = ofStep(step.verdict);
  const at = x.at(step.offered_per_s);
  const rings = measures.flatMap((measure, i) => {
    const y = ys[i] && height(measure, step, ys[i]);
    return y == null ? [] : [[at, y]];
  });
  return {
    x: at,
    title: `${rate(step.offered_per_s)} offered`,
    tone,
    verdict: text,
    rows: rowsOf(step),
    rings
  };
}
function rowsOf(step) {
  const measured = step.response_time.count > 0;
  const rows = [
    ["step", String(step.step + 1)],
    ["completed", rate(step.throughput_per_s)],
    ["goodput", rate(step.goodput_per_s)],
    ["p50", measured ? duration(step.response_time.p50_ms) : unknown],
    ["p99", measured ? duration(step.response_time.p99_ms) : unknown],
    ["CPU", orDash(step.cpu_share, share)],
    ["errors", share(step.error_share)]
  ];
  if (step.dropped > 0) rows.push(["never started", count(step.dropped)]);
  if (step.broke) rows.push(["broke", step.broke]);
  if (step.invalid_because) rows.push(["why", step.invalid_because]);
  return rows;
}
function summary(findings, steps2) {
  const passed = steps2.filter((step) => step.verdict === "passed").length;
  const breached = steps2.filter((step) => step.verdict === "breached").length;
  const line = findings.load_line ? `; the load line is at ${rate(findings.load_line.rate_per_s)}` : "";
  return `Steps by offered rate: ${steps2.length} tried, ${passed} passed, ${breached} breached${line}. The table below holds every figure.`;
}

// src/charts/timeline.ts
var mebibyte = 2 ** 20;
function timelineChart(findings, width) {
  const points = findings.timeline;
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;
  const end = last.at_s + last.duration_s;
  const x = time([first.at_s, end], plot(width));
  const middle = (point) => x.at(point.at_s + point.duration_s / 2);
  const measures = measuresOf2(findings, width).filter(
    (measure) => measure.series.some((series) => points.some((point) => series.of(point) !== null))
  );
  return frame(
    {
      width,
      label: `The run over ${elapsed(end)}: ${measures.map((measure) => measure.title.toLowerCase()).join(", ")}.`,
      x,
      xTick: clock,
      xTitle: "time since the beginning",
      head: findings.steps.length > 1 ? 14 : 0,
      panels: measures.map((measure) => panel2(measure, points, middle)),
      behind: (top, bottom) => unjudged(points, x, top, bottom),
      before: (top, bottom) => boundaries(findings, x, top, bottom)
    },
    (ys) => points.map((point) => stop2(point, middle(point), measures, ys, findings.steps.length > 1))
  );
}
function measuresOf2(findings, width) {
  const closed = findings.steps.every((step) => step.offered_per_s === null) && findings.command === "bench";
  const offered = { name: "offered", class: "line offered", of: (point) => point.offered_per_s };
  const failed = findings.timeline.some((point) => point.errors_per_s > 0);
  const cpu = findings.objectives.filter((objective) => objective.objective.startsWith("cpu"));
  return [
    {
      title: width < 480 ? "Requests/s" : "Requests per second",
      height: 130,
      series: [
        ...closed ? [] : [offered],
        { name: "completed", class: "line first", of: (point) => point.throughput_per_s }
      ],
      draw: number,
      perSecond: true
    },
    {
      title: "Errors per second",
      height: 64,
      series: failed ? [{ name: "errors", class: "line errors", of: (point) => point.errors_per_s }] : [],
      draw: number,
      perSecond: true
    },
    {
      title: "Response time",
      height: 140,
      series: [
        { name: "p50", class: "line second", of: (point) => point.p50_ms },
        { name: "p99", class: "line first", of: (point) => point.p99_ms }
      ],
      draw: duration,
      bounds: boundsOf(findings),
      logarithmic: true
    },
    {
      title: "CPU of the service",
      height: 90,
      series: [{ name: "CPU", class: "line first", of: (point) => point.cpu_share }],
      draw: share,
      bounds: cpu.map((objective) => ({
        value: objective.bound,
        label: objective.objective,
        allowed: "below"
      })),
      least: 1
    },
    {
      title: "Memory, resident",
      height: 80,
      // In MiB, so that the ticks are round.
      series: [
        {
          name: "memory",
          class: "line first",
          of: (point) => point.rss_bytes === null ? null : point.rss_bytes / mebibyte
        }
      ],
      draw: (value) => bytes(value * mebibyte)
    },
    {
      title: "Event-loop delay, p99",
      height: 80,
      series: [{ name: "event-loop delay", class: "line first", of: (point) => point.event_loop_delay_ms }],
      draw: duration
    }
  ];
}
function panel2(measure, points, middle) {
  return {
    title: measure.title,
    height: measure.height,
    scale: yScale2(measure, points),
    tick: (value) => bareTick(measure.draw(value)),
    ...measure.bounds ? { bounds: measure.bounds } : {},
    ...measure.series.length > 1 ? { key: measure.series } : {},
    marks: (y) => measure.series.map(
      (series) => path(
        // Nothing joins the end of a step to the beginning of the next.
        points.flatMap((point, i) => {
          const value = series.of(point);
          const at = [middle(point), value === null ? null : y.at(value)];
          return point.step === (points[i - 1]?.step ?? point.step) ? [at] : [[at[0], null], at];
        }),
        series.class
      )
    )
  };
}
function yScale2(measure, points) {
  const bounds = (measure.bounds ?? []).map((bound) => bound.value);
  const values = measure.series.flatMap((series) => points.map(series.of));
  if (measure.logarithmic) {
    const positive = extent([...values, ...bounds].filter((value) => value !== null && value > 0)) ?? [1, 10];
    if (positive[1] / positive[0] > 30)
      return (range) => logarithmic([positive[0] * 0.7, positive[1] * 1.6], range);
  }
  const highest = Math.max(extent([...values, ...bounds])?.[1] ?? 1, measure.least ?? 0);
  return (range) => linear([0, measure.least ? highest : highest * 1.12], range);
}
function unjudged(points, x, top, bottom) {
  const shades = [];
  for (const point of points) {
    if (point.judged) continue;
    const end = point.at_s + point.duration_s;
    const last = shades.at(-1);
    if (last && point.at_s - last[1] < 1e-6) last[1] = end;
    else shades.push([point.at_s, end]);
  }
  return shades.map(
    ([from, to]) => h("rect", {
      class: "unjudged",
      x: pixel(x.at(from)),
      width: pixel(x.at(to) - x.at(from)),
      y: pixel(top),
      height: pixel(bottom - top)
    })
  );
}
function boundaries(findings, x, top, bottom) {
  if (findings.steps.length < 2) return [];
  let free = Number.NEGATIVE_INFINITY;
  return findings.steps.flatMap((step) => {
    const at = x.at(step.start_s);
    const name = step.offered_per_s === null ? `step ${step.step + 1}` : number(step.offered_per_s);
    const line = h("line", {
      class: "boundary",
      x1: pixel(at),
      x2: pixel(at),
      y1: pixel(top - 30),
      y2: pixel(bottom)
    });
    if (at < free) return [line];
    free = at + name.length * 6.6 + 12;
    return [line, h("text", { class: "tick", x: pixel(at + 4), y: pixel(top - 26) }, name)];
  });
}
function stop2(point, x, measures, ys, stepped) {
  const rows = [];
  const rings = [];
  for (const [i, measure] of measures.entries()) {
    for (const series of measure.series) {
      const value = series.of(point);
      if (value === null) continue;
      rows.push([series.name, measure.draw(value) + (measure.perSecond ? " /s" : "")]);
      const y = ys[i]?.at(value);
      if (y !== void 0) rings.push([x, y]);
    }
  }
  const step = stepped ? `, step ${point.step + 1}` : "";
  const kind = point.judged ? "" : ", not judged";
  return {
    x,
    title: `${clock(point.at_s)} to ${clock(point.at_s + point.duration_s)}${step}${kind}`,
    rows,
    rings
  };
}
function clock(seconds) {
  const tenths = Math.round(seconds * 10);
  const whole = Math.floor(tenths / 10);
  const two = (value) => String(value).padStart(2, "0");
  const part = tenths % 10 === 0 ? "" : `.${tenths % 10}`;
  const [h2, m, s] = [Math.floor(whole / 3600), Math.floor(whole % 3600 / 60), whole % 60];
  return `${h2 > 0 ? `${h2}:${two(m)}` : m}:${two(s)}${part}`;
}

// src/page.ts
var charts = {
  "load-line": loadLineChart,
  curve: percentileCurve,
  timeline: timelineChart
};

// test/samples.ts
import { readdirSync, readFileSync } from "node:fs";
var folder = new URL("../../crates/report/tests/samples/", import.meta.url);
var sampleNames = readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length)).sort();
var sampleText = (name) => readFileSync(new URL(`${name}.json`, folder), "utf8");
var sample = (name) => JSON.parse(sampleText(name));

// test/charts.test.ts
var golden = fileURLToPath(new URL("../test/golden/", import.meta.url));
var drawn2 = ["capacity-passed", "capacity-open-end", "capacity-interrupted", "run-breached", "bench"];
var files = /* @__PURE__ */ new Map();
for (const name of drawn2) {
  for (const [kind, draw] of Object.entries(charts)) {
    const chart = draw(sample(name), 720);
    if (chart) files.set(`${name}-${kind}.svg`, standalone(chart));
  }
}
test("charts look as before", () => {
  for (const [file, svg] of files) {
    const path2 = golden + file;
    if (process.env.UPDATE_GOLDEN) writeFileSync(path2, svg);
    assert.ok(existsSync(path2), `${file} is missing: UPDATE_GOLDEN=1 npm test -w report-ui`);
    assert.equal(
      svg,
      readFileSync2(path2, "utf8"),
      `${file} differs: UPDATE_GOLDEN=1 npm test -w report-ui, then look`
    );
  }
  assert.deepEqual(readdirSync2(golden).sort(), [...files.keys()].sort());
});
test("no chart of any sample holds a coordinate that is no number, at any width", () => {
  for (const name of sampleNames) {
    for (const width of [240, 720, 1600]) {
      for (const [kind, draw] of Object.entries(charts)) {
        const chart = draw(sample(name), width);
        if (!chart) continue;
        assert.doesNotMatch(print(chart.svg), /NaN|Infinity|undefined|null/, `${name} ${kind} ${width}`);
        for (const stop3 of chart.stops) {
          assert.ok(stop3.x >= 0 && stop3.x <= width, `${name} ${kind}: stop at ${stop3.x}`);
        }
      }
    }
  }
});
test("a chart without figures is not drawn", () => {
  const failed = sample("run-failed");
  assert.equal(charts.curve?.(failed, 720), null);
  assert.equal(charts["load-line"]?.({ ...failed, steps: [] }, 720), null);
  assert.equal(charts.timeline?.({ ...failed, timeline: [] }, 720), null);
});
test("the cursor goes to the nearest stop, and to the nearest ring among equals", () => {
  const stop3 = (x, y) => ({ x, title: "", rows: [], rings: [[x, y]] });
  const stops = [stop3(10, 50), stop3(40, 20), stop3(40, 90)];
  assert.equal(nearest({ stops }, 0, 0), 0);
  assert.equal(nearest({ stops }, 26, 0), 1);
  assert.equal(nearest({ stops }, 500, 80), 2);
});
test("every step and every point of time is a stop", () => {
  const findings = sample("capacity-passed");
  assert.equal(charts["load-line"]?.(findings, 720)?.stops.length, findings.steps.length);
  assert.equal(charts.timeline?.(findings, 720)?.stops.length, findings.timeline.length);
});
function standalone({ svg, width, height: height2 }) {
  const style = `text{font:12px sans-serif;fill:#15212b}.title{font-weight:600}.grid{stroke:#eceeea}.base,.boundary{stroke:#566470}
.bound line{stroke:#b53512;stroke-dasharray:5 4}.bound .beyond{fill:#b5351212}.bound text{fill:#b53512}.interval{fill:#17598a24}
line.load-line,circle.load-line{fill:none;stroke:#17598a;stroke-width:2}.line,.thread{fill:none;stroke:#566470}.line.first{stroke:#17598a}
.line.second{stroke:#15212b;stroke-dasharray:1.5 3}.line.errors{stroke:#b53512}.mark{fill:none;stroke:#8a5a00}.mark.good{fill:#0b6e69;stroke:none}
.mark.bad{stroke:#b53512;stroke-width:2.4}.aside{opacity:.4}.unjudged{fill:#15212b12}`;
  return print({
    ...svg,
    attributes: {
      xmlns: "http://www.w3.org/2000/svg",
      width: String(width),
      height: String(height2),
      ...svg.attributes
    },
    children: [h("style", {}, style.replaceAll("\n", "")), ...svg.children]
  });
}
//# sourceMappingURL=data:application/json;base64,ewogICJ2ZXJzaW9uIjogMywKICAic291cmNlcyI6IFsiLi4vdGVzdC9jaGFydHMudGVzdC50cyIsICIuLi9zcmMvdHJlZS50cyIsICIuLi9zcmMvdmVyZGljdC50cyIsICIuLi9zcmMvZXhwbG9yZS50cyIsICIuLi9zcmMvZmlndXJlcy50cyIsICIuLi9zcmMvc2NhbGUudHMiLCAiLi4vc3JjL2NoYXJ0cy9mcmFtZS50cyIsICIuLi9zcmMvY2hhcnRzL2N1cnZlLnRzIiwgIi4uL3NyYy9jaGFydHMvbG9hZC1saW5lLnRzIiwgIi4uL3NyYy9jaGFydHMvdGltZWxpbmUudHMiLCAiLi4vc3JjL3BhZ2UudHMiLCAiLi4vdGVzdC9zYW1wbGVzLnRzIl0sCiAgInNvdXJjZXNDb250ZW50IjogWyIvKipcbiAqIFRoZSBjaGFydHMgb2YgdGhlIHNhbXBsZXMgYXMgU1ZHIGZpbGVzIGluIGdvbGRlbi8sIHdoaWNoIGEgYnJvd3NlciBzaG93cyBhcyB0aGV5IGFyZS5cbiAqIFVQREFURV9HT0xERU49MSBucG0gdGVzdCAtdyByZXBvcnQtdWkgd3JpdGVzIHRoZW0uXG4gKi9cblxuaW1wb3J0IGFzc2VydCBmcm9tICdub2RlOmFzc2VydC9zdHJpY3QnO1xuaW1wb3J0IHsgZXhpc3RzU3luYywgcmVhZGRpclN5bmMsIHJlYWRGaWxlU3luYywgd3JpdGVGaWxlU3luYyB9IGZyb20gJ25vZGU6ZnMnO1xuaW1wb3J0IHRlc3QgZnJvbSAnbm9kZTp0ZXN0JztcbmltcG9ydCB7IGZpbGVVUkxUb1BhdGggfSBmcm9tICdub2RlOnVybCc7XG5pbXBvcnQgdHlwZSB7IENoYXJ0IH0gZnJvbSAnLi4vc3JjL2NoYXJ0cy9mcmFtZS50cyc7XG5pbXBvcnQgeyBuZWFyZXN0IH0gZnJvbSAnLi4vc3JjL2V4cGxvcmUudHMnO1xuaW1wb3J0IHsgY2hhcnRzIH0gZnJvbSAnLi4vc3JjL3BhZ2UudHMnO1xuaW1wb3J0IHsgaCwgcHJpbnQgfSBmcm9tICcuLi9zcmMvdHJlZS50cyc7XG5pbXBvcnQgeyBzYW1wbGUsIHNhbXBsZU5hbWVzIH0gZnJvbSAnLi9zYW1wbGVzLnRzJztcblxuY29uc3QgZ29sZGVuID0gZmlsZVVSTFRvUGF0aChuZXcgVVJMKCcuLi90ZXN0L2dvbGRlbi8nLCBpbXBvcnQubWV0YS51cmwpKTtcbmNvbnN0IGRyYXduID0gWydjYXBhY2l0eS1wYXNzZWQnLCAnY2FwYWNpdHktb3Blbi1lbmQnLCAnY2FwYWNpdHktaW50ZXJydXB0ZWQnLCAncnVuLWJyZWFjaGVkJywgJ2JlbmNoJ107XG5jb25zdCBmaWxlcyA9IG5ldyBNYXA8c3RyaW5nLCBzdHJpbmc+KCk7XG5cbmZvciAoY29uc3QgbmFtZSBvZiBkcmF3bikge1xuICBmb3IgKGNvbnN0IFtraW5kLCBkcmF3XSBvZiBPYmplY3QuZW50cmllcyhjaGFydHMpKSB7XG4gICAgY29uc3QgY2hhcnQgPSBkcmF3KHNhbXBsZShuYW1lKSwgNzIwKTtcbiAgICBpZiAoY2hhcnQpIGZpbGVzLnNldChgJHtuYW1lfS0ke2tpbmR9LnN2Z2AsIHN0YW5kYWxvbmUoY2hhcnQpKTtcbiAgfVxufVxuXG50ZXN0KCdjaGFydHMgbG9vayBhcyBiZWZvcmUnLCAoKSA9PiB7XG4gIGZvciAoY29uc3QgW2ZpbGUsIHN2Z10gb2YgZmlsZXMpIHtcbiAgICBjb25zdCBwYXRoID0gZ29sZGVuICsgZmlsZTtcbiAgICBpZiAocHJvY2Vzcy5lbnYuVVBEQVRFX0dPTERFTikgd3JpdGVGaWxlU3luYyhwYXRoLCBzdmcpO1xuICAgIGFzc2VydC5vayhleGlzdHNTeW5jKHBhdGgpLCBgJHtmaWxlfSBpcyBtaXNzaW5nOiBVUERBVEVfR09MREVOPTEgbnBtIHRlc3QgLXcgcmVwb3J0LXVpYCk7XG4gICAgYXNzZXJ0LmVxdWFsKFxuICAgICAgc3ZnLFxuICAgICAgcmVhZEZpbGVTeW5jKHBhdGgsICd1dGY4JyksXG4gICAgICBgJHtmaWxlfSBkaWZmZXJzOiBVUERBVEVfR09MREVOPTEgbnBtIHRlc3QgLXcgcmVwb3J0LXVpLCB0aGVuIGxvb2tgLFxuICAgICk7XG4gIH1cbiAgYXNzZXJ0LmRlZXBFcXVhbChyZWFkZGlyU3luYyhnb2xkZW4pLnNvcnQoKSwgWy4uLmZpbGVzLmtleXMoKV0uc29ydCgpKTtcbn0pO1xuXG50ZXN0KCdubyBjaGFydCBvZiBhbnkgc2FtcGxlIGhvbGRzIGEgY29vcmRpbmF0ZSB0aGF0IGlzIG5vIG51bWJlciwgYXQgYW55IHdpZHRoJywgKCkgPT4ge1xuICBmb3IgKGNvbnN0IG5hbWUgb2Ygc2FtcGxlTmFtZXMpIHtcbiAgICBmb3IgKGNvbnN0IHdpZHRoIG9mIFsyNDAsIDcyMCwgMTYwMF0pIHtcbiAgICAgIGZvciAoY29uc3QgW2tpbmQsIGRyYXddIG9mIE9iamVjdC5lbnRyaWVzKGNoYXJ0cykpIHtcbiAgICAgICAgY29uc3QgY2hhcnQgPSBkcmF3KHNhbXBsZShuYW1lKSwgd2lkdGgpO1xuICAgICAgICBpZiAoIWNoYXJ0KSBjb250aW51ZTtcbiAgICAgICAgYXNzZXJ0LmRvZXNOb3RNYXRjaChwcmludChjaGFydC5zdmcpLCAvTmFOfEluZmluaXR5fHVuZGVmaW5lZHxudWxsLywgYCR7bmFtZX0gJHtraW5kfSAke3dpZHRofWApO1xuICAgICAgICBmb3IgKGNvbnN0IHN0b3Agb2YgY2hhcnQuc3RvcHMpIHtcbiAgICAgICAgICBhc3NlcnQub2soc3RvcC54ID49IDAgJiYgc3RvcC54IDw9IHdpZHRoLCBgJHtuYW1lfSAke2tpbmR9OiBzdG9wIGF0ICR7c3RvcC54fWApO1xuICAgICAgICB9XG4gICAgICB9XG4gICAgfVxuICB9XG59KTtcblxudGVzdCgnYSBjaGFydCB3aXRob3V0IGZpZ3VyZXMgaXMgbm90IGRyYXduJywgKCkgPT4ge1xuICBjb25zdCBmYWlsZWQgPSBzYW1wbGUoJ3J1bi1mYWlsZWQnKTtcbiAgYXNzZXJ0LmVxdWFsKGNoYXJ0cy5jdXJ2ZT8uKGZhaWxlZCwgNzIwKSwgbnVsbCk7XG4gIGFzc2VydC5lcXVhbChjaGFydHNbJ2xvYWQtbGluZSddPy4oeyAuLi5mYWlsZWQsIHN0ZXBzOiBbXSB9LCA3MjApLCBudWxsKTtcbiAgYXNzZXJ0LmVxdWFsKGNoYXJ0cy50aW1lbGluZT8uKHsgLi4uZmFpbGVkLCB0aW1lbGluZTogW10gfSwgNzIwKSwgbnVsbCk7XG59KTtcblxudGVzdCgndGhlIGN1cnNvciBnb2VzIHRvIHRoZSBuZWFyZXN0IHN0b3AsIGFuZCB0byB0aGUgbmVhcmVzdCByaW5nIGFtb25nIGVxdWFscycsICgpID0+IHtcbiAgY29uc3Qgc3RvcCA9ICh4OiBudW1iZXIsIHk6IG51bWJlcikgPT4gKHsgeCwgdGl0bGU6ICcnLCByb3dzOiBbXSwgcmluZ3M6IFtbeCwgeV0gYXMgW251bWJlciwgbnVtYmVyXV0gfSk7XG4gIGNvbnN0IHN0b3BzID0gW3N0b3AoMTAsIDUwKSwgc3RvcCg0MCwgMjApLCBzdG9wKDQwLCA5MCldO1xuICBhc3NlcnQuZXF1YWwobmVhcmVzdCh7IHN0b3BzIH0sIDAsIDApLCAwKTtcbiAgYXNzZXJ0LmVxdWFsKG5lYXJlc3QoeyBzdG9wcyB9LCAyNiwgMCksIDEpO1xuICBhc3NlcnQuZXF1YWwobmVhcmVzdCh7IHN0b3BzIH0sIDUwMCwgODApLCAyKTtcbn0pO1xuXG50ZXN0KCdldmVyeSBzdGVwIGFuZCBldmVyeSBwb2ludCBvZiB0aW1lIGlzIGEgc3RvcCcsICgpID0+IHtcbiAgY29uc3QgZmluZGluZ3MgPSBzYW1wbGUoJ2NhcGFjaXR5LXBhc3NlZCcpO1xuICBhc3NlcnQuZXF1YWwoY2hhcnRzWydsb2FkLWxpbmUnXT8uKGZpbmRpbmdzLCA3MjApPy5zdG9wcy5sZW5ndGgsIGZpbmRpbmdzLnN0ZXBzLmxlbmd0aCk7XG4gIGFzc2VydC5lcXVhbChjaGFydHMudGltZWxpbmU/LihmaW5kaW5ncywgNzIwKT8uc3RvcHMubGVuZ3RoLCBmaW5kaW5ncy50aW1lbGluZS5sZW5ndGgpO1xufSk7XG5cbi8qKiBXaXRoIHRoZSBzaXplcyBhbmQgdGhlIHN0eWxlIHRoYXQgdGhlIHBhZ2UgZ2l2ZXMgaXQuICovXG5mdW5jdGlvbiBzdGFuZGFsb25lKHsgc3ZnLCB3aWR0aCwgaGVpZ2h0IH06IENoYXJ0KTogc3RyaW5nIHtcbiAgY29uc3Qgc3R5bGUgPSBgdGV4dHtmb250OjEycHggc2Fucy1zZXJpZjtmaWxsOiMxNTIxMmJ9LnRpdGxle2ZvbnQtd2VpZ2h0OjYwMH0uZ3JpZHtzdHJva2U6I2VjZWVlYX0uYmFzZSwuYm91bmRhcnl7c3Ryb2tlOiM1NjY0NzB9XG4uYm91bmQgbGluZXtzdHJva2U6I2I1MzUxMjtzdHJva2UtZGFzaGFycmF5OjUgNH0uYm91bmQgLmJleW9uZHtmaWxsOiNiNTM1MTIxMn0uYm91bmQgdGV4dHtmaWxsOiNiNTM1MTJ9LmludGVydmFse2ZpbGw6IzE3NTk4YTI0fVxubGluZS5sb2FkLWxpbmUsY2lyY2xlLmxvYWQtbGluZXtmaWxsOm5vbmU7c3Ryb2tlOiMxNzU5OGE7c3Ryb2tlLXdpZHRoOjJ9LmxpbmUsLnRocmVhZHtmaWxsOm5vbmU7c3Ryb2tlOiM1NjY0NzB9LmxpbmUuZmlyc3R7c3Ryb2tlOiMxNzU5OGF9XG4ubGluZS5zZWNvbmR7c3Ryb2tlOiMxNTIxMmI7c3Ryb2tlLWRhc2hhcnJheToxLjUgM30ubGluZS5lcnJvcnN7c3Ryb2tlOiNiNTM1MTJ9Lm1hcmt7ZmlsbDpub25lO3N0cm9rZTojOGE1YTAwfS5tYXJrLmdvb2R7ZmlsbDojMGI2ZTY5O3N0cm9rZTpub25lfVxuLm1hcmsuYmFke3N0cm9rZTojYjUzNTEyO3N0cm9rZS13aWR0aDoyLjR9LmFzaWRle29wYWNpdHk6LjR9LnVuanVkZ2Vke2ZpbGw6IzE1MjEyYjEyfWA7XG4gIHJldHVybiBwcmludCh7XG4gICAgLi4uc3ZnLFxuICAgIGF0dHJpYnV0ZXM6IHtcbiAgICAgIHhtbG5zOiAnaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnLFxuICAgICAgd2lkdGg6IFN0cmluZyh3aWR0aCksXG4gICAgICBoZWlnaHQ6IFN0cmluZyhoZWlnaHQpLFxuICAgICAgLi4uc3ZnLmF0dHJpYnV0ZXMsXG4gICAgfSxcbiAgICBjaGlsZHJlbjogW2goJ3N0eWxlJywge30sIHN0eWxlLnJlcGxhY2VBbGwoJ1xcbicsICcnKSksIC4uLnN2Zy5jaGlsZHJlbl0sXG4gIH0pO1xufVxuIiwgIi8qKlxuICogRWxlbWVudHMgYXMgcGxhaW4gdmFsdWVzLiBBIHBhZ2UgaXMgYSBwdXJlIGZ1bmN0aW9uIGZyb20gZmluZGluZ3MgdG8gc3VjaCBhIHRyZWU7IGEgYnJvd3NlciBtb3VudHMgaXQsIGEgdGVzdFxuICogcHJpbnRzIGl0LiBUZXh0IGlzIGFsd2F5cyB0ZXh0OiBub3RoaW5nIGhlcmUgcGFyc2VzIG1hcmt1cC5cbiAqL1xuXG5leHBvcnQgdHlwZSBDaGlsZCA9IFRyZWUgfCBzdHJpbmcgfCBudW1iZXIgfCBudWxsIHwgZmFsc2UgfCB1bmRlZmluZWQ7XG5cbmV4cG9ydCBpbnRlcmZhY2UgVHJlZSB7XG4gIHRhZzogc3RyaW5nO1xuICBhdHRyaWJ1dGVzOiBSZWNvcmQ8c3RyaW5nLCBzdHJpbmc+O1xuICBjaGlsZHJlbjogKFRyZWUgfCBzdHJpbmcpW107XG59XG5cbnR5cGUgQXR0cmlidXRlID0gc3RyaW5nIHwgbnVtYmVyIHwgYm9vbGVhbiB8IG51bGwgfCB1bmRlZmluZWQ7XG5cbi8qKiBBbiBlbGVtZW50LiBBbiBhdHRyaWJ1dGUgdGhhdCBpcyBgdHJ1ZWAgc3RhbmRzIHdpdGhvdXQgYSB2YWx1ZTsgYWJzZW50IG9uZXMgYXJlIGxlZnQgb3V0LiAqL1xuZXhwb3J0IGZ1bmN0aW9uIGgoXG4gIHRhZzogc3RyaW5nLFxuICBhdHRyaWJ1dGVzOiBSZWNvcmQ8c3RyaW5nLCBBdHRyaWJ1dGU+ID0ge30sXG4gIC4uLmNoaWxkcmVuOiAoQ2hpbGQgfCBDaGlsZFtdKVtdXG4pOiBUcmVlIHtcbiAgY29uc3Qga2VwdDogUmVjb3JkPHN0cmluZywgc3RyaW5nPiA9IHt9O1xuICBmb3IgKGNvbnN0IFtuYW1lLCB2YWx1ZV0gb2YgT2JqZWN0LmVudHJpZXMoYXR0cmlidXRlcykpIHtcbiAgICBpZiAodmFsdWUgPT09IHRydWUpIGtlcHRbbmFtZV0gPSAnJztcbiAgICBlbHNlIGlmICh2YWx1ZSAhPT0gZmFsc2UgJiYgdmFsdWUgIT0gbnVsbCkga2VwdFtuYW1lXSA9IHBsYWluKFN0cmluZyh2YWx1ZSkpO1xuICB9XG4gIGNvbnN0IGNvbnRlbnQgPSBjaGlsZHJlbi5mbGF0KCkuZmlsdGVyKChjaGlsZCkgPT4gY2hpbGQgIT09IG51bGwgJiYgY2hpbGQgIT09IHVuZGVmaW5lZCAmJiBjaGlsZCAhPT0gZmFsc2UpO1xuICByZXR1cm4ge1xuICAgIHRhZyxcbiAgICBhdHRyaWJ1dGVzOiBrZXB0LFxuICAgIGNoaWxkcmVuOiBjb250ZW50Lm1hcCgoY2hpbGQpID0+ICh0eXBlb2YgY2hpbGQgPT09ICdvYmplY3QnID8gY2hpbGQgOiBwbGFpbihTdHJpbmcoY2hpbGQpKSkpLFxuICB9O1xufVxuXG4vKiogV2l0aG91dCB0aGUgY29udHJvbCBjaGFyYWN0ZXJzIGFuZCBkaXJlY3Rpb24gbWFya3Mgd2l0aCB3aGljaCBhIHRleHQgY291bGQgZGlzZ3Vpc2UgaXRzIHN1cnJvdW5kaW5ncy4gKi9cbmZ1bmN0aW9uIHBsYWluKHRleHQ6IHN0cmluZyk6IHN0cmluZyB7XG4gIHJldHVybiB0ZXh0LnJlcGxhY2UoL1tcXHB7Q2N9XFx1MjAwZVxcdTIwMGZcXHUyMDJhLVxcdTIwMmVcXHUyMDY2LVxcdTIwNjldL2d1LCAnXFx1ZmZmZCcpO1xufVxuXG5jb25zdCBzdmdUYWdzID0gbmV3IFNldChcbiAgJ3N2ZyBnIHBhdGggbGluZSByZWN0IGNpcmNsZSBwb2x5Z29uIHBvbHlsaW5lIHRleHQgdHNwYW4gdGl0bGUgZGVzYyBkZWZzIHBhdHRlcm4gY2xpcFBhdGgnLnNwbGl0KCcgJyksXG4pO1xuXG4vKiogVGhlIHRyZWUgYXMgRE9NIG5vZGVzLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIG1vdW50KHRyZWU6IFRyZWUsIGRvY3VtZW50OiBEb2N1bWVudCk6IGdsb2JhbFRoaXMuRWxlbWVudCB7XG4gIGNvbnN0IG5vZGUgPSBzdmdUYWdzLmhhcyh0cmVlLnRhZylcbiAgICA/IGRvY3VtZW50LmNyZWF0ZUVsZW1lbnROUygnaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnLCB0cmVlLnRhZylcbiAgICA6IGRvY3VtZW50LmNyZWF0ZUVsZW1lbnQodHJlZS50YWcpO1xuICBmb3IgKGNvbnN0IFtuYW1lLCB2YWx1ZV0gb2YgT2JqZWN0LmVudHJpZXModHJlZS5hdHRyaWJ1dGVzKSkgbm9kZS5zZXRBdHRyaWJ1dGUobmFtZSwgdmFsdWUpO1xuICBmb3IgKGNvbnN0IGNoaWxkIG9mIHRyZWUuY2hpbGRyZW4pIG5vZGUuYXBwZW5kKHR5cGVvZiBjaGlsZCA9PT0gJ3N0cmluZycgPyBjaGlsZCA6IG1vdW50KGNoaWxkLCBkb2N1bWVudCkpO1xuICByZXR1cm4gbm9kZTtcbn1cblxuLyoqIFRoZSB0cmVlIGFzIGluZGVudGVkIG1hcmt1cCwgb25lIGVsZW1lbnQgYSBsaW5lLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIHByaW50KHRyZWU6IFRyZWUsIGluZGVudCA9ICcnKTogc3RyaW5nIHtcbiAgY29uc3QgYXR0cmlidXRlcyA9IE9iamVjdC5lbnRyaWVzKHRyZWUuYXR0cmlidXRlcylcbiAgICAubWFwKChbbmFtZSwgdmFsdWVdKSA9PiBgICR7bmFtZX09XCIke21hcmt1cCh2YWx1ZSl9XCJgKVxuICAgIC5qb2luKCcnKTtcbiAgY29uc3QgW2ZpcnN0XSA9IHRyZWUuY2hpbGRyZW47XG4gIGlmIChmaXJzdCA9PT0gdW5kZWZpbmVkKSByZXR1cm4gYCR7aW5kZW50fTwke3RyZWUudGFnfSR7YXR0cmlidXRlc30vPlxcbmA7XG4gIGlmICh0cmVlLmNoaWxkcmVuLmV2ZXJ5KChjaGlsZCkgPT4gdHlwZW9mIGNoaWxkID09PSAnc3RyaW5nJykpIHtcbiAgICByZXR1cm4gYCR7aW5kZW50fTwke3RyZWUudGFnfSR7YXR0cmlidXRlc30+JHttYXJrdXAodHJlZS5jaGlsZHJlbi5qb2luKCcnKSl9PC8ke3RyZWUudGFnfT5cXG5gO1xuICB9XG4gIGNvbnN0IGNvbnRlbnQgPSB0cmVlLmNoaWxkcmVuXG4gICAgLm1hcCgoY2hpbGQpID0+XG4gICAgICB0eXBlb2YgY2hpbGQgPT09ICdzdHJpbmcnID8gYCR7aW5kZW50fSAgJHttYXJrdXAoY2hpbGQpfVxcbmAgOiBwcmludChjaGlsZCwgYCR7aW5kZW50fSAgYCksXG4gICAgKVxuICAgIC5qb2luKCcnKTtcbiAgcmV0dXJuIGAke2luZGVudH08JHt0cmVlLnRhZ30ke2F0dHJpYnV0ZXN9PlxcbiR7Y29udGVudH0ke2luZGVudH08LyR7dHJlZS50YWd9PlxcbmA7XG59XG5cbmZ1bmN0aW9uIG1hcmt1cCh0ZXh0OiBzdHJpbmcpOiBzdHJpbmcge1xuICByZXR1cm4gdGV4dFxuICAgIC5yZXBsYWNlQWxsKCcmJywgJyZhbXA7JylcbiAgICAucmVwbGFjZUFsbCgnPCcsICcmbHQ7JylcbiAgICAucmVwbGFjZUFsbCgnPicsICcmZ3Q7JylcbiAgICAucmVwbGFjZUFsbCgnXCInLCAnJnF1b3Q7Jyk7XG59XG4iLCAiLyoqIFRoZSB3b3JkcyBhbmQgbWFya3Mgb2YgdmVyZGljdHMuIEEgbWFyayBoYXMgYSBzaGFwZSBvZiBpdHMgb3duLCBzbyB0aGF0IGNvbG91ciBvbmx5IHJlcGVhdHMgd2hhdCBpdCBzYXlzLiAqL1xuXG5pbXBvcnQgdHlwZSB7IE9iamVjdGl2ZUZpbmRpbmcsIFN0ZXBWZXJkaWN0LCBWZXJkaWN0IH0gZnJvbSAnLi9maW5kaW5ncy50cyc7XG5pbXBvcnQgeyBoLCB0eXBlIFRyZWUgfSBmcm9tICcuL3RyZWUudHMnO1xuXG5leHBvcnQgdHlwZSBUb25lID0gJ2dvb2QnIHwgJ2JhZCcgfCAnZG91YnRmdWwnIHwgJ3Vua25vd24nO1xuXG5leHBvcnQgaW50ZXJmYWNlIFdvcmQge1xuICB0b25lOiBUb25lO1xuICB0ZXh0OiBzdHJpbmc7XG59XG5cbmNvbnN0IHJ1bnM6IFJlY29yZDxWZXJkaWN0LCBXb3JkPiA9IHtcbiAgcGFzc2VkOiB7IHRvbmU6ICdnb29kJywgdGV4dDogJ3Bhc3NlZCcgfSxcbiAgYnJlYWNoZWQ6IHsgdG9uZTogJ2JhZCcsIHRleHQ6ICdicmVhY2hlZCcgfSxcbiAgaW52YWxpZDogeyB0b25lOiAnZG91YnRmdWwnLCB0ZXh0OiAnaW52YWxpZCcgfSxcbiAgaW50ZXJydXB0ZWQ6IHsgdG9uZTogJ2RvdWJ0ZnVsJywgdGV4dDogJ2ludGVycnVwdGVkJyB9LFxuICBmYWlsZWQ6IHsgdG9uZTogJ2JhZCcsIHRleHQ6ICdmYWlsZWQnIH0sXG59O1xuXG5jb25zdCBzdGVwczogUmVjb3JkPFN0ZXBWZXJkaWN0LCBXb3JkPiA9IHtcbiAgcGFzc2VkOiB7IHRvbmU6ICdnb29kJywgdGV4dDogJ3Bhc3NlZCcgfSxcbiAgYnJlYWNoZWQ6IHsgdG9uZTogJ2JhZCcsIHRleHQ6ICdicmVhY2hlZCcgfSxcbiAgaW52YWxpZDogeyB0b25lOiAnZG91YnRmdWwnLCB0ZXh0OiAnaW52YWxpZCcgfSxcbiAgdW5qdWRnZWQ6IHsgdG9uZTogJ3Vua25vd24nLCB0ZXh0OiAnbm90IGp1ZGdlZCcgfSxcbn07XG5cbmV4cG9ydCBjb25zdCBvZlJ1biA9ICh2ZXJkaWN0OiBWZXJkaWN0KTogV29yZCA9PiBydW5zW3ZlcmRpY3RdO1xuXG5leHBvcnQgY29uc3Qgb2ZTdGVwID0gKHZlcmRpY3Q6IFN0ZXBWZXJkaWN0KTogV29yZCA9PiBzdGVwc1t2ZXJkaWN0XTtcblxuLyoqIEFuIG9iamVjdGl2ZSBvZiB3aGljaCBubyB3aW5kb3cgY291bGQgYmUganVkZ2VkIGhhcyBuZWl0aGVyIHBhc3NlZCBub3IgZmFpbGVkLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIG9mT2JqZWN0aXZlKG9iamVjdGl2ZTogT2JqZWN0aXZlRmluZGluZyk6IFdvcmQge1xuICBpZiAob2JqZWN0aXZlLndpbmRvd3NfanVkZ2VkID09PSAwKSByZXR1cm4gc3RlcHMudW5qdWRnZWQ7XG4gIHJldHVybiBvYmplY3RpdmUucGFzc2VkID8gc3RlcHMucGFzc2VkIDogc3RlcHMuYnJlYWNoZWQ7XG59XG5cbi8qKiBBIG1hcmsgYXJvdW5kIGEgcG9pbnQ6IGEgZGlzYyBwYXNzZWQsIGEgY3Jvc3MgYnJlYWNoZWQsIGEgdHJpYW5nbGUgaXMgZG91YnRmdWwsIGEgaG9sbG93IHNxdWFyZSBpcyB1bmtub3duLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIG1hcmsodG9uZTogVG9uZSwgeDogbnVtYmVyLCB5OiBudW1iZXIsIHJhZGl1cyA9IDQuNSk6IFRyZWUge1xuICBjb25zdCBhdCA9IChkeDogbnVtYmVyLCBkeTogbnVtYmVyKSA9PiBgJHtwaXhlbCh4ICsgZHggKiByYWRpdXMpfSAke3BpeGVsKHkgKyBkeSAqIHJhZGl1cyl9YDtcbiAgY29uc3Qgc2hhcGUgPSAoZDogc3RyaW5nKSA9PiBoKCdwYXRoJywgeyBjbGFzczogYG1hcmsgJHt0b25lfWAsIGQgfSk7XG4gIHN3aXRjaCAodG9uZSkge1xuICAgIGNhc2UgJ2dvb2QnOlxuICAgICAgcmV0dXJuIGgoJ2NpcmNsZScsIHsgY2xhc3M6ICdtYXJrIGdvb2QnLCBjeDogcGl4ZWwoeCksIGN5OiBwaXhlbCh5KSwgcjogcGl4ZWwocmFkaXVzKSB9KTtcbiAgICBjYXNlICdiYWQnOlxuICAgICAgcmV0dXJuIHNoYXBlKGBNJHthdCgtMSwgLTEpfUwke2F0KDEsIDEpfU0ke2F0KC0xLCAxKX1MJHthdCgxLCAtMSl9YCk7XG4gICAgY2FzZSAnZG91YnRmdWwnOlxuICAgICAgcmV0dXJuIHNoYXBlKGBNJHthdCgwLCAtMS4yKX1MJHthdCgxLjE1LCAwLjkpfUwke2F0KC0xLjE1LCAwLjkpfVpgKTtcbiAgICBjYXNlICd1bmtub3duJzpcbiAgICAgIHJldHVybiBzaGFwZShgTSR7YXQoLTAuOSwgLTAuOSl9TCR7YXQoMC45LCAtMC45KX1MJHthdCgwLjksIDAuOSl9TCR7YXQoLTAuOSwgMC45KX1aYCk7XG4gIH1cbn1cblxuLyoqIEEgbWFyayBhbmQgaXRzIHdvcmQsIGZvciBydW5uaW5nIHRleHQgYW5kIHRhYmxlcy4gKi9cbmV4cG9ydCBmdW5jdGlvbiBiYWRnZSh7IHRvbmUsIHRleHQgfTogV29yZCk6IFRyZWUge1xuICByZXR1cm4gaChcbiAgICAnc3BhbicsXG4gICAgeyBjbGFzczogYGJhZGdlICR7dG9uZX1gIH0sXG4gICAgaCgnc3ZnJywgeyB2aWV3Qm94OiAnMCAwIDE0IDE0JywgJ2FyaWEtaGlkZGVuJzogJ3RydWUnIH0sIG1hcmsodG9uZSwgNywgNywgNC42KSksXG4gICAgdGV4dCxcbiAgKTtcbn1cblxuLyoqIEEgY29vcmRpbmF0ZTogb25lIGRlY2ltYWwgaXMgZmluZXIgdGhhbiBhbnkgc2NyZWVuLiAqL1xuZXhwb3J0IGNvbnN0IHBpeGVsID0gKHZhbHVlOiBudW1iZXIpOiBzdHJpbmcgPT4gU3RyaW5nKE1hdGgucm91bmQodmFsdWUgKiAxMCkgLyAxMCk7XG4iLCAiLyoqIFRoZSBjdXJzb3Igb2YgYSBjaGFydDogYnkgcG9pbnRlciwgYnkgdG91Y2ggYW5kIGJ5IGtleWJvYXJkLCB3aXRoIHRoZSBleGFjdCBmaWd1cmVzIGJlc2lkZSBpdC4gKi9cblxuaW1wb3J0IHR5cGUgeyBDaGFydCwgU3RvcCB9IGZyb20gJy4vY2hhcnRzL2ZyYW1lLnRzJztcbmltcG9ydCB7IGgsIG1vdW50IH0gZnJvbSAnLi90cmVlLnRzJztcbmltcG9ydCB7IGJhZGdlIH0gZnJvbSAnLi92ZXJkaWN0LnRzJztcblxuY29uc3Qgc3ZnTmFtZXNwYWNlID0gJ2h0dHA6Ly93d3cudzMub3JnLzIwMDAvc3ZnJztcblxuLyoqIERyYXdzIHRoZSBjaGFydCBpbnRvIGl0cyBwbGFjZSBhbmQgbGV0cyB0aGUgcmVhZGVyIGV4cGxvcmUgaXQuIERyYXduIGFnYWluLCBpdCBmb3JnZXRzIHRoZSBvbGQgY2hhcnQuICovXG5leHBvcnQgZnVuY3Rpb24gZXhwbG9yZShwbGFjZTogSFRNTEVsZW1lbnQsIGNoYXJ0OiBDaGFydCwgbmFtZTogc3RyaW5nKTogdm9pZCB7XG4gIGNvbnN0IHN2ZyA9IG1vdW50KGNoYXJ0LnN2ZywgZG9jdW1lbnQpIGFzIFNWR1NWR0VsZW1lbnQ7XG4gIGNvbnN0IHRpcCA9IG1vdW50KGgoJ2RpdicsIHsgY2xhc3M6ICd0aXAnLCBoaWRkZW46IHRydWUgfSksIGRvY3VtZW50KSBhcyBIVE1MRWxlbWVudDtcbiAgY29uc3Qgc2xpZGVyID0gbW91bnQoXG4gICAgaCgnZGl2Jywge1xuICAgICAgY2xhc3M6ICdzbGlkZXInLFxuICAgICAgcm9sZTogJ3NsaWRlcicsXG4gICAgICB0YWJpbmRleDogMCxcbiAgICAgICdhcmlhLWxhYmVsJzogYCR7bmFtZX06IGFycm93IGtleXMgc3RlcCB0aHJvdWdoIHRoZSBmaWd1cmVzYCxcbiAgICAgICdhcmlhLW9yaWVudGF0aW9uJzogJ2hvcml6b250YWwnLFxuICAgICAgJ2FyaWEtdmFsdWVtaW4nOiAxLFxuICAgICAgJ2FyaWEtdmFsdWVtYXgnOiBjaGFydC5zdG9wcy5sZW5ndGgsXG4gICAgICAnYXJpYS12YWx1ZW5vdyc6IDEsXG4gICAgICAnYXJpYS12YWx1ZXRleHQnOiBzcG9rZW4oY2hhcnQuc3RvcHNbMF0pLFxuICAgIH0pLFxuICAgIGRvY3VtZW50LFxuICApIGFzIEhUTUxFbGVtZW50O1xuICBwbGFjZS5yZXBsYWNlQ2hpbGRyZW4oc3ZnLCBzbGlkZXIsIHRpcCk7XG4gIGlmIChjaGFydC5zdG9wcy5sZW5ndGggPT09IDApIHJldHVybjtcbiAgY29uc3QgY3Vyc29yID0gc3ZnLnF1ZXJ5U2VsZWN0b3I8U1ZHR0VsZW1lbnQ+KCcuY3Vyc29yJyk7XG4gIGxldCBjdXJyZW50OiBudW1iZXIgfCBudWxsID0gbnVsbDtcblxuICBjb25zdCBzaG93ID0gKGluZGV4OiBudW1iZXIpID0+IHtcbiAgICBjb25zdCBzdG9wID0gY2hhcnQuc3RvcHNbaW5kZXhdO1xuICAgIGlmICghc3RvcCB8fCAhY3Vyc29yKSByZXR1cm47XG4gICAgY3VycmVudCA9IGluZGV4O1xuICAgIHNsaWRlci5zZXRBdHRyaWJ1dGUoJ2FyaWEtdmFsdWVub3cnLCBTdHJpbmcoaW5kZXggKyAxKSk7XG4gICAgc2xpZGVyLnNldEF0dHJpYnV0ZSgnYXJpYS12YWx1ZXRleHQnLCBzcG9rZW4oc3RvcCkpO1xuICAgIG1vdmVDdXJzb3IoY3Vyc29yLCBzdG9wKTtcbiAgICB0aXAucmVwbGFjZUNoaWxkcmVuKC4uLnRpcENvbnRlbnQoc3RvcCkpO1xuICAgIHRpcC5oaWRkZW4gPSBmYWxzZTtcbiAgICBwbGFjZVRpcCh0aXAsIHBsYWNlLCAoc3RvcC54IC8gY2hhcnQud2lkdGgpICogcGxhY2UuY2xpZW50V2lkdGgpO1xuICB9O1xuICBjb25zdCBoaWRlID0gKCkgPT4ge1xuICAgIGN1cnJlbnQgPSBudWxsO1xuICAgIHRpcC5oaWRkZW4gPSB0cnVlO1xuICAgIGN1cnNvcj8uc2V0QXR0cmlidXRlKCd2aXNpYmlsaXR5JywgJ2hpZGRlbicpO1xuICB9O1xuICBjb25zdCBwb2ludCA9IChldmVudDogUG9pbnRlckV2ZW50KSA9PiB7XG4gICAgY29uc3QgYm94ID0gc2xpZGVyLmdldEJvdW5kaW5nQ2xpZW50UmVjdCgpO1xuICAgIHNob3coXG4gICAgICBuZWFyZXN0KFxuICAgICAgICBjaGFydCxcbiAgICAgICAgKChldmVudC5jbGllbnRYIC0gYm94LmxlZnQpIC8gYm94LndpZHRoKSAqIGNoYXJ0LndpZHRoLFxuICAgICAgICAoKGV2ZW50LmNsaWVudFkgLSBib3gudG9wKSAvIGJveC5oZWlnaHQpICogY2hhcnQuaGVpZ2h0LFxuICAgICAgKSxcbiAgICApO1xuICB9O1xuXG4gIHNsaWRlci5hZGRFdmVudExpc3RlbmVyKCdwb2ludGVybW92ZScsIHBvaW50KTtcbiAgc2xpZGVyLmFkZEV2ZW50TGlzdGVuZXIoJ3BvaW50ZXJkb3duJywgcG9pbnQpO1xuICBzbGlkZXIuYWRkRXZlbnRMaXN0ZW5lcigncG9pbnRlcmxlYXZlJywgKGV2ZW50KSA9PiB7XG4gICAgaWYgKGV2ZW50LnBvaW50ZXJUeXBlID09PSAnbW91c2UnICYmIGRvY3VtZW50LmFjdGl2ZUVsZW1lbnQgIT09IHNsaWRlcikgaGlkZSgpO1xuICB9KTtcbiAgc2xpZGVyLmFkZEV2ZW50TGlzdGVuZXIoJ2ZvY3VzJywgKCkgPT4ge1xuICAgIGlmIChzbGlkZXIubWF0Y2hlcygnOmZvY3VzLXZpc2libGUnKSkgc2hvdyhjdXJyZW50ID8/IDApO1xuICB9KTtcbiAgc2xpZGVyLmFkZEV2ZW50TGlzdGVuZXIoJ2JsdXInLCBoaWRlKTtcbiAgc2xpZGVyLmFkZEV2ZW50TGlzdGVuZXIoJ2tleWRvd24nLCAoZXZlbnQpID0+IHtcbiAgICBjb25zdCBsYXN0ID0gY2hhcnQuc3RvcHMubGVuZ3RoIC0gMTtcbiAgICBjb25zdCBmcm9tID0gY3VycmVudCA/PyAwO1xuICAgIGNvbnN0IGxlYXAgPSBNYXRoLm1heCgxLCBNYXRoLnJvdW5kKGxhc3QgLyAxMCkpO1xuICAgIGNvbnN0IHRhcmdldDogUmVjb3JkPHN0cmluZywgbnVtYmVyPiA9IHtcbiAgICAgIEFycm93UmlnaHQ6IGZyb20gKyAxLFxuICAgICAgQXJyb3dVcDogZnJvbSArIDEsXG4gICAgICBBcnJvd0xlZnQ6IGZyb20gLSAxLFxuICAgICAgQXJyb3dEb3duOiBmcm9tIC0gMSxcbiAgICAgIFBhZ2VVcDogZnJvbSArIGxlYXAsXG4gICAgICBQYWdlRG93bjogZnJvbSAtIGxlYXAsXG4gICAgICBIb21lOiAwLFxuICAgICAgRW5kOiBsYXN0LFxuICAgIH07XG4gICAgY29uc3QgdG8gPSB0YXJnZXRbZXZlbnQua2V5XTtcbiAgICBpZiAodG8gIT09IHVuZGVmaW5lZCkge1xuICAgICAgZXZlbnQucHJldmVudERlZmF1bHQoKTtcbiAgICAgIHNob3coTWF0aC5taW4oTWF0aC5tYXgodG8sIDApLCBsYXN0KSk7XG4gICAgfSBlbHNlIGlmIChldmVudC5rZXkgPT09ICdFc2NhcGUnKSB7XG4gICAgICBoaWRlKCk7XG4gICAgfVxuICB9KTtcbn1cblxuLyoqIFRoZSBzdG9wIGF0IHRoZSBuZWFyZXN0IHg7IGFtb25nIHRob3NlIHRoYXQgc2hhcmUgaXQsIHRoZSBvbmUgd2l0aCB0aGUgbmVhcmVzdCByaW5nLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIG5lYXJlc3QoY2hhcnQ6IFBpY2s8Q2hhcnQsICdzdG9wcyc+LCB4OiBudW1iZXIsIHk6IG51bWJlcik6IG51bWJlciB7XG4gIGxldCBiZXN0ID0gMDtcbiAgbGV0IGxlYXN0ID0gW051bWJlci5QT1NJVElWRV9JTkZJTklUWSwgTnVtYmVyLlBPU0lUSVZFX0lORklOSVRZXSBhcyBjb25zdDtcbiAgY2hhcnQuc3RvcHMuZm9yRWFjaCgoc3RvcCwgaW5kZXgpID0+IHtcbiAgICBjb25zdCBhc2lkZSA9IE1hdGguYWJzKHN0b3AueCAtIHgpO1xuICAgIGNvbnN0IGFib3ZlID0gTWF0aC5taW4oLi4uc3RvcC5yaW5ncy5tYXAoKFssIHJpbmddKSA9PiBNYXRoLmFicyhyaW5nIC0geSkpKTtcbiAgICBpZiAoYXNpZGUgPCBsZWFzdFswXSB8fCAoYXNpZGUgPT09IGxlYXN0WzBdICYmIGFib3ZlIDw9IGxlYXN0WzFdKSkge1xuICAgICAgYmVzdCA9IGluZGV4O1xuICAgICAgbGVhc3QgPSBbYXNpZGUsIGFib3ZlXTtcbiAgICB9XG4gIH0pO1xuICByZXR1cm4gYmVzdDtcbn1cblxuZnVuY3Rpb24gc3Bva2VuKHN0b3A6IFN0b3AgfCB1bmRlZmluZWQpOiBzdHJpbmcge1xuICBpZiAoIXN0b3ApIHJldHVybiAnbm8gZmlndXJlcyc7XG4gIGNvbnN0IGhlYWQgPSBzdG9wLnZlcmRpY3QgPyBgJHtzdG9wLnRpdGxlfSwgJHtzdG9wLnZlcmRpY3R9YCA6IHN0b3AudGl0bGU7XG4gIHJldHVybiBgJHtoZWFkfTogJHtzdG9wLnJvd3MubWFwKChbbmFtZSwgZmlndXJlXSkgPT4gYCR7bmFtZX0gJHtmaWd1cmV9YCkuam9pbignLCAnKX1gO1xufVxuXG5mdW5jdGlvbiBtb3ZlQ3Vyc29yKGN1cnNvcjogU1ZHR0VsZW1lbnQsIHN0b3A6IFN0b3ApOiB2b2lkIHtcbiAgY29uc3QgbGluZSA9IGN1cnNvci5xdWVyeVNlbGVjdG9yKCdsaW5lJyk7XG4gIGxpbmU/LnNldEF0dHJpYnV0ZSgneDEnLCBTdHJpbmcoc3RvcC54KSk7XG4gIGxpbmU/LnNldEF0dHJpYnV0ZSgneDInLCBTdHJpbmcoc3RvcC54KSk7XG4gIGZvciAoY29uc3QgcmluZyBvZiBjdXJzb3IucXVlcnlTZWxlY3RvckFsbCgnY2lyY2xlJykpIHJpbmcucmVtb3ZlKCk7XG4gIGZvciAoY29uc3QgW3gsIHldIG9mIHN0b3AucmluZ3MpIHtcbiAgICBjb25zdCByaW5nID0gZG9jdW1lbnQuY3JlYXRlRWxlbWVudE5TKHN2Z05hbWVzcGFjZSwgJ2NpcmNsZScpO1xuICAgIHJpbmcuc2V0QXR0cmlidXRlKCdjeCcsIFN0cmluZyh4KSk7XG4gICAgcmluZy5zZXRBdHRyaWJ1dGUoJ2N5JywgU3RyaW5nKHkpKTtcbiAgICByaW5nLnNldEF0dHJpYnV0ZSgncicsICc3Jyk7XG4gICAgY3Vyc29yLmFwcGVuZChyaW5nKTtcbiAgfVxuICBjdXJzb3Iuc2V0QXR0cmlidXRlKCd2aXNpYmlsaXR5JywgJ3Zpc2libGUnKTtcbn1cblxuZnVuY3Rpb24gdGlwQ29udGVudChzdG9wOiBTdG9wKTogTm9kZVtdIHtcbiAgY29uc3Qgd29yZCA9IHN0b3AudG9uZSAmJiBzdG9wLnZlcmRpY3QgPyBiYWRnZSh7IHRvbmU6IHN0b3AudG9uZSwgdGV4dDogc3RvcC52ZXJkaWN0IH0pIDogbnVsbDtcbiAgcmV0dXJuIFtcbiAgICBoKCdwJywge30sIHN0b3AudGl0bGUsIHdvcmQpLFxuICAgIGgoXG4gICAgICAnZGwnLFxuICAgICAge30sXG4gICAgICBzdG9wLnJvd3MubWFwKChbbmFtZSwgZmlndXJlXSkgPT4gaCgnZGl2Jywge30sIGgoJ2R0Jywge30sIG5hbWUpLCBoKCdkZCcsIHt9LCBmaWd1cmUpKSksXG4gICAgKSxcbiAgXS5tYXAoKHRyZWUpID0+IG1vdW50KHRyZWUsIGRvY3VtZW50KSk7XG59XG5cbi8qKiBCZXNpZGUgdGhlIGN1cnNvciwgb24gdGhlIHNpZGUgdGhhdCBoYXMgcm9vbTsgYmVsb3cgdGhlIGNoYXJ0IHdoZXJlIGl0IHdvdWxkIGhpZGUgbW9zdCBvZiBpdC4gKi9cbmZ1bmN0aW9uIHBsYWNlVGlwKHRpcDogSFRNTEVsZW1lbnQsIHBsYWNlOiBIVE1MRWxlbWVudCwgeDogbnVtYmVyKTogdm9pZCB7XG4gIGNvbnN0IHJvb20gPSBwbGFjZS5jbGllbnRXaWR0aDtcbiAgdGlwLmNsYXNzTGlzdC50b2dnbGUoJ2JlbG93Jywgcm9vbSA8IDQ4MCk7XG4gIGlmIChyb29tIDwgNDgwKSB7XG4gICAgdGlwLnN0eWxlLmxlZnQgPSAnMCc7XG4gICAgcmV0dXJuO1xuICB9XG4gIGNvbnN0IHdpZHRoID0gdGlwLm9mZnNldFdpZHRoO1xuICBjb25zdCByaWdodCA9IHggKyAxNCArIHdpZHRoIDw9IHJvb207XG4gIGNvbnN0IGxlZnQgPSByaWdodCA/IHggKyAxNCA6IE1hdGgubWF4KDAsIHggLSAxNCAtIHdpZHRoKTtcbiAgdGlwLnN0eWxlLmxlZnQgPSBgJHtNYXRoLm1pbihsZWZ0LCBNYXRoLm1heCgwLCByb29tIC0gd2lkdGgpKX1weGA7XG59XG4iLCAiLyoqXG4gKiBGaWd1cmVzIGFzIHBlb3BsZSByZWFkIHRoZW06IHRocmVlIHNpZ25pZmljYW50IGRpZ2l0cywgYSB1bml0IHRoYXQgc3VpdHMgdGhlIHNpemUsIHRob3VzYW5kcyBhcGFydC5cbiAqIFRoZSBzYW1lIHJ1bGVzIGFzIGNyYXRlcy9yZXBvcnQvc3JjL2ZpZ3VyZXMucnM7IGJvdGggYXJlIHRlc3RlZCBhZ2FpbnN0IGNyYXRlcy9yZXBvcnQvdGVzdHMvZmlndXJlcy5qc29uLlxuICovXG5cbi8qKiBXaGF0IHN0YW5kcyBmb3IgYSBmaWd1cmUgdGhhdCBpcyBub3Qga25vd24uICovXG5leHBvcnQgY29uc3QgdW5rbm93biA9ICdcdTIwMTMnO1xuXG4vKiogQW4gZXhhY3QgbnVtYmVyOiBgMSwyMzQsNTY3YC4gKi9cbmV4cG9ydCBmdW5jdGlvbiBjb3VudCh2YWx1ZTogbnVtYmVyKTogc3RyaW5nIHtcbiAgcmV0dXJuIEJpZ0ludChNYXRoLnJvdW5kKHZhbHVlKSlcbiAgICAudG9TdHJpbmcoKVxuICAgIC5yZXBsYWNlKC9cXEIoPz0oXFxkezN9KSsoPyFcXGQpKS9nLCAnLCcpO1xufVxuXG4vKiogQSBmaWd1cmUgd2l0aG91dCBhIHVuaXQ6IHdob2xlIGZyb20gMTAwIG9uLCB0aHJlZSBzaWduaWZpY2FudCBkaWdpdHMgYmVsb3cuICovXG5leHBvcnQgZnVuY3Rpb24gbnVtYmVyKHZhbHVlOiBudW1iZXIpOiBzdHJpbmcge1xuICBpZiAoIU51bWJlci5pc0Zpbml0ZSh2YWx1ZSkpIHJldHVybiAnLSc7XG4gIGNvbnN0IHNpemUgPSBNYXRoLmFicyh2YWx1ZSk7XG4gIGNvbnN0IHNpZ24gPSB2YWx1ZSA8IDAgPyAnLScgOiAnJztcbiAgaWYgKHNpemUgPj0gOTkuOTUpIHJldHVybiBzaWduICsgY291bnQoc2l6ZSk7XG4gIHJldHVybiBzaWduICsgdHJpbShzaXplLnRvRml4ZWQoc2l6ZSA+PSA5Ljk5NSA/IDEgOiBzaXplID49IDAuOTk5NSA/IDIgOiAzKSk7XG59XG5cbi8qKiBBIHJhdGU6IGA0LDg3MCByZXEvc2AuICovXG5leHBvcnQgY29uc3QgcmF0ZSA9IChwZXJTZWNvbmQ6IG51bWJlcik6IHN0cmluZyA9PiBgJHtudW1iZXIocGVyU2Vjb25kKX0gcmVxL3NgO1xuXG4vKiogQSBkdXJhdGlvbiBnaXZlbiBpbiBtaWxsaXNlY29uZHMsIGluIFx1MDBCNXMsIG1zIG9yIHMuICovXG5leHBvcnQgZnVuY3Rpb24gZHVyYXRpb24obXM6IG51bWJlcik6IHN0cmluZyB7XG4gIGlmICghTnVtYmVyLmlzRmluaXRlKG1zKSkgcmV0dXJuICctJztcbiAgY29uc3Qgc2l6ZSA9IE1hdGguYWJzKG1zKTtcbiAgaWYgKHNpemUgPT09IDApIHJldHVybiAnMCBtcyc7XG4gIGlmIChzaXplIDwgMC45OTk1KSByZXR1cm4gYCR7c2lnbmlmaWNhbnQobXMgKiAxZTMpfSBcdTAwQjVzYDtcbiAgaWYgKHNpemUgPCA5OTkuNSkgcmV0dXJuIGAke3NpZ25pZmljYW50KG1zKX0gbXNgO1xuICByZXR1cm4gYCR7c2lnbmlmaWNhbnQobXMgLyAxZTMpfSBzYDtcbn1cblxuLyoqIFRoZSBsZW5ndGggb2YgYSBydW46IGA4LjQgc2AsIGAxIG1pbiAyNCBzYCwgYDIgaCA1IG1pbmAuICovXG5leHBvcnQgZnVuY3Rpb24gZWxhcHNlZChzZWNvbmRzOiBudW1iZXIpOiBzdHJpbmcge1xuICBpZiAoIU51bWJlci5pc0Zpbml0ZShzZWNvbmRzKSkgcmV0dXJuICctJztcbiAgaWYgKHNlY29uZHMgPCA5Ljk1KSByZXR1cm4gYCR7dHJpbShzZWNvbmRzLnRvRml4ZWQoMSkpfSBzYDtcbiAgY29uc3Qgd2hvbGUgPSBNYXRoLnJvdW5kKHNlY29uZHMpO1xuICBjb25zdCBbaCwgbSwgc10gPSBbTWF0aC5mbG9vcih3aG9sZSAvIDM2MDApLCBNYXRoLmZsb29yKCh3aG9sZSAlIDM2MDApIC8gNjApLCB3aG9sZSAlIDYwXTtcbiAgaWYgKGggPiAwKSByZXR1cm4gbSA+IDAgPyBgJHtjb3VudChoKX0gaCAke219IG1pbmAgOiBgJHtjb3VudChoKX0gaGA7XG4gIGlmIChtID4gMCkgcmV0dXJuIHMgPiAwID8gYCR7bX0gbWluICR7c30gc2AgOiBgJHttfSBtaW5gO1xuICByZXR1cm4gYCR7c30gc2A7XG59XG5cbi8qKiBBIHNoYXJlIG9mIDEgaW4gcGVyIGNlbnQuIFdoYXQgaXMgbm90IHF1aXRlIGFsbCBvciBub3QgcXVpdGUgbm90aGluZyBuZXZlciByb3VuZHMgdG8gaXQuICovXG5leHBvcnQgZnVuY3Rpb24gc2hhcmUodmFsdWU6IG51bWJlcik6IHN0cmluZyB7XG4gIGlmICghTnVtYmVyLmlzRmluaXRlKHZhbHVlKSkgcmV0dXJuICctJztcbiAgY29uc3QgcGVyY2VudCA9IHZhbHVlICogMTAwO1xuICBpZiAocGVyY2VudCA9PT0gMCkgcmV0dXJuICcwJSc7XG4gIGlmIChwZXJjZW50ID4gMCAmJiBwZXJjZW50IDwgMC4wMDA1KSByZXR1cm4gJzwwLjAwMSUnO1xuICBpZiAocGVyY2VudCA+PSA5OS45NSAmJiBwZXJjZW50IDwgMTAwKSByZXR1cm4gJz45OS45JSc7XG4gIHJldHVybiBgJHt0cmltKHBlcmNlbnQudG9GaXhlZChwZXJjZW50IDwgMC4wOTk1ID8gMyA6IHBlcmNlbnQgPCA5Ljk5NSA/IDIgOiAxKSl9JWA7XG59XG5cbi8qKiBCeXRlcyBpbiBiaW5hcnkgdW5pdHMuICovXG5leHBvcnQgZnVuY3Rpb24gYnl0ZXModmFsdWU6IG51bWJlcik6IHN0cmluZyB7XG4gIGlmICh2YWx1ZSA8IDEwMjQpIHJldHVybiBgJHt2YWx1ZX0gQmA7XG4gIGNvbnN0IHVuaXRzID0gWydLaUInLCAnTWlCJywgJ0dpQicsICdUaUInLCAnUGlCJ107XG4gIGxldCBzaXplID0gdmFsdWUgLyAxMDI0O1xuICBsZXQgdW5pdCA9IDA7XG4gIHdoaWxlIChzaXplID49IDk5OS41ICYmIHVuaXQgKyAxIDwgdW5pdHMubGVuZ3RoKSB7XG4gICAgc2l6ZSAvPSAxMDI0O1xuICAgIHVuaXQgKz0gMTtcbiAgfVxuICByZXR1cm4gYCR7c2lnbmlmaWNhbnQoc2l6ZSl9ICR7dW5pdHNbdW5pdF19YDtcbn1cblxuLyoqIEEgZmlndXJlIG9mIGFuIG9iamVjdGl2ZSwgaW4gdGhlIHVuaXQgdGhlIGZpbmRpbmdzIG5hbWUuICovXG5leHBvcnQgZnVuY3Rpb24gaW5Vbml0KHZhbHVlOiBudW1iZXIsIHVuaXQ6IHN0cmluZyk6IHN0cmluZyB7XG4gIGlmICh1bml0ID09PSAnbXMnKSByZXR1cm4gZHVyYXRpb24odmFsdWUpO1xuICBpZiAodW5pdCA9PT0gJ3NoYXJlJykgcmV0dXJuIHNoYXJlKHZhbHVlKTtcbiAgcmV0dXJuIGAke251bWJlcih2YWx1ZSl9ICR7dW5pdH1gO1xufVxuXG4vKiogYGRyYXcodmFsdWUpYCwgb3IgYSBkYXNoIHdoZXJlIHRoZXJlIGlzIG5vIHZhbHVlLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIG9yRGFzaCh2YWx1ZTogbnVtYmVyIHwgbnVsbCB8IHVuZGVmaW5lZCwgZHJhdzogKHZhbHVlOiBudW1iZXIpID0+IHN0cmluZyk6IHN0cmluZyB7XG4gIHJldHVybiB2YWx1ZSA9PSBudWxsID8gdW5rbm93biA6IGRyYXcodmFsdWUpO1xufVxuXG5mdW5jdGlvbiBzaWduaWZpY2FudCh2YWx1ZTogbnVtYmVyKTogc3RyaW5nIHtcbiAgY29uc3Qgc2l6ZSA9IE1hdGguYWJzKHZhbHVlKTtcbiAgcmV0dXJuIHNpemUgPj0gOTkuOTUgPyBudW1iZXIodmFsdWUpIDogdmFsdWUudG9GaXhlZChzaXplID49IDkuOTk1ID8gMSA6IDIpO1xufVxuXG5mdW5jdGlvbiB0cmltKHRleHQ6IHN0cmluZyk6IHN0cmluZyB7XG4gIHJldHVybiB0ZXh0LmluY2x1ZGVzKCcuJykgPyB0ZXh0LnJlcGxhY2UoL1xcLj8wKyQvLCAnJykgOiB0ZXh0O1xufVxuIiwgIi8qKiBGcm9tIHZhbHVlcyB0byBwaXhlbHMsIGFuZCB3aGljaCB2YWx1ZXMgZGVzZXJ2ZSBhIHRpY2suICovXG5cbmV4cG9ydCBpbnRlcmZhY2UgU2NhbGUge1xuICAvKiogUGl4ZWwgb2YgYSB2YWx1ZTsgdmFsdWVzIG91dHNpZGUgdGhlIGRvbWFpbiBhcmUgaGVsZCBhdCBpdHMgZW5kcy4gKi9cbiAgYXQodmFsdWU6IG51bWJlcik6IG51bWJlcjtcbiAgLyoqIEFib3V0IGB3YW50ZWRgIHZhbHVlcyB3b3J0aCBhIHRpY2ssIGFzY2VuZGluZy4gKi9cbiAgdGlja3Mod2FudGVkOiBudW1iZXIpOiBudW1iZXJbXTtcbn1cblxudHlwZSBSYW5nZSA9IHJlYWRvbmx5IFtudW1iZXIsIG51bWJlcl07XG5cbi8qKiBFdmVuIGRpc3RhbmNlcyBmb3IgZXZlbiBkaWZmZXJlbmNlcy4gKi9cbmV4cG9ydCBmdW5jdGlvbiBsaW5lYXIoZG9tYWluOiBSYW5nZSwgcmFuZ2U6IFJhbmdlKTogU2NhbGUge1xuICBjb25zdCBbbG93LCBoaWdoXSA9IHdpZGVuZWQoZG9tYWluKTtcbiAgcmV0dXJuIHtcbiAgICBhdDogKHZhbHVlKSA9PiBiZXR3ZWVuKHJhbmdlLCAodmFsdWUgLSBsb3cpIC8gKGhpZ2ggLSBsb3cpKSxcbiAgICB0aWNrczogKHdhbnRlZCkgPT4gcm91bmRTdGVwcyhsb3csIGhpZ2gsIHJvdW5kU3RlcCgoaGlnaCAtIGxvdykgLyBNYXRoLm1heCh3YW50ZWQsIDEpKSksXG4gIH07XG59XG5cbi8qKiBFdmVuIGRpc3RhbmNlcyBmb3IgZXZlbiByYXRpb3MuIFdoYXQgaXMgbm90IGFib3ZlIHplcm8gc3RhbmRzIGF0IHRoZSBsb3dlciBlbmQuICovXG5leHBvcnQgZnVuY3Rpb24gbG9nYXJpdGhtaWMoZG9tYWluOiBSYW5nZSwgcmFuZ2U6IFJhbmdlKTogU2NhbGUge1xuICBjb25zdCBbbG93LCBoaWdoXSA9IHdpZGVuZWQoW01hdGgubG9nMTAoZG9tYWluWzBdKSwgTWF0aC5sb2cxMChkb21haW5bMV0pXSk7XG4gIHJldHVybiB7XG4gICAgYXQ6ICh2YWx1ZSkgPT4gYmV0d2VlbihyYW5nZSwgdmFsdWUgPiAwID8gKE1hdGgubG9nMTAodmFsdWUpIC0gbG93KSAvIChoaWdoIC0gbG93KSA6IDApLFxuICAgIHRpY2tzOiAod2FudGVkKSA9PiBsb2dhcml0aG1pY1RpY2tzKGxvdywgaGlnaCwgd2FudGVkKSxcbiAgfTtcbn1cblxuLyoqXG4gKiBBIHF1YW50aWxlIGJ5IGhvdyByYXJlbHkgaXQgaXMgZXhjZWVkZWQ6IDAsIDAuOSwgMC45OSBhbmQgc28gb24gc3RhbmQgYXQgZXZlbiBkaXN0YW5jZXMsIGFzIGluIHRoZSBwZXJjZW50aWxlIHBsb3RzXG4gKiBvZiBIZHJIaXN0b2dyYW0uXG4gKi9cbmV4cG9ydCBmdW5jdGlvbiBxdWFudGlsZShoaWdoZXN0OiBudW1iZXIsIHJhbmdlOiBSYW5nZSk6IFNjYWxlIHtcbiAgY29uc3QgbGFzdCA9IE1hdGgubWF4KG5pbmVzKGhpZ2hlc3QpLCAxKTtcbiAgcmV0dXJuIHtcbiAgICBhdDogKHZhbHVlKSA9PiBiZXR3ZWVuKHJhbmdlLCBuaW5lcyh2YWx1ZSkgLyBsYXN0KSxcbiAgICB0aWNrczogKCkgPT4gWzAsIDAuOSwgMC45OSwgMC45OTksIDAuOTk5OSwgMC45OTk5OSwgMC45OTk5OTldLmZpbHRlcigocSkgPT4gbmluZXMocSkgPD0gbGFzdCArIDFlLTkpLFxuICB9O1xufVxuXG4vKiogU2Vjb25kcywgd2l0aCB0aWNrcyBhdCB0aW1lcyB0aGF0IHBlb3BsZSBjb3VudCBpbi4gKi9cbmV4cG9ydCBmdW5jdGlvbiB0aW1lKGRvbWFpbjogUmFuZ2UsIHJhbmdlOiBSYW5nZSk6IFNjYWxlIHtcbiAgY29uc3QgW2xvdywgaGlnaF0gPSB3aWRlbmVkKGRvbWFpbik7XG4gIGNvbnN0IHN0ZXBzID0gWzEsIDIsIDUsIDEwLCAxNSwgMzAsIDYwLCAxMjAsIDMwMCwgNjAwLCA5MDAsIDE4MDAsIDM2MDAsIDcyMDAsIDIxNjAwLCA0MzIwMCwgODY0MDBdO1xuICByZXR1cm4ge1xuICAgIGF0OiBsaW5lYXIoZG9tYWluLCByYW5nZSkuYXQsXG4gICAgdGlja3M6ICh3YW50ZWQpID0+IHtcbiAgICAgIGNvbnN0IGxlYXN0ID0gKGhpZ2ggLSBsb3cpIC8gTWF0aC5tYXgod2FudGVkLCAxKTtcbiAgICAgIHJldHVybiByb3VuZFN0ZXBzKGxvdywgaGlnaCwgc3RlcHMuZmluZCgoc3RlcCkgPT4gc3RlcCA+PSBsZWFzdCkgPz8gcm91bmRTdGVwKGxlYXN0KSk7XG4gICAgfSxcbiAgfTtcbn1cblxuLyoqIExlYXN0IGFuZCBncmVhdGVzdCBvZiB0aGUgdmFsdWVzIHRoYXQgYXJlIG51bWJlcnM7IG51bGwgd2hlbiB0aGVyZSBpcyBub25lLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIGV4dGVudCh2YWx1ZXM6IEl0ZXJhYmxlPG51bWJlciB8IG51bGwgfCB1bmRlZmluZWQ+KTogW251bWJlciwgbnVtYmVyXSB8IG51bGwge1xuICBsZXQgW2xvdywgaGlnaF0gPSBbTnVtYmVyLlBPU0lUSVZFX0lORklOSVRZLCBOdW1iZXIuTkVHQVRJVkVfSU5GSU5JVFldO1xuICBmb3IgKGNvbnN0IHZhbHVlIG9mIHZhbHVlcykge1xuICAgIGlmICh2YWx1ZSA9PSBudWxsIHx8ICFOdW1iZXIuaXNGaW5pdGUodmFsdWUpKSBjb250aW51ZTtcbiAgICBsb3cgPSBNYXRoLm1pbihsb3csIHZhbHVlKTtcbiAgICBoaWdoID0gTWF0aC5tYXgoaGlnaCwgdmFsdWUpO1xuICB9XG4gIHJldHVybiBsb3cgPD0gaGlnaCA/IFtsb3csIGhpZ2hdIDogbnVsbDtcbn1cblxuLyoqIEhvdyBtYW55IG5pbmVzOiAwLjk5IGhhcyB0d28uICovXG5mdW5jdGlvbiBuaW5lcyh2YWx1ZTogbnVtYmVyKTogbnVtYmVyIHtcbiAgcmV0dXJuIC1NYXRoLmxvZzEwKE1hdGgubWF4KDEgLSB2YWx1ZSwgMWUtOSkpO1xufVxuXG5mdW5jdGlvbiBiZXR3ZWVuKFtmcm9tLCB0b106IFJhbmdlLCBzaGFyZTogbnVtYmVyKTogbnVtYmVyIHtcbiAgcmV0dXJuIGZyb20gKyAodG8gLSBmcm9tKSAqIE1hdGgubWluKE1hdGgubWF4KHNoYXJlLCAwKSwgMSk7XG59XG5cbi8qKiBBIGRvbWFpbiB3aXRoIGEgd2lkdGgsIGFsc28gd2hlcmUgYWxsIHZhbHVlcyBhcmUgdGhlIHNhbWUuICovXG5mdW5jdGlvbiB3aWRlbmVkKFtsb3csIGhpZ2hdOiBSYW5nZSk6IFJhbmdlIHtcbiAgcmV0dXJuIGhpZ2ggPiBsb3cgPyBbbG93LCBoaWdoXSA6IFtsb3csIGxvdyArIChNYXRoLmFicyhsb3cpIHx8IDEpXTtcbn1cblxuLyoqIFRoZSBuZWFyZXN0IG9mIDEsIDIsIDUsIDEwLCBcdTIwMjYgdGhhdCBpcyBub3QgbGVzcy4gKi9cbmZ1bmN0aW9uIHJvdW5kU3RlcChsZWFzdDogbnVtYmVyKTogbnVtYmVyIHtcbiAgY29uc3QgcG93ZXIgPSAxMCAqKiBNYXRoLmZsb29yKE1hdGgubG9nMTAobGVhc3QpKTtcbiAgcmV0dXJuIChbMSwgMiwgNSwgMTBdLmZpbmQoKGZhY3RvcikgPT4gZmFjdG9yICogcG93ZXIgPj0gbGVhc3QgKiAwLjk5OSkgPz8gMTApICogcG93ZXI7XG59XG5cbmZ1bmN0aW9uIHJvdW5kU3RlcHMobG93OiBudW1iZXIsIGhpZ2g6IG51bWJlciwgc3RlcDogbnVtYmVyKTogbnVtYmVyW10ge1xuICBjb25zdCB0aWNrczogbnVtYmVyW10gPSBbXTtcbiAgZm9yIChsZXQgbiA9IE1hdGguY2VpbChsb3cgLyBzdGVwIC0gMWUtOSk7IG4gKiBzdGVwIDw9IGhpZ2ggKyBzdGVwICogMWUtOTsgbiArPSAxKSB7XG4gICAgdGlja3MucHVzaChOdW1iZXIucGFyc2VGbG9hdCgobiAqIHN0ZXApLnRvUHJlY2lzaW9uKDEyKSkpO1xuICB9XG4gIHJldHVybiB0aWNrcztcbn1cblxuZnVuY3Rpb24gbG9nYXJpdGhtaWNUaWNrcyhsb3c6IG51bWJlciwgaGlnaDogbnVtYmVyLCB3YW50ZWQ6IG51bWJlcik6IG51bWJlcltdIHtcbiAgY29uc3QgaW5zaWRlID0gKGZhY3RvcnM6IG51bWJlcltdLCBldmVyeTogbnVtYmVyKSA9PiB7XG4gICAgY29uc3QgdGlja3M6IG51bWJlcltdID0gW107XG4gICAgZm9yIChsZXQgcG93ZXIgPSBNYXRoLmZsb29yKGxvdyk7IHBvd2VyIDw9IE1hdGguY2VpbChoaWdoKTsgcG93ZXIgKz0gMSkge1xuICAgICAgaWYgKHBvd2VyICUgZXZlcnkgIT09IDApIGNvbnRpbnVlO1xuICAgICAgZm9yIChjb25zdCBmYWN0b3Igb2YgZmFjdG9ycykge1xuICAgICAgICBjb25zdCBwb3NpdGlvbiA9IHBvd2VyICsgTWF0aC5sb2cxMChmYWN0b3IpO1xuICAgICAgICBpZiAocG9zaXRpb24gPj0gbG93IC0gMWUtOSAmJiBwb3NpdGlvbiA8PSBoaWdoICsgMWUtOSkge1xuICAgICAgICAgIHRpY2tzLnB1c2goTnVtYmVyLnBhcnNlRmxvYXQoKGZhY3RvciAqIDEwICoqIHBvd2VyKS50b1ByZWNpc2lvbigxMikpKTtcbiAgICAgICAgfVxuICAgICAgfVxuICAgIH1cbiAgICByZXR1cm4gdGlja3M7XG4gIH07XG4gIGNvbnN0IGRlY2FkZXMgPSBNYXRoLm1heChoaWdoIC0gbG93LCAwLjEpO1xuICBpZiAoZGVjYWRlcyAqIDMgPD0gd2FudGVkICsgMSkgcmV0dXJuIGluc2lkZShbMSwgMiwgNV0sIDEpO1xuICByZXR1cm4gaW5zaWRlKFsxXSwgTWF0aC5tYXgoMSwgTWF0aC5jZWlsKGRlY2FkZXMgLyBNYXRoLm1heCh3YW50ZWQsIDEpKSkpO1xufVxuIiwgIi8qKiBXaGF0IHRoZSBjaGFydHMgaGF2ZSBpbiBjb21tb246IHBhbmVscyBzdGFja2VkIG92ZXIgb25lIHggYXhpcywgZ3JpZCwgdGlja3MsIGJvdW5kcywgYW5kIHRoZSBzdG9wcyBvZiB0aGUgY3Vyc29yLiAqL1xuXG5pbXBvcnQgdHlwZSB7IFNjYWxlIH0gZnJvbSAnLi4vc2NhbGUudHMnO1xuaW1wb3J0IHsgdHlwZSBDaGlsZCwgaCwgdHlwZSBUcmVlIH0gZnJvbSAnLi4vdHJlZS50cyc7XG5pbXBvcnQgeyBwaXhlbCwgdHlwZSBUb25lIH0gZnJvbSAnLi4vdmVyZGljdC50cyc7XG5cbmV4cG9ydCBpbnRlcmZhY2UgQ2hhcnQge1xuICBzdmc6IFRyZWU7XG4gIHdpZHRoOiBudW1iZXI7XG4gIGhlaWdodDogbnVtYmVyO1xuICAvKiogV2hlcmUgdGhlIGN1cnNvciBtYXkgc3RvcCwgZnJvbSBsZWZ0IHRvIHJpZ2h0LiAqL1xuICBzdG9wczogU3RvcFtdO1xufVxuXG4vKiogQSBwbGFjZSBvZiB0aGUgY3Vyc29yIGFuZCB3aGF0IGlzIGtub3duIHRoZXJlLiAqL1xuZXhwb3J0IGludGVyZmFjZSBTdG9wIHtcbiAgeDogbnVtYmVyO1xuICB0aXRsZTogc3RyaW5nO1xuICB0b25lPzogVG9uZTtcbiAgdmVyZGljdD86IHN0cmluZztcbiAgcm93czogW25hbWU6IHN0cmluZywgZmlndXJlOiBzdHJpbmddW107XG4gIC8qKiBQb2ludHMgdGhhdCB0aGUgY3Vyc29yIHJpbmdzLiAqL1xuICByaW5nczogW3g6IG51bWJlciwgeTogbnVtYmVyXVtdO1xufVxuXG5leHBvcnQgaW50ZXJmYWNlIFBhbmVsIHtcbiAgdGl0bGU6IHN0cmluZztcbiAgaGVpZ2h0OiBudW1iZXI7XG4gIC8qKiBNYWRlIGZvciB0aGUgcmFuZ2UgdGhhdCB0aGUgcGFuZWwgaXMgZ2l2ZW4sIGJvdHRvbSBmaXJzdC4gKi9cbiAgc2NhbGUocmFuZ2U6IHJlYWRvbmx5IFtudW1iZXIsIG51bWJlcl0pOiBTY2FsZTtcbiAgdGljayh2YWx1ZTogbnVtYmVyKTogc3RyaW5nO1xuICAvKiogV2hhdCBpcyBkcmF3biwgYmFjayB0byBmcm9udC4gKi9cbiAgbWFya3MoeTogU2NhbGUpOiBDaGlsZFtdO1xuICBib3VuZHM/OiBCb3VuZFtdO1xuICAvKiogTmFtZXMgb2YgbGluZXMsIGluIHRoZSBvcmRlciBvZiB0aGVpciBkcmF3aW5nLCB3aXRoIHRoZSBjbGFzcyBvZiBlYWNoLiAqL1xuICBrZXk/OiB7IG5hbWU6IHN0cmluZzsgY2xhc3M6IHN0cmluZyB9W107XG59XG5cbi8qKiBBIGJvdW5kIG9mIGFuIG9iamVjdGl2ZTogdGhlIHNpZGUgYmV5b25kIGl0IGlzIGJyZWFjaGVkLiAqL1xuZXhwb3J0IGludGVyZmFjZSBCb3VuZCB7XG4gIHZhbHVlOiBudW1iZXI7XG4gIGxhYmVsOiBzdHJpbmc7XG4gIGFsbG93ZWQ6ICdiZWxvdycgfCAnYWJvdmUnO1xufVxuXG5leHBvcnQgaW50ZXJmYWNlIEZyYW1lIHtcbiAgd2lkdGg6IG51bWJlcjtcbiAgbGFiZWw6IHN0cmluZztcbiAgeDogU2NhbGU7XG4gIHhUaWNrKHZhbHVlOiBudW1iZXIpOiBzdHJpbmc7XG4gIHhUaXRsZTogc3RyaW5nO1xuICBwYW5lbHM6IFBhbmVsW107XG4gIC8qKiBEcmF3biBiZWhpbmQgYWxsIHBhbmVscyBvdmVyIHRoZWlyIHdob2xlIGhlaWdodC4gKi9cbiAgYmVoaW5kPyh0b3A6IG51bWJlciwgYm90dG9tOiBudW1iZXIpOiBDaGlsZFtdO1xuICAvKiogRHJhd24gYmVmb3JlIGFsbCBwYW5lbHMgb3ZlciB0aGVpciB3aG9sZSBoZWlnaHQuICovXG4gIGJlZm9yZT8odG9wOiBudW1iZXIsIGJvdHRvbTogbnVtYmVyKTogQ2hpbGRbXTtcbiAgLyoqIEhlaWdodCB0byBrZWVwIGZyZWUgYWJvdmUgdGhlIGZpcnN0IHBhbmVsLiAqL1xuICBoZWFkPzogbnVtYmVyO1xufVxuXG5jb25zdCB0aXRsZUhlaWdodCA9IDI3O1xuY29uc3QgYXhpc0hlaWdodCA9IDQwO1xuY29uc3QgZ2FwID0gMTQ7XG5cbi8qKiBMZWZ0IGFuZCByaWdodCBlbmQgb2YgdGhlIHBsb3RzIGluIGEgY2hhcnQgb2YgdGhpcyB3aWR0aC4gKi9cbmV4cG9ydCBjb25zdCBwbG90ID0gKHdpZHRoOiBudW1iZXIpOiByZWFkb25seSBbbnVtYmVyLCBudW1iZXJdID0+IFt3aWR0aCA8IDQ4MCA/IDU0IDogNjAsIHdpZHRoIC0gMTZdO1xuXG4vKiogU3RhY2tzIHRoZSBwYW5lbHM7IGdpdmVzIGVhY2ggcGFuZWwncyB5IHNjYWxlIHRvIGBzdG9wc2AsIHdoaWNoIHNheXMgd2hlcmUgdGhlIGN1cnNvciBtYXkgc3RvcC4gKi9cbmV4cG9ydCBmdW5jdGlvbiBmcmFtZShzcGVjOiBGcmFtZSwgc3RvcHM6ICh5czogU2NhbGVbXSkgPT4gU3RvcFtdKTogQ2hhcnQge1xuICBjb25zdCBbbGVmdCwgcmlnaHRdID0gcGxvdChzcGVjLndpZHRoKTtcbiAgbGV0IHkgPSBzcGVjLmhlYWQgPz8gMDtcbiAgY29uc3QgeXM6IFNjYWxlW10gPSBbXTtcbiAgY29uc3QgcGFuZWxzOiBUcmVlW10gPSBbXTtcbiAgY29uc3QgdG9wID0geSArIHRpdGxlSGVpZ2h0O1xuICBsZXQgYm90dG9tID0gdG9wO1xuICBmb3IgKGNvbnN0IHBhbmVsIG9mIHNwZWMucGFuZWxzKSB7XG4gICAgY29uc3QgZnJvbSA9IHkgKyB0aXRsZUhlaWdodDtcbiAgICBib3R0b20gPSBmcm9tICsgcGFuZWwuaGVpZ2h0O1xuICAgIGNvbnN0IHNjYWxlID0gcGFuZWwuc2NhbGUoW2JvdHRvbSwgZnJvbV0pO1xuICAgIHlzLnB1c2goc2NhbGUpO1xuICAgIHBhbmVscy5wdXNoKGRyYXduKHBhbmVsLCBzY2FsZSwgeyBsZWZ0LCByaWdodCwgdG9wOiBmcm9tLCBib3R0b20gfSkpO1xuICAgIHkgPSBib3R0b20gKyBnYXA7XG4gIH1cbiAgY29uc3QgaGVpZ2h0ID0gYm90dG9tICsgYXhpc0hlaWdodDtcbiAgY29uc3Qgc3ZnID0gaChcbiAgICAnc3ZnJyxcbiAgICB7IHZpZXdCb3g6IGAwIDAgJHtzcGVjLndpZHRofSAke3BpeGVsKGhlaWdodCl9YCwgcm9sZTogJ2ltZycsICdhcmlhLWxhYmVsJzogc3BlYy5sYWJlbCwgY2xhc3M6ICdjaGFydCcgfSxcbiAgICBoKCdnJywgeyBjbGFzczogJ2JlaGluZCcgfSwgc3BlYy5iZWhpbmQ/Lih0b3AsIGJvdHRvbSkgPz8gW10pLFxuICAgIHBhbmVscyxcbiAgICBoKCdnJywgeyBjbGFzczogJ2F4aXMnIH0sIHhBeGlzKHNwZWMsIGJvdHRvbSkpLFxuICAgIGgoJ2cnLCB7IGNsYXNzOiAnYmVmb3JlJyB9LCBzcGVjLmJlZm9yZT8uKHRvcCwgYm90dG9tKSA/PyBbXSksXG4gICAgaCgnZycsIHsgY2xhc3M6ICdjdXJzb3InLCB2aXNpYmlsaXR5OiAnaGlkZGVuJyB9LCBoKCdsaW5lJywgeyB5MTogcGl4ZWwodG9wKSwgeTI6IHBpeGVsKGJvdHRvbSkgfSkpLFxuICApO1xuICByZXR1cm4geyBzdmcsIHdpZHRoOiBzcGVjLndpZHRoLCBoZWlnaHQsIHN0b3BzOiBzdG9wcyh5cykuc29ydCgoYSwgYikgPT4gYS54IC0gYi54KSB9O1xufVxuXG5pbnRlcmZhY2UgQm94IHtcbiAgbGVmdDogbnVtYmVyO1xuICByaWdodDogbnVtYmVyO1xuICB0b3A6IG51bWJlcjtcbiAgYm90dG9tOiBudW1iZXI7XG59XG5cbmZ1bmN0aW9uIGRyYXduKHBhbmVsOiBQYW5lbCwgeTogU2NhbGUsIGJveDogQm94KTogVHJlZSB7XG4gIGNvbnN0IHRpY2tzID0gcGFuZWwuc2NhbGUoW2JveC5ib3R0b20sIGJveC50b3BdKS50aWNrcyhNYXRoLm1heCgyLCBNYXRoLmZsb29yKHBhbmVsLmhlaWdodCAvIDMwKSkpO1xuICByZXR1cm4gaChcbiAgICAnZycsXG4gICAgeyBjbGFzczogJ3BhbmVsJyB9LFxuICAgIGgoJ3RleHQnLCB7IGNsYXNzOiAndGl0bGUnLCB4OiAwLCB5OiBwaXhlbChib3gudG9wIC0gMTEpIH0sIHBhbmVsLnRpdGxlKSxcbiAgICBwYW5lbEtleShwYW5lbCwgYm94KSxcbiAgICB0aWNrcy5mbGF0TWFwKCh0aWNrKSA9PiBbXG4gICAgICBoKCdsaW5lJywge1xuICAgICAgICBjbGFzczogJ2dyaWQnLFxuICAgICAgICB4MTogcGl4ZWwoYm94LmxlZnQpLFxuICAgICAgICB4MjogcGl4ZWwoYm94LnJpZ2h0KSxcbiAgICAgICAgeTE6IHBpeGVsKHkuYXQodGljaykpLFxuICAgICAgICB5MjogcGl4ZWwoeS5hdCh0aWNrKSksXG4gICAgICB9KSxcbiAgICAgIGgoXG4gICAgICAgICd0ZXh0JyxcbiAgICAgICAgeyBjbGFzczogJ3RpY2snLCB4OiBwaXhlbChib3gubGVmdCAtIDcpLCB5OiBwaXhlbCh5LmF0KHRpY2spICsgNCksICd0ZXh0LWFuY2hvcic6ICdlbmQnIH0sXG4gICAgICAgIHBhbmVsLnRpY2sodGljayksXG4gICAgICApLFxuICAgIF0pLFxuICAgIChwYW5lbC5ib3VuZHMgPz8gW10pLm1hcCgoYm91bmQpID0+IGRyYXduQm91bmQoYm91bmQsIHksIGJveCkpLFxuICAgIHBhbmVsLm1hcmtzKHkpLFxuICAgIGgoJ2xpbmUnLCB7XG4gICAgICBjbGFzczogJ2Jhc2UnLFxuICAgICAgeDE6IHBpeGVsKGJveC5sZWZ0KSxcbiAgICAgIHgyOiBwaXhlbChib3gucmlnaHQpLFxuICAgICAgeTE6IHBpeGVsKGJveC5ib3R0b20pLFxuICAgICAgeTI6IHBpeGVsKGJveC5ib3R0b20pLFxuICAgIH0pLFxuICApO1xufVxuXG4vKiogVGhlIHNpZGUgYmV5b25kIHRoZSBib3VuZCBpcyB0aW50ZWQsIHRoZSBib3VuZCBpdHNlbGYgZGFzaGVkIGFuZCBuYW1lZC4gKi9cbmZ1bmN0aW9uIGRyYXduQm91bmQoYm91bmQ6IEJvdW5kLCB5OiBTY2FsZSwgYm94OiBCb3gpOiBUcmVlIHtcbiAgY29uc3QgYXQgPSB5LmF0KGJvdW5kLnZhbHVlKTtcbiAgY29uc3QgYmV5b25kID1cbiAgICBib3VuZC5hbGxvd2VkID09PSAnYmVsb3cnID8geyB5OiBib3gudG9wLCBoZWlnaHQ6IGF0IC0gYm94LnRvcCB9IDogeyB5OiBhdCwgaGVpZ2h0OiBib3guYm90dG9tIC0gYXQgfTtcbiAgY29uc3Qgcm9vbSA9IGJvdW5kLmFsbG93ZWQgPT09ICdiZWxvdycgPyBhdCAtIGJveC50b3AgPiAxNyA6IGJveC5ib3R0b20gLSBhdCA+IDE3O1xuICBjb25zdCBsYWJlbEF0ID0gKGJvdW5kLmFsbG93ZWQgPT09ICdiZWxvdycpID09PSByb29tID8gYXQgLSA1IDogYXQgKyAxNDtcbiAgcmV0dXJuIGgoXG4gICAgJ2cnLFxuICAgIHsgY2xhc3M6ICdib3VuZCcgfSxcbiAgICBoKCdyZWN0Jywge1xuICAgICAgY2xhc3M6ICdiZXlvbmQnLFxuICAgICAgeDogcGl4ZWwoYm94LmxlZnQpLFxuICAgICAgd2lkdGg6IHBpeGVsKGJveC5yaWdodCAtIGJveC5sZWZ0KSxcbiAgICAgIHk6IHBpeGVsKGJleW9uZC55KSxcbiAgICAgIGhlaWdodDogcGl4ZWwoTWF0aC5tYXgoYmV5b25kLmhlaWdodCwgMCkpLFxuICAgIH0pLFxuICAgIGgoJ2xpbmUnLCB7IHgxOiBwaXhlbChib3gubGVmdCksIHgyOiBwaXhlbChib3gucmlnaHQpLCB5MTogcGl4ZWwoYXQpLCB5MjogcGl4ZWwoYXQpIH0pLFxuICAgIGgoXG4gICAgICAndGV4dCcsXG4gICAgICB7IHg6IHBpeGVsKGJveC5sZWZ0ICsgNiksIHk6IHBpeGVsKGxhYmVsQXQpIH0sXG4gICAgICBzaG9ydGVuZWQoYm91bmQubGFiZWwsIChib3gucmlnaHQgLSBib3gubGVmdCkgLyA3KSxcbiAgICApLFxuICApO1xufVxuXG4vKiogTGluZSBzYW1wbGVzIHdpdGggdGhlaXIgbmFtZXMsIHJpZ2h0IG9mIHRoZSB0aXRsZS4gKi9cbmZ1bmN0aW9uIHBhbmVsS2V5KHBhbmVsOiBQYW5lbCwgYm94OiBCb3gpOiBDaGlsZCB7XG4gIGlmICghcGFuZWwua2V5KSByZXR1cm4gbnVsbDtcbiAgbGV0IHggPSBib3gucmlnaHQ7XG4gIGNvbnN0IGVudHJpZXMgPSBbLi4ucGFuZWwua2V5XS5yZXZlcnNlKCkubWFwKChlbnRyeSkgPT4ge1xuICAgIGNvbnN0IHRleHRBdCA9IHg7XG4gICAgeCAtPSBlbnRyeS5uYW1lLmxlbmd0aCAqIDYuOSArIDg7XG4gICAgY29uc3Qgc2FtcGxlID0gaCgnbGluZScsIHtcbiAgICAgIGNsYXNzOiBlbnRyeS5jbGFzcyxcbiAgICAgIHgxOiBwaXhlbCh4IC0gMTgpLFxuICAgICAgeDI6IHBpeGVsKHgpLFxuICAgICAgeTE6IHBpeGVsKGJveC50b3AgLSAxNSksXG4gICAgICB5MjogcGl4ZWwoYm94LnRvcCAtIDE1KSxcbiAgICB9KTtcbiAgICB4IC09IDMyO1xuICAgIHJldHVybiBbXG4gICAgICBoKCd0ZXh0JywgeyB4OiBwaXhlbCh0ZXh0QXQpLCB5OiBwaXhlbChib3gudG9wIC0gMTEpLCAndGV4dC1hbmNob3InOiAnZW5kJyB9LCBlbnRyeS5uYW1lKSxcbiAgICAgIHNhbXBsZSxcbiAgICBdO1xuICB9KTtcbiAgcmV0dXJuIGgoJ2cnLCB7IGNsYXNzOiAna2V5JyB9LCBlbnRyaWVzLmZsYXQoKSk7XG59XG5cbmZ1bmN0aW9uIHhBeGlzKHNwZWM6IEZyYW1lLCBib3R0b206IG51bWJlcik6IENoaWxkW10ge1xuICBjb25zdCBbbGVmdCwgcmlnaHRdID0gcGxvdChzcGVjLndpZHRoKTtcbiAgY29uc3QgdGlja3MgPSBzcGVjLngudGlja3MoTWF0aC5tYXgoMiwgTWF0aC5mbG9vcigocmlnaHQgLSBsZWZ0KSAvIDg4KSkpO1xuICByZXR1cm4gW1xuICAgIC4uLnRpY2tzLmZsYXRNYXAoKHRpY2spID0+IFtcbiAgICAgIGgoJ2xpbmUnLCB7XG4gICAgICAgIGNsYXNzOiAnYmFzZScsXG4gICAgICAgIHgxOiBwaXhlbChzcGVjLnguYXQodGljaykpLFxuICAgICAgICB4MjogcGl4ZWwoc3BlYy54LmF0KHRpY2spKSxcbiAgICAgICAgeTE6IHBpeGVsKGJvdHRvbSksXG4gICAgICAgIHkyOiBwaXhlbChib3R0b20gKyA0KSxcbiAgICAgIH0pLFxuICAgICAgaChcbiAgICAgICAgJ3RleHQnLFxuICAgICAgICB7IGNsYXNzOiAndGljaycsIHg6IHBpeGVsKHNwZWMueC5hdCh0aWNrKSksIHk6IHBpeGVsKGJvdHRvbSArIDE5KSwgJ3RleHQtYW5jaG9yJzogJ21pZGRsZScgfSxcbiAgICAgICAgc3BlYy54VGljayh0aWNrKSxcbiAgICAgICksXG4gICAgXSksXG4gICAgaCgndGV4dCcsIHsgY2xhc3M6ICd0aWNrJywgeDogcGl4ZWwocmlnaHQpLCB5OiBwaXhlbChib3R0b20gKyAzNSksICd0ZXh0LWFuY2hvcic6ICdlbmQnIH0sIHNwZWMueFRpdGxlKSxcbiAgXTtcbn1cblxuLyoqIEEgbGluZSB0aHJvdWdoIHRoZSBwb2ludHM7IGEgZ2FwIHdoZXJlIGEgdmFsdWUgaXMgbWlzc2luZy4gKi9cbmV4cG9ydCBmdW5jdGlvbiBwYXRoKFxuICBwb2ludHM6IHJlYWRvbmx5IChyZWFkb25seSBbeDogbnVtYmVyLCB5OiBudW1iZXIgfCBudWxsXSlbXSxcbiAgY2xhc3NOYW1lOiBzdHJpbmcsXG4pOiBUcmVlIHwgbnVsbCB7XG4gIGxldCBkID0gJyc7XG4gIGxldCBkcmF3aW5nID0gZmFsc2U7XG4gIGZvciAoY29uc3QgW3gsIHldIG9mIHBvaW50cykge1xuICAgIGlmICh5ID09PSBudWxsKSB7XG4gICAgICBkcmF3aW5nID0gZmFsc2U7XG4gICAgICBjb250aW51ZTtcbiAgICB9XG4gICAgZCArPSBgJHtkcmF3aW5nID8gJ0wnIDogJ00nfSR7cGl4ZWwoeCl9ICR7cGl4ZWwoeSl9YDtcbiAgICBkcmF3aW5nID0gdHJ1ZTtcbiAgfVxuICByZXR1cm4gZCA/IGgoJ3BhdGgnLCB7IGNsYXNzOiBjbGFzc05hbWUsIGQgfSkgOiBudWxsO1xufVxuXG4vKiogQXQgbW9zdCBgbG9uZ2VzdGAgY2hhcmFjdGVycy4gKi9cbmV4cG9ydCBjb25zdCBzaG9ydGVuZWQgPSAodGV4dDogc3RyaW5nLCBsb25nZXN0OiBudW1iZXIpOiBzdHJpbmcgPT5cbiAgdGV4dC5sZW5ndGggPiBsb25nZXN0ID8gYCR7dGV4dC5zbGljZSgwLCBNYXRoLm1heChsb25nZXN0IC0gMSwgMSkpLnRyaW1FbmQoKX1cdTIwMjZgIDogdGV4dDtcblxuLyoqIFN1bW1hcnkgb2YgYW4gYXhpcyB0aWNrOiB3aXRob3V0IG5lZWRsZXNzIHplcm9zLiAqL1xuZXhwb3J0IGNvbnN0IGJhcmVUaWNrID0gKHRleHQ6IHN0cmluZyk6IHN0cmluZyA9PlxuICB0ZXh0LnJlcGxhY2UoL1xcLjArKD89XFxEfCQpLywgJycpLnJlcGxhY2UoLyhcXC5cXGQqWzEtOV0pMCsoPz1cXER8JCkvLCAnJDEnKTtcbiIsICIvKiogUmVzcG9uc2UgdGltZSBieSBwZXJjZW50aWxlLCB0aGUgcmFyZSBvbmVzIGRyYXduIGFzIHdpZGUgYXMgdGhlIGZyZXF1ZW50IG9uZXMuICovXG5cbmltcG9ydCAqIGFzIGZpZ3VyZXMgZnJvbSAnLi4vZmlndXJlcy50cyc7XG5pbXBvcnQgdHlwZSB7IEZpbmRpbmdzLCBQZXJjZW50aWxlcyB9IGZyb20gJy4uL2ZpbmRpbmdzLnRzJztcbmltcG9ydCB7IGV4dGVudCwgbGluZWFyLCBsb2dhcml0aG1pYywgcXVhbnRpbGUgfSBmcm9tICcuLi9zY2FsZS50cyc7XG5pbXBvcnQgeyBoIH0gZnJvbSAnLi4vdHJlZS50cyc7XG5pbXBvcnQgeyBwaXhlbCB9IGZyb20gJy4uL3ZlcmRpY3QudHMnO1xuaW1wb3J0IHsgdHlwZSBCb3VuZCwgYmFyZVRpY2ssIHR5cGUgQ2hhcnQsIGZyYW1lLCBwYXRoLCBwbG90IH0gZnJvbSAnLi9mcmFtZS50cyc7XG5cbi8qKiBUaGUgY2hhcnQsIG9yIG51bGwgd2hlcmUgbm90aGluZyB3YXMgbWVhc3VyZWQuICovXG5leHBvcnQgZnVuY3Rpb24gcGVyY2VudGlsZUN1cnZlKGZpbmRpbmdzOiBGaW5kaW5ncywgd2lkdGg6IG51bWJlcik6IENoYXJ0IHwgbnVsbCB7XG4gIGNvbnN0IGN1cnZlID0gZmluZGluZ3MucmVzcG9uc2VfdGltZV9jdXJ2ZS5maWx0ZXIoKHBvaW50KSA9PiBOdW1iZXIuaXNGaW5pdGUocG9pbnQubXMpKTtcbiAgY29uc3QgaGlnaGVzdCA9IGN1cnZlLmF0KC0xKTtcbiAgaWYgKCFoaWdoZXN0IHx8IGN1cnZlLmxlbmd0aCA8IDIpIHJldHVybiBudWxsO1xuICBjb25zdCBlbmRzID0gZXh0ZW50KGN1cnZlLm1hcCgocG9pbnQpID0+IHBvaW50Lm1zKS5maWx0ZXIoKG1zKSA9PiBtcyA+IDApKSA/PyBbMC4xLCAxXTtcbiAgLy8gQSBib3VuZCBmYXIgYWJvdmUgdGhlIGN1cnZlIHdvdWxkIGZsYXR0ZW4gaXQ7IHRoZSB0YWJsZSBvZiBvYmplY3RpdmVzIHNob3dzIGl0IGFsbCB0aGUgc2FtZS5cbiAgY29uc3QgYm91bmRzID0gYm91bmRzT2YoZmluZGluZ3MpLmZpbHRlcigoYm91bmQpID0+IGJvdW5kLnZhbHVlIDw9IGVuZHNbMV0gKiA4KTtcbiAgY29uc3QgZ3JlYXRlc3QgPSBNYXRoLm1heChlbmRzWzFdLCAuLi5ib3VuZHMubWFwKChib3VuZCkgPT4gYm91bmQudmFsdWUpKTtcbiAgY29uc3Qgc2VydmljZSA9IGtub3duKGZpbmRpbmdzLnNlcnZpY2VfdGltZSk7XG4gIGNvbnN0IHggPSBxdWFudGlsZShNYXRoLm1pbihoaWdoZXN0LnF1YW50aWxlLCAwLjk5OV85OTkpLCBwbG90KHdpZHRoKSk7XG4gIGNvbnN0IHNjYWxlID1cbiAgICBncmVhdGVzdCAvIGVuZHNbMF0gPiA0MFxuICAgICAgPyAocmFuZ2U6IHJlYWRvbmx5IFtudW1iZXIsIG51bWJlcl0pID0+IGxvZ2FyaXRobWljKFtlbmRzWzBdICogMC43LCBncmVhdGVzdCAqIDEuNF0sIHJhbmdlKVxuICAgICAgOiAocmFuZ2U6IHJlYWRvbmx5IFtudW1iZXIsIG51bWJlcl0pID0+IGxpbmVhcihbMCwgZ3JlYXRlc3QgKiAxLjEyXSwgcmFuZ2UpO1xuICBjb25zdCB1bnRpbCA9IChwb2ludHM6IFtudW1iZXIsIG51bWJlcl1bXSkgPT4gcG9pbnRzLmZpbHRlcigoW3FdKSA9PiBxIDw9IGhpZ2hlc3QucXVhbnRpbGUpO1xuICByZXR1cm4gZnJhbWUoXG4gICAge1xuICAgICAgd2lkdGgsXG4gICAgICBsYWJlbDogYFJlc3BvbnNlIHRpbWUgYnkgcGVyY2VudGlsZTogJHtrbm93bihmaW5kaW5ncy5yZXNwb25zZV90aW1lKVxuICAgICAgICAubWFwKChbcSwgbXNdKSA9PiBgJHtwZXJjZW50aWxlKHEpfSAke2ZpZ3VyZXMuZHVyYXRpb24obXMpfWApXG4gICAgICAgIC5qb2luKCcsICcpfS5gLFxuICAgICAgeCxcbiAgICAgIHhUaWNrOiAocSkgPT4gcGVyY2VudGlsZShxKS5zbGljZSgxKSxcbiAgICAgIHhUaXRsZTogJ3BlcmNlbnRpbGUgb2YgdGhlIHJlcXVlc3RzJyxcbiAgICAgIHBhbmVsczogW1xuICAgICAgICB7XG4gICAgICAgICAgdGl0bGU6ICcnLFxuICAgICAgICAgIGhlaWdodDogd2lkdGggPCA0ODAgPyAyMjAgOiAyODAsXG4gICAgICAgICAgc2NhbGUsXG4gICAgICAgICAgdGljazogKG1zKSA9PiBiYXJlVGljayhmaWd1cmVzLmR1cmF0aW9uKG1zKSksXG4gICAgICAgICAgYm91bmRzLFxuICAgICAgICAgIGtleTogW1xuICAgICAgICAgICAgeyBuYW1lOiAncmVzcG9uc2UgdGltZScsIGNsYXNzOiAnbGluZSBmaXJzdCcgfSxcbiAgICAgICAgICAgIC4uLihzZXJ2aWNlLmxlbmd0aCA+IDAgPyBbeyBuYW1lOiAnc2VydmljZSB0aW1lJywgY2xhc3M6ICdsaW5lIHNlY29uZCcgfV0gOiBbXSksXG4gICAgICAgICAgXSxcbiAgICAgICAgICBtYXJrczogKHkpID0+IFtcbiAgICAgICAgICAgIHBhdGgoXG4gICAgICAgICAgICAgIHVudGlsKHNlcnZpY2UpLm1hcCgoW3EsIG1zXSkgPT4gW3guYXQocSksIHkuYXQobXMpXSksXG4gICAgICAgICAgICAgICdsaW5lIHNlY29uZCcsXG4gICAgICAgICAgICApLFxuICAgICAgICAgICAgcGF0aChcbiAgICAgICAgICAgICAgY3VydmUubWFwKChwb2ludCkgPT4gW3guYXQocG9pbnQucXVhbnRpbGUpLCB5LmF0KHBvaW50Lm1zKV0pLFxuICAgICAgICAgICAgICAnbGluZSBmaXJzdCcsXG4gICAgICAgICAgICApLFxuICAgICAgICAgICAgLi4udW50aWwoa25vd24oZmluZGluZ3MucmVzcG9uc2VfdGltZSkpLm1hcCgoW3EsIG1zXSkgPT4gZG90KHguYXQocSksIHkuYXQobXMpKSksXG4gICAgICAgICAgXSxcbiAgICAgICAgfSxcbiAgICAgIF0sXG4gICAgfSxcbiAgICAoW3ldKSA9PlxuICAgICAgY3VydmUubWFwKChwb2ludCkgPT4gKHtcbiAgICAgICAgeDogeC5hdChwb2ludC5xdWFudGlsZSksXG4gICAgICAgIHRpdGxlOiBwZXJjZW50aWxlKHBvaW50LnF1YW50aWxlKSxcbiAgICAgICAgcm93czogW1xuICAgICAgICAgIFsncmVzcG9uc2UgdGltZScsIGZpZ3VyZXMuZHVyYXRpb24ocG9pbnQubXMpXSxcbiAgICAgICAgICBbJ3Nsb3dlciB0aGFuIHRoYXQnLCBgMSBpbiAke2ZpZ3VyZXMubnVtYmVyKDEgLyBNYXRoLm1heCgxIC0gcG9pbnQucXVhbnRpbGUsIDFlLTkpKX1gXSxcbiAgICAgICAgXSxcbiAgICAgICAgcmluZ3M6IHJpbmdBdCh4LmF0KHBvaW50LnF1YW50aWxlKSwgeT8uYXQocG9pbnQubXMpKSxcbiAgICAgIH0pKSxcbiAgKTtcbn1cblxuY29uc3QgZG90ID0gKHg6IG51bWJlciwgeTogbnVtYmVyKSA9PiBoKCdjaXJjbGUnLCB7IGNsYXNzOiAnZG90IGZpcnN0JywgY3g6IHBpeGVsKHgpLCBjeTogcGl4ZWwoeSksIHI6IDMgfSk7XG5cbmNvbnN0IHJpbmdBdCA9ICh4OiBudW1iZXIsIHk6IG51bWJlciB8IHVuZGVmaW5lZCk6IFtudW1iZXIsIG51bWJlcl1bXSA9PiAoeSA9PT0gdW5kZWZpbmVkID8gW10gOiBbW3gsIHldXSk7XG5cbi8qKiBgcDk5LjlgLiAqL1xuY29uc3QgcGVyY2VudGlsZSA9IChxOiBudW1iZXIpOiBzdHJpbmcgPT4gYHAke051bWJlci5wYXJzZUZsb2F0KChxICogMTAwKS50b0ZpeGVkKDQpKX1gO1xuXG4vKiogVGhlIHF1YW50aWxlcyB0aGF0IGEgc3VtbWFyeSBrZWVwcy4gKi9cbmZ1bmN0aW9uIGtub3duKHA6IFBlcmNlbnRpbGVzKTogW3F1YW50aWxlOiBudW1iZXIsIG1zOiBudW1iZXJdW10ge1xuICBpZiAocC5jb3VudCA9PT0gMCkgcmV0dXJuIFtdO1xuICByZXR1cm4gW1xuICAgIFswLjUsIHAucDUwX21zXSxcbiAgICBbMC45LCBwLnA5MF9tc10sXG4gICAgWzAuOTUsIHAucDk1X21zXSxcbiAgICBbMC45OSwgcC5wOTlfbXNdLFxuICAgIFswLjk5OSwgcC5wOTk5X21zXSxcbiAgXTtcbn1cblxuLyoqIEJvdW5kcyBvZiByZXNwb25zZSB0aW1lcywgd2hhdGV2ZXIgdGhlaXIgcXVhbnRpbGU6IHRoZSBsYWJlbCBuYW1lcyBpdC4gKi9cbmV4cG9ydCBmdW5jdGlvbiBib3VuZHNPZihmaW5kaW5nczogRmluZGluZ3MpOiBCb3VuZFtdIHtcbiAgcmV0dXJuIGZpbmRpbmdzLm9iamVjdGl2ZXNcbiAgICAuZmlsdGVyKChvYmplY3RpdmUpID0+IG9iamVjdGl2ZS51bml0ID09PSAnbXMnKVxuICAgIC5tYXAoKG9iamVjdGl2ZSkgPT4gKHsgdmFsdWU6IG9iamVjdGl2ZS5ib3VuZCwgbGFiZWw6IG9iamVjdGl2ZS5vYmplY3RpdmUsIGFsbG93ZWQ6ICdiZWxvdycgfSkpO1xufVxuIiwgIi8qKiBFdmVyeSBzdGVwIG9mIGEgY2FwYWNpdHkgc2VhcmNoIG92ZXIgaXRzIG9mZmVyZWQgcmF0ZTogb25lIHBhbmVsIGZvciBlYWNoIG9iamVjdGl2ZSwgdGhlIGxvYWQgbGluZSB0aHJvdWdoIGFsbC4gKi9cblxuaW1wb3J0ICogYXMgZmlndXJlcyBmcm9tICcuLi9maWd1cmVzLnRzJztcbmltcG9ydCB0eXBlIHsgRmluZGluZ3MsIExvYWRMaW5lLCBPYmplY3RpdmVGaW5kaW5nLCBTdGVwRmluZGluZyB9IGZyb20gJy4uL2ZpbmRpbmdzLnRzJztcbmltcG9ydCB7IGV4dGVudCwgbGluZWFyLCBsb2dhcml0aG1pYywgdHlwZSBTY2FsZSB9IGZyb20gJy4uL3NjYWxlLnRzJztcbmltcG9ydCB7IHR5cGUgQ2hpbGQsIGggfSBmcm9tICcuLi90cmVlLnRzJztcbmltcG9ydCB7IG1hcmssIG9mU3RlcCwgcGl4ZWwgfSBmcm9tICcuLi92ZXJkaWN0LnRzJztcbmltcG9ydCB7IHR5cGUgQm91bmQsIGJhcmVUaWNrLCB0eXBlIENoYXJ0LCBmcmFtZSwgdHlwZSBQYW5lbCwgcGF0aCwgcGxvdCwgdHlwZSBTdG9wIH0gZnJvbSAnLi9mcmFtZS50cyc7XG5cbmludGVyZmFjZSBUcmllZCBleHRlbmRzIFN0ZXBGaW5kaW5nIHtcbiAgb2ZmZXJlZF9wZXJfczogbnVtYmVyO1xufVxuXG4vKiogV2hhdCBhIHBhbmVsIHNob3dzIG9mIGEgc3RlcCwgYW5kIGhvdy4gKi9cbmludGVyZmFjZSBNZWFzdXJlIHtcbiAgdGl0bGU6IHN0cmluZztcbiAgaGVpZ2h0OiBudW1iZXI7XG4gIHVuaXQ6IHN0cmluZztcbiAgb2Yoc3RlcDogU3RlcEZpbmRpbmcpOiBudW1iZXIgfCBudWxsO1xuICBib3VuZHM6IEJvdW5kW107XG4gIC8qKiBUaGUgc3RlcCBpcyBicmVhY2hlZCwgdGhvdWdoIG5vdCBieSB3aGF0IHRoaXMgcGFuZWwgc2hvd3MuICovXG4gIGhlbGQoc3RlcDogU3RlcEZpbmRpbmcpOiBib29sZWFuO1xufVxuXG4vKiogVGhlIGNoYXJ0LCBvciBudWxsIHdoZXJlIG5vIHN0ZXAgaGFzIGEgY29uc3RhbnQgcmF0ZS4gKi9cbmV4cG9ydCBmdW5jdGlvbiBsb2FkTGluZUNoYXJ0KGZpbmRpbmdzOiBGaW5kaW5ncywgd2lkdGg6IG51bWJlcik6IENoYXJ0IHwgbnVsbCB7XG4gIGNvbnN0IHN0ZXBzID0gZmluZGluZ3Muc3RlcHMuZmlsdGVyKChzdGVwKTogc3RlcCBpcyBUcmllZCA9PiBzdGVwLm9mZmVyZWRfcGVyX3MgIT09IG51bGwpO1xuICBjb25zdCByYXRlcyA9IGV4dGVudChzdGVwcy5tYXAoKHN0ZXApID0+IHN0ZXAub2ZmZXJlZF9wZXJfcykpO1xuICBpZiAoIXJhdGVzKSByZXR1cm4gbnVsbDtcbiAgY29uc3QgbGluZSA9IGZpbmRpbmdzLmxvYWRfbGluZTtcbiAgY29uc3QgaGlnaGVzdCA9IE1hdGgubWF4KHJhdGVzWzFdLCBsaW5lPy5pbnRlcnZhbF9oaWdoX3Blcl9zID8/IDAsIGxpbmU/LnJhdGVfcGVyX3MgPz8gMCk7XG4gIGNvbnN0IHggPSBsaW5lYXIoWzAsIGhpZ2hlc3QgKiAxLjA0XSwgcGxvdCh3aWR0aCkpO1xuICBjb25zdCBtZWFzdXJlcyA9IG1lYXN1cmVzT2YoZmluZGluZ3MpLmZpbHRlcigobWVhc3VyZSkgPT4gc3RlcHMuc29tZSgoc3RlcCkgPT4gbWVhc3VyZS5vZihzdGVwKSAhPT0gbnVsbCkpO1xuICByZXR1cm4gZnJhbWUoXG4gICAge1xuICAgICAgd2lkdGgsXG4gICAgICBsYWJlbDogc3VtbWFyeShmaW5kaW5ncywgc3RlcHMpLFxuICAgICAgeCxcbiAgICAgIHhUaWNrOiBmaWd1cmVzLm51bWJlcixcbiAgICAgIHhUaXRsZTogJ29mZmVyZWQgcmF0ZSwgcmVxdWVzdHMgcGVyIHNlY29uZCcsXG4gICAgICBoZWFkOiBsaW5lID8gMjQgOiAwLFxuICAgICAgcGFuZWxzOiBtZWFzdXJlcy5tYXAoKG1lYXN1cmUpID0+IHBhbmVsKG1lYXN1cmUsIHN0ZXBzLCB4KSksXG4gICAgICBiZWhpbmQ6ICh0b3AsIGJvdHRvbSkgPT4gKGxpbmUgPyBpbnRlcnZhbChsaW5lLCB4LCBwbG90KHdpZHRoKVsxXSwgdG9wLCBib3R0b20pIDogW10pLFxuICAgICAgYmVmb3JlOiAodG9wLCBib3R0b20pID0+IChsaW5lID8gbG9hZExpbmUobGluZSwgeCwgd2lkdGgsIHRvcCwgYm90dG9tKSA6IFtdKSxcbiAgICB9LFxuICAgICh5cykgPT4gc3RlcHMubWFwKChzdGVwKSA9PiBzdG9wKHN0ZXAsIHgsIG1lYXN1cmVzLCB5cykpLFxuICApO1xufVxuXG4vKiogT25lIHBhbmVsIGZvciBlYWNoIG9iamVjdGl2ZSBpbiB0aGUgb3JkZXIgb2YgdGhlIHBsYW47IHRoZW4gd2hhdCBubyBvYmplY3RpdmUgYm91bmRzLiAqL1xuZnVuY3Rpb24gbWVhc3VyZXNPZihmaW5kaW5nczogRmluZGluZ3MpOiBNZWFzdXJlW10ge1xuICBjb25zdCBmYWlsaW5nID0gZmluZGluZ3Muc3RlcHMuc29tZSgoc3RlcCkgPT4gc3RlcC5lcnJvcl9zaGFyZSA+IDApO1xuICBjb25zdCBtZWFzdXJlcyA9IGZpbmRpbmdzLm9iamVjdGl2ZXMubWFwKChvYmplY3RpdmUpOiBNZWFzdXJlID0+IHtcbiAgICBjb25zdCBzdWJqZWN0ID0gb2JqZWN0aXZlLm9iamVjdGl2ZS5zcGxpdCgvXFxzKls8Pj1dLylbMF0gPz8gJyc7XG4gICAgcmV0dXJuIHtcbiAgICAgIHRpdGxlOiB0aXRsZU9mKHN1YmplY3QsIG9iamVjdGl2ZS51bml0KSxcbiAgICAgIGhlaWdodDogb2JqZWN0aXZlLnVuaXQgPT09ICdtcycgPyAxNTAgOiBzdWJqZWN0ID09PSAnZXJyb3JzJyAmJiAhZmFpbGluZyA/IDU2IDogMTA0LFxuICAgICAgdW5pdDogb2JqZWN0aXZlLnVuaXQsXG4gICAgICBvZjogKHN0ZXApID0+XG4gICAgICAgIHN0ZXAub2JqZWN0aXZlcy5maW5kKChlYWNoKSA9PiBlYWNoLm9iamVjdGl2ZSA9PT0gb2JqZWN0aXZlLm9iamVjdGl2ZSk/Lm9ic2VydmVkID8/XG4gICAgICAgIGZhbGxiYWNrKHN1YmplY3QsIG9iamVjdGl2ZSwgc3RlcCksXG4gICAgICBib3VuZHM6IFtcbiAgICAgICAge1xuICAgICAgICAgIHZhbHVlOiBvYmplY3RpdmUuYm91bmQsXG4gICAgICAgICAgbGFiZWw6IG9iamVjdGl2ZS5vYmplY3RpdmUsXG4gICAgICAgICAgYWxsb3dlZDogb2JqZWN0aXZlLm9iamVjdGl2ZS5pbmNsdWRlcygnPicpID8gJ2Fib3ZlJyA6ICdiZWxvdycsXG4gICAgICAgIH0sXG4gICAgICBdLFxuICAgICAgaGVsZDogKHN0ZXApID0+XG4gICAgICAgIHN0ZXAudmVyZGljdCA9PT0gJ2JyZWFjaGVkJyAmJlxuICAgICAgICBzdGVwLm9iamVjdGl2ZXMuc29tZSgoZWFjaCkgPT4gZWFjaC5vYmplY3RpdmUgPT09IG9iamVjdGl2ZS5vYmplY3RpdmUgJiYgZWFjaC5wYXNzZWQpLFxuICAgIH07XG4gIH0pO1xuICBjb25zdCBtaXNzaW5nID0gKHVuaXQ6IHN0cmluZywgdGl0bGU6IFJlZ0V4cCkgPT5cbiAgICAhbWVhc3VyZXMuc29tZSgoZWFjaCkgPT4gZWFjaC51bml0ID09PSB1bml0ICYmIHRpdGxlLnRlc3QoZWFjaC50aXRsZSkpO1xuICBpZiAobWlzc2luZygnbXMnLCAvLi8pKVxuICAgIG1lYXN1cmVzLnB1c2goe1xuICAgICAgdGl0bGU6IHRpdGxlT2YoJ3A5OScsICdtcycpLFxuICAgICAgaGVpZ2h0OiAxNTAsXG4gICAgICB1bml0OiAnbXMnLFxuICAgICAgb2Y6IHA5OSxcbiAgICAgIGJvdW5kczogW10sXG4gICAgICBoZWxkOiAoKSA9PiBmYWxzZSxcbiAgICB9KTtcbiAgaWYgKG1pc3NpbmcoJ3NoYXJlJywgL0NQVS8pKSB7XG4gICAgbWVhc3VyZXMucHVzaCh7XG4gICAgICB0aXRsZTogdGl0bGVPZignY3B1JywgJ3NoYXJlJyksXG4gICAgICBoZWlnaHQ6IDEwNCxcbiAgICAgIHVuaXQ6ICdzaGFyZScsXG4gICAgICBvZjogKHN0ZXApID0+IHN0ZXAuY3B1X3NoYXJlLFxuICAgICAgYm91bmRzOiBbXSxcbiAgICAgIGhlbGQ6ICgpID0+IGZhbHNlLFxuICAgIH0pO1xuICB9XG4gIGlmIChtaXNzaW5nKCdzaGFyZScsIC9FcnJvcnMvKSkge1xuICAgIG1lYXN1cmVzLnB1c2goe1xuICAgICAgdGl0bGU6IHRpdGxlT2YoJ2Vycm9ycycsICdzaGFyZScpLFxuICAgICAgaGVpZ2h0OiAxMDQsXG4gICAgICB1bml0OiAnc2hhcmUnLFxuICAgICAgb2Y6IChzdGVwKSA9PiBzdGVwLmVycm9yX3NoYXJlLFxuICAgICAgYm91bmRzOiBbXSxcbiAgICAgIGhlbGQ6ICgpID0+IGZhbHNlLFxuICAgIH0pO1xuICB9XG4gIHJldHVybiBtZWFzdXJlcztcbn1cblxuZnVuY3Rpb24gdGl0bGVPZihzdWJqZWN0OiBzdHJpbmcsIHVuaXQ6IHN0cmluZyk6IHN0cmluZyB7XG4gIGlmIChzdWJqZWN0ID09PSAnY3B1JykgcmV0dXJuICdDUFUgb2YgdGhlIHNlcnZpY2UnO1xuICBpZiAoc3ViamVjdCA9PT0gJ2Vycm9ycycpIHJldHVybiAnRXJyb3JzJztcbiAgaWYgKHN1YmplY3QgPT09ICdyYXRlJykgcmV0dXJuICdDb21wbGV0ZWQgb2Ygc2NoZWR1bGVkJztcbiAgcmV0dXJuIHVuaXQgPT09ICdtcycgPyBgUmVzcG9uc2UgdGltZSwgJHtzdWJqZWN0fWAgOiBzdWJqZWN0O1xufVxuXG4vKiogRm9yIHN0ZXBzIHdob3NlIG9iamVjdGl2ZXMgd2VyZSBub3QganVkZ2VkLiAqL1xuZnVuY3Rpb24gZmFsbGJhY2soc3ViamVjdDogc3RyaW5nLCB7IHVuaXQgfTogT2JqZWN0aXZlRmluZGluZywgc3RlcDogU3RlcEZpbmRpbmcpOiBudW1iZXIgfCBudWxsIHtcbiAgaWYgKHN1YmplY3QgPT09ICdjcHUnKSByZXR1cm4gc3RlcC5jcHVfc2hhcmU7XG4gIGlmIChzdWJqZWN0ID09PSAnZXJyb3JzJykgcmV0dXJuIHN0ZXAuZXJyb3Jfc2hhcmU7XG4gIHJldHVybiB1bml0ID09PSAnbXMnICYmIHN1YmplY3QgPT09ICdwOTknID8gcDk5KHN0ZXApIDogbnVsbDtcbn1cblxuY29uc3QgcDk5ID0gKHN0ZXA6IFN0ZXBGaW5kaW5nKTogbnVtYmVyIHwgbnVsbCA9PlxuICBzdGVwLnJlc3BvbnNlX3RpbWUuY291bnQgPiAwID8gc3RlcC5yZXNwb25zZV90aW1lLnA5OV9tcyA6IG51bGw7XG5cbmZ1bmN0aW9uIHBhbmVsKG1lYXN1cmU6IE1lYXN1cmUsIHN0ZXBzOiBUcmllZFtdLCB4OiBTY2FsZSk6IFBhbmVsIHtcbiAgY29uc3QgaW5PcmRlciA9IFsuLi5zdGVwc10uc29ydCgoYSwgYikgPT4gYS5vZmZlcmVkX3Blcl9zIC0gYi5vZmZlcmVkX3Blcl9zKTtcbiAgcmV0dXJuIHtcbiAgICB0aXRsZTogbWVhc3VyZS50aXRsZSxcbiAgICBoZWlnaHQ6IG1lYXN1cmUuaGVpZ2h0LFxuICAgIHNjYWxlOiB5U2NhbGUobWVhc3VyZSwgc3RlcHMpLFxuICAgIHRpY2s6ICh2YWx1ZSkgPT4gYmFyZVRpY2soZmlndXJlcy5pblVuaXQodmFsdWUsIG1lYXN1cmUudW5pdCkpLFxuICAgIGJvdW5kczogbWVhc3VyZS5ib3VuZHMsXG4gICAgbWFya3M6ICh5KSA9PiBbXG4gICAgICBwYXRoKFxuICAgICAgICBpbk9yZGVyXG4gICAgICAgICAgLmZpbHRlcigoc3RlcCkgPT4gc3RlcC52ZXJkaWN0ID09PSAncGFzc2VkJyB8fCBzdGVwLnZlcmRpY3QgPT09ICdicmVhY2hlZCcpXG4gICAgICAgICAgLm1hcCgoc3RlcCkgPT4gW3guYXQoc3RlcC5vZmZlcmVkX3Blcl9zKSwgaGVpZ2h0KG1lYXN1cmUsIHN0ZXAsIHkpXSksXG4gICAgICAgICd0aHJlYWQnLFxuICAgICAgKSxcbiAgICAgIC4uLmluT3JkZXIubWFwKChzdGVwKSA9PiB7XG4gICAgICAgIGNvbnN0IGF0ID0gaGVpZ2h0KG1lYXN1cmUsIHN0ZXAsIHkpO1xuICAgICAgICBpZiAoYXQgPT09IG51bGwpIHJldHVybiBudWxsO1xuICAgICAgICBjb25zdCBzaGFwZSA9IG1hcmsob2ZTdGVwKHN0ZXAudmVyZGljdCkudG9uZSwgeC5hdChzdGVwLm9mZmVyZWRfcGVyX3MpLCBhdCk7XG4gICAgICAgIC8vIFRoZSBzdGVwIGJyb2tlLCBidXQgbm90IGhlcmUuXG4gICAgICAgIHJldHVybiBtZWFzdXJlLmhlbGQoc3RlcCkgPyBoKCdnJywgeyBjbGFzczogJ2FzaWRlJyB9LCBzaGFwZSkgOiBzaGFwZTtcbiAgICAgIH0pLFxuICAgIF0sXG4gIH07XG59XG5cbmZ1bmN0aW9uIGhlaWdodChtZWFzdXJlOiBNZWFzdXJlLCBzdGVwOiBTdGVwRmluZGluZywgeTogU2NhbGUpOiBudW1iZXIgfCBudWxsIHtcbiAgY29uc3QgdmFsdWUgPSBtZWFzdXJlLm9mKHN0ZXApO1xuICByZXR1cm4gdmFsdWUgPT09IG51bGwgPyBudWxsIDogeS5hdCh2YWx1ZSk7XG59XG5cbi8qKiBEdXJhdGlvbnMgdGhhdCBkaWZmZXIgYnkgbW9yZSB0aGFuIGEgZmFjdG9yIG9mIDMwIGFyZSBkcmF3biBvbiBhIGxvZ2FyaXRobWljIHNjYWxlLiAqL1xuZnVuY3Rpb24geVNjYWxlKG1lYXN1cmU6IE1lYXN1cmUsIHN0ZXBzOiBUcmllZFtdKTogUGFuZWxbJ3NjYWxlJ10ge1xuICBjb25zdCBib3VuZHMgPSBtZWFzdXJlLmJvdW5kcy5tYXAoKGJvdW5kKSA9PiBib3VuZC52YWx1ZSk7XG4gIGNvbnN0IHZhbHVlcyA9IHN0ZXBzLm1hcChtZWFzdXJlLm9mKTtcbiAgaWYgKG1lYXN1cmUudW5pdCA9PT0gJ21zJykge1xuICAgIGNvbnN0IHBvc2l0aXZlID0gZXh0ZW50KFsuLi52YWx1ZXMsIC4uLmJvdW5kc10uZmlsdGVyKCh2YWx1ZSkgPT4gdmFsdWUgIT09IG51bGwgJiYgdmFsdWUgPiAwKSkgPz8gWzEsIDEwXTtcbiAgICBpZiAocG9zaXRpdmVbMV0gLyBwb3NpdGl2ZVswXSA+IDMwKVxuICAgICAgcmV0dXJuIChyYW5nZSkgPT4gbG9nYXJpdGhtaWMoW3Bvc2l0aXZlWzBdICogMC42LCBwb3NpdGl2ZVsxXSAqIDEuOF0sIHJhbmdlKTtcbiAgICByZXR1cm4gKHJhbmdlKSA9PiBsaW5lYXIoWzAsIHBvc2l0aXZlWzFdICogMS4xNV0sIHJhbmdlKTtcbiAgfVxuICBjb25zdCBoaWdoZXN0ID0gZXh0ZW50KFsuLi52YWx1ZXMsIC4uLmJvdW5kc10pPy5bMV0gPz8gMTtcbiAgaWYgKG1lYXN1cmUudGl0bGUgPT09ICdFcnJvcnMnKSByZXR1cm4gKHJhbmdlKSA9PiBsaW5lYXIoWzAsIE1hdGgubWF4KGhpZ2hlc3QgKiAxLjI1LCAwLjAxKV0sIHJhbmdlKTtcbiAgcmV0dXJuIChyYW5nZSkgPT4gbGluZWFyKFswLCBtZWFzdXJlLnVuaXQgPT09ICdzaGFyZScgPyBNYXRoLm1heChoaWdoZXN0LCAxKSA6IGhpZ2hlc3QgKiAxLjE1XSwgcmFuZ2UpO1xufVxuXG5mdW5jdGlvbiBpbnRlcnZhbChsaW5lOiBMb2FkTGluZSwgeDogU2NhbGUsIHJpZ2h0OiBudW1iZXIsIHRvcDogbnVtYmVyLCBib3R0b206IG51bWJlcik6IENoaWxkW10ge1xuICBjb25zdCBmcm9tID0geC5hdChsaW5lLmludGVydmFsX2xvd19wZXJfcyk7XG4gIGNvbnN0IHRvID0gbGluZS5pbnRlcnZhbF9oaWdoX3Blcl9zID09PSBudWxsID8gcmlnaHQgOiB4LmF0KGxpbmUuaW50ZXJ2YWxfaGlnaF9wZXJfcyk7XG4gIHJldHVybiBbXG4gICAgaCgncmVjdCcsIHtcbiAgICAgIGNsYXNzOiAnaW50ZXJ2YWwnLFxuICAgICAgeDogcGl4ZWwoZnJvbSksXG4gICAgICB3aWR0aDogcGl4ZWwoTWF0aC5tYXgodG8gLSBmcm9tLCAxKSksXG4gICAgICB5OiBwaXhlbCh0b3ApLFxuICAgICAgaGVpZ2h0OiBwaXhlbChib3R0b20gLSB0b3ApLFxuICAgIH0pLFxuICBdO1xufVxuXG4vKiogVGhlIGxpbmUgaXRzZWxmLCB3aXRoIGEgUGxpbXNvbGwgbWFyayBvbiB0b3AgYW5kIGl0cyBmaWd1cmUgYmVzaWRlIGl0LiAqL1xuZnVuY3Rpb24gbG9hZExpbmUobGluZTogTG9hZExpbmUsIHg6IFNjYWxlLCB3aWR0aDogbnVtYmVyLCB0b3A6IG51bWJlciwgYm90dG9tOiBudW1iZXIpOiBDaGlsZFtdIHtcbiAgY29uc3QgYXQgPSB4LmF0KGxpbmUucmF0ZV9wZXJfcyk7XG4gIGNvbnN0IG9uTGVmdCA9IGF0ID4gd2lkdGggLyAyO1xuICBjb25zdCB5ID0gdG9wIC0gMzM7XG4gIHJldHVybiBbXG4gICAgaCgnbGluZScsIHsgY2xhc3M6ICdsb2FkLWxpbmUnLCB4MTogcGl4ZWwoYXQpLCB4MjogcGl4ZWwoYXQpLCB5MTogcGl4ZWwoeSksIHkyOiBwaXhlbChib3R0b20pIH0pLFxuICAgIGgoJ2NpcmNsZScsIHsgY2xhc3M6ICdsb2FkLWxpbmUnLCBjeDogcGl4ZWwoYXQpLCBjeTogcGl4ZWwoeSksIHI6IDUgfSksXG4gICAgaCgnbGluZScsIHsgY2xhc3M6ICdsb2FkLWxpbmUnLCB4MTogcGl4ZWwoYXQgLSA5KSwgeDI6IHBpeGVsKGF0ICsgOSksIHkxOiBwaXhlbCh5KSwgeTI6IHBpeGVsKHkpIH0pLFxuICAgIGgoXG4gICAgICAndGV4dCcsXG4gICAgICB7XG4gICAgICAgIGNsYXNzOiAnbG9hZC1saW5lJyxcbiAgICAgICAgeDogcGl4ZWwob25MZWZ0ID8gYXQgLSAxNSA6IGF0ICsgMTUpLFxuICAgICAgICB5OiBwaXhlbCh5ICsgNC41KSxcbiAgICAgICAgJ3RleHQtYW5jaG9yJzogb25MZWZ0ID8gJ2VuZCcgOiAnc3RhcnQnLFxuICAgICAgfSxcbiAgICAgIGBsb2FkIGxpbmUgJHtmaWd1cmVzLm51bWJlcihsaW5lLnJhdGVfcGVyX3MpfWAsXG4gICAgKSxcbiAgXTtcbn1cblxuZnVuY3Rpb24gc3RvcChzdGVwOiBUcmllZCwgeDogU2NhbGUsIG1lYXN1cmVzOiBNZWFzdXJlW10sIHlzOiBTY2FsZVtdKTogU3RvcCB7XG4gIGNvbnN0IHsgdG9uZSwgdGV4dCB9ID0gb2ZTdGVwKHN0ZXAudmVyZGljdCk7XG4gIGNvbnN0IGF0ID0geC5hdChzdGVwLm9mZmVyZWRfcGVyX3MpO1xuICBjb25zdCByaW5ncyA9IG1lYXN1cmVzLmZsYXRNYXAoKG1lYXN1cmUsIGkpOiBbbnVtYmVyLCBudW1iZXJdW10gPT4ge1xuICAgIGNvbnN0IHkgPSB5c1tpXSAmJiBoZWlnaHQobWVhc3VyZSwgc3RlcCwgeXNbaV0pO1xuICAgIHJldHVybiB5ID09IG51bGwgPyBbXSA6IFtbYXQsIHldXTtcbiAgfSk7XG4gIHJldHVybiB7XG4gICAgeDogYXQsXG4gICAgdGl0bGU6IGAke2ZpZ3VyZXMucmF0ZShzdGVwLm9mZmVyZWRfcGVyX3MpfSBvZmZlcmVkYCxcbiAgICB0b25lLFxuICAgIHZlcmRpY3Q6IHRleHQsXG4gICAgcm93czogcm93c09mKHN0ZXApLFxuICAgIHJpbmdzLFxuICB9O1xufVxuXG4vKiogVGhlIGV4YWN0IGZpZ3VyZXMgb2YgYSBzdGVwLiAqL1xuZnVuY3Rpb24gcm93c09mKHN0ZXA6IFN0ZXBGaW5kaW5nKTogW3N0cmluZywgc3RyaW5nXVtdIHtcbiAgY29uc3QgbWVhc3VyZWQgPSBzdGVwLnJlc3BvbnNlX3RpbWUuY291bnQgPiAwO1xuICBjb25zdCByb3dzOiBbc3RyaW5nLCBzdHJpbmddW10gPSBbXG4gICAgWydzdGVwJywgU3RyaW5nKHN0ZXAuc3RlcCArIDEpXSxcbiAgICBbJ2NvbXBsZXRlZCcsIGZpZ3VyZXMucmF0ZShzdGVwLnRocm91Z2hwdXRfcGVyX3MpXSxcbiAgICBbJ2dvb2RwdXQnLCBmaWd1cmVzLnJhdGUoc3RlcC5nb29kcHV0X3Blcl9zKV0sXG4gICAgWydwNTAnLCBtZWFzdXJlZCA/IGZpZ3VyZXMuZHVyYXRpb24oc3RlcC5yZXNwb25zZV90aW1lLnA1MF9tcykgOiBmaWd1cmVzLnVua25vd25dLFxuICAgIFsncDk5JywgbWVhc3VyZWQgPyBmaWd1cmVzLmR1cmF0aW9uKHN0ZXAucmVzcG9uc2VfdGltZS5wOTlfbXMpIDogZmlndXJlcy51bmtub3duXSxcbiAgICBbJ0NQVScsIGZpZ3VyZXMub3JEYXNoKHN0ZXAuY3B1X3NoYXJlLCBmaWd1cmVzLnNoYXJlKV0sXG4gICAgWydlcnJvcnMnLCBmaWd1cmVzLnNoYXJlKHN0ZXAuZXJyb3Jfc2hhcmUpXSxcbiAgXTtcbiAgaWYgKHN0ZXAuZHJvcHBlZCA+IDApIHJvd3MucHVzaChbJ25ldmVyIHN0YXJ0ZWQnLCBmaWd1cmVzLmNvdW50KHN0ZXAuZHJvcHBlZCldKTtcbiAgaWYgKHN0ZXAuYnJva2UpIHJvd3MucHVzaChbJ2Jyb2tlJywgc3RlcC5icm9rZV0pO1xuICBpZiAoc3RlcC5pbnZhbGlkX2JlY2F1c2UpIHJvd3MucHVzaChbJ3doeScsIHN0ZXAuaW52YWxpZF9iZWNhdXNlXSk7XG4gIHJldHVybiByb3dzO1xufVxuXG5mdW5jdGlvbiBzdW1tYXJ5KGZpbmRpbmdzOiBGaW5kaW5ncywgc3RlcHM6IFRyaWVkW10pOiBzdHJpbmcge1xuICBjb25zdCBwYXNzZWQgPSBzdGVwcy5maWx0ZXIoKHN0ZXApID0+IHN0ZXAudmVyZGljdCA9PT0gJ3Bhc3NlZCcpLmxlbmd0aDtcbiAgY29uc3QgYnJlYWNoZWQgPSBzdGVwcy5maWx0ZXIoKHN0ZXApID0+IHN0ZXAudmVyZGljdCA9PT0gJ2JyZWFjaGVkJykubGVuZ3RoO1xuICBjb25zdCBsaW5lID0gZmluZGluZ3MubG9hZF9saW5lXG4gICAgPyBgOyB0aGUgbG9hZCBsaW5lIGlzIGF0ICR7ZmlndXJlcy5yYXRlKGZpbmRpbmdzLmxvYWRfbGluZS5yYXRlX3Blcl9zKX1gXG4gICAgOiAnJztcbiAgcmV0dXJuIGBTdGVwcyBieSBvZmZlcmVkIHJhdGU6ICR7c3RlcHMubGVuZ3RofSB0cmllZCwgJHtwYXNzZWR9IHBhc3NlZCwgJHticmVhY2hlZH0gYnJlYWNoZWQke2xpbmV9LiBUaGUgdGFibGUgYmVsb3cgaG9sZHMgZXZlcnkgZmlndXJlLmA7XG59XG4iLCAiLyoqIFRoZSBydW4gYXMgaXQgd2VudDogcmF0ZSwgcmVzcG9uc2UgdGltZSwgQ1BVLCBtZW1vcnkgYW5kIGV2ZW50IGxvb3Agb3ZlciBvbmUgYXhpcyBvZiB0aW1lLiAqL1xuXG5pbXBvcnQgKiBhcyBmaWd1cmVzIGZyb20gJy4uL2ZpZ3VyZXMudHMnO1xuaW1wb3J0IHR5cGUgeyBGaW5kaW5ncywgVGltZWxpbmVQb2ludCB9IGZyb20gJy4uL2ZpbmRpbmdzLnRzJztcbmltcG9ydCB7IGV4dGVudCwgbGluZWFyLCBsb2dhcml0aG1pYywgdHlwZSBTY2FsZSwgdGltZSB9IGZyb20gJy4uL3NjYWxlLnRzJztcbmltcG9ydCB7IHR5cGUgQ2hpbGQsIGggfSBmcm9tICcuLi90cmVlLnRzJztcbmltcG9ydCB7IHBpeGVsIH0gZnJvbSAnLi4vdmVyZGljdC50cyc7XG5pbXBvcnQgeyBib3VuZHNPZiB9IGZyb20gJy4vY3VydmUudHMnO1xuaW1wb3J0IHsgdHlwZSBCb3VuZCwgYmFyZVRpY2ssIHR5cGUgQ2hhcnQsIGZyYW1lLCB0eXBlIFBhbmVsLCBwYXRoLCBwbG90LCB0eXBlIFN0b3AgfSBmcm9tICcuL2ZyYW1lLnRzJztcblxuLyoqIE9uZSBsaW5lIG9mIGEgcGFuZWwuICovXG5pbnRlcmZhY2UgU2VyaWVzIHtcbiAgbmFtZTogc3RyaW5nO1xuICBjbGFzczogc3RyaW5nO1xuICBvZihwb2ludDogVGltZWxpbmVQb2ludCk6IG51bWJlciB8IG51bGw7XG59XG5cbmludGVyZmFjZSBNZWFzdXJlIHtcbiAgdGl0bGU6IHN0cmluZztcbiAgaGVpZ2h0OiBudW1iZXI7XG4gIHNlcmllczogU2VyaWVzW107XG4gIGRyYXcodmFsdWU6IG51bWJlcik6IHN0cmluZztcbiAgYm91bmRzPzogQm91bmRbXTtcbiAgLyoqIEdyZWF0ZXN0IHZhbHVlIHRoYXQgdGhlIGF4aXMgaG9sZHMgYXQgbGVhc3QuICovXG4gIGxlYXN0PzogbnVtYmVyO1xuICBsb2dhcml0aG1pYz86IGJvb2xlYW47XG4gIC8qKiBJdHMgZmlndXJlcyBhcmUgcmF0ZXMuICovXG4gIHBlclNlY29uZD86IGJvb2xlYW47XG59XG5cbmNvbnN0IG1lYmlieXRlID0gMiAqKiAyMDtcblxuLyoqIFRoZSBjaGFydCwgb3IgbnVsbCB3aGVyZSB0aGVyZSBpcyBubyB0aW1lbGluZS4gKi9cbmV4cG9ydCBmdW5jdGlvbiB0aW1lbGluZUNoYXJ0KGZpbmRpbmdzOiBGaW5kaW5ncywgd2lkdGg6IG51bWJlcik6IENoYXJ0IHwgbnVsbCB7XG4gIGNvbnN0IHBvaW50cyA9IGZpbmRpbmdzLnRpbWVsaW5lO1xuICBjb25zdCBmaXJzdCA9IHBvaW50c1swXTtcbiAgY29uc3QgbGFzdCA9IHBvaW50cy5hdCgtMSk7XG4gIGlmICghZmlyc3QgfHwgIWxhc3QpIHJldHVybiBudWxsO1xuICBjb25zdCBlbmQgPSBsYXN0LmF0X3MgKyBsYXN0LmR1cmF0aW9uX3M7XG4gIGNvbnN0IHggPSB0aW1lKFtmaXJzdC5hdF9zLCBlbmRdLCBwbG90KHdpZHRoKSk7XG4gIGNvbnN0IG1pZGRsZSA9IChwb2ludDogVGltZWxpbmVQb2ludCkgPT4geC5hdChwb2ludC5hdF9zICsgcG9pbnQuZHVyYXRpb25fcyAvIDIpO1xuICBjb25zdCBtZWFzdXJlcyA9IG1lYXN1cmVzT2YoZmluZGluZ3MsIHdpZHRoKS5maWx0ZXIoKG1lYXN1cmUpID0+XG4gICAgbWVhc3VyZS5zZXJpZXMuc29tZSgoc2VyaWVzKSA9PiBwb2ludHMuc29tZSgocG9pbnQpID0+IHNlcmllcy5vZihwb2ludCkgIT09IG51bGwpKSxcbiAgKTtcbiAgcmV0dXJuIGZyYW1lKFxuICAgIHtcbiAgICAgIHdpZHRoLFxuICAgICAgbGFiZWw6IGBUaGUgcnVuIG92ZXIgJHtmaWd1cmVzLmVsYXBzZWQoZW5kKX06ICR7bWVhc3VyZXMubWFwKChtZWFzdXJlKSA9PiBtZWFzdXJlLnRpdGxlLnRvTG93ZXJDYXNlKCkpLmpvaW4oJywgJyl9LmAsXG4gICAgICB4LFxuICAgICAgeFRpY2s6IGNsb2NrLFxuICAgICAgeFRpdGxlOiAndGltZSBzaW5jZSB0aGUgYmVnaW5uaW5nJyxcbiAgICAgIGhlYWQ6IGZpbmRpbmdzLnN0ZXBzLmxlbmd0aCA+IDEgPyAxNCA6IDAsXG4gICAgICBwYW5lbHM6IG1lYXN1cmVzLm1hcCgobWVhc3VyZSkgPT4gcGFuZWwobWVhc3VyZSwgcG9pbnRzLCBtaWRkbGUpKSxcbiAgICAgIGJlaGluZDogKHRvcCwgYm90dG9tKSA9PiB1bmp1ZGdlZChwb2ludHMsIHgsIHRvcCwgYm90dG9tKSxcbiAgICAgIGJlZm9yZTogKHRvcCwgYm90dG9tKSA9PiBib3VuZGFyaWVzKGZpbmRpbmdzLCB4LCB0b3AsIGJvdHRvbSksXG4gICAgfSxcbiAgICAoeXMpID0+IHBvaW50cy5tYXAoKHBvaW50KSA9PiBzdG9wKHBvaW50LCBtaWRkbGUocG9pbnQpLCBtZWFzdXJlcywgeXMsIGZpbmRpbmdzLnN0ZXBzLmxlbmd0aCA+IDEpKSxcbiAgKTtcbn1cblxuZnVuY3Rpb24gbWVhc3VyZXNPZihmaW5kaW5nczogRmluZGluZ3MsIHdpZHRoOiBudW1iZXIpOiBNZWFzdXJlW10ge1xuICBjb25zdCBjbG9zZWQgPSBmaW5kaW5ncy5zdGVwcy5ldmVyeSgoc3RlcCkgPT4gc3RlcC5vZmZlcmVkX3Blcl9zID09PSBudWxsKSAmJiBmaW5kaW5ncy5jb21tYW5kID09PSAnYmVuY2gnO1xuICBjb25zdCBvZmZlcmVkOiBTZXJpZXMgPSB7IG5hbWU6ICdvZmZlcmVkJywgY2xhc3M6ICdsaW5lIG9mZmVyZWQnLCBvZjogKHBvaW50KSA9PiBwb2ludC5vZmZlcmVkX3Blcl9zIH07XG4gIGNvbnN0IGZhaWxlZCA9IGZpbmRpbmdzLnRpbWVsaW5lLnNvbWUoKHBvaW50KSA9PiBwb2ludC5lcnJvcnNfcGVyX3MgPiAwKTtcbiAgY29uc3QgY3B1ID0gZmluZGluZ3Mub2JqZWN0aXZlcy5maWx0ZXIoKG9iamVjdGl2ZSkgPT4gb2JqZWN0aXZlLm9iamVjdGl2ZS5zdGFydHNXaXRoKCdjcHUnKSk7XG4gIHJldHVybiBbXG4gICAge1xuICAgICAgdGl0bGU6IHdpZHRoIDwgNDgwID8gJ1JlcXVlc3RzL3MnIDogJ1JlcXVlc3RzIHBlciBzZWNvbmQnLFxuICAgICAgaGVpZ2h0OiAxMzAsXG4gICAgICBzZXJpZXM6IFtcbiAgICAgICAgLi4uKGNsb3NlZCA/IFtdIDogW29mZmVyZWRdKSxcbiAgICAgICAgeyBuYW1lOiAnY29tcGxldGVkJywgY2xhc3M6ICdsaW5lIGZpcnN0Jywgb2Y6IChwb2ludCkgPT4gcG9pbnQudGhyb3VnaHB1dF9wZXJfcyB9LFxuICAgICAgXSxcbiAgICAgIGRyYXc6IGZpZ3VyZXMubnVtYmVyLFxuICAgICAgcGVyU2Vjb25kOiB0cnVlLFxuICAgIH0sXG4gICAge1xuICAgICAgdGl0bGU6ICdFcnJvcnMgcGVyIHNlY29uZCcsXG4gICAgICBoZWlnaHQ6IDY0LFxuICAgICAgc2VyaWVzOiBmYWlsZWQgPyBbeyBuYW1lOiAnZXJyb3JzJywgY2xhc3M6ICdsaW5lIGVycm9ycycsIG9mOiAocG9pbnQpID0+IHBvaW50LmVycm9yc19wZXJfcyB9XSA6IFtdLFxuICAgICAgZHJhdzogZmlndXJlcy5udW1iZXIsXG4gICAgICBwZXJTZWNvbmQ6IHRydWUsXG4gICAgfSxcbiAgICB7XG4gICAgICB0aXRsZTogJ1Jlc3BvbnNlIHRpbWUnLFxuICAgICAgaGVpZ2h0OiAxNDAsXG4gICAgICBzZXJpZXM6IFtcbiAgICAgICAgeyBuYW1lOiAncDUwJywgY2xhc3M6ICdsaW5lIHNlY29uZCcsIG9mOiAocG9pbnQpID0+IHBvaW50LnA1MF9tcyB9LFxuICAgICAgICB7IG5hbWU6ICdwOTknLCBjbGFzczogJ2xpbmUgZmlyc3QnLCBvZjogKHBvaW50KSA9PiBwb2ludC5wOTlfbXMgfSxcbiAgICAgIF0sXG4gICAgICBkcmF3OiBmaWd1cmVzLmR1cmF0aW9uLFxuICAgICAgYm91bmRzOiBib3VuZHNPZihmaW5kaW5ncyksXG4gICAgICBsb2dhcml0aG1pYzogdHJ1ZSxcbiAgICB9LFxuICAgIHtcbiAgICAgIHRpdGxlOiAnQ1BVIG9mIHRoZSBzZXJ2aWNlJyxcbiAgICAgIGhlaWdodDogOTAsXG4gICAgICBzZXJpZXM6IFt7IG5hbWU6ICdDUFUnLCBjbGFzczogJ2xpbmUgZmlyc3QnLCBvZjogKHBvaW50KSA9PiBwb2ludC5jcHVfc2hhcmUgfV0sXG4gICAgICBkcmF3OiBmaWd1cmVzLnNoYXJlLFxuICAgICAgYm91bmRzOiBjcHUubWFwKChvYmplY3RpdmUpID0+ICh7XG4gICAgICAgIHZhbHVlOiBvYmplY3RpdmUuYm91bmQsXG4gICAgICAgIGxhYmVsOiBvYmplY3RpdmUub2JqZWN0aXZlLFxuICAgICAgICBhbGxvd2VkOiAnYmVsb3cnLFxuICAgICAgfSkpLFxuICAgICAgbGVhc3Q6IDEsXG4gICAgfSxcbiAgICB7XG4gICAgICB0aXRsZTogJ01lbW9yeSwgcmVzaWRlbnQnLFxuICAgICAgaGVpZ2h0OiA4MCxcbiAgICAgIC8vIEluIE1pQiwgc28gdGhhdCB0aGUgdGlja3MgYXJlIHJvdW5kLlxuICAgICAgc2VyaWVzOiBbXG4gICAgICAgIHtcbiAgICAgICAgICBuYW1lOiAnbWVtb3J5JyxcbiAgICAgICAgICBjbGFzczogJ2xpbmUgZmlyc3QnLFxuICAgICAgICAgIG9mOiAocG9pbnQpID0+IChwb2ludC5yc3NfYnl0ZXMgPT09IG51bGwgPyBudWxsIDogcG9pbnQucnNzX2J5dGVzIC8gbWViaWJ5dGUpLFxuICAgICAgICB9LFxuICAgICAgXSxcbiAgICAgIGRyYXc6ICh2YWx1ZSkgPT4gZmlndXJlcy5ieXRlcyh2YWx1ZSAqIG1lYmlieXRlKSxcbiAgICB9LFxuICAgIHtcbiAgICAgIHRpdGxlOiAnRXZlbnQtbG9vcCBkZWxheSwgcDk5JyxcbiAgICAgIGhlaWdodDogODAsXG4gICAgICBzZXJpZXM6IFt7IG5hbWU6ICdldmVudC1sb29wIGRlbGF5JywgY2xhc3M6ICdsaW5lIGZpcnN0Jywgb2Y6IChwb2ludCkgPT4gcG9pbnQuZXZlbnRfbG9vcF9kZWxheV9tcyB9XSxcbiAgICAgIGRyYXc6IGZpZ3VyZXMuZHVyYXRpb24sXG4gICAgfSxcbiAgXTtcbn1cblxuZnVuY3Rpb24gcGFuZWwobWVhc3VyZTogTWVhc3VyZSwgcG9pbnRzOiBUaW1lbGluZVBvaW50W10sIG1pZGRsZTogKHBvaW50OiBUaW1lbGluZVBvaW50KSA9PiBudW1iZXIpOiBQYW5lbCB7XG4gIHJldHVybiB7XG4gICAgdGl0bGU6IG1lYXN1cmUudGl0bGUsXG4gICAgaGVpZ2h0OiBtZWFzdXJlLmhlaWdodCxcbiAgICBzY2FsZTogeVNjYWxlKG1lYXN1cmUsIHBvaW50cyksXG4gICAgdGljazogKHZhbHVlKSA9PiBiYXJlVGljayhtZWFzdXJlLmRyYXcodmFsdWUpKSxcbiAgICAuLi4obWVhc3VyZS5ib3VuZHMgPyB7IGJvdW5kczogbWVhc3VyZS5ib3VuZHMgfSA6IHt9KSxcbiAgICAuLi4obWVhc3VyZS5zZXJpZXMubGVuZ3RoID4gMSA/IHsga2V5OiBtZWFzdXJlLnNlcmllcyB9IDoge30pLFxuICAgIG1hcmtzOiAoeSkgPT5cbiAgICAgIG1lYXN1cmUuc2VyaWVzLm1hcCgoc2VyaWVzKSA9PlxuICAgICAgICBwYXRoKFxuICAgICAgICAgIC8vIE5vdGhpbmcgam9pbnMgdGhlIGVuZCBvZiBhIHN0ZXAgdG8gdGhlIGJlZ2lubmluZyBvZiB0aGUgbmV4dC5cbiAgICAgICAgICBwb2ludHMuZmxhdE1hcCgocG9pbnQsIGkpOiBbbnVtYmVyLCBudW1iZXIgfCBudWxsXVtdID0+IHtcbiAgICAgICAgICAgIGNvbnN0IHZhbHVlID0gc2VyaWVzLm9mKHBvaW50KTtcbiAgICAgICAgICAgIGNvbnN0IGF0OiBbbnVtYmVyLCBudW1iZXIgfCBudWxsXSA9IFttaWRkbGUocG9pbnQpLCB2YWx1ZSA9PT0gbnVsbCA/IG51bGwgOiB5LmF0KHZhbHVlKV07XG4gICAgICAgICAgICByZXR1cm4gcG9pbnQuc3RlcCA9PT0gKHBvaW50c1tpIC0gMV0/LnN0ZXAgPz8gcG9pbnQuc3RlcCkgPyBbYXRdIDogW1thdFswXSwgbnVsbF0sIGF0XTtcbiAgICAgICAgICB9KSxcbiAgICAgICAgICBzZXJpZXMuY2xhc3MsXG4gICAgICAgICksXG4gICAgICApLFxuICB9O1xufVxuXG5mdW5jdGlvbiB5U2NhbGUobWVhc3VyZTogTWVhc3VyZSwgcG9pbnRzOiBUaW1lbGluZVBvaW50W10pOiBQYW5lbFsnc2NhbGUnXSB7XG4gIGNvbnN0IGJvdW5kcyA9IChtZWFzdXJlLmJvdW5kcyA/PyBbXSkubWFwKChib3VuZCkgPT4gYm91bmQudmFsdWUpO1xuICBjb25zdCB2YWx1ZXMgPSBtZWFzdXJlLnNlcmllcy5mbGF0TWFwKChzZXJpZXMpID0+IHBvaW50cy5tYXAoc2VyaWVzLm9mKSk7XG4gIGlmIChtZWFzdXJlLmxvZ2FyaXRobWljKSB7XG4gICAgY29uc3QgcG9zaXRpdmUgPSBleHRlbnQoWy4uLnZhbHVlcywgLi4uYm91bmRzXS5maWx0ZXIoKHZhbHVlKSA9PiB2YWx1ZSAhPT0gbnVsbCAmJiB2YWx1ZSA+IDApKSA/PyBbMSwgMTBdO1xuICAgIGlmIChwb3NpdGl2ZVsxXSAvIHBvc2l0aXZlWzBdID4gMzApXG4gICAgICByZXR1cm4gKHJhbmdlKSA9PiBsb2dhcml0aG1pYyhbcG9zaXRpdmVbMF0gKiAwLjcsIHBvc2l0aXZlWzFdICogMS42XSwgcmFuZ2UpO1xuICB9XG4gIGNvbnN0IGhpZ2hlc3QgPSBNYXRoLm1heChleHRlbnQoWy4uLnZhbHVlcywgLi4uYm91bmRzXSk/LlsxXSA/PyAxLCBtZWFzdXJlLmxlYXN0ID8/IDApO1xuICByZXR1cm4gKHJhbmdlKSA9PiBsaW5lYXIoWzAsIG1lYXN1cmUubGVhc3QgPyBoaWdoZXN0IDogaGlnaGVzdCAqIDEuMTJdLCByYW5nZSk7XG59XG5cbi8qKiBXYXJtLXVwIGFuZCBkcmFpbmluZywgc2lkZSBieSBzaWRlIHNsb3RzIG1lcmdlZCBpbnRvIG9uZSBzaGFkZS4gKi9cbmZ1bmN0aW9uIHVuanVkZ2VkKHBvaW50czogVGltZWxpbmVQb2ludFtdLCB4OiBTY2FsZSwgdG9wOiBudW1iZXIsIGJvdHRvbTogbnVtYmVyKTogQ2hpbGRbXSB7XG4gIGNvbnN0IHNoYWRlczogW2Zyb206IG51bWJlciwgdG86IG51bWJlcl1bXSA9IFtdO1xuICBmb3IgKGNvbnN0IHBvaW50IG9mIHBvaW50cykge1xuICAgIGlmIChwb2ludC5qdWRnZWQpIGNvbnRpbnVlO1xuICAgIGNvbnN0IGVuZCA9IHBvaW50LmF0X3MgKyBwb2ludC5kdXJhdGlvbl9zO1xuICAgIGNvbnN0IGxhc3QgPSBzaGFkZXMuYXQoLTEpO1xuICAgIGlmIChsYXN0ICYmIHBvaW50LmF0X3MgLSBsYXN0WzFdIDwgMWUtNikgbGFzdFsxXSA9IGVuZDtcbiAgICBlbHNlIHNoYWRlcy5wdXNoKFtwb2ludC5hdF9zLCBlbmRdKTtcbiAgfVxuICByZXR1cm4gc2hhZGVzLm1hcCgoW2Zyb20sIHRvXSkgPT5cbiAgICBoKCdyZWN0Jywge1xuICAgICAgY2xhc3M6ICd1bmp1ZGdlZCcsXG4gICAgICB4OiBwaXhlbCh4LmF0KGZyb20pKSxcbiAgICAgIHdpZHRoOiBwaXhlbCh4LmF0KHRvKSAtIHguYXQoZnJvbSkpLFxuICAgICAgeTogcGl4ZWwodG9wKSxcbiAgICAgIGhlaWdodDogcGl4ZWwoYm90dG9tIC0gdG9wKSxcbiAgICB9KSxcbiAgKTtcbn1cblxuLyoqIFdoZXJlIGVhY2ggc3RlcCBiZWdpbnMsIHdpdGggaXRzIHJhdGUgd2hlcmUgdGhlcmUgaXMgcm9vbSBmb3IgaXQuICovXG5mdW5jdGlvbiBib3VuZGFyaWVzKGZpbmRpbmdzOiBGaW5kaW5ncywgeDogU2NhbGUsIHRvcDogbnVtYmVyLCBib3R0b206IG51bWJlcik6IENoaWxkW10ge1xuICBpZiAoZmluZGluZ3Muc3RlcHMubGVuZ3RoIDwgMikgcmV0dXJuIFtdO1xuICBsZXQgZnJlZSA9IE51bWJlci5ORUdBVElWRV9JTkZJTklUWTtcbiAgcmV0dXJuIGZpbmRpbmdzLnN0ZXBzLmZsYXRNYXAoKHN0ZXApID0+IHtcbiAgICBjb25zdCBhdCA9IHguYXQoc3RlcC5zdGFydF9zKTtcbiAgICBjb25zdCBuYW1lID0gc3RlcC5vZmZlcmVkX3Blcl9zID09PSBudWxsID8gYHN0ZXAgJHtzdGVwLnN0ZXAgKyAxfWAgOiBmaWd1cmVzLm51bWJlcihzdGVwLm9mZmVyZWRfcGVyX3MpO1xuICAgIGNvbnN0IGxpbmUgPSBoKCdsaW5lJywge1xuICAgICAgY2xhc3M6ICdib3VuZGFyeScsXG4gICAgICB4MTogcGl4ZWwoYXQpLFxuICAgICAgeDI6IHBpeGVsKGF0KSxcbiAgICAgIHkxOiBwaXhlbCh0b3AgLSAzMCksXG4gICAgICB5MjogcGl4ZWwoYm90dG9tKSxcbiAgICB9KTtcbiAgICBpZiAoYXQgPCBmcmVlKSByZXR1cm4gW2xpbmVdO1xuICAgIGZyZWUgPSBhdCArIG5hbWUubGVuZ3RoICogNi42ICsgMTI7XG4gICAgcmV0dXJuIFtsaW5lLCBoKCd0ZXh0JywgeyBjbGFzczogJ3RpY2snLCB4OiBwaXhlbChhdCArIDQpLCB5OiBwaXhlbCh0b3AgLSAyNikgfSwgbmFtZSldO1xuICB9KTtcbn1cblxuZnVuY3Rpb24gc3RvcChwb2ludDogVGltZWxpbmVQb2ludCwgeDogbnVtYmVyLCBtZWFzdXJlczogTWVhc3VyZVtdLCB5czogU2NhbGVbXSwgc3RlcHBlZDogYm9vbGVhbik6IFN0b3Age1xuICBjb25zdCByb3dzOiBbc3RyaW5nLCBzdHJpbmddW10gPSBbXTtcbiAgY29uc3QgcmluZ3M6IFtudW1iZXIsIG51bWJlcl1bXSA9IFtdO1xuICBmb3IgKGNvbnN0IFtpLCBtZWFzdXJlXSBvZiBtZWFzdXJlcy5lbnRyaWVzKCkpIHtcbiAgICBmb3IgKGNvbnN0IHNlcmllcyBvZiBtZWFzdXJlLnNlcmllcykge1xuICAgICAgY29uc3QgdmFsdWUgPSBzZXJpZXMub2YocG9pbnQpO1xuICAgICAgaWYgKHZhbHVlID09PSBudWxsKSBjb250aW51ZTtcbiAgICAgIHJvd3MucHVzaChbc2VyaWVzLm5hbWUsIG1lYXN1cmUuZHJhdyh2YWx1ZSkgKyAobWVhc3VyZS5wZXJTZWNvbmQgPyAnIC9zJyA6ICcnKV0pO1xuICAgICAgY29uc3QgeSA9IHlzW2ldPy5hdCh2YWx1ZSk7XG4gICAgICBpZiAoeSAhPT0gdW5kZWZpbmVkKSByaW5ncy5wdXNoKFt4LCB5XSk7XG4gICAgfVxuICB9XG4gIGNvbnN0IHN0ZXAgPSBzdGVwcGVkID8gYCwgc3RlcCAke3BvaW50LnN0ZXAgKyAxfWAgOiAnJztcbiAgY29uc3Qga2luZCA9IHBvaW50Lmp1ZGdlZCA/ICcnIDogJywgbm90IGp1ZGdlZCc7XG4gIHJldHVybiB7XG4gICAgeCxcbiAgICB0aXRsZTogYCR7Y2xvY2socG9pbnQuYXRfcyl9IHRvICR7Y2xvY2socG9pbnQuYXRfcyArIHBvaW50LmR1cmF0aW9uX3MpfSR7c3RlcH0ke2tpbmR9YCxcbiAgICByb3dzLFxuICAgIHJpbmdzLFxuICB9O1xufVxuXG4vKiogYDA6MDVgLCBgMTowMjozMGA7IHBhcnRzIG9mIGEgc2Vjb25kIHdoZXJlIHRoZXJlIGFyZSBzb21lLiAqL1xuZnVuY3Rpb24gY2xvY2soc2Vjb25kczogbnVtYmVyKTogc3RyaW5nIHtcbiAgY29uc3QgdGVudGhzID0gTWF0aC5yb3VuZChzZWNvbmRzICogMTApO1xuICBjb25zdCB3aG9sZSA9IE1hdGguZmxvb3IodGVudGhzIC8gMTApO1xuICBjb25zdCB0d28gPSAodmFsdWU6IG51bWJlcikgPT4gU3RyaW5nKHZhbHVlKS5wYWRTdGFydCgyLCAnMCcpO1xuICBjb25zdCBwYXJ0ID0gdGVudGhzICUgMTAgPT09IDAgPyAnJyA6IGAuJHt0ZW50aHMgJSAxMH1gO1xuICBjb25zdCBbaCwgbSwgc10gPSBbTWF0aC5mbG9vcih3aG9sZSAvIDM2MDApLCBNYXRoLmZsb29yKCh3aG9sZSAlIDM2MDApIC8gNjApLCB3aG9sZSAlIDYwXTtcbiAgcmV0dXJuIGAke2ggPiAwID8gYCR7aH06JHt0d28obSl9YCA6IG19OiR7dHdvKHMpfSR7cGFydH1gO1xufVxuIiwgIi8qKiBUaGUgd2hvbGUgcGFnZSBhcyBhIGZ1bmN0aW9uIG9mIHRoZSBmaW5kaW5ncy4gQ2hhcnRzIGFyZSBkcmF3biBhcGFydCwgYmVjYXVzZSB0aGV5IG5lZWQgYSB3aWR0aC4gKi9cblxuaW1wb3J0IHsgcGVyY2VudGlsZUN1cnZlIH0gZnJvbSAnLi9jaGFydHMvY3VydmUudHMnO1xuaW1wb3J0IHR5cGUgeyBDaGFydCB9IGZyb20gJy4vY2hhcnRzL2ZyYW1lLnRzJztcbmltcG9ydCB7IGxvYWRMaW5lQ2hhcnQgfSBmcm9tICcuL2NoYXJ0cy9sb2FkLWxpbmUudHMnO1xuaW1wb3J0IHsgdGltZWxpbmVDaGFydCB9IGZyb20gJy4vY2hhcnRzL3RpbWVsaW5lLnRzJztcbmltcG9ydCB0eXBlIHsgRmluZGluZ3MgfSBmcm9tICcuL2ZpbmRpbmdzLnRzJztcbmltcG9ydCB7IGFuc3dlciwgbWFzdGhlYWQsIG5vdGljZXMgfSBmcm9tICcuL3NlY3Rpb25zL2Fuc3dlci50cyc7XG5pbXBvcnQgeyBnbG9zc2FyeSwgc2V0dGluZyB9IGZyb20gJy4vc2VjdGlvbnMvYmFja2dyb3VuZC50cyc7XG5pbXBvcnQge1xuICBhdEFHbGFuY2UsXG4gIGVycm9ycyxcbiAgZ2VuZXJhdG9yLFxuICBvYmplY3RpdmVzLFxuICBwZXJjZW50aWxlcyxcbiAgc2VydmljZSxcbiAgc3RlcFRhYmxlLFxuICB0YWtlbkF0LFxufSBmcm9tICcuL3NlY3Rpb25zL2ZpZ3VyZXMudHMnO1xuaW1wb3J0IHsgY2hhcnRQbGFjZSwgc2VjdGlvbiB9IGZyb20gJy4vc2VjdGlvbnMvcGFydHMudHMnO1xuaW1wb3J0IHsgdHlwZSBDaGlsZCwgaCwgdHlwZSBUcmVlIH0gZnJvbSAnLi90cmVlLnRzJztcbmltcG9ydCB7IG1hcmsgfSBmcm9tICcuL3ZlcmRpY3QudHMnO1xuXG4vKiogVGhlIGNoYXJ0cyBieSB0aGUgbmFtZSBvZiB0aGVpciBwbGFjZS4gKi9cbmV4cG9ydCBjb25zdCBjaGFydHM6IFJlY29yZDxzdHJpbmcsIChmaW5kaW5nczogRmluZGluZ3MsIHdpZHRoOiBudW1iZXIpID0+IENoYXJ0IHwgbnVsbD4gPSB7XG4gICdsb2FkLWxpbmUnOiBsb2FkTGluZUNoYXJ0LFxuICBjdXJ2ZTogcGVyY2VudGlsZUN1cnZlLFxuICB0aW1lbGluZTogdGltZWxpbmVDaGFydCxcbn07XG5cbi8qKiBXaGF0IHRoZSBjdXJzb3Igb2YgZWFjaCBjaGFydCBtb3ZlcyBvdmVyLiAqL1xuZXhwb3J0IGNvbnN0IGNoYXJ0TmFtZXM6IFJlY29yZDxzdHJpbmcsIHN0cmluZz4gPSB7XG4gICdsb2FkLWxpbmUnOiAnU3RlcHMgYnkgb2ZmZXJlZCByYXRlJyxcbiAgY3VydmU6ICdSZXNwb25zZSB0aW1lIGJ5IHBlcmNlbnRpbGUnLFxuICB0aW1lbGluZTogJ1RoZSBydW4gb3ZlciB0aW1lJyxcbn07XG5cbmV4cG9ydCBmdW5jdGlvbiBwYWdlKGZpbmRpbmdzOiBGaW5kaW5ncyk6IFRyZWUge1xuICBjb25zdCBoYXMgPSAobmFtZTogc3RyaW5nKSA9PiBjaGFydHNbbmFtZV0/LihmaW5kaW5ncywgNzIwKSAhPT0gbnVsbDtcbiAgcmV0dXJuIGgoXG4gICAgJ2RpdicsXG4gICAgeyBjbGFzczogJ3BhZ2UnIH0sXG4gICAgbWFzdGhlYWQoZmluZGluZ3MpLFxuICAgIGgoXG4gICAgICAnbWFpbicsXG4gICAgICB7fSxcbiAgICAgIGFuc3dlcihmaW5kaW5ncyksXG4gICAgICBub3RpY2VzKGZpbmRpbmdzKSxcbiAgICAgIGF0QUdsYW5jZShmaW5kaW5ncyksXG4gICAgICBpc1NlYXJjaChmaW5kaW5ncykgJiYgaGFzKCdsb2FkLWxpbmUnKSAmJiBsb2FkTGluZVNlY3Rpb24oZmluZGluZ3MpLFxuICAgICAgb2JqZWN0aXZlcyhmaW5kaW5ncyksXG4gICAgICB0aW1lcyhmaW5kaW5ncywgaGFzKCdjdXJ2ZScpKSxcbiAgICAgIGhhcygndGltZWxpbmUnKSAmJiB0aW1lbGluZShmaW5kaW5ncyksXG4gICAgICBlcnJvcnMoZmluZGluZ3MpLFxuICAgICAgaCgnZGl2JywgeyBjbGFzczogJ3NpZGUtYnktc2lkZScgfSwgc2VydmljZShmaW5kaW5ncyksIGdlbmVyYXRvcihmaW5kaW5ncykpLFxuICAgICAgc2V0dGluZyhmaW5kaW5ncyksXG4gICAgICBnbG9zc2FyeSgpLFxuICAgICksXG4gICAgaCgnZm9vdGVyJywge30sIGBwbGltc29sbCAke2ZpbmRpbmdzLnZlcnNpb259YCksXG4gICk7XG59XG5cbmNvbnN0IGlzU2VhcmNoID0gKGZpbmRpbmdzOiBGaW5kaW5ncyk6IGJvb2xlYW4gPT5cbiAgZmluZGluZ3MuY29tbWFuZCA9PT0gJ2NhcGFjaXR5JyB8fCBmaW5kaW5ncy5zdGVwcy5sZW5ndGggPiAxO1xuXG5mdW5jdGlvbiBsb2FkTGluZVNlY3Rpb24oZmluZGluZ3M6IEZpbmRpbmdzKTogVHJlZSB7XG4gIGNvbnN0IGJyZWFjaGVkID0gZmluZGluZ3Muc3RlcHMuZmlsdGVyKChzdGVwKSA9PiBzdGVwLnZlcmRpY3QgPT09ICdicmVhY2hlZCcpO1xuICBjb25zdCBwYWxlID0gYnJlYWNoZWQuc29tZSgoc3RlcCkgPT4gc3RlcC5vYmplY3RpdmVzLnNvbWUoKG9iamVjdGl2ZSkgPT4gb2JqZWN0aXZlLnBhc3NlZCkpO1xuICByZXR1cm4gc2VjdGlvbihcbiAgICAnbG9hZC1saW5lJyxcbiAgICBicmVhY2hlZC5sZW5ndGggPiAwID8gJ1doZXJlIGl0IGJyZWFrcycgOiAnV2hhdCB3YXMgdHJpZWQnLFxuICAgIGBFdmVyeSBzdGVwIHRoYXQgd2FzIHRyaWVkLCBieSB0aGUgcmF0ZSB0aGF0IHdhcyBvZmZlcmVkLiBCZXlvbmQgYSBkYXNoZWQgYm91bmQgdGhlIG9iamVjdGl2ZSBpcyBicmVhY2hlZCR7XG4gICAgICBwYWxlID8gJzsgYSBwYWxlIG1hcmsgYmVsb25ncyB0byBhIHN0ZXAgdGhhdCBhbm90aGVyIG9iamVjdGl2ZSBicm9rZScgOiAnJ1xuICAgIH0uYCxcbiAgICBsZWdlbmQoZmluZGluZ3MpLFxuICAgIGNoYXJ0UGxhY2UoJ2xvYWQtbGluZScpLFxuICAgIHN0ZXBUYWJsZShmaW5kaW5ncyksXG4gICk7XG59XG5cbmZ1bmN0aW9uIGxlZ2VuZChmaW5kaW5nczogRmluZGluZ3MpOiBUcmVlIHtcbiAgY29uc3QgZW50cmllczogW3N0cmluZywgQ2hpbGRdW10gPSBbXTtcbiAgY29uc3QgbWFya3MgPSBbXG4gICAgWydwYXNzZWQnLCAnZ29vZCcsICdwYXNzZWQnXSxcbiAgICBbJ2JyZWFjaGVkJywgJ2JhZCcsICdicmVhY2hlZCddLFxuICAgIFsnaW52YWxpZCcsICdkb3VidGZ1bCcsICdpbnZhbGlkOiB0aGUgZ2VuZXJhdG9yIHdhcyBsYXRlJ10sXG4gICAgWyd1bmp1ZGdlZCcsICd1bmtub3duJywgJ25vdCBqdWRnZWQnXSxcbiAgXSBhcyBjb25zdDtcbiAgZm9yIChjb25zdCBbdmVyZGljdCwgdG9uZSwgdGV4dF0gb2YgbWFya3MpIHtcbiAgICBpZiAoZmluZGluZ3Muc3RlcHMuc29tZSgoc3RlcCkgPT4gc3RlcC52ZXJkaWN0ID09PSB2ZXJkaWN0KSkgZW50cmllcy5wdXNoKFt0ZXh0LCBtYXJrKHRvbmUsIDcsIDcpXSk7XG4gIH1cbiAgaWYgKGZpbmRpbmdzLmxvYWRfbGluZSkge1xuICAgIGVudHJpZXMucHVzaChbXG4gICAgICAnbG9hZCBsaW5lIGFuZCBpdHMgaW50ZXJ2YWwnLFxuICAgICAgaChcbiAgICAgICAgJ2cnLFxuICAgICAgICB7fSxcbiAgICAgICAgaCgncmVjdCcsIHsgY2xhc3M6ICdpbnRlcnZhbCcsIHg6IDIsIHk6IDAsIHdpZHRoOiAxMCwgaGVpZ2h0OiAxNCB9KSxcbiAgICAgICAgaCgncGF0aCcsIHsgY2xhc3M6ICdsb2FkLWxpbmUnLCBkOiAnTTcgMFYxNCcgfSksXG4gICAgICApLFxuICAgIF0pO1xuICB9XG4gIHJldHVybiBoKFxuICAgICd1bCcsXG4gICAgeyBjbGFzczogJ2xlZ2VuZCcgfSxcbiAgICBlbnRyaWVzLm1hcCgoW3RleHQsIHNhbXBsZV0pID0+XG4gICAgICBoKCdsaScsIHt9LCBoKCdzdmcnLCB7IHZpZXdCb3g6ICcwIDAgMTQgMTQnLCAnYXJpYS1oaWRkZW4nOiAndHJ1ZScgfSwgc2FtcGxlKSwgdGV4dCksXG4gICAgKSxcbiAgKTtcbn1cblxuZnVuY3Rpb24gdGltZXMoZmluZGluZ3M6IEZpbmRpbmdzLCBoYXNDdXJ2ZTogYm9vbGVhbik6IFRyZWUgfCBudWxsIHtcbiAgY29uc3QgZmlndXJlcyA9IHBlcmNlbnRpbGVzKGZpbmRpbmdzKTtcbiAgaWYgKCFmaWd1cmVzKSByZXR1cm4gbnVsbDtcbiAgcmV0dXJuIHNlY3Rpb24oXG4gICAgJ3RpbWVzJyxcbiAgICAnUmVzcG9uc2UgdGltZXMnLFxuICAgIGBGcm9tIHRoZSBpbnRlbmRlZCBzdGFydCB0byB0aGUgbGFzdCBieXRlLCAke3Rha2VuQXQoZmluZGluZ3MpfS4gU2VydmljZSB0aW1lIGxlYXZlcyBvdXQgdGhlIHdhaXQgYmVmb3JlIHRoZSBzZW5kLmAsXG4gICAgaCgnZGl2JywgeyBjbGFzczogaGFzQ3VydmUgPyAnY3VydmUtYW5kLXRhYmxlJyA6ICcnIH0sIGhhc0N1cnZlICYmIGNoYXJ0UGxhY2UoJ2N1cnZlJyksIGZpZ3VyZXMpLFxuICApO1xufVxuXG5mdW5jdGlvbiB0aW1lbGluZShmaW5kaW5nczogRmluZGluZ3MpOiBUcmVlIHtcbiAgY29uc3QgdW5qdWRnZWQgPSBmaW5kaW5ncy50aW1lbGluZS5zb21lKChwb2ludCkgPT4gIXBvaW50Lmp1ZGdlZCk7XG4gIGNvbnN0IHNoYWRlcyA9IHVuanVkZ2VkID8gJyBTaGFkZWQgcGFydHMgYXJlIHdhcm0tdXAgb3IgZHJhaW5pbmcgYW5kIG5vdCBqdWRnZWQuJyA6ICcnO1xuICBjb25zdCBzdGVwcyA9XG4gICAgZmluZGluZ3Muc3RlcHMubGVuZ3RoID4gMVxuICAgICAgPyAnIFVwcmlnaHQgbGluZXMgYmVnaW4gYSBzdGVwOyB0aGUgZmlndXJlIGJlc2lkZSB0aGVtIGlzIGl0cyBvZmZlcmVkIHJhdGUuJ1xuICAgICAgOiAnJztcbiAgcmV0dXJuIHNlY3Rpb24oXG4gICAgJ3RpbWVsaW5lJyxcbiAgICAnT3ZlciB0aW1lJyxcbiAgICBgVGhlIHJ1biBmcm9tIGl0cyBiZWdpbm5pbmcgdG8gaXRzIGVuZC4ke3N0ZXBzfSR7c2hhZGVzfWAsXG4gICAgY2hhcnRQbGFjZSgndGltZWxpbmUnKSxcbiAgKTtcbn1cbiIsICIvKiogVGhlIHNhbXBsZSBmaW5kaW5ncyBvZiBjcmF0ZXMvcmVwb3J0LCB3aGljaCBtYWtlIHRoZW0uICovXG5cbmltcG9ydCB7IHJlYWRkaXJTeW5jLCByZWFkRmlsZVN5bmMgfSBmcm9tICdub2RlOmZzJztcbmltcG9ydCB0eXBlIHsgRmluZGluZ3MgfSBmcm9tICcuLi9zcmMvZmluZGluZ3MudHMnO1xuXG4vLyBUZXN0cyBydW4gZnJvbSBkaXN0Lywgb25lIGxldmVsIGJlbG93IHRoZSB3b3Jrc3BhY2UgYXMgdGhpcyBmb2xkZXIgaXMuXG5jb25zdCBmb2xkZXIgPSBuZXcgVVJMKCcuLi8uLi9jcmF0ZXMvcmVwb3J0L3Rlc3RzL3NhbXBsZXMvJywgaW1wb3J0Lm1ldGEudXJsKTtcblxuZXhwb3J0IGNvbnN0IHNhbXBsZU5hbWVzOiBzdHJpbmdbXSA9IHJlYWRkaXJTeW5jKGZvbGRlcilcbiAgLmZpbHRlcigobmFtZSkgPT4gbmFtZS5lbmRzV2l0aCgnLmpzb24nKSlcbiAgLm1hcCgobmFtZSkgPT4gbmFtZS5zbGljZSgwLCAtJy5qc29uJy5sZW5ndGgpKVxuICAuc29ydCgpO1xuXG5leHBvcnQgY29uc3Qgc2FtcGxlVGV4dCA9IChuYW1lOiBzdHJpbmcpOiBzdHJpbmcgPT4gcmVhZEZpbGVTeW5jKG5ldyBVUkwoYCR7bmFtZX0uanNvbmAsIGZvbGRlciksICd1dGY4Jyk7XG5cbmV4cG9ydCBjb25zdCBzYW1wbGUgPSAobmFtZTogc3RyaW5nKTogRmluZGluZ3MgPT4gSlNPTi5wYXJzZShzYW1wbGVUZXh0KG5hbWUpKTtcbiJdLAogICJtYXBwaW5ncyI6ICI7QUFLQSxPQUFPLFlBQVk7QUFDbkIsU0FBUyxZQUFZLGVBQUFBLGNBQWEsZ0JBQUFDLGVBQWMscUJBQXFCO0FBQ3JFLE9BQU8sVUFBVTtBQUNqQixTQUFTLHFCQUFxQjs7O0FDUXZCLFNBQVMsRUFDZCxLQUNBLGFBQXdDLENBQUMsTUFDdEMsVUFDRztBQUNOLFFBQU0sT0FBK0IsQ0FBQztBQUN0QyxhQUFXLENBQUMsTUFBTSxLQUFLLEtBQUssT0FBTyxRQUFRLFVBQVUsR0FBRztBQUN0RCxRQUFJLFVBQVUsS0FBTSxNQUFLLElBQUksSUFBSTtBQUFBLGFBQ3hCLFVBQVUsU0FBUyxTQUFTLEtBQU0sTUFBSyxJQUFJLElBQUksTUFBTSxPQUFPLEtBQUssQ0FBQztBQUFBLEVBQzdFO0FBQ0EsUUFBTSxVQUFVLFNBQVMsS0FBSyxFQUFFLE9BQU8sQ0FBQyxVQUFVLFVBQVUsUUFBUSxVQUFVLFVBQWEsVUFBVSxLQUFLO0FBQzFHLFNBQU87QUFBQSxJQUNMO0FBQUEsSUFDQSxZQUFZO0FBQUEsSUFDWixVQUFVLFFBQVEsSUFBSSxDQUFDLFVBQVcsT0FBTyxVQUFVLFdBQVcsUUFBUSxNQUFNLE9BQU8sS0FBSyxDQUFDLENBQUU7QUFBQSxFQUM3RjtBQUNGO0FBR0EsU0FBUyxNQUFNLE1BQXNCO0FBQ25DLFNBQU8sS0FBSyxRQUFRLG9EQUFvRCxRQUFRO0FBQ2xGO0FBRUEsSUFBTSxVQUFVLElBQUk7QUFBQSxFQUNsQiwyRkFBMkYsTUFBTSxHQUFHO0FBQ3RHO0FBYU8sU0FBUyxNQUFNLE1BQVksU0FBUyxJQUFZO0FBQ3JELFFBQU0sYUFBYSxPQUFPLFFBQVEsS0FBSyxVQUFVLEVBQzlDLElBQUksQ0FBQyxDQUFDLE1BQU0sS0FBSyxNQUFNLElBQUksSUFBSSxLQUFLLE9BQU8sS0FBSyxDQUFDLEdBQUcsRUFDcEQsS0FBSyxFQUFFO0FBQ1YsUUFBTSxDQUFDLEtBQUssSUFBSSxLQUFLO0FBQ3JCLE1BQUksVUFBVSxPQUFXLFFBQU8sR0FBRyxNQUFNLElBQUksS0FBSyxHQUFHLEdBQUcsVUFBVTtBQUFBO0FBQ2xFLE1BQUksS0FBSyxTQUFTLE1BQU0sQ0FBQyxVQUFVLE9BQU8sVUFBVSxRQUFRLEdBQUc7QUFDN0QsV0FBTyxHQUFHLE1BQU0sSUFBSSxLQUFLLEdBQUcsR0FBRyxVQUFVLElBQUksT0FBTyxLQUFLLFNBQVMsS0FBSyxFQUFFLENBQUMsQ0FBQyxLQUFLLEtBQUssR0FBRztBQUFBO0FBQUEsRUFDMUY7QUFDQSxRQUFNLFVBQVUsS0FBSyxTQUNsQjtBQUFBLElBQUksQ0FBQyxVQUNKLE9BQU8sVUFBVSxXQUFXLEdBQUcsTUFBTSxLQUFLLE9BQU8sS0FBSyxDQUFDO0FBQUEsSUFBTyxNQUFNLE9BQU8sR0FBRyxNQUFNLElBQUk7QUFBQSxFQUMxRixFQUNDLEtBQUssRUFBRTtBQUNWLFNBQU8sR0FBRyxNQUFNLElBQUksS0FBSyxHQUFHLEdBQUcsVUFBVTtBQUFBLEVBQU0sT0FBTyxHQUFHLE1BQU0sS0FBSyxLQUFLLEdBQUc7QUFBQTtBQUM5RTtBQUVBLFNBQVMsT0FBTyxNQUFzQjtBQUNwQyxTQUFPLEtBQ0osV0FBVyxLQUFLLE9BQU8sRUFDdkIsV0FBVyxLQUFLLE1BQU0sRUFDdEIsV0FBVyxLQUFLLE1BQU0sRUFDdEIsV0FBVyxLQUFLLFFBQVE7QUFDN0I7OztBQ3pEQSxJQUFNLFFBQW1DO0FBQUEsRUFDdkMsUUFBUSxFQUFFLE1BQU0sUUFBUSxNQUFNLFNBQVM7QUFBQSxFQUN2QyxVQUFVLEVBQUUsTUFBTSxPQUFPLE1BQU0sV0FBVztBQUFBLEVBQzFDLFNBQVMsRUFBRSxNQUFNLFlBQVksTUFBTSxVQUFVO0FBQUEsRUFDN0MsVUFBVSxFQUFFLE1BQU0sV0FBVyxNQUFNLGFBQWE7QUFDbEQ7QUFJTyxJQUFNLFNBQVMsQ0FBQyxZQUErQixNQUFNLE9BQU87QUFTNUQsU0FBUyxLQUFLLE1BQVksR0FBVyxHQUFXLFNBQVMsS0FBVztBQUN6RSxRQUFNLEtBQUssQ0FBQyxJQUFZLE9BQWUsR0FBRyxNQUFNLElBQUksS0FBSyxNQUFNLENBQUMsSUFBSSxNQUFNLElBQUksS0FBSyxNQUFNLENBQUM7QUFDMUYsUUFBTSxRQUFRLENBQUMsTUFBYyxFQUFFLFFBQVEsRUFBRSxPQUFPLFFBQVEsSUFBSSxJQUFJLEVBQUUsQ0FBQztBQUNuRSxVQUFRLE1BQU07QUFBQSxJQUNaLEtBQUs7QUFDSCxhQUFPLEVBQUUsVUFBVSxFQUFFLE9BQU8sYUFBYSxJQUFJLE1BQU0sQ0FBQyxHQUFHLElBQUksTUFBTSxDQUFDLEdBQUcsR0FBRyxNQUFNLE1BQU0sRUFBRSxDQUFDO0FBQUEsSUFDekYsS0FBSztBQUNILGFBQU8sTUFBTSxJQUFJLEdBQUcsSUFBSSxFQUFFLENBQUMsSUFBSSxHQUFHLEdBQUcsQ0FBQyxDQUFDLElBQUksR0FBRyxJQUFJLENBQUMsQ0FBQyxJQUFJLEdBQUcsR0FBRyxFQUFFLENBQUMsRUFBRTtBQUFBLElBQ3JFLEtBQUs7QUFDSCxhQUFPLE1BQU0sSUFBSSxHQUFHLEdBQUcsSUFBSSxDQUFDLElBQUksR0FBRyxNQUFNLEdBQUcsQ0FBQyxJQUFJLEdBQUcsT0FBTyxHQUFHLENBQUMsR0FBRztBQUFBLElBQ3BFLEtBQUs7QUFDSCxhQUFPLE1BQU0sSUFBSSxHQUFHLE1BQU0sSUFBSSxDQUFDLElBQUksR0FBRyxLQUFLLElBQUksQ0FBQyxJQUFJLEdBQUcsS0FBSyxHQUFHLENBQUMsSUFBSSxHQUFHLE1BQU0sR0FBRyxDQUFDLEdBQUc7QUFBQSxFQUN4RjtBQUNGO0FBYU8sSUFBTSxRQUFRLENBQUMsVUFBMEIsT0FBTyxLQUFLLE1BQU0sUUFBUSxFQUFFLElBQUksRUFBRTs7O0FDNEIzRSxTQUFTLFFBQVEsT0FBNkIsR0FBVyxHQUFtQjtBQUNqRixNQUFJLE9BQU87QUFDWCxNQUFJLFFBQVEsQ0FBQyxPQUFPLG1CQUFtQixPQUFPLGlCQUFpQjtBQUMvRCxRQUFNLE1BQU0sUUFBUSxDQUFDQyxPQUFNLFVBQVU7QUFDbkMsVUFBTSxRQUFRLEtBQUssSUFBSUEsTUFBSyxJQUFJLENBQUM7QUFDakMsVUFBTSxRQUFRLEtBQUssSUFBSSxHQUFHQSxNQUFLLE1BQU0sSUFBSSxDQUFDLENBQUMsRUFBRSxJQUFJLE1BQU0sS0FBSyxJQUFJLE9BQU8sQ0FBQyxDQUFDLENBQUM7QUFDMUUsUUFBSSxRQUFRLE1BQU0sQ0FBQyxLQUFNLFVBQVUsTUFBTSxDQUFDLEtBQUssU0FBUyxNQUFNLENBQUMsR0FBSTtBQUNqRSxhQUFPO0FBQ1AsY0FBUSxDQUFDLE9BQU8sS0FBSztBQUFBLElBQ3ZCO0FBQUEsRUFDRixDQUFDO0FBQ0QsU0FBTztBQUNUOzs7QUNsR08sSUFBTSxVQUFVO0FBR2hCLFNBQVMsTUFBTSxPQUF1QjtBQUMzQyxTQUFPLE9BQU8sS0FBSyxNQUFNLEtBQUssQ0FBQyxFQUM1QixTQUFTLEVBQ1QsUUFBUSx5QkFBeUIsR0FBRztBQUN6QztBQUdPLFNBQVMsT0FBTyxPQUF1QjtBQUM1QyxNQUFJLENBQUMsT0FBTyxTQUFTLEtBQUssRUFBRyxRQUFPO0FBQ3BDLFFBQU0sT0FBTyxLQUFLLElBQUksS0FBSztBQUMzQixRQUFNLE9BQU8sUUFBUSxJQUFJLE1BQU07QUFDL0IsTUFBSSxRQUFRLE1BQU8sUUFBTyxPQUFPLE1BQU0sSUFBSTtBQUMzQyxTQUFPLE9BQU8sS0FBSyxLQUFLLFFBQVEsUUFBUSxRQUFRLElBQUksUUFBUSxTQUFTLElBQUksQ0FBQyxDQUFDO0FBQzdFO0FBR08sSUFBTSxPQUFPLENBQUMsY0FBOEIsR0FBRyxPQUFPLFNBQVMsQ0FBQztBQUdoRSxTQUFTLFNBQVMsSUFBb0I7QUFDM0MsTUFBSSxDQUFDLE9BQU8sU0FBUyxFQUFFLEVBQUcsUUFBTztBQUNqQyxRQUFNLE9BQU8sS0FBSyxJQUFJLEVBQUU7QUFDeEIsTUFBSSxTQUFTLEVBQUcsUUFBTztBQUN2QixNQUFJLE9BQU8sT0FBUSxRQUFPLEdBQUcsWUFBWSxLQUFLLEdBQUcsQ0FBQztBQUNsRCxNQUFJLE9BQU8sTUFBTyxRQUFPLEdBQUcsWUFBWSxFQUFFLENBQUM7QUFDM0MsU0FBTyxHQUFHLFlBQVksS0FBSyxHQUFHLENBQUM7QUFDakM7QUFHTyxTQUFTLFFBQVEsU0FBeUI7QUFDL0MsTUFBSSxDQUFDLE9BQU8sU0FBUyxPQUFPLEVBQUcsUUFBTztBQUN0QyxNQUFJLFVBQVUsS0FBTSxRQUFPLEdBQUcsS0FBSyxRQUFRLFFBQVEsQ0FBQyxDQUFDLENBQUM7QUFDdEQsUUFBTSxRQUFRLEtBQUssTUFBTSxPQUFPO0FBQ2hDLFFBQU0sQ0FBQ0MsSUFBRyxHQUFHLENBQUMsSUFBSSxDQUFDLEtBQUssTUFBTSxRQUFRLElBQUksR0FBRyxLQUFLLE1BQU8sUUFBUSxPQUFRLEVBQUUsR0FBRyxRQUFRLEVBQUU7QUFDeEYsTUFBSUEsS0FBSSxFQUFHLFFBQU8sSUFBSSxJQUFJLEdBQUcsTUFBTUEsRUFBQyxDQUFDLE1BQU0sQ0FBQyxTQUFTLEdBQUcsTUFBTUEsRUFBQyxDQUFDO0FBQ2hFLE1BQUksSUFBSSxFQUFHLFFBQU8sSUFBSSxJQUFJLEdBQUcsQ0FBQyxRQUFRLENBQUMsT0FBTyxHQUFHLENBQUM7QUFDbEQsU0FBTyxHQUFHLENBQUM7QUFDYjtBQUdPLFNBQVMsTUFBTSxPQUF1QjtBQUMzQyxNQUFJLENBQUMsT0FBTyxTQUFTLEtBQUssRUFBRyxRQUFPO0FBQ3BDLFFBQU0sVUFBVSxRQUFRO0FBQ3hCLE1BQUksWUFBWSxFQUFHLFFBQU87QUFDMUIsTUFBSSxVQUFVLEtBQUssVUFBVSxLQUFRLFFBQU87QUFDNUMsTUFBSSxXQUFXLFNBQVMsVUFBVSxJQUFLLFFBQU87QUFDOUMsU0FBTyxHQUFHLEtBQUssUUFBUSxRQUFRLFVBQVUsU0FBUyxJQUFJLFVBQVUsUUFBUSxJQUFJLENBQUMsQ0FBQyxDQUFDO0FBQ2pGO0FBR08sU0FBUyxNQUFNLE9BQXVCO0FBQzNDLE1BQUksUUFBUSxLQUFNLFFBQU8sR0FBRyxLQUFLO0FBQ2pDLFFBQU0sUUFBUSxDQUFDLE9BQU8sT0FBTyxPQUFPLE9BQU8sS0FBSztBQUNoRCxNQUFJLE9BQU8sUUFBUTtBQUNuQixNQUFJLE9BQU87QUFDWCxTQUFPLFFBQVEsU0FBUyxPQUFPLElBQUksTUFBTSxRQUFRO0FBQy9DLFlBQVE7QUFDUixZQUFRO0FBQUEsRUFDVjtBQUNBLFNBQU8sR0FBRyxZQUFZLElBQUksQ0FBQyxJQUFJLE1BQU0sSUFBSSxDQUFDO0FBQzVDO0FBR08sU0FBUyxPQUFPLE9BQWUsTUFBc0I7QUFDMUQsTUFBSSxTQUFTLEtBQU0sUUFBTyxTQUFTLEtBQUs7QUFDeEMsTUFBSSxTQUFTLFFBQVMsUUFBTyxNQUFNLEtBQUs7QUFDeEMsU0FBTyxHQUFHLE9BQU8sS0FBSyxDQUFDLElBQUksSUFBSTtBQUNqQztBQUdPLFNBQVMsT0FBTyxPQUFrQyxNQUF5QztBQUNoRyxTQUFPLFNBQVMsT0FBTyxVQUFVLEtBQUssS0FBSztBQUM3QztBQUVBLFNBQVMsWUFBWSxPQUF1QjtBQUMxQyxRQUFNLE9BQU8sS0FBSyxJQUFJLEtBQUs7QUFDM0IsU0FBTyxRQUFRLFFBQVEsT0FBTyxLQUFLLElBQUksTUFBTSxRQUFRLFFBQVEsUUFBUSxJQUFJLENBQUM7QUFDNUU7QUFFQSxTQUFTLEtBQUssTUFBc0I7QUFDbEMsU0FBTyxLQUFLLFNBQVMsR0FBRyxJQUFJLEtBQUssUUFBUSxVQUFVLEVBQUUsSUFBSTtBQUMzRDs7O0FDOUVPLFNBQVMsT0FBTyxRQUFlLE9BQXFCO0FBQ3pELFFBQU0sQ0FBQyxLQUFLLElBQUksSUFBSSxRQUFRLE1BQU07QUFDbEMsU0FBTztBQUFBLElBQ0wsSUFBSSxDQUFDLFVBQVUsUUFBUSxRQUFRLFFBQVEsUUFBUSxPQUFPLElBQUk7QUFBQSxJQUMxRCxPQUFPLENBQUMsV0FBVyxXQUFXLEtBQUssTUFBTSxXQUFXLE9BQU8sT0FBTyxLQUFLLElBQUksUUFBUSxDQUFDLENBQUMsQ0FBQztBQUFBLEVBQ3hGO0FBQ0Y7QUFHTyxTQUFTLFlBQVksUUFBZSxPQUFxQjtBQUM5RCxRQUFNLENBQUMsS0FBSyxJQUFJLElBQUksUUFBUSxDQUFDLEtBQUssTUFBTSxPQUFPLENBQUMsQ0FBQyxHQUFHLEtBQUssTUFBTSxPQUFPLENBQUMsQ0FBQyxDQUFDLENBQUM7QUFDMUUsU0FBTztBQUFBLElBQ0wsSUFBSSxDQUFDLFVBQVUsUUFBUSxPQUFPLFFBQVEsS0FBSyxLQUFLLE1BQU0sS0FBSyxJQUFJLFFBQVEsT0FBTyxPQUFPLENBQUM7QUFBQSxJQUN0RixPQUFPLENBQUMsV0FBVyxpQkFBaUIsS0FBSyxNQUFNLE1BQU07QUFBQSxFQUN2RDtBQUNGO0FBTU8sU0FBUyxTQUFTLFNBQWlCLE9BQXFCO0FBQzdELFFBQU0sT0FBTyxLQUFLLElBQUksTUFBTSxPQUFPLEdBQUcsQ0FBQztBQUN2QyxTQUFPO0FBQUEsSUFDTCxJQUFJLENBQUMsVUFBVSxRQUFRLE9BQU8sTUFBTSxLQUFLLElBQUksSUFBSTtBQUFBLElBQ2pELE9BQU8sTUFBTSxDQUFDLEdBQUcsS0FBSyxNQUFNLE9BQU8sUUFBUSxTQUFTLFFBQVEsRUFBRSxPQUFPLENBQUMsTUFBTSxNQUFNLENBQUMsS0FBSyxPQUFPLElBQUk7QUFBQSxFQUNyRztBQUNGO0FBR08sU0FBUyxLQUFLLFFBQWUsT0FBcUI7QUFDdkQsUUFBTSxDQUFDLEtBQUssSUFBSSxJQUFJLFFBQVEsTUFBTTtBQUNsQyxRQUFNQyxTQUFRLENBQUMsR0FBRyxHQUFHLEdBQUcsSUFBSSxJQUFJLElBQUksSUFBSSxLQUFLLEtBQUssS0FBSyxLQUFLLE1BQU0sTUFBTSxNQUFNLE9BQU8sT0FBTyxLQUFLO0FBQ2pHLFNBQU87QUFBQSxJQUNMLElBQUksT0FBTyxRQUFRLEtBQUssRUFBRTtBQUFBLElBQzFCLE9BQU8sQ0FBQyxXQUFXO0FBQ2pCLFlBQU0sU0FBUyxPQUFPLE9BQU8sS0FBSyxJQUFJLFFBQVEsQ0FBQztBQUMvQyxhQUFPLFdBQVcsS0FBSyxNQUFNQSxPQUFNLEtBQUssQ0FBQyxTQUFTLFFBQVEsS0FBSyxLQUFLLFVBQVUsS0FBSyxDQUFDO0FBQUEsSUFDdEY7QUFBQSxFQUNGO0FBQ0Y7QUFHTyxTQUFTLE9BQU8sUUFBc0U7QUFDM0YsTUFBSSxDQUFDLEtBQUssSUFBSSxJQUFJLENBQUMsT0FBTyxtQkFBbUIsT0FBTyxpQkFBaUI7QUFDckUsYUFBVyxTQUFTLFFBQVE7QUFDMUIsUUFBSSxTQUFTLFFBQVEsQ0FBQyxPQUFPLFNBQVMsS0FBSyxFQUFHO0FBQzlDLFVBQU0sS0FBSyxJQUFJLEtBQUssS0FBSztBQUN6QixXQUFPLEtBQUssSUFBSSxNQUFNLEtBQUs7QUFBQSxFQUM3QjtBQUNBLFNBQU8sT0FBTyxPQUFPLENBQUMsS0FBSyxJQUFJLElBQUk7QUFDckM7QUFHQSxTQUFTLE1BQU0sT0FBdUI7QUFDcEMsU0FBTyxDQUFDLEtBQUssTUFBTSxLQUFLLElBQUksSUFBSSxPQUFPLElBQUksQ0FBQztBQUM5QztBQUVBLFNBQVMsUUFBUSxDQUFDLE1BQU0sRUFBRSxHQUFVQyxRQUF1QjtBQUN6RCxTQUFPLFFBQVEsS0FBSyxRQUFRLEtBQUssSUFBSSxLQUFLLElBQUlBLFFBQU8sQ0FBQyxHQUFHLENBQUM7QUFDNUQ7QUFHQSxTQUFTLFFBQVEsQ0FBQyxLQUFLLElBQUksR0FBaUI7QUFDMUMsU0FBTyxPQUFPLE1BQU0sQ0FBQyxLQUFLLElBQUksSUFBSSxDQUFDLEtBQUssT0FBTyxLQUFLLElBQUksR0FBRyxLQUFLLEVBQUU7QUFDcEU7QUFHQSxTQUFTLFVBQVUsT0FBdUI7QUFDeEMsUUFBTSxRQUFRLE1BQU0sS0FBSyxNQUFNLEtBQUssTUFBTSxLQUFLLENBQUM7QUFDaEQsVUFBUSxDQUFDLEdBQUcsR0FBRyxHQUFHLEVBQUUsRUFBRSxLQUFLLENBQUMsV0FBVyxTQUFTLFNBQVMsUUFBUSxLQUFLLEtBQUssTUFBTTtBQUNuRjtBQUVBLFNBQVMsV0FBVyxLQUFhLE1BQWMsTUFBd0I7QUFDckUsUUFBTSxRQUFrQixDQUFDO0FBQ3pCLFdBQVMsSUFBSSxLQUFLLEtBQUssTUFBTSxPQUFPLElBQUksR0FBRyxJQUFJLFFBQVEsT0FBTyxPQUFPLE1BQU0sS0FBSyxHQUFHO0FBQ2pGLFVBQU0sS0FBSyxPQUFPLFlBQVksSUFBSSxNQUFNLFlBQVksRUFBRSxDQUFDLENBQUM7QUFBQSxFQUMxRDtBQUNBLFNBQU87QUFDVDtBQUVBLFNBQVMsaUJBQWlCLEtBQWEsTUFBYyxRQUEwQjtBQUM3RSxRQUFNLFNBQVMsQ0FBQyxTQUFtQixVQUFrQjtBQUNuRCxVQUFNLFFBQWtCLENBQUM7QUFDekIsYUFBUyxRQUFRLEtBQUssTUFBTSxHQUFHLEdBQUcsU0FBUyxLQUFLLEtBQUssSUFBSSxHQUFHLFNBQVMsR0FBRztBQUN0RSxVQUFJLFFBQVEsVUFBVSxFQUFHO0FBQ3pCLGlCQUFXLFVBQVUsU0FBUztBQUM1QixjQUFNLFdBQVcsUUFBUSxLQUFLLE1BQU0sTUFBTTtBQUMxQyxZQUFJLFlBQVksTUFBTSxRQUFRLFlBQVksT0FBTyxNQUFNO0FBQ3JELGdCQUFNLEtBQUssT0FBTyxZQUFZLFNBQVMsTUFBTSxPQUFPLFlBQVksRUFBRSxDQUFDLENBQUM7QUFBQSxRQUN0RTtBQUFBLE1BQ0Y7QUFBQSxJQUNGO0FBQ0EsV0FBTztBQUFBLEVBQ1Q7QUFDQSxRQUFNLFVBQVUsS0FBSyxJQUFJLE9BQU8sS0FBSyxHQUFHO0FBQ3hDLE1BQUksVUFBVSxLQUFLLFNBQVMsRUFBRyxRQUFPLE9BQU8sQ0FBQyxHQUFHLEdBQUcsQ0FBQyxHQUFHLENBQUM7QUFDekQsU0FBTyxPQUFPLENBQUMsQ0FBQyxHQUFHLEtBQUssSUFBSSxHQUFHLEtBQUssS0FBSyxVQUFVLEtBQUssSUFBSSxRQUFRLENBQUMsQ0FBQyxDQUFDLENBQUM7QUFDMUU7OztBQ2xEQSxJQUFNLGNBQWM7QUFDcEIsSUFBTSxhQUFhO0FBQ25CLElBQU0sTUFBTTtBQUdMLElBQU0sT0FBTyxDQUFDLFVBQTZDLENBQUMsUUFBUSxNQUFNLEtBQUssSUFBSSxRQUFRLEVBQUU7QUFHN0YsU0FBUyxNQUFNLE1BQWEsT0FBdUM7QUFDeEUsUUFBTSxDQUFDLE1BQU0sS0FBSyxJQUFJLEtBQUssS0FBSyxLQUFLO0FBQ3JDLE1BQUksSUFBSSxLQUFLLFFBQVE7QUFDckIsUUFBTSxLQUFjLENBQUM7QUFDckIsUUFBTSxTQUFpQixDQUFDO0FBQ3hCLFFBQU0sTUFBTSxJQUFJO0FBQ2hCLE1BQUksU0FBUztBQUNiLGFBQVdDLFVBQVMsS0FBSyxRQUFRO0FBQy9CLFVBQU0sT0FBTyxJQUFJO0FBQ2pCLGFBQVMsT0FBT0EsT0FBTTtBQUN0QixVQUFNLFFBQVFBLE9BQU0sTUFBTSxDQUFDLFFBQVEsSUFBSSxDQUFDO0FBQ3hDLE9BQUcsS0FBSyxLQUFLO0FBQ2IsV0FBTyxLQUFLLE1BQU1BLFFBQU8sT0FBTyxFQUFFLE1BQU0sT0FBTyxLQUFLLE1BQU0sT0FBTyxDQUFDLENBQUM7QUFDbkUsUUFBSSxTQUFTO0FBQUEsRUFDZjtBQUNBLFFBQU1DLFVBQVMsU0FBUztBQUN4QixRQUFNLE1BQU07QUFBQSxJQUNWO0FBQUEsSUFDQSxFQUFFLFNBQVMsT0FBTyxLQUFLLEtBQUssSUFBSSxNQUFNQSxPQUFNLENBQUMsSUFBSSxNQUFNLE9BQU8sY0FBYyxLQUFLLE9BQU8sT0FBTyxRQUFRO0FBQUEsSUFDdkcsRUFBRSxLQUFLLEVBQUUsT0FBTyxTQUFTLEdBQUcsS0FBSyxTQUFTLEtBQUssTUFBTSxLQUFLLENBQUMsQ0FBQztBQUFBLElBQzVEO0FBQUEsSUFDQSxFQUFFLEtBQUssRUFBRSxPQUFPLE9BQU8sR0FBRyxNQUFNLE1BQU0sTUFBTSxDQUFDO0FBQUEsSUFDN0MsRUFBRSxLQUFLLEVBQUUsT0FBTyxTQUFTLEdBQUcsS0FBSyxTQUFTLEtBQUssTUFBTSxLQUFLLENBQUMsQ0FBQztBQUFBLElBQzVELEVBQUUsS0FBSyxFQUFFLE9BQU8sVUFBVSxZQUFZLFNBQVMsR0FBRyxFQUFFLFFBQVEsRUFBRSxJQUFJLE1BQU0sR0FBRyxHQUFHLElBQUksTUFBTSxNQUFNLEVBQUUsQ0FBQyxDQUFDO0FBQUEsRUFDcEc7QUFDQSxTQUFPLEVBQUUsS0FBSyxPQUFPLEtBQUssT0FBTyxRQUFBQSxTQUFRLE9BQU8sTUFBTSxFQUFFLEVBQUUsS0FBSyxDQUFDLEdBQUcsTUFBTSxFQUFFLElBQUksRUFBRSxDQUFDLEVBQUU7QUFDdEY7QUFTQSxTQUFTLE1BQU1ELFFBQWMsR0FBVSxLQUFnQjtBQUNyRCxRQUFNLFFBQVFBLE9BQU0sTUFBTSxDQUFDLElBQUksUUFBUSxJQUFJLEdBQUcsQ0FBQyxFQUFFLE1BQU0sS0FBSyxJQUFJLEdBQUcsS0FBSyxNQUFNQSxPQUFNLFNBQVMsRUFBRSxDQUFDLENBQUM7QUFDakcsU0FBTztBQUFBLElBQ0w7QUFBQSxJQUNBLEVBQUUsT0FBTyxRQUFRO0FBQUEsSUFDakIsRUFBRSxRQUFRLEVBQUUsT0FBTyxTQUFTLEdBQUcsR0FBRyxHQUFHLE1BQU0sSUFBSSxNQUFNLEVBQUUsRUFBRSxHQUFHQSxPQUFNLEtBQUs7QUFBQSxJQUN2RSxTQUFTQSxRQUFPLEdBQUc7QUFBQSxJQUNuQixNQUFNLFFBQVEsQ0FBQyxTQUFTO0FBQUEsTUFDdEIsRUFBRSxRQUFRO0FBQUEsUUFDUixPQUFPO0FBQUEsUUFDUCxJQUFJLE1BQU0sSUFBSSxJQUFJO0FBQUEsUUFDbEIsSUFBSSxNQUFNLElBQUksS0FBSztBQUFBLFFBQ25CLElBQUksTUFBTSxFQUFFLEdBQUcsSUFBSSxDQUFDO0FBQUEsUUFDcEIsSUFBSSxNQUFNLEVBQUUsR0FBRyxJQUFJLENBQUM7QUFBQSxNQUN0QixDQUFDO0FBQUEsTUFDRDtBQUFBLFFBQ0U7QUFBQSxRQUNBLEVBQUUsT0FBTyxRQUFRLEdBQUcsTUFBTSxJQUFJLE9BQU8sQ0FBQyxHQUFHLEdBQUcsTUFBTSxFQUFFLEdBQUcsSUFBSSxJQUFJLENBQUMsR0FBRyxlQUFlLE1BQU07QUFBQSxRQUN4RkEsT0FBTSxLQUFLLElBQUk7QUFBQSxNQUNqQjtBQUFBLElBQ0YsQ0FBQztBQUFBLEtBQ0FBLE9BQU0sVUFBVSxDQUFDLEdBQUcsSUFBSSxDQUFDLFVBQVUsV0FBVyxPQUFPLEdBQUcsR0FBRyxDQUFDO0FBQUEsSUFDN0RBLE9BQU0sTUFBTSxDQUFDO0FBQUEsSUFDYixFQUFFLFFBQVE7QUFBQSxNQUNSLE9BQU87QUFBQSxNQUNQLElBQUksTUFBTSxJQUFJLElBQUk7QUFBQSxNQUNsQixJQUFJLE1BQU0sSUFBSSxLQUFLO0FBQUEsTUFDbkIsSUFBSSxNQUFNLElBQUksTUFBTTtBQUFBLE1BQ3BCLElBQUksTUFBTSxJQUFJLE1BQU07QUFBQSxJQUN0QixDQUFDO0FBQUEsRUFDSDtBQUNGO0FBR0EsU0FBUyxXQUFXLE9BQWMsR0FBVSxLQUFnQjtBQUMxRCxRQUFNLEtBQUssRUFBRSxHQUFHLE1BQU0sS0FBSztBQUMzQixRQUFNLFNBQ0osTUFBTSxZQUFZLFVBQVUsRUFBRSxHQUFHLElBQUksS0FBSyxRQUFRLEtBQUssSUFBSSxJQUFJLElBQUksRUFBRSxHQUFHLElBQUksUUFBUSxJQUFJLFNBQVMsR0FBRztBQUN0RyxRQUFNLE9BQU8sTUFBTSxZQUFZLFVBQVUsS0FBSyxJQUFJLE1BQU0sS0FBSyxJQUFJLFNBQVMsS0FBSztBQUMvRSxRQUFNLFVBQVcsTUFBTSxZQUFZLFlBQWEsT0FBTyxLQUFLLElBQUksS0FBSztBQUNyRSxTQUFPO0FBQUEsSUFDTDtBQUFBLElBQ0EsRUFBRSxPQUFPLFFBQVE7QUFBQSxJQUNqQixFQUFFLFFBQVE7QUFBQSxNQUNSLE9BQU87QUFBQSxNQUNQLEdBQUcsTUFBTSxJQUFJLElBQUk7QUFBQSxNQUNqQixPQUFPLE1BQU0sSUFBSSxRQUFRLElBQUksSUFBSTtBQUFBLE1BQ2pDLEdBQUcsTUFBTSxPQUFPLENBQUM7QUFBQSxNQUNqQixRQUFRLE1BQU0sS0FBSyxJQUFJLE9BQU8sUUFBUSxDQUFDLENBQUM7QUFBQSxJQUMxQyxDQUFDO0FBQUEsSUFDRCxFQUFFLFFBQVEsRUFBRSxJQUFJLE1BQU0sSUFBSSxJQUFJLEdBQUcsSUFBSSxNQUFNLElBQUksS0FBSyxHQUFHLElBQUksTUFBTSxFQUFFLEdBQUcsSUFBSSxNQUFNLEVBQUUsRUFBRSxDQUFDO0FBQUEsSUFDckY7QUFBQSxNQUNFO0FBQUEsTUFDQSxFQUFFLEdBQUcsTUFBTSxJQUFJLE9BQU8sQ0FBQyxHQUFHLEdBQUcsTUFBTSxPQUFPLEVBQUU7QUFBQSxNQUM1QyxVQUFVLE1BQU0sUUFBUSxJQUFJLFFBQVEsSUFBSSxRQUFRLENBQUM7QUFBQSxJQUNuRDtBQUFBLEVBQ0Y7QUFDRjtBQUdBLFNBQVMsU0FBU0EsUUFBYyxLQUFpQjtBQUMvQyxNQUFJLENBQUNBLE9BQU0sSUFBSyxRQUFPO0FBQ3ZCLE1BQUksSUFBSSxJQUFJO0FBQ1osUUFBTSxVQUFVLENBQUMsR0FBR0EsT0FBTSxHQUFHLEVBQUUsUUFBUSxFQUFFLElBQUksQ0FBQyxVQUFVO0FBQ3RELFVBQU0sU0FBUztBQUNmLFNBQUssTUFBTSxLQUFLLFNBQVMsTUFBTTtBQUMvQixVQUFNRSxVQUFTLEVBQUUsUUFBUTtBQUFBLE1BQ3ZCLE9BQU8sTUFBTTtBQUFBLE1BQ2IsSUFBSSxNQUFNLElBQUksRUFBRTtBQUFBLE1BQ2hCLElBQUksTUFBTSxDQUFDO0FBQUEsTUFDWCxJQUFJLE1BQU0sSUFBSSxNQUFNLEVBQUU7QUFBQSxNQUN0QixJQUFJLE1BQU0sSUFBSSxNQUFNLEVBQUU7QUFBQSxJQUN4QixDQUFDO0FBQ0QsU0FBSztBQUNMLFdBQU87QUFBQSxNQUNMLEVBQUUsUUFBUSxFQUFFLEdBQUcsTUFBTSxNQUFNLEdBQUcsR0FBRyxNQUFNLElBQUksTUFBTSxFQUFFLEdBQUcsZUFBZSxNQUFNLEdBQUcsTUFBTSxJQUFJO0FBQUEsTUFDeEZBO0FBQUEsSUFDRjtBQUFBLEVBQ0YsQ0FBQztBQUNELFNBQU8sRUFBRSxLQUFLLEVBQUUsT0FBTyxNQUFNLEdBQUcsUUFBUSxLQUFLLENBQUM7QUFDaEQ7QUFFQSxTQUFTLE1BQU0sTUFBYSxRQUF5QjtBQUNuRCxRQUFNLENBQUMsTUFBTSxLQUFLLElBQUksS0FBSyxLQUFLLEtBQUs7QUFDckMsUUFBTSxRQUFRLEtBQUssRUFBRSxNQUFNLEtBQUssSUFBSSxHQUFHLEtBQUssT0FBTyxRQUFRLFFBQVEsRUFBRSxDQUFDLENBQUM7QUFDdkUsU0FBTztBQUFBLElBQ0wsR0FBRyxNQUFNLFFBQVEsQ0FBQyxTQUFTO0FBQUEsTUFDekIsRUFBRSxRQUFRO0FBQUEsUUFDUixPQUFPO0FBQUEsUUFDUCxJQUFJLE1BQU0sS0FBSyxFQUFFLEdBQUcsSUFBSSxDQUFDO0FBQUEsUUFDekIsSUFBSSxNQUFNLEtBQUssRUFBRSxHQUFHLElBQUksQ0FBQztBQUFBLFFBQ3pCLElBQUksTUFBTSxNQUFNO0FBQUEsUUFDaEIsSUFBSSxNQUFNLFNBQVMsQ0FBQztBQUFBLE1BQ3RCLENBQUM7QUFBQSxNQUNEO0FBQUEsUUFDRTtBQUFBLFFBQ0EsRUFBRSxPQUFPLFFBQVEsR0FBRyxNQUFNLEtBQUssRUFBRSxHQUFHLElBQUksQ0FBQyxHQUFHLEdBQUcsTUFBTSxTQUFTLEVBQUUsR0FBRyxlQUFlLFNBQVM7QUFBQSxRQUMzRixLQUFLLE1BQU0sSUFBSTtBQUFBLE1BQ2pCO0FBQUEsSUFDRixDQUFDO0FBQUEsSUFDRCxFQUFFLFFBQVEsRUFBRSxPQUFPLFFBQVEsR0FBRyxNQUFNLEtBQUssR0FBRyxHQUFHLE1BQU0sU0FBUyxFQUFFLEdBQUcsZUFBZSxNQUFNLEdBQUcsS0FBSyxNQUFNO0FBQUEsRUFDeEc7QUFDRjtBQUdPLFNBQVMsS0FDZCxRQUNBLFdBQ2E7QUFDYixNQUFJLElBQUk7QUFDUixNQUFJLFVBQVU7QUFDZCxhQUFXLENBQUMsR0FBRyxDQUFDLEtBQUssUUFBUTtBQUMzQixRQUFJLE1BQU0sTUFBTTtBQUNkLGdCQUFVO0FBQ1Y7QUFBQSxJQUNGO0FBQ0EsU0FBSyxHQUFHLFVBQVUsTUFBTSxHQUFHLEdBQUcsTUFBTSxDQUFDLENBQUMsSUFBSSxNQUFNLENBQUMsQ0FBQztBQUNsRCxjQUFVO0FBQUEsRUFDWjtBQUNBLFNBQU8sSUFBSSxFQUFFLFFBQVEsRUFBRSxPQUFPLFdBQVcsRUFBRSxDQUFDLElBQUk7QUFDbEQ7QUFHTyxJQUFNLFlBQVksQ0FBQyxNQUFjLFlBQ3RDLEtBQUssU0FBUyxVQUFVLEdBQUcsS0FBSyxNQUFNLEdBQUcsS0FBSyxJQUFJLFVBQVUsR0FBRyxDQUFDLENBQUMsRUFBRSxRQUFRLENBQUMsV0FBTTtBQUc3RSxJQUFNLFdBQVcsQ0FBQyxTQUN2QixLQUFLLFFBQVEsZ0JBQWdCLEVBQUUsRUFBRSxRQUFRLDBCQUEwQixJQUFJOzs7QUM3TmxFLFNBQVMsZ0JBQWdCLFVBQW9CLE9BQTZCO0FBQy9FLFFBQU0sUUFBUSxTQUFTLG9CQUFvQixPQUFPLENBQUMsVUFBVSxPQUFPLFNBQVMsTUFBTSxFQUFFLENBQUM7QUFDdEYsUUFBTSxVQUFVLE1BQU0sR0FBRyxFQUFFO0FBQzNCLE1BQUksQ0FBQyxXQUFXLE1BQU0sU0FBUyxFQUFHLFFBQU87QUFDekMsUUFBTSxPQUFPLE9BQU8sTUFBTSxJQUFJLENBQUMsVUFBVSxNQUFNLEVBQUUsRUFBRSxPQUFPLENBQUMsT0FBTyxLQUFLLENBQUMsQ0FBQyxLQUFLLENBQUMsS0FBSyxDQUFDO0FBRXJGLFFBQU0sU0FBUyxTQUFTLFFBQVEsRUFBRSxPQUFPLENBQUMsVUFBVSxNQUFNLFNBQVMsS0FBSyxDQUFDLElBQUksQ0FBQztBQUM5RSxRQUFNLFdBQVcsS0FBSyxJQUFJLEtBQUssQ0FBQyxHQUFHLEdBQUcsT0FBTyxJQUFJLENBQUMsVUFBVSxNQUFNLEtBQUssQ0FBQztBQUN4RSxRQUFNQyxXQUFVLE1BQU0sU0FBUyxZQUFZO0FBQzNDLFFBQU0sSUFBSSxTQUFTLEtBQUssSUFBSSxRQUFRLFVBQVUsUUFBUyxHQUFHLEtBQUssS0FBSyxDQUFDO0FBQ3JFLFFBQU0sUUFDSixXQUFXLEtBQUssQ0FBQyxJQUFJLEtBQ2pCLENBQUMsVUFBcUMsWUFBWSxDQUFDLEtBQUssQ0FBQyxJQUFJLEtBQUssV0FBVyxHQUFHLEdBQUcsS0FBSyxJQUN4RixDQUFDLFVBQXFDLE9BQU8sQ0FBQyxHQUFHLFdBQVcsSUFBSSxHQUFHLEtBQUs7QUFDOUUsUUFBTSxRQUFRLENBQUMsV0FBK0IsT0FBTyxPQUFPLENBQUMsQ0FBQyxDQUFDLE1BQU0sS0FBSyxRQUFRLFFBQVE7QUFDMUYsU0FBTztBQUFBLElBQ0w7QUFBQSxNQUNFO0FBQUEsTUFDQSxPQUFPLGdDQUFnQyxNQUFNLFNBQVMsYUFBYSxFQUNoRSxJQUFJLENBQUMsQ0FBQyxHQUFHLEVBQUUsTUFBTSxHQUFHLFdBQVcsQ0FBQyxDQUFDLElBQVksU0FBUyxFQUFFLENBQUMsRUFBRSxFQUMzRCxLQUFLLElBQUksQ0FBQztBQUFBLE1BQ2I7QUFBQSxNQUNBLE9BQU8sQ0FBQyxNQUFNLFdBQVcsQ0FBQyxFQUFFLE1BQU0sQ0FBQztBQUFBLE1BQ25DLFFBQVE7QUFBQSxNQUNSLFFBQVE7QUFBQSxRQUNOO0FBQUEsVUFDRSxPQUFPO0FBQUEsVUFDUCxRQUFRLFFBQVEsTUFBTSxNQUFNO0FBQUEsVUFDNUI7QUFBQSxVQUNBLE1BQU0sQ0FBQyxPQUFPLFNBQWlCLFNBQVMsRUFBRSxDQUFDO0FBQUEsVUFDM0M7QUFBQSxVQUNBLEtBQUs7QUFBQSxZQUNILEVBQUUsTUFBTSxpQkFBaUIsT0FBTyxhQUFhO0FBQUEsWUFDN0MsR0FBSUEsU0FBUSxTQUFTLElBQUksQ0FBQyxFQUFFLE1BQU0sZ0JBQWdCLE9BQU8sY0FBYyxDQUFDLElBQUksQ0FBQztBQUFBLFVBQy9FO0FBQUEsVUFDQSxPQUFPLENBQUMsTUFBTTtBQUFBLFlBQ1o7QUFBQSxjQUNFLE1BQU1BLFFBQU8sRUFBRSxJQUFJLENBQUMsQ0FBQyxHQUFHLEVBQUUsTUFBTSxDQUFDLEVBQUUsR0FBRyxDQUFDLEdBQUcsRUFBRSxHQUFHLEVBQUUsQ0FBQyxDQUFDO0FBQUEsY0FDbkQ7QUFBQSxZQUNGO0FBQUEsWUFDQTtBQUFBLGNBQ0UsTUFBTSxJQUFJLENBQUMsVUFBVSxDQUFDLEVBQUUsR0FBRyxNQUFNLFFBQVEsR0FBRyxFQUFFLEdBQUcsTUFBTSxFQUFFLENBQUMsQ0FBQztBQUFBLGNBQzNEO0FBQUEsWUFDRjtBQUFBLFlBQ0EsR0FBRyxNQUFNLE1BQU0sU0FBUyxhQUFhLENBQUMsRUFBRSxJQUFJLENBQUMsQ0FBQyxHQUFHLEVBQUUsTUFBTSxJQUFJLEVBQUUsR0FBRyxDQUFDLEdBQUcsRUFBRSxHQUFHLEVBQUUsQ0FBQyxDQUFDO0FBQUEsVUFDakY7QUFBQSxRQUNGO0FBQUEsTUFDRjtBQUFBLElBQ0Y7QUFBQSxJQUNBLENBQUMsQ0FBQyxDQUFDLE1BQ0QsTUFBTSxJQUFJLENBQUMsV0FBVztBQUFBLE1BQ3BCLEdBQUcsRUFBRSxHQUFHLE1BQU0sUUFBUTtBQUFBLE1BQ3RCLE9BQU8sV0FBVyxNQUFNLFFBQVE7QUFBQSxNQUNoQyxNQUFNO0FBQUEsUUFDSixDQUFDLGlCQUF5QixTQUFTLE1BQU0sRUFBRSxDQUFDO0FBQUEsUUFDNUMsQ0FBQyxvQkFBb0IsUUFBZ0IsT0FBTyxJQUFJLEtBQUssSUFBSSxJQUFJLE1BQU0sVUFBVSxJQUFJLENBQUMsQ0FBQyxFQUFFO0FBQUEsTUFDdkY7QUFBQSxNQUNBLE9BQU8sT0FBTyxFQUFFLEdBQUcsTUFBTSxRQUFRLEdBQUcsR0FBRyxHQUFHLE1BQU0sRUFBRSxDQUFDO0FBQUEsSUFDckQsRUFBRTtBQUFBLEVBQ047QUFDRjtBQUVBLElBQU0sTUFBTSxDQUFDLEdBQVcsTUFBYyxFQUFFLFVBQVUsRUFBRSxPQUFPLGFBQWEsSUFBSSxNQUFNLENBQUMsR0FBRyxJQUFJLE1BQU0sQ0FBQyxHQUFHLEdBQUcsRUFBRSxDQUFDO0FBRTFHLElBQU0sU0FBUyxDQUFDLEdBQVcsTUFBK0MsTUFBTSxTQUFZLENBQUMsSUFBSSxDQUFDLENBQUMsR0FBRyxDQUFDLENBQUM7QUFHeEcsSUFBTSxhQUFhLENBQUMsTUFBc0IsSUFBSSxPQUFPLFlBQVksSUFBSSxLQUFLLFFBQVEsQ0FBQyxDQUFDLENBQUM7QUFHckYsU0FBUyxNQUFNLEdBQWtEO0FBQy9ELE1BQUksRUFBRSxVQUFVLEVBQUcsUUFBTyxDQUFDO0FBQzNCLFNBQU87QUFBQSxJQUNMLENBQUMsS0FBSyxFQUFFLE1BQU07QUFBQSxJQUNkLENBQUMsS0FBSyxFQUFFLE1BQU07QUFBQSxJQUNkLENBQUMsTUFBTSxFQUFFLE1BQU07QUFBQSxJQUNmLENBQUMsTUFBTSxFQUFFLE1BQU07QUFBQSxJQUNmLENBQUMsT0FBTyxFQUFFLE9BQU87QUFBQSxFQUNuQjtBQUNGO0FBR08sU0FBUyxTQUFTLFVBQTZCO0FBQ3BELFNBQU8sU0FBUyxXQUNiLE9BQU8sQ0FBQyxjQUFjLFVBQVUsU0FBUyxJQUFJLEVBQzdDLElBQUksQ0FBQyxlQUFlLEVBQUUsT0FBTyxVQUFVLE9BQU8sT0FBTyxVQUFVLFdBQVcsU0FBUyxRQUFRLEVBQUU7QUFDbEc7OztBQ3ZFTyxTQUFTLGNBQWMsVUFBb0IsT0FBNkI7QUFDN0UsUUFBTUMsU0FBUSxTQUFTLE1BQU0sT0FBTyxDQUFDLFNBQXdCLEtBQUssa0JBQWtCLElBQUk7QUFDeEYsUUFBTSxRQUFRLE9BQU9BLE9BQU0sSUFBSSxDQUFDLFNBQVMsS0FBSyxhQUFhLENBQUM7QUFDNUQsTUFBSSxDQUFDLE1BQU8sUUFBTztBQUNuQixRQUFNLE9BQU8sU0FBUztBQUN0QixRQUFNLFVBQVUsS0FBSyxJQUFJLE1BQU0sQ0FBQyxHQUFHLE1BQU0sdUJBQXVCLEdBQUcsTUFBTSxjQUFjLENBQUM7QUFDeEYsUUFBTSxJQUFJLE9BQU8sQ0FBQyxHQUFHLFVBQVUsSUFBSSxHQUFHLEtBQUssS0FBSyxDQUFDO0FBQ2pELFFBQU0sV0FBVyxXQUFXLFFBQVEsRUFBRSxPQUFPLENBQUMsWUFBWUEsT0FBTSxLQUFLLENBQUMsU0FBUyxRQUFRLEdBQUcsSUFBSSxNQUFNLElBQUksQ0FBQztBQUN6RyxTQUFPO0FBQUEsSUFDTDtBQUFBLE1BQ0U7QUFBQSxNQUNBLE9BQU8sUUFBUSxVQUFVQSxNQUFLO0FBQUEsTUFDOUI7QUFBQSxNQUNBLE9BQWU7QUFBQSxNQUNmLFFBQVE7QUFBQSxNQUNSLE1BQU0sT0FBTyxLQUFLO0FBQUEsTUFDbEIsUUFBUSxTQUFTLElBQUksQ0FBQyxZQUFZLE1BQU0sU0FBU0EsUUFBTyxDQUFDLENBQUM7QUFBQSxNQUMxRCxRQUFRLENBQUMsS0FBSyxXQUFZLE9BQU8sU0FBUyxNQUFNLEdBQUcsS0FBSyxLQUFLLEVBQUUsQ0FBQyxHQUFHLEtBQUssTUFBTSxJQUFJLENBQUM7QUFBQSxNQUNuRixRQUFRLENBQUMsS0FBSyxXQUFZLE9BQU8sU0FBUyxNQUFNLEdBQUcsT0FBTyxLQUFLLE1BQU0sSUFBSSxDQUFDO0FBQUEsSUFDNUU7QUFBQSxJQUNBLENBQUMsT0FBT0EsT0FBTSxJQUFJLENBQUMsU0FBUyxLQUFLLE1BQU0sR0FBRyxVQUFVLEVBQUUsQ0FBQztBQUFBLEVBQ3pEO0FBQ0Y7QUFHQSxTQUFTLFdBQVcsVUFBK0I7QUFDakQsUUFBTSxVQUFVLFNBQVMsTUFBTSxLQUFLLENBQUMsU0FBUyxLQUFLLGNBQWMsQ0FBQztBQUNsRSxRQUFNLFdBQVcsU0FBUyxXQUFXLElBQUksQ0FBQyxjQUF1QjtBQUMvRCxVQUFNLFVBQVUsVUFBVSxVQUFVLE1BQU0sVUFBVSxFQUFFLENBQUMsS0FBSztBQUM1RCxXQUFPO0FBQUEsTUFDTCxPQUFPLFFBQVEsU0FBUyxVQUFVLElBQUk7QUFBQSxNQUN0QyxRQUFRLFVBQVUsU0FBUyxPQUFPLE1BQU0sWUFBWSxZQUFZLENBQUMsVUFBVSxLQUFLO0FBQUEsTUFDaEYsTUFBTSxVQUFVO0FBQUEsTUFDaEIsSUFBSSxDQUFDLFNBQ0gsS0FBSyxXQUFXLEtBQUssQ0FBQyxTQUFTLEtBQUssY0FBYyxVQUFVLFNBQVMsR0FBRyxZQUN4RSxTQUFTLFNBQVMsV0FBVyxJQUFJO0FBQUEsTUFDbkMsUUFBUTtBQUFBLFFBQ047QUFBQSxVQUNFLE9BQU8sVUFBVTtBQUFBLFVBQ2pCLE9BQU8sVUFBVTtBQUFBLFVBQ2pCLFNBQVMsVUFBVSxVQUFVLFNBQVMsR0FBRyxJQUFJLFVBQVU7QUFBQSxRQUN6RDtBQUFBLE1BQ0Y7QUFBQSxNQUNBLE1BQU0sQ0FBQyxTQUNMLEtBQUssWUFBWSxjQUNqQixLQUFLLFdBQVcsS0FBSyxDQUFDLFNBQVMsS0FBSyxjQUFjLFVBQVUsYUFBYSxLQUFLLE1BQU07QUFBQSxJQUN4RjtBQUFBLEVBQ0YsQ0FBQztBQUNELFFBQU0sVUFBVSxDQUFDLE1BQWMsVUFDN0IsQ0FBQyxTQUFTLEtBQUssQ0FBQyxTQUFTLEtBQUssU0FBUyxRQUFRLE1BQU0sS0FBSyxLQUFLLEtBQUssQ0FBQztBQUN2RSxNQUFJLFFBQVEsTUFBTSxHQUFHO0FBQ25CLGFBQVMsS0FBSztBQUFBLE1BQ1osT0FBTyxRQUFRLE9BQU8sSUFBSTtBQUFBLE1BQzFCLFFBQVE7QUFBQSxNQUNSLE1BQU07QUFBQSxNQUNOLElBQUk7QUFBQSxNQUNKLFFBQVEsQ0FBQztBQUFBLE1BQ1QsTUFBTSxNQUFNO0FBQUEsSUFDZCxDQUFDO0FBQ0gsTUFBSSxRQUFRLFNBQVMsS0FBSyxHQUFHO0FBQzNCLGFBQVMsS0FBSztBQUFBLE1BQ1osT0FBTyxRQUFRLE9BQU8sT0FBTztBQUFBLE1BQzdCLFFBQVE7QUFBQSxNQUNSLE1BQU07QUFBQSxNQUNOLElBQUksQ0FBQyxTQUFTLEtBQUs7QUFBQSxNQUNuQixRQUFRLENBQUM7QUFBQSxNQUNULE1BQU0sTUFBTTtBQUFBLElBQ2QsQ0FBQztBQUFBLEVBQ0g7QUFDQSxNQUFJLFFBQVEsU0FBUyxRQUFRLEdBQUc7QUFDOUIsYUFBUyxLQUFLO0FBQUEsTUFDWixPQUFPLFFBQVEsVUFBVSxPQUFPO0FBQUEsTUFDaEMsUUFBUTtBQUFBLE1BQ1IsTUFBTTtBQUFBLE1BQ04sSUFBSSxDQUFDLFNBQVMsS0FBSztBQUFBLE1BQ25CLFFBQVEsQ0FBQztBQUFBLE1BQ1QsTUFBTSxNQUFNO0FBQUEsSUFDZCxDQUFDO0FBQUEsRUFDSDtBQUNBLFNBQU87QUFDVDtBQUVBLFNBQVMsUUFBUSxTQUFpQixNQUFzQjtBQUN0RCxNQUFJLFlBQVksTUFBTyxRQUFPO0FBQzlCLE1BQUksWUFBWSxTQUFVLFFBQU87QUFDakMsTUFBSSxZQUFZLE9BQVEsUUFBTztBQUMvQixTQUFPLFNBQVMsT0FBTyxrQkFBa0IsT0FBTyxLQUFLO0FBQ3ZEO0FBR0EsU0FBUyxTQUFTLFNBQWlCLEVBQUUsS0FBSyxHQUFxQixNQUFrQztBQUMvRixNQUFJLFlBQVksTUFBTyxRQUFPLEtBQUs7QUFDbkMsTUFBSSxZQUFZLFNBQVUsUUFBTyxLQUFLO0FBQ3RDLFNBQU8sU0FBUyxRQUFRLFlBQVksUUFBUSxJQUFJLElBQUksSUFBSTtBQUMxRDtBQUVBLElBQU0sTUFBTSxDQUFDLFNBQ1gsS0FBSyxjQUFjLFFBQVEsSUFBSSxLQUFLLGNBQWMsU0FBUztBQUU3RCxTQUFTLE1BQU0sU0FBa0JBLFFBQWdCLEdBQWlCO0FBQ2hFLFFBQU0sVUFBVSxDQUFDLEdBQUdBLE1BQUssRUFBRSxLQUFLLENBQUMsR0FBRyxNQUFNLEVBQUUsZ0JBQWdCLEVBQUUsYUFBYTtBQUMzRSxTQUFPO0FBQUEsSUFDTCxPQUFPLFFBQVE7QUFBQSxJQUNmLFFBQVEsUUFBUTtBQUFBLElBQ2hCLE9BQU8sT0FBTyxTQUFTQSxNQUFLO0FBQUEsSUFDNUIsTUFBTSxDQUFDLFVBQVUsU0FBaUIsT0FBTyxPQUFPLFFBQVEsSUFBSSxDQUFDO0FBQUEsSUFDN0QsUUFBUSxRQUFRO0FBQUEsSUFDaEIsT0FBTyxDQUFDLE1BQU07QUFBQSxNQUNaO0FBQUEsUUFDRSxRQUNHLE9BQU8sQ0FBQyxTQUFTLEtBQUssWUFBWSxZQUFZLEtBQUssWUFBWSxVQUFVLEVBQ3pFLElBQUksQ0FBQyxTQUFTLENBQUMsRUFBRSxHQUFHLEtBQUssYUFBYSxHQUFHLE9BQU8sU0FBUyxNQUFNLENBQUMsQ0FBQyxDQUFDO0FBQUEsUUFDckU7QUFBQSxNQUNGO0FBQUEsTUFDQSxHQUFHLFFBQVEsSUFBSSxDQUFDLFNBQVM7QUFDdkIsY0FBTSxLQUFLLE9BQU8sU0FBUyxNQUFNLENBQUM7QUFDbEMsWUFBSSxPQUFPLEtBQU0sUUFBTztBQUN4QixjQUFNLFFBQVEsS0FBSyxPQUFPLEtBQUssT0FBTyxFQUFFLE1BQU0sRUFBRSxHQUFHLEtBQUssYUFBYSxHQUFHLEVBQUU7QUFFMUUsZUFBTyxRQUFRLEtBQUssSUFBSSxJQUFJLEVBQUUsS0FBSyxFQUFFLE9BQU8sUUFBUSxHQUFHLEtBQUssSUFBSTtBQUFBLE1BQ2xFLENBQUM7QUFBQSxJQUNIO0FBQUEsRUFDRjtBQUNGO0FBRUEsU0FBUyxPQUFPLFNBQWtCLE1BQW1CLEdBQXlCO0FBQzVFLFFBQU0sUUFBUSxRQUFRLEdBQUcsSUFBSTtBQUM3QixTQUFPLFVBQVUsT0FBTyxPQUFPLEVBQUUsR0FBRyxLQUFLO0FBQzNDO0FBR0EsU0FBUyxPQUFPLFNBQWtCQSxRQUFnQztBQUNoRSxRQUFNLFNBQVMsUUFBUSxPQUFPLElBQUksQ0FBQyxVQUFVLE1BQU0sS0FBSztBQUN4RCxRQUFNLFNBQVNBLE9BQU0sSUFBSSxRQUFRLEVBQUU7QUFDbkMsTUFBSSxRQUFRLFNBQVMsTUFBTTtBQUN6QixVQUFNLFdBQVcsT0FBTyxDQUFDLEdBQUcsUUFBUSxHQUFHLE1BQU0sRUFBRSxPQUFPLENBQUMsVUFBVSxVQUFVLFFBQVEsUUFBUSxDQUFDLENBQUMsS0FBSyxDQUFDLEdBQUcsRUFBRTtBQUN4RyxRQUFJLFNBQVMsQ0FBQyxJQUFJLFNBQVMsQ0FBQyxJQUFJO0FBQzlCLGFBQU8sQ0FBQyxVQUFVLFlBQVksQ0FBQyxTQUFTLENBQUMsSUFBSSxLQUFLLFNBQVMsQ0FBQyxJQUFJLEdBQUcsR0FBRyxLQUFLO0FBQzdFLFdBQU8sQ0FBQyxVQUFVLE9BQU8sQ0FBQyxHQUFHLFNBQVMsQ0FBQyxJQUFJLElBQUksR0FBRyxLQUFLO0FBQUEsRUFDekQ7QUFDQSxRQUFNLFVBQVUsT0FBTyxDQUFDLEdBQUcsUUFBUSxHQUFHLE1BQU0sQ0FBQyxJQUFJLENBQUMsS0FBSztBQUN2RCxNQUFJLFFBQVEsVUFBVSxTQUFVLFFBQU8sQ0FBQyxVQUFVLE9BQU8sQ0FBQyxHQUFHLEtBQUssSUFBSSxVQUFVLE1BQU0sSUFBSSxDQUFDLEdBQUcsS0FBSztBQUNuRyxTQUFPLENBQUMsVUFBVSxPQUFPLENBQUMsR0FBRyxRQUFRLFNBQVMsVUFBVSxLQUFLLElBQUksU0FBUyxDQUFDLElBQUksVUFBVSxJQUFJLEdBQUcsS0FBSztBQUN2RztBQUVBLFNBQVMsU0FBUyxNQUFnQixHQUFVLE9BQWUsS0FBYSxRQUF5QjtBQUMvRixRQUFNLE9BQU8sRUFBRSxHQUFHLEtBQUssa0JBQWtCO0FBQ3pDLFFBQU0sS0FBSyxLQUFLLHdCQUF3QixPQUFPLFFBQVEsRUFBRSxHQUFHLEtBQUssbUJBQW1CO0FBQ3BGLFNBQU87QUFBQSxJQUNMLEVBQUUsUUFBUTtBQUFBLE1BQ1IsT0FBTztBQUFBLE1BQ1AsR0FBRyxNQUFNLElBQUk7QUFBQSxNQUNiLE9BQU8sTUFBTSxLQUFLLElBQUksS0FBSyxNQUFNLENBQUMsQ0FBQztBQUFBLE1BQ25DLEdBQUcsTUFBTSxHQUFHO0FBQUEsTUFDWixRQUFRLE1BQU0sU0FBUyxHQUFHO0FBQUEsSUFDNUIsQ0FBQztBQUFBLEVBQ0g7QUFDRjtBQUdBLFNBQVMsU0FBUyxNQUFnQixHQUFVLE9BQWUsS0FBYSxRQUF5QjtBQUMvRixRQUFNLEtBQUssRUFBRSxHQUFHLEtBQUssVUFBVTtBQUMvQixRQUFNLFNBQVMsS0FBSyxRQUFRO0FBQzVCLFFBQU0sSUFBSSxNQUFNO0FBQ2hCLFNBQU87QUFBQSxJQUNMLEVBQUUsUUFBUSxFQUFFLE9BQU8sYUFBYSxJQUFJLE1BQU0sRUFBRSxHQUFHLElBQUksTUFBTSxFQUFFLEdBQUcsSUFBSSxNQUFNLENBQUMsR0FBRyxJQUFJLE1BQU0sTUFBTSxFQUFFLENBQUM7QUFBQSxJQUMvRixFQUFFLFVBQVUsRUFBRSxPQUFPLGFBQWEsSUFBSSxNQUFNLEVBQUUsR0FBRyxJQUFJLE1BQU0sQ0FBQyxHQUFHLEdBQUcsRUFBRSxDQUFDO0FBQUEsSUFDckUsRUFBRSxRQUFRLEVBQUUsT0FBTyxhQUFhLElBQUksTUFBTSxLQUFLLENBQUMsR0FBRyxJQUFJLE1BQU0sS0FBSyxDQUFDLEdBQUcsSUFBSSxNQUFNLENBQUMsR0FBRyxJQUFJLE1BQU0sQ0FBQyxFQUFFLENBQUM7QUFBQSxJQUNsRztBQUFBLE1BQ0U7QUFBQSxNQUNBO0FBQUEsUUFDRSxPQUFPO0FBQUEsUUFDUCxHQUFHLE1BQU0sU0FBUyxLQUFLLEtBQUssS0FBSyxFQUFFO0FBQUEsUUFDbkMsR0FBRyxNQUFNLElBQUksR0FBRztBQUFBLFFBQ2hCLGVBQWUsU0FBUyxRQUFRO0FBQUEsTUFDbEM7QUFBQSxNQUNBLGFBQXFCLE9BQU8sS0FBSyxVQUFVLENBQUM7QUFBQSxJQUM5QztBQUFBLEVBQ0Y7QUFDRjtBQUVBLFNBQVMsS0FBSyxNQUFhLEdBQVUsVUFBcUIsSUFBbUI7QUFDM0UsUUFBTSxFQUFFLE1BQU0sS0FBSyxJQUFJLE9BQU8sS0FBSyxPQUFPO0FBQzFDLFFBQU0sS0FBSyxFQUFFLEdBQUcsS0FBSyxhQUFhO0FBQ2xDLFFBQU0sUUFBUSxTQUFTLFFBQVEsQ0FBQyxTQUFTLE1BQTBCO0FBQ2pFLFVBQU0sSUFBSSxHQUFHLENBQUMsS0FBSyxPQUFPLFNBQVMsTUFBTSxHQUFHLENBQUMsQ0FBQztBQUM5QyxXQUFPLEtBQUssT0FBTyxDQUFDLElBQUksQ0FBQyxDQUFDLElBQUksQ0FBQyxDQUFDO0FBQUEsRUFDbEMsQ0FBQztBQUNELFNBQU87QUFBQSxJQUNMLEdBQUc7QUFBQSxJQUNILE9BQU8sR0FBVyxLQUFLLEtBQUssYUFBYSxDQUFDO0FBQUEsSUFDMUM7QUFBQSxJQUNBLFNBQVM7QUFBQSxJQUNULE1BQU0sT0FBTyxJQUFJO0FBQUEsSUFDakI7QUFBQSxFQUNGO0FBQ0Y7QUFHQSxTQUFTLE9BQU8sTUFBdUM7QUFDckQsUUFBTSxXQUFXLEtBQUssY0FBYyxRQUFRO0FBQzVDLFFBQU0sT0FBMkI7QUFBQSxJQUMvQixDQUFDLFFBQVEsT0FBTyxLQUFLLE9BQU8sQ0FBQyxDQUFDO0FBQUEsSUFDOUIsQ0FBQyxhQUFxQixLQUFLLEtBQUssZ0JBQWdCLENBQUM7QUFBQSxJQUNqRCxDQUFDLFdBQW1CLEtBQUssS0FBSyxhQUFhLENBQUM7QUFBQSxJQUM1QyxDQUFDLE9BQU8sV0FBbUIsU0FBUyxLQUFLLGNBQWMsTUFBTSxJQUFZLE9BQU87QUFBQSxJQUNoRixDQUFDLE9BQU8sV0FBbUIsU0FBUyxLQUFLLGNBQWMsTUFBTSxJQUFZLE9BQU87QUFBQSxJQUNoRixDQUFDLE9BQWUsT0FBTyxLQUFLLFdBQW1CLEtBQUssQ0FBQztBQUFBLElBQ3JELENBQUMsVUFBa0IsTUFBTSxLQUFLLFdBQVcsQ0FBQztBQUFBLEVBQzVDO0FBQ0EsTUFBSSxLQUFLLFVBQVUsRUFBRyxNQUFLLEtBQUssQ0FBQyxpQkFBeUIsTUFBTSxLQUFLLE9BQU8sQ0FBQyxDQUFDO0FBQzlFLE1BQUksS0FBSyxNQUFPLE1BQUssS0FBSyxDQUFDLFNBQVMsS0FBSyxLQUFLLENBQUM7QUFDL0MsTUFBSSxLQUFLLGdCQUFpQixNQUFLLEtBQUssQ0FBQyxPQUFPLEtBQUssZUFBZSxDQUFDO0FBQ2pFLFNBQU87QUFDVDtBQUVBLFNBQVMsUUFBUSxVQUFvQkEsUUFBd0I7QUFDM0QsUUFBTSxTQUFTQSxPQUFNLE9BQU8sQ0FBQyxTQUFTLEtBQUssWUFBWSxRQUFRLEVBQUU7QUFDakUsUUFBTSxXQUFXQSxPQUFNLE9BQU8sQ0FBQyxTQUFTLEtBQUssWUFBWSxVQUFVLEVBQUU7QUFDckUsUUFBTSxPQUFPLFNBQVMsWUFDbEIseUJBQWlDLEtBQUssU0FBUyxVQUFVLFVBQVUsQ0FBQyxLQUNwRTtBQUNKLFNBQU8sMEJBQTBCQSxPQUFNLE1BQU0sV0FBVyxNQUFNLFlBQVksUUFBUSxZQUFZLElBQUk7QUFDcEc7OztBQzFOQSxJQUFNLFdBQVcsS0FBSztBQUdmLFNBQVMsY0FBYyxVQUFvQixPQUE2QjtBQUM3RSxRQUFNLFNBQVMsU0FBUztBQUN4QixRQUFNLFFBQVEsT0FBTyxDQUFDO0FBQ3RCLFFBQU0sT0FBTyxPQUFPLEdBQUcsRUFBRTtBQUN6QixNQUFJLENBQUMsU0FBUyxDQUFDLEtBQU0sUUFBTztBQUM1QixRQUFNLE1BQU0sS0FBSyxPQUFPLEtBQUs7QUFDN0IsUUFBTSxJQUFJLEtBQUssQ0FBQyxNQUFNLE1BQU0sR0FBRyxHQUFHLEtBQUssS0FBSyxDQUFDO0FBQzdDLFFBQU0sU0FBUyxDQUFDLFVBQXlCLEVBQUUsR0FBRyxNQUFNLE9BQU8sTUFBTSxhQUFhLENBQUM7QUFDL0UsUUFBTSxXQUFXQyxZQUFXLFVBQVUsS0FBSyxFQUFFO0FBQUEsSUFBTyxDQUFDLFlBQ25ELFFBQVEsT0FBTyxLQUFLLENBQUMsV0FBVyxPQUFPLEtBQUssQ0FBQyxVQUFVLE9BQU8sR0FBRyxLQUFLLE1BQU0sSUFBSSxDQUFDO0FBQUEsRUFDbkY7QUFDQSxTQUFPO0FBQUEsSUFDTDtBQUFBLE1BQ0U7QUFBQSxNQUNBLE9BQU8sZ0JBQXdCLFFBQVEsR0FBRyxDQUFDLEtBQUssU0FBUyxJQUFJLENBQUMsWUFBWSxRQUFRLE1BQU0sWUFBWSxDQUFDLEVBQUUsS0FBSyxJQUFJLENBQUM7QUFBQSxNQUNqSDtBQUFBLE1BQ0EsT0FBTztBQUFBLE1BQ1AsUUFBUTtBQUFBLE1BQ1IsTUFBTSxTQUFTLE1BQU0sU0FBUyxJQUFJLEtBQUs7QUFBQSxNQUN2QyxRQUFRLFNBQVMsSUFBSSxDQUFDLFlBQVlDLE9BQU0sU0FBUyxRQUFRLE1BQU0sQ0FBQztBQUFBLE1BQ2hFLFFBQVEsQ0FBQyxLQUFLLFdBQVcsU0FBUyxRQUFRLEdBQUcsS0FBSyxNQUFNO0FBQUEsTUFDeEQsUUFBUSxDQUFDLEtBQUssV0FBVyxXQUFXLFVBQVUsR0FBRyxLQUFLLE1BQU07QUFBQSxJQUM5RDtBQUFBLElBQ0EsQ0FBQyxPQUFPLE9BQU8sSUFBSSxDQUFDLFVBQVVDLE1BQUssT0FBTyxPQUFPLEtBQUssR0FBRyxVQUFVLElBQUksU0FBUyxNQUFNLFNBQVMsQ0FBQyxDQUFDO0FBQUEsRUFDbkc7QUFDRjtBQUVBLFNBQVNGLFlBQVcsVUFBb0IsT0FBMEI7QUFDaEUsUUFBTSxTQUFTLFNBQVMsTUFBTSxNQUFNLENBQUMsU0FBUyxLQUFLLGtCQUFrQixJQUFJLEtBQUssU0FBUyxZQUFZO0FBQ25HLFFBQU0sVUFBa0IsRUFBRSxNQUFNLFdBQVcsT0FBTyxnQkFBZ0IsSUFBSSxDQUFDLFVBQVUsTUFBTSxjQUFjO0FBQ3JHLFFBQU0sU0FBUyxTQUFTLFNBQVMsS0FBSyxDQUFDLFVBQVUsTUFBTSxlQUFlLENBQUM7QUFDdkUsUUFBTSxNQUFNLFNBQVMsV0FBVyxPQUFPLENBQUMsY0FBYyxVQUFVLFVBQVUsV0FBVyxLQUFLLENBQUM7QUFDM0YsU0FBTztBQUFBLElBQ0w7QUFBQSxNQUNFLE9BQU8sUUFBUSxNQUFNLGVBQWU7QUFBQSxNQUNwQyxRQUFRO0FBQUEsTUFDUixRQUFRO0FBQUEsUUFDTixHQUFJLFNBQVMsQ0FBQyxJQUFJLENBQUMsT0FBTztBQUFBLFFBQzFCLEVBQUUsTUFBTSxhQUFhLE9BQU8sY0FBYyxJQUFJLENBQUMsVUFBVSxNQUFNLGlCQUFpQjtBQUFBLE1BQ2xGO0FBQUEsTUFDQSxNQUFjO0FBQUEsTUFDZCxXQUFXO0FBQUEsSUFDYjtBQUFBLElBQ0E7QUFBQSxNQUNFLE9BQU87QUFBQSxNQUNQLFFBQVE7QUFBQSxNQUNSLFFBQVEsU0FBUyxDQUFDLEVBQUUsTUFBTSxVQUFVLE9BQU8sZUFBZSxJQUFJLENBQUMsVUFBVSxNQUFNLGFBQWEsQ0FBQyxJQUFJLENBQUM7QUFBQSxNQUNsRyxNQUFjO0FBQUEsTUFDZCxXQUFXO0FBQUEsSUFDYjtBQUFBLElBQ0E7QUFBQSxNQUNFLE9BQU87QUFBQSxNQUNQLFFBQVE7QUFBQSxNQUNSLFFBQVE7QUFBQSxRQUNOLEVBQUUsTUFBTSxPQUFPLE9BQU8sZUFBZSxJQUFJLENBQUMsVUFBVSxNQUFNLE9BQU87QUFBQSxRQUNqRSxFQUFFLE1BQU0sT0FBTyxPQUFPLGNBQWMsSUFBSSxDQUFDLFVBQVUsTUFBTSxPQUFPO0FBQUEsTUFDbEU7QUFBQSxNQUNBLE1BQWM7QUFBQSxNQUNkLFFBQVEsU0FBUyxRQUFRO0FBQUEsTUFDekIsYUFBYTtBQUFBLElBQ2Y7QUFBQSxJQUNBO0FBQUEsTUFDRSxPQUFPO0FBQUEsTUFDUCxRQUFRO0FBQUEsTUFDUixRQUFRLENBQUMsRUFBRSxNQUFNLE9BQU8sT0FBTyxjQUFjLElBQUksQ0FBQyxVQUFVLE1BQU0sVUFBVSxDQUFDO0FBQUEsTUFDN0UsTUFBYztBQUFBLE1BQ2QsUUFBUSxJQUFJLElBQUksQ0FBQyxlQUFlO0FBQUEsUUFDOUIsT0FBTyxVQUFVO0FBQUEsUUFDakIsT0FBTyxVQUFVO0FBQUEsUUFDakIsU0FBUztBQUFBLE1BQ1gsRUFBRTtBQUFBLE1BQ0YsT0FBTztBQUFBLElBQ1Q7QUFBQSxJQUNBO0FBQUEsTUFDRSxPQUFPO0FBQUEsTUFDUCxRQUFRO0FBQUE7QUFBQSxNQUVSLFFBQVE7QUFBQSxRQUNOO0FBQUEsVUFDRSxNQUFNO0FBQUEsVUFDTixPQUFPO0FBQUEsVUFDUCxJQUFJLENBQUMsVUFBVyxNQUFNLGNBQWMsT0FBTyxPQUFPLE1BQU0sWUFBWTtBQUFBLFFBQ3RFO0FBQUEsTUFDRjtBQUFBLE1BQ0EsTUFBTSxDQUFDLFVBQWtCLE1BQU0sUUFBUSxRQUFRO0FBQUEsSUFDakQ7QUFBQSxJQUNBO0FBQUEsTUFDRSxPQUFPO0FBQUEsTUFDUCxRQUFRO0FBQUEsTUFDUixRQUFRLENBQUMsRUFBRSxNQUFNLG9CQUFvQixPQUFPLGNBQWMsSUFBSSxDQUFDLFVBQVUsTUFBTSxvQkFBb0IsQ0FBQztBQUFBLE1BQ3BHLE1BQWM7QUFBQSxJQUNoQjtBQUFBLEVBQ0Y7QUFDRjtBQUVBLFNBQVNDLE9BQU0sU0FBa0IsUUFBeUIsUUFBaUQ7QUFDekcsU0FBTztBQUFBLElBQ0wsT0FBTyxRQUFRO0FBQUEsSUFDZixRQUFRLFFBQVE7QUFBQSxJQUNoQixPQUFPRSxRQUFPLFNBQVMsTUFBTTtBQUFBLElBQzdCLE1BQU0sQ0FBQyxVQUFVLFNBQVMsUUFBUSxLQUFLLEtBQUssQ0FBQztBQUFBLElBQzdDLEdBQUksUUFBUSxTQUFTLEVBQUUsUUFBUSxRQUFRLE9BQU8sSUFBSSxDQUFDO0FBQUEsSUFDbkQsR0FBSSxRQUFRLE9BQU8sU0FBUyxJQUFJLEVBQUUsS0FBSyxRQUFRLE9BQU8sSUFBSSxDQUFDO0FBQUEsSUFDM0QsT0FBTyxDQUFDLE1BQ04sUUFBUSxPQUFPO0FBQUEsTUFBSSxDQUFDLFdBQ2xCO0FBQUE7QUFBQSxRQUVFLE9BQU8sUUFBUSxDQUFDLE9BQU8sTUFBaUM7QUFDdEQsZ0JBQU0sUUFBUSxPQUFPLEdBQUcsS0FBSztBQUM3QixnQkFBTSxLQUE4QixDQUFDLE9BQU8sS0FBSyxHQUFHLFVBQVUsT0FBTyxPQUFPLEVBQUUsR0FBRyxLQUFLLENBQUM7QUFDdkYsaUJBQU8sTUFBTSxVQUFVLE9BQU8sSUFBSSxDQUFDLEdBQUcsUUFBUSxNQUFNLFFBQVEsQ0FBQyxFQUFFLElBQUksQ0FBQyxDQUFDLEdBQUcsQ0FBQyxHQUFHLElBQUksR0FBRyxFQUFFO0FBQUEsUUFDdkYsQ0FBQztBQUFBLFFBQ0QsT0FBTztBQUFBLE1BQ1Q7QUFBQSxJQUNGO0FBQUEsRUFDSjtBQUNGO0FBRUEsU0FBU0EsUUFBTyxTQUFrQixRQUF5QztBQUN6RSxRQUFNLFVBQVUsUUFBUSxVQUFVLENBQUMsR0FBRyxJQUFJLENBQUMsVUFBVSxNQUFNLEtBQUs7QUFDaEUsUUFBTSxTQUFTLFFBQVEsT0FBTyxRQUFRLENBQUMsV0FBVyxPQUFPLElBQUksT0FBTyxFQUFFLENBQUM7QUFDdkUsTUFBSSxRQUFRLGFBQWE7QUFDdkIsVUFBTSxXQUFXLE9BQU8sQ0FBQyxHQUFHLFFBQVEsR0FBRyxNQUFNLEVBQUUsT0FBTyxDQUFDLFVBQVUsVUFBVSxRQUFRLFFBQVEsQ0FBQyxDQUFDLEtBQUssQ0FBQyxHQUFHLEVBQUU7QUFDeEcsUUFBSSxTQUFTLENBQUMsSUFBSSxTQUFTLENBQUMsSUFBSTtBQUM5QixhQUFPLENBQUMsVUFBVSxZQUFZLENBQUMsU0FBUyxDQUFDLElBQUksS0FBSyxTQUFTLENBQUMsSUFBSSxHQUFHLEdBQUcsS0FBSztBQUFBLEVBQy9FO0FBQ0EsUUFBTSxVQUFVLEtBQUssSUFBSSxPQUFPLENBQUMsR0FBRyxRQUFRLEdBQUcsTUFBTSxDQUFDLElBQUksQ0FBQyxLQUFLLEdBQUcsUUFBUSxTQUFTLENBQUM7QUFDckYsU0FBTyxDQUFDLFVBQVUsT0FBTyxDQUFDLEdBQUcsUUFBUSxRQUFRLFVBQVUsVUFBVSxJQUFJLEdBQUcsS0FBSztBQUMvRTtBQUdBLFNBQVMsU0FBUyxRQUF5QixHQUFVLEtBQWEsUUFBeUI7QUFDekYsUUFBTSxTQUF1QyxDQUFDO0FBQzlDLGFBQVcsU0FBUyxRQUFRO0FBQzFCLFFBQUksTUFBTSxPQUFRO0FBQ2xCLFVBQU0sTUFBTSxNQUFNLE9BQU8sTUFBTTtBQUMvQixVQUFNLE9BQU8sT0FBTyxHQUFHLEVBQUU7QUFDekIsUUFBSSxRQUFRLE1BQU0sT0FBTyxLQUFLLENBQUMsSUFBSSxLQUFNLE1BQUssQ0FBQyxJQUFJO0FBQUEsUUFDOUMsUUFBTyxLQUFLLENBQUMsTUFBTSxNQUFNLEdBQUcsQ0FBQztBQUFBLEVBQ3BDO0FBQ0EsU0FBTyxPQUFPO0FBQUEsSUFBSSxDQUFDLENBQUMsTUFBTSxFQUFFLE1BQzFCLEVBQUUsUUFBUTtBQUFBLE1BQ1IsT0FBTztBQUFBLE1BQ1AsR0FBRyxNQUFNLEVBQUUsR0FBRyxJQUFJLENBQUM7QUFBQSxNQUNuQixPQUFPLE1BQU0sRUFBRSxHQUFHLEVBQUUsSUFBSSxFQUFFLEdBQUcsSUFBSSxDQUFDO0FBQUEsTUFDbEMsR0FBRyxNQUFNLEdBQUc7QUFBQSxNQUNaLFFBQVEsTUFBTSxTQUFTLEdBQUc7QUFBQSxJQUM1QixDQUFDO0FBQUEsRUFDSDtBQUNGO0FBR0EsU0FBUyxXQUFXLFVBQW9CLEdBQVUsS0FBYSxRQUF5QjtBQUN0RixNQUFJLFNBQVMsTUFBTSxTQUFTLEVBQUcsUUFBTyxDQUFDO0FBQ3ZDLE1BQUksT0FBTyxPQUFPO0FBQ2xCLFNBQU8sU0FBUyxNQUFNLFFBQVEsQ0FBQyxTQUFTO0FBQ3RDLFVBQU0sS0FBSyxFQUFFLEdBQUcsS0FBSyxPQUFPO0FBQzVCLFVBQU0sT0FBTyxLQUFLLGtCQUFrQixPQUFPLFFBQVEsS0FBSyxPQUFPLENBQUMsS0FBYSxPQUFPLEtBQUssYUFBYTtBQUN0RyxVQUFNLE9BQU8sRUFBRSxRQUFRO0FBQUEsTUFDckIsT0FBTztBQUFBLE1BQ1AsSUFBSSxNQUFNLEVBQUU7QUFBQSxNQUNaLElBQUksTUFBTSxFQUFFO0FBQUEsTUFDWixJQUFJLE1BQU0sTUFBTSxFQUFFO0FBQUEsTUFDbEIsSUFBSSxNQUFNLE1BQU07QUFBQSxJQUNsQixDQUFDO0FBQ0QsUUFBSSxLQUFLLEtBQU0sUUFBTyxDQUFDLElBQUk7QUFDM0IsV0FBTyxLQUFLLEtBQUssU0FBUyxNQUFNO0FBQ2hDLFdBQU8sQ0FBQyxNQUFNLEVBQUUsUUFBUSxFQUFFLE9BQU8sUUFBUSxHQUFHLE1BQU0sS0FBSyxDQUFDLEdBQUcsR0FBRyxNQUFNLE1BQU0sRUFBRSxFQUFFLEdBQUcsSUFBSSxDQUFDO0FBQUEsRUFDeEYsQ0FBQztBQUNIO0FBRUEsU0FBU0QsTUFBSyxPQUFzQixHQUFXLFVBQXFCLElBQWEsU0FBd0I7QUFDdkcsUUFBTSxPQUEyQixDQUFDO0FBQ2xDLFFBQU0sUUFBNEIsQ0FBQztBQUNuQyxhQUFXLENBQUMsR0FBRyxPQUFPLEtBQUssU0FBUyxRQUFRLEdBQUc7QUFDN0MsZUFBVyxVQUFVLFFBQVEsUUFBUTtBQUNuQyxZQUFNLFFBQVEsT0FBTyxHQUFHLEtBQUs7QUFDN0IsVUFBSSxVQUFVLEtBQU07QUFDcEIsV0FBSyxLQUFLLENBQUMsT0FBTyxNQUFNLFFBQVEsS0FBSyxLQUFLLEtBQUssUUFBUSxZQUFZLFFBQVEsR0FBRyxDQUFDO0FBQy9FLFlBQU0sSUFBSSxHQUFHLENBQUMsR0FBRyxHQUFHLEtBQUs7QUFDekIsVUFBSSxNQUFNLE9BQVcsT0FBTSxLQUFLLENBQUMsR0FBRyxDQUFDLENBQUM7QUFBQSxJQUN4QztBQUFBLEVBQ0Y7QUFDQSxRQUFNLE9BQU8sVUFBVSxVQUFVLE1BQU0sT0FBTyxDQUFDLEtBQUs7QUFDcEQsUUFBTSxPQUFPLE1BQU0sU0FBUyxLQUFLO0FBQ2pDLFNBQU87QUFBQSxJQUNMO0FBQUEsSUFDQSxPQUFPLEdBQUcsTUFBTSxNQUFNLElBQUksQ0FBQyxPQUFPLE1BQU0sTUFBTSxPQUFPLE1BQU0sVUFBVSxDQUFDLEdBQUcsSUFBSSxHQUFHLElBQUk7QUFBQSxJQUNwRjtBQUFBLElBQ0E7QUFBQSxFQUNGO0FBQ0Y7QUFHQSxTQUFTLE1BQU0sU0FBeUI7QUFDdEMsUUFBTSxTQUFTLEtBQUssTUFBTSxVQUFVLEVBQUU7QUFDdEMsUUFBTSxRQUFRLEtBQUssTUFBTSxTQUFTLEVBQUU7QUFDcEMsUUFBTSxNQUFNLENBQUMsVUFBa0IsT0FBTyxLQUFLLEVBQUUsU0FBUyxHQUFHLEdBQUc7QUFDNUQsUUFBTSxPQUFPLFNBQVMsT0FBTyxJQUFJLEtBQUssSUFBSSxTQUFTLEVBQUU7QUFDckQsUUFBTSxDQUFDRSxJQUFHLEdBQUcsQ0FBQyxJQUFJLENBQUMsS0FBSyxNQUFNLFFBQVEsSUFBSSxHQUFHLEtBQUssTUFBTyxRQUFRLE9BQVEsRUFBRSxHQUFHLFFBQVEsRUFBRTtBQUN4RixTQUFPLEdBQUdBLEtBQUksSUFBSSxHQUFHQSxFQUFDLElBQUksSUFBSSxDQUFDLENBQUMsS0FBSyxDQUFDLElBQUksSUFBSSxDQUFDLENBQUMsR0FBRyxJQUFJO0FBQ3pEOzs7QUNsTk8sSUFBTSxTQUE4RTtBQUFBLEVBQ3pGLGFBQWE7QUFBQSxFQUNiLE9BQU87QUFBQSxFQUNQLFVBQVU7QUFDWjs7O0FDMUJBLFNBQVMsYUFBYSxvQkFBb0I7QUFJMUMsSUFBTSxTQUFTLElBQUksSUFBSSxzQ0FBc0MsWUFBWSxHQUFHO0FBRXJFLElBQU0sY0FBd0IsWUFBWSxNQUFNLEVBQ3BELE9BQU8sQ0FBQyxTQUFTLEtBQUssU0FBUyxPQUFPLENBQUMsRUFDdkMsSUFBSSxDQUFDLFNBQVMsS0FBSyxNQUFNLEdBQUcsQ0FBQyxRQUFRLE1BQU0sQ0FBQyxFQUM1QyxLQUFLO0FBRUQsSUFBTSxhQUFhLENBQUMsU0FBeUIsYUFBYSxJQUFJLElBQUksR0FBRyxJQUFJLFNBQVMsTUFBTSxHQUFHLE1BQU07QUFFakcsSUFBTSxTQUFTLENBQUMsU0FBMkIsS0FBSyxNQUFNLFdBQVcsSUFBSSxDQUFDOzs7QVhBN0UsSUFBTSxTQUFTLGNBQWMsSUFBSSxJQUFJLG1CQUFtQixZQUFZLEdBQUcsQ0FBQztBQUN4RSxJQUFNQyxTQUFRLENBQUMsbUJBQW1CLHFCQUFxQix3QkFBd0IsZ0JBQWdCLE9BQU87QUFDdEcsSUFBTSxRQUFRLG9CQUFJLElBQW9CO0FBRXRDLFdBQVcsUUFBUUEsUUFBTztBQUN4QixhQUFXLENBQUMsTUFBTSxJQUFJLEtBQUssT0FBTyxRQUFRLE1BQU0sR0FBRztBQUNqRCxVQUFNLFFBQVEsS0FBSyxPQUFPLElBQUksR0FBRyxHQUFHO0FBQ3BDLFFBQUksTUFBTyxPQUFNLElBQUksR0FBRyxJQUFJLElBQUksSUFBSSxRQUFRLFdBQVcsS0FBSyxDQUFDO0FBQUEsRUFDL0Q7QUFDRjtBQUVBLEtBQUsseUJBQXlCLE1BQU07QUFDbEMsYUFBVyxDQUFDLE1BQU0sR0FBRyxLQUFLLE9BQU87QUFDL0IsVUFBTUMsUUFBTyxTQUFTO0FBQ3RCLFFBQUksUUFBUSxJQUFJLGNBQWUsZUFBY0EsT0FBTSxHQUFHO0FBQ3RELFdBQU8sR0FBRyxXQUFXQSxLQUFJLEdBQUcsR0FBRyxJQUFJLG9EQUFvRDtBQUN2RixXQUFPO0FBQUEsTUFDTDtBQUFBLE1BQ0FDLGNBQWFELE9BQU0sTUFBTTtBQUFBLE1BQ3pCLEdBQUcsSUFBSTtBQUFBLElBQ1Q7QUFBQSxFQUNGO0FBQ0EsU0FBTyxVQUFVRSxhQUFZLE1BQU0sRUFBRSxLQUFLLEdBQUcsQ0FBQyxHQUFHLE1BQU0sS0FBSyxDQUFDLEVBQUUsS0FBSyxDQUFDO0FBQ3ZFLENBQUM7QUFFRCxLQUFLLDZFQUE2RSxNQUFNO0FBQ3RGLGFBQVcsUUFBUSxhQUFhO0FBQzlCLGVBQVcsU0FBUyxDQUFDLEtBQUssS0FBSyxJQUFJLEdBQUc7QUFDcEMsaUJBQVcsQ0FBQyxNQUFNLElBQUksS0FBSyxPQUFPLFFBQVEsTUFBTSxHQUFHO0FBQ2pELGNBQU0sUUFBUSxLQUFLLE9BQU8sSUFBSSxHQUFHLEtBQUs7QUFDdEMsWUFBSSxDQUFDLE1BQU87QUFDWixlQUFPLGFBQWEsTUFBTSxNQUFNLEdBQUcsR0FBRywrQkFBK0IsR0FBRyxJQUFJLElBQUksSUFBSSxJQUFJLEtBQUssRUFBRTtBQUMvRixtQkFBV0MsU0FBUSxNQUFNLE9BQU87QUFDOUIsaUJBQU8sR0FBR0EsTUFBSyxLQUFLLEtBQUtBLE1BQUssS0FBSyxPQUFPLEdBQUcsSUFBSSxJQUFJLElBQUksYUFBYUEsTUFBSyxDQUFDLEVBQUU7QUFBQSxRQUNoRjtBQUFBLE1BQ0Y7QUFBQSxJQUNGO0FBQUEsRUFDRjtBQUNGLENBQUM7QUFFRCxLQUFLLHdDQUF3QyxNQUFNO0FBQ2pELFFBQU0sU0FBUyxPQUFPLFlBQVk7QUFDbEMsU0FBTyxNQUFNLE9BQU8sUUFBUSxRQUFRLEdBQUcsR0FBRyxJQUFJO0FBQzlDLFNBQU8sTUFBTSxPQUFPLFdBQVcsSUFBSSxFQUFFLEdBQUcsUUFBUSxPQUFPLENBQUMsRUFBRSxHQUFHLEdBQUcsR0FBRyxJQUFJO0FBQ3ZFLFNBQU8sTUFBTSxPQUFPLFdBQVcsRUFBRSxHQUFHLFFBQVEsVUFBVSxDQUFDLEVBQUUsR0FBRyxHQUFHLEdBQUcsSUFBSTtBQUN4RSxDQUFDO0FBRUQsS0FBSyw2RUFBNkUsTUFBTTtBQUN0RixRQUFNQSxRQUFPLENBQUMsR0FBVyxPQUFlLEVBQUUsR0FBRyxPQUFPLElBQUksTUFBTSxDQUFDLEdBQUcsT0FBTyxDQUFDLENBQUMsR0FBRyxDQUFDLENBQXFCLEVBQUU7QUFDdEcsUUFBTSxRQUFRLENBQUNBLE1BQUssSUFBSSxFQUFFLEdBQUdBLE1BQUssSUFBSSxFQUFFLEdBQUdBLE1BQUssSUFBSSxFQUFFLENBQUM7QUFDdkQsU0FBTyxNQUFNLFFBQVEsRUFBRSxNQUFNLEdBQUcsR0FBRyxDQUFDLEdBQUcsQ0FBQztBQUN4QyxTQUFPLE1BQU0sUUFBUSxFQUFFLE1BQU0sR0FBRyxJQUFJLENBQUMsR0FBRyxDQUFDO0FBQ3pDLFNBQU8sTUFBTSxRQUFRLEVBQUUsTUFBTSxHQUFHLEtBQUssRUFBRSxHQUFHLENBQUM7QUFDN0MsQ0FBQztBQUVELEtBQUssZ0RBQWdELE1BQU07QUFDekQsUUFBTSxXQUFXLE9BQU8saUJBQWlCO0FBQ3pDLFNBQU8sTUFBTSxPQUFPLFdBQVcsSUFBSSxVQUFVLEdBQUcsR0FBRyxNQUFNLFFBQVEsU0FBUyxNQUFNLE1BQU07QUFDdEYsU0FBTyxNQUFNLE9BQU8sV0FBVyxVQUFVLEdBQUcsR0FBRyxNQUFNLFFBQVEsU0FBUyxTQUFTLE1BQU07QUFDdkYsQ0FBQztBQUdELFNBQVMsV0FBVyxFQUFFLEtBQUssT0FBTyxRQUFBQyxRQUFPLEdBQWtCO0FBQ3pELFFBQU0sUUFBUTtBQUFBO0FBQUE7QUFBQTtBQUFBO0FBS2QsU0FBTyxNQUFNO0FBQUEsSUFDWCxHQUFHO0FBQUEsSUFDSCxZQUFZO0FBQUEsTUFDVixPQUFPO0FBQUEsTUFDUCxPQUFPLE9BQU8sS0FBSztBQUFBLE1BQ25CLFFBQVEsT0FBT0EsT0FBTTtBQUFBLE1BQ3JCLEdBQUcsSUFBSTtBQUFBLElBQ1Q7QUFBQSxJQUNBLFVBQVUsQ0FBQyxFQUFFLFNBQVMsQ0FBQyxHQUFHLE1BQU0sV0FBVyxNQUFNLEVBQUUsQ0FBQyxHQUFHLEdBQUcsSUFBSSxRQUFRO0FBQUEsRUFDeEUsQ0FBQztBQUNIOyIsCiAgIm5hbWVzIjogWyJyZWFkZGlyU3luYyIsICJyZWFkRmlsZVN5bmMiLCAic3RvcCIsICJoIiwgInN0ZXBzIiwgInNoYXJlIiwgInBhbmVsIiwgImhlaWdodCIsICJzYW1wbGUiLCAic2VydmljZSIsICJzdGVwcyIsICJtZWFzdXJlc09mIiwgInBhbmVsIiwgInN0b3AiLCAieVNjYWxlIiwgImgiLCAiZHJhd24iLCAicGF0aCIsICJyZWFkRmlsZVN5bmMiLCAicmVhZGRpclN5bmMiLCAic3RvcCIsICJoZWlnaHQiXQp9Cg==
