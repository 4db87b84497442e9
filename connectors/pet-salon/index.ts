import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as appointments from './appointments.ts'
import * as catalog from './catalog.ts'
import * as clients from './clients.ts'
import * as desk from './desk.ts'
import { tooLong } from './lists.ts'
import * as pets from './pets.ts'
import * as reports from './reports.ts'
import * as waitlist from './waitlist.ts'
import { headerChk } from './words.ts'

function problem({ err }: Fields): Fields {
  return isFields(err) ? err : {}
}

export const petSalon = connector({
  name: 'Pet salon',
  description:
    "A grooming salon's appointments, clients and their pets with vaccinations, waitlist, services, team and reports.",
  role: 'cloud account; some reports depend on user role; pets exist only in the pet edition',
  origin: '{sandbox}/pet-salon/',
  signIn: jsonSignIn({
    page: 'cloud/login',
    who: 'cloud/data/who',
    account: ({ shop_no, shop }) => ({ id: shop_no, label: shop }),
  }),
  csrf: headerChk,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('cloud/login', 'auth_expired'),
    redirectTo('cloud/check/human', 'captcha'),
    redirectTo('cloud/check/code', 'mfa'),
    jsonSays((body) => problem(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => problem(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => problem(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: problem(body)['code'], message: problem(body)['txt'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
    tooLong,
  ),
  endpoints: [appointments, desk, clients, pets, waitlist, catalog, reports],
})
