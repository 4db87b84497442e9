import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { bundleWorkflowCode, Worker } from '@temporalio/worker'
import type { WorkflowBundle } from '@temporalio/worker'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrationsFolder } from '../../core/database/migrate.ts'
import { setUpEngineSdk } from '../../core/log.ts'
import { freePort } from '../../local-services/dev-server.ts'
import type { Running } from '../../local-services/service.ts'
import { startGateway } from '../fire/gateway.ts'
import type { Gateway } from '../fire/gateway.ts'
import { hidden } from '../../scripts/browsing.ts'
import { createDatabase } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { previousRelease } from '../../scripts/schema/previous-release.ts'
import { apiService, startProcess, workerService } from '../support/processes.ts'
import { makeUser } from '../support/user.ts'
import type { TestUser } from '../support/user.ts'

const histories = path.join(import.meta.dirname, '../histories')
const names = (await readdir(histories)).filter((name) => name.endsWith('.json'))

describe('the release before, as deploy/previous names it', () => {
  let previous: string
  let migrateBefore: (url: string) => Promise<void>
  beforeAll(async () => {
    ;({ root: previous, migrate: migrateBefore } = await previousRelease())
  })

  describe('on the schema of today', () => {
    let gateway: Gateway
    let user: TestUser
    const running: Running[] = []
    beforeAll(async () => {
      gateway = await startGateway()
      const port = await freePort()
      const site = { ...gateway.site, root: previous, publicUrl: `http://127.0.0.1:${port}` }
      running.push(
        ...(await Promise.all([
          startProcess(apiService(site, { port, adminPort: 0, name: 'previous-api' })),
          startProcess(workerService(site, { name: 'previous-worker' })),
        ])),
      )
      const { db, secrets, sandbox } = gateway
      user = await makeUser({ ctx: { db, secrets }, publicUrl: site.publicUrl, sandbox })
    })
    afterAll(async () => {
      await Promise.all(running.map((process) => process.kill()))
      await gateway.stop()
    })

    it('reads, and writes', async () => {
      expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
      const contact_id = await firstContact(user)
      const written = await user.call('add_contact_note', { contact_id, note: 'Called.' })
      expect([written.status, written.body]).toMatchObject([200, { contact_id }])
    })

    it('asks, and sends what was approved on its page, once', async () => {
      const input = { contact_id: await firstContact(user), message: 'See you.' }
      const ask = async (message: string) =>
        String((await user.call('reply_to_contact', { ...input, message }, { Prefer: 'wait=0' })).body['call_id'])
      const [approved, rejected, cancelled] = [await ask('Yes.'), await ask('No.'), await ask('Never.')]
      expect((await user.approve(approved)).status).toBe(303)
      expect((await user.reject(rejected)).status).toBe(303)
      expect((await user.cancel(cancelled)).status).toBe(200)
      expect(await user.record(approved, 30)).toMatchObject({ status: 'executed' })
      expect(await user.record(rejected)).toMatchObject({ status: 'rejected' })
      expect(await user.record(cancelled)).toMatchObject({ status: 'cancelled' })
      const effects = JSON.stringify(await gateway.sandbox.effects(user.account.seeded.account))
      expect(['Yes.', 'No.', 'Never.'].map((message) => effects.split(message).length - 1)).toEqual([1, 0, 0])
    })

    it('keeps a key that it replaces to the actions that the older one may call', async () => {
      const endpoints = JSON.stringify({ 'property-advertising': ['list_listings'] })
      await gateway.db.query('UPDATE api_keys SET endpoints = $2 WHERE id = $1', [user.keyId, endpoints])
      const person = await user.person()
      const csrf = hidden(await (await person.get('/keys')).text(), 'csrf')
      const page = await person.post(`/keys/${user.keyId}`, { csrf, action: 'rotate', hours: '24' })
      const [key = ''] = /cg_live_\w{20,}/.exec(await page.text()) ?? []
      const { rows } = await gateway.db.query<{ endpoints: unknown }>(
        'SELECT endpoints FROM api_keys WHERE owner = $1 AND turn = 1',
        [user.id],
      )
      expect(rows).toEqual([{ endpoints: { 'property-advertising': ['list_listings'] } }])
      const as = { Authorization: `Bearer ${key}` }
      expect((await user.call('list_listings', { limit: 1 }, as)).status).toBe(200)
      expect((await user.call('list_contacts', {}, as)).body).toMatchObject({ error: 'SCOPE_DENIED' })
    })
  })

  it('finds there all tables, columns and functions that it has, as the migrations leave them for a release more', async () => {
    const [today, before] = [await createDatabase(), await createDatabase()]
    const [there, wanted] = [new pg.Client(today.url), new pg.Client(before.url)]
    try {
      await Promise.all([there.connect(), wanted.connect()])
      await wanted.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      await migrateBefore(before.url)
      const unused = await givenUp()
      const kept = (name: string): boolean => !unused.some((each) => name === each || name.startsWith(`${each}.`))
      const columns = await columnsOf(there)
      const tables = new Set([...(await columnsOf(wanted)).keys()].map((name) => name.split('.')[0]))
      const lost = [...(await columnsOf(wanted))].filter(
        ([name, { type }]) => kept(name) && columns.get(name)?.type !== type,
      )
      expect(
        lost.map(([name]) => name),
        'gone, renamed or of another type',
      ).toEqual([])
      const known = await columnsOf(wanted)
      const demanding = [...columns].filter(
        ([name, { needed }]) => needed && known.get(name)?.needed !== true && tables.has(name.split('.')[0]),
      )
      expect(
        demanding.map(([name]) => name),
        'that whoever inserts a row must know of',
      ).toEqual([])
      const functions = await functionsOf(there)
      const uncallable = (await functionsOf(wanted)).filter(
        ({ name, types }) =>
          !unused.includes(`${name}/${types.length}`) &&
          !functions.some(
            (each) =>
              each.name === name &&
              types.every((type, at) => each.types[at] === type) &&
              each.types.length - each.defaults <= types.length,
          ),
      )
      expect(
        uncallable.map(({ name }) => name),
        'not to be called as before',
      ).toEqual([])
    } finally {
      await Promise.all([there.end(), wanted.end()])
      await Promise.all([today.drop(), before.drop()])
    }
  })

  describe('goes on with the calls that today’s workflows began', () => {
    let workflowBundle: WorkflowBundle
    let beyond: Readonly<Record<string, string>>
    beforeAll(async () => {
      setUpEngineSdk(pino({ level: 'silent' }))
      workflowBundle = await bundleWorkflowCode({
        workflowsPath: path.join(previous, 'workflows/index.ts'),
        logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error: console.error },
      })
      beyond = await beyondPrevious()
    })

    it.each(names)('%s', async (name) => {
      const history: unknown = JSON.parse(await readFile(path.join(histories, name), 'utf8'))
      const replayed = Worker.runReplayHistory({ workflowBundle }, history)
      if (name in beyond) await expect(replayed, `take it out of beyond-previous.txt: ${name}`).rejects.toThrow()
      else await replayed
    })

    it('but for those that are declared beyond it, all of which are there', () => {
      expect(names).toEqual(expect.arrayContaining(Object.keys(beyond)))
    })
  })
})

