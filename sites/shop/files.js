// The two ways the checkout takes files: a label over a hidden field, and a button whose field is
// made by script and never stands in the page.
import { element } from "/assets/common.js";

function sizeText(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`;
}

function fileRow(file, onRemove) {
  const remove = element("button", { type: "button", "aria-label": `Remove ${file.name}` }, "×");
  remove.addEventListener("click", onRemove);
  return element("li", {}, element("span", { title: file.name }, file.name), element("small", {}, sizeText(file.size)), remove);
}

/** One file from the field behind the label. */
export function purchaseOrder(onChange) {
  const input = document.getElementById("purchase_order");
  const list = document.getElementById("purchase-order-files");
  const label = document.querySelector("#purchase-order-label span");
  const show = () => {
    const file = input.files[0];
    const remove = () => {
      input.value = "";
      show();
      onChange();
    };
    list.replaceChildren(...(file ? [fileRow(file, remove)] : []));
    label.textContent = file ? "Choose another PDF" : "Choose a PDF";
  };
  input.addEventListener("change", () => {
    show();
    onChange();
  });
  return () => input.files[0] ?? null;
}

/** Up to three files, gathered over several openings of the chooser. */
export function documents(onChange) {
  const list = document.getElementById("document-files");
  let chosen = [];
  const show = () => {
    list.replaceChildren(
      ...chosen.map((file) =>
        fileRow(file, () => {
          chosen = chosen.filter((kept) => kept !== file);
          show();
          onChange();
        }),
      ),
    );
  };
  document.getElementById("add-documents").addEventListener("click", () => {
    const input = element("input", { type: "file", multiple: true, accept: "image/*,.pdf,.txt" });
    input.addEventListener("change", () => {
      chosen = [...chosen, ...input.files];
      show();
      onChange();
    });
    input.click();
  });
  return () => chosen;
}
