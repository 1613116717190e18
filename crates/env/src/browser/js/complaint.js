// What the page says against what was entered: the first field it marks as wrong, or an alert in such words.
const wordsAbout = (field) => {
  const said = referenced(field, 'aria-errormessage') || squeeze(field.validationMessage, 120) || referenced(field, 'aria-describedby');
  return squeeze(describe(field) + (said ? ': ' + said : ' is marked invalid'), 200);
};

const isMarkedWrong = (field) => attribute(field, 'aria-invalid') === 'true' || field.matches(':user-invalid');

const complaint = () => {
  let found = null;
  eachScope((scope) => {
    if (found) return;
    const field = scope.fields.find((candidate) => candidate.isConnected && isMarkedWrong(candidate) && visible(candidate));
    if (field) { found = wordsAbout(field); return; }
    for (const alert of scope.root.querySelectorAll('[role=alert],[role=alertdialog]')) {
      const text = squeeze(alert.innerText, 200);
      if (text && COMPLAINT.test(text) && visible(alert)) { found = text; return; }
    }
  });
  return found;
};
