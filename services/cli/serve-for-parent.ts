/** `tacet serve` for a demo: it ends with the process that started it, however that one ends. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
await import('./main.js');
