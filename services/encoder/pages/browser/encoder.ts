/** What pages of the encoder do besides, where scripts run: none of it leaves this site. */

const MOST_BYTES = 5_000_000;

for (const area of document.querySelectorAll<HTMLTextAreaElement>('[data-takes-files]'))
  takeFiles(area);
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copies]'))
  offerCopy(button);
for (const standing of document.querySelectorAll<HTMLElement>('[data-follows]')) follow(standing);

/** A text file that is dropped on the field becomes its text. */
function takeFiles(area: HTMLTextAreaElement): void {
  const status = area.nextElementSibling;
  area.addEventListener('dragover', (event) => event.preventDefault());
  area.addEventListener('drop', async (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    if (file.size > MOST_BYTES) {
      say(status, 'This file has more than 5 MB; use tacet deidentify for it.');
      return;
    }
    try {
      area.value = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      say(status, 'Read. Nothing has been sent yet.');
    } catch {
      say(status, 'This file is no text in UTF-8.');
    }
  });
}

function offerCopy(button: HTMLButtonElement): void {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.copies ?? '')?.textContent ?? '';
    await navigator.clipboard.writeText(text);
    say(button.nextElementSibling, 'Copied.');
  });
}

/** Shows each change of a job, and its page anew when it has ended. */
function follow(standing: HTMLElement): void {
  const events = new EventSource(`${location.pathname}/${standing.dataset.follows}`);
  const bar = standing.querySelector('progress');
  const words = standing.querySelector('[role="status"]');
  events.addEventListener('progress', ({ data }) => {
    const { progress } = JSON.parse(data) as JobEvent;
    if (!progress) return;
    const { step, done, total } = progress;
    if (bar && total) Object.assign(bar, { max: total, value: done });
    say(words, `${step}: ${done} of ${total ?? '?'}`);
  });
  events.addEventListener('end', () => {
    events.close();
    location.reload();
  });
}

interface JobEvent {
  readonly progress: {
    readonly step: string;
    readonly done: number;
    readonly total?: number;
  } | null;
}

function say(place: Element | null, words: string): void {
  if (place) place.textContent = words;
}
