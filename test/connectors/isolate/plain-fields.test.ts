import { describe, expect, it } from 'vitest'
import { connectors } from '../../../connectors/apps.ts'
import { checkPlainFields } from '../../../connectors/isolate/plain-fields.ts'
import type { ConnectorSpec, EndpointDefinition } from '../../../connectors/kit/define.ts'

/** As it comes out of an isolate, without its functions. */
function plain(slug: string): ConnectorSpec {
  const loaded = connectors[slug]
  if (loaded === undefined || 'broken' in loaded) throw new Error(`${slug} does not load`)
  return JSON.parse(JSON.stringify(loaded.spec)) as ConnectorSpec
}

function crm(fields: object, ofEndpoint: object): ConnectorSpec {
  const spec = plain('crm')
  const changed = ([name, one]: [string, EndpointDefinition]) => [
    name,
    name === 'send_invoice' ? { ...one, ...ofEndpoint } : one,
  ]
  const endpoints = spec.endpoints.map((file) => Object.fromEntries(Object.entries(file).map(changed)) as typeof file)
  return { ...spec, endpoints, ...fields }
}

describe('what an added connector says of itself', () => {
  it.each(Object.keys(connectors))('%s would be taken', (slug) => {
    expect(() => checkPlainFields(plain(slug))).not.toThrow()
  })

  it.each<[what: string, ofEndpoint: object, fields?: object]>([
    ['credits', { credits: -3 }],
    ['credits', { credits: 0.5 }],
    ['credits', { credits: '3' }],
    ['confirm', { confirm: 'no' }],
    ['access', { access: 'none' }],
    ['brief.0', { brief: [{}] }],
    ['label', { label: 7 }],
    ['preview.0.shows', { preview: [{ of: 'id', read: 'get_invoice', shows: 'all', matters: [] }] }],
    ['line', { line: { method: 'POST', path: '/a/{b}', names: [], optional: [] } }],
    ['pacing.perAccount', {}, { pacing: { perApp: 1, perAccount: 0 } }],
    ['signIn', {}, { signIn: { page: 'sign-in' } }],
  ])('a wrong %s is refused: %o', (what, ofEndpoint, fields = {}) => {
    expect(() => checkPlainFields(crm(fields, ofEndpoint))).toThrow(`says ${what} of `)
  })

  it.each([
    ['no path', { method: 'POST', path: 'a', names: [], optional: [] }],
    ['another method', { method: 'post', path: '/a', names: [], optional: [] }],
  ])('a line with %s is refused', (_, line) => {
    expect(() => checkPlainFields(crm({}, { line }))).toThrow('is not a request line')
  })
})
