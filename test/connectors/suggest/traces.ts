import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Trace, TracedExchange } from '../../../connectors/authoring/trace.ts'
import { readRecording } from '../../../connectors/recordings/read.ts'

const examples = path.join(import.meta.dirname, '../../../examples/connectors')

/** What a browser would have kept of a doing of which there is a recording. */
export function recorded(app: string, endpoint: string, file: string): Trace {
  const text = readFileSync(path.join(examples, app, 'recordings', endpoint, `${file}.http`), 'utf8')
  const { origin, steps } = readRecording(text)
  const exchanges = steps.map(({ request, answer }, at): TracedExchange => {
    const isScript = request.headers['x-requested-with'] !== undefined
    const by = isScript ? 'script' : request.method === 'GET' ? 'navigation' : 'form'
    const cookies = answer.setCookies.length > 0 ? { 'set-cookie': answer.setCookies.join(', ') } : {}
    return {
      ...{ at: at * 1000, by, page: at === 0 ? null : (steps[at - 1]?.request.url.href ?? null) },
      request: {
        method: request.method,
        url: request.url.href,
        headers: request.headers,
        body: request.body?.toString() ?? null,
      },
      answer: { status: answer.status, headers: { ...answer.headers, ...cookies }, text: answer.text },
    }
  })
  return { app, name: endpoint, origin, startedAt: '2026-11-23T10:00:00.000Z', exchanges }
}

type Said = readonly [
  request: string,
  answer: unknown,
  more?: {
    readonly body?: string | object
    readonly headers?: Readonly<Record<string, string>>
    readonly by?: TracedExchange['by']
  },
]

/** A made-up one. An answer is a page (a text), JSON, or a status with where it leads: `302 /notes/7`. */
export function traced(name: string, said: readonly Said[], origin = 'https://notes.example.org/'): Trace {
  const exchanges = said.map(([line, told, { body, headers = {}, by } = {}], at): TracedExchange => {
    const [method, address = ''] = line.split(' ')
    const isJson = typeof body === 'object'
    const type =
      body === undefined ? {} : { 'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded' }
    const led = typeof told === 'string' ? /^(3\d\d) (\S+)$/.exec(told) : null
    const isPage = typeof told === 'string'
    return {
      ...{
        at: at * 900,
        by: by ?? (isJson || !isPage ? 'script' : method === 'GET' ? 'navigation' : 'form'),
        page: at === 0 ? null : origin,
      },
      request: {
        method: method as TracedExchange['request']['method'],
        ...{
          url: new URL(address, origin).href,
          headers: { ...type, ...headers },
          body: isJson ? JSON.stringify(body) : (body ?? null),
        },
      },
      answer: led
        ? { status: Number(led[1]), headers: { location: led[2] ?? '' }, text: '' }
        : {
            status: 200,
            headers: { 'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json' },
            text: isPage ? told : JSON.stringify(told),
          },
    }
  })
  return { app: 'notes', name, origin, startedAt: '2026-11-23T10:00:00.000Z', exchanges }
}

const outputOf = (app: string, endpoint: string, file: string) => (): unknown => {
  const text = readFileSync(path.join(examples, app, 'recordings', endpoint, `${file}.http`), 'utf8')
  const { expected } = readRecording(text)
  return expected.kind === 'ok' ? expected.output : {}
}

/** What the connectors that people wrote give out of the same answers. */
export const expectedOf: Readonly<Record<string, () => unknown>> = {
  ask_question: outputOf('askbot', 'ask_question', 'success'),
  list_questions: outputOf('askbot', 'list_questions', 'success'),
  get_question: outputOf('askbot', 'get_question', 'success'),
  list_answers: outputOf('askbot', 'list_answers', 'success'),
  list_tags: outputOf('askbot', 'list_tags', 'success'),
  list_events: outputOf('pretix', 'list_events', 'all'),
  get_order: outputOf('pretix', 'get_order', 'pending'),
  list_attendees: outputOf('pretix', 'list_attendees', 'here'),
  list_quotas: outputOf('pretix', 'list_quotas', 'all'),
  list_vouchers: outputOf('pretix', 'list_vouchers', 'all'),
}
