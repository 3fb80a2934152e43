/** A duration for people, rounded up: `41 s`, `12 min`, `3.5 h`. */
export function durationText(seconds: number): string {
  if (seconds <= 99) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 99 ? `${minutes} min` : `${(seconds / 3600).toFixed(1)} h`;
}
