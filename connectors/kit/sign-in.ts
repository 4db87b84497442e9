import type { SignIn } from './define.ts'
import { isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/** An app that tells as JSON who is signed in: `account` finds the account's own id and what to call it; throwing means nobody is. */
export function jsonSignIn(options: {
  readonly page: string
  readonly who: string
  readonly account: (answer: Fields) => { readonly id: unknown; readonly label: unknown }
  readonly hosts?: readonly string[]
  readonly storage?: readonly string[]
}): SignIn {
  return {
    page: options.page,
    ...(options.hosts && { hosts: options.hosts }),
    ...(options.storage && { storage: options.storage }),
    who: {
      page: options.who,
      account: (text) => {
        const { id, label } = found(options.account, text)
        return typeof id === 'string' && id !== '' && typeof label === 'string' ? { id, label } : null
      },
    },
  }
}

function found(account: (answer: Fields) => { readonly id: unknown; readonly label: unknown }, text: string) {
  try {
    const answer: unknown = JSON.parse(text)
    return isFields(answer) ? account(answer) : { id: null, label: null }
  } catch {
    // Another page than the one that tells: nobody has signed in.
    return { id: null, label: null }
  }
}
