// The button that changes many rows waits for the count that was asked for.
for (const button of document.querySelectorAll("[data-commit]")) {
  const form = button.form, typed = form.querySelector("[data-count]"), reason = form.querySelector("[name=reason]");
  const fits = () => typed.value.replace(/[,.\s]/g, "") === typed.dataset.count && reason.value.trim() !== "";
  const look = () => { button.disabled = !fits(); };
  form.addEventListener("input", look);
  form.addEventListener("submit", () => { setTimeout(() => { button.disabled = true; button.textContent = "Working…"; }); });
  addEventListener("pageshow", look);
  look();
}

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    const words = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = words; }, 2000);
  });
}

// j and k step through the cards that wait.
document.addEventListener("keydown", (event) => {
  const by = { j: 1, k: -1 }[event.key], cards = [...document.querySelectorAll(".card")];
  if (!by || !cards.length || event.target.closest("input, select, textarea, dialog, table") || event.ctrlKey || event.metaKey || event.altKey) return;
  const here = cards.findIndex((card) => card.contains(document.activeElement)), next = cards[here + by];
  if (!next && here >= 0) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  (next ?? cards[0]).focus();
}, { capture: true });

// a accepts and r rejects the card in focus: the reason is asked for first, and Enter sends it.
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const box = event.target.closest(".card"), button = box?.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!button) return;
  event.preventDefault();
  button.form.dataset.act = event.key;
  button.form.querySelector("[name=reason]").focus();
});
document.addEventListener("keydown", (event) => {
  const form = event.key === "Enter" && event.target.matches?.(".decision input") && event.target.form;
  const button = form && form.querySelector(`[data-key="${form.dataset.act}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
document.addEventListener("htmx:afterSwap", () => document.querySelector(".card.is-decided:last-of-type")?.focus({ preventScroll: true }));
