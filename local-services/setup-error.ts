/** Something that the person at the keyboard must change. Its message is one line and says what; it is shown without a stack. */
export class SetupError extends Error {
  override name = 'SetupError'
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
