import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { Refusal, type Reply, type Route, type SignedIn } from '../platform/types.ts'
import { words } from './actions.ts'
import { insertAd, nextSerial } from './ads.ts'
import { readChangeForm } from './edit.ts'
import { deals, refOf, scoreOf, type Ad } from './entities.ts'
import { layout, root, token } from './layout.ts'

function newForm({ viewer }: SignedIn): Reply {
  const body = html`<h1>Place an ad</h1>
    <form class="card" method="post" action="${root}/my/ads/new">
      ${token(viewer)}
      <label>Headline <input name="headline" required maxlength="120" dir="auto" /></label>
      <label
        >Deal
        <select name="deal">
          <option value="for_sale">for sale</option>
          <option value="to_let">to let</option>
        </select></label
      >
      <label>Price (EUR) <input name="asking" required value="100000.00" /></label>
      <label>Surface (m²) <input name="built_m2" value="80" /></label>
      <label>Bedrooms <input name="bedrooms" type="number" value="2" /></label>
      <label>Baths <input name="baths" type="number" value="1" /></label>
      <label>Features, one a line <textarea name="perks"></textarea></label>
      <label>Description <textarea name="blurb" dir="auto"></textarea></label>
      <button>Place it</button>
    </form>`
  return page(layout({ title: 'Place an ad', body, viewer }))
}

/** New ads go online at once. */
function placeAd(request: SignedIn): Reply {
  const { db, viewer, form, now } = request
  const deal = deals.find((known) => known === form.get('deal'))
  if (!deal) throw new Refusal(422, 'DEAL_REQUIRED', 'Choose whether it is for sale or to let.', 'deal')
  const { cents = 0, blurb = '', built = 0, rooms = 0, baths = 0, perks = [] } = readChangeForm(form)
  const facts = { cents, blurb, built, rooms, baths, perks, pictures: 0 }
  const ad: Ad = {
    ...facts,
    serial: nextSerial(db, viewer.account.account),
    account: viewer.account.account,
    headline: words(form.get('headline'), 120),
    deal,
    phase: 'online',
    currency: 'EUR',
    score: scoreOf(facts),
    city: 'Lisboa',
    zone: 'Europe/Lisbon',
    closed: false,
    created: now,
    changed: now,
  }
  insertAd(db, ad)
  request.effect('ad.place', { ref: refOf(ad.serial), headline: ad.headline, deal, ...facts })
  return seeOther(`${root}/my/ads/${refOf(ad.serial)}?done=placed`)
}

export const newAdRoutes: readonly Route[] = [show('GET /my/ads/new', newForm), submit('POST /my/ads/new', placeAd)]
