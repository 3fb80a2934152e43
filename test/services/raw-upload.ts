import { sha256 } from './world.js';

/** An upload by single requests of tus 1.0, without a client's patience: what a server answers is seen. */
export class RawUpload {
  private constructor(
    readonly token: string,
    readonly segment: Uint8Array,
    /** Without a host: a server that was restarted knows it at its new address too. */
    readonly path: string,
  ) {}

  static async begin(url: string, token: string, segment: Uint8Array): Promise<RawUpload> {
    const answer = await fetch(`${url}/v1/uploads`, {
      method: 'POST',
      headers: {
        ...headersOf(token),
        'Upload-Length': String(segment.length),
        'Upload-Metadata': `digest ${base64(sha256(segment))},kind ${base64('segment')}`,
      },
    });
    if (!answer.ok) throw await refusal('the creation of an upload', answer);
    return new RawUpload(token, segment, answer.headers.get('location') ?? '');
  }

  /** How much the server has, or undefined where it knows the upload no more. */
  async offset(url: string): Promise<number | undefined> {
    const headers = headersOf(this.token);
    const answer = await fetch(url + this.path, { method: 'HEAD', headers });
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw await refusal('a question for an upload', answer);
    return Number(answer.headers.get('upload-offset'));
  }

  async send(url: string, start: number, stop: number): Promise<void> {
    const answer = await fetch(url + this.path, {
      method: 'PATCH',
      headers: {
        ...headersOf(this.token),
        'Upload-Offset': String(start),
        'Content-Type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(this.segment.subarray(start, stop)),
    });
    if (!answer.ok) throw await refusal('an upload', answer);
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const headersOf = (token: string) => ({
  Authorization: `Bearer ${token}`,
  'Tus-Resumable': '1.0.0',
});

async function refusal(what: string, answer: Response): Promise<Error> {
  return new Error(`${what} was answered ${answer.status}: ${await answer.text()}`);
}
