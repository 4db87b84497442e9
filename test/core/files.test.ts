import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServerResponse } from 'node:http'
import { fetchFile } from '../../core/files/fetch.ts'
import { withRoom } from '../../core/files/room.ts'
import { largestFiles } from '../../connectors/kit/files.ts'
import type { FileType } from '../../connectors/kit/files.ts'
import { typeOfBytes } from '../../connectors/runtime/file-types.ts'
import { boundaryOf, multipartBody } from '../../connectors/runtime/multipart.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { red, startFileHost } from '../support/album.ts'
import type { FileHost } from '../support/album.ts'

let host: FileHost
beforeAll(async () => {
  host = await startFileHost()
})
afterAll(() => host[Symbol.asyncDispose]())

const here = ['127.0.0.1/32']
const wanted = (address: string, types: readonly FileType[] = ['image/png']) => ({
  ...{ name: 'photo', place: 'photo', types, maxBytes: 1_000 },
  address: address.startsWith('/') ? `${host.origin}${address}` : address,
})
const limits = (networks: readonly string[] = here, signal = AbortSignal.timeout(10_000)) => ({
  ...{ budget: { left: largestFiles }, networks, signal },
})
const led = (to: string) => (response: ServerResponse) => void response.writeHead(302, { location: to }).end()

it('takes the file at an address, of the type that its bytes say, under the name of its address', async () => {
  host.files.set('/a%20b.php?c', red)
  host.files.set('/moved', led('/a%20b.php?c'))
  const { file, bytes } = await fetchFile(wanted('/moved', ['image/jpeg', 'image/png']), limits())
  expect(bytes).toEqual(red)
  expect(file).toMatchObject({ name: 'moved.png', type: 'image/png', size: red.length, place: 'photo' })
  expect((await fetchFile(wanted('/a%20b.php?c#d'), limits())).file.name).toBe('a b.php.png')
})

const refused: readonly (readonly [
  what: string,
  path: string,
  given: (() => Buffer | ((r: ServerResponse) => void)) | undefined,
  said: string,
])[] = [
  ['is not there', '/none', undefined, 'its server answers 404'],
  ['is empty', '/empty', () => Buffer.alloc(0), 'is empty'],
  ['is of another type', '/text', () => Buffer.from('<svg onload=alert(1)>'), 'is none of image/png'],
  ['is too large', '/large', () => Buffer.concat([red, Buffer.alloc(1_000)]), 'has more than the 1000 bytes'],
  [
    'is too large and does not say so',
    '/endless',
    () => (response) => {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(500), more))
      more()
    },
    'has more than the 1000 bytes',
  ],
  [
    'is packed',
    '/packed',
    () => (response) => void response.setHeader('content-encoding', 'gzip').end(red),
    'its server packs it',
  ],
  [
    'breaks off',
    '/short',
    () => (response) => {
      response.setHeader('content-length', '99').write(red)
      setImmediate(() => response.destroy())
    },
    'was lost',
  ],
  ['leads to a private address', '/inside', () => led('http://127.0.0.2:80/'), 'only public ones are asked'],
  ['leads out of the web', '/out', () => led('file:///etc/passwd'), 'is led to an address that is no https address'],
  ['leads round and round', '/round', () => led('/round'), 'is led on more than 3 times'],
]
it.each(refused)('takes none that %s', async (_what, path, given, said) => {
  if (given) host.files.set(path, given())
  await expect(fetchFile(wanted(path), limits())).rejects.toThrow(said)
})

it.each([
  ['http://example.com/a.png', [], 'must begin with https://'],
  ['http://127.0.0.1:9/a.png', [], 'must begin with https://'],
  ['https://127.0.0.1/a.png', [], 'only public ones are asked'],
  ['https://10.0.0.1/a.png', here, 'only public ones are asked'],
  ['http://93.184.216.34/a.png', here, 'only public ones are asked'],
  ['https://0x7f.1/a.png', [], 'only public ones are asked'],
  ['https://[::ffff:10.0.0.1]/a.png', [], 'only public ones are asked'],
  ['https://169.254.169.254/latest/meta-data/', [], 'only public ones are asked'],
  ['https://me:secret@example.com/a.png', [], 'must have no user name and password'],
  ['https://example.com:22/a.png', [], 'has a port other than'],
  ['data:image/png;base64,AAAA', [], 'is no https address'],
])('asks nothing of %s', async (address, networks, said) => {
  const asked = host.asked.length
  await expect(fetchFile(wanted(address), limits(networks))).rejects.toThrow(said)
  expect(host.asked).toHaveLength(asked)
})

