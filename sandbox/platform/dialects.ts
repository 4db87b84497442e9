import { aspnet } from './dialects/aspnet.ts'
import { django } from './dialects/django.ts'
import { errno } from './dialects/errno.ts'
import { graphql } from './dialects/graphql.ts'
import { jsonapi } from './dialects/jsonapi.ts'
import { laravel } from './dialects/laravel.ts'
import { rails } from './dialects/rails.ts'
import { rpc } from './dialects/rpc.ts'
import { spring } from './dialects/spring.ts'
import { wordpress } from './dialects/wordpress.ts'
import { html, Html } from './html.ts'
import { json, page } from './replies.ts'
import type { Asked, Dialect, DialectName, Problem, Reply, SandboxApp, Situation } from './types.ts'

export const dialects: Record<DialectName, Dialect> = {
  aspnet,
  django,
  errno,
  graphql,
  jsonapi,
  laravel,
  rails,
  rpc,
  spring,
  wordpress,
}

export const speak = (app: SandboxApp): Dialect => dialects[app.dialect]

/** The app's page with what is wrong on it. */
function told(app: SandboxApp, title: string, problem: Problem): Reply {
  const notice = speak(app).notice(problem)
  return page(app.layout({ title, body: html`<h1>${title}</h1>`, viewer: undefined, problem: notice }), problem.status)
}

/** An app's refusal. */
export function refuse(answers: 'page' | 'json', problem: Problem, asked: Asked): Reply {
  const { app } = asked
  if (answers === 'page') return told(app, problem.status === 404 ? 'Not found' : 'That did not work', problem)
  const reply = json(speak(app).refusal(problem, asked), problem.status)
  const { type } = speak(app)
  if (type) reply.headers['content-type'] = type
  return reply
}

/** What stands in for the app's answer. Pages with somewhere to go lead there. */
export function standIn(answers: 'page' | 'json', situation: Situation, asked: Asked, isGet = false): Reply {
  const { away, cases, type } = speak(asked.app)
  if (answers === 'page' && asked.go !== undefined) {
    const back = isGet ? `?${away.back}=${encodeURIComponent(asked.path)}${away.more ?? ''}` : ''
    return { status: away.status, headers: { location: asked.go + back, 'cache-control': 'no-store' }, body: '' }
  }
  const found = cases[situation]
  if (!found) throw new Error(`${asked.app.dialect} has no words for ${situation}.`)
  const { says, code = situation, text } = found
  const status = (answers === 'page' && found.pageStatus) || found.status
  let reply: Reply
  if (text !== undefined) {
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
    reply = { status, headers, body: text }
  } else if (found.page && (answers === 'page' || found.json === 'page')) {
    const [title, markup] = found.page
    const head = html`<title>${title}</title>`
    reply = page(
      html`<html lang="en">
        <head>
          ${head}
        </head>
        <body>
          ${new Html(markup)}
        </body>
      </html>`,
      status,
    )
  } else if (answers === 'json' && typeof found.json === 'function') {
    reply = json(found.json({ ...asked, says }), status)
    if (type) reply.headers['content-type'] = type
  } else {
    const problem = { status, code, message: says, ...(asked.go === undefined ? {} : { go: asked.go }) }
    reply = refuse(answers, problem, asked)
  }
  if (asked.seconds !== undefined) reply.headers['retry-after'] = String(asked.seconds)
  return { ...reply, headers: { ...reply.headers, ...found.headers?.(asked) } }
}
