import { marked } from 'marked'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { createKey } from '../../core/keys/rows.ts'
import { Markdown } from '../../web/docs/markdown.tsx'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { desk, expectTidy, openPage, phone, shoot, startBrowser } from '../support/chromium.ts'
import { Visitor } from './visitor.ts'

const password = 'a long password'
const guides = ['/docs/mcp', '/docs/webhooks', '/docs/connectors']

let gateway: Gateway
let anyone: Visitor
beforeAll(async () => {
  gateway = await startGateway()
  anyone = visitor()
})
afterAll(() => gateway.stop())

function visitor(): Visitor {
  return new Visitor({ url: gateway.publicUrl })
}

const wordsIn = (text: string): string => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('who is not signed in is told at once what this is, and may try a decision that sends nothing', async () => {
  const start = await anyone.get('/')
  expect([start.status, start.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(start.text).toContain('You say yes first')
  for (const path of ['/login', '/docs/start', '/docs']) expect(start.text).toContain(`href="${path}"`)
  expect(start.text).toContain(`curl ${gateway.url}/apps`)
  expect(start.text).not.toContain('method="post"')
  // It counts as the docs do.
  expect(start.headers.get('ratelimit-policy')).toBe((await anyone.get('/docs')).headers.get('ratelimit-policy') ?? '-')
  expect((await anyone.get('/?tried=approve')).text).toContain('Approved. Now it would be sent once')
  expect((await anyone.get('/?tried=reject')).text).toContain('Rejected. Nothing would be sent')
  expect((await anyone.get('/?tried=%3Cscript%3E')).text).toBe(start.text)
})

test.each(guides)('%s is the file, as a page, with our own address and links that lead somewhere', async (path) => {
  const { status, text } = await anyone.get(path)
  expect(status).toBe(200)
  const main = text.slice(text.indexOf('<article'))
  // Whatever stands elsewhere is called as it is.
  const prose = main.replaceAll(/<(code|pre)[^>]*>[^]*?<\/\1>| href="https:[^"]*"/g, '')
  for (const mark of ['](', '**', '```', '<!--', '.md', '127.0.0.1:8080', '&lt;!--'])
    expect(prose, mark).not.toContain(mark)
  expect(main).not.toContain('test/')
  const links = new Set([...text.matchAll(/href="((?:\/docs|#)[^"]*)"/g)].map((match) => match[1] ?? ''))
  expect(links.size).toBeGreaterThan(5)
  for (const link of links) {
    const [page = '', place] = link.split('#')
    const there = page === '' || page === path ? text : (await anyone.get(page)).text
    expect(there, link).toContain('<h1>')
    if (place !== undefined) expect(there, link).toContain(`id="${place}"`)
  }
})

test('texts become elements: no HTML of theirs, no address but of the web', () => {
  const source = [
    '# Title',
    '## A <b>part</b>',
    '<script>alert(1)</script>',
    '',
    'One [link](https://example.com/a), [one](javascript:alert%281%29), [a file](other.md), [ours](mcp.md#tools), `<i>`.',
    '',
    '- one\n- **two**',
    '',
    '| a | b |\n| - | - |\n| `x` | <img src=x> |',
  ].join('\n')
  const html = renderToString(h(Markdown, { tokens: marked.lexer(source) }))
  expect(html).not.toMatch(/<(script|b|i|img)\b/)
  expect(html).toContain('&lt;script>alert(1)&lt;/script>')
  expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual([
    'https://example.com/a',
    '/docs/mcp#tools',
  ])
  expect(html).toContain('<code>&lt;i></code>')
  expect(html).toContain('<strong>two</strong>')
})

test('the quick start has what is theirs filled in, and of a key its beginning alone', async () => {
  const { ctx, owner } = gateway
  const { text: unknown } = await anyone.get('/docs/start')
  expect(unknown).toContain('/login?return_to=%2Fdocs%2Fstart')
  for (const told of ['cg_live_…', `${gateway.publicUrl}/mcp`, `${gateway.url}/apps`, 'npm start'])
    expect(unknown).toContain(told)

  const person = visitor()
  await person.signIn({ email: 'owner@example.com', password })
  expect((await person.get('/docs/start')).text).toContain('You have no key yet')
  const ended = await createKey(ctx, { owner, name: 'Ended', apps: null, expiresAt: new Date(Date.now() - 1_000) })
  const { key } = await createKey(ctx, { owner, name: 'For <i>my</i> agent', apps: null })
  const session = { cookies: [], user_agent: null }
  await connect(ctx, { owner, app: 'salon-booking', externalId: 'x', label: 'My salon', session })
  const { text, headers } = await person.get('/docs/start')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(text).toContain(`begins with <code>${key.slice(0, 12)}…</code>`)
  expect(text).toContain('For &lt;i>my&lt;/i> agent')
  for (const secret of [key, key.slice(0, 14), ended.key.slice(0, 12)]) expect(text).not.toContain(secret)
  expect(text).toContain(`${gateway.url}/salon-booking/`)
  expect((await anyone.get('/docs/start')).text).toBe(unknown)
})

test.each([
  ['refund a guest', /href="\/docs\/[\w-]+#\w*(refund|cancel)/],
  ['idempotency_key_reused', /href="\/docs\/errors\/idempotency_key_reused"/],
  ['webhook signature', /href="\/docs\/webhooks/],
  ['add it to Claude', /href="\/docs\/mcp#add-it-to-a-client"/],
  ['localStorage tokens connector', /href="\/docs\/connectors#tokens-of-the-session"/],
  ['where do I find my api key', /href="\/docs\/start#program"/],
  ['send an invoice', /href="\/docs\/[\w-]+#\w*invoice/],
])('a search for "%s" leads there', async (query, link) => {
  const { status, text } = await anyone.get(`/docs/search?q=${encodeURIComponent(query)}`)
  expect(status).toBe(200)
  const [places = ''] = /<h1>[^]*/.exec(text) ?? []
  expect(places).toMatch(link)
})

test('a search says what it does not find, and shows what was typed as text', async () => {
  const { text } = await anyone.get(`/docs/search?q=${encodeURIComponent('"><script>zeppelin')}`)
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;zeppelin"'.replaceAll('&gt;', '>'))
  expect(text).not.toContain('<script>zeppelin')
  expect(wordsIn((await anyone.get('/docs/search?q=xyzzyqq')).text)).toContain('Nothing found')
  for (const query of ['', '?q=', `?q=${'x '.repeat(3_000)}`, '?q=%00', '?q=the'])
    expect((await anyone.get(`/docs/search${query}`)).status).toBe(200)
})

test('on a phone and a desk', async () => {
  const running = await startBrowser()
  const pages = ['/', '/docs/start', '/docs', '/docs/mcp', '/docs/search?q=refund']
  for (const [name, where] of [
    ['phone', phone],
    ['phone-dark', { ...phone, colorScheme: 'dark' }],
    ['desk', desk],
  ] as const) {
    const { page, problems } = await openPage(running.browser, where)
    for (const path of pages) {
      await page.goto(`${gateway.publicUrl}${path}`)
      await expectTidy(page, `${path} ${name}`, where.viewport.width)
      await shoot(page, `docs-${name}${path.replaceAll(/\W+/g, '-')}`)
    }
    expect(problems).toEqual([])
    await page.context().close()
  }
  await running.close()
})
