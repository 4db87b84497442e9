/** The code of an error of the system, the network or a library, such as ECONNREFUSED; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The kind of an error: engine errors may quote payloads, so their texts are not logged. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