it('waits for none that drips, and says what the network says in its own words', async () => {
  let drip: NodeJS.Timeout | undefined
  host.files.set('/slow', (response) => {
    response.write(red)
    drip = setInterval(() => response.write('.'), 20)
  })
  await expect(fetchFile(wanted('/slow'), limits(here, AbortSignal.timeout(300)))).rejects.toThrow(
    'cannot be fetched: it did not come in time',
  )
  clearInterval(drip)
  const nobody = `http://127.0.0.1:${await freePort()}/a.png`
  await expect(fetchFile(wanted(nobody), limits())).rejects.toThrow('its host takes no connection')
})

it('shares the bytes of a call among its files, and those of the process among their owners', async () => {
  host.files.set('/a.png', red)
  const shared = { ...limits(), budget: { left: red.length + 5 } }
  await fetchFile(wanted('/a.png'), shared)
  await expect(fetchFile(wanted('/a.png'), shared)).rejects.toThrow('is too large together with the other files')

  const ends = Promise.withResolvers<undefined>()
  const room = (owner: string, done: Promise<undefined>) => withRoom(owner, largestFiles, () => done)
  const two = [room('ann', ends.promise), room('ann', ends.promise)]
  await expect(room('ann', ends.promise)).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'Retry-After': '5' },
  })
  await room('ben', Promise.resolve(undefined))
  ends.resolve(undefined)
  await Promise.all(two)
  await room('ann', Promise.resolve(undefined))
})

it.each<[FileType, Buffer | string]>([
  ['image/png', red],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ['image/gif', 'GIF89a....'],
  ['image/webp', 'RIFF....WEBPVP8 '],
  ['application/pdf', '%PDF-1.7\n'],
  ['application/zip', 'PK\u0003\u0004'],
  ['text/csv', 'a,b\r\n1,ä\n'],
])('knows %s by its bytes', (type, content) => {
  const binary = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'application/zip'] as const
  expect(typeOfBytes(Buffer.from(content), [...binary, 'text/csv'])).toBe(type)
  const others = binary.filter((one) => one !== type)
  expect(typeOfBytes(Buffer.from(content), others)).toBeUndefined()
})

it.each(['\u0000', 'a\u001bb', Buffer.from([0xff, 0xfe, 0x41, 0x00])])(
  'takes no bytes for a text that are none',
  (bytes) => {
    expect(typeOfBytes(Buffer.from(bytes), ['text/plain', 'text/csv'])).toBeUndefined()
  },
)

it('writes a form as another implementation reads it, whatever stands in it', async () => {
  const file = { sha256: 'ab', name: 'it"s\r\na%22.png', type: 'image/png' as const, size: red.length }
  const fields = [
    ['plain', 'ä\nb\r\nc'],
    ['odd "name"\n', '--x'],
    ['photo', file],
  ] as const
  const boundary = boundaryOf(fields)
  const body = multipartBody(fields, { boundary }, () => red)
  const type = `multipart/form-data; boundary=${boundary}`
  const read = await new Response(Uint8Array.from(body), { headers: { 'content-type': type } }).formData()
  expect([...read.keys()]).toEqual(['plain', 'odd "name"\r\n', 'photo'])
  expect([read.get('plain'), read.get('odd "name"\r\n')]).toEqual(['ä\r\nb\r\nc', '--x'])
  const photo = read.get('photo')
  if (!(photo instanceof File)) throw new Error('no file arrived')
  expect([photo.type, Buffer.from(await photo.arrayBuffer())]).toEqual(['image/png', red])
  expect(boundaryOf(fields)).toBe(boundary)
  expect(boundaryOf([['plain', 'other']])).not.toBe(boundary)
})
