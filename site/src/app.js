// The frame: which view is shown, by the address's fragment, and the theme.

import { createApi } from "./api/view.js";
import { createExplore } from "./explore/view.js";
import { createRepair } from "./repair/view.js";

const VIEWS = {
  explore: { title: "Explore", create: createExplore },
  repair: { title: "Repair", create: createRepair },
  api: { title: "Try the API", create: createApi },
};

const main = document.getElementById("main");
/** Views that have been shown keep their state. */
const created = new Map();
let shown = "";

function show() {
  const [wanted, ...rest] = location.hash.slice(1).split("/");
  const name = Object.hasOwn(VIEWS, wanted) ? wanted : "explore";
  if (!created.has(name)) created.set(name, VIEWS[name].create());
  const view = created.get(name);
  const before = shown;
  if (name !== before) {
    created.get(before)?.hide?.();
    main.replaceChildren(view.element);
    for (const link of document.querySelectorAll("nav [data-view]")) {
      if (link.dataset.view === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    shown = name;
  }
  const title = view.show(rest) ?? VIEWS[name].title;
  document.title = `${title} – textcodec`;
  // Where somebody has followed a link to another view, its heading is read next.
  if (before !== "" && name !== before) view.element.querySelector("h1").focus({ preventScroll: true });
}

function startTheme() {
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const update = () => {
    button.setAttribute("aria-pressed", isDark());
    dispatchEvent(new Event("themechange"));
  };
  const choose = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    update();
  };
  button.addEventListener("click", () => {
    choose(isDark() ? "light" : "dark");
    // Where storage is forbidden, the choice lasts as long as the page.
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
  // Its fragment would be taken for a view's.
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", show);
startTheme();
show();
