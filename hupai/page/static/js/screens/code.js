// The access code of the LAN, asked for once.
import { post } from "../api/api.js";
import { h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { textField } from "../controls/fields.js";
import { openForm } from "../controls/sheet.js";

/** @type {ReturnType<typeof openForm> | null} */
let asking = null;

/** Asks until a code is accepted; null when the sheet was closed instead. Whoever asks meanwhile hears the same. */
export function askCode(/** @type {string} */ why) {
  asking ??= ask(why).finally(() => (asking = null));
  return asking;
}

function ask(/** @type {string} */ why) {
  let code = "";
  return openForm(
    t("code.label"),
    (faults) =>
      textField("code", t("code.label"), code, (text) => (code = text), {
        type: "password",
        autocomplete: "current-password",
        autofocus: true,
        faults,
      }),
    () => post("/session", { code }),
    {
      text: h("p", t("code.text")),
      verb: t("code.open"),
      look: "main wide",
      faults: why === "code_wrong" ? [{ message: t("error.code_wrong") }] : [],
    },
  );
}
