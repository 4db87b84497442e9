import pino from 'pino'
import { connect } from '../core/accounts/sessions.ts'
import type { Context } from '../core/context.ts'
import { createKey } from '../core/keys/rows.ts'
import { openPool } from '../core/database/pool.ts'
import { createUser } from '../core/users/rows.ts'
import { createWebSession } from '../core/users/web-sessions.ts'
import { loadSecrets } from '../config.ts'
import type { SeededAccount } from '../scripts/demo-accounts.ts'
import { lanes } from './measure.ts'
import type { Site } from './site.ts'

/** A user with an API key, an account of the app, and a signed-in browser. */
export interface Person {
  readonly owner: string
  readonly keyId: string
  readonly key: string
  readonly browser: string
  /** The app's own cookie, as the connector sends it. */
  readonly appCookie: string
}

export const app = 'property-advertising'

export async function makePeople(
  site: Pick<Site, 'sandboxUrl' | 'secretsFile'>,
  databaseUrl: string,
  count: number,
): Promise<readonly Person[]> {
  const log = pino({ level: 'silent' })
  const ctx = { db: openPool(databaseUrl, log, 4), secrets: loadSecrets(site.secretsFile), log }
  try {
    const people: Person[] = []
    await lanes(2, await newAccounts(site.sandboxUrl, count), async (account) => {
      people.push(await makePerson(ctx, account, people.length))
    })
    return people
  } finally {
    await ctx.db.end()
  }
}

async function newAccounts(sandboxUrl: string, count: number): Promise<readonly SeededAccount[]> {
  const response = await fetch(`${sandboxUrl}/_sandbox/${app}/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'agency', count }),
  })
  if (!response.ok) throw new Error(`the sandbox answered ${response.status}`)
  return ((await response.json()) as { readonly accounts: readonly SeededAccount[] }).accounts
}

async function makePerson(
  ctx: Pick<Context, 'db' | 'secrets'>,
  { account, label, session, email }: SeededAccount & { readonly email?: string },
  number: number,
): Promise<Person> {
  const address = `${number}-${email ?? account}`.toLowerCase()
  const owner = await createUser(ctx, { email: address, password: 'never signs in', plan: 'large' })
  const { id, key } = await createKey(ctx, { owner, name: 'Bench', apps: null })
  await connect(ctx, { owner, app, externalId: account, label, session })
  return {
    owner,
    keyId: id,
    key,
    browser: `callgate=${await createWebSession(ctx, owner)}`,
    appCookie: session.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  }
}
