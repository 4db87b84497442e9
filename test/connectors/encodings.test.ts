import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Type } from 'typebox'
import { endpoint } from '../../connectors/kit/define.ts'
import { elements } from '../../connectors/kit/html.ts'
import { bound, rawApp, shop, talk } from './local-app.ts'

const title = bound({
  read_title: endpoint({
    summary: 'Read a title.',
    label: 'Read a title',
    brief: [],
    access: 'read',
    request: 'GET /title',
    input: {},
    output: { title: Type.String() },
    answer: 'page',
    decode: (_fields, { page }) => ({ title: elements(page, 'h1')[0]?.text ?? '' }),
  }),
})('read_title')

/** Says exactly these bytes. */
function answered(body: Buffer, headers: Readonly<Record<string, string>>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 200 OK\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n`
  return rawApp((_request, socket) => void socket.write(Buffer.concat([Buffer.from(head), body])))
}

const json = Buffer.from('{"nr":"7","cost":12.5}')
const ok = { kind: 'ok', output: { item_id: '7', price: 12.5 } }
const changed = (rule: string) => ({ kind: 'changed', rule })

/** With a name of the file that it was, a comment and further bytes in its head. */
const named = (packed: Buffer): Buffer =>
  Buffer.concat([
    packed.subarray(0, 3),
    Buffer.from([4 + 8 + 16]),
    packed.subarray(4, 10),
    Buffer.from('\x03\x00abca.json\0none\0'),
    packed.subarray(10),
  ])

test.each<[string, Buffer, object]>([
  ['gzip', gzipSync(json), ok],
  ['X-GZip', gzipSync(json), ok],
  ['deflate', deflateSync(json), ok],
  ['deflate', deflateRawSync(json), ok],
  ['br', brotliCompressSync(json), ok],
  ['deflate, gzip', gzipSync(deflateSync(json)), ok],
  ['identity', json, ok],
  ['gzip', gzipSync(json).subarray(0, 20), changed('not the gzip that it is said to be')],
  ['compress', json, changed('packed in a way that is not known')],
  ['zstd', json, changed('packed in a way that is not known')],
  ['none', json, ok],
  ['', json, ok],
  ['UTF-8', json, ok],
  ['constructor', json, ok],
  ['none, gzip', gzipSync(json), ok],
  ['gzip', gzipSync(json).subarray(0, -8), ok],
  ['gzip', gzipSync(json).subarray(0, -3), ok],
  ['gzip', named(gzipSync(json)).subarray(0, -8), ok],
  ['gzip', gzipSync(json).subarray(0, -10), changed('not the gzip that it is said to be')],
  ['gzip', gzipSync(json).subarray(0, 8), changed('not the gzip that it is said to be')],
  ['deflate', deflateSync(json).subarray(0, -4), ok],
  ['deflate', deflateSync(json).subarray(0, -6), changed('not the deflate that it is said to be')],
  ['gzip', gzipSync(Buffer.alloc(50_000_000, 32)).subarray(0, -8), changed('more than 2 MiB')],
  ['gzip, gzip, gzip, gzip', json, changed('packed too many times')],
  ['gzip', gzipSync(Buffer.alloc(50_000_000, 32)), changed('more than 2 MiB')],
  ['br', brotliCompressSync(Buffer.alloc(50_000_000, 32)), changed('more than 2 MiB')],
  ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000, 32))), changed('more than 2 MiB')],
])('a body packed as %s although nobody asked for it is unpacked, up to the limit', async (encoding, body, outcome) => {
  await using app = await answered(body, { 'content-type': 'application/json', 'content-encoding': encoding })
  expect((await talk(app.origin, shop('read_item'), { item_id: '7' })).outcome).toEqual(outcome)
})

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const page = (head: string, bytes: string): Buffer => latin(`<!doctype html>${head}<h1>${bytes}</h1>`)
const utf8 = (text: string): string => Buffer.from(text).toString('latin1')
const html = 'text/html'

test.each<[string, string, Buffer, string]>([
  ['what the type says', `${html}; charset=windows-1251`, page('', '\xcf\xf0\xe8\xe2\xe5\xf2'), 'Привет'],
  ['what the type says in quotes', `${html};charset="KOI8-R"`, page('', '\xf0\xd2\xc9'), 'При'],
  ['the type before the page', `${html}; charset=utf-8`, page('<meta charset=koi8-r>', utf8('Привет')), 'Привет'],
  ['what the page says', html, page('<meta charset="Shift_JIS">', '\x93\xfa\x96\x7b'), '日本'],
  [
    'what the page says as older ones do',
    html,
    page('<meta http-equiv="Content-Type" content="text/html; charset=gb2312">', '\xd6\xd0'),
    '中',
  ],
  ['the mark before all else', `${html}; charset=koi8-r`, page('', utf8('é')), 'é'],
  ['windows-1252 where nothing is said', html, page('', 'Caf\xe9 \x80'), 'Café €'],
  ['windows-1252 where Latin-1 is said', `${html}; charset=iso-8859-1`, page('', '\x80'), '€'],
  ['the page where the type says nonsense', `${html}; charset=nonsense`, page('<meta charset=utf-8>', utf8('é')), 'é'],
  ['UTF-8 for a page that says UTF-16', html, page('<meta charset=utf-16>', utf8('é')), 'é'],
  ['the first 1,024 bytes only', html, page(`${' '.repeat(1100)}<meta charset=utf-8>`, utf8('é')), 'Ã©'],
  ['replacement characters for what is none', `${html}; charset=utf-8`, page('', 'a\xffb'), 'a\ufffdb'],
])('a page is read as browsers do: %s', async (_which, type, body, text) => {
  const marked = _which.startsWith('the mark') ? Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]) : body
  await using app = await answered(marked, { 'content-type': type })
  expect((await talk(app.origin, title, {})).outcome).toEqual({ kind: 'ok', output: { title: text } })
})

test('a page in UTF-16 is told by its mark', async () => {
  await using app = await answered(Buffer.from('\ufeff<h1>ő</h1>', 'utf16le'), { 'content-type': html })
  expect((await talk(app.origin, title, {})).outcome).toEqual({ kind: 'ok', output: { title: 'ő' } })
})

test.each<[string, string, Buffer, object]>([
  ['with a mark', 'application/json', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json]), ok],
  ['whatever else is said', 'application/json; charset=koi8-r', json, ok],
  [
    'and nothing else',
    'application/json; charset=iso-8859-1',
    latin('{"nr":"\xe9","cost":1}'),
    changed('JSON that is not UTF-8'),
  ],
])('JSON is UTF-8, %s', async (_how, type, body, outcome) => {
  await using app = await answered(body, { 'content-type': type })
  expect((await talk(app.origin, shop('read_item'), { item_id: '7' })).outcome).toEqual(outcome)
})
