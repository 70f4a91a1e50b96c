"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.tabIndex = 0;
    const sort = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const value = row => {
        const cell = row.cells[column];
        return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
      };
      const order = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
      const rows = [...table.tBodies[0].rows].sort((a, b) => order(value(a), value(b)) * (up ? 1 : -1));
      table.tBodies[0].append(...rows);
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  });
}
for (const filter of document.querySelectorAll("input.filter")) {
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    const section = filter.closest("section");
    for (const item of section.querySelectorAll("tbody tr, article")) {
      item.hidden = !item.textContent.toLowerCase().includes(wanted);
    }
  });
}
for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", () => {
    const text = button.parentElement.querySelector("code").textContent;
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => { button.textContent = "copied"; });
  });
}
