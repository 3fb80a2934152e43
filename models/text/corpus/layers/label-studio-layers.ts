import {
  parseTasks,
  type Result,
  type ResultList,
  regionsAmong,
  type Task,
  taskOrigin,
  textKeyOf,
} from '../label-studio.js';
import { isMinItem, type MinItem } from '../label-studio-min.js';
import { agreeingCounting, checkedDocument } from '../raw-document.js';
import { type Fields, isName, Removals } from './closed-structure.js';
import { LabelStudioMinItem } from './label-studio-min-layers.js';
import { RegionPlaces } from './label-studio-regions.js';
import type { LayeredDocument, LayeredFile, LayerTreatment } from './layered-file.js';
import type { TextChange } from './text-change.js';

const LISTS = ['annotations', 'completions', 'predictions'] as const;
const LABELS = 'labels';

/** An export of Label Studio with whatever else its tasks hold. Throws `corpus-invalid`. */
export function labelStudioLayers(
  content: string,
  origin: string,
  treatment: LayerTreatment,
): LayeredFile {
  const removals = new Removals();
  const { tasks: given, isOne } = parseTasks(content, origin);
  const tasks = given.map((task, index) => {
    const Kind = isMinItem(task) ? LabelStudioMinItem : LabelStudioTask;
    return new Kind(task as Task & MinItem, taskOrigin(origin, index + 1), treatment, removals);
  });
  const formatted = () => tasks.map((task) => task.format());
  return {
    documents: tasks,
    get removed() {
      return removals.count;
    },
    format: () => (isOne ? `${formatted()}\n` : `[\n${formatted().join(',\n')}\n]\n`),
  };
}

class LabelStudioTask implements LayeredDocument {
  readonly text: string;
  readonly #key: string;
  readonly #results: readonly Result[];

  constructor(
    private task: Task,
    private readonly origin: string,
    private readonly treatment: LayerTreatment,
    private readonly removals: Removals,
  ) {
    this.#results = LISTS.flatMap((key) => task[key] ?? []).flatMap((list) =>
      typeof list === 'number' ? [] : list.result,
    );
    this.#key = textKeyOf(task, this.#results, origin);
    this.text = task.data[this.#key] as string;
    checkedDocument(this.#raw(), { overlaps: 'keep' });
  }

  change(change: TextChange): void {
    const counting = agreeingCounting(this.#raw());
    const places = new RegionPlaces(change, this.text, counting);
    const sample = this.#results.find(({ type }) => type === LABELS);
    const named = (name: string | undefined, otherwise: string) =>
      this.treatment === 'annotate' || isName(name) ? (name ?? otherwise) : otherwise;
    const names = {
      from_name: named(sample?.from_name, 'label'),
      to_name: named(sample?.to_name, 'text'),
    };
    const found = places
      .found()
      .map((value, index) => ({ id: `tacet-${index + 1}`, ...names, type: LABELS, value }));
    const prediction: ResultList & Fields = { model_version: 'tacet', result: found };
    const { task } = this;
    if (this.treatment === 'annotate') {
      this.task = { ...task, predictions: [...(task.predictions ?? []), prediction] };
      return;
    }
    const ids = new Map(this.#results.map(({ id }, index) => [id, `${index + 1}`]));
    const numbers = new Map(this.#results.map((result, index) => [result, `${index + 1}`]));
    const region = (result: Result): Result[] => {
      if (result.type === 'relation') return [this.#relation(result, ids)];
      if (result.type !== LABELS) {
        this.removals.count++;
        return [];
      }
      const value = places.moved((result.value ?? {}) as Fields, this.removals);
      // Regions that have no id, as predictions of models may, have none to share.
      const id = (result.id === undefined ? numbers.get(result) : ids.get(result.id)) as string;
      const fields = result as unknown as Fields;
      const kept = {
        ...this.removals.names(fields, ['from_name', 'to_name']),
        id,
        type: LABELS,
        value,
      };
      return [this.removals.keep(fields, kept) as unknown as Result];
    };
    const list = (given: ResultList | number): ResultList | number => {
      if (typeof given === 'number') return given;
      const fields = given as unknown as Fields;
      return this.removals.keep(fields, {
        ...this.removals.plain(fields, ['id', 'was_cancelled', 'ground_truth', 'lead_time']),
        result: given.result.flatMap(region),
      }) as unknown as ResultList;
    };
    const lists = LISTS.filter((key) => task[key] !== undefined).map((key) => [
      key,
      task[key]?.map(list),
    ]);
    const fields = task as unknown as Fields;
    const kept = {
      ...this.removals.plain(fields, ['id']),
      data: this.removals.keep(task.data, { [this.#key]: change.after }),
      ...(Object.fromEntries(lists) as Partial<Task>),
    };
    this.removals.keep(fields, kept);
    this.task = { ...kept, predictions: [...(kept.predictions ?? []), prediction] };
  }

  format(): string {
    return JSON.stringify(this.task);
  }

  #relation(result: Result, ids: ReadonlyMap<unknown, string>): Result {
    const fields = result as unknown as Fields;
    const labels = Array.isArray(fields.labels) ? { labels: fields.labels.filter(isName) } : {};
    return this.removals.keep(fields, {
      ...this.removals.names(fields, ['type', 'direction']),
      from_id: ids.get(fields.from_id),
      to_id: ids.get(fields.to_id),
      ...labels,
    }) as unknown as Result;
  }

  /** All regions of all lists, by which offsets are counted. */
  #raw() {
    const spans = regionsAmong(this.#results, this.origin);
    return { id: '', text: this.text, spans, origin: this.origin };
  }
}
