import { isHtml, unguarded } from './content-type.ts'
import type { SignIn } from './define.ts'
import { openedPage } from './document.ts'
import { shownElementsOf } from './elements-of.ts'
import type { FailureRule } from './failures.ts'
import { pageItself } from './page-number.ts'
import { isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/**
 * Sign-in of an app with a JSON endpoint for the current user: `account` reads the account's own id
 * and its name; throwing means signed out.
 */
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
    const answer: unknown = JSON.parse(unguarded(text))
    return isFields(answer) ? account(answer) : { id: null, label: null }
  } catch {
    // Not that JSON: signed out.
    return { id: null, label: null }
  }
}

const passwords = 'input[type="password" i]'
const names = 'input:not([type]), input[type="text" i], input[type="email" i], input[type="tel" i]'

/**
 * The app's sign-in form instead of the page, at any status below 500: the session has expired.
 * Recognised by `css`, or by exactly one visible password field, not for a new password, with a
 * visible name field in the same form. `hiddenBy` as in `refusedPage`. As a write's own answer it
 * counts only in place of one that could mean success.
 */
export function signInForm(css?: string, { hiddenBy }: { readonly hiddenBy?: string } = {}): FailureRule {
  return ({ status, headers, text }) => {
    if (status >= 500 || !isHtml(headers['content-type'] ?? '')) return undefined
    // Spares most pages the parser.
    if (css === undefined && !/password/i.test(text)) return undefined
    const page = openedPage(text)
    const found = shownElementsOf(page, pageItself, css ?? passwords, hiddenBy)
    if (css !== undefined) return found.length > 0 ? { kind: 'auth_expired' } : undefined
    const [password, ...others] = found
    if (password === undefined || others.length > 0) return undefined
    if (page.ask('attributes', password)?.['autocomplete'] === 'new-password') return undefined
    const form = page.ask('owner', password)
    const isAsked = shownElementsOf(page, pageItself, names, hiddenBy).some((name) => page.ask('owner', name) === form)
    return isAsked ? { kind: 'auth_expired' } : undefined
  }
}
