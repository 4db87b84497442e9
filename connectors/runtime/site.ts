import type { LookupAddress } from 'node:dns'
import type { App } from './app.ts'

/** Where the app of one account is. */
export interface Site {
  /** Absolute root, ending in a slash. */
  readonly origin: string
  /** For an address that somebody typed: finds where to connect to, and throws where nobody may. */
  readonly reach?: Reach
}

export type Reach = (url: URL, signal: AbortSignal) => Promise<readonly LookupAddress[]>

/** The address of an app that is in one place for everybody. */
export function ownOrigin({ slug, origin }: Pick<App, 'slug' | 'origin'>): string {
  if (typeof origin !== 'string') throw new Error(`where ${slug} is depends on the account`)
  return origin
}

/** A page of an app, however its connector wrote it. */
export function below(origin: string, page: string): URL {
  return new URL(page.replace(/^\//, ''), origin)
}
