import { rails } from '../failures/rails.ts'
import { dataDome } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import * as buyers from './buyers.ts'
import * as figures from './figures.ts'
import * as products from './products.ts'
import { things } from './things.ts'
import { headerPass } from './shared.ts'

export const teacherMarketplace = connector({
  name: 'Teacher marketplace',
  description:
    "A teacher's store of teaching material: products, sales and statistics, buyers' questions, markdowns and notes to followers.",
  topics:
    'teacher store teaching resources worksheet lesson plan fractions math reading grade classroom printable buyer question sale markdown followers keywords',
  role: 'seller account',
  origin: '{sandbox}/teacher-marketplace/',
  signIn: jsonSignIn({
    page: 'desk/in',
    who: 'dash/me',
    account: ({ shop_no, shop }) => ({ id: shop_no, label: shop }),
  }),
  csrf: headerPass,
  things,
  failure: firstOf(dataDome, rails({ signIn: 'desk/in', captcha: 'desk/riddle', mfa: 'desk/code' })),
  endpoints: [products, figures, buyers],
})
