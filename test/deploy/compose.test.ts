import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SERVE_SETTINGS, variableOf } from '../../services/cli/serve-settings.js';
import { createWorld, serve } from '../services/world.js';
import { ROOT } from '../shared-data.js';
import { testWithProgram } from './installed.js';
import { DEPLOY, documentsOf } from './yaml.js';

const COMPOSE = ['compose.yaml', 'compose.replicas.yaml'];
const KUBERNETES = ['kubernetes/small.yaml', 'kubernetes/replicas.yaml'];
const IMAGE = JSON.parse(readFileSync(join(DEPLOY, 'image.json'), 'utf8'));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** What whoever starts three replicas has to give. */
const GIVEN = {
  POSTGRES_PASSWORD: 'word',
  TACET_SERVE_BLOBS: 's3://bucket/prefix?endpoint=http://127.0.0.1:9',
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly runAsUser: number; readonly fsGroup: number };
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}
interface Container {
  readonly image: string;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: string[] } } };
  readonly env?: readonly { readonly name: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}
interface StatefulSet {
  readonly kind: string;
  readonly spec: {
    readonly template: { readonly spec: Pod };
    readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
  };
}

function podOf(file: string): Pod {
  const set = documentsOf<StatefulSet>(file).find(({ kind }) => kind === 'StatefulSet');
  if (!set) throw new Error(`${file} has no StatefulSet`);
  return set.spec.template.spec;
}

test.each([...COMPOSE, ...KUBERNETES])('%s sets nothing that a server does not know', (file) => {
  const known = Object.keys(SERVE_SETTINGS).map(variableOf);
  const text = readFileSync(join(DEPLOY, file), 'utf8');
  const used = [...text.matchAll(/\bTACET_SERVE_\w+/g)].map(([name]) => name);
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(COMPOSE)('%s runs the image of this version', (file) => {
  const text = readFileSync(join(DEPLOY, file), 'utf8');
  expect(text).toContain(`image: ${IMAGE.name}:\${TACET_VERSION:-${version}}`);
});

test.each(COMPOSE)('%s leaves no core file on a volume, which would hold tokens', (file) => {
  const text = readFileSync(join(DEPLOY, file), 'utf8');
  expect(text).toMatch(/\bulimits: \{[^}]*\bcore: 0\b/);
});

test("the address that replicas trust is the balancer's, and no other container is given it", () => {
  const text = readFileSync(join(DEPLOY, 'compose.replicas.yaml'), 'utf8');
  const last = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const trusted = last(/TACET_SERVE_TRUSTED_PROXIES: 10\.89\.43\.(\d+)/);
  expect(last(/ipv4_address: 10\.89\.43\.(\d+)/)).toBe(trusted);
  expect(trusted).toBeLessThan(last(/ip_range: 10\.89\.43\.(\d+)\/25/));
});

test.each(KUBERNETES)(
  '%s runs the image as its user, who may write where it must alone',
  (file) => {
    const { securityContext, initContainers = [], containers } = podOf(file);
    expect(securityContext.runAsUser).toBe(IMAGE.user.id);
    expect(securityContext.fsGroup).toBe(IMAGE.user.id);
    for (const { image, securityContext: confined } of [...initContainers, ...containers]) {
      expect(image).toBe(`${IMAGE.name}:${version}`);
      expect(confined).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    expect(containers[0]?.volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' });
  },
);

test.each(KUBERNETES)(
  '%s keeps the ports open while the Service still sends, and leaves time to end',
  async (file) => {
    const { containers, terminationGracePeriodSeconds } = podOf(file);
    const [program, flag = '', script = ''] = containers[0]?.lifecycle?.preStop.exec.command ?? [];
    expect(program).toBe('node');
    const milliseconds = Number(/\b\d+\b/.exec(script)?.[0]);
    expect(milliseconds).toBeGreaterThan(0);
    expect(milliseconds / 1000 + 30).toBeLessThan(terminationGracePeriodSeconds);
    const waiting = spawn(process.execPath, [flag, script.replace(`${milliseconds}`, '1')]);
    expect(await once(waiting, 'exit')).toEqual([0, null]);
  },
);

test.each(COMPOSE)('%s asks a server for its health, and tells when it has none', async (file) => {
  const text = readFileSync(join(DEPLOY, file), 'utf8');
  const [, check = ''] = /test: \[CMD, node, -e, "(fetch.*?)"\]/.exec(text) ?? [];
  expect(check).not.toMatch(/^$|\s/);
  const world = await createWorld();
  const servers = await serve(world);
  const { port } = new URL(servers.addresses.pool ?? '');
  const ask = () =>
    new Promise((resolve) => {
      spawn(process.execPath, ['-e', check.replace('7421', port)]).once('exit', resolve);
    });
  expect(await ask()).toBe(0);
  await servers.close();
  expect(await ask()).toBe(1);
  world.remove();
});

testWithProgram('docker-compose takes both files', 'docker-compose', () => {
  for (const file of COMPOSE)
    execFileSync('docker-compose', ['--file', file, 'config', '--quiet'], {
      cwd: DEPLOY,
      env: { ...process.env, ...GIVEN },
      stdio: 'pipe',
    });
});

testWithProgram('the large size asks for what it was not given', 'docker-compose', () => {
  const { POSTGRES_PASSWORD: _, ...rest } = GIVEN;
  expect(() =>
    execFileSync('docker-compose', ['--file', 'compose.replicas.yaml', 'config', '--quiet'], {
      cwd: DEPLOY,
      env: { PATH: process.env.PATH, ...rest },
      stdio: 'pipe',
    }),
  ).toThrow(/POSTGRES_PASSWORD/);
});
