// What a form cannot do: the theme, a search while one types, and a page that follows what happens.
"use strict";

const THEMES = ["", "light", "dark"];
const root = document.documentElement;
setTheme(localStorage.getItem("limpet-theme") || "");

document.addEventListener("DOMContentLoaded", () => {
  offerThemes(document.getElementById("theme"));
  document.querySelectorAll("form[data-search]").forEach(searchWhileTyping);
  fill();
  if (document.querySelector("[data-live]")) follow();
});

function fill() {
  for (const part of document.querySelectorAll("[data-part]")) replace(part.dataset.part, part.id);
}

function setTheme(name) {
  if (name) root.dataset.theme = name;
  else delete root.dataset.theme;
}

function offerThemes(button) {
  const say = () => { button.textContent = "Theme: " + (root.dataset.theme || "as the system"); };
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(root.dataset.theme || "") + 1) % THEMES.length];
    localStorage.setItem("limpet-theme", next);
    setTheme(next);
    say();
  });
  say();
}

function searchWhileTyping(form) {
  let waiting, asked;
  const ask = async () => {
    const address = form.getAttribute("action") + "?" + new URLSearchParams(new FormData(form));
    const typed = address + (form.elements.q.value.trim() ? "&typed=1" : "");
    asked?.abort();
    asked = new AbortController();
    try {
      if (await replace(typed, "results", asked.signal)) history.replaceState(null, "", address);
    } catch (error) {
      if (error.name !== "AbortError") form.submit();
    }
  };
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(ask, 120); });
  form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(waiting); ask(); });
}

function follow() {
  const changes = new EventSource("/live");
  const show = () => {
    const live = document.getElementById("live");
    if (!live.contains(document.activeElement)) replace(location.href, "live").then(fill, () => changes.close());
  };
  changes.addEventListener("open", show); // what happened before the server watched
  changes.addEventListener("change", show);
}

async function replace(address, id, signal) {
  const answer = await fetch(address, { signal });
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(id);
  if (!answer.ok || !found) return location.assign(address);
  document.getElementById(id).replaceWith(found);
  return true;
}
