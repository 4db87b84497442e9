import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { draft, told } from '../../scripts/connector/init/draft.ts'
import { lookAround } from '../../scripts/connector/init/look-around.ts'
import { Visitor } from '../../scripts/connector/init/visit.ts'
import { lookAt } from '../../scripts/connector/look.ts'
import type { Given } from '../../scripts/connector/verb.ts'
import { init } from '../../scripts/connector/verbs/init.ts'
import { root } from '../../scripts/supervisor/settings.ts'
import { temporaryFolder } from './temp.ts'

type Site = Readonly<Record<string, readonly [status: number, ...rest: readonly string[]]>>

const page = (body: string, head = ''): string => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
const passwordForm = (hidden = ''): string =>
  page(`<form method="post">${hidden}<input name="user"><input type="password" name="pw"></form>`)

/** The address of a small app, and what was asked of it. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const site = (pages: Site) =>
  serve(({ url = '' }, response) => {
    const [status, text = '', ...headers] = pages[url] ?? pages['*'] ?? [404, page('Nothing here.')]
    const to = status >= 300 && status < 400 ? { location: text } : {}
    const more = Object.fromEntries(headers.map((line) => line.split(': ', 2) as [string, string]))
    response.writeHead(status, { 'content-type': 'text/html', ...to, ...more }).end(text)
  })

const given = (words: readonly string[], options: Given['options'], say: Given['say'] = () => undefined): Given => ({
  ...{ words, options, say, env: {} },
  ...{ agree: () => Promise.resolve(false), signal: new AbortController().signal },
})

/** What is drafted of the app at this address, in a package without the kit, which takes long to pack. */
async function drafted(address: string) {
  const found = await lookAround(new Visitor(address))
  const folder = temporaryFolder()
  const source = draft(address, found)
  const callgate = { connector: './index.ts', api: 1, hosts: ['*'] }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'my-shop', version: '1.0.0', callgate }))
  await writeFile(path.join(folder, 'index.ts'), source)
  return { folder, source, said: told(found).join('\n') }
}

