import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { jsonToken } from '../../connectors/kit/csrf.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import { InputRejected, firstOf, jsonRefusal } from '../../connectors/kit/failures.ts'
import { id } from '../../connectors/kit/inputs.ts'
import { connection, operation, operationError, operationRefusal, result } from '../../connectors/kit/graphql.ts'
import { UnknownShape, fields, rows } from '../../connectors/kit/wire.ts'
import { bound, http, rawApp, talk } from './local-app.ts'

const failure = firstOf(jsonRefusal(operationError), operationRefusal)
const answer = { headers: {}, text: '', location: null, elsewhere: null }
const errors = [{ message: 'No such thing.', extensions: { code: 'THING_NOT_FOUND' } }]

describe('an answer of an app with operations', () => {
  test.each([200, 400, 403])('refuses with its first error, with status %i', (status) => {
    expect(failure({ ...answer, status, json: { errors } })).toEqual({
      kind: 'rejected',
      appCode: 'THING_NOT_FOUND',
      appMessage: 'No such thing.',
    })
  })

  test('with data and without errors is no refusal', () => {
    expect(failure({ ...answer, status: 200, json: { data: { thing: {} } } })).toBeUndefined()
    expect(failure({ ...answer, status: 200, json: undefined })).toBeUndefined()
  })

  test.each([
    [{ errors, data: { thing: {} } }],
    [{ errors: [] }],
    [{ errors: null }],
    [{ errors: ['no'] }],
    [{ errors: [{ message: 'no code' }] }],
  ])('that is neither is not understood: %j', (json) => {
    expect(failure({ ...answer, status: 200, json })).toMatchObject({ kind: 'changed' })
  })

  test('has a result by its name, and no other', () => {
    expect(result({ data: { thing: { id: 1 } } }, 'thing')).toEqual({ id: 1 })
    for (const body of [{}, { data: null }, { data: { thing: null } }, { data: { other: {} } }])
      expect(() => result(body, 'thing')).toThrow(UnknownShape)
  })

  test('has a list with the place to go on from, while there is more', () => {
    const edges = [{ cursor: 'a', node: { id: 1 } }]
    expect(connection({ edges, pageInfo: { hasNextPage: true, endCursor: 'a' } })).toEqual({
      items: [{ id: 1 }],
      next: 'a',
    })
    expect(connection({ edges, pageInfo: { hasNextPage: false, endCursor: 'a' } }).next).toBeNull()
    expect(connection({ edges: [], pageInfo: { hasNextPage: false, endCursor: null } })).toEqual({
      items: [],
      next: null,
    })
    expect(() => connection({ edges })).toThrow(UnknownShape)
  })
})

const read_thing = endpoint({
  summary: 'Read a thing of a kind.',
  label: 'Read a thing of a kind',
  brief: [],
  access: 'read',
  request: 'POST /operations',
  before: '/start',
  input: { kind: id('kind', 'The name of a kind.') },
  output: { thing_id: Type.String() },
  encode: ({ kind }, { before }) => {
    const known = rows(before['kinds']).find(({ name }) => name === kind)
    if (!known) throw new InputRejected('KIND_NOT_FOUND', `There is no ${kind}.`)
    return operation('Thing', { kindId: known['id'] })
  },
  decode: (body) => ({ thing_id: fields(result(body, 'thing'))['id'] }),
})
const shop = bound({ read_thing }, { failure, csrf: jsonToken({ page: '/start', field: 'token', header: 'x-token' }) })
const start = JSON.stringify({ token: 't1', kinds: [{ id: 7, name: 'chair' }] })

describe('a read with a POST line', () => {
  test('carries the token, and what it asks for in the words of the page before', async () => {
    await using app = await rawApp((request, socket) =>
      socket.end(http(200, request.startsWith('GET') ? start : '{"data":{"thing":{"id":"a"}}}')),
    )
    const { outcome } = await talk(app.origin, shop('read_thing'), { kind: 'chair' })
    expect(outcome).toEqual({ kind: 'ok', output: { thing_id: 'a' } })
    expect(app.requests.length).toBe(2)
    expect(app.requests[1]).toMatch(/^POST \/shop\/operations /)
    expect(app.requests[1]).toMatch(/^x-token: t1\r$/m)
    expect(app.requests[1]).toMatch(/\r\n\r\n\{"operationName":"Thing","variables":\{"kindId":7\}\}$/)
  })

  test('is refused, with nothing sent, for a name that the account does not have', async () => {
    await using app = await rawApp((_request, socket) => socket.end(http(200, start)))
    const { outcome, sent } = await talk(app.origin, shop('read_thing'), { kind: 'table' })
    expect(outcome).toEqual({ kind: 'rejected', appCode: 'KIND_NOT_FOUND', appMessage: 'There is no table.' })
    expect(sent).toBe(false)
    expect(app.requests.length).toBe(1)
  })
})
