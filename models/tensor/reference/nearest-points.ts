/** Points that lie together, element by element, so that vector instructions take so many at once. */
export const POINTS_TOGETHER = 16;

/**
 * queries [n, width], points [m / 16, width, 16]; squaredDistances and places [n]: of each query's nearest point, of
 * several the first. A query that is at no finite distance from any has an infinite distance and place -1.
 */
export interface NearestPoints {
  readonly queries: Float32Array;
  readonly points: Float32Array;
  readonly width: number;
  readonly squaredDistances: Float32Array;
  readonly places: Int32Array;
}

/** Where an element of a point lies in `points`. */
export function placeOfElement(point: number, element: number, width: number): number {
  const group = Math.floor(point / POINTS_TOGETHER);
  return (group * width + element) * POINTS_TOGETHER + (point % POINTS_TOGETHER);
}

export function nearestPoints(call: NearestPoints): void {
  const { queries, points, width, squaredDistances, places } = call;
  squaredDistances.fill(Number.POSITIVE_INFINITY);
  places.fill(-1);
  for (let q = 0; q < places.length; q++) {
    for (let point = 0; point < points.length / width; point++) {
      let sum = 0;
      for (let j = 0; j < width; j++)
        sum +=
          ((points[placeOfElement(point, j, width)] as number) -
            (queries[q * width + j] as number)) **
          2;
      if (!(sum < (squaredDistances[q] as number))) continue;
      squaredDistances[q] = sum;
      places[q] = point;
    }
  }
}
