import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import type { AuditReport } from '../../models/attacks/report/audit-report.js';
import { createProgram } from '../../services/cli/program.js';
import { plannedRuns } from '../../study/runs/plan.js';
import { selfSigned } from '../services/self-signed.js';
import {
  commandsInProse,
  commandsOf,
  type Fence,
  fencesOf,
  fileNameOf,
  type PrintedCommand,
} from './fences.js';
import { brokenLinks } from './headings.js';
import { Reader } from './reader.js';

/** In the order in which they are read, each on what the one before left. */
const TOUR = [
  'README.md',
  'docs/first-steps.md',
  'docs/provider.md',
  'docs/auditor.md',
  'docs/hospital.md',
  'docs/researcher.md',
  'docs/deidentifying.md',
];

/** Those whose commands are run, and the rest. */
const FOLLOWED = [...TOUR, 'docs/operating.md'];
/** A page for each question that was measured. */
const RESULTS = readdirSync(new URL('../../../docs/results', import.meta.url)).map(
  (page) => `docs/results/${page}`,
);
const DOCUMENTS = [
  ...FOLLOWED,
  ...['docs/experiments.md', 'docs/federation.md', 'docs/training-configuration.md'],
  'docs/results.md',
  ...RESULTS,
  ...['docs/performance.md', 'docs/theory.md', 'docs/design.md', 'docs/extending.md'],
  ...[
    'docs/interoperability.md',
    'docs/glossary.md',
    'docs/dependencies.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'clients/python/README.md',
  ],
];

/** What is printed and not run here, and why. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^make demo$/, 'takes minutes; test/services/cli/demo.test.ts runs it on fewer notes'],
  [/^make test$/, 'this test is part of it'],
  [/^make bench BENCH=pool/, 'measures for minutes; test/bench'],
  [/^TACET_BENCH_SEGMENTS=100 node dist\/bench/, 'measures for minutes; test/bench'],
  [
    /^tacet federation /,
    'needs two institutions; test/services/federation/worker-processes.test.ts runs it with five',
  ],
  [
    /^tacet experiment |^TACET_THREADS=1 tacet experiment /,
    'hours on MEDDOCAN, which is not in the repository',
  ],
  [
    /^tacet (corpus (split|generate)|train (certified|raw)) .*(public|learn|tab\/GBR|all)\.jsonl/,
    'begins those hours',
  ],
  [
    /^tacet pipeline make (es|en learn\.jsonl) |^tacet deidentify notas limpias|notes-dev\.jsonl/,
    'needs MEDDOCAN or TAB; test/services/cli/commands/pipeline.test.ts has invented notes',
  ],
  [
    /^tacet pipeline make en own-notes |--beside own$/,
    'needs notes of one’s own; test/services/cli/commands/pipeline.test.ts has invented ones',
  ],
  [
    /^tacet train pooled .* --own own-notes/,
    'needs notes of one’s own; test/services/cli/commands/train-pooled.test.ts has invented ones',
  ],
  [
    /^tacet encode dev\.jsonl /,
    'needs MEDDOCAN; test/services/institution/release/suspects/second-reader.test.ts has names labelled in part',
  ],
  [/ --corpus meddocan-dev\.jsonl /, 'an hour on MEDDOCAN, which is not in the repository'],
  [/^tacet corpus convert court\.conll /, 'needs ECHR-ES, which is not in the repository'],
  [/^make image$|^podman /, 'needs Debian’s archive and a container engine; .ci/image'],
  [/s3:\/\//, 'needs an object storage; make test-scale has one'],
  [/--openid-issuer /, 'needs an OpenID provider; test/services/http/pages/openid has one'],
  [
    /postgres:\/\/tacet@db/,
    'needs PostgreSQL; make test-scale has one, and test/pool-store/copies/copy-store.test.ts',
  ],
  [
    /^tacet worker .*\$POOL/,
    'waits for jobs until a signal; test/services/cli/commands/worker.test.ts runs it',
  ],
  [/^tacet results /, 'draws what those hours gave'],
  [
    /^tacet (train|encode|audit run|inventory create|bundle create|corpus generate|corpus convert)\b.*(meddocan|rulings|frozen\/NAME|six\.jsonl --documents 600| \.\.\.)/,
    'is of what was measured there, on notes that are not in the repository',
  ],
  [
    /synthetic_clinical_queries|asq-found/,
    'needs ASQ-PHI, which is not in the repository; test/models/text/corpus/asq-phi.test.ts',
  ],
  [
    /made\/manifest\.json|--model ours /,
    'of what a federation made; test/services/cli/commands/federation-pipeline.test.ts runs them',
  ],
  [/^tacet demo (--entities keep|--seed 7 .*)$/, 'takes minutes, as make demo'],
];

/** What a command prints that later ones call `$NAME`. */
const NAMED: readonly (readonly [command: RegExp, name: string, printed: RegExp])[] = [
  [/^tacet identity request/, 'KEY_ID', /^requested (\S+);/],
  [/^tacet snapshot create/, 'SNAPSHOT', /^(\S+)/],
  [/^tacet job create/, 'JOB', /^(\S+)/],
  [/^tacet token list/, 'TOKEN_ID', /^(\S+) +institution +north /m],
];

