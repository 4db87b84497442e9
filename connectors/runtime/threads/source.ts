import type { Image } from '../../isolate/engine.ts'

/** What an exchange thread loads the code of an app from. */
export type CodeSource = { readonly kind: 'built-in'; readonly slug: string; readonly sandboxUrl: string } | AddedSource

export interface AddedSource {
  readonly kind: 'added'
  readonly slug: string
  /** Unique per load in this process. */
  readonly id: string
  /** The connector's own declaration, as JSON. */
  readonly told: string
  readonly image: Image
  readonly trusted: readonly string[]
}

/** The name by which threads know it. */
export function nameOf(source: CodeSource): string {
  return source.kind === 'built-in' ? source.slug : source.id
}
