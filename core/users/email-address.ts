/** One plain address. With anything else in it, it might be several, or another header of a mail. */
const plain = /^[^\s@\p{C}<>",;:\\()[\]]+@[^\s@\p{C}<>",;:\\()[\]]+$/u

export function isPlainAddress(text: string): boolean {
  return plain.test(text)
}

/** An email address as people type it, or undefined for what is none. */
export function emailOf(typed: string): string | undefined {
  const email = typed.trim()
  return email.length <= 254 && isPlainAddress(email) ? email : undefined
}
