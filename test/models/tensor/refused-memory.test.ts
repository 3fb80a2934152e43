import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/** Refuses the addon's aligned blocks over a megabyte on one kind of thread, and threads of C++ once asked to. */
const REFUSING = `
#include <cstdlib>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" void* aligned_alloc(size_t alignment, size_t size) {
  const char* refused = getenv("REFUSED");
  const bool main = syscall(SYS_gettid) == getpid();
  if (refused != nullptr && size > (1 << 20) && strcmp(refused, main ? "caller" : "worker") == 0) {
    errno = ENOMEM;
    return nullptr;
  }
  return memalign(alignment, size);
}

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* data) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  const char* refused = getenv("REFUSED");
  Dl_info caller;
  const bool found = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != nullptr;
  const bool isOfCpp = found && strstr(caller.dli_fname, "libstdc++") != nullptr;
  if (isOfCpp && refused != nullptr && strcmp(refused, "threads") == 0) return EAGAIN;
  return create(thread, attributes, run, data);
}
`;

const STEPS = 4000;
const LABELS = 100;
/** Losses of two short sequences on two threads, then of two long ones, then of the short ones again. */
const SCRIPT = (addon: string) => `
import { nativeFunction } from ${JSON.stringify(addon)};
nativeFunction('setThreadCount')(2);
const L = ${LABELS};
const loss = (steps) => {
  const [count, floats] = [2, (n) => new Float32Array(n)];
  const call = {
    ...{ emissions: floats(count * steps * L), transitions: floats(L * L), start: floats(L), end: floats(L) },
    ...{ lengths: Int32Array.of(steps, steps), steps, labels: L },
    ...{ truth: new Int32Array(count * steps), losses: floats(count) },
  };
  try {
    nativeFunction('crfLoss')(call);
    return call.losses.every((value) => Math.abs(value - steps * Math.log(L)) < 1e-2 * steps);
  } catch ({ code, message }) {
    return code + ': ' + message;
  }
};
const found = [loss(5)];
for (let i = 0; i < 20; i++) found.push(loss(${STEPS}));
found.push(loss(5), nativeFunction('threadCount')());
console.log(JSON.stringify(found));
`;

const compiles = (() => {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('c++', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

(compiles ? describe : describe.skip)('a loop of a kernel', () => {
  let root: string;
  let library: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'tacet-refused-'));
    library = join(root, 'refusing.so');
    writeFileSync(join(root, 'refusing.cc'), REFUSING);
    execFileSync('c++', ['-shared', '-fPIC', '-o', library, join(root, 'refusing.cc'), '-ldl']);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const outcome = (refused: string): unknown[] => {
    const addon = fileURLToPath(new URL('../../../models/tensor/addon.js', import.meta.url));
    const script = join(root, `${refused}.mjs`);
    writeFileSync(script, SCRIPT(addon));
    const env = { ...process.env, LD_PRELOAD: library, REFUSED: refused, TACET_THREADS: '2' };
    return JSON.parse(execFileSync(process.execPath, [script], { env, encoding: 'utf8' }));
  };

  test('to which nothing is refused is right', () => {
    expect(new Set(outcome('nothing'))).toEqual(new Set([true, 2]));
  });

  test.each(['caller', 'worker'])(
    'throws where there is no memory on the %s, and goes on',
    (refused) => {
      const [before, ...found] = outcome(refused);
      const [threads, after, ...long] = found.reverse();
      expect([before, after, threads]).toEqual([true, true, 2]);
      expect(long).toContainEqual(
        expect.stringMatching(/^memory-full: crfLoss: there is no memory/),
      );
      for (const each of long)
        expect([true, expect.stringMatching(/^memory-full/)]).toContainEqual(each);
    },
  );

  test('does all of the work itself where the system gives no thread', () => {
    expect(new Set(outcome('threads'))).toEqual(new Set([true, 2]));
  });
});
