import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { asField, cookieToken } from '../../connectors/kit/csrf.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import type { Parts } from '../../connectors/kit/define.ts'
import { file, fileKey } from '../../connectors/kit/files.ts'
import { render } from '../../connectors/runtime/rendered.ts'
import { bound } from './local-app.ts'

const common = { summary: 'Add.', label: 'Add', brief: [], output: {} } as const
const write = { ...common, access: 'write', effect: 'adds', shownBy: [], request: 'POST /photos' } as const
const one = { types: ['image/png'] as const, maxBytes: 1_000, description: 'The photo.' }
const photo = file(one)
const many = (maxItems: number) => Type.Array(photo, { maxItems })

describe('an endpoint that takes files', () => {
  const wrong = (schema: object) => Type.Unsafe({ type: 'string', [fileKey]: schema })
  it.each([
    [
      'reads',
      () => endpoint({ ...common, access: 'read', request: 'GET /photos', input: { photo } }),
      'does not write',
    ],
    [
      'has one in its path',
      () =>
        endpoint({
          ...write,
          request: 'POST /photos/{photo}',
          input: { photo: Type.String({ [fileKey]: { ...one } }) },
        }),
      'has the file photo in its request line',
    ],
    [
      'has one further down',
      () => endpoint({ ...write, input: { it: Type.Object({ photo }) } }),
      'takes a file where none is taken',
    ],
    [
      'has one or none',
      () => endpoint({ ...write, input: { photo: Type.Union([photo, Type.Null()]) } }),
      'takes a file where',
    ],
    [
      'takes any number',
      () => endpoint({ ...write, input: { photos: Type.Array(photo) } }),
      'without maxItems: photos',
    ],
    ['takes too many', () => endpoint({ ...write, input: { photos: many(6), others: many(5) } }), 'more than 10 files'],
    [
      'takes a large one',
      () => endpoint({ ...write, input: { photo: file({ ...one, maxBytes: 20_000_000 }) } }),
      'more than 10485760 bytes',
    ],
    [
      'takes what runs',
      () => endpoint({ ...write, input: { photo: wrong({ types: ['image/svg+xml'], maxBytes: 9 }) } }),
      'the type image/svg+xml',
    ],
    [
      'says no types',
      () => endpoint({ ...write, input: { photo: wrong({ maxBytes: 9 }) } }),
      'takes a file where none is taken',
    ],
  ])('that %s is refused when it is loaded', (_what, make, said) => {
    expect(() => bound({ add: make() })).toThrow(said)
  })
})

describe('what a connector makes of a file', () => {
  const known = {
    place: 'photo',
    address: 'https://example.com/a.png',
    sha256: 'ab',
    name: 'a.png',
    type: 'image/png',
    size: 3,
  } as const
  const { place: _, address, ...fileOf } = known
  const rendered = (parts: Parts, more: object = {}) =>
    render(
      bound({ add: endpoint({ ...write, ...more, input: { photo }, encode: () => parts }) })('add'),
      { photo: address },
      {
        ...{ anchor: null, now: new Date(0), before: {}, origin: 'https://app.example.com/', page: null },
        files: [known],
      },
    )

  it('is the same request each time, with the file by its hash', () => {
    const { headers, body } = rendered({ multipart: { a: 1, none: null, list: ['x', fileOf], it: { b: 2 } } })
    expect(body).toEqual({
      multipart: [
        ['a', '1'],
        ['list', 'x'],
        ['list', fileOf],
        ['it', '{"b":2}'],
      ],
      boundary: expect.stringMatching(/^----WebKitFormBoundary\w{24}$/) as string,
    })
    const boundary = body !== null && 'boundary' in body ? body.boundary : 'none'
    expect(headers['content-type']).toBe(`multipart/form-data; boundary=${boundary}`)
    expect(rendered({ multipart: { a: 1, none: null, list: ['x', fileOf], it: { b: 2 } } }).body).toEqual(body)
    expect(rendered({ file: fileOf })).toMatchObject({
      body: { file: fileOf },
      headers: { 'content-type': 'image/png' },
    })
  })

  it.each<[string, Parts, object?]>([
    ['names one of another call', { multipart: { photo: { ...fileOf, sha256: 'cd' } } }],
    ['gives it another name', { multipart: { photo: { ...fileOf, name: 'a.php' } } }],
    ['sends what is none', { file: 'https://example.com/a.png' }],
    [
      'leaves no place for its token',
      { file: fileOf },
      { csrf: asField(cookieToken({ page: '/', cookie: 'c', header: 'x-c' }), 'c') },
    ],
  ])('is refused where it %s', (_what, parts, more) => {
    expect(() => rendered(parts, more)).toThrow('changed')
  })

  it('says of a file what is known of it, whatever the connector says', () => {
    const { body } = rendered({ multipart: { photo: { ...fileOf, type: 'text/html', size: 1, more: true } } })
    expect(body).toMatchObject({ multipart: [['photo', fileOf]] })
  })

  it('needs the file: an input that was none when the call was accepted is not sent as one', () => {
    const add = bound({ add: endpoint({ ...write, input: { photo } }) })('add')
    const making = { anchor: null, now: new Date(0), before: {}, origin: 'https://app.example.com/', page: null }
    expect(() => render(add, { photo: address }, making)).toThrow('changed')
    expect(() =>
      render(add, { photo: address }, { ...making, files: [{ ...known, address: 'https://other.example/' }] }),
    ).toThrow('changed')
  })
})
