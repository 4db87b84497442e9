import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type Koa from 'koa'
import { traced } from '../../core/tracing.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { requestId } from '../../core/http/api.ts'

/** One log line and one measurement per request, without query, body, headers or address. */
export function observe(api: Api): Koa.Middleware {
  return async (http, next) => {
    const began = performance.now()
    const method = methodOf(http)
    const from = {
      kind: SpanKind.SERVER,
      parent: http.get('traceparent'),
      attributes: { 'http.request.method': method },
    }
    await traced(method, from, async (span) => {
      await next()
      span.updateName(`${method} ${routeOf(http)}`)
      span.setAttributes({ 'http.route': routeOf(http), 'http.response.status_code': http.status })
      span.setAttribute('callgate.request', requestId(http))
      if (http.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    })
    const seconds = (performance.now() - began) / 1000
    const labels = { route: routeOf(http), method, status: String(http.status) }
    api.metrics.requests.observe(labels, seconds)
    api.ctx.log.info({ ...labels, ms: Math.round(seconds * 1000), request: requestId(http) }, 'request')
  }
}

/** The matched route pattern, which keeps the number of labels small. */
function routeOf(http: Http): string {
  const route: unknown = http['_matchedRoute']
  return typeof route === 'string' ? route : 'none'
}

function methodOf(http: Http): string {
  return /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(http.method) ? http.method : 'other'
}
