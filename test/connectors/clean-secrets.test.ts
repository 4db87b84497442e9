import { expect, it } from 'vitest'
import { clean } from '../../connectors/authoring/clean/clean.ts'
import { withoutSecrets } from '../../connectors/authoring/clean/nested.ts'
import type { RawExchange } from '../../connectors/authoring/clean/raw.ts'
import { placeholder } from '../../connectors/recordings/secrets.ts'

const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }
const plain = { 'content-type': 'text/plain' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const origin = 'https://shop.example.com'

function exchange(parts: { url?: string; type?: object; body?: string; answer?: Partial<RawExchange['answer']> }) {
  const headers = { ...parts.type } as Record<string, string>
  const request = { method: parts.body === undefined ? 'GET' : 'POST', url: origin + (parts.url ?? '/'), headers }
  const answer = { status: 200, headers: {}, text: null, ...parts.answer }
  return { at: 0, by: 'script', page: null, request: { ...request, body: parts.body ?? null }, answer } as RawExchange
}

function kept(one: RawExchange): string {
  const raw = { app: 'shop', name: 'order', origin: `${origin}/`, startedAt: '2026-11-23T00:00:00Z' }
  const { trace } = clean(
    { ...raw, cookies: [], stored: [], label: 'Own', exchanges: [one] },
    { released: new Set(), key: Buffer.alloc(32, 1) },
  )
  return JSON.stringify(trace.exchanges)
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const encoded = encodeURIComponent
const field = (value: string) => exchange({ type: form, body: new URLSearchParams({ q: value }).toString() })
const page = (text: string) => exchange({ answer: { headers: html, text } })
const words = (text: string) => exchange({ answer: { headers: plain, text } })
const data = (value: unknown) => exchange({ answer: { headers: json, text: JSON.stringify(value) } })

/** Each takes a secret of letters, as people choose them: nothing in it looks made by chance. */
const places: Readonly<Record<string, (secret: string) => RawExchange>> = {
  'JSON in a form field': (s) => field(JSON.stringify({ login: { password: s } })),
  'JSON in JSON in a form field': (s) => field(JSON.stringify({ a: JSON.stringify({ password: s }) })),
  'a list of JSON in a form field': (s) => field(JSON.stringify([{ pin: s }])),
  'a form in JSON': (s) => exchange({ type: json, body: JSON.stringify({ data: `user=a&password=${s}` }) }),
  'a form in a form': (s) => field(`user=a&passwd=${s}&x=1`),
  'JSON in base64 in JSON': (s) => data({ state: base64(JSON.stringify({ password: s })) }),
  'user and password in base64': (s) => field(base64(`ann:${s}`)),
  'base64 in an address': (s) => exchange({ url: `/x?state=${encoded(base64(`{"token":"${s}"}`))}` }),
  'percent-encoded JSON in JSON': (s) => data({ state: encoded(JSON.stringify({ secret: s })) }),
  'twice percent-encoded': (s) => exchange({ url: `/x?next=${encoded(encoded(`/y?token=${s}`))}` }),
  'an address in an address': (s) => exchange({ url: `/login?next=${encoded(`/x?token=${s}`)}` }),
  'a bare address in an address': (s) => exchange({ url: `/login?next=/x?token=${s}` }),
  'an address in an address in an address': (s) =>
    exchange({ url: `/a?next=${encoded(`/b?next=${encoded(`/c?session=${s}`)}`)}` }),
  'the fragment of an address in JSON': (s) => data({ url: `https://x.example/cb#access_token=${s}&x=1` }),
  'the sign-in of an address': (s) => data({ url: `https://ann:${s}@x.example/` }),
  Location: (s) => exchange({ answer: { headers: { location: `/x?next=${encoded(`/y?token=${s}`)}` } } }),
  Link: (s) => exchange({ answer: { headers: { link: `</items?page=2&token=${s}>; rel="next"` } } }),
  'Link with an encoded address': (s) =>
    exchange({ answer: { headers: { link: `</x?next=${encoded(`/y?token=${s}`)}>; rel="next"` } } }),
  GraphQL: (s) =>
    exchange({
      type: json,
      body: JSON.stringify({ query: `mutation { login(user: "ann", password: "${s}") { id } }` }),
    }),
  'GraphQL variables as text': (s) =>
    exchange({ type: json, body: JSON.stringify({ variables: JSON.stringify({ newPassword: s }) }) }),
  'GraphQL in an address': (s) => exchange({ url: `/g?query=${encoded(`{ login(password: "${s}") { id } }`)}` }),
  XML: (s) => words(`<?xml version="1.0"?><login><password>${s}</password></login>`),
  'XML with a prefix': (s) => words(`<w:login><w:Password type="text">${s}</w:Password></w:login>`),
  'XML attributes': (s) => words(`<login user="ann" password="${s}"/>`),
  CDATA: (s) => words(`<a><secret><![CDATA[${s}]]></secret></a>`),
  'named XML': (s) => words(`<fields><field name="password">${s}</field></fields>`),
  'named XML attributes': (s) => words(`<fields><param name="password" value="${s}"/></fields>`),
  'XML in JSON': (s) => data({ soap: `<login><password>${s}</password></login>` }),
  'XML in a form field': (s) => field(`<login><password>${s}</password></login>`),
  CSV: (s) => words(`user,password,city\nann,${s},Bonn\n`),
  'CSV with quotes': (s) => words(`user;password\r\n"ann";"${s}"\r\n`),
  tabs: (s) => words(`user\tpassword\nann\t${s}\n`),
  'CSV in JSON': (s) => data({ export: `id,token\n1,${s}\n` }),
  'CSV in a form field': (s) => field(`id,token\n1,${s}`),
  'named JSON': (s) => data([{ name: 'password', value: s }]),
  'keyed JSON': (s) => data({ fields: [{ key: 'api_key', value: s }] }),
  'JSON in an attribute': (s) => page(`<div data-props="{&quot;password&quot;:&quot;${s}&quot;}"></div>`),
  'JSON in a script': (s) => page(`<script>var a = "{\\"password\\":\\"${s}\\"}"</script>`),
  'a link of a page': (s) => page(`<a href="/reset?id=1&amp;token=${s}">Reset</a>`),
  'an encoded link of a page': (s) => page(`<a href="/in?next=${encoded(`/x?token=${s}`)}">In</a>`),
  'a data attribute': (s) => page(`<div data-token="${s}"></div>`),
  'a script': (s) => page(`<script>config = { authToken: '${s}' }</script>`),
  'a setting': (s) => words(`host=a\npassword=${s}\n`),
  words: (s) => words(`Your password: "${s}"`),
  'a part of a form': (s) =>
    exchange({
      type: { 'content-type': 'multipart/form-data; boundary=b' },
      body: `--b\r\nContent-Disposition: form-data; name="q"\r\n\r\n{"password":"${s}"}\r\n--b--\r\n`,
    }),
}

const wrapped = Object.entries(places).flatMap(([name, put]) =>
  ['hunterlike', 'correcthorse'].map((secret) => [name, secret, put(secret)] as const),
)

const said: readonly (readonly [name: string, secret: string, exchange: RawExchange])[] = [
  ...['4111111111111111', '4111 1111 1111 1111', '5500-0055-5555-5559', '378282246310005', '6011 1111 1111 1117'].map(
    (card) => ['a card number', card, words(`Paid with ${card}, thanks`)] as const,
  ),
  ['a card number in JSON', '4242424242424242', data({ note: { n: 4242424242424242 } })],
  ['a card number in a form', '4000056655665556', field('my card 4000056655665556')],
  ...[
    'DE89370400440532013000',
    'GB82 WEST 1234 5698 7654 32',
    'FR1420041010050500013M02606',
    'gb33bukb20201555555555',
  ].map((iban) => ['an IBAN', iban, words(`Send it to ${iban} by Monday`)] as const),
  ['an IBAN in JSON', 'NL91ABNA0417164300', data({ note: 'NL91ABNA0417164300' })],
  ...['cvv', 'cvc', 'card_cvv', 'securityCode', 'CVV2'].map((name) => [name, '739', data({ [name]: '739' })] as const),
  ['cvv as a number', '739', data({ cvv: 739 })],
  ['cvv in JSON in a form', '739', field('{"cvv":739}')],
  ['a card number by name', '123-45', data({ card_number: '123-45' })],
  ...[
    'Your code is 482913.',
    'Verification code: 482913',
    'Use the one-time passcode 482913 now',
    '482913 is your Shop login code',
    'Your PIN is 482913',
    'OTP: 482913',
  ].map((text) => ['a one-time code', '482913', words(text)] as const),
  ['a one-time code in two parts', '482 913', words('482 913 is your verification code')],
  ['a one-time code in a page', '482913', page('<p>Your security code is: <b>482913</b></p>')],
  ['a bearer token in words', 'abc1defgh', words('curl -H "Authorization: Bearer abc1defgh"')],
  ['a private key', 'MIIabc', data({ pem: '-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----' })],
  ['a JWT', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.x', words('see eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.x there')],
]

it('has at least 100 secrets', () => {
  expect(wrapped.length + said.length).toBeGreaterThanOrEqual(100)
})

it.each([...wrapped, ...said])('%s: %s is gone', (_name, secret, one) => {
  const text = kept(one)
  for (const way of [secret, encoded(secret), base64(secret).replace(/=+$/, ''), base64(`ann:${secret}`)])
    expect(text).not.toContain(way)
})

const innocent = [
  ...['Rye bread', 'Order 2031', '2026-11-27T10:00:00Z', '19.99', 'https://x.example/a?page=2&sort=name', '/items/42'],
  ...['user=ann&city=Bonn', 'a=1', '{"title":"Rye","count":2}', '["a","b"]', '<b>Rye</b>', '<item id="7">Rye</item>'],
  ...['id,name\n1,Rye\n2,Oat', 'name;price\nRye;3', 'Forgot your password?', 'Password: required', 'Token collection'],
  ...['Basic instinct', 'zip code 90210', 'Postal code: 10115', 'error code 40401', 'promo code 2026', 'Room 1204'],
  ...['1764201600000', '1234567890123456', '4111111111111112', '00000000000000', 'ISBN 978-3-16-148410-0'],
  ...['DE89 is a road', 'DE89370400440532013001', 'AB12 CDEF 1234 5678 90', 'GB82', '10:30', '12:30:45', 'key: value'],
  ...[
    'query { items(first: 10) { id title } }',
    'mutation { addItem(title: "Rye") { id } }',
    'width=100',
    'a&b',
    'x=y=z',
  ],
  ...['hello', 'overview', 'dashboard', 'settings', 'Größe', 'Łódź', '日本語', '50%', '100% rye', '%41', 'C:\\temp\\a'],
  ...['?page=2', '#top', 'next: /items?page=3', 'mail: a thing', 'ratio 16:9', '3 x 4 = 12', 'status=open;sort=asc'],
  ...['1.2.3', 'v2.10.0', 'IE11 and FF52', '<a href="/items?page=2&amp;sort=name">2</a>'],
]

it('almost no innocent value goes', () => {
  expect(innocent.length).toBeGreaterThanOrEqual(60)
  const gone = innocent.filter((value) => withoutSecrets(value, () => 'GONE') !== value)
  expect(gone).toEqual([])
})

it('the same value has the same placeholder wherever it stands, and cleaning twice changes nothing', () => {
  const text = kept(data({ a: '{"password":"hunterlike"}', b: '/x?password=hunterlike', password: 'hunterlike' }))
  expect(text.split(placeholder('password')).length - 1).toBe(3)
  const once = withoutSecrets('password=hunterlike&next=/x?token=abc', (name) => placeholder(name))
  expect(withoutSecrets(once, (name, value) => (value.startsWith('SECRET.') ? value : placeholder(name)))).toBe(once)
})

it.each([
  ['opening elements', '<password>'],
  ['labels', 'password: "'],
  ['escaped quotes', String.raw`\"token\":\"`],
  ['digits', '4111 '],
  ['letters', 'DE89 AAAA '],
  ['named fields', '<field name="password" '],
  ['addresses', '?next='],
  ['percent signs', '%2525'],
  ['code words', 'code is '],
  ['backslashes', '\\'],
])('many %s take time in proportion to their length', (_name, part) => {
  const timeOf = (size: number) => {
    const text = part.repeat(size / part.length)
    const began = performance.now()
    withoutSecrets(text, (name) => placeholder(name))
    return performance.now() - began
  }
  timeOf(20_000)
  // A quadratic pattern takes 64 times as long for 8 times as much.
  expect(timeOf(400_000)).toBeLessThan(24 * Math.max(timeOf(50_000), 10))
})
