const form = document.getElementById('checklist');
function due() {
  const missing = [];
  for (const box of form.querySelectorAll('textarea')) {
    const number = box.name.slice(1);
    const chosen = form.querySelector(`input[name="a${number}"]:checked`);
    const wants = chosen && chosen.value !== 'yes' && !box.value.trim();
    box.classList.toggle('due', Boolean(wants));
    box.required = Boolean(wants);
    if (wants) missing.push(number);
  }
  const total = new Set([...form.querySelectorAll('input[type=radio]')].map(one => one.name)).size;
  const done = form.querySelectorAll('input[type=radio]:checked').length;
  document.getElementById('state').textContent = `${done} of ${total} answered` +
    (missing.length ? `; comment missing at ${missing.join(', ')}` : '');
  return missing;
}
form.addEventListener('input', due);
document.getElementById('save').addEventListener('click', () => {
  const missing = due();
  if (missing.length) { document.getElementById('row-' + missing[0]).scrollIntoView({block: 'center'}); return; }
  for (const one of form.querySelectorAll('input[type=text]')) one.setAttribute('value', one.value);
  for (const one of form.querySelectorAll('textarea')) one.textContent = one.value;
  for (const one of form.querySelectorAll('input[type=radio]')) one.toggleAttribute('checked', one.checked);
  const blob = new Blob(['<!DOCTYPE html>\n' + document.documentElement.outerHTML], {type: 'text/html'});
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = document.title.toLowerCase().replace(/[^a-z0-9]+/g, '-') + '.html';
  link.click();
});
due();
