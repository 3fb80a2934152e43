import { TacetError } from '../../proto/errors.js';

/** Traces that are sent while it is open. */
export interface Tracing {
  close(): Promise<void>;
}

const OFF: Tracing = { close: async () => {} };
/** A server that ends waits as long for a collector that does not answer, unless the environment says otherwise. */
const TIMEOUT_MS = 2000;
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/**
 * Sends traces by OTLP over HTTP where the environment names an endpoint, in the variables of OpenTelemetry; otherwise
 * nothing is traced. Throws `config-invalid` where the optional packages are not installed.
 */
export async function startTracing(
  environment: NodeJS.ProcessEnv,
  service: string,
): Promise<Tracing> {
  if (!ENDPOINTS.some((name) => environment[name])) return OFF;
  const { NodeTracerProvider, BatchSpanProcessor, exporter, propagator, resource } = await packages(
    service,
    environment.OTEL_EXPORTER_OTLP_TIMEOUT !== undefined,
  );
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register({ propagator });
  return { close: () => provider.shutdown().catch(() => {}) };
}

async function packages(service: string, stated: boolean) {
  try {
    const [sdk, otlp, core, resources] = await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ]);
    return {
      ...sdk,
      exporter: new otlp.OTLPTraceExporter(stated ? {} : { timeoutMillis: TIMEOUT_MS }),
      propagator: new core.W3CTraceContextPropagator(),
      resource: resources.resourceFromAttributes({ 'service.name': service }),
    };
  } catch (cause) {
    throw new TacetError(
      'config-invalid',
      'an endpoint for traces is named, and the packages that send them are not installed; install ' +
        '@opentelemetry/sdk-trace-node and @opentelemetry/exporter-trace-otlp-http, or unset it',
      { cause },
    );
  }
}
