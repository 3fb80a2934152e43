import { groupedBy } from '../../../platform/grouped-by.js';
import type { Document } from '../document.js';

const NO_TEMPLATE = 'none';
const TEMPLATE_ID = /^template-(.+)-\d+$/s;
/** A record of i2b2 2014, as its file is named: `220-03` is the third of patient 220. */
const PATIENT_ID = /^(\d{3})-\d{2}$/;

/** The id of a document that a template made, one of a corpus by its number: `template-<template>-<number>`. */
export function templateDocumentId(template: number | string | null, number: number): string {
  return `template-${template ?? NO_TEMPLATE}-${number}`;
}

/**
 * What documents have in common that no split may part: the template that made them or the patient that they are of,
 * which their ids state, else the document itself, whose copies have its id.
 */
export function originOf({ id }: Pick<Document, 'id'>): string {
  const template = TEMPLATE_ID.exec(id)?.[1];
  if (template !== undefined) return template === NO_TEMPLATE ? id : `template-${template}`;
  const patient = PATIENT_ID.exec(id)?.[1];
  return patient === undefined ? id : `patient-${patient}`;
}

/** The documents of each origin, in the order in which origins first come. */
export function byOrigin<D extends Pick<Document, 'id'>>(documents: readonly D[]): D[][] {
  return [...groupedBy(documents, originOf).values()];
}
