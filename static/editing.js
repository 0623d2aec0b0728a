// Editing works without this script, on pages of its own; with it the keyboard opens, closes and sends the form in the
// row, and what changes elsewhere comes in without getting in anybody's way.
const editors = () => document.querySelectorAll("tr.editor, .editing-page");

// Requests beside the page's own reading neither overtake it nor are overtaken; a poll waits while something is read.
let reads = 0;
document.addEventListener("htmx:beforeRequest", (event) => {
  const aside = event.detail.elt.closest("[data-aside]")?.dataset.aside;
  if (!aside) return void (event.detail.requestConfig.verb === "get" && reads++);
  event.stopPropagation();
  const busy = reads || flights.size || wish || held || document.hidden;
  const twice = event.target.matches(".edits") && event.target.closest("tr").nextElementSibling?.matches(".editor");
  if ((aside === "poll" && busy) || twice) event.preventDefault();
}, true);
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.elt.closest("[data-aside]") && detail.requestConfig.verb === "get") reads = Math.max(reads - 1, 0);
}, true);
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt.id === "live" && editors().length) detail.parameters.editing = 1;
});

// A form that has just opened takes the focus, with its value ready to be typed over; a saved one gives it to its row.
document.addEventListener("htmx:afterSettle", ({ target }) => {
  const field = target.matches?.("tr:has(+ tr.editor)") && target.nextElementSibling.querySelector("[name=value]");
  if (field) { field.focus(); field.select(); }
});
document.addEventListener("edited", ({ detail }) => {
  const row = document.getElementById(detail.row);
  (row?.querySelector(".edits") ?? row?.querySelector("th a"))?.focus({ preventScroll: true });
});

function cancel(form) {
  const row = form.closest("tr.editor");
  if (!row) return void form.querySelector("[data-cancel]")?.click();
  const opener = row.previousElementSibling?.querySelector(".edits");
  row.remove();
  opener?.focus();
}

document.addEventListener("click", (event) => {
  const row = event.target.closest("[data-cancel]")?.closest("tr.editor");
  if (row) { event.preventDefault(); cancel(row.firstElementChild); }
});

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.(".edit-form");
  if (form && event.key === "Escape" && !event.isComposing) { event.preventDefault(); cancel(form); }
  if (form && event.key === "Enter" && event.ctrlKey && event.target.matches("textarea")) form.requestSubmit();
  if (form || event.key !== "e" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=range], [type=checkbox], [type=radio]), select, textarea, dialog")) return;
  const row = event.target.closest("tr") ?? document.querySelector("main tbody tr:has(.edits)");
  const opener = row?.querySelector(".edits");
  if (opener) { event.preventDefault(); opener.click(); }
});

// A click on the map of two clocks sets both to the very point; its links do so for a region.
document.addEventListener("click", (event) => {
  const plot = event.target.closest(".plot");
  if (!plot || !event.detail || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const box = plot.getBoundingClientRect(), { from, to, knownFrom, knownTo } = plot.dataset;
  const across = (event.clientX - box.x) / box.width, up = 1 - (event.clientY - box.y) / box.height;
  const params = new URLSearchParams(location.search), span = to - from;
  params.set("as_of", Math.round(Number(from) + across * span));
  params.set("snap", Math.round((4 * span) / box.width));
  if (up * box.height > box.height - 5) params.delete("known_at");
  else params.set("known_at", Math.round(Number(knownFrom) + up * (knownTo - knownFrom)));
  htmx.ajax("GET", `${location.pathname}?${params}`, { target: "#clocks", swap: "outerHTML" });
}, true);
