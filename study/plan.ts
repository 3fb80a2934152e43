import { TacetError } from '../proto/errors.js';
import { validator } from '../proto/validator.js';

type Setting = string | number | boolean;

/** Runs that are alike but for their seeds. */
interface PlannedGroup {
  readonly name: string;
  readonly kind: string;
  /** Keys of a configuration, or the name or file of one. */
  readonly config?: string | object;
  /** How many, from 1, or which. */
  readonly seeds?: number | readonly number[];
}

/** A group for every combination of some settings. */
interface PlannedGrid extends PlannedGroup {
  /** Values by key, e.g. `{"neighbours": [100, 500], "certified.lambda": [0.1, 0.3]}`. */
  readonly over: Readonly<Record<string, readonly Setting[]>>;
}

/** What `tacet experiment` trains, in this order. */
export interface Plan {
  readonly runs?: readonly PlannedGroup[];
  readonly grid?: readonly PlannedGrid[];
}

export interface PlannedRun {
  /** Its directory, below that of the experiment: `adversarial-100/seed-2`. */
  readonly directory: string;
  /** The same without the seed. */
  readonly name: string;
  readonly kind: string;
  readonly config: string | object;
  /** Over `config`. */
  readonly settings: object;
}

const name = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,80}$' };
const seed = { type: 'integer', minimum: 0 };
const group = {
  name,
  kind: { type: 'string' },
  config: { type: ['string', 'object'] },
  seeds: {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: 1000 },
      { type: 'array', items: seed, minItems: 1, uniqueItems: true },
    ],
  },
};
const setting = { type: ['string', 'number', 'boolean'] };
const over = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: 'array', items: setting, minItems: 1, uniqueItems: true },
};

const checkPlan = validator<Plan>(
  {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    properties: {
      runs: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'kind'],
          properties: group,
        },
      },
      grid: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'kind', 'over'],
          properties: { ...group, over },
        },
      },
    },
  },
  'config-invalid',
  'the plan',
);

/** All runs of a plan. Throws `config-invalid`, naming the field, or two runs of one name. */
export function plannedRuns(value: unknown): PlannedRun[] {
  const { runs = [], grid = [] } = checkPlan(value);
  for (const each of grid) requireSettings(each);
  const planned = [
    ...runs.flatMap((each) => runOfEachSeed(each, each.name, {})),
    ...grid.flatMap((each) =>
      combinations(Object.entries(each.over)).flatMap((settings) =>
        runOfEachSeed(each, `${each.name}-${Object.values(settings).join('-')}`, settings),
      ),
    ),
  ];
  const directories = new Set<string>();
  for (const { directory } of planned) {
    if (directories.has(directory))
      throw new TacetError('config-invalid', `the plan: two runs are called ${directory}`);
    directories.add(directory);
  }
  return planned;
}

/** What a group says of its runs itself; no setting says it again. */
const SAID: Readonly<Record<string, string>> = { seed: '"seeds"', kind: '"kind"' };

function requireSettings({ name, over }: PlannedGrid): void {
  for (const key of Object.keys(over)) {
    const fault = Object.hasOwn(SAID, key)
      ? `belongs in ${SAID[key]} of the grid`
      : key.split('.').length > 2 && 'has more than one dot; expected a key or section.key';
    if (!fault) continue;
    throw new TacetError('config-invalid', `the plan: ${name}: '${key}' in "over" ${fault}`);
  }
}

function runOfEachSeed(
  { kind, config = {}, seeds = 1 }: PlannedGroup,
  name: string,
  settings: Readonly<Record<string, Setting>>,
): PlannedRun[] {
  const all = typeof seeds === 'number' ? Array.from({ length: seeds }, (_, i) => i + 1) : seeds;
  return all.map((seed) => ({
    ...{ directory: `${name}/seed-${seed}`, name, kind, config },
    settings: { ...nest(settings), seed },
  }));
}

/** Every way to choose one value for each key, the last key fastest. */
function combinations(
  entries: readonly (readonly [string, readonly Setting[]])[],
): Record<string, Setting>[] {
  return entries.reduce<Record<string, Setting>[]>(
    (chosen, [key, values]) =>
      chosen.flatMap((each) => values.map((value) => ({ ...each, [key]: value }))),
    [{}],
  );
}

/** `{'certified.lambda': 1}` to `{certified: {lambda: 1}}`. */
function nest(settings: Readonly<Record<string, Setting>>): object {
  const found: Record<string, Setting | Record<string, Setting>> = {};
  for (const [path, value] of Object.entries(settings)) {
    const [key = '', inner] = path.split('.');
    if (inner === undefined) found[key] = value;
    else found[key] = { ...(found[key] as Record<string, Setting> | undefined), [inner]: value };
  }
  return found;
}
