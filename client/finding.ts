/** One thing that `callgate doctor` looked at. */
export interface Finding {
  readonly what: string
  readonly ok: boolean
  readonly found: string
  /** What to do about it. */
  readonly mend?: string
}
