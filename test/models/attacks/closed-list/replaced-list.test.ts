import { beforeAll, describe, expect, test } from '@jest/globals';
import { conduct } from '../../../../models/attacks/attack.js';
import { rawEmbeddings } from '../../../../models/attacks/baseline-views.js';
import { replacedList } from '../../../../models/attacks/closed-list/replaced-list.js';
import type { ReplacedEntity } from '../../../../models/attacks/replaced-entity.js';
import { beatsChance } from '../../../../models/attacks/report/guessing.js';
import type { AuditTarget } from '../../../../models/attacks/target.js';
import { spansOf } from '../../../../models/certification/entity.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import type { TextExample } from '../../../../models/training/data/examples.js';
import { toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const NAMES = ['berta', 'carla', 'david', 'emil', 'frida', 'gustav'];
const attack = replacedList({ trials: 200, longest: 6, draws: 1 });

type Surrogate = (original: number, random: Random) => number;

/** Notes with a surrogate for each word of a name. Berta is twice as likely as the others to be an original. */
function replaced(target: AuditTarget, surrogateOf: Surrogate): AuditTarget {
  const random = new Random(9);
  const names = [...NAMES, 'berta'].map((name) => target.vocabulary.idOf(name));
  const originals = new Map<TextExample, ReplacedEntity[]>();
  const encoded = (examples: readonly TextExample[]) =>
    examples.map((example) => {
      const ids = example.ids.slice();
      const spans = spansOf(example.labels).map(({ start, end }) => {
        const own = Array.from(ids.slice(start, end), () => names[random.integer(names.length)]);
        own.forEach((id, i) => {
          ids[start + i] = surrogateOf(id, random);
        });
        return { start, end, type: 'NAME', ids: own };
      });
      const now = { ...example, ids };
      originals.set(now, spans);
      return now;
    });
  const [train, validation, test] = [target.train, target.validation, target.test].map(encoded);
  return { ...target, train, validation, test, replaced: originals };
}

async function attacked(surrogateOf: (target: AuditTarget) => Surrogate) {
  const plain = await toyTarget({ view: rawEmbeddings, sentences: [120, 30, 240] });
  const target = replaced(plain, surrogateOf(plain));
  const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
  const [report] = await conduct(attack, target, context);
  return report;
}

/** Likelier to draw berta than another name, as an inventory of the same people would be. */
const independent = ({ vocabulary }: AuditTarget): Surrogate => {
  const names = [...NAMES, 'berta', 'berta', 'berta'].map((name) => vocabulary.idOf(name));
  return (_, random) => names[random.integer(names.length)];
};

describe('naming the entity that another one was encoded for', () => {
  test('is at chance where surrogates are independent, though the vectors hide nothing', async () => {
    const report = await attacked(independent);
    expect(beatsChance(report, { comparisons: 1 })).toBe(false);
    expect(report.gain.interval[0]).toBeLessThanOrEqual(0);
    expect(report.gain.interval[1]).toBeGreaterThanOrEqual(0);
    expect(report.trials).toBeGreaterThan(100);
  });

  test('finds a surrogate that follows from what it stands for', async () => {
    const report = await attacked((target) => {
      const otherwise = independent(target);
      return (original, random) =>
        random.uniform() < 0.5 ? original : otherwise(original, random);
    });
    expect(beatsChance(report, { comparisons: 1 })).toBe(true);
    expect(report.gain.value).toBeGreaterThan(0.2);
  });

  test('gives the same report for the same seed', async () => {
    expect(await attacked(independent)).toEqual(await attacked(independent));
  });

  test('is not tried where entities were kept', async () => {
    expect(attack.obstacle?.(await toyTarget())).toContain('nothing was replaced');
  });
});
