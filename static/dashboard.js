// The site works without this script; with it the slider swaps what the page shows, and the keyboard has short ways.
const slider = document.querySelector("#instant");
const reading = () => document.querySelector("#reading");

// Times are shown in the browser's zone: the server learns it from a cookie.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
  const first = !/(^|; )zone=/.test(document.cookie);
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;
  if (slider && first && slider.dataset.zone !== zone && document.cookie.includes(zone)) location.reload();
}

// Two reads are under way at most; steps, which count from what is shown, go one by one. A newer wish waits for room no
// longer than PATIENCE, then takes the oldest one's place; an answer older than what is shown is dropped. Nothing queues:
// only the newest wish is kept. While the slider is held an answer leaves out what can wait until it is let go.
const PACE = 60, PATIENCE = 1000, MOST = 2;
let wish = false, target = null, steps = 0, epoch = 0; // an instant to go to (null: the one that is shown), and changes to step from it
let sent = 0, seen = 0, began = 0, timer = 0, held = false, turn = 0;
const flights = new Map(); // number → what gives it up

function ask(instant) {
  [target, steps] = [instant, 0];
  epoch += 1;
  hurry();
}

function step(by) {
  steps += by;
  hurry();
}

function hurry() {
  wish = true;
  turn += 1;
  pump();
}

const isFull = () => flights.size >= (steps ? 1 : MOST);

function pump() {
  if (!wish || timer) return;
  const wait = (isFull() ? PATIENCE : PACE) - (performance.now() - began);
  if (wait <= 0) read();
  else timer = setTimeout(() => { timer = 0; pump(); }, wait);
}

function giveUp(number) {
  flights.get(number).abort();
  flights.delete(number);
}

function address() {
  const params = new URLSearchParams(location.search);
  for (const name of ["cursor", ...(target ? ["as_of"] : [])]) params.delete(name);
  for (const [name, value] of Object.entries(target ?? {})) params.set(name, value);
  if (steps) params.set("step", steps);
  return `${location.pathname}?${params}`;
}

async function read() {
  while (isFull()) giveUp(flights.keys().next().value);
  const mine = (sent += 1), mind = new AbortController(), url = address(), asked = { target, steps, epoch };
  flights.set(mine, mind);
  wish = false;
  began = performance.now();
  try {
    const answer = await fetch(url, { headers: { "HX-Request": "true", ...(held && { "X-Moving": "true" }) }, signal: mind.signal });
    const html = await answer.text();
    if (mine < seen || !flights.has(mine)) return;
    if (answer.redirected || !answer.ok) return void location.assign(url);
    seen = mine;
    htmx.swap(slider.getAttribute("hx-target"), html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
    history.replaceState(history.state, "", answer.headers.get("HX-Replace-Url") ?? url);
    if (target === asked.target) target = null;
    if (epoch === asked.epoch) steps -= asked.steps;
  } catch (error) {
    if (error.name !== "AbortError") document.querySelector(".sentence").textContent = "The server does not answer. Shown is what was read last.";
  } finally {
    flights.delete(mine);
    clearTimeout(timer);
    timer = 0;
    pump();
  }
}

// Links and forms go through htmx; they and the slider overtake each other by the same rule.
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.requestConfig.verb !== "get" || detail.elt.closest("[data-aside]")) return;
  for (const number of [...flights.keys()]) giveUp(number);
  [wish, target, steps] = [false, null, 0];
  epoch += 1;
  detail.xhr.turn = turn += 1;
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (detail.xhr?.turn < turn) detail.shouldSwap = false; });
document.addEventListener("htmx:afterSettle", settle);

function settle() {
  document.documentElement.dataset.tense = reading()?.dataset.tense ?? "now";
  if (slider && !held) show(Number(reading().dataset.at), reading().querySelector("[data-instant]").textContent);
  centre();
}

const words = slider && new Intl.DateTimeFormat("en-GB", { timeZone: slider.dataset.zone, weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
const put = (selector, text) => document.querySelectorAll(selector).forEach((element) => { element.textContent = text; });

function show(instant, text) {
  const word = reading().querySelector(".tense").textContent;
  slider.value = instant;
  slider.setAttribute("aria-valuetext", `${word}: ${text}`);
  const x = `${(100 * (slider.value - slider.min)) / (slider.max - slider.min)}%`;
  for (const line of document.querySelectorAll("line.cursor:not(.stays)")) { line.setAttribute("x1", x); line.setAttribute("x2", x); }
  for (const flag of document.querySelectorAll("text.cursor-flag:not(.stays)")) flag.setAttribute("x", x);
}

const pixels = (number) => Math.round((number * (slider.max - slider.min)) / slider.clientWidth);

function drag() {
  const at = Number(slider.value), now = Number(slider.dataset.now), isNow = Math.abs(at - now) <= pixels(4);
  const text = words.format(isNow ? now : at).replace(",", ""), tense = isNow ? "now" : at < now ? "past" : "ahead";
  document.documentElement.dataset.tense = tense;
  put(".tense", { now: "Now", past: "Past", ahead: "Ahead" }[tense]);
  put("[data-instant], .cursor-flag", text);
  show(isNow ? now : at, text);
  ask(isNow ? {} : { as_of: at, snap: pixels(4) });
}

function letGo() {
  if (!held) return;
  held = false;
  drag();
}

function centre() {
  for (const box of document.querySelectorAll(".timeline-scroll, .map-scroll")) {
    const cursor = box.querySelector("line.cursor")?.getBoundingClientRect().left;
    if (cursor !== undefined) box.scrollLeft += cursor - box.getBoundingClientRect().left - box.clientWidth / 2;
  }
}

const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
if (slider) {
  slider.removeAttribute("name");
  slider.step = 1;
  slider.value = slider.dataset.at;
  slider.addEventListener("pointerdown", () => { held = true; });
  for (const name of ["pointerup", "pointercancel", "blur"]) slider.addEventListener(name, letGo);
  slider.addEventListener("input", drag);
  slider.addEventListener("change", () => { if (!held) drag(); });
  slider.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in KEYS) step(KEYS[event.key]);
    else if (event.key === "Home") ask({ as_of: slider.dataset.first });
    else if (event.key === "End") ask({});
    else return;
    event.preventDefault();
  });
  centre();
}

// What a bar says to those who point at it or step to it stands under the timeline.
for (const name of ["pointerover", "focusin"]) document.addEventListener(name, ({ target }) => {
  const said = target.closest?.("[data-hint]")?.dataset.hint, line = document.querySelector("#hint");
  if (said && line) line.textContent = said;
});

function nextRow(by) {
  const rows = [...document.querySelectorAll("main tbody tr:has(th a)")];
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  rows[here < 0 ? 0 : Math.min(Math.max(here + by, 0), rows.length - 1)]?.querySelector("th a").focus();
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input:not([type=range], [type=checkbox]), select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {
    "?": () => document.querySelector("#keys").showModal(),
    "/": () => document.querySelector("#find")?.focus(),
    t: () => slider?.focus(),
    j: () => nextRow(1),
    k: () => nextRow(-1),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
