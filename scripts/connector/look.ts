import { isolated } from '../../connectors/isolate/isolated.ts'
import type { IsolateOptions } from '../../connectors/isolate/isolated.ts'
import { hashOf, loadAdded } from '../../connectors/runtime/added.ts'
import type { App } from '../../connectors/registry.ts'
import { bundle } from './bundle.ts'
import type { Fetched } from './fetched.ts'
import { readPackage } from './package.ts'
import type { ConnectorPackage } from './package.ts'
import { inWords } from './where.ts'

export interface Looked extends ConnectorPackage, Pick<Fetched, 'modules'> {
  readonly code: string
  /** The app with nothing trusted yet. */
  readonly app: App
}

/** A loaded connector that can be called. */
export interface Opened extends Looked, Disposable {}

/** Bundles a folder's connector and checks it as the gateway does. Throws with file and line. */
export async function lookAt(folder: string, modules?: string): Promise<Looked> {
  using opened = await open(folder, {}, modules)
  const { [Symbol.dispose]: _, ...looked } = opened
  return looked
}

/** The same, but keeps its isolate; `modules` are the dependencies of a fetched package. */
export async function open(folder: string, options: IsolateOptions = {}, modules?: string): Promise<Opened> {
  const found = readPackage(folder)
  const made = await bundle({ ...found, modules })
  const { slug, hosts, package: from } = found
  const one = { slug, package: from, hosts, hash: hashOf(made.code), trusted: [] }
  try {
    const loaded = await loadAdded(one, made.code, (code) => isolated(code, options))
    return { ...found, modules, code: made.code, app: loaded.app, [Symbol.dispose]: () => loaded.dispose() }
  } catch (error) {
    throw new Error(inWords(error, made, found), { cause: error })
  }
}

/** The same for a fetched package. Errors name the package: its folder is temporary. */
export async function lookAtFetched({
  folder,
  package: name,
  modules,
}: Omit<Fetched, keyof AsyncDisposable>): Promise<Looked> {
  if (name === undefined) return lookAt(folder)
  const found = await lookAt(folder, modules).catch((error: unknown) => {
    throw new Error(error instanceof Error ? error.message.replaceAll(folder, name) : String(error), { cause: error })
  })
  if (found.package !== name) throw new Error(`${name} says of itself that it is ${found.package}`)
  return found
}
