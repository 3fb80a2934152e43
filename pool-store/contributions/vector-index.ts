import { hasAddon, nativeFunction } from '../../models/tensor/addon.js';
import {
  nearestPoints,
  POINTS_TOGETHER,
  placeOfElement,
} from '../../models/tensor/reference/nearest-points.js';

export interface Neighbour {
  readonly segment: string;
  readonly squaredDistance: number;
}

/**
 * Points of the newest segments, and the nearest of them to others: exactly, for all are looked at. To add and to remove
 * one costs no more than its numbers, and the numbers of one that was removed are overwritten.
 */
export class VectorIndex {
  /** [capacity / 16, dimension, 16]; infinite where no point is. */
  #points: Float32Array;
  /** The segment of each point, in the order of their places. */
  readonly #owners: string[] = [];
  /** How many points each segment has, in the order in which they came. */
  readonly #counts = new Map<string, number>();

  /** The points of at most `mostSegments` are kept; then the oldest give way. */
  constructor(
    readonly dimension: number,
    readonly mostSegments: number,
  ) {
    this.#points = emptyRoom(POINTS_TOGETHER * dimension);
  }

  holds(segment: string): boolean {
    return this.#counts.has(segment);
  }

  add(segment: string, points: readonly Float32Array[]): void {
    const [oldest] = this.#counts.keys();
    if (oldest !== undefined && this.#counts.size >= this.mostSegments) this.remove(oldest);
    for (const point of points) {
      const place = this.#owners.push(segment) - 1;
      if (place * this.dimension >= this.#points.length) this.#grow();
      const points = this.#points;
      const first = placeOfElement(place, 0, this.dimension);
      for (let j = 0; j < this.dimension; j++)
        points[first + j * POINTS_TOGETHER] = point[j] as number;
    }
    this.#counts.set(segment, points.length);
  }

  remove(segment: string): void {
    let left = this.#counts.get(segment) ?? 0;
    this.#counts.delete(segment);
    for (let place = this.#owners.length - 1; left > 0; place--) {
      if (this.#owners[place] !== segment) continue;
      this.#moveLastTo(place);
      left--;
    }
  }

  /** Of each point, [n, dimension] in a row; undefined where there is none. */
  nearest(points: readonly Float32Array[]): (Neighbour | undefined)[] {
    const { dimension: width } = this;
    const queries = new Float32Array(points.length * width);
    for (const [i, point] of points.entries()) queries.set(point, i * width);
    const squaredDistances = new Float32Array(points.length);
    const places = new Int32Array(points.length);
    const groups = Math.ceil(this.#owners.length / POINTS_TOGETHER);
    const held = this.#points.subarray(0, groups * POINTS_TOGETHER * width);
    const find = hasAddon() ? nativeFunction('nearestPoints') : nearestPoints;
    find({ queries, points: held, width, squaredDistances, places });
    return points.map((_, i) => {
      const segment = this.#owners[places[i] as number];
      return segment === undefined
        ? undefined
        : { segment, squaredDistance: squaredDistances[i] as number };
    });
  }

  /** The place of the last point is empty then. */
  #moveLastTo(place: number): void {
    const points = this.#points;
    const last = this.#owners.length - 1;
    const [to, from] = [place, last].map((each) => placeOfElement(each, 0, this.dimension));
    for (let j = 0; j < this.dimension * POINTS_TOGETHER; j += POINTS_TOGETHER) {
      points[(to as number) + j] = points[(from as number) + j] as number;
      points[(from as number) + j] = Number.POSITIVE_INFINITY;
    }
    this.#owners[place] = this.#owners[last] as string;
    this.#owners.pop();
  }

  #grow(): void {
    const grown = emptyRoom(2 * this.#points.length);
    grown.set(this.#points);
    this.#points = grown;
  }
}

function emptyRoom(length: number): Float32Array {
  return new Float32Array(length).fill(Number.POSITIVE_INFINITY);
}
