// The explorer's own controls: open another file, choose columns, change resampling, second looks and words, save.
// The report below is the same page.

const panel = document.querySelector('.explorer');
const answer = panel.querySelector('[role=status]');
const most = Number(panel.dataset.most);
const LOOKS = ['cost_review', 'max_reviewed', 'reviewer_fpr', 'reviewer_tpr'];

const megabytes = (bytes) => Math.round(bytes / 1e6);

function tell(text, wrong = false) {
  answer.textContent = text;
  answer.classList.toggle('wrong', wrong);
  // Below an open form it may be out of sight.
  answer.scrollIntoView({ block: 'nearest' });
}

async function send(where, body, headers) {
  try {
    const reply = await fetch(where, { method: 'POST', body, headers });
    const said = await reply.json();
    if (!reply.ok) tell(said.error, true);
    return reply.ok;
  } catch {
    tell('The explorer does not answer: is it still running?', true);
    return false;
  }
}

const file = panel.querySelector('input[type=file]');
file.addEventListener('change', async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  if (chosen.size > most) {
    tell(
      `${chosen.name} has ${megabytes(chosen.size)} MB; the explorer takes up to ${megabytes(most)} MB. ` +
        'Use the command for larger files.',
      true,
    );
    return;
  }
  tell(`Reading ${chosen.name} …`);
  // A name may hold half a character, which no address can.
  const name = encodeURIComponent(chosen.name.replace(/[\ud800-\udfff]/gu, '?'));
  // Another file is another question: the old view does not carry over.
  if (await send(`open?name=${name}`, chosen, { 'content-type': 'application/octet-stream' })) {
    location.replace(location.pathname);
  }
});

/** Forget the second looks and limits that were set on the page below: the form now says otherwise. */
function forgetLooks() {
  const kept = location.hash
    .slice(1)
    .split('&')
    .filter((part) => !/^(rev|cap|prec)=/.test(part));
  history.replaceState(null, '', `#${kept.join('&')}`);
}

const form = panel.querySelector('form');
if (form) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const settings = Object.fromEntries(given);
    for (const name of ['scores', 'lower_is_positive']) settings[name] = given.getAll(name);
    const looks = LOOKS.some((name) => form.elements[name].value !== form.elements[name].defaultValue);
    tell('Computing …');
    if (await send('settings', JSON.stringify(settings), { 'content-type': 'application/json' })) {
      if (looks) forgetLooks();
      location.reload();
    }
  });
}
panel.dataset.ready = 'true';
