import type { FileOf } from './files.ts'

/**
 * A form of the app's own, sent whole: the page is read first, and whatever stands in the form goes along as a browser would send it, but for the
 * fields that are set. Method and address are those of the request line, a POST; the encoding is the form's.
 */
export interface WholeForm<Page, Input, Context, InputName extends string> {
  /** The page that it stands on. */
  readonly page: Page
  /** The query of the page's address, where it needs one: `{ do: 'edit', id: '{page}' }`, which puts the required input `page` in. */
  readonly query?: Readonly<Record<string, string>>
  /** CSS: the one `<form>` of the page. */
  readonly selector: string
  /** The fields that get another value; `undefined` leaves a field as it is. */
  readonly set: (input: Input, context: Context & FormNow) => Readonly<Record<string, SetValue>>
  /** The button that is pressed, where its name and value go along: those that have this name, and this value, if one is given. Default: none. */
  readonly submit?: SubmitButton
  /** Fields that the form must have, besides those that are set. Given, any other field that has to be filled in is a new one: nothing is sent then. */
  readonly fields?: readonly string[]
  /** Fields that the app fills anew for each page, such as a nonce or a view state: filled from the page that is read when the form is sent. */
  readonly volatile?: readonly string[]
  /** Fields that are set, and where each page suggests something else, such as a code at random: what stands there does not matter. */
  readonly suggested?: readonly string[]
  /** Fields that people know by an input's label: field → input. Default: an input of the same name, else the page's own label. */
  readonly labels?: Readonly<Record<string, InputName>>
}

/** A text or a number, or a file of the input; several, where the form takes several; of a checkbox true or false; null: none, unchecked or empty. */
export type SetValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | FileOf
  | readonly (string | number)[]
  | readonly FileOf[]

export interface FormNow {
  /** What each field of the form has now. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

export interface SubmitButton {
  readonly name: string
  readonly value?: string
}
