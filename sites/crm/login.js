// The sign-in form: asks the server and shows its answer inside the form.
import { callApi } from "/assets/common.js";

const form = document.getElementById("login-form");
const problem = document.getElementById("login-error");
const button = document.getElementById("sign-in");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const email = form.elements.email.value.trim();
  const password = form.elements.password.value;
  if (!email || !password) {
    showProblem("Enter your email and your password.");
    return;
  }
  button.disabled = true;
  button.textContent = "Signing in…";
  const answer = await callApi("POST", "/api/login", { email, password });
  if (answer.ok) {
    window.location.assign("/");
    return;
  }
  button.disabled = false;
  button.textContent = "Sign in";
  form.elements.password.value = "";
  showProblem(answer.data.error.message);
});

function showProblem(text) {
  problem.textContent = text;
  problem.hidden = false;
  form.elements.email.setAttribute("aria-invalid", "true");
  form.elements.password.setAttribute("aria-invalid", "true");
}

form.addEventListener("input", (event) => event.target.removeAttribute("aria-invalid"));
