// Brings the log of a page to the server, and carries it over to the document the page leads to.
// On a quiet page nothing is sent by itself for a while, because a request would be an effect.
"use strict";

(() => {
  const QUIET_MILLISECONDS = 8000;
  const MOST_EVENTS_AT_ONCE = 100;
  const KEPT = `lab:${lab.name}`;
  const address = `/log/${lab.name}`;
  let reports = 0;
  let isScheduled = false;
  let isSending = false;
  let quietTimer = 0;

  // A channel, because its messages come as soon as the current task is over, also in a hidden tab.
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    isScheduled = false;
    look();
    if (lab.isQuiet) {
      clearTimeout(quietTimer);
      quietTimer = setTimeout(send, QUIET_MILLISECONDS);
    } else {
      send();
    }
  };

  lab.onChange = () => {
    if (!isScheduled) {
      isScheduled = true;
      channel.port2.postMessage(0);
    }
  };

  let known = "";
  let isNew = false;

  function look() {
    if (lab.judge) {
      lab.verdict = lab.judge();
    }
    const now = JSON.stringify([lab.verdict, lab.facts]);
    isNew ||= now !== known;
    known = now;
  }

  function report() {
    const events = lab.events.filter((entry) => !entry.acknowledged).slice(0, MOST_EVENTS_AT_ONCE);
    for (const entry of events) {
      entry.sent = true;
    }
    reports += 1;
    isNew = false;
    const bare = events.map(({ sent, acknowledged, ...entry }) => entry);
    return { events, body: JSON.stringify({ run: lab.run, rev: reports, events: bare, check: lab.verdict, facts: lab.facts }) };
  }

  const isPending = () => isNew || lab.events.some((entry) => !entry.acknowledged);

  async function send() {
    if (isSending) {
      return;
    }
    isSending = true;
    while (isPending()) {
      const { events, body } = report();
      const response = await fetch(address, { method: "POST", body, keepalive: true }).catch(() => null);
      if (!response?.ok) {
        break;
      }
      for (const entry of events) {
        entry.acknowledged = true;
      }
    }
    isSending = false;
  }

  /** Sends everything now; for tests of quiet pages, and before something that blocks the page. */
  lab.flush = () => {
    look();
    return send();
  };

  /** The page's entry in the server's state. */
  lab.atServer = () => fetch(address).then((response) => response.json());

  window.addEventListener("pagehide", () => {
    look();
    for (let beacons = 0; isPending() && beacons < 6; beacons += 1) {
      const { events, body } = report();
      navigator.sendBeacon(address, body);
      for (const entry of events) {
        entry.acknowledged = true;
      }
    }
    sessionStorage.setItem(KEPT, JSON.stringify({ run: lab.run, reports, events: lab.events, facts: lab.facts, number: lab.number }));
  });

  // A document that ends the way of a page goes on with its log, unless that is another load's.
  if (lab.landed) {
    const before = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (before && before.run === lab.run) {
      reports = before.reports;
      lab.number = before.number;
      lab.events.unshift(...before.events);
      lab.facts = before.facts;
    }
    lab.fact("landed", lab.landed);
  } else {
    sessionStorage.removeItem(KEPT);
  }

  // Windows that the page opened tell it so.
  const arrivals = new BroadcastChannel("lab");
  arrivals.onmessage = ({ data }) => {
    if (data.name === lab.name) {
      const { name, ...arrival } = data;
      lab.fact("arrivals", [...(lab.facts.arrivals ?? []), arrival].slice(-40));
    }
  };

  window.addEventListener("load", () => {
    lab.fact("boxes", { ...lab.facts.boxes, ...lab.boxes() });
    lab.fact("loaded", true);
    if (lab.isQuiet) {
      lab.flush();
    }
  });
})();
