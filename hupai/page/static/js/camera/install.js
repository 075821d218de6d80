// How the page comes to the home screen, and what works without a network: a sheet, loaded when it is asked for.
import { h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { button } from "../controls/fields.js";
import { openSheet } from "../controls/sheet.js";

// Whether the browser has kept all that reads photos; the page itself was kept before it could be shown from here.
async function photosKept() {
  const folder = new URL(/** @type {string} */ (document.documentElement.dataset.models), document.baseURI);
  const listed = await caches.match(new URL("models.json", folder));
  if (!listed) return false;
  const { files, spare } = await listed.json();
  const found = Object.keys(files).concat(Object.keys(spare)).map((name) => caches.match(new URL(name, folder)));
  return (await Promise.all(found)).every(Boolean);
}

/**
 * Opens the sheet.
 * @param {(() => unknown) | null} ask puts the browser's own question, if it has one
 */
export async function openInstall(ask) {
  const offline = t(await photosKept() ? "install.offline.all" : "install.offline.typed");
  openSheet(t("install.title"), (sheet) => {
    const now = () => {
      sheet.close();
      ask?.();
    };
    return [
      h("p", { "data-key": "offline" }, offline),
      ask
        ? button("install-now", t("install.now"), now, { look: "main wide" })
        : ["iphone", "android", "computer"].map((kind) =>
          h("p", h("b", t(`install.${kind}`)), " ", t(`install.${kind}.how`))
        ),
    ];
  });
}
