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
