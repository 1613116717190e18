// What a new window does: it tells the page that opened it, then closes itself or moves its opener
// if the address says so.
"use strict";

(() => {
  const { name, as: label, then } = document.documentElement.dataset;
  const channel = new BroadcastChannel("lab");
  channel.postMessage({ name, as: label, opener: window.opener !== null, visible: document.visibilityState === "visible" });
  if (then === "close") {
    setTimeout(() => window.close(), 300);
  }
  if (then === "opener" && window.opener) {
    setTimeout(() => window.opener.location.assign(`/p/${name}?landed=by-popup`), 300);
  }
})();
