import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openRemoteBrowser } from '../../../web/connect/browser/remote-browser.ts'
import type { RemoteBrowser } from '../../../web/connect/browser/sign-in-watch.ts'
import { shownAddress } from '../../../web/connect/shown-address.tsx'
import type { Item } from '../../../web/connect/words/items.ts'
import type { PageInWords } from '../../../web/connect/words/reader.ts'
import { piecesOf } from '../../../web/connect/words/render.tsx'
import { listen } from '../../support/listen.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-words-'))
  await chmod(dir, 0o711)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

interface Heard {
  readonly remote: RemoteBrowser
  /** All that was ever told of the page. */
  readonly told: (PageInWords | null)[]
  /** What is told of it in the end, once it has an item of that name. */
  readonly item: <K extends Item['kind']>(kind: K, name?: string | RegExp) => Promise<Item & { readonly kind: K }>
  /** What the page itself has noted. */
  readonly noted: string[]
}

/** The page, in a remote browser that is listened to. `frame` is a document of another host, at `/frame`. */
async function hears(page: (frame: string) => string, frame = ''): Promise<Heard> {
  const noted: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    if (url.pathname === '/note') noted.push(url.searchParams.get('it') ?? '')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('access-control-allow-origin', '*')
    response.statusCode = url.pathname === '/me' ? 401 : 200
    response.end(
      url.pathname === '/sign-in' ? page(`http://127.0.0.1:${port}/frame`) : url.pathname === '/frame' ? frame : '',
    )
  })
  const port = await listen(server)
  const told: (PageInWords | null)[] = []
  const remote = await openRemoteBrowser({
    dir,
    origin: `http://localhost:${port}/`,
    signIn: { page: 'sign-in', who: { page: 'me', account: () => null }, hosts: [`http://127.0.0.1:${port}`] },
    session: null,
    size: { width: 640, height: 480 },
    onFrame: () => undefined,
    onAt: () => undefined,
    onWords: (words) => void told.push(words),
    onSignedIn: () => undefined,
    onWanted: () => undefined,
    onUnsandboxed: () => undefined,
    onUnreadable: () => undefined,
    onLost: () => undefined,
  })
  onTestFinished(async () => {
    await remote.close()
    server.closeAllConnections()
    server.close()
  })
  remote.listen(true)
  const item: Heard['item'] = (kind, name = '') =>
    vi.waitUntil(
      () => {
        const found = told.at(-1)?.items.find((one) => {
          const said = 'name' in one ? one.name : 'text' in one ? one.text : one.host
          return one.kind === kind && (typeof name === 'string' ? name === '' || said === name : name.test(said))
        })
        return found as (Item & { readonly kind: typeof kind }) | undefined
      },
      { timeout: 120_000 },
    )
  return { remote, told, item, noted }
}

const note = `const note = (it) => fetch('//localhost:' + location.port + '/note?it=' + encodeURIComponent(it))`

test('fields, lists, boxes, links and made-up buttons are done there as a hand would do them', async () => {
  const { remote, item, noted } = await hears(
    (frame) => `<title>Sign in</title><script>${note}
      const said = ({ type, target, isTrusted }) => note([type, target.id, isTrusted, target.type === 'checkbox' ? target.checked : target.value ?? ''].join(' '))</script>
      <h1>Wel<b>come</b></h1><p>Two <em>words</em> more</p>
      <label for="mail">Your mail</label> <input id="mail" value="old" onchange="said(event)">
      <select id="land" aria-label="Land" onchange="said(event)"><option value="a">Austria<option value="b" selected>Belgium</select>
      <input type="checkbox" id="stay" onchange="said(event)" style="position:absolute;opacity:0;width:0;height:0"><label for="stay">Stay signed in</label>
      <div style="height:2000px"></div>
      <div id="made" tabindex="0" onclick="said(event)">Made of nothing</div>
      <button id="bare" style="width:0;height:0;padding:0;border:0;overflow:hidden" onclick="said(event)" aria-label="Without room"></button>
      <button disabled>Not now</button><div role="alert" id="alert"></div>
      <div style="padding:70px"><iframe src="${frame}" style="border:9px solid;width:300px;height:150px"></iframe></div>`,
    `<script>${note}</script><div style="height:300px"></div><label>Code <input onchange="note('code ' + value)"></label>
     <button onclick="note('inner ' + event.isTrusted); parent.postMessage('', '*')">Go on</button>`,
  )
  expect(await item('heading')).toMatchObject({ level: 1, text: 'Welcome' })
  await item('text', 'Two words more')
  const mail = await item('field', 'Your mail')
  expect(mail).toMatchObject({ value: 'old', secret: false })
  expect(await item('button', 'Not now')).toMatchObject({ disabled: true })
  remote.apply({ type: 'fill', id: mail.id, text: 'ana@example.test' })
  const land = await item('choice', 'Land')
  expect(land.options.map(({ name, selected }) => [name, selected])).toEqual([
    ['Austria', false],
    ['Belgium', true],
  ])
  remote.apply({ type: 'choose', id: land.options[0]?.id ?? '' })
  remote.apply({ type: 'press', id: (await item('tick', 'Stay signed in')).id })
  remote.apply({ type: 'press', id: (await item('button', 'Made of nothing')).id })
  remote.apply({ type: 'press', id: (await item('button', 'Without room')).id })
  await item('frame', /^127\.0\.0\.1:\d+$/)
  remote.apply({ type: 'fill', id: (await item('field', 'Code')).id, text: '123456' })
  remote.apply({ type: 'press', id: (await item('button', 'Go on')).id })
  // What nobody has read of the page is nothing to act on.
  remote.apply({ type: 'press', id: '999999-1' })
  await expect.poll(() => noted).toContain('inner true')
  expect(noted.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'change land false a',
    'change mail true ana@example.test',
    'change stay true true',
    'click bare false ',
    'click made true ',
    'code 123456',
    'inner true',
  ])
  await expect.poll(() => item('field', 'Your mail')).toMatchObject({ id: mail.id, value: 'ana@example.test' })
  await expect.poll(() => item('tick', 'Stay signed in')).toMatchObject({ checked: 'true' })
})

