const said = document.documentElement.dataset.version;
const whole = (text) => text.padStart(2, "0");
function tick() {
  for (const clock of document.querySelectorAll("[data-ends]")) {
    const left = Math.round((new Date(clock.dataset.ends) - Date.now()) / 1000);
    const seconds = Math.abs(left);
    clock.textContent = `${left < 0 ? "−" : ""}${Math.floor(seconds / 60)}:${whole(String(seconds % 60))}`;
  }
}
// The data is written last: where it is another, the pages are, too. Without a network the page stays as it is.
const look = () => fetch("tournament.json", { cache: "no-cache" }).then((answer) => answer.json()).then(
  ({ version }) => { if (version !== said) location.reload(); },
  () => {},
);
tick();
setInterval(tick, 500);
setInterval(look, 15000);
