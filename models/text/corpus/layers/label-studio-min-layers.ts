import { minDocument } from '../label-studio.js';
import { type MinItem, minTextKey, regionKeysOf } from '../label-studio-min.js';
import { agreeingCounting, checkedDocument } from '../raw-document.js';
import { type Fields, isName, type Removals } from './closed-structure.js';
import { RegionPlaces } from './label-studio-regions.js';
import type { LayeredDocument, LayerTreatment } from './layered-file.js';
import type { TextChange } from './text-change.js';

/** An item of Label Studio's JSON_MIN, which has no predictions: what is found stands beside what was annotated. */
export class LabelStudioMinItem implements LayeredDocument {
  readonly text: string;

  constructor(
    private item: MinItem,
    private readonly origin: string,
    private readonly treatment: LayerTreatment,
    private readonly removals: Removals,
  ) {
    const raw = minDocument(item, '', origin);
    this.text = raw.text;
    checkedDocument(raw, { overlaps: 'keep' });
  }

  change(change: TextChange): void {
    const { item, removals } = this;
    const counting = agreeingCounting(minDocument(item, '', this.origin));
    const places = new RegionPlaces(change, this.text, counting);
    const [first, ...others] = regionKeysOf(item);
    const key = first ?? freeKey(item);
    const found = places.found();
    if (this.treatment === 'annotate') {
      if (found.length > 0 || first !== undefined)
        this.item = { ...item, [key]: [...((item[key] ?? []) as Fields[]), ...found] };
      return;
    }
    const moved = (name: string) =>
      (item[name] as Fields[]).map((region) => places.moved(region, removals));
    const kept = {
      ...removals.plain(item, ['id', 'annotator', 'annotation_id', 'lead_time']),
      [minTextKey(item, this.origin)]: change.after,
      ...Object.fromEntries(others.filter(isName).map((name) => [name, moved(name)])),
      [key]: [...(first === undefined ? [] : moved(first)), ...found],
    };
    this.item = removals.keep(item, kept);
  }

  format(): string {
    return JSON.stringify(this.item);
  }
}

/** A name for regions that the item has not, or has with nothing in it. */
function freeKey(item: MinItem): string {
  const names = ['label', 'labels', 'tacet'];
  const isFree = (name: string) =>
    item[name] === undefined || (Array.isArray(item[name]) && item[name].length === 0);
  return names.find(isFree) ?? 'tacet-labels';
}
