/** Characters. */
const longest = 120

/**
 * A client's self-reported, unverified name, such as `claude-code 2.1`, made safe to show: one
 * line, no invisible characters, cut at `longest`. Undefined: it gives none.
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
