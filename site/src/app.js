// Selects the view by the fragment of the address, and the theme.

import { createApi } from "./api/view.js";
import { createExplore } from "./explore/view.js";
import { createLookup } from "./lookup/view.js";
import { createRepair } from "./repair/view.js";
import { createStart } from "./start.js";

/** `part` is the view whose link in the header is marked. */
const VIEWS = {
  start: { title: "Text in any encoding of the web", create: createStart },
  lookup: { title: "Look up", create: createLookup },
  explore: { title: "Tables", create: createExplore, part: "lookup" },
  repair: { title: "Repair", create: createRepair },
  api: { title: "Try the API", create: createApi },
};

const main = document.getElementById("main");
/** Views that were shown before. They keep their state. */
const created = new Map();
let shown = "";

function show() {
  const [wanted, ...rest] = location.hash.slice(1).split("/");
  const name = Object.hasOwn(VIEWS, wanted) ? wanted : "start";
  if (!created.has(name)) created.set(name, VIEWS[name].create());
  const view = created.get(name);
  const before = shown;
  if (name !== before) {
    created.get(before)?.hide?.();
    main.replaceChildren(view.element);
    for (const link of document.querySelectorAll("nav [data-view]")) {
      if (link.dataset.view === (VIEWS[name].part ?? name)) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    shown = name;
    if (before !== "") scrollTo(0, 0);
  }
  const title = view.show(rest) ?? VIEWS[name].title;
  document.title = `${title} – textcodec`;
  // Focus the heading of a new view, so that screen readers continue there.
  if (before !== "" && name !== before) view.element.querySelector("h1").focus({ preventScroll: true });
}

function startTheme() {
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const update = () => {
    button.textContent = `Use ${isDark() ? "light" : "dark"} colours`;
    dispatchEvent(new Event("themechange"));
  };
  const choose = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    update();
  };
  button.addEventListener("click", () => {
    choose(isDark() ? "light" : "dark");
    // If storage is not allowed, the choice is lost when the page is closed.
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {}
  });
  dark.addEventListener("change", update);
  try {
    choose(localStorage.getItem("theme"));
  } catch {
    update();
  }
}

document.getElementById("skip").addEventListener("click", (event) => {
  // The link's fragment is not the address of a view.
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", show);
startTheme();
show();
