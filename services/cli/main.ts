#!/usr/bin/env node
import { createProgram } from './program.js';
import { endOnFailure, endUnlessHeard, run } from './run.js';

// What commands write is of notes, or of keys, tokens and weights that learned from them: its owner's alone.
process.umask(process.umask() | 0o077);
// What is said there can be missed; work of days does not end because nobody reads it, or its disk is full.
process.stderr.on('error', () => {});
endOnFailure(process);
endUnlessHeard(process.stdout, process.argv);
process.exitCode = await run(createProgram, process.argv);
