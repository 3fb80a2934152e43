import { Random } from '../../models/tensor/random.js';
import { TacetError } from '../../proto/errors.js';
import { NATURAL } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, mapOf, ofType, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';

const SETTING = ofType('string', 'number', 'boolean');
type Setting = TypeOf<typeof SETTING>;

const GROUP = {
  name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,80}$' }),
  kind: Type.String(),
  /** Keys of a configuration, or the name or file of one. */
  config: Type.Optional(ofType('string', 'object')),
  /** How many, from 1, or which. */
  seeds: Type.Optional(
    Type.Union([
      Type.Integer({ minimum: 1, maximum: 1000 }),
      Type.Array(NATURAL, { minItems: 1, uniqueItems: true }),
    ]),
  ),
};

/** Runs that are alike but for their seeds. */
const PLANNED_GROUP = closedObject(GROUP);
type PlannedGroup = TypeOf<typeof PLANNED_GROUP>;

/** A group for every combination of some settings. */
const PLANNED_GRID = closedObject({
  ...GROUP,
  /** Values by key, e.g. `{"neighbours": [100, 500], "certified.lambda": [0.1, 0.3]}`. */
  over: mapOf(Type.Array(SETTING, { minItems: 1, uniqueItems: true }), { minProperties: 1 }),
});
type PlannedGrid = TypeOf<typeof PLANNED_GRID>;

/** Numbers between two ends, each as likely, or each order of magnitude as likely. */
const RANGE = closedObject({
  from: Type.Number(),
  to: Type.Number(),
  scale: Type.Optional(Type.Enum(['linear', 'logarithmic'])),
  /** Whole numbers alone. */
  whole: Type.Optional(Type.Boolean()),
});
type Range = TypeOf<typeof RANGE>;

/** That a number has. */
const MOST_DIGITS = 17;

/** Groups whose settings are drawn by chance, as Friedrich et al. 2019 chose those of Table 1. */
const PLANNED_DRAWS = closedObject({
  ...GROUP,
  /** By key what is drawn from, e.g. `{"deidentifier.units": [64, 128], "lambda": {"from": 0.1, "to": 10}}`. */
  over: mapOf(Type.Union([Type.Array(SETTING, { minItems: 1, uniqueItems: true }), RANGE]), {
    minProperties: 1,
  }),
  /** How many different combinations. */
  draws: Type.Integer({ minimum: 1, maximum: 1000 }),
  /** Of the draws, 1 where left out; `seeds` are of the runs. */
  drawSeed: Type.Optional(NATURAL),
});
type PlannedDraws = TypeOf<typeof PLANNED_DRAWS>;

/** What `tacet experiment` trains, in this order. */
const PLAN = closedObject(
  {
    runs: Type.Optional(Type.Array(PLANNED_GROUP)),
    grid: Type.Optional(Type.Array(PLANNED_GRID)),
    random: Type.Optional(Type.Array(PLANNED_DRAWS)),
  },
  { minProperties: 1 },
);

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

const checkPlan = validator(PLAN, 'config-invalid', 'the plan');

/** All runs of a plan. Throws `config-invalid`, naming the field, or two runs of one name. */
export function plannedRuns(value: unknown): PlannedRun[] {
  const { runs = [], grid = [], random = [] } = checkPlan(value);
  for (const each of [...grid, ...random]) requireSettings(each);
  const planned = [
    ...runs.flatMap((each) => runOfEachSeed(each, each.name, {})),
    ...grid.flatMap((each) =>
      combinations(Object.entries(each.over)).flatMap((settings) =>
        runOfEachSeed(each, `${each.name}-${Object.values(settings).join('-')}`, settings),
      ),
    ),
    ...random.flatMap((each) =>
      drawnSettings(each).flatMap((settings, i) =>
        runOfEachSeed(each, `${each.name}-${i + 1}`, settings),
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

function requireSettings({ name, over }: Pick<PlannedGrid | PlannedDraws, 'name' | 'over'>): void {
  for (const key of Object.keys(over)) {
    const fault = Object.hasOwn(SAID, key)
      ? `belongs in ${SAID[key]} of the group`
      : key.split('.').length > 2 && 'has more than one dot; expected a key or section.key';
    const range = over[key] as readonly Setting[] | Range;
    if (!isList(range)) requireRange(name, key, range);
    if (!fault) continue;
    throw new TacetError('config-invalid', `the plan: ${name}: '${key}' in "over" ${fault}`);
  }
}

function requireRange(name: string, key: string, range: Range): void {
  const { from, to, scale, whole = false } = range;
  const [first, last] = wholeEnds(range);
  const isAllowed = scale !== 'logarithmic' || from > 0;
  if (from < to && isAllowed && (!whole || first <= last)) return;
  const expected = [
    '"from" below "to"',
    ...(scale === 'logarithmic' ? ['above 0'] : []),
    ...(whole ? ['a whole number between them'] : []),
  ];
  throw new TacetError(
    'config-invalid',
    `the plan: ${name}: '${key}' in "over": expected ${expected.join(' and ')}`,
  );
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

/**
 * Different combinations, the same for the same seed whatever else the plan holds; the first few of many are those of
 * few. Throws `config-invalid` where there are not so many.
 */
function drawnSettings({ name, over, draws, drawSeed = 1 }: PlannedDraws) {
  const random = new Random(drawSeed).fork(name);
  const found = new Map<string, Record<string, Setting>>();
  for (let tries = 0; found.size < draws && tries < 100 * draws; tries++) {
    const settings = Object.fromEntries(
      Object.entries(over).map(([key, from]) => [key, drawnFrom(from, random)]),
    );
    const key = JSON.stringify(settings);
    if (!found.has(key)) found.set(key, settings);
  }
  if (found.size === draws) return [...found.values()];
  throw new TacetError(
    'config-invalid',
    `the plan: ${name}: expected ${draws} different combinations in "over", found ${found.size}; ask for fewer draws, or give more values`,
  );
}

function drawnFrom(from: readonly Setting[] | Range, random: Random): Setting {
  if (isList(from)) return from[random.integer(from.length)] as Setting;
  const { whole = false } = from;
  if (!whole) return inFewDigits(numberIn(from, random), from);
  const [first, last] = wholeEnds(from);
  // Each whole number has what lies up to the next one.
  return Math.min(last, Math.floor(numberIn({ ...from, from: first, to: last + 1 }, random)));
}

/** In three digits, or in as many as it takes to stay between the ends. */
function inFewDigits(value: number, { from, to }: Range): number {
  for (let digits = 3; digits <= MOST_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (short >= from && short <= to) return short;
  }
  return value;
}

function numberIn({ from, to, scale = 'linear' }: Range, random: Random): number {
  const share = random.uniform();
  return scale === 'linear' ? from + share * (to - from) : from * (to / from) ** share;
}

function wholeEnds({ from, to }: Range): readonly [first: number, last: number] {
  return [Math.ceil(from), Math.floor(to)];
}

function isList(from: readonly Setting[] | Range): from is readonly Setting[] {
  return Array.isArray(from);
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
