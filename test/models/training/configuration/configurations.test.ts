import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  TRAINING_DEFAULTS,
  trainingConfig,
} from '../../../../models/training/configuration/config.js';
import {
  CONFIG_SCHEMA,
  configurationKeys,
} from '../../../../models/training/configuration/config-schema.js';
import {
  configurationNames,
  namedConfiguration,
} from '../../../../models/training/configuration/configurations.js';
import { keyTable } from '../../../../services/cli/commands/train-describe.js';
import { readConfig } from '../../../../services/workflows/train/training-config.js';

const NEIGHBOURS = [1, 10, 20, 50, 100, 200, 500, 1000];

function parsed(name: string) {
  return namedConfiguration(name) ?? { kind: '' };
}

describe('the configurations', () => {
  test('cover the rows and curves of the paper', () => {
    const curves = NEIGHBOURS.flatMap((N) => [
      `pseudonymized-${N}`,
      `dann-${N}`,
      `adversarial-${N}`,
      `adversarial-${N}-d100`,
      `adversarial-${N}-d300`,
    ]);
    const rows = ['non-private', 'non-private-without-casing', ...curves];
    expect(configurationNames()).toEqual(expect.arrayContaining(rows));
  });

  test.each(configurationNames())('%s is valid, and is what its name says', (name) => {
    const { kind } = parsed(name);
    const config = trainingConfig(parsed(name), name);
    const isOfPaper = name.startsWith('friedrich-2019');
    const [, N] = /-(\d+)(?:-|$)/.exec(name.replace('-2019', '')) ?? [];
    if (N) expect(config.neighbours).toBe(Number(N));
    const [, d = 50] = /-d(\d+)$/.exec(name) ?? [];
    expect(config.representation.dimension).toBe(Number(d));
    const { casing = true } = kind === 'raw' ? config.deidentifier : config.representation;
    expect(casing).toBe(!isOfPaper && !name.endsWith('without-casing'));
    const onText = /^(non-private|sequence-to-sequence)/.test(name) && !name.endsWith('-pooled');
    const called = name.replace(/^sequence-to-sequence-/, '').replace(/^friedrich/, 'adversarial');
    expect(kind).toBe(onText ? 'raw' : called.split('-')[0]);
    expect(config.deidentifier.network).toBe(/^sequence-to-sequence/.exec(name)?.[0]);
  });

  test('are taken by name, and refused for another kind', async () => {
    const config = await readConfig('adversarial-500-d100', {}, 'adversarial');
    expect(config).toEqual({
      ...TRAINING_DEFAULTS,
      neighbours: 500,
      representation: { ...TRAINING_DEFAULTS.representation, dimension: 100 },
    });
    await expect(readConfig('adversarial-500', {}, 'dann')).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining("'tacet train adversarial'"),
    });
    await expect(readConfig('adversarial-501', {}, 'dann')).rejects.toMatchObject({
      code: 'file-not-found',
      message: expect.stringContaining('tacet train describe'),
    });
  });
});

describe('the keys of a configuration', () => {
  const keys = configurationKeys(TRAINING_DEFAULTS);

  test('all say what they do and where their default comes from', () => {
    for (const { description, source } of keys) {
      expect(description).toMatch(/^\S.{10,}/);
      expect(source).toMatch(/^\S+/);
    }
    const sections = Object.values(CONFIG_SCHEMA.properties);
    expect(keys.length).toBeGreaterThan(sections.length);
  });

  test('have a default each, but for those that may be left out', () => {
    const without = keys.filter(({ usual }) => usual === '').map(({ key }) => key);
    const characters = ['characters', 'characterDimension', 'characterUnits'];
    const sequenceToSequence = ['network', 'heads', 'feedForward', 'reach', 'phiWeight'];
    expect(without.sort()).toEqual(
      [
        ...['kind', 'representation.noise', 'representation.residual', 'deidentifier.casing'],
        ...['representation.form', 'representation.unitInputs', 'deidentifier.casingInClear'],
        ...sequenceToSequence.map((key) => `deidentifier.${key}`),
        ...['learner.optimiser', 'learner.warmupSteps'],
        ...characters.flatMap((key) => [`representation.${key}`, `deidentifier.${key}`]),
      ].sort(),
    );
  });

  test('stand in the documentation as tacet train describe prints them', () => {
    const documentation = readFileSync(
      new URL('../../../../../docs/training-configuration.md', import.meta.url),
      'utf8',
    );
    expect(documentation).toContain(keyTable(keys).join('\n'));
  });
});
