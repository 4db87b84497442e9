/** Why a password is easy to guess. */
export type Weakness = 'common' | 'repeats' | 'theirs'

/** Up to this many characters around a word add no strength. */
const padding = 6

/**
 * Undefined: no known weakness. 'common': in a list of 49,000, also with a few digits or signs
 * around. 'repeats': a repeated piece or a sequence. 'theirs': from the email or "Callgate".
 */
export async function weaknessOf(password: string, email: string): Promise<Weakness | undefined> {
  const lower = password.toLowerCase()
  const bare = lower.replaceAll(/[^\p{L}\p{N}]/gu, '')
  const piece = repeatedIn(bare)
  if (new Set(lower).size < 5 || isRow(bare) || (piece !== undefined && piece.length < 8)) return 'repeats'
  if (leftBeside(bare, email) < 4) return 'theirs'
  // Loaded on demand: few processes ever check a new password.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const known = dictionary['passwords-common']
  const candidates = [lower, bare, piece, ...wordsIn(lower)]
  return candidates.some((one) => one !== undefined && known.includes(one)) ? 'common' : undefined
}

/** The piece that the text repeats; undefined: it repeats none. */
function repeatedIn(text: string): string | undefined {
  for (let length = 1; length <= text.length / 2; length++) {
    const piece = text.slice(0, length)
    if (text.length % length === 0 && piece.repeat(text.length / length) === text) return piece
  }
  return undefined
}

/** abcdef…, 987654…: each character next to the one before it; 0 follows 9. */
function isRow(text: string): boolean {
  const codes = text.split('').map((character) => character.charCodeAt(0))
  const steps = new Set(
    codes.slice(1).map((code, index) => {
      const step = code - (codes[index] ?? 0)
      return Math.abs(step) === 9 ? -Math.sign(step) : step
    }),
  )
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

/** Characters left without the email's parts and "Callgate"; after a match, without digits. */
function leftBeside(bare: string, email: string): number {
  const lower = email.toLowerCase()
  const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')
  const known = [plain(lower), plain(lower.split('@')[0] ?? ''), ...lower.split(/[^\p{L}\p{N}]+/u), 'callgate']
  const parts = known.filter((part) => part.length >= 4).toSorted((a, b) => b.length - a.length)
  const left = parts.reduce((text, part) => text.replaceAll(part, ''), bare)
  return left === bare ? bare.length : left.replaceAll(/\p{N}/gu, '').length
}

const lookAlike: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** The word within padding of digits and signs, as it is and with look-alikes as letters. */
function wordsIn(lower: string): readonly string[] {
  const [, before = '', word = '', after = ''] = /^([^\p{L}@$]*)(.*\p{L})([^\p{L}]*)$/u.exec(lower) ?? []
  if (![before, after].every(isPadding)) return []
  return [word, word.replaceAll(/[0-9@$!]/g, (sign) => lookAlike[sign] ?? sign)]
}

function isPadding(text: string): boolean {
  const bare = text.replaceAll(/[^\p{N}]/gu, '')
  return text.length <= padding || new Set(text).size <= 2 || isRow(bare) || repeatedIn(bare) !== undefined
}
