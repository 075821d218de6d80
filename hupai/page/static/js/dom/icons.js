// Line icons, drawn for this page on a 24 x 24 field.
import { element, h } from "./dom.js";

const PATHS = {
  camera: "M4 8.5h3.2l1.6-2.5h6.4l1.6 2.5H20v10.5H4zM12 17a3.6 3.6 0 1 0 0-7.2a3.6 3.6 0 0 0 0 7.2z",
  picture: "M4 5h16v14H4zM4 16l4.5-5l4 4.5l2.5-2.5l5 5M15.5 9.3h.01",
  tiles: "M4 5.5h7v13H4zM13 5.5h7v13h-7zM7.5 9v6M16.5 9.5h.01M16.5 14.5h.01",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  undo: "M8.5 5.5L4.5 9.5l4 4M4.5 9.5H14a5 5 0 0 1 0 10h-4",
  retry: "M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 3.5v4.5H15",
  download: "M12 4v10.5M7.5 10.5L12 15l4.5-4.5M5 19.5h14",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  bin: "M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v6M13.5 10.5v6",
  warn: "M12 4.5L21 19.5H3zM12 10v4.5M12 17h.01",
  query: "M9 9.3a3 3 0 1 1 4.6 2.6c-1.1.7-1.6 1.3-1.6 2.6M12 18h.01",
  lasso:
    "M12 4.5c5 0 8.5 2.2 8.5 5.3S17 15 12 15s-8.5-2.1-8.5-5.2S7 4.5 12 4.5zM8 14.5c-1.8.8-2 3.2 0 3.6s1.8 2.4.5 3.4",
  pencil: "M5 19l.8-3.8L16 5l3 3L8.8 18.2zM14 7l3 3",
  book: "M5 5.5q3.5-1.5 7 .5q3.5-2 7-.5v13q-3.5-1.5-7 .5q-3.5-2-7-.5zM12 6v13",
  scroll: "M7 4.5h10v15H7zM10 8.5h4M10 12h4M10 15.5h2.5",
  gear:
    "M12 15a3 3 0 1 0 0-6a3 3 0 0 0 0 6zM12 3.5v2.7M12 17.8v2.7M20.5 12h-2.7M6.2 12H3.5M18 6l-1.9 1.9M7.9 16.1L6 18M18 18l-1.9-1.9M7.9 7.9L6 6",
  next: "M9.5 5.5L16 12l-6.5 6.5",
  back: "M14.5 5.5L8 12l6.5 6.5",
  down: "M6 9.5l6 6l6-6",
  fit: "M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15",
  sort: "M7 5v14M4 16l3 3l3-3M13 7h3M13 12h5M13 17h7",
  meld: "M4 8h5v9H4zM9.5 8h5v9h-5zM15 8h5v9h-5z",
  offline:
    "M4 4l16 16M8.5 15.5a5 5 0 0 1 5-1.2M5.5 12.3a9.3 9.3 0 0 1 4-2.2M3 9a13.5 13.5 0 0 1 4-2.6M13 6a13.5 13.5 0 0 1 8 3M15.5 10.4a9 9 0 0 1 3 1.9M12 19h.01",
  people:
    "M9 11.5a3 3 0 1 0 0-6a3 3 0 0 0 0 6zM3.5 19c.4-3.5 2.6-5 5.5-5s5.1 1.5 5.5 5M15.5 6a2.7 2.7 0 0 1 0 5.2M17 14.3c2.2.4 3.3 2 3.6 4.7",
  copy: "M9 8.5h10.5v11H9zM15 8.5v-4H4.5v11H9",
  share: "M12 14.5V4M8 7.5l4-4l4 4M6.5 11H5v9h14v-9h-1.5",
  torch: "M8 3.5h8v3l-2 3.5v10.5h-4V10L8 6.5zM8 6.5h8M12 12.5v2.5",
  swap: "M7 8h12M15.5 4.5L19 8l-3.5 3.5M17 16H5M8.5 12.5L5 16l3.5 3.5",
};

/** Puts the icons into the page; call once. */
export function plantIcons() {
  const symbols = Object.entries(PATHS).map(([name, d]) =>
    h("symbol", { id: `i-${name}`, viewBox: "0 0 24 24" }, h("path", { d }))
  );
  document.body.prepend(element(h("svg.plates", { "aria-hidden": "true", width: 0, height: 0 }, symbols)));
}
