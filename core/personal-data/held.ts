import { heldCalls } from './held-calls.ts'
import { heldPerson } from './held-person.ts'
import type { Held } from './held-table.ts'

/** Everything that is kept of a person, in the order of the file. */
export const held: readonly Held[] = [...heldPerson, ...heldCalls]

/** Tables that hold a person's rows and are not in the file, and why. */
export const notInFile: Readonly<Record<string, string>> = {
  answers_due: 'which of the calls an answer is due for; the calls are there',
  erasures: 'who is erased has no file any more',
  mails: 'on their way to the person, for minutes, with secrets',
  oauth_codes: 'good for minutes, and a secret',
  oauth_tokens: 'hashes of secrets; the programs are there as grants',
  recovery_codes: 'hashes of secrets',
  password_resets: 'good for half an hour, and a secret',
}
