// Runs before the first paint so that a chosen theme does not flash; a plain script, not a module.
(() => {
  let theme = "auto";
  try {
    theme = JSON.parse(localStorage.getItem("hupai.settings") ?? "{}").theme ?? "auto";
  } catch {
    theme = "auto"; // no theme stored
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
