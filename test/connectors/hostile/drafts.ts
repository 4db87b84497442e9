import { authorFunction, partsOf } from './author.ts'
import type { Random } from './random.ts'
import { benignSource, sourceOf } from './sources.ts'
import { fieldNames, labels, texts } from './words.ts'

export const js = (value: unknown): string => JSON.stringify(value)

/** Fields of an endpoint, as JavaScript. */
export type Draft = Readonly<Record<string, string>>

export function benign(r: Random): Draft {
  const encode = r.pick([
    '{ form: { to: i.to, note: i.note } }',
    '{ json: { to: i.to, note: i.note }, headers: { "x-shop": "1" } }',
    '{ multipart: { to: i.to, photo: i.photo } }',
    '{ file: i.photo, query: { to: i.to } }',
  ])
  const form = `{ page: ${lineOf('GET', '/page/{id}')}, query: {}, selector: '#f', set: (i) => ({ to: i.to }), submit: { name: 'go', value: '1' }, fields: ['note'], volatile: ['csrf'], suggested: [], labels: {} }`
  const before = `{ page: { request: 'GET /page/{id}', answer: 'json' } }`
  return r.pick<Draft>([
    { encode: `(i, c) => (${encode})` },
    { encode: `(i, c) => ({ form: { to: i.to } })`, csrf: benignSource },
    { encode: '() => ({})', form },
    { encode: `(i, c) => ({ json: { to: i.to, of: c.before.page.csrf } })`, before },
  ])
}

export function hostile(r: Random): Draft {
  const draft: Record<string, string> = { encode: authorFunction(r, partsOf(r)) }
  const method = r.pick(['POST', 'POST', 'POST', 'POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'GET'])
  const isRead = method === 'GET' || r.chance(0.05)
  draft['access'] = js(isRead ? 'read' : 'write')
  draft['effect'] = isRead ? 'null' : "'changes'"
  draft['confirm'] = String(r.chance(0.5))
  draft['line'] = lineOf(method, r.pick(paths))
  if (r.chance(0.08)) draft['segments'] = `{ id: ${authorFunction(r, r.pick(segments), 'i, c')} }`
  if (r.chance(0.35)) draft['csrf'] = sourceOf(r)
  if (r.chance(0.25)) draft['volatile'] = `[${r.some(1, 3, () => sourceOf(r)).join(', ')}]`
  if (r.chance(0.25)) draft['before'] = beforeOf(r)
  if (method === 'POST' && r.chance(0.15)) Object.assign(draft, formOf(r))
  if (r.chance(0.1)) draft['answer'] = js(r.pick(['json', 'page', 'redirect']))
  if (r.chance(0.1))
    draft['after'] =
      draft['answer'] === '"redirect"' ? "'location'" : lineOf(r.chance(0.9) ? 'GET' : 'POST', '/page/{id}')
  if (r.chance(0.1)) draft['failure'] = '(a) => ({ kind: "rejected", appCode: "x", appMessage: "\u001b[2J" })'
  if (r.chance(0.1)) draft['decode'] = authorFunction(r, '{}')
  if (r.chance(0.1)) draft['host'] = js(r.chance(0.9) ? 'own' : 'other')
  if (r.chance(0.1)) draft['label'] = js(r.pick(labels))
  if (r.chance(0.01)) draft['verify'] = `{ read: ${js(r.pick(['e1', 'none']))}, same: { to: 'to' } }`
  if (r.chance(0.01))
    draft['preview'] = `[{ of: 'id', read: ${js(r.pick(['e1', 'none']))}, shows: ['x'], matters: [] }]`
  return draft
}

const paths = [
  ...Array<string>(8).fill('/send/{id}'),
  ...['/send/{id}/{id}', '/{id}', '/send/{note?}/x', '/send/../{id}', '/%2e%2e/{id}'],
]
const segments = [
  'i',
  'i + "/.."',
  '"../x"',
  '["a", "b"]',
  '{ freeText: i + "/x" }',
  '"%2f"',
  '"a?b=" + i',
  '"\\ud800"',
  '7',
]

export function lineOf(method: string, path: string): string {
  const named = Array.from(path.matchAll(/\{([^}]*)\}/g), ([, name = '']) => name)
  const bare = (name: string): string => name.replace(/\?$/, '')
  const optional = named.filter((name) => name.endsWith('?')).map(bare)
  return js({ method, path, names: named.map(bare), optional })
}

function beforeOf(r: Random): string {
  let pages = 0
  const page = (): string => {
    const chained = pages++ > 0 && r.chance(0.3)
    const request = chained
      ? 'GET /x/{p0.csrf}'
      : r.chance(0.03)
        ? 'POST /search'
        : r.pick(['GET /page/{id}', 'GET /page/{id}', 'GET /page/x', 'GET /flip/x', 'GET /redir/x'])
    const take = r.chance(0.5)
      ? `, take: ${authorFunction(r, `{ csrf: f.csrf, at: ${r.pick(texts.slice(5))} }`, 'f, c', 'const i = c.input;')}`
      : ''
    const encode = r.chance(0.4) ? `, encode: ${authorFunction(r, partsOf(r))}` : ''
    return `{ request: ${js(request)}${request.startsWith('POST') ? ', harmless: true' : ''}, answer: ${js(r.pick(['json', 'page']))}${take}${encode} }`
  }
  return `{ ${r
    .some(1, 3, page)
    .map((one, at) => `p${at}: ${one}`)
    .join(', ')} }`
}

function formOf(r: Random): Draft {
  const set = r.some(
    0,
    3,
    () =>
      `${js(r.pick(['to', 'note', 'amount', 'color', 'agree', 'csrf', 'bcc', 'none']))}: ${r.pick([...texts, '["a", "b"]', 'null', 'true'])}`,
  )
  const volatile = js(r.some(0, 2, () => r.pick(['csrf', 'to', 'note', 'sid', ...fieldNames.slice(0, 3)])))
  const page = lineOf('GET', r.pick(['/page/{id}', '/page/{id}', '/flip/{id}']))
  const submit = r.pick(['null', "{ name: 'go' }", "{ name: 'go', value: '2' }", "{ name: 'evil', value: 'x' }"])
  return {
    line: lineOf('POST', r.chance(0.85) ? '/send/{id}' : '/other/{id}'),
    encode: '() => ({})',
    form: `{ page: ${page}, query: ${r.pick(['{}', '{ evil: "1" }', '{ of: "{id}" }'])}, selector: ${js(r.pick(['#f', '#f', 'form', '#g']))}, set: ${authorFunction(r, `{ ${set.join(', ')} }`)}, submit: ${submit}, fields: ${r.pick(['null', '["to"]'])}, volatile: ${volatile}, suggested: ${r.pick(['[]', '["note"]'])}, labels: ${r.pick(['{}', '{ bcc: "to" }', '{ note: "to" }'])} }`,
  }
}
