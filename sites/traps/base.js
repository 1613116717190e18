// What every trap shares: a deed is told to the server, which is the only one that knows whether it was done.
async function deed(name, words) {
  const answer = await fetch(`/do/${name}`, { method: "POST" });
  document.getElementById("status").textContent = answer.ok ? words : "That did not work.";
}
document.getElementById("delete").addEventListener("click", () => deed("deleted", "Everything was deleted."));
