/** Global ids, as Relay has them: base64 of `Type:number`. Cursors look alike, but name a list. */
export type IdType = 'Engagement' | 'Person' | 'Stage' | 'Blueprint' | 'Paper' | 'Package' | 'Bill' | 'Payment'
export type ListName = 'engagements' | 'people' | 'papers' | 'bills'

const encode = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

function decode(name: string, text: string): number | undefined {
  const plain = Buffer.from(text, 'base64').toString('utf8')
  const digits = /^[A-Za-z]+:([1-9]\d{0,14})$/.exec(plain)?.[1]
  const number = Number(digits)
  return digits !== undefined && encode(`${name}:${digits}`) === text ? number : undefined
}

export const globalId = (type: IdType, id: number): string => encode(`${type}:${id}`)

/** The number, or undefined where it is no id of this type. */
export const readGlobalId = (type: IdType, text: string): number | undefined => decode(type, text)

export const cursorOf = (list: ListName, id: number): string => encode(`${list}:${id}`)

export const readCursor = (list: ListName, text: string): number | undefined => decode(list, text)
