import type { ConnectorSpec } from '../kit/define.ts'
import { parsePattern } from '../kit/origin.ts'
import { headerFault } from '../kit/own-headers.ts'
import type { AskedOrigin } from '../kit/origin.ts'
import { UnsafePath, address, parseLine } from '../kit/request-line.ts'
import { isFields } from '../kit/wire.ts'

const tokenForm = /^[\w.:@/-]{1,100}$/
/** Fields that a renewal may send besides tokens. Source: RFC 6749, 6; RFC 8707. */
const renewalWords: Readonly<Record<string, RegExp>> = {
  grant_type: /^refresh_token$/,
  client_id: /^[\w.:/-]{1,200}$/,
  client_secret: /^[\w.~+/=-]{1,200}$/,
  scope: /^[\w.:/ -]{1,500}$/,
  audience: /^[\w.:/-]{1,200}$/,
  resource: /^[\w.:/-]{1,200}$/,
}

/** Throws what is wrong with a connector's addresses and session token declarations. */
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
    if (headerFault(header, true) !== undefined) throw new Error(`no token goes into the header "${header}"`)
    if (!/^[A-Za-z]{0,20}$/.test(scheme)) throw new Error(`"${scheme}" stands before no token`)
    isKept(token)
  }
  if (renew === undefined) return
  if (!/^POST \/[^\s?#{}]*$/.test(renew.request)) throw new Error('renew.request is no "POST /path"')
  if (!staysWithin(renew.request)) throw new Error('renew.request leaves the app')
  const sent = Object.entries({ ...renew.form, ...renew.json })
  if (!sent.some(([, value]) => typeof value !== 'string')) throw new Error('renew sends no token')
  for (const [name, value] of sent)
    if (typeof value !== 'string') isKept(value.token)
    else if (!Object.hasOwn(renewalWords, name) || renewalWords[name]?.test(value) !== true)
      throw new Error(
        `renew sends ${name}: besides tokens it takes ${Object.keys(renewalWords).join(', ')}, with their usual values`,
      )
  for (const token of Object.keys(renew.gives)) isKept(token)
}

/** Must hold for any root: the app may be below a path. */
function staysWithin(request: string): boolean {
  try {
    return address('https://app.example/root/', parseLine(request).path, {}).href !== ''
  } catch (error) {
    if (error instanceof UnsafePath) return false
    throw error
  }
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
