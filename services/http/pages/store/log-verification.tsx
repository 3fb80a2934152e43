import type { VNode } from 'preact';
import { Command } from '../../../../platform/pages/command.js';
import type { LogHead } from '../../../../proto/log-head.js';

/** Has the browser recompute the chain; without scripts it says how to do so by command. */
export function LogVerification({ head }: { readonly head: LogHead }): VNode {
  return (
    <>
      <h2>Is it one chain?</h2>
      <form id="verification" data-sequence={head.sequence} data-hash={head.hash} hidden>
        <p>
          Your browser can read all entries and compute each hash itself, without taking the
          server's word.
        </p>
        <label for="kept-head">A head that you kept, if you did</label>
        <textarea
          id="kept-head"
          name="head"
          rows={3}
          spellcheck={false}
          autocomplete="off"
          aria-describedby="about-head"
        />
        <p class="hint" id="about-head">
          A hash, or a number and a hash, or the whole of a signed head as JSON.
        </p>
        <div class="actions">
          <button type="submit">Verify all entries</button>
        </div>
        <div role="status" id="verification-result" />
      </form>
      <p>
        By command, also with the signature of the head, and kept for the next time to be compared:
      </p>
      <Command>tacet log fetch --server URL --out log.jsonl --token-file auditor.token</Command>
      <Command>tacet log verify log.jsonl --key log-key/public.pem</Command>
    </>
  );
}
