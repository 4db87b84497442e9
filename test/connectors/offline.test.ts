import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withoutAttribute, withoutElements } from '../../connectors/recordings/markup.ts'
import { readRecording } from '../../connectors/recordings/read.ts'
import { record, saveRecording } from '../../connectors/recordings/record.ts'
import type { Recording } from '../../connectors/recordings/recording.ts'
import { requestText, writeRecording } from '../../connectors/recordings/write.ts'
import { open } from '../../scripts/connector/look.ts'
import { testConnector } from '../../scripts/connector/test.ts'
import { bookStall, stallFiles } from '../support/book-stall.ts'
import type { BookStall } from '../support/book-stall.ts'
import { shopPackage } from '../support/corner-shop.ts'
import type { ShopPackage } from '../support/corner-shop.ts'

let stall: BookStall
let source: ShopPackage
beforeAll(async () => {
  stall = await bookStall()
  source = await shopPackage(stallFiles(stall.host))
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await stall[Symbol.asyncDispose]()
})

const of = (recording: string): string => `recordings/${recording}.http`
const file = (name: string) => readFile(path.join(source.folder, name), 'utf8')
const recordings: readonly (readonly [endpoint: string, name: string, kind: string, input: object])[] = [
  ['list_books', 'success', 'success', {}],
  ['list_books', 'none', 'success', { tag: 'cars' }],
  ['list_books', 'signed-out', 'signed_out', {}],
  ['get_book', 'success', 'success', { book_id: 'b1' }],
  ['get_book', 'without-stars', 'success', { book_id: 'b2' }],
  ['get_book', 'signed-out', 'signed_out', { book_id: 'b1' }],
  ['get_book', 'not-found', 'not_found', { book_id: 'b9' }],
  ['add_note', 'success', 'success', { book_id: 'b1', note: 'Two\n\n=== loaves & a fish' }],
  ['add_note', 'signed-out', 'signed_out', { book_id: 'b1', note: 'Hello' }],
  ['add_note', 'refused', 'refused', { book_id: 'b1', note: 'Oh' }],
  ['add_note', 'not-found', 'not_found', { book_id: 'b9', note: 'Hello' }],
  ['like_book', 'success', 'success', { book_id: 'b1' }],
  ['like_book', 'signed-out', 'signed_out', { book_id: 'b1' }],
  ['like_book', 'refused', 'refused', { book_id: 'b2' }],
  ['like_book', 'not-found', 'not_found', { book_id: 'b9' }],
]

/** What `connector test` says of the folder, and how it ends. */
async function tested(): Promise<{ readonly passed: boolean; readonly said: string }> {
  const lines: string[] = []
  const passed = await testConnector(source.folder, undefined, (line) => lines.push(line))
  return { passed, said: lines.join('\n') }
}

type Change = readonly [file: string, from: string, to: string]

/** The same with files of the folder changed. */
async function testedWith(...changes: readonly Change[]) {
  const before = await Promise.all(
    [...new Set(changes.map(([name]) => name))].map(async (name) => [name, await file(name)] as const),
  )
  for (const [name, from, to] of changes) {
    const now = await file(name)
    expect(now).toContain(from)
    await source.write(
      name,
      now.replace(from, () => to),
    )
  }
  try {
    return await tested()
  } finally {
    for (const [name, content] of before) await source.write(name, content)
  }
}

it('what a connector and its app say to each other is kept as readable files, without secrets', async () => {
  using opened = await open(source.folder)
  for (const [name, as, kind, input] of recordings) {
    const endpoint = opened.app.endpoints.get(name)!
    const session = kind === 'signed_out' ? { cookies: [], user_agent: null } : stall.session
    const { text } = await record({
      app: opened.app,
      endpoint,
      session,
      kind,
      input: { ...input },
      site: { origin: `${stall.host}/` },
    })
    await saveRecording(source.folder, name, as, text)
    expect(text).not.toContain(stall.session.cookies[0]?.value)
  }
  const [head, input, page, form, ...answers] = (await file(of('add_note/success'))).split(
    /\n\n=== (?:input|request)\n/,
  )
  expect(head).toMatch(/^kind: success\norigin: .+\nnow: .+\ncookie: sid=SECRET.sid; domain=127.0.0.1; path=\/$/)
  expect(JSON.parse(String(input))).toEqual({ book_id: 'b1', note: 'Two\n\n=== loaves & a fish' })
  expect(page).toMatch(/^GET \/books\/b1\n\n=== answer\n200\n/)
  expect(page).toContain('set-cookie: seen=SECRET.sectok; Path=/')
  expect(page).toContain('name=sectok value="SECRET.sectok"')
  expect(form).toContain('POST /books/b1/notes')
  expect(form).toContain('note=Two%0A%0A%3D%3D%3D+loaves+%26+a+fish\n&sectok=SECRET.sectok')
  expect(form).toContain('302\nlocation: /books/b1?note=n1')
  expect(answers).toEqual([])
  // Also where nothing asks for it.
  expect(await file(of('get_book/success'))).toContain('name=sectok value="SECRET.')
  expect(await file(of('like_book/success'))).toContain('x-seen: SECRET.seen\n')
})

