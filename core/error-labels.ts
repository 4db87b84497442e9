/** The `code` of a system, network or library error, such as ECONNREFUSED; else undefined. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The error's name, for logs: messages of Temporal errors may quote payloads. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