/** What this release's migrations drop, as the release before does not use it: `-- Contract: table.column, function/3` (its parameters). */
async function givenUp(): Promise<readonly string[]> {
  const files = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql') && !name.endsWith('.down.sql'))
  const texts = await Promise.all(files.map((name) => readFile(path.join(migrationsFolder, name), 'utf8')))
  return texts.flatMap((text) =>
    [...text.matchAll(/^-- Contract: (.+)$/gm)].flatMap(([, list = '']) => list.split(/,\s*/)),
  )
}

/** Histories that the release before cannot replay, each with the reason: lines of `name.json: why`. */
async function beyondPrevious(): Promise<Readonly<Record<string, string>>> {
  const lines = (await readFile(path.join(histories, 'beyond-previous.txt'), 'utf8')).split('\n')
  const entries = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(/: (.+)/, 2))
  return Object.fromEntries(entries.map(([name = '', why = '']) => [name, why]))
}

async function columnsOf(
  db: pg.Client,
): Promise<ReadonlyMap<string, { readonly type: string; readonly needed: boolean }>> {
  const { rows } = await db.query<{ name: string; type: string; needed: boolean }>(
    `SELECT table_name || '.' || column_name AS name, data_type AS type,
       is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AS needed
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT IN ('migrations', 'function_sets')`,
  )
  return new Map(rows.map(({ name, ...rest }) => [name, rest]))
}

async function functionsOf(db: pg.Client) {
  const { rows } = await db.query<{ name: string; types: string[]; defaults: number }>(
    `SELECT proname AS name, proargtypes::regtype[]::text[] AS types, pronargdefaults AS defaults
     FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  )
  return rows
}
