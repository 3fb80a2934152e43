import { Type } from 'typebox';
import { TacetError } from '../proto/errors.js';
import { NATURAL } from '../proto/schemas.js';
import { closedObject, mapOf, ofType, type TypeOf } from '../proto/typed-schema.js';
import { validator } from '../proto/validator.js';

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

/** What `tacet experiment` trains, in this order. */
const PLAN = closedObject(
  {
    runs: Type.Optional(Type.Array(PLANNED_GROUP)),
    grid: Type.Optional(Type.Array(PLANNED_GRID)),
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
