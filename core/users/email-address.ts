/** One plain address: other characters could make it several, or inject a header into a mail. */
const plain = /^[^\s@\p{C}<>",;:\\()[\]]+@[^\s@\p{C}<>",;:\\()[\]]+$/u

export function isPlainAddress(text: string): boolean {
  return plain.test(text)
}

/** A typed email address, trimmed; undefined if it is invalid. */
export function emailOf(typed: string): string | undefined {
  const email = typed.trim()
  return email.length <= 254 && isPlainAddress(email) ? email : undefined
}
