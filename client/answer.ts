/** What a command says: `value` with --json, else `text` where there is one. */
export interface Answer {
  readonly value: unknown
  readonly text?: string
  /** The exit code, 0 by default. */
  readonly code?: number
}

/** The command was typed wrongly. */
export class Usage extends Error {}
