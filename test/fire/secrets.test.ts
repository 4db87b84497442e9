import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { migrate } from '../../core/database/migrate.ts'
import { startTemporal } from '../../local-services/dev-server.ts'
import { startPostgres } from '../../local-services/postgres.ts'
import type { Running } from '../../local-services/service.ts'
import { ensureTemporal } from '../../local-services/temporal.ts'
import { firstContact } from '../support/contacts.ts'
import { filesBelow, findTexts } from '../support/find-bytes.ts'
import { logsOf } from '../support/processes.ts'
import type { TestUser } from '../support/user.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { died } from './lane.ts'

const mark = (what: string): string => `${what}-${randomBytes(9).toString('hex')}`

/** Promise 7, on a database and an engine of its own, whose files are read byte for byte. */
describe('secrets', () => {
  let gateway: Gateway
  let files: () => string[]
  let api: Running
  let user: TestUser
  let contact: string
  const errors: string[] = []
  const callIds: string[] = []
  const secret: Record<string, string> = { cookie: mark('cookie'), input: mark('input') }

  beforeAll(async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'callgate-secrets-'))
    // Postgres may have to run as another user, who must get through.
    await chmod(dir, 0o711)
    const { env } = process
    const log = (): void => undefined
    const { path: binary } = await ensureTemporal({ env, log })
    const dbFile = path.join(dir, 'temporal.db')
    const [postgres, engine] = await Promise.all([
      startPostgres({ dir, env, log, logFile: path.join(dir, 'postgres.log') }),
      startTemporal({ binary, dbFile, logFile: path.join(dir, 'temporal.log'), env }),
    ])
    await migrate(postgres.databaseUrl)
    const { dataDir, socketDir } = postgres.cluster
    gateway = await startGateway({
      logLevel: 'debug',
      foundations: {
        databaseUrl: postgres.databaseUrl,
        temporalAddress: engine.address,
        temporalNamespace: 'default',
        async drop() {
          await Promise.all([engine.kill(), postgres.kill()])
          for (const gone of [dir, dataDir, socketDir]) await rm(gone, { recursive: true, force: true })
        },
      },
    })
    files = () => [
      ...filesBelow(dataDir),
      ...filesBelow(dir, [dataDir, socketDir]),
      // The sandbox is the app: what it keeps is its own business. The key file is where keys belong.
      ...filesBelow(logsOf(gateway.site)),
    ]
    api = await gateway.startApi()
  })
  afterAll(() => gateway.stop())

  async function call(endpoint: string, input: object, headers: Record<string, string> = {}) {
    const answer = await user.call(endpoint, input, headers)
    const callId = answer.headers.get('X-Request-Id') ?? ''
    if (callId.startsWith('call_')) callIds.push(callId)
    if (answer.status !== 200) errors.push(JSON.stringify([...answer.headers, answer.body]))
    return answer
  }

  it('of calls that succeeded, failed and crashed stand nowhere in plain text', async () => {
    let worker = await gateway.startWorker()
    user = await gateway.user()
    secret['key'] = user.key
    secret['password'] = user.password
    secret['key-encryption key'] = [...gateway.secrets.kek.values()].map((key) => key.toString('base64'))[0] ?? ''
    const { account, label, session } = user.account.seeded
    const [own] = session.cookies
    if (own === undefined) throw new Error('a session without a cookie')
    secret['session'] = own.value
    await connect(gateway, {
      owner: user.id,
      app: 'property-advertising',
      externalId: account,
      label,
      session: { ...session, cookies: [...session.cookies, { ...own, name: 'trail', value: secret['cookie'] ?? '' }] },
    })
    const person = await user.person()
    const { input = '' } = secret

    // Succeeded: a write that says it again, a read that shows it, a write that was asked for and approved.
    contact = await firstContact(user)
    expect((await call('add_contact_note', { contact_id: contact, note: input })).status).toBe(200)
    const shown = await call('get_conversation', { contact_id: contact })
    expect(JSON.stringify(shown.body)).toContain(input)
    const asked = await call('reply_to_contact', { contact_id: contact, message: input })
    expect((await user.approve(asked.body['call_id'])).status).toBe(303)
    expect(await user.record(asked.body['call_id'], 20)).toMatchObject({ status: 'executed' })

    // Failed: refused by the app, not understood, without an answer, and refused by Callgate.
    expect((await call('add_contact_note', { contact_id: '987654321', note: input })).status).toBe(422)
    await gateway.sandbox.fault('garbage')
    expect((await call('add_contact_note', { contact_id: contact, note: input })).body['status']).toBe('unknown')
    await gateway.sandbox.fault('drop_after')
    expect((await call('add_contact_note', { contact_id: contact, note: input })).body['status']).toBe('unknown')
    expect((await call('add_contact_note', { contact_id: contact, note: [input] })).status).toBe(400)
    const wrong = await fetch(`${gateway.publicUrl}/api/v1/calls`, { headers: { 'X-API-Key': `${user.key}x` } })
    errors.push(await wrong.text())
    const broken = await fetch(`${gateway.publicUrl}/api/v1/property-advertising/add_contact_note`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${user.key}`, 'Content-Type': 'application/json' },
      body: `{ "note": "${input}", `,
    })
    errors.push(await broken.text())

    // Crashed: a worker in the middle of it, then the API process.
    await worker.kill()
    worker = await gateway.startWorker('send.before-settling')
    const lost = await call('add_contact_note', { contact_id: contact, note: input }, { Prefer: 'wait=0' })
    await died(worker, 'send.before-settling')
    worker = await gateway.startWorker()
    expect(await user.record(lost.body['call_id'], 30)).toMatchObject({ status: 'unknown' })
    await api.kill()
    api = await gateway.startApi()
    expect((await call('get_conversation', { contact_id: contact })).status).toBe(200)
    for (const [index, value] of person.cookies.entries()) if (value !== '') secret[`web cookie ${index}`] = value

    await gateway.db.query('CHECKPOINT')
    const found = files()
    // The search finds what does stand there: a call's id in the database, in the engine and in a log.
    const seen = findTexts(found, { id: String(lost.body['call_id']) })
    for (const place of ['/base/', '/pg_wal/', 'temporal.db']) {
      expect(seen.filter((line) => line.includes('(plain)') && line.includes(place))).not.toEqual([])
    }
    expect(findTexts(found, { line: '"request"' }).filter((line) => line.includes('api.log'))).not.toEqual([])
    expect(Object.keys(secret).length).toBeGreaterThan(6)
    expect(findTexts(found, secret)).toEqual([])
    for (const error of errors) {
      for (const [name, text] of Object.entries(secret))
        expect({ name, error }).not.toMatchObject({ error: expect.stringContaining(text) })
    }
    expect(errors.length).toBeGreaterThanOrEqual(8)
  })

  it('stand in no run of the engine, neither as input nor as result nor as failure', async () => {
    for (const callId of callIds) {
      const history = await gateway.temporal.workflow.getHandle(callId).fetchHistory()
      const text = JSON.stringify(history, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      )
      expect(text).toContain(callId)
      for (const [name, hidden] of Object.entries(secret))
        expect({ name, in: text.includes(hidden) }).toEqual({ name, in: false })
    }
    expect(callIds.length).toBeGreaterThanOrEqual(8)
  })
})
