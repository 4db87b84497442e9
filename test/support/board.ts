import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

/** A notice board: whoever presses the button is Ann. Each of its secrets stands in another place. */
export interface Board extends AsyncDisposable {
  readonly host: string
  /** Titles of what was put up. */
  readonly notes: string[]
  readonly passwords: string[]
}

/** Planted where a recording could take them from. */
export const planted = {
  cookie: 'mk1Cookie7f3a9b2c4d5e',
  url: 'mk2Url8Zq4Lw9Xv2Bn',
  meta: 'mk3Meta5Tg7Yh1Uj6Ik',
  json: 'mk4Json2Ws8Ed4Rf6Tg',
  storage: 'mk5Store9Ol3Pm7Qn1',
  form: 'mk6Form4Vb8Nm2Kj6Hg',
  path: 'mk7Path3Fd9Sa5Gh1Jk',
  password: 'mk8Pass correct horse',
  code: 'mk9Code4711',
  header: 'mkAHead6Yt2Re8Wq4',
} as const

export async function noticeBoard(): Promise<Board> {
  const notes: string[] = []
  const passwords: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request
      const { pathname } = new URL(url, 'http://board')
      const page = (html: string) =>
        response.writeHead(200, { 'content-type': 'text/html', 'x-trace': planted.header }).end(html)
      const led = (to: string) => response.writeHead(302, { location: to }).end()
      const whole = 'style="position:fixed;left:0;width:100%;height:40%;'
      if (pathname === '/login' && method === 'GET')
        return page(
          `<form method="post"><input name="code" value="" autocomplete="one-time-code"><button ${whole}top:0">In</button></form>`,
        )
      if (pathname === '/login') {
        response.setHeader('set-cookie', `sid=${planted.cookie}; Path=/; HttpOnly`)
        return led('/')
      }
      if (headers.cookie !== `sid=${planted.cookie}`) return led('/login')
      const json = (value: unknown) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (pathname === '/me') return json({ id: 'ann', name: 'Ann' })
      if (pathname === '/')
        return page(`<meta name="csrf-token" content="${planted.meta}"><h1>Board</h1>
          <p class="author">Berta Bauer</p><p>berta@example.com</p>
          <script>localStorage.setItem('state', '${planted.storage}')
          fetch('/feed?page=1', { headers: { 'X-CSRF-Token': document.querySelector('meta').content } })</script>
          <a href="/new?from=${planted.url}" ${whole}top:0">New</a><a href="/settings" ${whole}top:50%">Settings</a>`)
      if (pathname === '/feed')
        return json({
          token: planted.json,
          notes: [{ id: planted.path, author_name: 'Berta Bauer', title: 'Rye bread' }],
        })
      if (pathname === '/new')
        return page(`<form method="post" action="/notes"><input type="hidden" name="nonce" value="${planted.form}">
          <input type="hidden" name="kind" value="question"><label>Title <input name="title" autofocus></label>
          <button ${whole}top:50%">Post</button></form>`)
      if (pathname === '/notes' && method === 'POST') {
        notes.push(new URLSearchParams(body).get('title') ?? '')
        return led(`/notes/${planted.path}`)
      }
      if (pathname.startsWith('/notes/'))
        return page(`<h1>${notes.at(-1)}</h1><a href="/settings" ${whole}top:0">Settings</a>`)
      if (pathname === '/settings' && method === 'GET')
        return page(
          `<form method="post"><input type="password" name="new" autofocus><input name="pw_code" autocomplete="one-time-code"><button ${whole}top:50%">Change</button></form>`,
        )
      if (pathname === '/settings') {
        passwords.push(...new URLSearchParams(body).values())
        return led(`/notes/${planted.path}`)
      }
      return response.writeHead(404).end()
    })
  })
  const host = `http://127.0.0.1:${await listen(server)}`
  return {
    host,
    notes,
    passwords,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A connector for it, as its author has it before anything is recorded. */
export function boardFiles(host: string): Readonly<Record<string, string>> {
  const callgate = { connector: './index.ts', api: 1, hosts: [host] }
  return {
    'package.json': JSON.stringify({ name: 'notice-board', version: '1.0.0', type: 'module', callgate }, null, 2),
    'index.ts': `import { connector, jsonSignIn, redirectTo } from '@callgate/kit'

export default connector({
  name: 'Notice board',
  description: 'Notes that everybody sees.',
  role: 'somebody who puts up notes',
  origin: '${host}/',
  signIn: jsonSignIn({ page: 'login', who: 'me', account: ({ id, name }) => ({ id, label: name }) }),
  things: {},
  failure: redirectTo('login', 'auth_expired'),
  endpoints: [],
})
`,
  }
}
