import { createHash } from 'node:crypto'
import type { Bytes, HostileApp } from './server.ts'
import { sessionCookies } from './server.ts'
import { fieldText } from './page.ts'
import type { Shown, ShownFill } from './page.ts'

type Pair = readonly [name: string, value: string]

/** What every request has of the connection, of the browser and of the session, and the only values that it may have. */
const fixed: Readonly<Record<string, RegExp>> = {
  connection: /^(close|keep-alive)$/,
  'content-length': /^\d+$/,
  'user-agent': /^Hostile\/1$/,
  'accept-language': /^pt$/,
  'accept-encoding': /^gzip, deflate, br$/,
  'upgrade-insecure-requests': /^1$/,
  'sec-fetch-dest': /^(document|empty)$/,
  'sec-fetch-mode': /^(navigate|cors)$/,
  'sec-fetch-site': /^(none|same-origin|same-site)$/,
  'sec-fetch-user': /^\?1$/,
}

/** Each header that is not as it must be, of a request that nobody is shown. */
export function strayHeaders(app: HostileApp, { headers, method }: Bytes, authorize: readonly Pair[]): readonly Pair[] {
  const counts = Map.groupBy(headers, ([name]) => name.toLowerCase())
  const isStray = ([given, value]: Pair): boolean => {
    const name = given.toLowerCase()
    if ((counts.get(name)?.length ?? 0) > 1) return true
    if (name === 'host') return `http://${value}` !== app.origin
    if (name === 'cookie') return !areCookies(app, value)
    if (name === 'origin') return value !== app.origin
    if (authorize.some(([header, token]) => header === name && value === token)) return false
    if (Object.hasOwn(fixed, name)) return fixed[name]?.test(value) !== true
    return protectedName.test(name) || (method === 'GET' && name === 'content-type')
  }
  return headers.filter(isStray)
}

const protectedName =
  /^(authorization|cookie2|set-cookie|te|trailer|transfer-encoding|upgrade|expect|via|date|dnt|keep-alive|from|forwarded|content-encoding|x-forwarded-.*|x-http-method.*|x-method-override|x-original-url|x-rewrite-url|x-real-ip|proxy-.*|sec-.*|access-control-.*|accept-charset)$/

function areCookies(app: HostileApp, value: string): boolean {
  const known = new Set(
    [...Object.entries(sessionCookies), ...app.served.flatMap(({ cookies }) => cookies)].map(([n, v]) => `${n}=${v}`),
  )
  return value.split('; ').every((one) => known.has(one))
}

/** What left and is not on the page, and what is on the page and did not leave. Empty: they say the same. */
export function differences(
  app: HostileApp,
  bytes: Bytes,
  shown: Shown,
  authorize: readonly Pair[],
): readonly string[] {
  const found: string[] = []
  const differ = (what: string, detail = ''): void => void found.push(`${what}: ${detail.slice(0, 200)}`)
  if (bytes.method !== shown.method) differ('method', `${bytes.method} for ${shown.method}`)
  if (`${app.origin}${bytes.target}` !== shown.url) differ('address', `${bytes.target} for ${shown.url}`)
  const fills = [...shown.fills]
  const isFilled = (is: ShownFill['is'], name: string, value: string): boolean => {
    const same = (one: string): boolean =>
      is === 'header' ? one.toLowerCase() === name.toLowerCase() : one === plainBreaks(name)
    const at = fills.findIndex((one) => one.is === is && same(one.name))
    const [fill] = at < 0 ? [] : fills.splice(at, 1)
    if (fill === undefined) return false
    const isToken = is === 'header' && authorize.some(([header, token]) => same(header) && token === value)
    if (!isToken && !givenOut(app).has(value)) differ('filled with what no page gives out', `${name}: ${value}`)
    return true
  }
  const left = [...shown.headers]
  for (const [name, value] of bytes.headers) {
    const at = left.findIndex(([own, is]) => own.toLowerCase() === name.toLowerCase() && is.trim() === value)
    if (at >= 0) left.splice(at, 1)
    else if (!isUsual(app, name.toLowerCase(), value) && !isFilled('header', name, value))
      differ('header not shown', `${name}: ${value}`)
  }
  for (const [name, value] of left) differ('header not sent', `${name}: ${value}`)
  for (const one of strayHeaders(app, bytes, authorize)) differ('protected header', one.join(': '))
  compareBody(bytes, shown, { differ, isFilled: (name, value) => isFilled('field', name, value) })
  for (const { is, name } of fills) differ('fill not sent', `${is} ${name}`)
  return found
}

