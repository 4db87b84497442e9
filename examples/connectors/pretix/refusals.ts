import { notFound, refusedPage, rejected, select } from '@callgate/kit'
import type { FailureRule } from '@callgate/kit'

/** A page that says there is no such event, order or voucher. Where pretix does not even know the path, it has changed. */
export const notThere: FailureRule = ({ status, text }) => {
  if (status !== 404) return undefined
  const said = select(text).optional('.error-details')?.text()
  return said === undefined || said.includes('Resolver404') ? undefined : notFound('pretix has no such thing.')
}

/** The person's teams may not do this. A forged form answers 403, too, with another page. */
export const notAllowed: FailureRule = ({ status, text }) =>
  status === 403 && select(text).optional('.fa-lock.big-icon') !== null
    ? rejected('permission_denied', 'Your teams in pretix do not allow this.')
    : undefined

/** pretix has these forms only while the order can be paid, or cancelled. */
export const notNow: FailureRule = ({ status }) =>
  status === 405 ? rejected('not_possible_now', 'pretix does not offer this for the order as it is now.') : undefined

/** A form that is shown again, with what is wrong in it; below it may stand help, which is not shown. */
export const invalidForm = [
  refusedPage('form .has-error .help-block:not(.help-block ~ .help-block)', 'invalid_form'),
  refusedPage('form > .alert-danger', 'invalid_form'),
]

/** What pretix says on the page that it leads to when it could not do it. */
export const saysNo = refusedPage('#page-wrapper > .container-fluid > .alert-danger', 'refused')
