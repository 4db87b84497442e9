import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { Refusal, type AppRequest, type Reply, type Route } from '../platform/types.ts'
import { words } from './actions.ts'
import { findPublicAd, newestPublicAds } from './ads.ts'
import { refOf } from './entities.ts'
import { layout, price, root } from './layout.ts'
import { receiveEnquiry } from './threads.ts'

function home({ db, viewer }: AppRequest): Reply {
  const body = html`<h1>Homes, for sale and to let</h1>
    <table>
      ${newestPublicAds(db).map(
        (ad) =>
          html`<tr>
            <td><a href="${root}/ad/${refOf(ad.serial)}" dir="auto">${ad.headline}</a></td>
            <td>${ad.city}</td>
            <td>${price(ad.cents, ad.currency)}</td>
          </tr>`,
      )}
    </table>`
  return page(layout({ title: 'Homes', body, viewer }))
}

function publicAd({ db, viewer, params, query }: AppRequest): Reply {
  const ad = findPublicAd(db, params['ref'] ?? '')
  const body = html`<h1 dir="auto">${ad.headline}</h1>
    <p>
      ${ad.deal === 'for_sale' ? 'For sale' : 'To let'} in ${ad.city} · ${price(ad.cents, ad.currency)} · ${ad.built} m²
      · ${ad.rooms} bedrooms
    </p>
    <p class="text card" dir="auto">${ad.blurb}</p>
    ${query.has('sent') && html`<p class="card">Thank you, your message is on its way.</p>`}
    <form class="card" method="post" action="${root}/ad/${refOf(ad.serial)}/enquiry">
      <label>Your name <input name="name" required maxlength="100" dir="auto" /></label>
      <label>E-mail <input type="email" name="email" required /></label>
      <label>Phone <input name="phone" /></label>
      <label>Message <textarea name="text" required dir="auto"></textarea></label>
      <button>Ask the advertiser</button>
    </form>`
  return page(layout({ title: ad.headline, body, viewer }))
}

/** Anybody may ask, so there is no session and no token to check. */
function enquire(request: AppRequest): Reply {
  const { db, form, params, now } = request
  const ad = findPublicAd(db, params['ref'] ?? '')
  const email = (form.get('email') ?? '').trim()
  if (!/^[^@\s]+@[^@\s]+$/.test(email))
    throw new Refusal(422, 'MAIL_INVALID', 'Give an e-mail address to answer to.', 'email')
  const person = { name: words(form.get('name'), 100), email, phone: form.get('phone') ?? '' }
  const { thread, line } = receiveEnquiry(db, ad.account, ad.serial, person, words(form.get('text'), 2000), now)
  request.effect('enquiry', {
    ref: refOf(ad.serial),
    thread: thread.id,
    line: line.id,
    name: person.name,
    text: line.text,
  })
  return seeOther(`${root}/ad/${refOf(ad.serial)}?sent=1`)
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /ad/{ref}', publicAd),
  open('POST /ad/{ref}/enquiry', enquire),
]
