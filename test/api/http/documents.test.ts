import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { Compile } from 'typebox/compile'
import { Compile as CompileSchema } from 'typebox/schema'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serverCard } from '../../../api/mcp/server-card.ts'
import { errorCodes } from '../../../core/http/error-docs.ts'
import type { Endpoint } from '../../../connectors/registry.ts'
import { errorInfo } from '../../../schemas/errors.ts'
import { ask, startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { registrySchema } from './registry-schema.ts'

type Json = Record<string, unknown>
interface Operation extends Json {
  readonly operationId: string
  readonly parameters?: readonly Json[]
  readonly responses: Record<string, Json>
}

let gateway: Gateway
let document: Json
beforeAll(async () => {
  gateway = await startGateway()
  document = (await ask(`${gateway.publicUrl}/openapi.json`)).body
})
beforeEach(() => gateway.ctx.db.query('DELETE FROM rate_limits'))
afterAll(() => gateway.stop())

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a reference points to; undefined = nothing. */
function at(ref: string): unknown {
  const steps = ref.replace(/^#\//, '').split('/')
  return steps.reduce<unknown>((found, step) => (isObject(found) ? found[step] : undefined), document)
}

function resolved(value: unknown): Json {
  const target = isObject(value) && typeof value['$ref'] === 'string' ? at(value['$ref']) : value
  if (!isObject(target)) throw new Error(`${JSON.stringify(value)} leads nowhere`)
  return target
}

function everything(value: unknown, visit: (found: Json) => void): void {
  if (Array.isArray(value)) for (const item of value) everything(item, visit)
  if (!isObject(value)) return
  visit(value)
  for (const item of Object.values(value)) everything(item, visit)
}

/** A schema as it is compiled: with what its references point to in place of them. */
function inlined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inlined)
  if (!isObject(value)) return value
  if (typeof value['$ref'] === 'string') return inlined(resolved(value))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inlined(item)]))
}

const declared = (value: unknown): Json =>
  Object.fromEntries(Object.entries(resolved(value)).filter(([name]) => name.startsWith('x-callgate-')))

function declaredOf({ access, label, brief, effect, shownBy, preview, verify }: Endpoint): Json {
  return {
    ...(label !== '' && { 'x-callgate-label': label }),
    'x-callgate-brief': brief,
    ...(access === 'write' && {
      'x-callgate-shown-by': shownBy,
      'x-callgate-preview': preview,
      ...(effect && { 'x-callgate-effect': effect }),
      ...(verify && { 'x-callgate-verify': verify }),
    }),
  }
}

const validator = (schema: unknown) => Compile(inlined(schema) as TSchema)

function operations(): { path: string; method: string; item: Json; operation: Operation }[] {
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([name]) => name !== 'parameters')
      .map(([method, operation]) => ({ path, method, item, operation: operation as Operation })),
  )
}

it.each(['/docs', '/docs/crm', '/docs/errors/app_rejected'])(
  '%s below the API leads to the page for people',
  async (path) => {
    const response = await fetch(`${gateway.url}${path}`)
    expect([response.status, response.url]).toEqual([200, `${gateway.publicUrl}${path}`])
    expect(response.headers.get('Content-Type')).toContain('text/html')
    expect((await fetch(`${gateway.url}${path}`, { method: 'POST' })).status).toBe(405)
  },
)

