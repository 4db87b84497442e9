import path from 'node:path'
import { hashOf, loadAdded } from '../../connectors/runtime/added.ts'
import type { App } from '../../connectors/registry.ts'
import type { Reads } from '../../connectors/recordings/reads.ts'
import { bundle } from './bundle.ts'
import type { Opened } from './look.ts'

/** A function that takes too long is kept from all others for a while, which would look like noticing: of a slow machine, too. */
export const callMs = 60_000

/** The same connector, and each of its functions tells what it reads. */
export async function openWatched(
  { entry, folder, slug, hosts, package: from }: Opened,
  reads: Reads,
): Promise<Disposable & { readonly app: App }> {
  const module = path.join(import.meta.dirname, '../../connectors/recordings/watched.ts')
  const { code } = await bundle({ entry, folder }, { module, name: 'watched' })
  const one = { slug, package: from, hosts, hash: hashOf(code), trusted: [] }
  const loaded = await loadAdded(one, code, { callMs, watch: reads.watch })
  return { app: loaded.app, [Symbol.dispose]: () => loaded.dispose() }
}
