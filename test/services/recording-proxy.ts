import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endAfterTests } from './left-over.js';

/** A TCP proxy on loopback that keeps every byte which passes, each way. */
export interface RecordingProxy {
  readonly url: string;
  readonly sent: Buffer;
  readonly received: Buffer;
  /** Breaks the connection whose request holds `text`, this once: before it goes on, or its answer. */
  breakAt(text: string, when: 'request' | 'answer'): void;
  /** Breaks the next connection once this many bytes came back through it. */
  cutAnswersAfter(bytes: number): void;
  close(): Promise<void>;
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const { hostname, port } = new URL(target);
  const chunks: Record<'sent' | 'received', Buffer[]> = { sent: [], received: [] };
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let fault: { text: string; when: 'request' | 'answer' } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const both = [client, upstream];
    let doomed = false;
    const end = () => {
      for (const socket of both) socket.destroy();
    };
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (chunk) => {
      chunks.sent.push(chunk);
      const { text, when } = fault ?? { text: undefined, when: undefined };
      if (text !== undefined && chunk.includes(text)) {
        fault = undefined;
        if (when === 'request') return end();
        doomed = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      chunks.received.push(chunk);
      left -= chunk.length;
      if (left < 0) {
        client.write(chunk.subarray(0, left));
        left = Number.POSITIVE_INFINITY;
        client.end(() => end());
      } else if (doomed) end();
      else client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closed = once(server, 'close');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await closed;
  };
  endAfterTests(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sent() {
      return Buffer.concat(chunks.sent);
    },
    get received() {
      return Buffer.concat(chunks.received);
    },
    breakAt: (text, when) => {
      fault = { text, when };
    },
    cutAnswersAfter: (bytes) => {
      left = bytes;
    },
    close,
  };
}
