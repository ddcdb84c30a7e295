"use strict";
// Steps through a game. Data and texts come from the block "game"; what a step changes was computed
// by paifu, so that nothing here knows the rules. Text is set as text, never as HTML.
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  if (!game.rounds.length) return;
  const SVG = "http://www.w3.org/2000/svg";
  const [W, H] = game.size;
  const HALF = 305, CENTRE = 92, RIVER = 97, ROW = 42, HAND = 257, PER_ROW = 6, ROWS = 3;
  const STICK = 1000;
  const text = (key, values = {}) =>
    game.texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const byId = (id) => document.getElementById(id);
  const at = { round: 0, step: 0, view: -1 };

  function svg(name, attributes, ...children) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }
  function html(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }
  const name = (seat) => html("bdi", {}, game.names[seat]);

  // --- states: what lies on the table after each step

  function tilesOf(written) {
    const found = [];
    for (const run of (written || "").matchAll(/(\d+)([mpszf])/g))
      for (const number of run[1]) found.push(number + run[2]);
    return found;
  }

  function statesOf(round) {
    const seats = game.names.map((_, seat) => ({
      hand: [], drawn: null, shanten: null, waits: [], river: [], melds: [], norths: 0,
      points: round.points[seat], riichi: false,
    }));
    let now = { seats, dora: 0, left: null, sticks: round.sticks, step: null };
    return round.steps.map((step) => (now = after(now, step)));
  }

  function after(before, step) {
    const now = { ...before, seats: [...before.seats], step };
    const change = (seat, values) => (now.seats[seat] = { ...now.seats[seat], ...values });
    if (step.dora !== undefined) now.dora = step.dora;
    if (step.left !== undefined && step.left !== null) now.left = step.left;
    if (step.paid !== undefined) {
      change(step.paid, { points: now.seats[step.paid].points - STICK });
      now.sticks += 1;
    }
    (step.hands || []).forEach((hand, seat) =>
      change(seat, { hand: tilesOf(hand.hand), shanten: hand.shanten }));
    if (step.seat === undefined) return now;
    const changed = {};
    if (step.hand !== undefined) {
      changed.hand = tilesOf(step.hand);
      changed.drawn = step.drawn;
    }
    if (step.shanten !== undefined) changed.shanten = step.shanten;
    if (step.waits !== undefined) changed.waits = tilesOf(step.waits);
    if (step.melds !== undefined) changed.melds = step.melds;
    if (step.norths !== undefined) changed.norths = step.norths;
    if (step.kind === "discard" || step.kind === "riichi") {
      const laid = { tile: step.tile, drawn: step.tsumogiri, riichi: step.kind === "riichi", gone: false };
      changed.river = [...now.seats[step.seat].river, laid];
      if (laid.riichi) changed.riichi = true;
    }
    change(step.seat, changed);
    if (step.taken !== undefined && step.kind !== "ron") {
      const river = [...now.seats[step.taken].river];
      if (river.length) river[river.length - 1] = { ...river.at(-1), gone: true };
      change(step.taken, { river });
    }
    return now;
  }

  const states = new Map();
  function state() {
    if (!states.has(at.round)) states.set(at.round, statesOf(game.rounds[at.round]));
    return states.get(at.round)[at.step];
  }

  // --- the board

  function tile(kind, x, y, { turned = false, look = "" } = {}) {
    const shape = svg("use", { href: `#t-${kind}`, width: W, height: H });
    const move = turned ? `translate(${x} ${y + H}) rotate(-90)` : `translate(${x} ${y})`;
    return svg("g", look ? { transform: move, class: look } : { transform: move }, shape);
  }

  function meldWidth(meld) {
    const four = meld.kind === "ankan" || meld.kind === "daiminkan" || meld.tiles.length === 4;
    return (four ? 4 : 3) * W + (meld.turned === undefined ? 0 : H - W);
  }

  function drawMeld(meld, x) {
    const parts = [];
    meld.tiles.forEach((kind, place) => {
      const hidden = meld.kind === "ankan" && (place === 0 || place === 3);
      const turned = place === meld.turned;
      parts.push(tile(hidden ? "back" : kind, x, HAND, { turned }));
      if (turned && meld.added)
        parts.push(svg("g", { transform: `translate(${x} ${HAND + H - W}) rotate(-90)` },
          svg("use", { href: `#t-${meld.added}`, width: W, height: H })));
      x += turned ? H : W;
    });
    return parts;
  }

  function drawSeat(seat, now, bottom) {
    const { hand, drawn, river, melds, norths, riichi, points } = now.seats[seat];
    const round = game.rounds[at.round];
    const step = now.step;
    const acting = step.seat === seat;
    const parts = [];
    if (acting) parts.push(svg("rect", { x: -CENTRE + 2, y: CENTRE - 30, width: 2 * CENTRE - 4, height: 28, class: "turn", rx: 4 }));
    // the river
    let x = -PER_ROW * W / 2, y = RIVER;
    river.forEach((laid, place) => {
      if (place % PER_ROW === 0 && place > 0 && place < PER_ROW * ROWS) { x = -PER_ROW * W / 2; y += ROW; }
      const look = laid.gone ? "gone" : laid.drawn ? "dim" : "";
      if (laid.riichi) parts.push(svg("g", { transform: `translate(${x} ${y + H}) rotate(-90)`, class: look },
        svg("use", { href: `#t-${laid.tile}`, width: W, height: H })));
      else parts.push(tile(laid.tile, x, y, { look }));
      const last = place === river.length - 1 && !laid.gone &&
        ((acting && (step.kind === "discard" || step.kind === "riichi")) || step.taken === seat);
      if (last) parts.push(laid.riichi
        ? svg("rect", { x, y: y + H - W, width: H, height: W, rx: 3, class: "now" })
        : svg("rect", { x, y, width: W, height: H, rx: 3, class: "now" }));
      x += laid.riichi ? H : W;
    });
    // melds from the right, then the hand
    let right = HALF - 5;
    if (norths) {
      right -= W + 12 * (norths - 1);
      for (let n = 0; n < norths; n++) parts.push(tile("4z", right + 12 * n, HAND));
      right -= 8;
    }
    for (const meld of melds) {
      right -= meldWidth(meld);
      parts.push(...drawMeld(meld, right));
      right -= 8;
    }
    const open = at.view < 0 || at.view === seat || ((step.kind === "tsumo" || step.kind === "ron") && acting) || step.kind === "end";
    const width = hand.length * W + (drawn ? W + 10 : 0);
    x = Math.max(-HALF + 5, Math.min(-225, right - width));
    for (const kind of hand) { parts.push(tile(open ? kind : "back", x, HAND)); x += W; }
    if (drawn) {
      parts.push(tile(open ? drawn : "back", x + 10, HAND));
      if (acting && open) parts.push(svg("rect", { x: x + 10, y: HAND, width: W, height: H, rx: 3, class: "now" }));
    }
    // wind and points in the centre, the stick of a riichi, the name by the hand
    const wind = game.winds[(seat - round.dealer + game.players) % game.players];
    const label = `${wind.length > 1 ? wind[0] : wind} ${points.toLocaleString("en")}`;
    const upright = bottom === 2;
    const write = (content, px, py, size, anchor) => svg("text", {
      "font-size": size, "text-anchor": anchor,
      transform: upright ? `translate(${px} ${py - size * 0.7}) rotate(180)` : `translate(${px} ${py})`,
    }, content);
    parts.push(write(label, 0, CENTRE - 9, 21, "middle"));
    if (riichi) parts.push(svg("rect", { x: -40, y: CENTRE - 38, width: 80, height: 7, rx: 3, class: "stick" }),
      svg("circle", { cx: 0, cy: CENTRE - 34.5, r: 2.4, class: "dot" }));
    const shown = [...game.names[seat]].slice(0, 16).join("");
    parts.push(write(shown, -PER_ROW * W / 2, HAND - 14, 17, upright ? "end" : "start"));
    return svg("g", { transform: `rotate(${-90 * bottom})` }, ...parts);
  }

  function drawBoard(now) {
    const round = game.rounds[at.round];
    const first = at.view < 0 ? 0 : at.view;
    const write = (content, x, y, size, anchor = "middle") =>
      svg("text", { x, y, "text-anchor": anchor, "font-size": size, "font-weight": 600 }, content);
    const centre = [svg("rect", { x: -CENTRE, y: -CENTRE, width: 2 * CENTRE, height: 2 * CENTRE, rx: 8, class: "centre" }),
      write(round.short, 0, -36, 20)];
    const indicators = round.indicators.slice(0, now.dora);
    indicators.forEach((kind, n) =>
      centre.push(svg("use", { href: `#t-${kind}`, width: 22.5, height: 30, x: (n - indicators.length / 2) * 24, y: -26 })));
    if (now.left !== null) centre.push(write(`${text("left")} ${now.left}`, 0, 22, 14));
    // a stick with one dot is 1,000 points, one with eight dots stands for a honba
    if (game.riichi) [[-50, now.sticks, 1, "dot"], [6, round.honba, 4, "dots"]].forEach(([x, count, dots, look]) => {
      centre.push(svg("rect", { x, y: 33, width: 26, height: 7, rx: 3, class: "stick" }));
      for (let dot = 0; dot < dots; dot++)
        centre.push(svg("circle", { cx: x + 13 + (dot - (dots - 1) / 2) * 4, cy: 36.5, r: dots > 1 ? 1.2 : 2.2, class: look }));
      centre.push(write(count, x + 31, 42, 15, "start"));
    });
    const seats = now.seats.map((_, seat) => drawSeat(seat, now, (seat - first + game.players) % game.players));
    const drawn = svg("svg", { viewBox: `${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`, role: "img", "aria-label": situation(now) },
      ...centre, ...seats);
    byId("board").replaceChildren(drawn);
  }

  // --- texts

  const tileName = (kind) => game.tiles[kind] || kind;
  const canSee = (seat) => at.view < 0 || at.view === seat;

  function describe(now) {
    const step = now.step;
    const who = step.seat === undefined ? "" : game.names[step.seat];
    const from = step.taken === undefined ? "" : game.names[step.taken];
    const values = { who, from, tile: tileName(step.tile), call: game.calls[step.kind] || step.kind };
    switch (step.kind) {
      case "deal": return text("deal");
      case "draw": return canSee(step.seat) ? text("draws", values) : text("draws_hidden", values);
      case "discard": return text(step.tsumogiri ? "discards_drawn" : "discards", values);
      case "riichi": return text("declares", values);
      case "kita": return text("norths", values);
      case "ankan": case "kakan": return text("kan", values);
      case "tsumo": return text("wins_tsumo", values);
      case "ron": return text("wins_ron", values);
      case "end": return text("ends", { outcome: game.rounds[at.round].outcome });
      default: return text("calls", values);
    }
  }

  function situation(now) {
    const round = game.rounds[at.round];
    const told = [round.name];
    if (now.dora) told.push(`${text("dora")}: ${round.indicators.slice(0, now.dora).map(tileName).join(", ")}`);
    if (game.riichi) told.push(`${text("sticks")}: ${now.sticks}`);
    if (now.left !== null) told.push(`${text("left")}: ${now.left}`);
    return told.join(". ");
  }

  // the discards of a seat, for readers who do not see the table
  function riverText(river) {
    const laid = river.map(({ tile: kind, riichi, gone }) =>
      [tileName(kind), riichi && text("riichi"), gone && text("called")].filter(Boolean).join(" "));
    return `${text("river")}: ${laid.join(", ") || "–"}`;
  }

  function tileList(kinds, hidden) {
    const drawn = kinds.map((kind) => {
      const node = svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "tile", "aria-hidden": true });
      node.append(svg("use", { href: `#t-${hidden ? "back" : kind}` }));
      return node;
    });
    const label = hidden ? text("hidden") : kinds.map(tileName).join(" ");
    return html("span", { class: "tiles", role: "img", "aria-label": label || text("unknown") }, ...drawn);
  }

  function shantenText(shanten) {
    if (shanten === null || shanten === undefined) return text("unknown");
    if (shanten < 0) return text("complete");
    return shanten === 0 ? text("tenpai") : text("n_shanten", { shanten });
  }

  function seatCard(seat, now) {
    const held = now.seats[seat];
    const round = game.rounds[at.round];
    const wind = game.winds[(seat - round.dealer + game.players) % game.players];
    const open = canSee(seat) || now.step.kind === "end" ||
      ((now.step.kind === "tsumo" || now.step.kind === "ron") && now.step.seat === seat);
    const head = html("h3", {}, html("span", {}, `${wind} `, name(seat)), html("span", {}, held.points.toLocaleString("en")));
    const facts = [];
    if (seat === round.dealer) facts.push(text("dealer"));
    if (held.riichi) facts.push(text("riichi"));
    if (open) facts.push(shantenText(held.shanten));
    const card = html("div", { class: now.step.seat === seat ? "seat turn" : "seat", "data-seat": seat }, head);
    const whole = held.drawn ? [...held.hand, held.drawn] : held.hand;
    const row = html("p", { class: "held" }, tileList(whole, !open));
    for (const meld of held.melds) row.append(" ", tileList(meld.added ? [...meld.tiles, meld.added] : meld.tiles, false));
    if (held.norths) row.append(" ", tileList(Array(held.norths).fill("4z"), false));
    card.append(row);
    const line = html("p", { class: "soft" }, facts.join(" · "));
    if (open && held.waits.length) line.append(` · ${text("waits")} `, tileList(held.waits, false));
    card.append(line, html("p", { class: "unseen" }, riverText(held.river)));
    return card;
  }

  // --- chances of the places: a line for each seat, from the first deal to the end of the game

  const percent = (chance) => `${(100 * chance).toFixed(chance > 0 && chance < 0.0995 ? 1 : 0)} %`;

  function drawChances() {
    if (!game.chances.length) return;
    const place = Number(byId("place").value);
    const lines = game.chances[place];
    const count = game.rounds.length;
    const width = Math.max(260, byId("chances").clientWidth), height = 220;
    const left = 44, right = 12, top = 10, bottom = 26;
    const across = (round) => left + (width - left - right) * round / count;
    const down = (chance) => top + (height - top - bottom) * (1 - chance);
    const parts = [svg("rect", { x: across(at.round), y: top, width: across(1) - across(0),
      height: height - top - bottom, class: "here" })];
    for (const level of [0, 0.25, 0.5, 0.75, 1]) {
      parts.push(svg("line", { x1: left, x2: width - right, y1: down(level), y2: down(level), class: "grid" }));
      parts.push(svg("text", { x: left - 6, y: down(level) + 4, "text-anchor": "end" }, percent(level)));
    }
    const every = Math.ceil(count * 38 / (width - left - right));
    game.rounds.forEach((round, index) => {
      if (index % every === 0)
        parts.push(svg("text", { x: (across(index) + across(index + 1)) / 2, y: height - 8, "text-anchor": "middle" }, round.brief));
    });
    lines.forEach((values, seat) => {
      const points = values.map((value, round) => `${across(round).toFixed(1)},${down(value).toFixed(1)}`);
      parts.push(svg("polyline", { points: points.join(" "), class: `line seat-${seat}` }));
      for (const round of [at.round, at.round + 1])
        parts.push(svg("circle", { cx: across(round), cy: down(values[round]), r: 4, class: `point seat-${seat}` }));
    });
    const label = lines.map((values, seat) => `${game.names[seat]} ${percent(values[at.round])} → ${percent(values[at.round + 1])}`);
    const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": `${game.rounds[at.round].name}: ${label.join(", ")}` }, ...parts);
    drawn.addEventListener("click", (event) => {
      const x = event.clientX - drawn.getBoundingClientRect().left;
      const round = Math.floor((x - left) / (width - left - right) * count);
      at.round = Math.max(0, Math.min(round, count - 1));
      at.step = 0;
      show();
    });
    byId("chances").replaceChildren(drawn);
    byId("chances-now").replaceChildren(...lines.map((values, seat) => html("li", {},
      svg("svg", { viewBox: "0 0 28 10", width: 28, height: 10, "aria-hidden": true },
        svg("line", { x1: 0, x2: 28, y1: 5, y2: 5, class: `line seat-${seat}` })),
      name(seat), html("span", {}, `${percent(values[at.round])} → ${percent(values[at.round + 1])}`))));
  }

  // --- showing a step

  function show(push = true) {
    const round = game.rounds[at.round];
    at.step = Math.max(0, Math.min(at.step, round.steps.length - 1));
    const now = state();
    drawBoard(now);
    byId("now").textContent = describe(now);
    byId("step").textContent = text("step", { step: at.step, steps: round.steps.length - 1 });
    byId("risks").replaceChildren(...(now.step.risks || []).map(([told, hit, kind]) =>
      html("li", { class: hit ? "hit" : "", "data-class": kind }, hit ? `${told}: ${text("dealt_in")}` : told)));
    byId("risks").hidden = !now.step.risks;
    byId("seats").replaceChildren(...now.seats.map((_, seat) => seatCard(seat, now)));
    drawChances();
    const ended = at.step === round.steps.length - 1;
    for (const node of document.querySelectorAll("section.result"))
      node.hidden = !(ended && node === results[at.round]);
    document.querySelectorAll("table.rounds tbody tr").forEach((row, index) =>
      row.classList.toggle("here", index === at.round));
    byId("round").value = at.round;
    byId("view").value = at.view;
    const edges = { first: at.step === 0, previous: at.step === 0 && at.round === 0, last: ended,
      next: ended && at.round === game.rounds.length - 1, previous_round: at.round === 0,
      next_round: at.round === game.rounds.length - 1 };
    for (const button of document.querySelectorAll("button[data-go]"))
      button.setAttribute("aria-disabled", edges[button.dataset.go]);
    if (push) {
      const address = `#round=${at.round}&step=${at.step}` + (at.view < 0 ? "" : `&view=${at.view}`);
      history.replaceState(null, "", address);
    }
  }

  const lastOf = (round) => game.rounds[round].steps.length - 1;
  const go = {
    first: () => (at.step = 0),
    last: () => (at.step = lastOf(at.round)),
    next: () => {
      if (at.step < lastOf(at.round)) at.step += 1;
      else if (at.round < game.rounds.length - 1) { at.round += 1; at.step = 0; }
    },
    previous: () => {
      if (at.step > 0) at.step -= 1;
      else if (at.round > 0) { at.round -= 1; at.step = lastOf(at.round); }
    },
    next_round: () => { if (at.round < game.rounds.length - 1) { at.round += 1; at.step = 0; } },
    previous_round: () => { if (at.round > 0) { at.round -= 1; at.step = 0; } },
  };
  const KEYS = { ArrowRight: "next", ArrowLeft: "previous", ArrowDown: "next_round", ArrowUp: "previous_round", Home: "first", End: "last" };

  function fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const number = (key, most) => {
      const value = Number.parseInt(asked.get(key), 10);
      return Number.isInteger(value) && value >= 0 && value <= most ? value : null;
    };
    at.round = number("round", game.rounds.length - 1) ?? game.first;
    at.step = number("step", Infinity) ?? 0;
    at.view = number("view", game.players - 1) ?? -1;
    show(false);
  }

  const results = [...document.querySelectorAll("section.result")];
  game.rounds.forEach((round, index) => byId("round").append(html("option", { value: index }, round.name)));
  byId("view").append(html("option", { value: -1 }, text("all_open")));
  game.names.forEach((player, seat) =>
    byId("view").append(html("option", { value: seat }, text("only", { player: [...player].slice(0, 24).join("") }))));
  byId("round").addEventListener("change", (event) => { at.round = Number(event.target.value); at.step = 0; show(); });
  byId("view").addEventListener("change", (event) => { at.view = Number(event.target.value); show(); });
  for (const button of document.querySelectorAll("button[data-go]"))
    button.addEventListener("click", () => { go[button.dataset.go](); show(); });
  if (game.chances.length) {
    byId("place").addEventListener("change", drawChances);
    window.addEventListener("resize", drawChances);
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input, textarea")) return;
    const wanted = KEYS[event.key];
    if (!wanted) return;
    event.preventDefault();
    go[wanted]();
    show();
  });
  let touched = null;
  byId("board").addEventListener("pointerdown", (event) => (touched = event.clientX));
  byId("board").addEventListener("pointerup", (event) => {
    if (touched === null) return;
    const moved = event.clientX - touched;
    touched = null;
    const box = byId("board").getBoundingClientRect();
    const back = Math.abs(moved) > 30 ? moved > 0 : event.clientX < box.left + box.width / 3;
    go[back ? "previous" : "next"]();
    show();
  });
  addEventListener("hashchange", fromAddress);
  fromAddress();
})();
