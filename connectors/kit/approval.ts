/**
 * What the approver reads first. Texts are templates: `{invoice_id.total}` is a field that the
 * preview of that input shows, `{client_id}` the entity's name, `{message}` the input itself,
 * `{emails|guest|guests}` a count. A part in brackets, `[ to {client_id.name}]`, is left out when
 * one of its values is missing. Values of agents and apps are quoted; ids are never shown.
 */
export interface ApprovalText<T extends string = string> {
  /** What happens, in one sentence, at most 110 characters with its values. */
  readonly headline: T
  /** Label of the button that approves: `Pay {fare_id.price}`, `Cancel appointment`. */
  readonly button: T
  /** Other texts for certain values of inputs; the first that fits counts. */
  readonly instead?: readonly { readonly when: When; readonly headline: T; readonly button: T }[]
  /** What follows for other people, for money, and for good. Most serious first. */
  readonly consequences: readonly Consequence<T>[]
}

/** Inputs and their values, of which one is given. */
export type When = Readonly<Record<string, readonly (string | number | boolean)[]>>

export interface Consequence<T extends string = string> {
  readonly kind: ConsequenceKind
  /** A fact in a few words: `{course_id.students|student gets|students get} an e-mail`. */
  readonly text: T
  /** Default: always. */
  readonly when?: When
}

export const consequenceKinds = ['people', 'money', 'public', 'irreversible', 'other'] as const
export type ConsequenceKind = (typeof consequenceKinds)[number]

/** A template is a list of parts; those of `ifAll` belong together. */
export type TemplatePart = PlainPart | { readonly ifAll: readonly PlainPart[] }
type PlainPart = Words | Placeholder

interface Words {
  readonly words: string
}

export interface Placeholder {
  /** An input, or a field that its preview shows: `client_id`, `invoice_id.client.name`. */
  readonly place: string
  /** For a count: `guest`, `guests`. */
  readonly counted?: readonly [string, string]
}

const piece =
  /\{(?<place>\w[\w.]*)(?:\|(?<one>[^{}|[\]]+)\|(?<many>[^{}|[\]]+))?\}|\[(?<group>[^[\]]*)\]|(?<words>[^{}[\]]+)|(?<rest>.)/gsu

/** Throws for unbalanced or nested brackets and braces. */
export function parseTemplate(template: string): readonly TemplatePart[] {
  return Array.from(template.matchAll(piece), ({ groups = {} }): TemplatePart => {
    const { place, one, many, group, words } = groups
    if (words !== undefined) return { words }
    if (place !== undefined)
      return one === undefined || many === undefined ? { place } : { place, counted: [one, many] }
    if (group === undefined) throw new Error(`"${template}" is no template: {place}, {place|one|many}, [optional part]`)
    return { ifAll: parseTemplate(group) as readonly PlainPart[] }
  })
}

export function templatesOf({ headline, button, instead = [], consequences }: ApprovalText): readonly string[] {
  return [
    headline,
    button,
    ...instead.flatMap((one) => [one.headline, one.button]),
    ...consequences.map(({ text }) => text),
  ]
}

type RootOf<P extends string> = P extends `${infer R}|${string}` ? RootOf<R> : P extends `${infer R}.${string}` ? R : P
type Roots<T extends string> = T extends `${string}{${infer P}}${infer Rest}` ? RootOf<P> | Roots<Rest> : never
type TextsOf<A extends ApprovalText> =
  | A['headline']
  | A['button']
  | A['consequences'][number]['text']
  | InsteadOf<A['instead']>
type InsteadOf<I> = I extends readonly { readonly headline: infer H; readonly button: infer B }[]
  ? (H | B) & string
  : never

/** Does not accept a template that names something else than the inputs `Names`. */
export type CheckedApproval<A extends ApprovalText, Names extends string> = [
  Exclude<Roots<TextsOf<A>>, Names>,
] extends [never]
  ? A
  : `A template names {${Exclude<Roots<TextsOf<A>>, Names>}}, which is no input`