const HOUR_MS = 3_600_000;

/** Of an audit, on a machine that is busy. */
const MOST_MINUTES = 20;
/** All that a policy asks for; others have their time in test/models/attacks. */
const ATTACKS_OF_POLICY = 'known-noise,continued-adversary-both';
const FEWEST_PAIRS = 250;
/** Of an audit of releases, which nobody judges here. */
const MINUTES_OF_OWN = 0.2;

/** Characters. */
const WIDTH = 145;

const textOf = (document: string) =>
  readFileSync(new URL(`../../../${document}`, import.meta.url), 'utf8');

const reasonNotToRun = ({ text }: PrintedCommand) =>
  NOT_RUN.find(([pattern]) => pattern.test(text))?.[1];

let reader: Reader;
/** Of `$NEW`, which is another folder each time. */
let restored = 0;

beforeAll(async () => {
  reader = await Reader.create();
});

afterAll(async () => {
  await reader.end();
});

/** Does what a block says: makes the file that it shows, runs the commands that it holds. */
async function follow(fence: Fence, document: string): Promise<void> {
  const file = fileNameOf(fence);
  if (file !== undefined) await reader.save(file, fence.text);
  for (const command of commandsOf(fence, document)) {
    if (reasonNotToRun(command) === undefined) await obey(command);
  }
}

async function obey({ document, line, text }: PrintedCommand): Promise<void> {
  if (/^tacet store restore/.test(text)) reader.variables.NEW = `restored-${++restored}`;
  const isOfReleases = /^tacet audit run .*--segments/.test(text);
  const isForPolicy = /^tacet audit run /.test(text) && !isOfReleases;
  const timed = isOfReleases ? within(text, MINUTES_OF_OWN) : text;
  const printed = await (isForPolicy ? audit(text) : reader.run(timed)).catch((cause) => {
    throw new Error(`${document}:${line}: ${cause.message}`, { cause });
  });
  for (const [command, name, pattern] of NAMED) {
    if (command.test(text)) reader.variables[name] = pattern.exec(printed)?.[1] ?? '';
  }
}

/**
 * Runs an audit until it has an adversary that came to its end, and about as many pairs as a policy asks
 * for: first for a minute, which goes on with more for its adversary, as the auditor's page says; anew and for longer
 * where a busy machine left few pairs, or time ended the adversary.
 */
async function audit(text: string): Promise<string> {
  const out = / --out (\S+)/.exec(text)?.[1] ?? '';
  for (let minutes = 1; ; minutes *= 3) {
    const printed = await auditFor(text, out, minutes);
    if (minutes * 3 > MOST_MINUTES || (await isEnough(out))) return printed;
    await reader.remove(out);
  }
}

async function auditFor(text: string, out: string, minutes: number): Promise<string> {
  const command = `${within(text, minutes)} --only ${ATTACKS_OF_POLICY}`;
  let printed = await reader.run(command);
  for (let spent = minutes; !(await attacksOf(out)).some(isAdversary); spent += minutes) {
    if (spent >= MOST_MINUTES) throw new Error(`no adversary after ${spent} minutes:\n${printed}`);
    printed = await reader.run(`${command} --resume`);
  }
  return printed;
}

function within(text: string, minutes: number): string {
  return text.replace(/--minutes \d+/, `--minutes ${minutes}`);
}

/** Of few pairs even a coin's share has an interval beyond what a policy allows. */
async function isEnough(audit: string): Promise<boolean> {
  const attacks = await attacksOf(audit);
  const pairs = attacks.find(({ name }) => name === 'known-noise-pair');
  const number = Number(/^\d+/.exec(pairs?.shortened ?? '')?.[0] ?? FEWEST_PAIRS);
  const isLearned = ({ shortened }: AuditReport['attacks'][number]) =>
    !shortened?.endsWith('epochs');
  return number >= FEWEST_PAIRS && attacks.filter(isAdversary).some(isLearned);
}