it('a connector that notices what it misses passes, run by one command', async () => {
  const script = path.join(import.meta.dirname, '../../scripts/connector.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'test', source.folder])
  expect(stdout).toMatch(/list_books\n {2}✓ none\n {2}✓ signed-out\n {2}✓ success\n {2}\d+ things taken away/)
  expect(stdout).toMatch(/15 recordings, \d\d things taken away: all as it should be/)
})

const code = 'index.ts'
type Fault = readonly [...Change, said: string]

/** Each is told of; `more`: and what they lead to. */
async function tellsOf(faults: readonly Fault[], more: number): Promise<void> {
  const { passed, said } = await testedWith(...faults.map(([name, from, to]): Change => [name, from, to]))
  for (const [, , , wanted] of faults) expect(said).toContain(wanted)
  expect(said).toContain(`: ${faults.length + more} faults`)
  expect(passed).toBe(false)
}

it('one that takes what is gone for nothing fails, and is told what it did not miss', async () => {
  await tellsOf(
    [
      [
        code,
        ".all('.book', { emptyWhen: '.none' })",
        ".any('.book')",
        'success without .book: $.books is an empty list, not 2 entries',
      ],
      [
        code,
        "book.all('.tag')",
        "book.any('.tag')",
        'success without .tag: $.books[*].tags is an empty list, not 2 entries',
      ],
      [
        code,
        "book.attribute('data-id')",
        "book.attributeOrNull('data-id') ?? ''",
        'success without data-id of .book: $.books[*].book_id is an empty text',
      ],
      [
        code,
        "stars: fields(rating)['stars']",
        "stars: fields(rating)['stars'] ?? 0",
        'success without $.rating.stars of a script: $.stars is 0',
      ],
      [
        code,
        'const { part, query } =',
        "if (!location.includes('note=')) throw new AppRefused('there_already', 'There.')\n    const { part, query } =",
        'success without note of location of answer 2: it says that the app refused (there_already)',
      ],
    ],
    1,
  )
})

it('one that asks or answers otherwise than recorded fails, and is shown the difference', async () => {
  await tellsOf(
    [
      [
        code,
        'form: { note }',
        'form: { text: note }',
        '      - note=Two%0A%0A%3D%3D%3D+loaves+%26+a+fish\n      + text=Two',
      ],
      [code, "select(page, 'h1').text()", "select(page, 'h1').text() + '!'", '      +   "title": "Dead Souls!",'],
    ],
    2,
  )
})

it('recordings with secrets in them are refused, and what they are to show is demanded', async () => {
  const [success, refused] = [of('add_note/success'), of('add_note/refused')]
  await tellsOf(
    [
      [
        of('get_book/success'),
        'cookie: sid=SECRET.sid',
        'cookie: sid=f00ba4',
        'success.http:4: the cookie sid has its secret in it',
      ],
      [
        of('list_books/none'),
        'set-cookie: seen=SECRET.seen',
        'set-cookie: seen=f00ba4',
        'none.http:17: the cookie seen has its secret',
      ],
      [
        of('get_book/without-stars'),
        'name=sectok value="SECRET.',
        'name=sectok value="f00ba4f00ba4f00ba4.',
        'answer 1 has a token in it',
      ],
      [success, '&sectok=SECRET.sectok', '&sectok=f00ba4', 'request 2 has a token in it'],
      [refused, 'kind: refused', 'kind: shy', 'no recording shows refused'],
      [
        of('get_book/not-found'),
        '"kind": "rejected"',
        '"kind": "auth_expired"',
        'not-found.http:22: not_found is expected to end as',
      ],
    ],
    1,
  )
})

it('what may be missing is declared in one place, with its reason, and nothing that is there', async () => {
  const declare = (declared: object) => source.write('recordings/declared.json', JSON.stringify(declared))
  const why = 'Nothing says that a book has no tags.'
  await declare({ empty: { list_books: { '$.books[*].tags': why } } })
  const sloppy = await testedWith([code, "book.all('.tag')", "book.any('.tag')"])
  expect(sloppy.said).toContain('all as it should be')
  await declare({
    empty: { list_books: { '$.books[*].tags': why } },
    missing: { get_book: { not_found: why }, get_books: { success: why } },
  })
  const { said } = await tested()
  expect(said).toContain('recordings/declared.json says $.books[*].tags of it, which is not so')
  expect(said).toContain('recordings/declared.json says not_found of it, which is not so')
  expect(said).toContain('there is no endpoint get_books')
  await declare({ missing: { get_book: { not_found: '' } } })
  await expect(tested()).rejects.toThrow('declared.json: it says {')
})

it.each([
  ['a body that looks like another section', 'a\n\n=== answer\n200\n\\=== b\n\n'],
  ['lines as Windows ends them', '\r\n\r\n=== request\r\nx\r\n'],
  ['nothing', ''],
])('a recording is read as it was written, with %s', (_, body) => {
  const url = new URL('https://shop.example.com/orders?q=%20a')
  const recording: Recording = {
    kind: 'success',
    origin: 'https://shop.example.com/',
    now: new Date(0),
    session: { cookies: [], tokens: { access: 'SECRET.access' } },
    input: { text: body },
    steps: [
      {
        request: { method: 'POST', url, headers: { 'content-type': 'text/plain', 'x-own': 'a: b' }, body },
        answer: { status: 200, headers: { 'content-type': 'text/plain' }, setCookies: ['a=; Max-Age=0'], text: body },
      },
    ],
    expected: { kind: 'ok', output: { text: body } },
  }
  const text = writeRecording(recording)
  const again = readRecording(text)
  expect({
    ...again,
    steps: again.steps.map(({ request, answer }) => ({ request: { ...request, body: request.body ?? '' }, answer })),
  }).toEqual(recording)
  expect(writeRecording(again)).toBe(text)
})

it('what is sent in several parts is told as text, and other bytes by their hash', () => {
  const url = new URL('https://shop.example.com/orders')
  const told = (body: Buffer) =>
    requestText({ method: 'POST', url, headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body }, url.href)
  const text = told(Buffer.from('--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nЖук\r\n--b--\r\n'))
  expect(text).toBe(
    'POST /orders\ncontent-type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name="note"\n\nЖук\n--b--\n',
  )
  expect(told(Buffer.from([0xff, 0x00]))).toMatch(/\n\n2 bytes, sha256 [0-9a-f]{64}$/)
})

// The `html`, `head` and `body` that no tag opens count, too.
it.each([
  ['<ul><li>a<li>b</ul><p>c', [4], '<ul><li>b</ul><p>c'],
  ['<ul><li>a<li>b</ul><p>c', [5], '<ul><li>a</ul><p>c'],
  ['<p>a<div>b</div>c', [3], '<div>b</div>c'],
  ['<i>a<br>b<img src=">">c</i>', [4, 5], '<i>abc</i>'],
  ['<a><b>x</b></a>y<b>z', [3, 4, 5], 'y'],
  ['<script>"<b>"</script><b>c</b>', [4], '<script>"<b>"</script>'],
  ['<table class=t><tr><td>a<tr><td>b</table>c', [4], '<table class=t></table>c'],
  ['<table><tr><td>a</table>c<i>d', [3, 7], 'c'],
  ['<table><tr><td>a</td></tr>c<i>d</i></table>', [3], '<table><tr><td>a</td></tr>c</table>'],
  [
    '<noscript><b>a</b></noscript><template><b>b</b></template><b>c</b>',
    [5],
    '<noscript><b>a</b></noscript><template><b>b</b></template>',
  ],
] as const)('of %s the elements %j are taken away as they stand', (page, counted, left) => {
  expect(withoutElements(page, new Set(counted))).toBe(left)
})

it.each([
  ['<a href="x>y" id=1 HREF2=2>z</a>', 'href', '<a id=1 HREF2=2>z</a>'],
  ["<input value='a href=b' disabled/>", 'disabled', "<input value='a href=b'/>"],
  ['<a data-x="a id=3" ID = 3>', 'id', '<a data-x="a id=3">'],
])('of %s the attribute %s is taken away, and no other', (page, attribute, left) => {
  expect(withoutAttribute(page, new Set([3]), attribute)).toBe(left)
})
