import path from 'node:path'
import { isolated } from '../../connectors/isolate/isolated.ts'
import { hashOf, loadAdded } from '../../connectors/runtime/added.ts'
import type { App } from '../../connectors/registry.ts'
import type { Reads } from '../../connectors/recordings/reads.ts'
import { bundle } from './bundle.ts'
import type { Opened } from './look.ts'

/** A timeout disables a function for a while, which tests would misread; slow machines need it. */
export const callMs = 60_000

/** The same connector, wrapped so that its functions report what they read. */
export async function openWatched(
  { entry, folder, modules, slug, hosts, package: from }: Opened,
  reads: Reads,
): Promise<Disposable & { readonly app: App }> {
  const module = path.join(import.meta.dirname, '../../connectors/recordings/watched.ts')
  const { code } = await bundle({ entry, folder, modules }, { module, name: 'watched' })
  const one = { slug, package: from, hosts, hash: hashOf(code), trusted: [] }
  const loaded = await loadAdded(one, code, (own) => isolated(own, { callMs, watch: reads.watch }))
  return { app: loaded.app, [Symbol.dispose]: () => loaded.dispose() }
}