describe('/openapi.json', () => {
  it('has every endpoint as POST, those that only read as GET too, and each operation once', () => {
    const paths = document['paths'] as Record<string, Json>
    for (const app of gateway.ctx.apps.all)
      for (const { name, access } of app.endpoints.values()) {
        const item = paths[`/${app.slug}/${name}`] ?? {}
        expect(Object.keys(item).sort(), `${app.slug}.${name}`).toEqual(access === 'read' ? ['get', 'post'] : ['post'])
      }
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(document['openapi']).toBe('3.1.0')
    expect(document['servers']).toEqual([{ url: gateway.url }])
  })

  it('has no schema of which openapi-generator makes Go or Python that does not compile, and none that spectral refuses', () => {
    const { components, paths } = document as Record<'components' | 'paths', Json>
    const faults: string[] = []
    everything([components['schemas'], paths], (schema) => {
      const fault = (what: string) => faults.push(`${what}: ${JSON.stringify(schema).slice(0, 200)}`)
      if (schema['type'] === 'array' && !('items' in schema)) fault('an array without items')
      if (isObject(schema['default']) && 'type' in schema) fault('the default of an object')
      if ('properties' in schema && ('anyOf' in schema || 'oneOf' in schema)) fault('a group beside properties')
      if (schema['in'] !== 'query' || !isObject(schema['content'])) return
      const { schema: inner } = schema['content']['application/json'] as { schema: Json }
      if (!('$ref' in inner)) fault('a schema within a parameter')
    })
    expect(faults).toEqual([])
  })

  it('holds inputs to the groups that discovery has', () => {
    const grouped = gateway.ctx.apps.all.flatMap(({ slug, endpoints }) =>
      [...endpoints.values()]
        .filter(({ inputSchema }) => 'anyOf' in inputSchema || 'oneOf' in inputSchema)
        .map(({ name, inputSchema }) => ({ id: `${slug}.${name}`, inputSchema })),
    )
    expect(grouped.length).toBeGreaterThan(10)
    for (const { id, inputSchema } of grouped) {
      const { anyOf, oneOf } = inputSchema
      const schema = at(`#/components/schemas/${id}.input`)
      expect(schema, id).toMatchObject({ not: { not: JSON.parse(JSON.stringify({ anyOf, oneOf })) as Json } })
      const groups = CompileSchema({ not: (schema as Json)['not'] } as TSchema)
      expect(groups.Check({}), id).toBe(
        CompileSchema({
          ...(anyOf !== undefined && { anyOf }),
          ...(oneOf !== undefined && { oneOf }),
        } as TSchema).Check({}),
      )
    }
  })

  it('says of every endpoint and app what discovery says, in the words of the connector', async () => {
    const tags = document['tags'] as Json[]
    for (const app of gateway.ctx.apps.all) {
      const told = Object.entries(app.things).map(([kind, { toldBy, ...thing }]) => [
        kind,
        { ...thing, told_by: toldBy },
      ])
      const things = { 'x-callgate-things': Object.fromEntries(told) as Json }
      expect(tags.find(({ name }) => name === app.slug)).toMatchObject(things)
      expect((await ask(`${gateway.url}/${app.slug}`)).body).toMatchObject(things)
      for (const endpoint of app.endpoints.values()) {
        const { post } = resolved((document['paths'] as Json)[`/${app.slug}/${endpoint.name}`])
        expect(declared(post), `${app.slug}.${endpoint.name}`).toEqual({
          'x-callgate-access': endpoint.access,
          'x-callgate-confirm': endpoint.confirm,
          'x-callgate-credits': endpoint.credits,
          ...declaredOf(endpoint),
        })
      }
      const write = [...app.endpoints.values()].findLast(({ access }) => access === 'write')
      const shown = (await ask(`${gateway.url}/${app.slug}/endpoints/${write?.name}`)).body
      expect(declared(shown), app.slug).toEqual(write && declaredOf(write))
    }
  })

  it('has the other routes of the API', () => {
    const methods = operations().map(({ path, method }) => `${method} ${path}`)
    for (const route of [
      'get /apps',
      'get /{app}',
      'get /{app}/endpoints',
      'get /{app}/endpoints/{endpoint}',
      'get /calls',
      'get /calls/{call_id}',
      'delete /calls/{call_id}',
      'get /connections',
      'get /usage',
    ])
      expect(methods).toContain(route)
  })

  it('asks for nothing that has a default', () => {
    const asked: unknown[] = []
    everything(document, ({ properties, required, schema }) => {
      if (required === true && isObject(schema) && 'default' in schema) asked.push(schema)
      if (!isObject(properties) || !Array.isArray(required)) return
      for (const name of required as string[]) if ('default' in Object(properties[name])) asked.push(name)
    })
    expect(asked).toEqual([])
  })

  it('says of one type or null so in its type, as generators of clients need it', () => {
    const nullables = JSON.stringify(document).match(
      /"anyOf":\[\{"type":"\w+"(?:,"(?:format|description)":"[^"]*")*\},\{"type":"null"\}\]/g,
    )
    expect(nullables ?? []).toEqual([])
    expect(JSON.stringify(document)).toContain('"type":["string","null"]')
  })

  it('points to nothing that is not there', () => {
    const broken: unknown[] = []
    let count = 0
    everything(document, ({ $ref }) => {
      if (typeof $ref !== 'string') return
      count++
      if (at($ref) === undefined) broken.push($ref)
    })
    expect(count).toBeGreaterThan(100)
    expect(broken).toEqual([])
  })

  it('names components and parameters as the standard wants it', () => {
    for (const group of Object.values(document['components'] as Record<string, Json>))
      for (const name of Object.keys(group)) expect(name).toMatch(/^[\w.-]+$/)
    for (const { path, item, operation } of operations()) {
      const parameters = [...((item['parameters'] ?? []) as Json[]), ...(operation.parameters ?? [])].map(resolved)
      const names = parameters.map((parameter) => `${String(parameter['in'])} ${String(parameter['name'])}`)
      expect(new Set(names).size, operation.operationId).toBe(names.length)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => `path ${match[1]}`)
      expect(names.filter((name) => name.startsWith('path ')).sort(), operation.operationId).toEqual(inPath.sort())
      for (const parameter of parameters) {
        expect('schema' in parameter !== 'content' in parameter, String(parameter['name'])).toBe(true)
        if (parameter['in'] === 'path') expect(parameter['required']).toBe(true)
      }
    }
  })

  it('describes each error code: a schema, an example that fits it, and a status', () => {
    for (const code of errorCodes) expect(at(`#/components/schemas/error.${code}`), code).toBeDefined()
    const shown = new Map<string, Set<string>>()
    for (const { operation } of operations())
      for (const [status, response] of Object.entries(operation.responses)) {
        // 431 comes before the routes.
        if (Number(status) < 400 || status === '431') continue
        const media = resolved((resolved(response)['content'] as Json)['application/json'])
        const check = validator(media['schema'])
        for (const [code, example] of Object.entries(media['examples'] as Record<string, Json>)) {
          expect(check.Check(example['value']), `${operation.operationId} ${status} ${code}`).toBe(true)
          expect(check.Check({ ...resolved(example['value']), error: 'made_up' })).toBe(false)
          shown.set(code, (shown.get(code) ?? new Set()).add(status))
        }
      }
    expect([...shown.keys()].sort()).toEqual([...errorCodes].sort())
    for (const [code, statuses] of shown)
      expect([...statuses], code).toEqual([String(errorInfo(code as (typeof errorCodes)[number]).status)])
  })

  it('has examples that fit their schemas, and schemas that compile', () => {
    let examples = 0
    everything(document, (found) => {
      const { schema, example } = found
      if (!isObject(schema)) return
      const check = validator(schema)
      if (example === undefined) return
      examples++
      expect(check.Check(example), JSON.stringify(example).slice(0, 200)).toBe(true)
    })
    expect(examples).toBeGreaterThan(20)
    const accepted = resolved({ $ref: '#/components/responses/Accepted' })
    const media = resolved((accepted['content'] as Json)['application/json'])
    const check = validator(media['schema'])
    for (const example of Object.values(media['examples'] as Record<string, Json>))
      expect(check.Check(example['value'])).toBe(true)
  })

  it('tells the truth about what the gateway answers', async () => {
    const { key } = await gateway.newKey(['crm'])
    const app = 'property-advertising'
    const routes: [method: string, path: string, template?: string][] = [
      ['GET', '/apps'],
      ['GET', `/${app}`, '/{app}'],
      ['GET', '/no-such-app', '/{app}'],
      ['GET', `/${app}/endpoints`, '/{app}/endpoints'],
      ['GET', `/${app}/endpoints/list_listings`, '/{app}/endpoints/{endpoint}'],
      ['GET', `/${app}/endpoints/no_such`, '/{app}/endpoints/{endpoint}'],
      ['GET', '/calls'],
      ['GET', '/calls?limit=0', '/calls'],
      ['GET', '/calls/call_01ARZ3NDEKTSV4RRFFQ69G5FAV', '/calls/{call_id}'],
      ['DELETE', '/calls/call_01ARZ3NDEKTSV4RRFFQ69G5FAV', '/calls/{call_id}'],
      ['GET', '/connections'],
      ['GET', '/usage'],
      ['GET', `/${app}/list_listings`],
      ['GET', `/${app}/list_listings?limit=x`, `/${app}/list_listings`],
      ['POST', `/${app}/list_listings`],
    ]
    for (const [method, path, template = path] of routes)
      for (const sent of [key, undefined]) {
        const answer = await ask(`${gateway.url}${path}`, { method, ...(sent && { key: sent }) })
        const name = `${method} ${path} ${answer.status}`
        const item = resolved((document['paths'] as Json)[template])
        const { responses } = resolved(item[method.toLowerCase()]) as Operation
        const response = resolved(responses[String(answer.status)])
        const media = resolved((response['content'] as Json)['application/json'])
        expect([...validator(media['schema']).Errors(answer.body)], name).toEqual([])
        for (const [header, described] of Object.entries(response['headers'] as Json))
          if (resolved(described)['required'] === true)
            expect(answer.headers.get(header), `${name} ${header}`).not.toBe(null)
      }
  })
})

describe('the documents for programs', () => {
  it.each(['/openapi.json', '/llms.txt', '/api/v1/crm/endpoints'])(
    '%s is packed for whoever takes it so',
    async (path) => {
      const plain = await bytesOf(path, {})
      expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
        undefined,
        expect.stringContaining('Accept-Encoding'),
      ])
      const packed = await bytesOf(path, { 'Accept-Encoding': 'br, gzip;q=0.8' })
      expect(packed.headers['content-encoding']).toBe('gzip')
      expect(packed.body.length).toBeLessThan(plain.body.length / 2)
      expect(gunzipSync(packed.body)).toEqual(plain.body)
      expect((await bytesOf(path, { 'Accept-Encoding': 'gzip;q=0' })).body).toEqual(plain.body)
      // Whichever of the two a client has, it has the text.
      for (const { headers } of [plain, packed])
        for (const encoding of ['gzip', 'identity']) {
          const again = await bytesOf(path, { 'Accept-Encoding': encoding, 'If-None-Match': String(headers.etag) })
          expect([again.status, again.body.length]).toEqual([304, 0])
        }
    },
  )

  it.each(['/openapi.json', '/api/v1/openapi.json', '/llms.txt', '/server.json'])(
    '%s is cached, needs no key and counts as discovery',
    async (path) => {
      const url = `${gateway.publicUrl}${path}`
      const head = await fetch(url, { method: 'HEAD' })
      expect([head.status, await head.text(), head.headers.get('Cache-Control')]).toEqual([200, '', 'no-cache'])
      expect(head.headers.get('RateLimit')).toBe('"discovery";r=119;t=60')
      expect(head.headers.get('X-Request-Id')).toMatch(/^req_/)
      const etag = head.headers.get('ETag') ?? ''
      const again = await fetch(url, { headers: { 'If-None-Match': etag }, cache: 'force-cache' })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect((await fetch(url)).headers.get('ETag')).toBe(etag)
      const post = await ask(url, { json: {} })
      expect([post.status, post.body['error'], post.headers.get('Allow')]).toEqual([
        405,
        'method_not_allowed',
        'GET, HEAD',
      ])
    },
  )

  it('describe the gateway as registries of MCP servers want it', async () => {
    const { body } = await ask(`${gateway.publicUrl}/server.json`)
    const [, date = ''] = /\/schemas\/([\d-]+)\/server\.schema\.json$/.exec(String(body['$schema'])) ?? []
    const schema = await registrySchema(date)
    expect(body['$schema']).toBe(schema['$id'])
    const good = CompileSchema(schema)
    const errors = (value: object) => good.Errors(value)[1]
    expect(errors(body)).toEqual([])
    expect(errors(serverCard('https://gate.example.com:8443'))).toEqual([])
    for (const wrong of [
      { name: 'callgate' },
      { description: 'x'.repeat(101) },
      { remotes: [{ type: 'http', url: '' }] },
    ])
      expect(good.Check({ ...body, ...wrong }), JSON.stringify(wrong)).toBe(false)
    expect(body).toMatchObject({
      name: 'localhost/callgate',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      remotes: [{ type: 'streamable-http', url: `${gateway.publicUrl}/mcp` }],
    })
    const { name } = serverCard('https://gate.example.com:8443')
    expect(name).toBe('com.example.gate/callgate')
    expect(serverCard('http://[::1]:8080')['name']).toBe('localhost/callgate')
  })

  it('say the same at both addresses', async () => {
    expect((await ask(`${gateway.url}/openapi.json`)).body).toEqual(document)
  })

  it('lead an agent from llms.txt to every app and to the OpenAPI document', async () => {
    const response = await fetch(`${gateway.publicUrl}/llms.txt`)
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    const text = await response.text()
    expect(text).toMatch(/^# Callgate\n\n> /)
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? '')
    for (const { slug } of gateway.ctx.apps.all) expect(links).toContain(`${gateway.url}/${slug}`)
    expect(links).toContain(`${gateway.publicUrl}/openapi.json`)
    for (const link of links) expect((await fetch(link)).status, link).toBe(200)
  })
})