const sites: readonly (readonly [name: string, pages: Site, has: readonly RegExp[], not?: RegExp])[] = [
  [
    'with a form as Django makes it, and a page for members',
    {
      '/': [
        200,
        page('<a href="/accounts/login/?next=/">Log in</a> <a href="/ask/">Ask</a> <a href="/logout/">Out</a>'),
      ],
      '/accounts/login/?next=/': [200, passwordForm()],
      '/accounts/login/': [200, passwordForm('<input type="hidden" name="csrfmiddlewaretoken" value="x1">')],
      '/ask/': [302, '/accounts/login/?next=/ask/'],
    },
    [
      /page: 'accounts\/login\/', \/\/ has a field for a password/,
      /^\s*\/\/ \/accounts\/login\/ has a hidden csrfmiddlewaretoken\./m,
      /redirectTo\('accounts\/login', 'auth_expired'\), \/\/ \/ask\/ led there/,
      /notFoundOn\(404\),/,
    ],
  ],
  [
    'with a meta tag as Rails makes it, and nothing for strangers',
    {
      '/': [302, '/users/sign_in'],
      '/users/sign_in': [200, passwordForm().replace('<head>', '<head><meta name="csrf-token" content="abc">')],
    },
    [/page: 'users\/sign_in'/, /headerToken\(\{ page: '\/', meta: 'csrf-token'/, /redirectTo\('users\/sign_in'/],
  ],
  [
    'with a cookie, a usual path, and start pages for whatever there is not',
    {
      '/wp-login.php': [200, passwordForm()],
      '*': [200, page('Welcome'), 'set-cookie: XSRF-TOKEN=abc; Path=/'],
    },
    [/page: 'wp-login\.php'/, /cookieToken\(\{ page: '\/', cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN' \}\)/],
    /notFoundOn\(\d|firstOf\(/,
  ],
  [
    'with one path for everything',
    {
      '/': [302, '/index.php/Main'],
      '/index.php/Main': [
        200,
        page(
          '<a href="/index.php?title=UserLogin&amp;back=Main">Log in</a> <a href="/index.php?title=Preferences">Yours</a>',
        ),
      ],
      '/index.php': [302, '/index.php/Main'],
      '/index.php?title=UserLogin': [200, passwordForm()],
      '/index.php?title=Preferences': [302, '/index.php?title=UserLogin&back=Preferences'],
    },
    [
      /page: 'index\.php\?title=UserLogin', \/\/ has a field for a password/,
      /redirectTo\('index\.php\?title=UserLogin', 'auth_expired'\), \/\/ \/index\.php\?title=Preferences led there/,
    ],
  ],
  [
    'whose word for signing in leads back to its start',
    {
      '/': [302, '/home'],
      '/home': [200, page('<a href="/login">Log in</a>')],
      '/login': [302, '/home'],
    },
    [/page: undecided\('where a person/],
    /redirectTo\(/,
  ],
  [
    'that signs people in elsewhere',
    { '/': [200, page('<a href="/enter">Sign in</a>')], '/enter': [302, 'https://id.example.com/authorize?x=1'] },
    [/page: undecided\('where a person/, /hosts: \['https:\/\/id\.example\.com'\]/, /notFoundOn\(404\)/],
  ],
  [
    'that asks for the password on a page of its own',
    {
      '/': [200, page('<a href="/login-start">Sign in</a>')],
      '/login-start': [200, page('<form><input name="email"></form>')],
    },
    [/page: 'login-start', \/\/ is called so, and has no field for a password/],
  ],
  ['that answers JSON alone', { '*': [200, '{"a":1}', 'content-type: application/json'] }, [/page: undecided\('where/]],
  ['that leads in a circle', { '*': [302, '/round'] }, [/page: undecided\('where/]],
  [
    'whose names are hostile',
    {
      '/': [
        200,
        page(
          `<a href="/login'+alert(1)+'">Log in</a>`,
          `<meta name="csrf-token'}), globalThis.x = 1, ({ y: '\u2028*/" content="1">`,
        ),
      ],
      "/login'+alert(1)+'": [200, passwordForm()],
    },
    [/page: 'login\\'\+alert\(1\)\+\\''/, /meta: 'csrf-token\\'\}\), globalThis\.x = 1, \(\{ y: \\'\\u\{2028\}\*\/'/],
  ],
]

describe('what `connector init` drafts of an app', () => {
  for (const [name, pages, has, not] of sites)
    test(name, async () => {
      const { address, asked } = await site(pages)
      const { folder, source } = await drafted(address)
      for (const one of has) expect(source).toMatch(one)
      if (not !== undefined) expect(source.replaceAll(/\/\/.*/g, '')).not.toMatch(not)
      expect(asked.length).toBeLessThanOrEqual(14)
      expect(asked.filter((one) => !one.startsWith('GET /') || /logout/.test(one))).toEqual([])
      // What is left open is refused with file and line; the rest of it runs.
      const refusal = await lookAt(folder).catch((error: Error) => error.message.replace(folder, ''))
      expect(refusal).toMatch(
        /^\/index\.ts:\d+: it is not decided yet: (?:which page says who|where a person signs in)/,
      )
    })

  test('where nobody answers, who does not end, or who is huge', async () => {
    const gone = await site({})
    const { said, source } = await drafted('http://127.0.0.1:9/')
    expect([said, source]).toEqual([
      expect.stringMatching(/^✗ nobody answers there/),
      expect.stringMatching(/undecided/),
    ])
    const huge = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const more = (): void => {
        while (response.writable && response.write('<p>more</p>'.repeat(10_000))) if (response.destroyed) return
      }
      response.on('drain', more)
      request.on('close', () => response.removeListener('drain', more))
      response.write('<input type="password">')
      more()
    })
    expect((await drafted(huge.address)).source).toMatch(/page: '', \/\/ has a field for a password/)
    expect(gone.asked).toEqual([])
  })

  test('is nothing with --offline; the package is taken once what it leaves open is said', async () => {
    const { asked, address } = await site({})
    const folder = path.join(temporaryFolder(), 'my-shop')
    const said: string[] = []
    expect(await init.run(given([folder, `${address}app`], { offline: true }, (line) => void said.push(line)))).toBe(0)
    expect(asked).toEqual([])
    expect(said.join('\n')).toMatch(/\/index\.ts .*\n.*\/AGENTS\.md .*\n.*callgate-kit-1\.0\.0\.tgz/)
    const files = ['AGENTS.md', 'callgate-kit-1.0.0.tgz', 'index.ts', 'package.json', 'tsconfig.json']
    expect((await readdir(folder)).toSorted()).toEqual(files)
    expect(await readFile(path.join(folder, 'AGENTS.md'), 'utf8')).toMatch(/^# The connector of my-shop\n/)
    const answered = (await readFile(path.join(folder, 'index.ts'), 'utf8'))
      .replaceAll(": '',", ": 'What it says',")
      .replace(/page: undecided\(.*?\),/, "page: 'login',")
      .replace(/who: undecided\(.*?\),/, "who: { page: 'me', account: () => null },")
      .replace(/failure: undecided\(.*?\),/, 'failure: () => undefined,')
    await writeFile(path.join(folder, 'index.ts'), answered)
    const { slug, hosts, app } = await lookAt(folder)
    expect([slug, hosts, app.origin]).toEqual(['my-shop', [address.replace(/\/$/, '')], `${address}app/`])
  })
})

test.each([
  ['My_Shop', 'https://shop.example.com/', '"My_Shop" cannot name an app'],
  ['crm', 'https://shop.example.com/', 'Callgate has an app crm'],
  ['other', 'shop.example.com', '"shop.example.com" is not the address of an app'],
  ['other', 'https://shop.example.com/?a=1', 'is not the address of an app'],
  ['full', 'https://shop.example.com/', 'is not empty'],
  [path.join(root, 'connectors/other'), 'https://shop.example.com/', 'is inside of Callgate itself'],
])('no package %s is made for %s', async (name, address, said) => {
  const home = temporaryFolder()
  await mkdir(path.join(home, 'full/of/it'), { recursive: true })
  const folder = path.resolve(home, name)
  await expect(async () => init.run(given([folder, address], { offline: true }))).rejects.toThrow(said)
  expect((await readdir(home, { recursive: true })).toSorted()).toEqual(['full', 'full/of', 'full/of/it'])
})
