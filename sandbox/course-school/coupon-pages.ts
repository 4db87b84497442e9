import { html, type Html } from '../platform/html.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { readCoupon } from './coupon-form.ts'
import { addCoupon, couponOf, fileCoupon, listCoupons, stateOf } from './coupons.ts'
import { listPlans } from './courses.ts'
import { productTypes, type Coupon, type School } from './entities.ts'
import { admin, back, button, shown, token } from './layout.ts'
import { readFlag } from './paging.ts'
import { ownedSchool } from './school.ts'
import { showDay } from './times.ts'
import { decimal } from './wire.ts'

const worth = ({ tenths, cents }: Coupon, school: School): string =>
  tenths === undefined ? `${decimal(cents ?? 0)} ${school.currency}` : `${(tenths / 10).toFixed(1)} %`

const reach = ({ scope, type, plan }: Coupon): string => (scope === 'plan' ? `plan ${plan}` : (type ?? 'everything'))

function coupons(request: SignedIn): Reply {
  const { db, query, viewer, now } = request
  const school = ownedSchool(request)
  const line = (coupon: Coupon): Html =>
    html`<tr>
      <td><a href="${admin}/coupons/${coupon.id}" dir="auto">${coupon.label}</a></td>
      <td><code>${coupon.code}</code></td>
      <td>${worth(coupon, school)}</td>
      <td>${reach(coupon)}</td>
      <td>${coupon.ends === undefined ? 'open end' : showDay(coupon.ends)}</td>
      <td>${coupon.redeemed} of ${coupon.stock ?? 'any number'}</td>
      <td>${stateOf(coupon, school, now)}</td>
    </tr>`
  const body = html`<p>
      <a href="${admin}/coupons/new">New coupon</a> · <a href="?">in use</a> · <a href="?filed=1">with filed ones</a>
    </p>
    <table>
      ${listCoupons(db, school, readFlag(query, 'filed')).map(line)}
    </table>`
  return shown('Coupons', body, viewer)
}

function newCoupon(request: SignedIn): Reply {
  const { db, viewer } = request
  const school = ownedSchool(request)
  const plans = listPlans(db, school).map(({ id, title }) => html`<option value="${id}">${title}</option>`)
  const body = html`<form class="box" method="post" action="${admin}/coupons">
    ${token(viewer)}<label>Name <input name="label" maxlength="120" dir="auto" /></label>
    <label>Code <input name="code" required maxlength="32" /></label>
    <label>Percent <input name="percent" placeholder="25.0" /></label>
    <label>or amount in ${school.currency} <input name="amount" placeholder="15.00" /></label>
    <label
      >For
      <select name="scope">
        <option value="everything">everything</option>
        <option value="type">one type of product</option>
        <option value="plan">one plan</option>
      </select></label
    ><label
      >Type
      <select name="type">
        ${productTypes.map((type) => html`<option>${type}</option>`)}
      </select></label
    ><label
      >Plan
      <select name="plan">
        ${plans}
      </select></label
    >
    <label>Last day <input name="ends" placeholder="31 Dec 2026" /></label>
    <label>How many <input name="stock" type="number" min="1" /></label><button>Create</button>
  </form>`
  return shown('New coupon', body, viewer)
}

function coupon(request: SignedIn): Reply {
  const { viewer, now } = request
  const school = ownedSchool(request)
  const found = couponOf(request)
  const body = html`<p>
      <code>${found.code}</code> · ${worth(found, school)} off ${reach(found)} ·
      <b data-state="${stateOf(found, school, now)}">${stateOf(found, school, now)}</b>
    </p>
    <p>
      ${found.ends === undefined ? 'No end' : `Through ${showDay(found.ends)}`} · ${found.redeemed} of
      ${found.stock ?? 'any number'} used
    </p>
    ${!found.filed && button(viewer, `${admin}/coupons/${found.id}/file`, 'File away')}`
  return shown(found.label, body, viewer)
}

function create(request: SignedIn): Reply {
  const { id, code } = addCoupon(request, readCoupon(request))
  return back(request, `/coupons/${id}`, { added: code })
}

export const couponPages: readonly Route[] = [
  show('GET /schools/{school}/coupons', coupons),
  show('GET /schools/{school}/coupons/new', newCoupon),
  show('GET /schools/{school}/coupons/{coupon}', coupon),
  submit('POST /schools/{school}/coupons', create),
  submit('POST /schools/{school}/coupons/{coupon}/file', (request) =>
    back(request, `/coupons/${fileCoupon(request).id}`, { filed: 1 }),
  ),
]
