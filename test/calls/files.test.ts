import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { largestFile } from '../../connectors/kit/files.ts'
import { makeStanding } from '../../core/approvals/standing-rules.ts'
import { withinLimit } from '../../core/files/files.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { blue, red, startAlbum, startFileHost } from '../support/album.ts'
import type { Album, FileHost } from '../support/album.ts'
import { balancedLedger } from '../support/ledger.ts'
import { send2025 } from '../mcp/raw.ts'
import type { TestUser } from '../support/user.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('a file that a call gives the address of', () => {
  let stack: Stack
  let album: Album
  let host: FileHost
  let user: TestUser
  let account: string
  beforeAll(async () => {
    album = await startAlbum()
    host = await startFileHost()
    const settings = { FILE_ALLOW: '127.0.0.1/32' }
    stack = await startStack({ settings, connectors: { album: { spec: album.spec } } })
  })
  afterAll(async () => {
    await stack.stop()
    await host[Symbol.asyncDispose]()
    await album[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    album.arrived.length = 0
    host.asked.length = 0
    host.files.clear()
    host.files.set('/beach.png', red)
    user = await stack.user({ accounts: [] })
    const session = { cookies: [], user_agent: null }
    account = await connect(stack.ctx, { owner: user.id, app: 'album', externalId: 'a', label: 'Album', session })
  })

  const photo = () => `${host.origin}/beach.png`
  const add = (more: object = {}, headers: Record<string, string> = {}) =>
    user.send('POST', '/album/add_photo', { photo: photo(), words: 'The beach', ...more }, headers)
  async function asked(more: object = {}): Promise<string> {
    const answer = await add(more)
    expect([answer.status, answer.body['status']]).toEqual([202, 'awaiting_confirmation'])
    return String(answer.body['call_id'])
  }
  const get = async (path: string) => (await user.person()).get(path)
  const pageOf = async (callId: string): Promise<string> => (await get(`/confirm/${callId}`)).text()
  const fileOf = (callId: string, place = 'photo') => get(`/confirm/${callId}/files/${place}`)
  const sql = <Row extends object>(text: string, ...values: unknown[]) =>
    stack.ctx.db.query<Row & Record<string, unknown>>(text, values)
  const keptOf = async (callId: string) =>
    (await sql(`SELECT place, content IS NOT NULL AS bytes FROM call_files WHERE call_id = $1`, callId)).rows
  const shownTo = async (callId: string, form: Record<string, string>) => {
    const page = await pageOf(callId)
    const hash = hidden(page, 'approval_hash')
    const csrf = hidden(page, 'csrf')
    return (await user.person()).post(`/confirm/${callId}`, { csrf, approval_hash: hash, ...form })
  }

  it('is told of in its schema, over HTTP and MCP', async () => {
    const { body } = await user.send('GET', '/album/endpoints/add_photo')
    expect(body).toMatchObject({
      input_schema: {
        properties: {
          photo: {
            format: 'uri',
            description: expect.stringContaining('An https address') as string,
            'x-callgate-file': { types: ['image/png', 'image/jpeg'], maxBytes: 1_000 },
          },
        },
      },
    })
    const { result } = await send2025(`${stack.publicUrl}/mcp/album`, user.key, 'tools/list')
    expect(JSON.stringify(result)).toContain('image/png, image/jpeg; at most 0.9 KiB')
  })

  it('is shown, and arrives as it was approved, although its address gives another by then', async () => {
    const callId = await asked()
    host.files.set('/beach.png', blue)
    const page = await pageOf(callId)
    for (const said of ['beach.png', `image/png · ${red.length} bytes`, sha256(red), photo()])
      expect(page).toContain(said)
    const [, source = ''] = /<img src="([^"]+)"/.exec(page) ?? []
    const picture = await get(source)
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(red)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-disposition': "inline; filename*=UTF-8''beach.png",
    })
    expect((await fileOf(callId, 'words')).status).toBe(404)
    for (const list of ['/waiting', `/calls/${callId}`]) expect(await (await get(list)).text()).toContain(source)

    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed', output: { id: 'p1' } })
    expect(album.arrived).toEqual([
      {
        path: '/photos',
        fields: [
          ['the "words"', 'The beach'],
          ['photo', { name: 'beach.png', type: 'image/png', bytes: red }],
          ['size', String(red.length)],
        ],
      },
    ])
    expect(host.asked).toEqual(['/beach.png'])
    expect(await keptOf(callId)).toEqual([{ place: 'photo', bytes: false }])
    expect((await fileOf(callId)).status).toBe(404)
    const after = await pageOf(callId)
    expect(after).toContain(sha256(red))
    expect(after).not.toContain('<img src="/confirm')
  })

  it('is sealed, and gone when the call was rejected', async () => {
    const callId = await asked()
    const { rows } = await sql<{ content: Buffer; about: Buffer }>(
      'SELECT * FROM call_files WHERE call_id = $1',
      callId,
    )
    expect(rows[0]?.content.includes(red.subarray(0, 8))).toBe(false)
    expect(rows[0]?.about.includes('beach')).toBe(false)
    await user.reject(callId)
    expect(await user.record(callId, 10)).toMatchObject({ status: 'rejected' })
    expect(await keptOf(callId)).toEqual([{ place: 'photo', bytes: false }])
    expect((await fileOf(callId)).status).toBe(404)
    expect(album.arrived).toEqual([])
  })

  it('is fetched once for a call that is repeated', async () => {
    const key = { 'Idempotency-Key': 'again' }
    const first = await add({}, key)
    const second = await add({ words: 'Another call' })
    host.files.delete('/beach.png')
    const replays = [await add({}, key), await add({ words: 'Another call' })]
    expect(replays.map(({ status, body }) => [status, body['call_id']])).toEqual([
      [202, first.body['call_id']],
      [202, second.body['call_id']],
    ])
    expect(host.asked).toHaveLength(2)
    // It is the same call by what the agent asked for, whatever is there by now; another one fails.
    expect((await add({ words: 'A third call' })).status).toBe(400)
  })

  it('that cannot be fetched refuses the call, field by field, and leaves nothing behind', async () => {
    host.files.set('/text.png', Buffer.from('no picture'))
    const key = { 'Idempotency-Key': 'refused' }
    const single = await add({ photo: `${host.origin}/none.png` }, key)
    expect([single.status, single.body]).toMatchObject([
      400,
      {
        error: 'invalid_input',
        message: expect.stringContaining('photo cannot be fetched: its server answers 404') as string,
        details: [{ path: 'photo', message: 'cannot be fetched: its server answers 404' }],
      },
    ])
    const photos = [photo(), `${host.origin}/text.png`, 'http://127.0.0.2/private.png']
    const { body } = await user.send('POST', '/album/add_photos', { photos })
    expect(body['details']).toMatchObject([{ path: 'photos.1' }, { path: 'photos.2' }])
    expect((await add({ photo: 'beach.png' })).body['details']).toMatchObject([{ path: 'photo' }])
    expect((await sql('SELECT FROM calls WHERE owner = $1', user.id)).rowCount).toBe(0)
    expect((await balancedLedger(stack.ctx, user.id)).reserved).toBe(0)
    expect((await add({}, key)).status).toBe(202)
  })

  it('goes with others, and with a token, into a request that needs a page of the app', async () => {
    host.files.set('/b.png', blue)
    const photos = [photo(), `${host.origin}/b.png`]
    const { body } = await user.send('POST', '/album/add_photos', { photos })
    const page = await pageOf(String(body['call_id']))
    for (const bytes of [red, blue]) expect(page).toContain(sha256(bytes))
    host.files.clear()
    await user.approve(body['call_id'])
    expect(await user.record(body['call_id'], 20)).toMatchObject({ status: 'executed' })
    expect(album.arrived[0]?.fields).toEqual([
      ['album', 'Summer'],
      ['photos', { name: 'beach.png', type: 'image/png', bytes: red }],
      ['photos', { name: 'b.png', type: 'image/png', bytes: blue }],
      ['_token', 't0ken'],
    ])
  })

  it('is a whole body, of a call that asks nobody, or is left out', async () => {
    const answer = await user.send('POST', '/album/replace_photo', { photo_id: 'p7', photo: photo() })
    expect([answer.status, answer.body]).toEqual([200, { id: 'p1' }])
    expect(album.arrived).toEqual([{ path: '/photos/p7', fields: [['', { name: '', type: 'image/png', bytes: red }]] }])
    expect((await user.send('POST', '/album/replace_photo', { photo_id: 'p7' })).status).toBe(200)
    expect(album.arrived[1]?.fields).toEqual([['', { name: '', type: '', bytes: Buffer.alloc(0) }]])
    const large = Buffer.concat([red, Buffer.alloc(largestFile - red.length, 'x')])
    host.files.set('/large.png', large)
    const third = await user.send('POST', '/album/replace_photo', { photo_id: 'p7', photo: `${host.origin}/large.png` })
    expect(third.status).toBe(200)
    const [[, arrived] = []] = album.arrived[2]?.fields ?? []
    expect(typeof arrived === 'object' && arrived.bytes.equals(large)).toBe(true)
    expect(
      (
        await sql(
          'SELECT FROM call_files f JOIN calls c ON c.id = f.call_id WHERE c.owner = $1 AND content IS NOT NULL',
          user.id,
        )
      ).rowCount,
    ).toBe(0)
  })

  it('goes into a form of the app, beside what is kept there', async () => {
    const { body } = await user.send('POST', '/album/change_cover', { cover: photo() })
    const page = (await pageOf(String(body['call_id']))).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(page).toContain(`To beach.png sent as ${sha256(red)}`)
    expect(page).toContain('Title Old')
    await user.approve(body['call_id'])
    expect(await user.record(body['call_id'], 20)).toMatchObject({ status: 'executed' })
    expect(album.arrived[0]?.fields).toEqual([
      ['title', 'Old'],
      ['cover', { name: 'beach.png', type: 'image/png', bytes: red }],
      ['back', { name: '', type: 'application/octet-stream', bytes: Buffer.alloc(0) }],
    ])
    const other = await user.send('POST', '/album/wrong_form', { cover: photo() })
    expect(other.body).toMatchObject({ error: 'app_changed' })
  })

  it('goes with a call that was approved in advance', async () => {
    const endpoint = stack.ctx.apps.get('album')?.endpoints.get('add_photo')
    if (endpoint === undefined) throw new Error('no endpoint')
    await makeStanding(stack.ctx, {
      owner: user.id,
      account,
      endpoint,
      key: null,
      perDay: null,
      only: null,
      until: null,
    })
    expect((await add()).status).toBe(200)
    expect(album.arrived[0]?.fields[1]).toEqual(['photo', { name: 'beach.png', type: 'image/png', bytes: red }])
  })

  it('stays when the person changes the rest, and is fetched when they change its address', async () => {
    host.files.set('/b.png', blue)
    const callId = await asked()
    const change = (input: object) => shownTo(callId, { decision: 'change', input: JSON.stringify(input) })
    const hash = hidden(await pageOf(callId), 'approval_hash')
    expect((await change({ photo: photo(), words: 'Ours' })).status).toBe(303)
    expect(host.asked).toEqual(['/beach.png'])

    const bad = await change({ photo: `${host.origin}/none.png`, words: 'Ours' })
    expect([bad.status, await bad.text()]).toEqual([422, expect.stringContaining('its server answers 404')])
    expect(await pageOf(callId)).toContain(sha256(red))
    expect((await change({ photo: `${host.origin}/b.png`, words: 'Ours' })).status).toBe(303)
    const page = await pageOf(callId)
    expect(page).toContain(sha256(blue))
    expect(page).not.toContain(sha256(red))
    expect((await shownTo(callId, { decision: 'approve', approval_hash: hash })).status).toBe(409)
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({
      status: 'executed',
      decision: { changed: ['$.words', '$.photo'].toSorted() },
    })
    expect(album.arrived[0]?.fields.slice(0, 2)).toMatchObject([
      ['the "words"', 'Ours'],
      ['photo', { bytes: blue }],
    ])
  })

  it.each([
    ['is gone', 'DELETE FROM call_files WHERE call_id = $1', 'awaiting_confirmation'],
    [
      'is that of another call',
      'UPDATE call_files f SET about = o.about, content = o.content FROM call_files o WHERE f.call_id = $1 AND o.call_id = $2',
      'awaiting_confirmation',
    ],
    ['lost its bytes', 'UPDATE call_files SET content = NULL WHERE call_id = $1', 'failed'],
    [
      'has the bytes of another call',
      'UPDATE call_files f SET content = o.content FROM call_files o WHERE f.call_id = $1 AND o.call_id = $2',
      'failed',
    ],
    [
      'has other bytes',
      'UPDATE call_files SET content = set_byte(content, 40, 255 - get_byte(content, 40)) WHERE call_id = $1',
      'failed',
    ],
  ])('that %s behind the back of the gateway is not sent', async (_what, statement, status) => {
    const other = await asked({ words: 'Another' })
    const callId = await asked()
    const form = await (await user.person()).confirmForm(callId)
    await sql(statement, ...[callId, ...(statement.includes('$2') ? [other] : [])])
    expect((await pageOf(callId)).includes('It cannot be approved')).toBe(statement.includes('about'))
    const answer = await (await user.person()).post(`/confirm/${callId}`, { ...form, decision: 'approve' })
    expect(answer.status).toBe(status === 'failed' ? 303 : 409)
    expect((await user.record(callId, status === 'failed' ? 20 : 0))['status']).toBe(status)
    expect(album.arrived).toEqual([])
  })

  it('is one of so many bytes that the open calls of its owner may have', async () => {
    const callId = await asked()
    const one = [['x'], [Buffer.from('about')], [Buffer.alloc(100)]]
    const keep = (most: number) => sql('SELECT keep_files($1, $2, $3, $4, $5)', callId, ...one, most)
    await keep(100)
    await expect(withinLimit(() => keep(99))).rejects.toMatchObject({ code: 'too_many_waiting' })
    expect(await keptOf(callId)).toEqual([{ place: 'x', bytes: true }])
  })
})
