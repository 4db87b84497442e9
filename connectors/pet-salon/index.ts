import { errno } from '../failures/errno.ts'
import { cloudflare } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import * as appointments from './appointments.ts'
import * as catalog from './catalog.ts'
import * as clients from './clients.ts'
import * as desk from './desk.ts'
import { tooLong } from './lists.ts'
import * as pets from './pets.ts'
import * as reports from './reports.ts'
import { things } from './things.ts'
import * as waitlist from './waitlist.ts'
import { headerChk } from './shared.ts'

export const petSalon = connector({
  name: 'Pet salon',
  description:
    "A grooming salon's appointments, clients and their pets with vaccinations, waitlist, services, team and reports.",
  topics: 'pet grooming salon groomer dog cat puppy poodle owner bath trim nails fur vaccination rabies shot pickup',
  role: 'cloud account; some reports depend on user role; pets exist only in the pet edition',
  origin: '{sandbox}/pet-salon/',
  signIn: jsonSignIn({
    page: 'cloud/login',
    who: 'cloud/data/who',
    account: ({ shop_no, shop }) => ({ id: shop_no, label: shop }),
  }),
  csrf: headerChk,
  failure: firstOf(
    cloudflare,
    errno({ signIn: 'cloud/login', captcha: 'cloud/check/human', mfa: 'cloud/check/code' }),
    tooLong,
  ),
  things,
  endpoints: [appointments, desk, clients, pets, waitlist, catalog, reports],
})
