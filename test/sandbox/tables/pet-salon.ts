import { petSalon } from '../../../sandbox/pet-salon/app.ts'
import { accepted, dayAhead, idAt, iso, span, type Alert, type Ticket, type Wait } from '../pet-salon-salon.ts'
import type { AppPerson } from '../open-app.ts'
import type { Row, Table } from './table.ts'

const tickets = `tkts?${span(-60, 45)}`
const ahead = `tkts?${span(2, 4)}`
const alerts = 'vaxalerts?before=01/01/2050'
const rows = async <T>(who: AppPerson, path: string): Promise<T[]> =>
  (await who.read<{ rows: T[] }>(`/cloud/data/${path}`)).rows

/** Somebody who waits is booked at six in the evening, and comes half an hour later. */
async function books(who: AppPerson, { count }: { count: number }): Promise<unknown> {
  const wait = (await rows<Wait>(who, 'waits'))[count]
  const wish = { wl: wait?.wl ?? '', d: dayAhead(2 + (count % 3)), t: '18:00', svc: idAt(who, 'S', 12) }
  const { tkt } = await accepted(who, '/cloud/book', wish)
  return count < 3 && who.form(`/cloud/tkt/${tkt}/edit`, { t: '18:30' })
}
const pet = '<clients/<clients|0.cl>|.pets.0.pet>'
const booking = `cl=<clients|0.cl>&pet=${pet}&svc=<svcs|11.svc>&d=${dayAhead(14)}&t=18:00`

