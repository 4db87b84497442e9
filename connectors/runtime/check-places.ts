import type { ConnectorSpec } from '../kit/define.ts'
import { parsePattern } from '../kit/origin.ts'
import type { AskedOrigin } from '../kit/origin.ts'
import { isFields } from '../kit/wire.ts'

const tokenForm = /^[\w.:@/-]{1,100}$/
const headerForm = /^[a-z][a-z0-9-]{0,63}$/
/** Those of the connection, and those that say who asks: no token goes there. */
const taken = ['cookie', 'host', 'content-length', 'content-type', 'transfer-encoding', 'connection', 'user-agent']

/** Throws what is wrong with where a connector says that its app is, and with what it says of the session's tokens. */
export function checkPlaces(spec: ConnectorSpec): void {
  const { origin, hosts = {}, signIn, authorize = [], renew } = spec
  if (typeof origin !== 'string') checkedAsk(origin)
  if (!isFields(hosts)) throw new Error('hosts are no addresses by their names')
  for (const host of Object.values(hosts)) rootOf(host)
  const storage: unknown = signIn.storage ?? []
  if (!Array.isArray(storage) || !storage.every((name) => typeof name === 'string' && tokenForm.test(name)))
    throw new Error('signIn.storage is no list of keys')
  const kept: readonly unknown[] = storage
  const isKept = (token: unknown): void => {
    if (!kept.includes(token)) throw new Error(`the token "${String(token)}" is not among signIn.storage`)
  }
  for (const { header, token, scheme } of authorize) {
    if (!headerForm.test(header) || taken.includes(header)) throw new Error(`no token goes into the header "${header}"`)
    if (!/^[A-Za-z]{0,20}$/.test(scheme)) throw new Error(`"${scheme}" stands before no token`)
    isKept(token)
  }
  if (renew === undefined) return
  if (!/^POST \/[^\s?#{}]*$/.test(renew.request)) throw new Error('renew.request is no "POST /path"')
  for (const value of Object.values({ ...renew.form, ...renew.json }))
    if (typeof value !== 'string') isKept(value.token)
  for (const token of Object.keys(renew.gives)) isKept(token)
}

export function checkedAsk(origin: AskedOrigin): AskedOrigin {
  const { ask, pattern, selfHosted }: Partial<Record<string, unknown>> = { ...origin }
  if (typeof ask !== 'string') throw new Error('origin is neither a text nor asked for')
  if (typeof pattern === 'string') parsePattern(pattern)
  else if (selfHosted !== true) throw new Error('origin has no pattern and is not selfHosted')
  return origin
}

/** An absolute address that ends in a slash. */
export function rootOf(address: unknown): string {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (typeof address !== 'string' || !/^https?:$/.test(url?.protocol ?? '') || !address.endsWith('/'))
    throw new Error(`"${String(address)}" is no address of an app`)
  return address
}
