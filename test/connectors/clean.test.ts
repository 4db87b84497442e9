import { expect, it } from 'vitest'
import { clean } from '../../connectors/authoring/clean/clean.ts'
import type { RawExchange, RawTrace } from '../../connectors/authoring/clean/raw.ts'
import type { TracedExchange } from '../../connectors/authoring/trace.ts'

const key = Buffer.alloc(32, 1)
const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const asked = (text: string, type = html, at = '/page'): RawExchange => ({
  ...{ at: 0, by: 'navigation', page: null },
  request: { method: 'GET', url: `https://shop.example.com${at}`, headers: {}, body: null },
  answer: { status: 200, headers: type, text },
})
const sent = (body: string, type: Record<string, string> = form): RawExchange => ({
  ...{ at: 1, by: 'form', page: null },
  request: { method: 'POST', url: 'https://shop.example.com/orders', headers: type, body },
  answer: { status: 204, headers: {}, text: null },
})
function cleaned(exchanges: readonly RawExchange[], more: Partial<RawTrace> = {}, released: readonly string[] = []) {
  const raw: RawTrace = {
    ...{ app: 'shop', name: 'add_order', origin: 'https://shop.example.com/', startedAt: '2026-11-23T00:00:00Z' },
    ...{ cookies: [], stored: [], label: 'Ann Own', exchanges },
    ...more,
  }
  return clean(raw, { released: new Set(released), key })
}
const first = (exchanges: readonly TracedExchange[]) => exchanges[0] as TracedExchange

it.each<readonly [what: string, exchange: RawExchange, gone: readonly string[], stays: readonly string[]]>([
  [
    'a person in JSON',
    asked('{"author":{"name":"Berta Bauer","id":7}}', json),
    ['Berta', 'Bauer'],
    ['"id":7', '"author":{"name":"'],
  ],
  [
    'a user’s names',
    asked('{"user":{"username":"berta_b","first_name":"Berta"},"title":"Rye"}', json),
    ['erta'],
    ['"title":"Rye"'],
  ],
  [
    'a person in an attribute',
    asked('<p data-author="Berta Bauer">by Berta Bauer</p>'),
    ['Berta'],
    ['<p data-author="'],
  ],
  [
    'a person in markup',
    asked('<a class="author-link" rel="author"><b>Berta Bauer</b></a>'),
    ['Berta'],
    ['<a class="author-link" rel="author"><b>'],
  ],
  [
    'phone numbers',
    asked('{"phone":"0171 2345678","note":"call +49 171 2345678"}', json),
    ['2345678'],
    ['"note":"call +'],
  ],
  [
    'where somebody lives',
    asked('{"street":"Long Lane 12","address":"https://shop.example.com/x"}', json),
    ['Long Lane'],
    ['"address":"https://shop.example.com/x"'],
  ],
  [
    'emails',
    asked('<a href="mailto:berta@example.com">b</a>', html, '/find?by=berta%40example.com'),
    ['berta@', 'berta%40'],
    ['mailto:'],
  ],
  [
    'secret numbers',
    asked('{"otp":471199,"access_token":12345678,"count":3}', json),
    ['471199', '12345678'],
    ['"count":3', '"otp":"SECRET.otp"'],
  ],
  ['secrets that a person sends', sent('pw=hunter2&note=hello'), ['hunter2'], ['note=hello', 'pw=SECRET.pw']],
  ['a secret number that is sent', sent('{"pin":4711,"amount":12}', json), ['4711'], ['"amount":12']],
  [
    'a token in a script',
    asked('<script>var s = {"csrfToken":"qwertyuiopasdfghjklz", step: "two"}</script>'),
    ['qwerty'],
    ['step: "two"'],
  ],
  [
    'random values of an address',
    asked('ok', html, '/o/Zx81kQpL33vB/aBcDeFgHi.kLmNoPqRs/Special:RecentChanges/edit?sig=abc&page=2'),
    ['Zx81kQpL33vB', 'aBcDeFgHi', 'sig=abc'],
    ['/Special:RecentChanges/edit', 'page=2'],
  ],
  [
    'a hidden field',
    asked('<input type="hidden" name="kind" value="7"><b>7</b>'),
    ['value="7"'],
    ['<b>7</b>', 'value="SECRET.kind"'],
  ],
  [
    'what is no form and no JSON',
    sent('secret words', { 'content-type': 'text/csv' }),
    ['secret words'],
    ['"body":null'],
  ],
  [
    'the browser’s own headers',
    sent('a=b', { ...form, referer: 'https://shop.example.com/q?x=1', cookie: 'a=b', 'user-agent': 'M' }),
    ['referer', 'cookie', 'user-agent'],
    ['a=b'],
  ],
  [
    'a script’s header',
    sent('a=b', { ...form, 'x-csrftoken': 'abc', authorization: 'Bearer k3yK3Yk3y' }),
    ['"abc"', 'k3yK3Yk3y'],
    ['"Bearer SECRET.authorization"'],
  ],
])('%s', (_, exchange, gone, stays) => {
  const text = JSON.stringify(first(cleaned([exchange]).trace.exchanges)).replaceAll('\\"', '"')
  for (const one of gone) expect(text).not.toContain(one)
  for (const one of stays) expect(text).toContain(one)
})

