import { connectors } from './apps.ts'
import type { App } from './runtime/app.ts'
import { appOf } from './runtime/bind.ts'
import { Catalogue } from './runtime/catalogue.ts'
import { brokenBy } from './runtime/load.ts'
import type { BrokenApp, Loaded } from './runtime/load.ts'

export { bindAll } from './runtime/bind.ts'
export type { App, Apps, Detail, Endpoint, JsonSchema, ParsedInput } from './runtime/app.ts'

/** All apps, ready for calls; broken ones are listed separately. */
export function loadApps(options: {
  readonly sandboxUrl: string
  /** Used instead of those in `apps.ts`. */
  readonly connectors?: Readonly<Record<string, Loaded>> | undefined
}): Catalogue {
  const { sandboxUrl } = options
  const isOwn = options.connectors === undefined
  const bySlug = new Map<string, App>()
  const broken = new Map<string, BrokenApp>()
  for (const [slug, loaded] of Object.entries(options.connectors ?? connectors)) {
    try {
      if ('broken' in loaded) broken.set(slug, loaded.broken)
      else
        bySlug.set(
          slug,
          appOf(slug, loaded.spec, sandboxUrl, isOwn ? { kind: 'built-in', slug, sandboxUrl } : undefined),
        )
    } catch (error) {
      broken.set(slug, brokenBy(slug, error))
    }
  }
  return new Catalogue(bySlug, broken)
}
