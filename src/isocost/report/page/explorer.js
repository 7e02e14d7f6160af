// The explorer around the report: drop, choose, paste or sample data; change a guess; one error at a time.

const frame = document.body;
const most = Number(frame.dataset.most);
const [drop, progress] = ['.drop', '.progress'].map((name) => frame.querySelector(name));
const megabytes = (bytes) => Math.round(bytes / 1e6);

const wrong = frame.querySelector('#wrong');

/** Show the one error, below its field or where files are chosen; none if there is no text. */
function complain(text, near = null) {
  frame.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid');
  near?.closest('details')?.setAttribute('open', '');
  (near?.closest('label') ?? frame.querySelector('.side .heading, .start .choices, .drop')).after(wrong);
  wrong.textContent = text;
  if (!near || !text) return;
  near.setAttribute('aria-invalid', 'true');
  near.setAttribute('aria-errormessage', 'wrong');
  near.scrollIntoView({ block: 'center' });
}

function waiting(title, detail) {
  progress.hidden = false;
  progress.querySelector('b').textContent = title;
  progress.querySelector('span').textContent = detail;
  const bar = progress.querySelector('progress');
  bar.removeAttribute('value');
  return (share) => (bar.value = share);
}

/** Send something to the explorer; true if it was taken. A bar shows how far it is, and Cancel ends it. */
function send(where, body, { title, detail = '', near = null, type = 'application/json' }) {
  return new Promise((resolve) => {
    const shown = waiting(title, detail);
    const request = new XMLHttpRequest();
    const done = (good) => {
      progress.hidden = true;
      resolve(good);
    };
    request.open('POST', where);
    request.responseType = 'json';
    request.setRequestHeader('content-type', type);
    request.upload.addEventListener('progress', ({ loaded, total }) => shown(total ? loaded / total : 0));
    request.addEventListener('load', () => {
      if (request.status < 300) return done(true);
      complain(request.response?.error ?? 'The explorer could not do that.', near);
      return done(false);
    });
    request.addEventListener('error', () => {
      complain('The explorer does not answer: is it still running?', near);
      done(false);
    });
    request.addEventListener('abort', () => done(false));
    progress.querySelector('button').onclick = () => request.abort();
    request.send(body);
  });
}

async function openFile(file) {
  if (file.size > most) {
    const sizes = `${file.name} has ${megabytes(file.size)} MB; the explorer takes up to ${megabytes(most)} MB.`;
    complain(`${sizes} Use the command for larger files.`);
    return;
  }
  // A name may hold half a character, which no address can.
  const name = encodeURIComponent(file.name.replace(/[\ud800-\udfff]/gu, '?'));
  const sent = { title: `Reading ${file.name}`, detail: 'then resamples, a few seconds', type: 'application/octet-stream' };
  // Another file is another question: the old view does not carry over.
  if (await send(`open?name=${name}`, file, sent)) location.replace(location.pathname);
}

for (const input of frame.querySelectorAll('input[type=file]')) {
  input.addEventListener('change', () => {
    if (input.files[0]) openFile(input.files[0]);
    input.value = '';
  });
}
frame.querySelector('[data-sample]')?.addEventListener('click', async () => {
  if (await send('sample', '', { title: 'Reading 1,000 loans' })) location.replace(location.pathname);
});

let inside = 0;
const files = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
addEventListener('dragenter', (event) => {
  if (!files(event)) return;
  event.preventDefault();
  inside += 1;
  drop.hidden = false;
});
addEventListener('dragleave', () => {
  inside = Math.max(0, inside - 1);
  drop.hidden = inside === 0;
});
addEventListener('dragover', (event) => {
  if (files(event)) event.preventDefault();
});
addEventListener('drop', (event) => {
  inside = 0;
  drop.hidden = true;
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  openFile(event.dataTransfer.files[0]);
});
addEventListener('paste', (event) => {
  if (event.target.closest?.('input, textarea')) return;
  const text = event.clipboardData?.getData('text/plain') ?? '';
  // Cells from a spreadsheet come with tabs between them.
  if (/[\t,;]/.test(text) && text.includes('\n')) {
    openFile(new File([text], text.includes('\t') ? 'pasted.tsv' : 'pasted.csv'));
  }
});

const panel = frame.querySelector('.side form');
if (panel) {
  panel.addEventListener('submit', (event) => event.preventDefault());
  panel.addEventListener('change', async ({ target }) => {
    if (target.type === 'file') return;
    complain('', target);
    const given = new FormData(panel);
    const settings = Object.fromEntries(given);
    for (const name of ['scores', 'lower_is_positive']) settings[name] = given.getAll(name);
    // Another column has other values.
    if (target.name === 'label') settings.pos_label = '';
    if (await send('settings', JSON.stringify(settings), { title: 'Working it out', near: target })) location.reload();
  });
}
complain(wrong.textContent, panel?.elements[wrong.dataset.at]?.[0] ?? panel?.elements[wrong.dataset.at]);
frame.dataset.explorer = 'ready';
