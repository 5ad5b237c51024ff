"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("samples-data").textContent);
  const PAGE = 50;
  const FIXED = { id: 1, question: 2, coverage: 3, answers: 4 };
  const OF_RUN = { state: 0, iou: 1, score: 2, answer: 3, correct: 4 };
  const at = (column, run) => (column in FIXED ? FIXED[column] : 5 + 5 * run + OF_RUN[column]);
  const byNumber = new Map(data.rows.map((row) => [row[0], row]));
  const shown = new Set(data.cards);
  const number = new Intl.NumberFormat("en");

  // Filters

  const form = byId("filters");
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) {
      const said = data.runs.map((_, run) => row[at("answer", run)]);
      texts.set(row, [row[1], row[2], ...row[4], ...said].filter(Boolean).join("\n").toLowerCase());
    }
    return texts.get(row);
  };
  const filters = () => {
    const values = new FormData(form);
    const numeric = (name, otherwise) => {
      const value = parseFloat(values.get(name));
      return Number.isFinite(value) ? value : otherwise;
    };
    return {
      as: values.get("as") || "table",
      gallery: values.get("gallery") || "",
      text: (values.get("text") || "").trim().toLowerCase(),
      run: values.get("run") ? Number(values.get("run")) : null,
      state: data.states.indexOf(values.get("state") || ""),
      low: numeric("low", null),
      high: numeric("high", null),
      wrong: values.has("wrong"),
    };
  };
  const saidFits = (row, run, wanted) => {
    const iou = row[at("iou", run)];
    if (wanted.state >= 0 && row[at("state", run)] !== wanted.state) return false;
    if (wanted.low !== null && (iou === null || iou < wanted.low)) return false;
    if (wanted.high !== null && (iou === null || iou > wanted.high)) return false;
    return !(wanted.wrong && row[at("correct", run)] !== 0);
  };
  const fits = (row, wanted) => {
    if (wanted.text && !textOf(row).includes(wanted.text)) return false;
    const runs = wanted.run === null ? data.runs.map((_, run) => run) : [wanted.run];
    return runs.some((run) => saidFits(row, run, wanted));
  };

  // Cards

  const grid = byId("cards");
  const cards = grid ? [...grid.children] : [];
  const places = new Map(
    cards.map((card) => [card, card.dataset.places.split(" ").map((place) => place.split("/"))]),
  );
  const rank = (card, wanted) => {
    const ranks = places
      .get(card)
      .filter(([key, run]) => key === wanted.gallery && (wanted.run === null || run === "" || Number(run) === wanted.run))
      .map((place) => Number(place[2]));
    return ranks.length ? Math.min(...ranks) : Infinity;
  };
  const showCards = (wanted) => {
    const order = cards.map((card, n) => [wanted.gallery ? rank(card, wanted) : n, n, card]);
    order.sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] - b[0]));
    let count = 0;
    for (const [place, , card] of order) {
      const seen = place !== Infinity && fits(byNumber.get(Number(card.dataset.row)), wanted);
      card.hidden = !seen;
      count += seen;
    }
    if (grid) {
      grid.append(...order.map((entry) => entry[2]));
      byId("no-cards").hidden = count > 0;
    }
    return count;
  };

  // Table

  const table = byId("table");
  const body = table.tBodies[0];
  let sorted = { column: null, run: 0, up: true };
  let found = data.rows;
  let page = 0;
  const compare = (a, b) => {
    const x = a[at(sorted.column, sorted.run)];
    const y = b[at(sorted.column, sorted.run)];
    const none = (value) => value === null || value === undefined || (Array.isArray(value) && !value.length);
    if (none(x) || none(y)) return none(x) - none(y);
    const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
    return (sorted.up ? order : -order) || a[0] - b[0];
  };
  const percent = (share) => {
    if (share === null) return "";
    return share >= 0.0995 || share === 0 ? `${(share * 100).toFixed(0)} %` : `${Number((share * 100).toPrecision(2))} %`;
  };
  const two = (value) => (value === null ? "" : value.toFixed(2));
  const cell = (line, text, kind) => {
    const made = line.insertCell();
    if (kind) made.className = kind;
    const inside = document.createElement("bdi");
    inside.textContent = text;
    made.append(inside);
    return made;
  };
  const saidCells = (line, row, run) => {
    const state = data.states[row[at("state", run)]];
    const chip = document.createElement("span");
    chip.className = `chip state-${state}`;
    chip.textContent = state;
    line.insertCell().append(chip);
    cell(line, two(row[at("iou", run)]), "number");
    cell(line, two(row[at("score", run)]), "number");
    if (table.querySelector('[data-column="answer"]')) {
      const correct = row[at("correct", run)];
      const made = cell(line, row[at("answer", run)] || "", correct === 0 ? "wrong" : "");
      if (correct !== null) made.prepend(correct ? "✓ " : "✗ ");
    }
  };
  // A long id goes on in the next line only where a person would part it.
  const parted = (text) => {
    const parts = text.length > 26 ? text.split(/(?<=[/_-])|(?=[.#])/) : [text];
    return parts.flatMap((part, n) => (n ? [document.createElement("wbr"), part] : [part]));
  };
  const lineOf = (row) => {
    const line = document.createElement("tr");
    const first = cell(line, "", row[1].length > 26 ? "id long" : "id");
    first.firstChild.replaceChildren(...parted(row[1]));
    if (shown.has(row[0])) {
      const link = document.createElement("a");
      link.href = `#card-${row[0]}`;
      link.append(...first.childNodes);
      first.append(link);
    }
    cell(line, row[2], "question");
    if (table.querySelector('[data-column="answers"]')) cell(line, row[4][0] || "");
    cell(line, percent(row[3]), "number");
    data.runs.forEach((_, run) => saidCells(line, row, run));
    return line;
  };
  const showPage = () => {
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    page = Math.min(Math.max(page, 0), pages - 1);
    const rows = found.slice(page * PAGE, (page + 1) * PAGE);
    body.replaceChildren(...rows.map(lineOf));
    const last = page * PAGE + rows.length;
    byId("page").textContent = rows.length
      ? `${number.format(page * PAGE + 1)}–${number.format(last)} of ${number.format(found.length)}`
      : "no sample fits the filters";
    byId("before").disabled = page === 0;
    byId("after").disabled = page === pages - 1;
  };
  const showTable = (wanted) => {
    found = data.rows.filter((row) => fits(row, wanted));
    if (sorted.column) found.sort(compare);
    page = 0;
    showPage();
  };
  const sortBy = (title) => {
    const column = title.dataset.column;
    const run = Number(title.dataset.run || 0);
    sorted = { column, run, up: sorted.column === column && sorted.run === run ? !sorted.up : true };
    for (const other of table.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
    title.setAttribute("aria-sort", sorted.up ? "ascending" : "descending");
    showTable(filters());
  };

  const showAll = () => {
    const wanted = filters();
    document.body.dataset.as = wanted.as;
    const count = showCards(wanted);
    showTable(wanted);
    const inTable = `${number.format(found.length)} of ${number.format(data.total)} samples in the table`;
    byId("told").textContent = cards.length ? `${count} of ${cards.length} pictures, ${inTable}` : inTable;
  };

  // Viewer

  const viewer = byId("viewer");
  const stage = byId("stage");
  const view = { card: null, run: 0, scale: 1, x: 0, y: 0 };
  const seen = () => [...grid.children].filter((card) => !card.hidden);
  const frame = () => {
    const picture = stage.firstElementChild;
    const [, , width, height] = view.box;
    const part = { width: width / view.scale, height: height / view.scale };
    // The picture fills the stage, which has another shape: what lies beside the photo is shown too.
    const spare = (whole, size) => Math.max(0, (whole - size) / 2);
    const keep = (middle, whole, size) => (size >= whole ? whole / 2 : Math.min(Math.max(middle, size / 2), whole - size / 2));
    view.x = keep(view.x, width, part.width);
    view.y = keep(view.y, height, part.height);
    picture.setAttribute("viewBox", [view.x - part.width / 2, view.y - part.height / 2, part.width, part.height].join(" "));
    byId("viewer-scale").textContent = `${Math.round(view.scale * 100)} %`;
    return spare;
  };
  const fit = () => {
    view.scale = 1;
    view.x = view.box[2] / 2;
    view.y = view.box[3] / 2;
    frame();
  };
  const zoom = (factor, point) => {
    const before = view.scale;
    view.scale = Math.min(Math.max(before * factor, 1), 40);
    if (point) {
      const kept = before / view.scale;
      view.x = point.x + (view.x - point.x) * kept;
      view.y = point.y + (view.y - point.y) * kept;
    }
    frame();
  };
  const pointOf = (event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(stage.firstElementChild.getScreenCTM().inverse());
  const draw = (keep) => {
    const source = view.card.querySelector(`[data-run="${view.run}"] svg.picture`);
    const picture = source.cloneNode(true);
    stage.replaceChildren(picture);
    const words = view.card.querySelector(".words").cloneNode(true);
    const title = words.querySelector("h3");
    title.remove();
    for (const tags of words.querySelectorAll(".tags")) tags.remove();
    const caption = view.card.querySelector(`[data-run="${view.run}"]`).nextElementSibling.cloneNode(true);
    byId("viewer-title").replaceChildren(...title.childNodes);
    byId("viewer-words").replaceChildren(...caption.childNodes, ...words.childNodes);
    for (const radio of viewer.querySelectorAll('[name="viewer-run"]')) radio.checked = Number(radio.value) === view.run;
    const all = seen();
    byId("viewer-place").textContent = `${all.indexOf(view.card) + 1} of ${all.length}`;
    if (keep) frame();
    else {
      view.box = source.getAttribute("viewBox").split(" ").map(Number);
      fit();
    }
  };
  const open = (card, run) => {
    view.card = card;
    view.run = run;
    draw(false);
    viewer.showModal();
  };
  const step = (by) => {
    const all = seen();
    view.card = all[(all.indexOf(view.card) + by + all.length) % all.length];
    draw(false);
  };
  const move = (across, down) => {
    view.x += (across * view.box[2]) / view.scale / 8;
    view.y += (down * view.box[3]) / view.scale / 8;
    frame();
  };
  const actions = {
    close: () => viewer.close(),
    previous: () => step(-1),
    next: () => step(1),
    in: () => zoom(1.5),
    out: () => zoom(1 / 1.5),
    fit,
  };
  const keys = { "+": actions.in, "=": actions.in, "-": actions.out, _: actions.out, 0: fit };
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    const arrow = arrows[event.key];
    if (keys[event.key]) keys[event.key]();
    else if (arrow && view.scale > 1) move(...arrow);
    else if (arrow && arrow[0]) step(arrow[0]);
    else return;
    event.preventDefault();
  };
  const pointers = new Map();
  let dragged = 0;
  const moved = (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const spread = () => {
      const [a, b] = [...pointers.values()];
      return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    };
    const from = pointOf(last);
    const to = pointOf(event);
    const before = pointers.size === 2 ? spread() : 0;
    pointers.set(event.pointerId, event);
    dragged += Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY);
    if (before) zoom(spread() / before, to);
    else {
      view.x -= to.x - from.x;
      view.y -= to.y - from.y;
      frame();
    }
  };
  const released = (event) => {
    if (pointers.delete(event.pointerId) && event.type === "pointerup" && dragged < 5) {
      // A click does what a drag does, for those who cannot drag: the place clicked comes to the middle.
      const point = pointOf(event);
      if (view.scale === 1) zoom(2, point);
      view.x = point.x;
      view.y = point.y;
      frame();
    }
  };
  const prepareViewer = () => {
    for (const place of document.querySelectorAll(".frame")) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...place.childNodes);
      button.setAttribute("aria-label", `Enlarge. ${button.firstElementChild.getAttribute("aria-label")}`);
      button.addEventListener("click", () => open(place.closest(".card"), Number(place.dataset.run)));
      place.append(button);
    }
    const layers = byId("viewer-layers");
    for (const radio of document.querySelectorAll('[name="layer"]')) {
      const label = radio.parentElement.cloneNode(true);
      const copy = label.querySelector("input");
      copy.name = "viewer-layer";
      copy.removeAttribute("id");
      copy.addEventListener("change", () => (radio.checked = true));
      radio.addEventListener("change", () => (copy.checked = true));
      layers.append(label);
    }
    for (const radio of viewer.querySelectorAll('[name="viewer-run"]')) {
      radio.addEventListener("change", () => {
        view.run = Number(radio.value);
        draw(true);
      });
    }
    viewer.addEventListener("click", (event) => actions[event.target.dataset.do]?.());
    viewer.addEventListener("keydown", pressed);
    viewer.addEventListener("close", () => {
      view.card.querySelector(`[data-run="${view.run}"] button`).focus();
    });
    stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 400), pointOf(event));
    }, { passive: false });
    stage.addEventListener("pointerdown", (event) => {
      stage.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
      dragged = pointers.size === 1 ? 0 : 99;
    });
    stage.addEventListener("pointermove", moved);
    stage.addEventListener("pointerup", released);
    stage.addEventListener("pointercancel", released);
  };

  // Everything together

  // A form's own reset would also go back to the pictures.
  const clear = () => {
    for (const field of form.elements) {
      if (field.type === "checkbox") field.checked = false;
      else if (field.name === "gallery") field.checked = field.value === "";
      else if (field.name && field.name !== "as") field.value = "";
    }
    showAll();
  };
  const see = (as) => {
    const radio = form.querySelector(`[name="as"][value="${as}"]`);
    if (radio) radio.checked = true;
    showAll();
  };
  const showLinked = () => {
    const id = location.hash.slice(1);
    if (id === "pictures" || id === "all") {
      see(id === "all" ? "table" : "pictures");
      byId("samples").scrollIntoView();
    }
    const card = /^card-\d+$/.test(id) ? byId(id) : null;
    if (!card) return;
    if (card.hidden) clear();
    see("pictures");
    card.scrollIntoView({ block: "center" });
    card.focus({ preventScroll: true });
  };
  const prepare = () => {
    for (const title of table.querySelectorAll("[data-column]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...title.childNodes);
      button.addEventListener("click", () => sortBy(title));
      title.append(button);
    }
    // What is wider than its frame says so.
    const tell = (frame) => frame.classList.toggle("cut", frame.scrollWidth > frame.clientWidth + 1);
    const watch = new ResizeObserver((changed) => changed.forEach((one) => tell(one.target.closest(".scroll"))));
    for (const part of document.querySelectorAll(".scroll, .scroll > table")) watch.observe(part);
    for (const part of document.querySelectorAll("#filters, .pages, #copy")) part.hidden = false;
    for (const part of document.querySelectorAll(".without-script")) part.hidden = true;
    form.addEventListener("input", showAll);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      clear();
    });
    for (const button of document.querySelectorAll(".clear")) button.addEventListener("click", clear);
    byId("before").addEventListener("click", () => ((page -= 1), showPage()));
    byId("after").addEventListener("click", () => ((page += 1), showPage()));
    byId("copy").addEventListener("click", () => {
      byId("markdown-text").select();
      byId("copied").textContent = document.execCommand("copy") ? "Copied." : "Press Ctrl+C to copy.";
    });
    addEventListener("hashchange", showLinked);
    // A link to where the page is already changes no hash.
    for (const link of document.querySelectorAll('nav a[href="#pictures"], nav a[href="#all"]')) {
      link.addEventListener("click", () => setTimeout(showLinked));
    }
  };
  prepare();
  if (grid) prepareViewer();
  showAll();
  showLinked();
})();
