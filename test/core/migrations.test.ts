import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastBeforeBaseline, squashed } from '../../core/database/baseline.ts'
import { functionSet, hashOfFunctions } from '../../core/database/functions.ts'
import { migrate, migrateTo, migrationsFolder } from '../../core/database/migrate.ts'
import { dumpFunctions, dumpSchema } from '../../scripts/schema/dump.ts'
import { previousRelease, releaseAt } from '../../scripts/schema/previous-release.ts'
import { createDatabase } from '../harness.ts'

const folder = path.dirname(migrationsFolder)
const baseline = '0138_count_open_calls'

let previous: Awaited<ReturnType<typeof previousRelease>>
/** The one that older databases go through. */
let last: typeof previous
let url: string
let client: pg.Client
let drop: () => Promise<void>
beforeAll(async () => {
  previous = await previousRelease()
  last = await releaseAt(lastBeforeBaseline)
  ;({ url, drop } = await createDatabase())
  client = new pg.Client(url)
  await client.connect()
})
beforeEach(async () => {
  await empty()
  await migrate(url)
})
afterAll(async () => {
  await client.end()
  await drop()
  for (const { root } of [previous, last]) await rm(root, { recursive: true, force: true })
})

const empty = () => client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
const rows = async (text: string) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows
const applied = async () => (await rows('SELECT name FROM migrations ORDER BY id')).map(([name]) => name)
const sets = async () => (await rows('SELECT number FROM function_sets ORDER BY number')).map(([number]) => number)
/** All that a start may change. */
const everything = async () => [await dumpSchema(client), await dumpFunctions(client), await applied()]
const body = async (name: string) => (await rows(`SELECT prosrc FROM pg_proc WHERE proname = '${name}'`))[0]?.[0]

/** A release as this one, with changes of files: `files` by their paths in core/database. */
async function release(number: number, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'database-'))
  await cp(folder, dir, { recursive: true })
  await writeFile(path.join(dir, 'functions/set.json'), JSON.stringify({ number, sha256: '' }))
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text)
  return dir
}
const thisDay = (note: string) => `CREATE OR REPLACE FUNCTION this_day() RETURNS timestamptz LANGUAGE sql STABLE
  AS $$ SELECT date_trunc('day', clock_timestamp(), 'UTC') /* ${note} */ $$;`

it('the functions have a number of their own for what is in their files: `npm run schema` gives it', async () => {
  const functions = path.join(folder, 'functions')
  expect((await functionSet(functions)).sha256).toBe(await hashOfFunctions(functions))
})

