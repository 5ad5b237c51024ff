"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("audit-data").textContent);
  const cards = [...document.querySelectorAll(".suspect")];
  // Of these questions, whatever was found of them: other data of the same name has verdicts of its own.
  const kept = `foveate audit ${data.name} ${data.questions}`;
  const keys = { w: "wrong", r: "right", u: "unsure" };
  // Without a prototype, since an id may be called `constructor`.
  const verdicts = Object.create(null);
  let at = -1;

  const load = () => {
    try {
      Object.assign(verdicts, JSON.parse(localStorage.getItem(kept)));
    } catch {
      return; // A browser may keep nothing for files; then they last as long as the page is open.
    }
  };
  const keep = () => {
    try {
      localStorage.setItem(kept, JSON.stringify(verdicts));
    } catch {
      return;
    }
  };
  const tell = () => {
    const given = data.ids.map((id) => verdicts[id]);
    const counts = Object.values(keys).map((word) => [word, given.filter((v) => v === word).length]);
    const judged = counts.reduce((sum, [, count]) => sum + count, 0);
    byId("told").textContent = `${judged} of ${cards.length} judged: ${counts.map(([w, n]) => `${n} ${w}`).join(", ")}`;
    byId("export").disabled = judged === 0;
  };
  const show = (card) => {
    const verdict = verdicts[data.ids[card.dataset.place]];
    if (verdict) card.dataset.verdict = verdict;
    else delete card.dataset.verdict;
    for (const input of card.querySelectorAll("input")) input.checked = input.value === verdict;
  };
  const judge = (card, verdict) => {
    verdicts[data.ids[card.dataset.place]] = verdict;
    keep();
    show(card);
    tell();
  };
  const mark = (place) => {
    if (at >= 0) cards[at].classList.remove("at");
    at = place;
    cards[at].classList.add("at");
  };
  const go = (place) => {
    if (place < 0 || place >= cards.length) return;
    mark(place);
    cards[at].focus({ preventScroll: true });
    cards[at].scrollIntoView({ block: "nearest" });
  };
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const save = () => {
    const rows = data.ids.map((id, n) => [n + 1, id, verdicts[id] || "", data.suspicion[n], data.why[n]]).filter((row) => row[2]);
    const text = [["rank", "id", "verdict", "suspicion", "why"], ...rows].map((row) => row.map(String).map(quoted).join(",")).join("\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/csv" }));
    link.download = "verdicts.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  };

  load();
  byId("tools").hidden = false;
  for (const card of cards) {
    card.querySelector(".verdict").hidden = false;
    show(card);
    card.addEventListener("change", (event) => judge(card, event.target.value));
    // What is focused keeps the focus, else Tab could not go back to a verdict.
    card.addEventListener("focusin", () => mark(Number(card.dataset.place)));
  }
  byId("export").addEventListener("click", save);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "j" || key === "k") go(key === "j" ? at + 1 : at - 1);
    else if (keys[key] && at >= 0) judge(cards[at], keys[key]);
    else return;
    event.preventDefault();
  });
  tell();
})();
