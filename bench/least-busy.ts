/** As `fall` and `rise` of `deploy/haproxy.cfg` have it, by and large. */
const OUT_MS = 2000;

interface Target<S> {
  readonly server: S;
  underWay: number;
  outUntil: number;
}

/** Sends each operation to the server with the fewest under way, as the load balancer of `deploy` does, and none to one that failed just before. */
export class LeastBusy<S> {
  readonly #targets: Target<S>[];

  constructor(servers: readonly S[]) {
    this.#targets = servers.map((server) => ({ server, underWay: 0, outUntil: 0 }));
  }

  async use<T>(work: (server: S) => Promise<T>): Promise<T> {
    const target = this.#next();
    target.underWay++;
    try {
      return await work(target.server);
    } catch (error) {
      target.outUntil = performance.now() + OUT_MS;
      throw error;
    } finally {
      target.underWay--;
    }
  }

  #next(): Target<S> {
    const now = performance.now();
    const found = this.#targets.filter(({ outUntil }) => outUntil <= now);
    const among = found.length > 0 ? found : this.#targets;
    return among.reduce((least, each) => (each.underWay < least.underWay ? each : least));
  }
}
