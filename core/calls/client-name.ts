/** Characters. */
const longest = 120

/**
 * What a program says of itself, such as `claude-code 2.1`, made fit to be kept and shown: one line, without characters that nobody sees,
 * cut where it is long. Its own words: anybody can write anything there. Undefined: it says nothing.
 */
export function clientName(text: string): string | undefined {
  const line = text
    .slice(0, 20 * longest)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ ]]/gv, '')
    .trim()
  if (line === '') return undefined
  const signs = Array.from(line)
  return signs.length > longest ? `${signs.slice(0, longest - 1).join('')}…` : line
}
