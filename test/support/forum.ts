import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Type } from 'typebox'
import { connector, endpoint } from '../../connectors/kit/define.ts'
import { firstOf } from '../../connectors/kit/failures.ts'
import { closed } from '../../connectors/kit/inputs.ts'
import { session } from '../../connectors/kit/session-token.ts'
import { jsonSignIn } from '../../connectors/kit/sign-in.ts'
import type { AppSession } from '../../schemas/session.ts'
import { listen } from './listen.ts'

/** A forum that anybody may host, below `/forum/`: whoever presses the button is its admin. Its tokens are short-lived, and a refresh token is good once. */
export interface Forum {
  readonly host: string
  readonly origin: string
  readonly notes: string[]
  /** Requests that came, as method and path. */
  readonly asked: string[]
  /** How often a token was renewed, and how often somebody tried with one that was used up. */
  readonly renewals: { good: number; bad: number }
  /** Somebody signs in, as with the button. */
  signIn(): AppSession
  /** The access tokens of all sessions are over. */
  expire(): void
  close(): void
}

export async function startForum(): Promise<Forum> {
  let count = 0
  let access = new Set<string>()
  const refresh = new Set<string>()
  const tokens = () => {
    count += 1
    access.add(`access-${count}`)
    refresh.add(`refresh-${count}`)
    return { access_token: `access-${count}`, refresh_token: `refresh-${count}` }
  }
  const knows = ({ headers }: IncomingMessage): boolean =>
    access.has((headers.authorization ?? '').replace('Bearer ', '')) && headers.cookie === 'sid=here'
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { method = '', url = '' } = request
    forum.asked.push(`${method} ${url}`)
    const body = await text(request)
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const page = (html: string) => response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    if (url === '/forum/sign-in' && method === 'GET')
      return page(`<form method="post"><button style="position:fixed;inset:0">Sign in as admin</button></form>`)
    if (url === '/forum/sign-in') {
      const { access_token, refresh_token } = tokens()
      response.setHeader('set-cookie', 'sid=here; Path=/forum; HttpOnly')
      return page(`<p>Welcome<script>localStorage.setItem('access', '${access_token}')
        localStorage.setItem('refresh', '${refresh_token}'); localStorage.setItem('theme', 'dark')</script>`)
    }
    if (url === '/forum/oauth/refresh') {
      const given = new URLSearchParams(body).get('refresh_token') ?? ''
      await new Promise((resolve) => setTimeout(resolve, 300))
      if (!refresh.delete(given)) {
        forum.renewals.bad += 1
        return json(400, { error: 'invalid_grant' })
      }
      forum.renewals.good += 1
      return json(200, tokens())
    }
    if (!knows(request)) return json(401, { error: 'token' })
    if (url === '/forum/api/me') return json(200, { id: 'admin', name: 'The admin' })
    if (url === '/forum/api/notes' && method === 'GET') return json(200, { notes: forum.notes })
    if (url === '/forum/api/notes') {
      forum.notes.push((JSON.parse(body) as { note: string }).note)
      return json(200, { number: forum.notes.length })
    }
    return json(404, {})
  }
  const server = createServer((request, response) => void answer(request, response))
  const host = `127.0.0.1:${await listen(server)}`
  const forum: Forum = {
    host,
    origin: `http://${host}/forum/`,
    notes: [],
    asked: [],
    renewals: { good: 0, bad: 0 },
    signIn() {
      const { access_token, refresh_token } = tokens()
      const cookies = [{ name: 'sid', value: 'here', domain: '127.0.0.1', path: '/forum' }]
      return { cookies, user_agent: null, tokens: { access: access_token, refresh: refresh_token } }
    },
    expire: () => (access = new Set()),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return forum
}

const list_notes = endpoint({
  summary: 'List the notes.',
  label: 'List notes',
  brief: [],
  access: 'read',
  request: 'GET /api/notes',
  input: {},
  output: { notes: Type.Array(closed({ note: Type.String() })) },
  decode: ({ notes }) => ({ notes: (notes as string[]).map((note) => ({ note })) }),
})

const add_note = endpoint({
  summary: 'Write a note.',
  label: 'Write a note',
  brief: ['note'],
  access: 'write',
  confirm: true,
  effect: 'adds',
  shownBy: [],
  request: 'POST /api/notes',
  input: { note: Type.String({ description: 'What it says.' }) },
  output: { number: Type.Integer() },
})

const jot = endpoint({
  summary: 'Write a note without asking.',
  label: 'Jot',
  brief: ['note'],
  access: 'write',
  effect: 'adds',
  shownBy: [],
  request: 'POST /api/notes',
  input: { note: Type.String({ description: 'What it says.' }) },
  output: { number: Type.Integer() },
})

export const forumConnector = connector({
  name: 'Forum',
  description: 'A forum for a club, wherever it is hosted.',
  role: 'Admin of the forum.',
  origin: { ask: 'Address of your forum', selfHosted: true },
  signIn: jsonSignIn({
    page: '/sign-in',
    who: '/api/me',
    account: ({ id, name }) => ({ id, label: name }),
    storage: ['access', 'refresh'],
  }),
  authorize: [session.token('access')],
  renew: {
    request: 'POST /oauth/refresh',
    form: { grant_type: 'refresh_token', refresh_token: { token: 'refresh' } },
    gives: { access: 'access_token', refresh: 'refresh_token' },
  },
  things: {},
  failure: firstOf(({ status }) => (status === 401 ? { kind: 'auth_expired' } : undefined)),
  endpoints: [{ list_notes, add_note, jot }],
})
