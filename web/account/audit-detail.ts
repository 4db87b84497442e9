import { listAccounts } from '../../core/accounts/accounts.ts'
import type { AuditEntry } from '../../core/audit.ts'
import type { Context } from '../../core/context.ts'
import { listKeys } from '../../core/keys/keys.ts'
import { actionOf } from '../parts/declared.ts'
import { counted, inWords } from '../parts/time.tsx'

/** Names of the ids in an audit log. */
export interface Names {
  readonly keys: ReadonlyMap<string, string>
  readonly accounts: ReadonlyMap<string, string>
  readonly apps: Context['apps']
}

/** A detail of an audit entry, such as `Time to decide: 20 seconds`, with a link if any. */
export interface DetailPart {
  readonly label: string
  readonly text: string
  readonly page?: string
}

export async function namesFor(ctx: Context, owner: string): Promise<Names> {
  const [keys, accounts] = await Promise.all([listKeys(ctx.db, owner), listAccounts(ctx, owner)])
  return {
    keys: new Map(keys.map(({ id, name }) => [id, name])),
    accounts: new Map(accounts.map(({ id, label }) => [id, label])),
    apps: ctx.apps,
  }
}

/** Ids that mean nothing to users, or come with a name. */
const silent: ReadonlySet<string> = new Set([
  'owner',
  'invitation',
  'new_key',
  'passkey',
  'reach',
  'watch',
  'webhook',
  'hash',
])

const labels: Readonly<Record<string, string>> = {
  account_rate: 'Sends a second, each account',
  app_rate: 'Sends a second',
  changed: 'Places',
  channel: 'By',
  client: 'Program',
  confirm: 'Asks first',
  days: 'Valid for',
  endpoint: 'Action',
  endpoints: 'Actions',
  expirySeconds: 'Time to decide',
  field: 'Only where',
  happened: 'It happened',
  keys: 'Never asks for',
  kinds: 'Told of',
  mailed: 'By mail',
  left: 'Left',
  may_invite: 'May invite',
  mode: 'Allowed',
  on: 'On',
  overlap_hours: 'The old one works for',
  passkey_for: 'Passkey',
  per_day: 'At most a day',
  plan: 'Size',
  read_only: 'Only reads',
  sees_all: 'Sees all of your calls',
  shows: 'Says',
  taken_back: 'Calls taken back',
  to: 'Signed in from',
  topped_up: 'Credits added',
}

const modes: Readonly<Record<string, string>> = {
  all: 'everything',
  read: 'only reading',
  chosen: 'only what is chosen',
}

/** An entry's details for users: names for ids, labels for fields, formatted durations. */
export function detailParts({ detail }: Pick<AuditEntry, 'detail'>, names: Names): readonly DetailPart[] {
  return Object.entries(detail).flatMap(([name, value]): readonly DetailPart[] => {
    if (silent.has(name) || value === null) return []
    const label = labels[name] ?? inWordsOf(name)
    const id = typeof value === 'string' ? value : ''
    switch (name) {
      case 'key':
        return 'name' in detail ? [] : named('Key', names.keys.get(id))
      case 'account':
        return named('Account', names.accounts.get(id))
      case 'call':
        return [{ label: 'Call', text: 'its page', page: `/calls/${id}` }]
      case 'standing':
        return [{ label: 'Standing approval', text: 'its page', page: `/standing/${id}` }]
      case 'app':
        return [{ label: 'App', text: names.apps.get(id)?.name ?? id }]
      case 'keys':
        return [{ label, text: listed(value, (key) => names.keys.get(key) ?? key) }]
      case 'apps':
        return [{ label, text: listed(value, (slug) => names.apps.get(slug)?.name ?? slug) }]
      case 'endpoint':
      case 'endpoints':
        return [{ label, text: listed(value, (one) => actionIn(names, detail['app'], one)) }]
      case 'expirySeconds':
        return [{ label, text: inWords(Number(value) * 1000) }]
      case 'overlap_hours':
        return [{ label, text: counted(Number(value), 'hour') }]
      case 'days':
        return [{ label, text: counted(Number(value), 'day') }]
      case 'mode':
        return [{ label, text: modes[id] ?? id }]
      default:
        return [{ label, text: sayOf(value) }]
    }
  })
}

/** Deleted objects have no name, and their ids mean nothing to users. */
function named(label: string, name: string | undefined): readonly DetailPart[] {
  return name === undefined ? [] : [{ label, text: name }]
}

/** `endpoint` may include its app: `crm/list_clients`. */
function actionIn(names: Names, app: unknown, endpoint: string): string {
  const { apps } = names
  const [slug = '', name] = endpoint.split('/')
  if (name !== undefined) return `${actionIn(names, slug, name)} (${apps.get(slug)?.name ?? slug})`
  return actionOf(typeof app === 'string' ? apps.get(app)?.endpoints.get(endpoint) : undefined, endpoint)
}

function listed(value: unknown, say: (one: string) => string): string {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  return all.length === 0 ? 'none' : all.map((one) => (typeof one === 'string' ? say(one) : sayOf(one))).join(', ')
}

/** `mayInvite`, `may_invite` → `May invite`. */
function inWordsOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function sayOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
