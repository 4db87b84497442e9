import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as buyers from './buyers.ts'
import * as figures from './figures.ts'
import * as products from './products.ts'
import { headerPass } from './words.ts'

function oops(body: Fields): Fields {
  return isFields(body['oops']) ? body['oops'] : {}
}

export const teacherMarketplace = connector({
  name: 'Teacher marketplace',
  description:
    "A teacher's store of teaching material: products, sales and statistics, buyers' questions, markdowns and notes to followers.",
  role: 'seller account',
  origin: '{sandbox}/teacher-marketplace/',
  signIn: jsonSignIn({
    page: 'desk/in',
    who: 'dash/me',
    account: ({ shop_no, shop }) => ({ id: shop_no, label: shop }),
  }),
  csrf: headerPass,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('desk/in', 'auth_expired'),
    redirectTo('desk/riddle', 'captcha'),
    redirectTo('desk/code', 'mfa'),
    jsonSays((body) => oops(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => oops(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => oops(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: oops(body)['code'], message: oops(body)['why'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [products, figures, buyers],
})
