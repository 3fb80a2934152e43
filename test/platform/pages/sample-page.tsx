import type { VNode } from 'preact';
import { Badge } from '../../../platform/pages/badge.js';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { Command } from '../../../platform/pages/command.js';
import { Facts } from '../../../platform/pages/facts.js';
import { Interval } from '../../../platform/pages/interval.js';
import { Mark } from '../../../platform/pages/mark.js';
import { Notice } from '../../../platform/pages/notice.js';
import { Pages } from '../../../platform/pages/pages.js';
import { Time } from '../../../platform/pages/time.js';
import { Verdict } from '../../../platform/pages/verdict.js';
import { WideTable } from '../../../platform/pages/wide-table.js';

const MODELS = [
  { name: 'meddocan-certified', version: '1.2.0', downloads: 1234, state: 'good' as const },
  { name: 'meddocan-adversarial', version: '0.9.1', downloads: 56, state: 'danger' as const },
];

/** Every component once, and what the stylesheet knows besides. */
export function SamplePage(): VNode {
  return (
    <>
      <header class="site">
        <div>
          <strong>Tacet registry</strong>
          <nav aria-label="Site">
            <ul>
              <li>
                <a href="/models" aria-current="page">
                  Models
                </a>
              </li>
              <li>
                <a href="/keys">Keys</a>
              </li>
            </ul>
          </nav>
        </div>
      </header>
      <main>
        <Breadcrumbs steps={[{ text: 'Models', href: '/models' }]} here="meddocan-certified" />
        <h1>Models</h1>
        <Verdict quiet>
          <p>None of the attacks on names did measurably better than guessing.</p>
        </Verdict>
        <Notice kind="danger">
          <p>
            <strong>This version was revoked.</strong> Do not share with it any longer.
          </p>
        </Notice>
        <Notice kind="good">
          <p>Your institution’s policy accepts this model.</p>
        </Notice>
        <Notice>
          <p>
            Attached on <Time iso="2026-03-05T07:08:09.000Z" />.
          </p>
        </Notice>
        <Facts
          facts={[
            ['Model', <strong>meddocan-certified 1.2.0</strong>],
            ['SHA-256', <span class="id">{'ab'.repeat(32)}</span>],
          ]}
        />
        <WideTable
          name="Models"
          kind="folding"
          rows={MODELS}
          columns={[
            {
              heading: 'model',
              rowHeading: true,
              cell: (model) => <a href="/models">{model.name}</a>,
            },
            { heading: 'version', cell: (model) => model.version },
            { heading: 'state', cell: ({ state }) => <Badge kind={state}>{state}</Badge> },
            { heading: 'downloads', number: true, cell: (model) => model.downloads },
            {
              heading: 'success',
              number: true,
              cell: () => (
                <>
                  51.2 %<Interval of={[0.5, 0.53]} />
                </>
              ),
            },
          ]}
        />
        <Pages here="1 – 2 of 4" next="/models?after=2" />
        <ul class="cards">
          {MODELS.map(({ name: model, version }) => (
            <li class="card">
              <h2>{model}</h2>
              <p>Version {version}, for Spanish notes.</p>
              <Badge>deprecated</Badge> <Badge kind="warn">no audit</Badge>
            </li>
          ))}
        </ul>
        <Command>
          tacet models pull meddocan-certified@1.2.0 --registry https://r.example.org
        </Command>
        <details>
          <summary>What it was trained on</summary>
          <p>
            Dr{' '}
            <Mark kind="phi" type="NAME">
              Ana Bell
            </Mark>{' '}
            of{' '}
            <Mark kind="phi" type="CITY">
              Leeds
            </Mark>
            .
          </p>
        </details>
        <form>
          <label for="note">A note</label>
          <textarea id="note" aria-describedby="hint" />
          <p class="hint" id="hint">
            It stays in this browser.
          </p>
          <label for="scheme">Scheme</label>
          <select id="scheme">
            <option>HIPAA</option>
          </select>
          <label for="reason">Reason</label>
          <input id="reason" type="text" />
          <label>
            <input type="checkbox" /> With types
          </label>
          <div class="actions">
            <button type="submit">Encode</button>
            <button type="button" class="quiet">
              Cancel
            </button>
            <button type="button" class="danger">
              Revoke
            </button>
            <button type="button" disabled>
              Approve
            </button>
          </div>
        </form>
      </main>
    </>
  );
}
