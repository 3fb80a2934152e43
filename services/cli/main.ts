#!/usr/bin/env node
import { createProgram } from './program.js';
import { run } from './run.js';

process.exitCode = await run(createProgram, process.argv);