function isAdversary({ family }: AuditReport['attacks'][number]): boolean {
  return family === 'adversary';
}

async function attacksOf(audit: string): Promise<AuditReport['attacks']> {
  return (JSON.parse(await reader.read(`${audit}/audit.json`)) as AuditReport).attacks;
}

describe('the documentation', () => {
  test(
    'the tour: from an empty folder, every command does what it is printed for, in that order',
    async () => {
      for (const document of TOUR)
        for (const fence of fencesOf(textOf(document))) await follow(fence, document);
      const scores = await reader.run('tacet --json evaluate --gold gold --system system');
      expect(JSON.parse(scores).token.binary.f1).toBeGreaterThan(0.5);
    },
    HOUR_MS,
  );

  test(
    'docs/operating.md: so does every command of whoever operates what the tour has begun',
    async () => {
      await reader.enter('operator');
      const [registry, pool] = [reader.url('registry'), reader.url('pool')];
      const data = `${reader.root}/empty/tacet-data`;
      Object.assign(reader.variables, {
        DATA: data,
        BACKUP: 'backup',
        SERVER: registry,
        POOL: pool,
      });
      const { cert, key } = selfSigned();
      await reader.save('chain.pem', cert);
      await reader.save('key.pem', key);
      for (const fence of fencesOf(textOf('docs/operating.md'))) {
        await follow(fence, 'docs/operating.md');
      }
    },
    HOUR_MS,
  );

  test.each(DOCUMENTS)(
    '%s prints no command that is neither run nor left out for a reason',
    (document) => {
      const commands = fencesOf(textOf(document)).flatMap((fence) => commandsOf(fence, document));
      const unknown = commands.filter(
        (command) => !FOLLOWED.includes(document) && reasonNotToRun(command) === undefined,
      );
      expect(unknown).toEqual([]);
    },
  );

  test('has no reason to leave out what is not printed', () => {
    const commands = DOCUMENTS.flatMap((document) =>
      fencesOf(textOf(document)).flatMap((fence) => commandsOf(fence, document)),
    );
    const idle = NOT_RUN.filter(([pattern]) => !commands.some(({ text }) => pattern.test(text)));
    expect(idle).toEqual([]);
  });

  test('shows JSON that is either a file for the commands after it or a plan that can be run', () => {
    for (const document of DOCUMENTS) {
      const json = fencesOf(textOf(document)).filter(({ info }) => info.startsWith('json'));
      for (const fence of json) {
        const value = JSON.parse(fence.text);
        if (fileNameOf(fence) === undefined) expect(plannedRuns(value).length).toBeGreaterThan(0);
      }
    }
  });

  test.each(DOCUMENTS)(
    '%s: links lead to files of the repository, and to sections of these',
    (document) => {
      expect(brokenLinks(new URL(`../../../${document}`, import.meta.url))).toEqual([]);
    },
  );

  test.each(['docs/results.md', ...RESULTS])('%s: no line is wider than a screen', (document) => {
    expect(
      textOf(document)
        .split('\n')
        .filter((line) => line.length > WIDTH),
    ).toEqual([]);
  });

  test.each(DOCUMENTS)('%s: commands and options within sentences exist', async (document) => {
    const missing: string[] = [];
    for (const text of commandsInProse(textOf(document))) {
      missing.push(...(await unknownWords(text)).map((word) => `${text}: ${word}`));
    }
    expect(missing).toEqual([]);
  });
});

/** What of a command line no command knows: a subcommand, or a flag of the one that is named. */
async function unknownWords(text: string): Promise<string[]> {
  const [, ...words] = text.split(' ');
  let command: Command = await createProgram(words);
  const chain = [command];
  const unknown: string[] = [];
  for (const word of words) {
    if (word.startsWith('--')) {
      const known = chain.some(({ options }) => options.some(({ long }) => long === word));
      if (!known && !['--help', '--version'].includes(word)) unknown.push(word);
      continue;
    }
    if (command.commands.length === 0) continue;
    const inner = command.commands.find((each) => each.name() === word);
    if (!inner && /^[a-z-]+$/.test(word)) unknown.push(word);
    if (!inner) break;
    command = inner;
    chain.push(inner);
  }
  return unknown;
}