describe('a new database', () => {
  it('is as one of the release before that was brought up to date, with the same functions and rows', async () => {
    const made = await everything()
    await empty()
    await previous.migrate(url)
    await migrate(url)
    expect(await everything()).toEqual(made)
  })

  it('is made once by many processes, the release before among them, which has nothing to do there', async () => {
    const made = await everything()
    await empty()
    await Promise.all([migrate(url), migrate(url), previous.migrate(url), migrate(url)])
    expect(await everything()).toEqual(made)
    await previous.migrate(url)
    expect(await everything()).toEqual(made)
  })

  it('is empty still when it could not be made, and made at the next start', async () => {
    await empty()
    const broken = await release(1, { 'functions/this_day.sql': 'CREATE FUNCTION this_day() RETURNS nothing' })
    await expect(migrate(url, broken)).rejects.toThrow()
    expect(await rows(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([])
    await migrate(url)
    expect(await applied()).toContain(baseline)
  })
})

describe('a database of the release before', () => {
  beforeEach(async () => {
    await empty()
    await previous.migrate(url)
    await client.query(`
      INSERT INTO users (id, email, password_hash) VALUES ('u1', 'one@example.com', 'x');
      INSERT INTO balances (owner, month, available) VALUES ('u1', this_month(), 10);
      INSERT INTO accounts (id, owner, app, external_id, label, state, data_key)
        VALUES ('a1', 'u1', 'crm', 'x', 'One', 'connected', '\\x00');
      INSERT INTO api_keys (id, owner, name, hash, hint, line) VALUES ('k1', 'u1', 'n', 'h', 'h', 'k1')`)
  })

  /** As each release names the parameters. */
  const accept = (id: string, more = '') =>
    rows(`SELECT outcome, call_id, credits_left FROM accept_call(p_id => '${id}', p_owner => 'u1', p_key_id => 'k1', p_app => 'crm',
      p_endpoint => 'e', p_account => 'a1', p_access => 'write', p_confirm => true, p_expiry_seconds => 60, p_input => '\\x00',
      p_content_hash => '\\x${id}', ${more} p_credits => 4, p_idempotency_key => NULL, p_request_hash => NULL, p_max_open => 10,
      p_client => 'c')`)
  const before = `p_definition_version => '',`

  it('goes on with its rows, and both releases accept and decide calls in it', async () => {
    expect(await accept('01', before)).toEqual([['accepted', '01', null]])
    await Promise.all([migrate(url), migrate(url)])
    expect(await accept('02', before)).toEqual([['accepted', '02', null]])
    expect(await accept('03')).toEqual([['poor', null, 2]])
    expect(await accept('01')).toEqual([['replayed', '01', null]])
    expect(await accept('02')).toEqual([['replayed', '02', null]])
    expect(await rows(`SELECT decide_call('01', 'rejected', 'u1', NULL, NULL, NULL, false, NULL)`)).toEqual([[true]])
    expect(await rows('SELECT id, status, definition_version, client FROM calls ORDER BY id')).toEqual([
      ['01', 'rejected', '', 'c'],
      ['02', 'awaiting_confirmation', '', 'c'],
    ])
    expect(await rows('SELECT available, reserved FROM balances')).toEqual([[6, 4]])
  })

  it('gets the functions when the process that ran the migrations died before it came to them', async () => {
    const broken = await release(1, {
      'functions/withdraw_call.sql': 'CREATE FUNCTION withdraw_call() RETURNS nothing',
    })
    const was = await dumpFunctions(client)
    await expect(migrate(url, broken)).rejects.toThrow()
    expect(await applied()).toContain('0180_one_decide_call')
    // None is replaced when one cannot be.
    expect((await dumpFunctions(client)).every((text) => was.includes(text))).toBe(true)
    expect(await sets()).toEqual([])
    await migrate(url)
    expect(await sets()).toEqual([(await functionSet(path.join(folder, 'functions'))).number])
    expect(await accept('01')).toEqual([['accepted', '01', null]])
  })
})

describe('a database of before the baseline', () => {
  beforeEach(async () => {
    await empty()
    await last.migrate(url)
    await client.query(`INSERT INTO users (id, email, password_hash) VALUES ('u2', 'two@example.com', 'x')`)
  })

  it('can have all that was squashed from the commit that is named', async () => {
    expect(await applied()).toEqual(squashed)
  })

  it.each([
    ['that never had the last migrations', () => last.migrateTo(url, '0134'), '0134_calls_pressing'],
    ['that lacks one in the middle', () => client.query(`DELETE FROM migrations WHERE name LIKE '0134%'`), baseline],
  ])('%s is refused with the commit that it has to go through, and nothing is changed', async (_, make, at) => {
    await make()
    const found = await everything()
    await expect(migrate(url)).rejects.toThrow(`the database is at ${at} and lacks 0`)
    await expect(migrate(url)).rejects.toThrow(`start the release of commit ${lastBeforeBaseline} on it first`)
    await expect(migrateTo(url, '0138')).rejects.toThrow(lastBeforeBaseline)
    expect(await everything()).toEqual(found)
    expect(await rows(`SELECT to_regclass('function_sets')`)).toEqual([[null]])
  })

  it('that was refused goes on after it went through that commit', async () => {
    await last.migrateTo(url, '0134')
    await expect(migrate(url)).rejects.toThrow('first')
    await last.migrate(url)
    await migrate(url)
    expect(await rows('SELECT email FROM users')).toEqual([['two@example.com']])
  })
})

describe('functions', () => {
  it('are replaced by a newer release, once, and by no older one', async () => {
    const [older, newer, newest] = [
      await release(5, { 'functions/this_day.sql': thisDay('five') }),
      await release(6, { 'functions/this_day.sql': thisDay('six') }),
      await release(7, { 'functions/this_day.sql': thisDay('seven') }),
    ]
    await migrate(url, older)
    await Promise.all([migrate(url, newer), migrate(url, older), migrate(url, newer)])
    expect(await body('this_day')).toContain('six')
    for (const [start, said] of [
      [() => migrate(url, older), 'six'],
      [() => migrate(url), 'six'],
      [() => previous.migrate(url), 'six'],
      [() => migrate(url, newest), 'seven'],
      [() => migrate(url, newer), 'seven'],
    ] as const) {
      await start()
      expect(await body('this_day')).toContain(said)
    }
    expect((await sets()).slice(-3)).toEqual([5, 6, 7])
  })

  it('of other parameters are others beside them; of another result are refused', async () => {
    const other = 'CREATE OR REPLACE FUNCTION this_day(n integer) RETURNS integer LANGUAGE sql AS $$ SELECT n $$'
    await migrate(url, await release(5, { 'functions/this_day.more.sql': other }))
    expect(await rows('SELECT this_day() IS NULL, this_day(3)')).toEqual([[false, 3]])
    const result = 'CREATE OR REPLACE FUNCTION this_day() RETURNS text LANGUAGE sql AS $$ SELECT 1::text $$'
    await expect(migrate(url, await release(6, { 'functions/this_day.sql': result }))).rejects.toThrow('return type')
    expect(await rows('SELECT this_day(3)')).toEqual([[3]])
  })

  it('are put in place again by whichever release starts after its migrations were taken back', async () => {
    const newer = await release(9, {
      'functions/this_day.sql': thisDay('nine'),
      'migrations/0190_more.sql': 'ALTER TABLE calls ADD COLUMN more text',
      'migrations/0190_more.down.sql': 'ALTER TABLE calls DROP COLUMN more',
    })
    const here = await dumpFunctions(client)
    await migrate(url, newer)
    expect(await migrateTo(url, '0180', newer)).toEqual(['0190_more'])
    await migrate(url)
    expect(await dumpFunctions(client)).toEqual(here)
  })
})

describe('the way back', () => {
  it('ends at the baseline, where the release of before it goes on', async () => {
    const here = await everything()
    await empty()
    await last.migrate(url)
    const there = await everything()
    await migrate(url)
    expect(await migrateTo(url, '0138')).toEqual([
      '0180_one_decide_call',
      '0175_call_metadata',
      '0145_bind_cursors',
      '0140_grant_networks',
    ])
    await last.migrate(url)
    expect([(await everything())[0], (await everything())[2]]).toEqual([there[0], there[2]])
    // The newer one stays beside those of before.
    const left = await dumpFunctions(client)
    const called = (texts: readonly string[]) => texts.map((text) => text.slice(0, text.indexOf(' LANGUAGE')))
    expect(called(left)).toEqual(expect.arrayContaining(called(there[1] as string[])))
    await migrate(url)
    expect(await everything()).toEqual(here)
  })

  it.each([
    ['beyond it', '0134', `no way back beyond ${baseline} but a restore`],
    ['to a migration that there is not', '0999', 'there is no migration 0999'],
  ])('goes nowhere %s', async (_, to, reason) => {
    const here = await everything()
    await expect(migrateTo(url, to)).rejects.toThrow(reason)
    expect(await everything()).toEqual(here)
  })
})

describe('the migrations of a release', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'database-'))
    await mkdir(path.join(dir, 'migrations'))
    await mkdir(path.join(dir, 'functions'))
    await writeFile(path.join(dir, 'functions/set.json'), '{"number":1,"sha256":""}')
    const first = 'CREATE TABLE things (id bigint, name text); INSERT INTO things VALUES (1, $$a;b$$);'
    await writeFile(path.join(dir, 'schema.sql'), first)
    await empty()
    await migrate(url, dir)
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))

  const add = (name: string, text: string, to = dir) => writeFile(path.join(to, `migrations/${name}.sql`), `${text};\n`)
  const indexes = async () =>
    (
      await client.query<{ name: string; valid: boolean }>(
        `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'things'::regclass ORDER BY 1`,
      )
    ).rows
  const addIndexes = async () => {
    const build =
      'CREATE UNIQUE INDEX CONCURRENTLY things_id ON things (id);\nCREATE INDEX CONCURRENTLY things_name ON things (name)'
    await add('0202_index', `-- No transaction\n\n${build}`)
    await add(
      '0202_index.down',
      '-- No transaction\n\nDROP INDEX CONCURRENTLY things_name; DROP INDEX CONCURRENTLY things_id',
    )
  }

  it('build an index while others write, again where it was left half-built, and two processes come at once', async () => {
    // What a process that was killed while it built leaves behind: duplicates break the unique one here.
    await client.query('INSERT INTO things VALUES (1, $$c$$)')
    await expect(client.query('CREATE UNIQUE INDEX CONCURRENTLY things_id ON things (id)')).rejects.toThrow('unique')
    expect(await indexes()).toEqual([{ name: 'things_id', valid: false }])
    await client.query('DELETE FROM things WHERE name = $$c$$')
    await addIndexes()

    const other = new pg.Client(url)
    await other.connect()
    await other.query('BEGIN; INSERT INTO things VALUES (2, $$d$$)')
    const both = Promise.allSettled([migrate(url, dir), migrate(url, dir)])
    const building = async () =>
      (
        await client.query(
          `SELECT FROM pg_stat_activity WHERE query LIKE '%INDEX CONCURRENTLY%things_id%' AND wait_event = 'virtualxid'`,
        )
      ).rowCount
    await expect.poll(building, { interval: 20 }).toBe(1)
    // It waits for the transaction that was there before, and holds up nobody else meanwhile.
    await client.query('INSERT INTO things VALUES (3, $$e$$)')
    await other.query('COMMIT')
    await other.end()
    expect((await both).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await indexes()).toEqual(['things_id', 'things_name'].map((name) => ({ name, valid: true })))
  })

  it('are taken back by it, and not by an older one that does not know them', async () => {
    const older = await mkdtemp(path.join(tmpdir(), 'database-'))
    await cp(dir, older, { recursive: true })
    await addIndexes()
    await migrate(url, dir)
    await expect(migrateTo(url, '0138', older)).rejects.toThrow(`0202_index: made by a newer release`)
    await migrate(url, older)
    expect(await migrateTo(url, '0138', dir)).toEqual(['0202_index'])
    expect(await indexes()).toEqual([])
  })

  it('stay undone whole when one of their statements fails', async () => {
    await add('0203_broken', 'CREATE TABLE others (id bigint); SELECT nothing FROM nowhere')
    await expect(migrate(url, dir)).rejects.toThrow('nowhere')
    expect(await rows(`SELECT to_regclass('others')`)).toEqual([[null]])
    expect(await applied()).not.toContain('0203_broken')
  })

  it('are refused where a later one has run', async () => {
    await add('0203_later', 'CREATE TABLE later (id bigint)')
    await migrate(url, dir)
    await add('0202_earlier', 'CREATE TABLE earlier (id bigint)')
    await expect(migrate(url, dir)).rejects.toThrow('0202_earlier comes before a migration that has run')
    expect(await rows(`SELECT to_regclass('earlier')`)).toEqual([[null]])
  })

  it('are run after schema.sql when that was written before them', async () => {
    await add('0201_in_it', 'CREATE TABLE things (id bigint)')
    await add('0202_more', 'ALTER TABLE things ADD COLUMN more text')
    const schema = await readFile(path.join(dir, 'schema.sql'), 'utf8')
    await writeFile(path.join(dir, 'schema.sql'), `-- After migration: 0201_in_it\n${schema}`)
    await empty()
    await migrate(url, dir)
    expect(await rows('SELECT id, name, more FROM things')).toEqual([['1', 'a;b', null]])
    expect((await applied()).slice(-3)).toEqual([baseline, '0201_in_it', '0202_more'])
  })
})
