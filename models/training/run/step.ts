export type Metrics = Record<string, number>;

export interface Step {
  readonly tokens: number;
  run(): Metrics;
}
