import { connector, firstOf, redirectTo, select } from '@callgate/kit'
import * as attendees from './attendees.ts'
import * as events from './events.ts'
import * as mails from './mails.ts'
import * as orders from './orders.ts'
import * as payments from './payments.ts'
import * as quotas from './quotas.ts'
import { notThere, notNow, notAllowed } from './refusals.ts'
import { things } from './things.ts'
import * as vouchers from './vouchers.ts'

export default connector({
  name: 'pretix',
  description: 'Ticket sales: events, their orders, attendees, quotas and vouchers.',
  role: 'member of a team of the organizer',
  origin: { ask: 'Address of your pretix', selfHosted: true },
  signIn: {
    page: 'control/login',
    who: {
      page: 'control/settings/',
      account: (page) => {
        const form = select(page).optional('form[data-testid="usersettingsform"]')
        if (form === null) return null
        const email = form.select('input[name="email"]').attribute('value')
        const name = form.select('input[name="fullname"]').attributeOrNull('value') ?? ''
        return { id: email, label: name === '' ? email : `${name} (${email})` }
      },
    },
  },
  failure: firstOf(
    // The page for signing in is above that for the second factor.
    redirectTo('control/login/2fa', 'mfa'),
    redirectTo('control/login', 'auth_expired'),
    redirectTo('control/reauth', 'auth_expired'),
    notThere,
    notAllowed,
    notNow,
  ),
  things,
  endpoints: [events, orders, payments, mails, attendees, quotas, vouchers],
})
