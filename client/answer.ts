/** Output of a command: `value` with --json, otherwise `text` if there is one. */
export interface Answer {
  readonly value: unknown
  readonly text?: string
  /** The exit code, 0 by default. */
  readonly code?: number
}

/** Wrong usage of a command: unknown options or missing arguments. */
export class Usage extends Error {}
