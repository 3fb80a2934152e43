import type { Piece } from './note.js';
import type { Scene } from './scene.js';

/** What may stand in a place of a sentence skeleton. */
export type Slot = (scene: Scene) => readonly Piece[];
export type SlotTable = Readonly<Record<string, Slot>>;
