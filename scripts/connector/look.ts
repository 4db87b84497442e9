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

/** Bundles the connector of a folder, and looks at all of it as the gateway will. Throws what is wrong, with file and line. */
export async function lookAt(folder: string): Promise<Looked> {
  const found = readPackage(folder)
  const made = await bundle(found)
  const { slug, hosts, package: from } = found
  const one = { slug, package: from, hosts, hash: hashOf(made.code), trusted: [] }
  try {
    const loaded = await loadAdded(one, made.code)
    loaded.dispose()
    return { ...found, code: made.code, app: loaded.app }
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
