import { laravel } from '../failures/laravel.ts'
import { cloudflare } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as coupons from './coupons.ts'
import * as figures from './figures.ts'
import * as orders from './orders.ts'
import * as products from './products.ts'
import * as subscribers from './subscribers.ts'
import { things } from './things.ts'
import { headerStamp } from './shared.ts'

export const digitalProducts = connector({
  name: 'Digital products',
  description:
    'A shop for files, courses, coaching, memberships and parcels: its orders, products, coupons, subscribers and sales figures.',
  topics:
    'digital shop ebook download template preset planner course membership coaching buyer customer order purchase receipt coupon sales affiliate tax',
  role: 'seller',
  origin: '{sandbox}/digital-products/',
  signIn: jsonSignIn({
    page: 'door',
    who: 'my/shop',
    account: ({ shop }) => ({ id: fields(shop)['shop_no'], label: fields(shop)['shop_label'] }),
  }),
  csrf: headerStamp,
  things,
  failure: firstOf(cloudflare, laravel({ signIn: 'door', captcha: 'door/puzzle', mfa: 'door/code' })),
  endpoints: [coupons, figures, orders, products, subscribers],
})
