import type { LogEntry } from '../../../../../pool-store/log/log-entry.js';
import { walkChain } from './chain-walk.js';
import { type Verdict, verdictOf } from './findings.js';
import { pastedHead } from './pasted-head.js';

/** Where the page answers a logged-in reader with entries. */
const ENTRIES = '/log/entries';

const form = document.querySelector<HTMLFormElement>('#verification');
const result = document.querySelector<HTMLElement>('#verification-result');

if (form && result) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void verify(form, result);
  });
}

async function verify(asked: HTMLFormElement, shown: HTMLElement): Promise<void> {
  const button = asked.querySelector('button');
  if (button?.ariaDisabled === 'true') return;
  if (button) button.ariaDisabled = 'true';
  try {
    say(shown, await verdict(asked, (text) => say(shown, { text })));
  } catch (error) {
    say(shown, { good: false, text: error instanceof Error ? error.message : String(error) });
  } finally {
    if (button) button.ariaDisabled = null;
  }
}

async function verdict(asked: HTMLFormElement, progress: (text: string) => void): Promise<Verdict> {
  if (!isSecureContext)
    throw new Error(
      'Browsers compute hashes for pages that came over HTTPS, or from this machine, alone. The command ' +
        'below needs no browser.',
    );
  const kept = pastedHead(String(new FormData(asked).get('head') ?? ''));
  const { sequence, hash } = asked.dataset;
  progress('Reading the log …');
  const findings = await walkChain({
    read: readEntries,
    shown: { sequence: Number(sequence), hash: hash ?? '' },
    kept,
    onProgress: (done) => progress(`Entry ${done} of ${sequence} …`),
  });
  return verdictOf(findings, kept);
}

async function readEntries(after: number): Promise<readonly LogEntry[]> {
  const answer = await fetch(`${ENTRIES}?after=${after}`, { redirect: 'manual' });
  if (answer.ok) return (await answer.json()) as readonly LogEntry[];
  throw new Error(
    answer.type === 'opaqueredirect'
      ? 'You are not logged in any more: open the page again.'
      : `The server did not give the entries after ${after}, but the status ${answer.status}.`,
  );
}

/** As text, whatever it holds. */
function say(shown: HTMLElement, { good, text }: Partial<Verdict> & { text: string }): void {
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  const kind = good === undefined ? '' : good ? ' good' : ' danger';
  shown.className = `notice${kind}`;
  shown.replaceChildren(paragraph);
}
