import { copyStore } from '../../pool-store/copies/copy-store.js';
import { Store } from '../../pool-store/store.js';
import type { KilledCopy } from './copy-places.js';

/** A copy whose process is killed once it is so far; run by the tests of copies. */
const { from, catalog, to, step, done }: KilledCopy = JSON.parse(process.argv[2] ?? '');
await copyStore(await Store.open(from, { catalog }), to, {
  onBlob: (at, count) => {
    if (at === step && count === done) process.kill(process.pid, 'SIGKILL');
  },
});
