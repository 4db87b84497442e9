/** Text that goes into the path as it is, slashes included: a search, a tag such as `C/C++`. */
export interface FreeText {
  readonly freeText: string
}

/** For a read's `segments`: marks the input as free text rather than an identifier. */
export function freeText(value: string): FreeText {
  return { freeText: value }
}

export function isFreeText(value: unknown): value is FreeText {
  return typeof value === 'object' && value !== null && 'freeText' in value && typeof value.freeText === 'string'
}

/**
 * Whether an app could read the text as another path. Servers decode a path before use, some twice,
 * so no part between slashes may be dots only, however often it is decoded.
 */
export function isUnsafeText({ freeText: text }: FreeText): boolean {
  return text.trim() === '' || !text.isWellFormed() || readings(text).some(isUnsafeReading)
}

function isUnsafeReading(text: string): boolean {
  return /[\u0000-\u001f\u007f]/.test(text) || text.split(/[/\\]/).some((part) => /^\s*\.+\s*(?:;.*)?$/.test(part))
}

/** The text and each result of decoding it again. */
function readings(text: string): readonly string[] {
  const found = [text]
  for (let again = decoded(text); again !== found.at(-1) && found.length < 5; again = decoded(again)) found.push(again)
  return found
}

function decoded(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
