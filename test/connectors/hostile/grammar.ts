import { connector } from '../../../connectors/kit/define.ts'
import type { ConnectorSpec } from '../../../connectors/kit/define.ts'
import { fileKey } from '../../../connectors/kit/files.ts'
import { benign, hostile, lineOf, js } from './drafts.ts'
import type { Draft } from './drafts.ts'
import { Random } from './random.ts'
import { sourceOf } from './sources.ts'
import { headerNames, labels } from './words.ts'

export interface HostileCase {
  readonly number: number
  /** Of its endpoint. */
  readonly name: string
  /** Its definition, as JavaScript. */
  readonly source: string
  readonly input: Readonly<Record<string, unknown>>
  /** Nothing in it is a reason to refuse it: it has to be sent. */
  readonly isBenign: boolean
}

/** Cases of one connector: they share what a connector says once. */
export interface Batch {
  readonly cases: readonly HostileCase[]
  /** The bundle, of these of them. */
  bundle(origin: string, cases: readonly HostileCase[]): string
}

export const perBatch = 20
/** An input of each: the file that the call was accepted with. */
export const photo = {
  address: 'https://files.example/a.png',
  name: 'a.png',
  type: 'image/png',
  bytes: Buffer.from('\u0089PNG\r\n--x', 'latin1'),
} as const
const photoSchema = { type: 'string', format: 'uri', [fileKey]: { types: ['image/png'], maxBytes: 1000 } }

/** `wanted`: of its cases, those alone. */
export function batchOf(batch: number, wanted: (one: HostileCase) => boolean = () => true): Batch {
  const r = new Random(1_000_000 + batch)
  const calm = batch % 4 === 0
  const head = calm ? benignHead : headOf(r)
  const cases = Array.from({ length: perBatch }, (_, at) => caseOf(batch * perBatch + at, calm))
  return {
    cases: cases.filter(wanted),
    bundle: (origin, own) =>
      `const state = { n: 0 }\nexport default { name: 'Hostile', description: 'D.', role: 'owner', ...${js(connector({} as ConnectorSpec))}, origin: ${js(`${origin}/shop/`)},
${head(origin)}\nendpoints: [{\n${own.map(({ name, source }) => `${name}: ${source}`).join(',\n')} }] }`,
  }
}

const benignHead = (origin: string): string =>
  `hosts: { own: ${js(`${origin}/shop/`)} }, signIn: { page: 'in', who: { page: 'me', account: () => null } }, things: {}, pacing: { perApp: 100, perAccount: 100 }, failure: () => undefined,`

function headOf(r: Random): (origin: string) => string {
  const authorize = r.chance(0.3)
    ? `authorize: [{ header: ${js(r.chance(0.6) ? 'authorization' : r.pick(r.chance(0.8) ? ['x-token', 'x-user'] : headerNames))}, token: 'access', scheme: ${js(r.chance(0.95) ? r.pick(['Bearer', '', 'Basic']) : 'x\r\ny')} }],`
    : ''
  const csrf = r.chance(0.3) ? `csrf: ${sourceOf(r)},` : ''
  const failure = r.pick([
    ...Array<string>(6).fill('() => undefined'),
    '({ text }) => (state.n += 1, undefined)',
    '(a) => a.status > 300 ? { kind: "auth_expired" } : undefined',
    '() => ({ kind: "changed", rule: "\u001b[2J" })',
    '() => { throw new Error("x") }',
    '() => "odd"',
  ])
  const label = js(r.pick(labels))
  const renew = r.chance(0.3) ? `renew: ${renewOf(r)},` : ''
  return (
    origin,
  ) => `signIn: { page: 'in', who: { page: 'me', account: () => ({ id: '1', label: ${label} }) }, storage: ['access', 'refresh'] },
things: { item: { label: ${label}, toldBy: [], title: ['name'], facts: [] } }, hosts: { own: ${js(`${origin}/shop/`)} },
${authorize} ${csrf} ${renew} pacing: { perApp: 100, perAccount: 100 }, failure: ${failure},`
}

function renewOf(r: Random): string {
  const odd = [
    'password: { token: "sid" }',
    "grant_type: 'password'",
    "item: 'gold', quantity: '100'",
    "client_id: 'x&item=gold'",
  ]
  const constant = r.pick(r.chance(0.9) ? ["grant_type: 'refresh_token'", "client_id: 'shop'"] : odd)
  const token = r.chance(0.8) ? 'refresh' : 'access'
  const at = r.pick(r.chance(0.9) ? ['/token', '/orders/buy'] : ['/../token', '//evil.example/x'])
  return `{ request: ${js(`POST ${at}`)}, ${r.pick(['form', 'json'])}: { refresh_token: { token: ${js(token)} }, ${constant} }, gives: { access: 'access_token' } }`
}

/** `calm`: nothing that its connector says of all requests disturbs it. */
function caseOf(number: number, calm: boolean): HostileCase {
  const r = new Random(number)
  const isBenign = calm && r.chance(0.5)
  const name = `e${number}`
  const draft = isBenign ? benign(r) : hostile(r)
  const input = {
    id: isBenign || r.chance(0.9) ? 'a1' : r.pick(ids),
    to: 'alice@example.com',
    note: r.pick(['Hello', 'a\nb', 'x=1&y', '\u202ex']),
    ...(draft['access'] !== js('read') && { photo: photo.address }),
  }
  return { number, name, input, isBenign, source: endpoint(r, draft) }
}

const ids = ['a b', 'é', '..', 'a/b', 'a%2fb', '', 'a?b=c', 'a#b', '%2e%2e', 'a;b', '\u0000', '@evil', '//x']

function endpoint(r: Random, draft: Draft): string {
  const text = { type: 'string' }
  const isRead = draft['access'] === js('read')
  const properties = {
    id: text,
    to: text,
    note: { type: 'string', description: 'N' },
    ...(isRead ? {} : { photo: photoSchema }),
  }
  const input = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  const output = { type: 'object', properties: {}, required: [], additionalProperties: false }
  const usual: Draft = {
    ...{
      summary: "'S.'",
      label: "'Send'",
      brief: '[]',
      effect: "'changes'",
      shownBy: '[]',
      preview: '[]',
      verify: 'null',
    },
    ...{
      access: "'write'",
      confirm: 'true',
      credits: '1',
      line: lineOf('POST', '/send/{id}'),
      host: 'null',
      segments: '{}',
    },
    ...{
      input: js(input),
      output: js(output),
      answer: "'json'",
      failure: 'null',
      after: 'null',
      afterAnswer: js(r.pick(['json', 'page'])),
    },
    ...{ csrf: 'null', before: 'null', form: 'null', volatile: '[]', decode: '() => ({})' },
  }
  return `{ ${Object.entries({ ...usual, ...draft })
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`
}
