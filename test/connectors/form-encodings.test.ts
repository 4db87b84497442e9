import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filledForm, settings } from '../../connectors/runtime/forms/filled-form.ts'
import { formBody } from '../../connectors/runtime/forms/form-body.ts'
import { formBytes } from '../../connectors/runtime/forms/encode.ts'
import { pageForm } from '../../connectors/runtime/forms/page-form.ts'
import { send } from '../../connectors/runtime/http.ts'
import { written } from '../../connectors/runtime/message.ts'
import { UnknownShape } from '../../connectors/kit/wire.ts'
import { startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { listen } from '../support/listen.ts'

let running: RunningBrowser
let server: Server
let origin: string
let page: { readonly type: string; readonly bytes: Buffer } = { type: '', bytes: Buffer.alloc(0) }
let posted: ((body: Buffer) => void) | undefined

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === 'POST') void buffer(request).then((body) => posted?.(body))
    response.setHeader('content-type', page.type).end(request.method === 'POST' ? '' : page.bytes)
  })
  origin = `http://127.0.0.1:${await listen(server)}`
  running = await startBrowser()
})
afterAll(async () => {
  await running?.close()
  server?.closeAllConnections()
  server?.close()
})

const words =
  'Grüße, ćma, Привет, αβγ, 日本語, 中文字, 漢字, 한국어, ไทย, שלום, €’ — 😀\u{20bb7}～¥‾\\|~ a+b&c=d%20*-._'
const fields = '<input name=a><textarea name="ä">x</textarea><input type=hidden name=_charset_>'

/** The charset of the type, what stands in the page's head, the attributes of its form. */
interface Said {
  readonly type?: string
  readonly head?: string
  readonly attributes?: string
  readonly mark?: Buffer
}

const charsets = (
  'utf-8 iso-8859-1 us-ascii windows-1252 iso-8859-2 iso-8859-5 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-15 windows-1250 ' +
  'windows-1251 windows-1253 windows-1254 windows-1257 windows-874 koi8-r koi8-u macintosh ibm866 shift_jis euc-jp ' +
  'iso-2022-jp gbk gb2312 gb18030 big5 euc-kr nonsense'
).split(' ')
const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf])

const cases: readonly Said[] = [
  ...charsets.map((type) => ({ type, head: '<meta charset=utf-8>' })),
  { head: '<meta charset=windows-1251>' },
  { head: '<meta http-equiv=content-type content="text/html; charset=euc-kr">' },
  { head: '<meta charset=utf-16>' },
  { mark: utf8Mark },
  { type: 'iso-8859-1', mark: utf8Mark },
  { type: 'iso-8859-1', attributes: 'accept-charset=utf-8' },
  { type: 'utf-8', attributes: 'accept-charset="nonsense big5 utf-8"' },
  { type: 'koi8-r', attributes: 'accept-charset="nonsense"' },
  { type: 'koi8-r', attributes: 'accept-charset=""' },
  { type: 'koi8-r', attributes: 'accept-charset="iso-8859-2,utf-8"' },
  { type: 'utf-8', attributes: 'accept-charset=utf-16' },
  { type: 'koi8-r', attributes: 'accept-charset="UNKNOWN"' },
]
const multipart = ['iso-8859-1', 'shift_jis', 'iso-2022-jp', 'utf-8', 'gb18030'].map((type) => {
  return { type, attributes: 'enctype=multipart/form-data' }
})

test.each<Said>([...cases, ...multipart])('a form sends the bytes that Chromium sends: %j', async (said) => {
  const { type, head = '', attributes = '', mark = Buffer.alloc(0) } = said
  const html = `<!doctype html><head>${head}<title>T</title></head><form id=f method=post action=/to ${attributes}>${fields}</form>`
  const pageType = head !== '' && type === undefined ? '' : (type ?? '')
  const isOneByte = mark.length === 0 && pageType !== 'utf-8' && pageType !== 'nonsense'
  // The name of the text area is in the page's own encoding, as far as that has it.
  const bytes = formBytes(html, isOneByte && pageType !== '' ? pageType : 'UTF-8')
  page = { type: `text/html${type === undefined ? '' : `; charset=${type}`}`, bytes: Buffer.concat([mark, bytes]) }

  const tab = await running.browser.newPage()
  const theirs = new Promise<Buffer>((resolve) => (posted = resolve))
  try {
    await tab.goto(`${origin}/page`)
    await tab.locator('[name=a]').fill(words)
    await tab.evaluate(`document.getElementById('f').submit()`)
    const arrived = (await theirs).toString('latin1')

    const limits = { signal: AbortSignal.timeout(30_000), timedOut: () => true, ms: 30_000, maxBytes: 100_000 }
    const url = new URL('/page', origin)
    const read = await send({ url, method: 'GET', headers: {}, body: null }, limits)
    if (read.kind !== 'answer') throw new Error(read.kind)
    const at = { url, text: read.answer.text, type: read.answer.headers['content-type'] ?? '' }
    const found = pageForm(at, { selector: '#f' })
    const { entries } = filledForm(
      found.controls,
      settings(found.controls, { a: words }),
      { filled: new Set(), suggested: new Set() },
      () => null,
    )
    const body = formBody(entries, found, [])
    const rendered = { method: 'POST', url: `${origin}/to`, headers: { origin }, body, fills: [] } as const
    const ours = new Promise<Buffer>((resolve) => (posted = resolve))
    await send(written(rendered, [], { session: { cookies: [], user_agent: null }, cookie: '' }), limits)
    const boundary = /----WebKitFormBoundary\w+/g
    expect((await ours).toString('latin1').replaceAll(boundary, 'B')).toBe(arrived.replaceAll(boundary, 'B'))
  } finally {
    await tab.close()
  }
})

test('a page that does not say its encoding sends nothing but ASCII', () => {
  const found = pageForm(
    { url: new URL('http://app.example/'), text: '<form method=post><input name=a></form>', type: 'text/html' },
    { selector: 'form' },
  )
  expect(formBody([['a', 'x']], found, [])).toEqual({ form: [['a', 'x']] })
  expect(() => formBody([['a', 'ü']], found, [])).toThrow(new UnknownShape('the page does not say its encoding'))
})
