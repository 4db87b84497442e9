import { heldCalls } from './held-calls.ts'
import { heldPerson } from './held-person.ts'
import type { Held } from './held-table.ts'

/** All data that is stored about a user, in the order of the export. */
export const held: readonly Held[] = [...heldPerson, ...heldCalls]

/** Tables with rows of a user that are not exported, and why. */
export const notInFile: Readonly<Record<string, string>> = {
  answers_due: 'which of the calls an answer is due for; the calls are there',
  erasures: 'who is erased has no file any more',
  mails: 'on their way to the person, for minutes, with secrets',
  oauth_codes: 'good for minutes, and a secret',
  oauth_tokens: 'hashes of secrets; the programs are there as grants',
  oauth_networks: 'addresses of the last ten minutes, deleted after that and with the account',
  recovery_codes: 'hashes of secrets',
  password_resets: 'good for half an hour, and a secret',
}