describe('the pages about errors', () => {
  it('are there for each code, found from the documentation', async () => {
    const page = async (path: string) => (await fetch(`${gateway.publicUrl}${path}`)).text()
    expect(await page('/docs')).toContain('href="/docs/errors"')
    const index = await page('/docs/errors')
    for (const code of errorCodes) {
      expect(index).toContain(`href="/docs/errors/${code}"`)
      const response = await fetch(`${gateway.publicUrl}/docs/errors/${code}`)
      const text = (await response.text()).replaceAll('&quot;', '"')
      expect(response.status).toBe(200)
      expect(text).toContain('What happened')
      expect(text).toContain(`"error": "${code}"`)
      expect(text).not.toContain('{public_url}')
    }
  })

  it('are none for what is no code', async () => {
    for (const code of ['made_up', 'constructor', '%00'])
      expect((await fetch(`${gateway.publicUrl}/docs/errors/${code}`)).status).toBe(404)
  })
})

// Last: the gateway remembers who has asked too often.
it('the documents refuse with JSON whoever asks too often', async () => {
  const answers = await Promise.all(
    Array.from({ length: 121 }, () => fetch(`${gateway.publicUrl}/llms.txt`, { method: 'HEAD' })),
  )
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  const refused = await ask(`${gateway.publicUrl}/openapi.json`)
  expect([refused.status, refused.body['error']]).toEqual([429, 'rate_limited'])
})

/** As it comes over the wire: fetch would unpack it. */
async function bytesOf(path: string, headers: OutgoingHttpHeaders) {
  const request = get(`${gateway.publicUrl}${path}`, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}