test('what hides its letters is never told, and what the page says is text and nothing else', async () => {
  const { remote, told, item } = await hears(
    () => `<title>‮evil‬ &lt;img src=x onerror=alert(1)&gt;</title><h1>Sign in at аррӏе.com</h1>
      <label>Password <input type="password"></label><label>Answer <input style="-webkit-text-security:disc"></label>
      <button>&lt;/button&gt;&lt;script&gt;alert(1)&lt;/script&gt;" onclick="x</button>
      <select aria-label="Аррӏе"><option>раура1 ‮x</option></select><p>${'word '.repeat(2000)}</p>`,
  )
  const [password, answer] = [await item('field', 'Password'), await item('field', 'Answer')]
  expect([password.secret, answer.secret]).toEqual([true, false])
  remote.apply({ type: 'fill', id: password.id, text: 'hunter2-secret' })
  remote.apply({ type: 'fill', id: answer.id, text: 'rover-secret' })
  await expect.poll(async () => (await item('field', 'Answer')).secret).toBe(true)
  await expect.poll(async () => (await item('field', 'Password')).value).toBe('•'.repeat(14))
  expect(JSON.stringify(told)).not.toMatch(/hunter2|rover/)

  const html = piecesOf(told.at(-1) ?? null)
    .map((piece) => piece.html)
    .join('\n')
  expect(html).not.toMatch(/<(?:img|script)|" onclick|‮|hunter2|rover/)
  expect(html).toContain('&lt;script>alert(1)&lt;/script>')
  expect(html).toContain('leads to xn--80ak6aa92e.com')
  expect(html).toContain('U+202E right-to-left override')
  expect(html).toMatch(/<option[^>]*>[^<]*\[Cyrillic letters that look like Latin ones\]|<option[^>]*>[^<]*\[mixes/)
  expect(html).toMatch(
    /type="password"[^>]*autocomplete="one-time-code"|autocomplete="one-time-code"[^>]*type="password"/,
  )
  expect(html.length).toBeLessThan(10_000)
})

test.for([
  ['elements', `for (let i = 0; i < 30000; i++) document.body.append(document.createElement('b'))`],
  ['text', `document.body.append('x'.repeat(3e6))`],
  [
    'what is typed',
    `document.body.append(document.createElement('textarea')); document.querySelector('textarea').value = 'x'.repeat(3e6)`,
  ],
] as const)('a page of too much %s is not read', async ([, script]) => {
  const { told } = await hears(() => `<body><script>${script}</script>`)
  await expect.poll(() => told.at(-1)).toBe(null)
  expect(piecesOf(null)[0]?.html).toContain('too large')
})

test('a page of very many things is read up to some of them', async () => {
  const { told, item } = await hears(() => `<body>${'<button>Press</button><hr>'.repeat(3000)}`)
  await item('text', 'There is more on this page than is read here.')
  expect(told.at(-1)?.items).toHaveLength(401)
})

test('an address names its host in ASCII, and whether others can read along', () => {
  expect(shownAddress('https://shop.example/login?next=/')).toEqual({
    ...{ host: 'shop.example', encrypted: true, written: '', path: '/login' },
  })
  expect(shownAddress('http://shop.example:8080/')).toMatchObject({ host: 'shop.example:8080', encrypted: false })
  const alike = shownAddress('https://user:word@аррӏе.com/')
  expect(alike.host).toBe('xn--80ak6aa92e.com')
  expect(alike.written).toContain('leads to xn--80ak6aa92e.com')
  for (const none of ['about:blank', 'chrome-error://chromewebdata/', 'data:text/html,x', 'https://'])
    expect(shownAddress(none).host).toBe('')
})
