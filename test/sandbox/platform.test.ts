import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { html } from '../../sandbox/platform/html.ts'
import { json } from '../../sandbox/platform/replies.ts'
import { data } from '../../sandbox/platform/routes.ts'
import { all, run as sql, text } from '../../sandbox/platform/rows.ts'
import { Refusal, type SandboxApp } from '../../sandbox/platform/types.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { Control } from './visitor.ts'

/** The smallest app that there can be: it keeps words. */
const words: SandboxApp = {
  slug: 'words',
  dialect: 'errno',
  brand: 'Words',
  tagline: 'keeps words',
  kinds: ['owner'],
  people: [{ user: 'demo', kind: 'owner', label: 'Demo', person: 'Ada', email: 'ada@words.example' }],
  accountPrefix: 'w',
  mailDomain: 'words.example',
  rate: { actions: 50, seconds: 10 },
  cookie: 'w',
  csrf: { field: 't', header: 'X-T' },
  paths: { home: '/', signIn: '/in', signOut: '/out', captcha: '/human', code: '/code' },
  schema: 'CREATE TABLE words (account TEXT NOT NULL, word TEXT NOT NULL) STRICT',
  seed: (db, _day, { account }) => void sql(db, 'INSERT INTO words VALUES (?, ?)', account, 'seed'),
  routes: [
    data('GET /api/words', ({ db, viewer }) =>
      json({ token: viewer.csrf, words: all(db, 'SELECT word FROM words').map((row) => text(row, 'word')) }),
    ),
    data('POST /api/words/{word}', ({ db, viewer, params, effect }) => {
      const { word = '' } = params
      sql(db, 'INSERT INTO words VALUES (?, ?)', viewer.account.account, word)
      effect('word.keep', { word })
      if (word === 'refused') throw new Refusal(409, 'NO', 'Not this one.')
      if (word === 'twice') effect('word.keep', { word })
      return json({ word })
    }),
  ],
  layout: ({ title, body }) => html`<title>${title}</title>${body}`,
}

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sandbox-platform-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

interface Kept {
  token: string
  words: string[]
}

async function open(app: SandboxApp): Promise<{
  close: () => Promise<void>
  get: () => Promise<Kept>
  keep: (word: string) => Promise<Response>
  log: () => Promise<string>
}> {
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, apps: [app] })
  const answer = await new Control(sandbox.url).call('GET', 'words/accounts')
  const { accounts } = (await answer.json()) as { accounts: { session: { cookies: { value: string }[] } }[] }
  const cookie = `w=${accounts[0]?.session.cookies[0]?.value}`
  const get = async (): Promise<Kept> =>
    (await (await fetch(`${sandbox.url}/words/api/words`, { headers: { cookie } })).json()) as Kept
  const { token } = await get()
  return {
    close: () => sandbox.close(),
    get,
    keep: (word) =>
      fetch(`${sandbox.url}/words/api/words/${word}`, { method: 'POST', headers: { cookie, 'x-t': token } }),
    log: () => readFile(join(dataDir, 'words.effects.jsonl'), 'utf8'),
  }
}

test('a write and its effect are one: what is refused or fails after writing leaves neither', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const app = await open(words)
  expect((await app.keep('kept')).status).toBe(200)
  const refused = await app.keep('refused')
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { errno: 40900, errmsg: 'Not this one.', data: { key: 'no' } },
  ])
  const failed = await app.keep('twice')
  expect([failed.status, await failed.json()]).toEqual([500, { errno: 50000, errmsg: 'System busy', data: null }])
  expect(stderr.mock.calls.join('')).toContain('records a second effect')
  stderr.mockRestore()
  expect((await app.get()).words).toEqual(['seed', 'kept'])
  expect((await app.log()).trim().split('\n')).toHaveLength(1)
  await app.close()
})

test('state and effects outlive a restart, and begin anew when the app’s tables changed', async () => {
  const again = await open(words)
  expect((await again.get()).words).toEqual(['seed', 'kept'])
  await again.close()
  const changed = await open({ ...words, schema: `${words.schema}; CREATE INDEX by_word ON words (word)` })
  expect((await changed.get()).words).toEqual(['seed'])
  expect(await changed.log()).toBe('')
  await changed.close()
})

test('as many actions as the rate allows are answered, and the next one is blocked', async () => {
  const app = await open({ ...words, rate: { actions: 4, seconds: 60 } })
  const told: number[] = []
  // Opening it has read once.
  for (let n = 0; n < 4; n++) told.push((await app.keep('x')).status)
  expect(told).toEqual([200, 200, 200, 403])
  await app.close()
})
