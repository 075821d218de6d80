// The access code of the LAN, asked for once.
import { post } from "../api/api.js";
import { h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";
import { form, submitKey, textField } from "../controls/fields.js";
import { openSheet } from "../controls/sheet.js";

/** @type {Promise<boolean> | null} */
let asking = null;

/** Asks until a code is accepted; false when the sheet was closed instead. Whoever asks meanwhile hears the same. */
export function askCode(/** @type {string} */ why) {
  asking ??= ask(why).finally(() => (asking = null));
  return asking;
}

/** @returns {Promise<boolean>} */
function ask(/** @type {string} */ why) {
  return new Promise((resolve) => {
    let code = "";
    let fault = why === "code_wrong" ? t("error.code_wrong") : null;
    let open = false;
    const send = async (/** @type {Sheet} */ sheet) => {
      try {
        await post("/session", { code });
        open = true;
        sheet.close();
      } catch (error) {
        fault = troubleWords(error);
        sheet.refresh();
      }
    };
    openSheet(
      t("code.label"),
      (sheet) => [
        h("p", t("code.text")),
        form(
          "stack",
          () => send(sheet),
          textField("code", t("code.label"), code, (text) => (code = text), {
            type: "password",
            autocomplete: "current-password",
            autofocus: true,
            faults: fault ? [{ message: fault }] : [],
          }),
          submitKey(t("code.open"), { look: "main wide" }),
        ),
      ],
      { onclose: () => resolve(open) },
    );
  });
}
