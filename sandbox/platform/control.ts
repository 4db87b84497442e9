import { BlockList, isIP } from 'node:net'
import { listAccounts, reviveSessions, shownSession } from './accounts.ts'
import { isRecord, parseJson } from './body.ts'
import { addFault, parseFault } from './faults.ts'
import type { Gate } from './gate.ts'
import { json } from './replies.ts'
import { run, transaction } from './rows.ts'
import type { Store } from './store.ts'
import type { Account, Reply } from './types.ts'

/** One app at work. */
export interface Running {
  store: Store
  gate: Gate
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a socket's other end, as an IPv4, IPv6 or IPv4-mapped address, is on this machine. */
export function isLoopback(address = ''): boolean {
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const wrong = (status: number, message: string): Reply => json({ error: message }, status)

function present(store: Store, account: Account): unknown {
  const { slug, cookie } = store.app
  const { token } = shownSession(store.db, account.account)
  return {
    account: account.account,
    label: account.label,
    kind: account.kind,
    email: account.email,
    password: account.password,
    user: account.user,
    session: { cookies: [{ name: cookie, value: token, domain: 'localhost', path: `/${slug}` }], user_agent: null },
  }
}

function reset(apps: Iterable<Running>): Reply {
  for (const { store, gate } of apps) {
    store.reset()
    gate.forget()
  }
  return json({ reset: true })
}

function moreAccounts(store: Store, input: unknown): Reply {
  const kinds = store.app.kinds.join(', ')
  if (!isRecord(input))
    return wrong(400, `The body must be a JSON object such as { "kind": "${store.app.kinds[0]}", "count": 1 }.`)
  const { kind, count = 1 } = input
  if (typeof kind !== 'string' || !store.app.kinds.includes(kind)) return wrong(400, `"kind" must be one of ${kinds}.`)
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > 1000) {
    return wrong(400, '"count" must be a whole number from 1 to 1000.')
  }
  const accounts = store.addAccounts(kind, count)
  return json({ accounts: accounts.map((account) => present(store, account)) }, 201)
}

function arm(store: Store, input: unknown): Reply {
  const fault = parseFault(store.app.slug, input)
  if (typeof fault === 'string') return wrong(400, fault)
  addFault(store.db, fault)
  return json({ armed: { ...fault } }, 201)
}

function clear(store: Store): Reply {
  transaction(store.db, () => {
    run(store.db, 'DELETE FROM sb_faults')
    reviveSessions(store.db)
  })
  return json({ cleared: true })
}

/** `/_sandbox/…`: for people and tests on this machine, not part of any app. */
export function control(apps: ReadonlyMap<string, Running>, method: string, path: string, body: string): Reply {
  if (path === '/_sandbox/reset') return method === 'POST' ? reset(apps.values()) : wrong(405, 'POST only.')
  const [slug = '', what = '', ...rest] = path.split('/').slice(2)
  const running = rest.length === 0 ? apps.get(slug) : undefined
  if (!running) return wrong(404, `No such control route. Apps: ${[...apps.keys()].join(', ')}.`)
  const { store } = running
  switch (`${method} ${what}`) {
    case 'GET accounts':
      return json({ accounts: listAccounts(store.db).map((account) => present(store, account)) })
    case 'POST accounts':
      return moreAccounts(store, parseJson(body))
    case 'GET effects':
      return { ...json({}), body: store.effects.list() }
    case 'POST faults':
      return arm(store, parseJson(body))
    case 'DELETE faults':
      return clear(store)
    default:
      return wrong(404, 'No such control route: accounts (GET, POST), effects (GET), faults (POST, DELETE).')
  }
}