it('the same value has the same placeholder wherever it stands, so that it can be traced', () => {
  const page = asked('<form><input type="hidden" name="nonce" value="aB3dE5fG7h"></form>')
  const { trace } = cleaned([page, sent('nonce=aB3dE5fG7h&title=Rye')])
  expect(trace.exchanges.map(({ request, answer }) => `${answer.text} ${request.body}`)).toEqual([
    '<form><input type="hidden" name="nonce" value="SECRET.nonce"></form> null',
    'null nonce=SECRET.nonce&title=Rye',
  ])
})

it('an author releases what is no secret, and never what is', () => {
  const page = asked(
    '<form><input type="hidden" name="kind" value="question"><input type="hidden" name="csrf" value="aB3dE5fG7h"></form>',
  )
  const all = [page, sent('kind=question&csrf=aB3dE5fG7h')]
  expect(cleaned(all).releasable).toEqual([
    { placeholder: 'SECRET.kind', value: 'question', place: 'hidden field kind of GET /page' },
  ])
  const { trace } = cleaned(all, {}, ['question', 'aB3dE5fG7h'])
  expect(trace.exchanges[1]?.request.body).toBe('kind=question&csrf=SECRET.csrf')
})

it('cookies and storage are hidden in pages, but for words that pages use for other things', () => {
  const { trace } = cleaned([asked('<p class="dark">aB3dE5fG7h 1 k4Lm9Pq2Rs</p>')], {
    cookies: [
      ['sid', 'aB3dE5fG7h'],
      ['theme', 'dark'],
      ['seen', '1'],
    ],
    stored: [['state', '{"access":"k4Lm9Pq2Rs"}']],
  })
  expect(first(trace.exchanges).answer.text).toBe('<p class="dark">SECRET.sid 1 SECRET.state.2</p>')
})

it('a cookie that scripts send as a header is told by its name and placeholder, others not at all', () => {
  const { trace } = cleaned([sent('a=1', { 'x-csrftoken': 'aB3dE5fG7h' })], {
    cookies: [
      ['_csrf', 'aB3dE5fG7h'],
      ['sid', 'k4Lm9Pq2Rs'],
      ['theme', 'dark'],
    ],
  })
  expect(trace.cookies).toEqual([{ name: '_csrf', value: first(trace.exchanges).request.headers['x-csrftoken'] }])
  expect(JSON.stringify(trace)).not.toMatch(/aB3dE5fG7h|k4Lm9Pq2Rs/)
})

it('people are the same in all recordings, the author stays, and structure is nobody', () => {
  const page =
    '<a class="user" data-user="default">Ann Own</a><i class="author">Berta Bauer</i><b class="author">admin</b>'
  const [one, other] = [cleaned([asked(page)]), cleaned([asked(`${page}<p>Berta Bauer</p>`)])]
  const text = first(one.trace.exchanges).answer.text ?? ''
  expect(text).toContain('<a class="user" data-user="default">Ann Own</a>')
  expect(text).toContain('>admin<')
  const made = /class="author">([^<]+)</.exec(text)?.[1] ?? ''
  expect(made).toMatch(/^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u)
  expect(first(other.trace.exchanges).answer.text).toContain(`<p>${made}</p>`)
})

it('files of a form are left out, and a broken body is', () => {
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  const body =
    '--x\r\nContent-Disposition: form-data; name="photo"; filename="me.png"\r\n\r\nBYTES\r\n--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--x--\r\n'
  const { trace } = cleaned([sent(body, type), sent('{"a":', json)])
  expect(trace.exchanges[0]?.request.body).toMatch(/name="photo"; filename="file"\r\n\r\n\r\n--x[^]*hello/)
  expect(trace.exchanges[1]?.request.body).toBeNull()
})
