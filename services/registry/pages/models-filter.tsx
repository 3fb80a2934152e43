import type { VNode } from 'preact';
import type { ModelFilter } from '../../../pool-store/models/model-search.js';
import { PUBLICATION_STATUSES } from '../../../proto/publication.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, oneOf, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import { PAGE_NUMBER } from '../../http/pages/paging.js';
import { PLACES } from './places.js';

const LONGEST = 100;
const KINDS = ['representation', 'pipeline'] as const;

const QUERY = closedObject({
  search: Type.Optional(Type.String({ maxLength: LONGEST })),
  status: Type.Optional(oneOf(['', ...PUBLICATION_STATUSES])),
  kind: Type.Optional(oneOf(['', ...KINDS])),
  language: Type.Optional(Type.String({ maxLength: LONGEST })),
  page: PAGE_NUMBER,
});
/** The query of the list of models; what is empty asks for all. */
export type ModelsQuery = TypeOf<typeof QUERY>;
export const modelsQuery = validator(QUERY, 'request-invalid', 'the query');

export function filterOf({ search, status, kind, language }: ModelsQuery): ModelFilter {
  return {
    search,
    status: status || undefined,
    kind: kind || undefined,
    language: language || undefined,
  };
}

interface ModelsFilterProps {
  readonly query: ModelsQuery;
  /** That manifests state. */
  readonly languages: readonly string[];
}

/** A form that narrows the list of models. */
export function ModelsFilter({ query, languages }: ModelsFilterProps): VNode {
  const { search = '', status, kind, language } = query;
  return (
    <form method="get" action={PLACES.models}>
      <div class="fields">
        <label>
          Name
          <input name="search" value={search} maxLength={LONGEST} type="search" />
        </label>
        <Choice label="Status" name="status" options={PUBLICATION_STATUSES} value={status} />
        <Choice label="Kind" name="kind" options={KINDS} value={kind} />
        <Choice label="Language" name="language" options={languages} value={language} />
      </div>
      <div class="actions">
        <button type="submit">Search</button>
        {(search || status || kind || language) && <a href={PLACES.models}>Show all</a>}
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly options: readonly string[];
  readonly value?: string | undefined;
}

function Choice({ label, name: field, options, value }: ChoiceProps): VNode {
  return (
    <label>
      {label}
      <select name={field}>
        <option value="">any</option>
        {options.map((option) => (
          <option value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}
