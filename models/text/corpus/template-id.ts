import type { Document } from '../document.js';

const NO_TEMPLATE = 'none';
const TEMPLATE_ID = /^template-(.+)-\d+$/s;

/** The id of a document that a template made, one of a corpus by its number: `template-<template>-<number>`. */
export function templateDocumentId(template: number | string | null, number: number): string {
  return `template-${template ?? NO_TEMPLATE}-${number}`;
}

/**
 * What documents have in common that no split may part: the template that made them, which its id states,
 * else the document itself, whose copies have its id.
 */
export function originOf({ id }: Pick<Document, 'id'>): string {
  const template = TEMPLATE_ID.exec(id)?.[1];
  return template === undefined || template === NO_TEMPLATE ? id : `template-${template}`;
}
