import type { FileOf } from './files.ts'

/**
 * A form of the app, submitted as a whole: its page is read first, and every field is sent as a
 * browser would send it, except for those that are set. Method (POST) and URL come from the request
 * line, the encoding from the form.
 */
export interface WholeForm<Page, Input, Context, InputName extends string> {
  /** The page with the form. */
  readonly page: Page
  /** Query of the page's URL: `{ do: 'edit', id: '{page}' }` inserts the required input `page`. */
  readonly query?: Readonly<Record<string, string>>
  /** CSS selector of the page's only such `<form>`. */
  readonly selector: string
  /** New values of fields; `undefined` leaves a field as it is. */
  readonly set: (input: Input, context: Context & FormNow) => Readonly<Record<string, SetValue>>
  /** The button to press, by name and, if given, value; both are sent. Default: none. */
  readonly submit?: SubmitButton
  /** Fields that must exist besides those set. If given, a new required field stops the send. */
  readonly fields?: readonly string[]
  /** Fields with a new value per page, such as a nonce; taken from the page read at send time. */
  readonly volatile?: readonly string[]
  /** Set fields for which each page suggests another value, such as a random code; ignored. */
  readonly suggested?: readonly string[]
  /**
   * Fields that a script fills or offers choices for: any value is sent. Values of other fields
   * must be ones that a browser would accept.
   */
  readonly scripted?: readonly string[]
  /** Labels for users: field → input. Default: the input of that name, else the page's label. */
  readonly labels?: Readonly<Record<string, InputName>>
}

/**
 * A text, a number or a file of the input, or a list of them if the form takes several; a boolean
 * for a checkbox; null: none, unchecked or empty.
 */
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
  /** Current values of each field. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

export interface SubmitButton {
  readonly name: string
  readonly value?: string
}