/** All that a page of the app gave out, but for what signs in. */
function givenOut(app: HostileApp): ReadonlySet<string> {
  const signIn = new Set<string>([sessionCookies.sid, sessionCookies.remember])
  const found = app.served.flatMap(({ text, cookies }) => [
    ...Array.from(text.matchAll(/="([^"]*)"|"(?:csrf|bcc)":"([^"]*)"/g), ([, a, b]) => a ?? b ?? ''),
    ...cookies.map(([, value]) => value),
  ])
  return new Set([...found, sessionCookies['XSRF-TOKEN']].filter((value) => !signIn.has(value)))
}

function isUsual(app: HostileApp, name: string, value: string): boolean {
  if (name === 'host') return `http://${value}` === app.origin
  if (name === 'cookie') return areCookies(app, value)
  return Object.hasOwn(fixed, name) && fixed[name]?.test(value) === true
}

interface Found {
  readonly differ: (what: string, detail?: string) => void
  readonly isFilled: (name: string, value: string) => boolean
}

function compareBody(bytes: Bytes, { body }: Shown, { differ, isFilled }: Found): void {
  const left = [...body]
  for (const { text, name, value } of bytes.body.length === 0 ? [] : sentFields(bytes)) {
    const at = left.findIndex((line) => line === text || withoutName(line) === text)
    if (at >= 0) left.splice(at, 1)
    else if (name === undefined || !isFilled(name, value ?? '')) differ('field not shown', text)
  }
  for (const one of left) differ('field not sent', one)
}

interface SentField {
  /** In the words of a page. */
  readonly text: string
  readonly name?: string
  readonly value?: string
}

function field(name: string, value: string): SentField {
  return { name, value, text: fieldText(plainBreaks(name), plainBreaks(value)) }
}

function sentFields({ headers, body }: Bytes): readonly SentField[] {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const boundary = /^multipart\/form-data; boundary=(.*)$/.exec(type)?.[1]
  if (type.startsWith('application/x-www-form-urlencoded'))
    return [...new URLSearchParams(body.toString())].map(([name, value]) => field(name, value))
  if (boundary !== undefined) return partsOf(body, boundary)
  return [{ text: type.startsWith('application/json') ? body.toString() : fileText('', type, body) }]
}

/** Of a file that is a body itself nothing says what it is called. */
const withoutName = (line: string): string => line.replace(/^\[file .*?, (?=[a-z]+\/)/, '[file , ')

const plainBreaks = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

function fileText(name: string, type: string, bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return `[file ${name}, ${type}, ${bytes.length} bytes, SHA-256 ${hash}]`
}

function partsOf(body: Buffer, boundary: string): SentField[] {
  const parts = body.toString('latin1').split(`--${boundary}\r\n`).slice(1)
  return parts.map((part) => {
    const end = part.indexOf('\r\n\r\n')
    const head = Buffer.from(part.slice(0, end), 'latin1').toString()
    const bytes = part.slice(end + 4).replace(new RegExp(`\r\n(?:--${boundary}--\r\n)?$`), '')
    const content = Buffer.from(bytes, 'latin1')
    const name = plainBreaks(unquoted(/; name="([^"]*)"/.exec(head)?.[1] ?? ''))
    const file = /; filename="([^"]*)"/.exec(head)?.[1]
    if (file === undefined) return field(name, content.toString())
    const type = /content-type: ([^\r\n]*)/i.exec(head)?.[1] ?? ''
    return { text: fieldText(name, file === '' ? '[no file]' : fileText(unquoted(file), type, content), true) }
  })
}

/** As browsers write names. */
function unquoted(text: string): string {
  return text.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')
}
