import type { LookupAddress } from 'node:dns'
import type { App } from './app.ts'

/** The site of one account's app. */
export interface Site {
  /** Absolute root, ending in a slash. */
  readonly origin: string
  /** For an address that a user entered: resolves where to connect to; throws if forbidden. */
  readonly reach?: Reach
}

export type Reach = (url: URL, signal: AbortSignal) => Promise<readonly LookupAddress[]>

/** The root of an app that is the same for all accounts. */
export function ownOrigin({ slug, origin }: Pick<App, 'slug' | 'origin'>): string {
  if (typeof origin !== 'string') throw new Error(`where ${slug} is depends on the account`)
  return origin
}

/** URL of an app's page, with or without a leading slash in the connector. */
export function below(origin: string, page: string): URL {
  return new URL(page.replace(/^\//, ''), origin)
}
