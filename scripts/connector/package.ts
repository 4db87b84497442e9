import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { checkHostList } from '../../connectors/runtime/added.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'

/** A connector's description in `package.json`. */
export interface ConnectorPackage {
  readonly folder: string
  /** The app's name in URLs: the package name without scope and `callgate-connector-`. */
  readonly slug: string
  /** Name and version. */
  readonly package: string
  /** The file that is bundled. */
  readonly entry: string
  readonly hosts: readonly string[]
  /** The canary reads, run daily, each with an input that finds something. */
  readonly watch: Readonly<Record<string, Fields>>
}

/** Version of this gateway's kit, for packages that declare the one they were made for. */
export const apiVersion = 1

/** npm's install scripts. Callgate never runs them, so packages cannot depend on them. */
const installScripts = ['preinstall', 'install', 'postinstall']

/** Reads and validates `package.json`. Throws with file and line. */
export function readPackage(folder: string): ConnectorPackage {
  const file = path.join(folder, 'package.json')
  if (!existsSync(file)) throw new Error(`${folder} has no package.json`)
  const text = readFileSync(file, 'utf8')
  const fail = (key: string, problem: string): never => {
    throw new Error(`${file}:${lineOf(text, `"${key}"`)}: ${problem}`)
  }
  const { name, version, scripts, callgate } = parsed(file, text)
  if (typeof name !== 'string' || typeof version !== 'string') return fail('name', 'name and version are missing')
  const script = installScripts.find((one) => isFields(scripts) && scripts[one] !== undefined)
  if (script !== undefined) return fail(script, `a connector has no install scripts, and "${script}" is one`)
  if (!isFields(callgate))
    return fail('callgate', 'there is no "callgate": { "connector": "./index.ts", "api": 1, "hosts": ["https://…"] }')
  const { connector, api, hosts, watch = {} } = callgate
  if (api !== apiVersion)
    fail('api', `api is ${JSON.stringify(api)}, and this gateway has the kit of api ${apiVersion}`)
  if (typeof connector !== 'string') return fail('connector', 'connector names no file')
  const entry = path.resolve(folder, connector)
  if (path.relative(folder, entry).startsWith('..') || !existsSync(entry))
    fail('connector', `there is no file ${connector} in the package`)
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === 'string'))
    return fail('hosts', 'hosts is no list of addresses')
  if (!isInputs(watch)) return fail('watch', 'watch says { endpoint: its input }')
  try {
    checkHostList(hosts)
  } catch (error) {
    fail('hosts', error instanceof Error ? error.message : String(error))
  }
  return { folder, slug: slugOf(name), package: `${name}@${version}`, entry, hosts, watch }
}

function isInputs(value: unknown): value is Readonly<Record<string, Fields>> {
  return isFields(value) && Object.values(value).every(isFields)
}

function parsed(file: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : {}
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** The app's name in URLs. */
export function slugOf(name: string): string {
  return name.replace(/^@[^/]*\//, '').replace(/^callgate-(?:connector-)?/, '')
}

/** The line of the first match; 1 if there is none. */
export function lineOf(text: string, wanted: string | RegExp): number {
  const at = typeof wanted === 'string' ? text.indexOf(wanted) : text.search(wanted)
  return at < 0 ? 1 : text.slice(0, at).split('\n').length
}
