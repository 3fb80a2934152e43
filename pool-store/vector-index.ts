import hnswlib from 'hnswlib-node';

type Graph = InstanceType<typeof hnswlib.HierarchicalNSW>;

/** Links of a point, and how wide the search is: Malkov and Yashunin 2018, section 4. */
const LINKS = 12;
const BREADTH = 60;
const SEED = 100;
const FIRST_POINTS = 1024;

export interface Neighbour {
  readonly segment: string;
  readonly squaredDistance: number;
}

/** Points of the newest segments, and the nearest of them to another point. */
export class VectorIndex {
  readonly #graph: Graph;
  /** In the order in which they came. */
  readonly #labels = new Map<string, number[]>();
  readonly #segments = new Map<number, string>();
  #capacity = FIRST_POINTS;
  #next = 0;

  /** The points of at most `mostSegments` are kept; then the oldest give way. */
  constructor(
    readonly dimension: number,
    readonly mostSegments: number,
  ) {
    this.#graph = new hnswlib.HierarchicalNSW('l2', dimension);
    this.#graph.initIndex(FIRST_POINTS, LINKS, BREADTH, SEED, true);
    this.#graph.setEf(BREADTH);
  }

  holds(segment: string): boolean {
    return this.#labels.has(segment);
  }

  add(segment: string, points: readonly (readonly number[])[]): void {
    const [oldest] = this.#labels.keys();
    if (oldest !== undefined && this.#labels.size >= this.mostSegments) this.remove(oldest);
    const labels = points.map((point) => {
      if (this.#segments.size >= this.#capacity) this.#grow();
      const label = this.#next++;
      this.#graph.addPoint([...point], label, true);
      this.#segments.set(label, segment);
      return label;
    });
    this.#labels.set(segment, labels);
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#graph.resizeIndex(this.#capacity);
  }

  remove(segment: string): void {
    for (const label of this.#labels.get(segment) ?? []) {
      this.#graph.markDelete(label);
      this.#segments.delete(label);
    }
    this.#labels.delete(segment);
  }

  nearest(point: readonly number[]): Neighbour | undefined {
    if (this.#segments.size === 0) return undefined;
    const { distances, neighbors } = this.#graph.searchKnn([...point], 1);
    const segment = this.#segments.get(neighbors[0] ?? -1);
    return segment === undefined ? undefined : { segment, squaredDistance: distances[0] as number };
  }
}
