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

/** Of this process, whoever asks: a tracer that was got before tracing began knows of it, too. */
const tracer = trace.getTracer('callgate')

/** Sends what this process does, as spans, to the collector that the configuration names; without one nothing is loaded, kept or sent. */
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
    // Away, full or slow: what it does not take is dropped, and holds up nobody.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: tracesUrl }) })],
  })
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  return {
    // A collector that is away holds up nobody who stops; what it did not get is lost, and said.
    stop: () =>
      provider
        .shutdown()
        .catch((error: unknown) => log.warn({ reason: errorName(error) }, 'the last spans were not sent')),
  }
}

export interface Traced {
  readonly kind?: SpanKind
  /** Apps, endpoints, ids and outcomes: nothing that was said, and nothing secret. */
  readonly attributes?: Attributes
  /** The traceparent of what it belongs to; else that is whatever is traced around it. */
  readonly parent?: unknown
}

/** Runs `work` as a span; an error is named, never quoted. */
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

/** Something that is over, from and to a moment in ms since the epoch. */
export function tracePast(
  name: string,
  of: Required<Pick<Traced, 'parent' | 'attributes'>>,
  from: number,
  to: number,
): void {
  const options = { attributes: of.attributes, startTime: from }
  tracer.startSpan(name, options, within(of.parent)).end(to)
}

/** What another process continues this trace by; undefined: nothing is traced here. */
export function traceparent(): string | undefined {
  const carrier: Record<string, string> = {}
  if (trace.getActiveSpan()?.isRecording() === true) propagation.inject(context.active(), carrier, defaultTextMapSetter)
  return carrier['traceparent']
}

/** Anything that is no traceparent begins a trace of its own. */
function within(parent: unknown): TraceContext {
  return propagation.extract(
    ROOT_CONTEXT,
    { traceparent: typeof parent === 'string' ? parent : '' },
    defaultTextMapGetter,
  )
}
