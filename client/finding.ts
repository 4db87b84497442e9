/** Result of one check of `callgate doctor`. */
export interface Finding {
  readonly what: string
  readonly ok: boolean
  readonly found: string
  /** The suggested fix. */
  readonly mend?: string
}
