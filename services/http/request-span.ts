import { context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { Request, Response } from 'express';

/** What the log of a request says, and a span with it. */
export interface Ended {
  readonly route: string;
  readonly status: number;
  readonly code: string | undefined;
}

/** A request while it is worked on, for who traces: nothing is made where nobody does. */
export interface RequestSpan {
  /** Runs what belongs to the request. */
  run(work: () => void): void;
  end(ended: Ended): void;
}

/**
 * A span by OpenTelemetry's conventions for HTTP servers, beneath the caller's (W3C Trace Context). It holds the
 * method, the route as declared, the status, the stable code and, unless `hidesSizes`, sizes: no path, no query, no header, no
 * address, and of what the caller sends beside `traceparent` nothing, for it could say anything.
 *
 * Source: https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export function spanOf(request: Request, response: Response, hidesSizes = false): RequestSpan {
  const { traceparent } = request.headers;
  const parent = propagation.extract(
    ROOT_CONTEXT,
    traceparent === undefined ? {} : { traceparent },
  );
  const { method } = request;
  const span = trace.getTracer('tacet').startSpan(method, { kind: SpanKind.SERVER }, parent);
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: ({ route, status, code }) => {
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        ...(!hidesSizes && sizesOf(request, response)),
        ...(code !== undefined && { 'error.type': code }),
      });
      span.end();
    },
  };
}

function sizesOf(request: Request, response: Response): Record<string, number> {
  return {
    ...sizeOf('http.request.body.size', request.headers['content-length']),
    ...sizeOf('http.response.body.size', response.get('Content-Length')),
  };
}

function sizeOf(name: string, length: string | undefined): Record<string, number> {
  return /^\d{1,15}$/.test(length ?? '') ? { [name]: Number(length) } : {};
}
