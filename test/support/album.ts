import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Type } from 'typebox'
import { asField, headerToken } from '../../connectors/kit/csrf.ts'
import { connector, endpoint } from '../../connectors/kit/define.ts'
import type { ConnectorSpec } from '../../connectors/kit/define.ts'
import { file, largestFile } from '../../connectors/kit/files.ts'
import { firstOf } from '../../connectors/kit/failures.ts'
import { listen } from './listen.ts'

/** Two pictures that differ, as far as anybody looks at them. */
export const red = Buffer.from('\u0089PNG\r\n\u001a\nred \0\r\n--bytes--\u00ff', 'latin1')
export const blue = Buffer.from('\u0089PNG\r\n\u001a\nblue', 'latin1')

/** What arrived in a field: a text, or a file. */
export type Arrived = string | { readonly name: string; readonly type: string; readonly bytes: Buffer }

/** An app that takes pictures, in forms of browsers. */
export interface Album extends AsyncDisposable {
  readonly spec: ConnectorSpec
  readonly arrived: { readonly path: string; readonly fields: readonly (readonly [string, Arrived])[] }[]
}

export async function startAlbum(): Promise<Album> {
  const album = { arrived: [] as Album['arrived'][number][] }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') return void response.setHeader('content-type', 'text/html').end(pageOf)
    const fields = await fieldsOf(request)
    album.arrived.push({ path: request.url ?? '', fields })
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: `p${album.arrived.length}` }))
  }
  const server = createServer((request, response) => void answer(request, response))
  const port = await listen(server)
  return { ...album, spec: specOf(`http://127.0.0.1:${port}/`), [Symbol.asyncDispose]: () => ended(server) }
}

const pageOf = `<meta name="csrf-token" content="t0ken"><p class=album>Summer</p>
  <form id=cover method=post enctype=multipart/form-data action="/cover"><label>Title <input name=title value="Old"></label>
  <label>Cover <input type=file name=cover></label><label>Back <input type=file name=back></label></form>
  <form id=plain method=post action="/cover"><input type=file name=cover></form>`

/** The body as another implementation than ours reads it. */
async function fieldsOf(request: IncomingMessage): Promise<readonly (readonly [string, Arrived])[]> {
  const type = request.headers['content-type'] ?? ''
  const body = await buffer(request)
  if (!type.startsWith('multipart/')) return [['', { name: '', type, bytes: body }]]
  const form = await new Response(Uint8Array.from(body), { headers: { 'content-type': type } }).formData()
  return Promise.all(
    [...form].map(async ([name, value]): Promise<readonly [string, Arrived]> =>
      typeof value === 'string'
        ? [name, value]
        : [name, { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) }],
    ),
  )
}

async function ended(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

function specOf(origin: string): ConnectorSpec {
  const picture = { types: ['image/png', 'image/jpeg'] as const, maxBytes: 1_000 }
  const output = { id: Type.String() }
  const common = { brief: [], access: 'write', effect: 'adds', shownBy: [], output } as const
  const add_photo = endpoint({
    ...common,
    summary: 'Add a photo.',
    label: 'Add a photo',
    confirm: true,
    request: 'POST /photos',
    input: {
      photo: file({ ...picture, description: 'The photo.' }),
      words: Type.String({ description: 'Below it.' }),
    },
    encode: ({ photo, words }) => ({ multipart: { 'the "words"': words, photo, size: photo.size } }),
  })
  const add_photos = endpoint({
    ...common,
    summary: 'Add photos to an album.',
    label: 'Add photos',
    confirm: true,
    before: { page: { request: 'GET /album', answer: 'page' } },
    csrf: asField(headerToken({ page: '/album', meta: 'csrf-token', header: 'X-CSRF' }), '_token'),
    request: 'POST /albums',
    input: { photos: Type.Array(file({ ...picture, description: 'The photos.' }), { minItems: 1, maxItems: 3 }) },
    encode: ({ photos }, { before }) => ({
      multipart: { album: /album>(\w+)/.exec(String(before['page']))?.[1], photos },
    }),
  })
  const coverOf = (selector: string) =>
    endpoint({
      ...common,
      summary: 'Change the cover.',
      label: 'Change the cover',
      confirm: true,
      request: 'POST /cover',
      input: { cover: file({ ...picture, description: 'The cover.' }) },
      form: { page: 'GET /album', selector, set: ({ cover }) => ({ cover }) },
    })
  const replace_photo = endpoint({
    ...common,
    summary: 'Replace a photo.',
    label: 'Replace a photo',
    request: 'PUT /photos/{photo_id}',
    input: {
      photo_id: Type.String({ description: 'Which.' }),
      photo: Type.Optional(file({ ...picture, maxBytes: largestFile, description: 'The photo.' })),
    },
    encode: ({ photo }) => ({ file: photo }),
  })
  return connector({
    name: 'Album',
    description: 'Pictures.',
    role: 'owner',
    origin,
    signIn: { page: 'sign-in', who: { page: 'me', account: () => null } },
    things: {},
    failure: firstOf(),
    endpoints: [
      { add_photo, add_photos, replace_photo, change_cover: coverOf('#cover'), wrong_form: coverOf('#plain') },
    ],
  })
}

/** What an address gives: bytes, or whatever else a server does. */
type Given = Buffer | ((response: ServerResponse) => void)

/** A server that somebody's files are on, at addresses that they may change. */
export interface FileHost extends AsyncDisposable {
  readonly origin: string
  /** By path. */
  readonly files: Map<string, Given>
  /** Paths that were asked for. */
  readonly asked: string[]
}

export async function startFileHost(): Promise<FileHost> {
  const files = new Map<string, Given>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const given = files.get(path)
    if (given === undefined) response.writeHead(404).end('no')
    else if (typeof given === 'function') given(response)
    // Wrong on purpose: nobody believes what a server calls its files.
    else response.setHeader('content-type', 'application/x-whatever').end(given)
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  return { origin, files, asked, [Symbol.asyncDispose]: () => ended(server) }
}
