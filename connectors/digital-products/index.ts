import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as coupons from './coupons.ts'
import * as figures from './figures.ts'
import * as orders from './orders.ts'
import * as products from './products.ts'
import * as subscribers from './subscribers.ts'
import { headerStamp } from './words.ts'

function fault(body: Fields): Fields {
  return isFields(body['fault']) ? body['fault'] : {}
}

export const digitalProducts = connector({
  name: 'Digital products',
  description:
    'A shop for files, courses, coaching, memberships and parcels: its orders, products, coupons, subscribers and sales figures.',
  role: 'seller',
  origin: '{sandbox}/digital-products/',
  signIn: jsonSignIn({
    page: 'door',
    who: 'my/shop',
    account: ({ shop }) => ({ id: fields(shop)['shop_no'], label: fields(shop)['shop_label'] }),
  }),
  csrf: headerStamp,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('door/puzzle', 'captcha'),
    redirectTo('door/code', 'mfa'),
    redirectTo('door', 'auth_expired'),
    jsonSays((body) => fault(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => fault(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => fault(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: fault(body)['code'], message: fault(body)['text'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [coupons, figures, orders, products, subscribers],
})
