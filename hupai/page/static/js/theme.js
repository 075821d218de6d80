// Runs before the first paint so that a theme does not flash; a plain script, not a module. The page announces another
// choice as an event "theme".
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = "auto";
  try {
    chosen = JSON.parse(localStorage.getItem("hupai.settings") ?? "{}").theme ?? "auto";
  } catch {
    // nothing is stored, or nothing that can be read
  }
  const show = () => {
    document.documentElement.dataset.theme = chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
  };
  dark.addEventListener("change", show);
  addEventListener("theme", (event) => {
    if (event instanceof CustomEvent) chosen = event.detail;
    show();
  });
  show();
})();