export const table: Table = {
  app: petSalon,
  base: '/cloud/data/',
  token: ['/cloud/data/who', 'chk'],
  size: 'lim',
  paged: /^(tkts|clients|waits|vaxalerts)/,
  total: 'tot',
  next: ({ tot, as_of }: { tot: number; as_of: string }, seen: Row[]) =>
    seen.length < tot ? `off=${seen.length}&as_of=${as_of}` : null,
  lists: {
    [tickets]: { id: 'tkt', order: ({ d, t }: Ticket) => `${iso(d)} ${t}` },
    [ahead]: {
      id: 'tkt',
      least: 15,
      by: 1,
      order: ({ d, t }: Ticket) => `${iso(d)} ${t}`,
      where: ([ticket]: Ticket[]) => ({ [`emp=${ticket?.emp.emp}`]: { emp: { emp: ticket?.emp.emp ?? '' } } }),
      meanwhile: async (who, turn: { before: Ticket[]; count: number }) => {
        const scheduled = turn.before.filter(({ st }) => st.c === 'SCH')
        await who.form(`/cloud/tkt/${scheduled[turn.count]?.tkt}/void`, { why: 'Meanwhile' })
        return books(who, turn)
      },
    },
    waits: {
      id: 'wl',
      where: { [`d=${dayAhead(9)}`]: { pref: (pref: Wait['pref']) => pref.some(({ d }) => d === dayAhead(9)) } },
      none: [`d=${dayAhead(300)}`],
      meanwhile: books,
      adds: -1,
    },
    [alerts]: {
      id: '~pet.pet vx.c exp',
      order: ({ exp }: Alert) => iso(exp),
      where: { 'coming=1': { next: (next: unknown) => next !== null } },
      by: 10,
      meanwhile: (who, { count }) =>
        who.write('POST', `/cloud/data/pets/${idAt(who, 'P', 1 + count)}/shots`, {
          vx: 'RAB',
          exp: dayAhead(1 + count),
        }),
      adds: 'some',
    },
    clients: { id: 'cl' },
    svcs: { id: 'svc', least: 10, where: { 'ctg=Cats': { ctg: 'Cats' } } },
  },
  alike: { [`tkts?f=${dayAhead(2)}`]: `tkts?${span(2, 2)}`, [`${alerts}&coming=0`]: alerts },
  refused: `
    400 PARAM_REQUIRED: tkts
    400 PARAM_INVALID: tkts?f=2026-12-31  tkts?f=31/02/2026  waits?lim=0  waits?lim=1001  clients?lim=101
      waits?lim=5&lim=6  vaxalerts?coming=yes
    400 SPAN_BACKWARDS: tkts?f=02/01/2026&t=01/01/2026
    422 SPAN_TOO_LONG: tkts?f=01/01/2026&t=02/01/2027
    400 PARAM_UNKNOWN: waits?day=01/01/2026
    404 CTG_NOT_FOUND: svcs?ctg=Dogs
    404 RPT_NOT_FOUND: rpt?nm=sales by service
    422 RPT_NEEDS_RANGE: rpt?nm=Sales By Service
    422 RPT_HAS_NO_RANGE: rpt?nm=Client Balances&f=01/01/2026
    422 RPT_NOT_BY_EMP: rpt?nm=Daily Totals&f=01/01/2026&emp=<emps|0.emp>
    400 BODY_INVALID: PATCH pets/${pet}/nts []
    422 FIELD_UNKNOWN: PATCH pets/${pet}/nts {"gen":"x","note":"y"}  FORM /cloud/book ${booking}&price=1
    422 TEXT_INVALID: PATCH pets/${pet}/nts {"gen":1}
    422 TEXT_TOO_LONG: PATCH pets/${pet}/nts {"gen":"${'x'.repeat(2001)}"}
    422 SVC_TWICE: FORM /cloud/book ${booking}&svc=<svcs|11.svc>
    422 DAY_INVALID: FORM /cloud/book ${booking.replace(/d=[^&]*/, 'd=2026-12-31')}
    422 FLAG_INVALID: FORM /cloud/tkt/<${ahead}|0.tkt>/void why=x&cards=yes
    404 SVC_NOT_ON_TICKET: FORM /cloud/tkt/<${ahead}|0.tkt>/edit prc=900&svc=<svcs|0.svc>
    409 STEP_NOT_POSSIBLE: FORM /cloud/tkt/<${ahead}|0.tkt>/step to=OUT
  `,
  place: ['waits', [], '400 AS_OF_UNKNOWN'],
  names: `
    who  setup  svcs  emps  clients  ${alerts}  waits  ${tickets}  tkts/<${tickets}|0.tkt>  clients/<clients|3.cl>
    rpt?nm=Daily Totals&${span(-9, 0)}
  `,
  looks: {
    [tickets]: { d: /^\d\d\/\d\d\/20\d\d$/, t: /^\d\d:\d\d$/ },
    [`=tkts/<${tickets}|0.tkt>`]: { svcs: { 0: { pence: Number.isInteger } } },
    '=who': { shop: 'Jamestown Tails', ed: 'PET', cur: 'GBP', role: 'owner' },
  },
  holds: {
    [`${tickets}|st.c`]: ['SCH', 'CNF', 'INN', 'RDY', 'OUT', 'NSH', 'VOI'],
    [`tkts?f=${dayAhead(0)}|st.c`]: [/INN/, /RDY/],
    'waits|pref.part': 3,
    'waits|pref.length': /^0$/,
    'waits|emp': /^null$/,
    'waits|nts': /^$/,
    [`${alerts}|vx.c`]: 4,
    'clients|nm': /山田/,
    'clients > clients/{cl}|desk_nts': /^.{2000}$/s,
  },
  across: { 'who|.tz': 7 },
  also: 'emps  clients/<clients|12.cl>',
  change: (me) => books(me, { count: 0 }),
  strangers: `
    404 TICKET_NOT_FOUND: tkts/<${tickets}|0.tkt>  FORM /cloud/tkt/<${tickets}|0.tkt>/edit
      FORM /cloud/tkt/<${tickets}|0.tkt>/void why=x  FORM /cloud/tkt/<${tickets}|0.tkt>/ready
      FORM /cloud/tkt/<${tickets}|0.tkt>/step
    404 CLIENT_NOT_FOUND: clients/<clients|0.cl>
    404 EMP_NOT_FOUND: tkts?f=01/01/2026&emp=<emps|0.emp>
    404 PET_NOT_FOUND: PATCH pets/<clients/<clients|0.cl>|.pets.0.pet>/nts {"gen":"x"}
    404 WAIT_NOT_FOUND: FORM /cloud/book wl=<waits|0.wl>&d=01/01/2027&t=18:00
  `,
  kinds: {
    pet_groomer: `
      403 ROLE_NOT_ALLOWED: rpt?nm=Client Balances  FORM /cloud/book ${booking}
      200: PATCH pets/${pet}/nts {"gen":"x"}
    `,
    hair_owner: `
      403 PET_EDITION_ONLY: vaxalerts  rpt?nm=Pets By Breed
    `,
  },
  pages: {
    shows: 'Jamestown Tails',
    paths: `
      /  /cloud/day  /cloud/book  /cloud/waits  /cloud/clients  /cloud/vaxalerts  /cloud/rpts  /cloud/msgs
      /cloud/tkt/<${tickets}|0.tkt>  /cloud/clients/<clients?q=Fowler|0.cl>  /cloud/rpts/run?nm=Client Balances
    `,
  },
}
