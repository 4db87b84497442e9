import type { IsolateOptions } from '../../connectors/isolate/isolated.ts'
import { hashOf, loadAdded } from '../../connectors/runtime/added.ts'
import type { App } from '../../connectors/registry.ts'
import { bundle } from './bundle.ts'
import type { Fetched } from './fetched.ts'
import { readPackage } from './package.ts'
import type { ConnectorPackage } from './package.ts'
import { inWords } from './where.ts'

export interface Looked extends ConnectorPackage {
  readonly code: string
  /** As it is before an operator trusts any of it. */
  readonly app: App
}

/** One that can be asked. */
export interface Opened extends Looked, Disposable {}

/** Bundles the connector of a folder, and looks at all of it as the gateway will. Throws what is wrong, with file and line. */
export async function lookAt(folder: string): Promise<Looked> {
  using opened = await open(folder)
  const { [Symbol.dispose]: _, ...looked } = opened
  return looked
}

/** The same, and keeps it in its isolate, as a gateway does; `options` are the isolate's. */
export async function open(folder: string, options: IsolateOptions = {}): Promise<Opened> {
  const found = readPackage(folder)
  const made = await bundle(found)
  const { slug, hosts, package: from } = found
  const one = { slug, package: from, hosts, hash: hashOf(made.code), trusted: [] }
  try {
    const loaded = await loadAdded(one, made.code, options)
    return { ...found, code: made.code, app: loaded.app, [Symbol.dispose]: () => loaded.dispose() }
  } catch (error) {
    throw new Error(inWords(error, made, found), { cause: error })
  }
}

/** The same of what was fetched. It is told of by its name: its folder is gone when somebody reads that. */
export async function lookAtFetched({ folder, package: name }: Pick<Fetched, 'folder' | 'package'>): Promise<Looked> {
  if (name === undefined) return lookAt(folder)
  const found = await lookAt(folder).catch((error: unknown) => {
    throw new Error(error instanceof Error ? error.message.replaceAll(folder, name) : String(error), { cause: error })
  })
  if (found.package !== name) throw new Error(`${name} says of itself that it is ${found.package}`)
  return found
}
