import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Attributes, Context as TraceContext, Span, SpanKind } from '@opentelemetry/api'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { errorName } from './error-labels.ts'
import type { Stoppable } from './stoppable.ts'

/** The API's proxy tracer: it also works when obtained before tracing starts. */
const tracer = trace.getTracer('callgate')

/** Exports spans to the OTLP collector. Without `tracesUrl` nothing is loaded or recorded. */
export async function startTracing(
  { tracesUrl, release }: Pick<Config, 'tracesUrl' | 'release'>,
  service: string,
  log: Logger,
): Promise<Stoppable> {
  if (tracesUrl === null) return { stop: () => Promise.resolve() }
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks')
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `callgate-${service}`,
      ...(release !== null && { 'service.version': release }),
    }),
    // Spans that the collector does not accept are dropped; an export never blocks.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: tracesUrl }) })],
  })
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  return {
    // An unreachable collector does not block shutdown; lost spans are logged.
    stop: () =>
      provider
        .shutdown()
        .catch((error: unknown) => log.warn({ reason: errorName(error) }, 'the last spans were not sent')),
  }
}

export interface Traced {
  readonly kind?: SpanKind
  /** Apps, endpoints, ids and outcomes only: no content and no secrets. */
  readonly attributes?: Attributes
  /** Traceparent of the parent span; default: the active span. */
  readonly parent?: unknown
}

/** Runs `work` in a span; a thrown error is recorded by name, without its message. */
export async function traced<T>(name: string, of: Traced, work: (span: Span) => Promise<T>): Promise<T> {
  const { kind, attributes, parent } = of
  const around = parent === undefined ? context.active() : within(parent)
  const options = { ...(kind !== undefined && { kind }), ...(attributes && { attributes }) }
  return tracer.startActiveSpan(name, options, around, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: errorName(error) })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Records a finished span; `from` and `to` in ms since the epoch. */
export function tracePast(
  name: string,
  of: Required<Pick<Traced, 'parent' | 'attributes'>>,
  from: number,
  to: number,
): void {
  const options = { attributes: of.attributes, startTime: from }
  tracer.startSpan(name, options, within(of.parent)).end(to)
}

/** W3C traceparent with which another process continues this trace; undefined: not recording. */
export function traceparent(): string | undefined {
  const carrier: Record<string, string> = {}
  if (trace.getActiveSpan()?.isRecording() === true) propagation.inject(context.active(), carrier, defaultTextMapSetter)
  return carrier['traceparent']
}

/** An invalid or missing traceparent starts a new trace. */
function within(parent: unknown): TraceContext {
  return propagation.extract(
    ROOT_CONTEXT,
    { traceparent: typeof parent === 'string' ? parent : '' },
    defaultTextMapGetter,
  )
}
