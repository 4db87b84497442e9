/** Invisible characters, except within emoji, whose parts they join. */
const unseen =
  /(?<emoji>\p{RGI_Emoji})|[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]--[ \n\r\t\u00a0]]/gv

/** Whether a text has invisible characters. */
export function isUnseenIn(text: string): boolean {
  return Array.from(text.matchAll(unseen)).some(({ groups }) => groups?.['emoji'] === undefined)
}

/** The same text with each invisible character replaced. */
export function replaceUnseen(text: string, by: (character: string) => string): string {
  return text.replaceAll(unseen, (found, emoji: string | undefined) => emoji ?? by(found))
}

/** JSON pointers (RFC 6901) to up to `most` texts and property names with invisible characters. */
export function placesOfUnseen(value: unknown, most: number): readonly string[] {
  const places: string[] = []
  const look = (inner: unknown, pointer: string): void => {
    if (places.length === most) return
    if (typeof inner === 'string') {
      if (isUnseenIn(inner)) places.push(pointer)
    } else if (typeof inner === 'object' && inner !== null)
      for (const [name, one] of Object.entries(inner)) {
        const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
        if (isUnseenIn(name) && places.length < most) places.push(replaceUnseen(place, () => '\ufffd'))
        look(
          one,
          replaceUnseen(place, () => '\ufffd'),
        )
      }
  }
  look(value, '')
  return places
}
