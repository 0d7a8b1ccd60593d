"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const frames = data.frames, parts = data.parts, last = frames.length - 1;
  const felt = document.getElementById("felt"), now = document.getElementById("now");
  const slider = document.getElementById("slider"), where = document.getElementById("at");
  const buttons = Object.fromEntries([...document.querySelectorAll("[data-do]")].map((one) => [one.dataset.do, one]));
  const findings = [...document.querySelectorAll("li.act.fault, li.act.advice")].map((one) => Number(one.dataset.act));
  const RANKS = { A: "Ace", K: "King", Q: "Queen", J: "Jack", T: "10" };
  const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };
  let at = 0, timer = 0;

  const make = (name, classes, text) => {
    const one = document.createElement(name);
    if (classes) one.className = classes;
    if (text !== undefined) one.textContent = text;
    return one;
  };
  const unseen = (text) => make("span", "unseen", text);
  const hidden = (one) => { one.setAttribute("aria-hidden", "true"); return one; };

  function card(code) {
    if (!code || code === "??") {
      const back = make("span", "card back");
      back.append(unseen(code ? "a card nobody saw, " : "a card face down, "));
      return back;
    }
    const [rank, suit] = code;
    const one = make("span", "card" + (suit === "h" || suit === "d" ? " red" : ""));
    one.append(hidden(make("span", "rank", rank === "T" ? "10" : rank)), hidden(make("span", "", SUITS[suit][0])));
    one.append(unseen((RANKS[rank] || rank) + " of " + SUITS[suit][1] + ", "));
    return one;
  }

  function cards(codes) {
    const row = make("div", codes.length > 4 ? "cards many" : "cards");
    row.append(...codes.map(card));
    return row;
  }

  function chip([kind, amount]) {
    const one = make("span", "chip");
    if (kind !== "main") one.append(make("small", "", kind));
    else one.append(unseen("wager "));
    one.append(make("span", "", amount), unseen(", "));
    return one;
  }

  function chips(stacks, ring) {
    const row = make("div", "chips");
    row.append(...stacks.map(chip));
    if (!stacks.length && ring) row.append(hidden(make("span", "ring")));
    return row;
  }

  function spot(part, index, count, here) {
    const one = make("li", "spot" + (here ? " here" : ""));
    const middle = (count - 1) / 2, away = middle ? Math.abs(index - middle) / middle : 0;
    one.style.marginTop = (away * away * 5).toFixed(2) + "rem";
    const title = make("div", "title", "spot " + part.number + (part.player ? ", " + part.player : ""));
    one.append(title);
    if (part.side.length) one.append(chips(part.side, false));
    const hands = make("div", "hands");
    for (const each of part.hands) {
      const hand = make("div", "hand");
      hand.append(chips(each.wagers, part.hands.length === 1));
      if (each.cards.length) hand.append(cards(each.cards));
      const said = [part.hands.length > 1 ? each.name : "", each.total, ...each.signs].filter(Boolean).join(", ");
      if (said) hand.append(make("div", "total", said));
      hands.append(hand);
    }
    one.append(hands);
    return one;
  }

  function draw(target, number) {
    const frame = frames[number];
    const places = make("ul", "places");
    frame.spots.forEach((part, index) => places.append(spot(parts[part], index, frame.spots.length, parts[part].number === frame.spot)));
    const dealer = parts[frame.dealer];
    const own = make("div", "own" + (frame.dealer_acts ? " here" : ""));
    own.append(make("div", "total", "dealer" + (dealer.total ? ": " + dealer.total : "")), cards(dealer.cards));
    target.replaceChildren(places, own, make("p", "rack", "round " + frame.round + ", house so far " + frame.rack));
  }

  function tell(number) {
    const item = document.getElementById("act-" + number);
    now.className = "now";
    if (!item) { now.replaceChildren(make("p", "line", "Before the first act")); return; }
    const line = make("p", "line");
    for (const part of item.querySelector(".line").childNodes) line.append(part.cloneNode(true));
    now.replaceChildren(line);
    for (const kind of ["fault", "advice", "right"]) if (item.classList.contains(kind)) now.classList.add(kind);
    const verdict = item.querySelector(".verdict");
    if (verdict) {
      const copy = verdict.cloneNode(true);
      copy.classList.remove("verdict");
      copy.classList.add("verdict-now");
      copy.querySelectorAll(".printed").forEach((one) => one.remove());
      now.append(copy);
    }
  }

  function go(number, scroll) {
    at = Math.min(Math.max(number, 0), last);
    draw(felt, at);
    tell(at);
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", "act " + at + " of " + last);
    where.textContent = at + " of " + last;
    document.querySelectorAll("[aria-current]").forEach((one) => one.removeAttribute("aria-current"));
    const item = document.getElementById("act-" + at);
    if (item) item.setAttribute("aria-current", "step");
    buttons.back.disabled = buttons.first.disabled = at === 0;
    buttons.step.disabled = buttons.last.disabled = at === last;
    buttons.finding.disabled = !findings.some((one) => one > at);
    buttons["finding-back"].disabled = !findings.some((one) => one < at);
    document.body.dataset.at = String(at);
    const list = document.getElementById("list");
    if (item && list.scrollHeight > list.clientHeight) {
      // Only the list moves: scrolling the item into view would move the page with it.
      const frame = list.getBoundingClientRect(), own = item.getBoundingClientRect();
      if (own.top < frame.top) list.scrollTop += own.top - frame.top - 8;
      else if (own.bottom > frame.bottom) list.scrollTop += Math.min(own.bottom - frame.bottom + 8, own.top - frame.top - 8);
    }
    if (scroll) felt.scrollIntoView({ block: "nearest" });
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    buttons.play.textContent = "Play";
    buttons.play.setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer) { stop(); return; }
    if (at === last) go(0);
    buttons.play.textContent = "Pause";
    buttons.play.setAttribute("aria-pressed", "true");
    timer = setInterval(() => {
      go(at + 1);
      if (at === last || findings.includes(at)) stop();
    }, 900);
  }

  const acts = {
    first: () => go(0),
    back: () => go(at - 1),
    step: () => go(at + 1),
    last: () => go(last),
    finding: () => { const next = findings.find((one) => one > at); if (next) go(next, true); },
    "finding-back": () => { const before = findings.filter((one) => one < at).pop(); if (before) go(before, true); },
  };
  for (const [name, one] of Object.entries(buttons)) {
    one.addEventListener("click", () => {
      if (name === "play") { play(); return; }
      stop();
      acts[name]();
    });
  }
  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
  const keys = { ArrowLeft: "back", ArrowRight: "step", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "INPUT") return;
    const letter = event.key.toLowerCase();
    const name = keys[event.key] || (letter === "n" ? (event.shiftKey ? "finding-back" : "finding") : "");
    if (letter === "p") play();
    else if (name) { stop(); acts[name](); }
    else return;
    event.preventDefault();
  });
  document.getElementById("acts").addEventListener("click", (event) => {
    const item = event.target.closest("li.act");
    if (!item) return;
    event.preventDefault();
    stop();
    go(Number(item.dataset.act), true);
  });
  const jump = () => { const found = /^#(?:act|at)-(\d+)$/.exec(location.hash); if (found) go(Number(found[1])); };
  window.addEventListener("hashchange", jump);

  document.querySelectorAll(".printed").forEach((one) => draw(one, Number(one.dataset.frame)));
  document.getElementById("still").remove();
  go(0);
  jump();
})();
