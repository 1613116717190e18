// The rich text editor: bold, italic and lists, made by changing the document ourselves, because
// the old commands of browsers leave different markup everywhere. Paste takes the plain text.

const ZERO_WIDTH = "\u200b";
const BLOCKS = "P, LI, BLOCKQUOTE, DIV";

/** Makes `root` an editor; gives { html, setHtml, text, focus, format }. `onState` hears what is active. */
export function makeEditor(root, { onEdit, onState }) {
  // The only old command in use: it says which element Enter makes, and has no modern sibling.
  document.execCommand("defaultParagraphSeparator", false, "p");

  root.addEventListener("input", () => {
    keepBlock();
    onEdit();
  });
  root.addEventListener("keydown", (event) => {
    const format = event.ctrlKey || event.metaKey ? { b: "b", i: "i" }[event.key.toLowerCase()] : null;
    if (format) {
      event.preventDefault();
      apply(format);
    }
  });
  root.addEventListener("paste", (event) => {
    event.preventDefault();
    insertText(event.clipboardData.getData("text/plain"));
    onEdit();
  });
  document.addEventListener("selectionchange", () => {
    if (currentRange()) {
      onState(activeFormats());
    }
  });

  /** Text directly in the editor has no paragraph; every line gets one. */
  function keepBlock() {
    if (root.childNodes.length === 0) {
      root.innerHTML = "<p><br></p>";
      caretInto(root.firstChild);
    }
    for (const node of [...root.childNodes]) {
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) {
        const range = currentRange();
        const inside = range && range.startContainer === node ? range.startOffset : null;
        const paragraph = document.createElement("p");
        node.replaceWith(paragraph);
        paragraph.append(node);
        if (inside !== null) {
          setCaret(node, inside);
        }
      }
    }
  }

  function currentRange() {
    const selection = window.getSelection();
    if (selection.rangeCount === 0) {
      return null;
    }
    const range = selection.getRangeAt(0);
    return root.contains(range.commonAncestorContainer) ? range : null;
  }

  function setCaret(node, offset) {
    window.getSelection().collapse(node, offset);
  }

  function caretInto(node) {
    setCaret(node, 0);
  }

  function closest(node, tag) {
    const start = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    const found = start?.closest(tag);
    return found && root.contains(found) && found !== root ? found : null;
  }

  function activeFormats() {
    const range = currentRange();
    const node = range?.startContainer;
    return Object.fromEntries(["b", "i", "ul", "ol"].map((tag) => [tag, Boolean(node && closest(node, tag))]));
  }

  function apply(format) {
    if (!currentRange()) {
      focus();
    }
    if (format === "ul" || format === "ol") {
      toggleList(format);
    } else {
      toggleInline(format);
    }
    onState(activeFormats());
    onEdit();
  }

  function toggleInline(tag) {
    const range = currentRange();
    if (range.collapsed) {
      toggleAtCaret(range, tag);
      return;
    }
    const nodes = textNodes(range);
    if (nodes.length === 0) {
      return;
    }
    const areAllInside = nodes.every((node) => closest(node, tag));
    for (const node of nodes) {
      const around = closest(node, tag);
      if (areAllInside) {
        liftOut(node, around);
      } else if (!around) {
        const wrapper = document.createElement(tag);
        node.replaceWith(wrapper);
        wrapper.append(node);
      }
    }
    const last = nodes.at(-1);
    window.getSelection().setBaseAndExtent(nodes[0], 0, last, last.length);
    joinNeighbours(tag);
  }

  /** With nothing selected, what is typed next is meant; a character without width holds its place. */
  function toggleAtCaret(range, tag) {
    const holder = document.createTextNode(ZERO_WIDTH);
    range.insertNode(holder);
    const around = closest(holder, tag);
    if (around) {
      liftOut(holder, around);
    } else {
      const wrapper = document.createElement(tag);
      holder.replaceWith(wrapper);
      wrapper.append(holder);
    }
    setCaret(holder, 1);
  }

  /** The text nodes of a range, cut so that they lie in it completely. */
  function textNodes(range) {
    const { startContainer, startOffset, endContainer, endOffset } = range;
    if (endContainer.nodeType === Node.TEXT_NODE && endOffset < endContainer.length) {
      endContainer.splitText(endOffset);
    }
    let first = startContainer;
    if (startContainer.nodeType === Node.TEXT_NODE && startOffset > 0) {
      first = startContainer.splitText(startOffset);
    }
    const wanted = document.createRange();
    wanted.setStart(first, first === startContainer ? startOffset : 0);
    if (startContainer === endContainer && first !== startContainer) {
      wanted.setEnd(first, first.length);
    } else {
      wanted.setEnd(endContainer, Math.min(endOffset, endContainer.length ?? endContainer.childNodes.length));
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.length > 0 && wanted.comparePoint(node, 0) >= 0 && wanted.comparePoint(node, node.length) <= 0) {
        found.push(node);
      }
    }
    return found;
  }

  /** Takes `node` out of `around`, which is cut into what was before and what comes after. */
  function liftOut(node, around) {
    const after = document.createRange();
    after.setStartAfter(node);
    after.setEndAfter(around);
    const tail = after.extractContents();
    const own = document.createRange();
    own.setStartBefore(node);
    own.setEndAfter(around);
    const middle = own.extractContents();
    const copy = middle.firstElementChild;
    copy.replaceWith(...copy.childNodes);
    around.after(middle, tail);
    for (const rest of [...root.querySelectorAll(around.localName)]) {
      if (rest.textContent === "" && !rest.querySelector("br")) {
        rest.remove();
      }
    }
  }

  function joinNeighbours(tag) {
    for (const first of [...root.querySelectorAll(tag)]) {
      while (first.isConnected && first.nextSibling?.nodeName === first.nodeName) {
        const next = first.nextSibling;
        first.append(...next.childNodes);
        next.remove();
      }
    }
  }

  function toggleList(tag) {
    keepBlock();
    const range = currentRange();
    const { startContainer, startOffset, endContainer, endOffset } = range;
    const touched = [...root.children].filter((block) => range.intersectsNode(block));
    const renamed = new Map();
    if (touched.length > 0 && touched.every((block) => block.localName === tag)) {
      const items = touched.flatMap((list) => [...list.children]).filter((item) => range.intersectsNode(item));
      for (const item of items) {
        renamed.set(item, itemToParagraph(item));
      }
    } else {
      const list = document.createElement(tag);
      touched[0]?.before(list);
      for (const block of touched) {
        const lines = block.matches("ul, ol") ? [...block.children] : [block];
        for (const line of lines) {
          const item = document.createElement("li");
          item.append(...line.childNodes);
          list.append(item);
          renamed.set(line, item);
        }
        block.remove();
      }
    }
    // The text was moved, not copied, so the caret can stand where it stood.
    const stand = (node) => renamed.get(node) ?? (root.contains(node) ? node : root);
    const start = stand(startContainer);
    const end = stand(endContainer);
    window.getSelection().setBaseAndExtent(start, Math.min(startOffset, lengthOf(start)), end, Math.min(endOffset, lengthOf(end)));
  }

  function itemToParagraph(item) {
    const list = item.parentElement;
    const paragraph = document.createElement("p");
    paragraph.append(...item.childNodes);
    const rest = list.cloneNode(false);
    while (item.nextSibling) {
      rest.append(item.nextSibling);
    }
    item.remove();
    list.after(paragraph);
    if (rest.children.length > 0) {
      paragraph.after(rest);
    }
    if (list.children.length === 0) {
      list.remove();
    }
    return paragraph;
  }

  function lengthOf(node) {
    return node.nodeType === Node.TEXT_NODE ? node.length : node.childNodes.length;
  }

  /** Puts plain text at the caret; each line after the first becomes a block of its own. */
  function insertText(text) {
    const range = currentRange();
    if (!range) {
      return;
    }
    range.deleteContents();
    const [firstLine, ...others] = text.replace(/\r\n?/g, "\n").split("\n");
    let node = document.createTextNode(firstLine);
    range.insertNode(node);
    keepBlock();
    let block = closest(node, BLOCKS);
    const tail = document.createRange();
    tail.setStartAfter(node);
    tail.setEnd(block, block.childNodes.length);
    const behind = others.length > 0 ? tail.extractContents() : null;
    for (const line of others) {
      const next = document.createElement(block.localName);
      node = document.createTextNode(line);
      next.append(node);
      block.after(next);
      if (!line) {
        next.append(document.createElement("br"));
      }
      block = next;
    }
    if (behind) {
      block.append(behind);
    }
    setCaret(node, node.length);
  }

  function focus() {
    root.focus();
    if (!currentRange()) {
      caretInto(root.firstChild ?? root);
    }
  }

  return {
    html: () => root.innerHTML.replaceAll(ZERO_WIDTH, ""),
    text: () => root.innerText.replaceAll(ZERO_WIDTH, "").trim(),
    setHtml(html) {
      root.innerHTML = html || "<p><br></p>";
    },
    focus() {
      focus();
      caretInto(root.firstChild);
    },
    format: apply,
  };
}
