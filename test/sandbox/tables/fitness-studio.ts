import { fitnessStudio } from '../../../sandbox/fitness-studio/app.ts'
import { dayAhead, iso, type Client, type Detail, type Slot } from '../fitness-studio-studio.ts'
import type { Row, Table } from './table.ts'

interface Page {
  Result: { Last?: number; Stamp?: string }
}
const wide = `slots?From=${dayAhead(-40)}&To=${dayAhead(30)}`
const ahead = `slots?From=${dayAhead(2)}&To=${dayAhead(3)}`
const misses = `misses?From=${dayAhead(-20)}&To=${dayAhead(5)}`
const slot = `slots/<${ahead}|0.Slot>`
const pass = '/staff/desk/clients/<clients?Standing=OK|0.Cid>/passes/<clients?Standing=OK|0.Passes.0.Pid>'

export const table: Table = {
  app: fitnessStudio,
  base: '/staff/svc/',
  token: ['/staff/svc/whoami', 'Result.Chit'],
  size: 'Per',
  paged: /^clients/,
  rows: ({ Result }: Page) => (Object.values(Result).find(Array.isArray) ?? []) as Row[],
  next: ({ Result }: Page, _, page) =>
    Result.Last !== undefined && page < Result.Last ? `Page=${page + 1}&Stamp=${Result.Stamp}` : null,
  lists: {
    clients: {
      id: 'Cid',
      least: 121,
      where: async (all: Client[], me) => {
        const Cid = all[2]?.Cid ?? ''
        const { Result } = await me.read<{ Result: Detail }>(`/staff/svc/clients/${Cid}`)
        const with_ = (standing: string) => ({
          Passes: (own: Client['Passes']) => own.some(({ St }) => St === standing),
        })
        const standings = [...new Set(all.flatMap(({ Passes }) => Passes.map(({ St }) => St)))]
        return {
          ...Object.fromEntries(standings.map((standing) => [`Standing=${standing}`, with_(standing)])),
          [`Find=${encodeURIComponent(Result.Mail.toUpperCase())}`]: { Cid },
          [`Find=${encodeURIComponent('MÜLLER')}`]: { Full: /Müller/ },
        }
      },
      meanwhile: (who) => who.form('/staff/desk/clients', { Full: 'Late' }),
    },
    'clients?Standing=OK': {
      id: 'Cid',
      least: 6,
      by: 1,
      meanwhile: (who, { before, count }: { before: Client[]; count: number }) => {
        const { Cid, Passes } = before.filter((client) => client.Passes.length === 1)[count] ?? { Passes: [] }
        return who.form(`/staff/desk/clients/${Cid}/passes/${Passes[0]?.Pid}/end`)
      },
      adds: -1,
    },
    [`slots?From=${dayAhead(-2)}&To=${dayAhead(2)}`]: { id: 'Slot', least: 10, order: ({ Day }: Slot) => iso(Day) },
    [misses]: { id: '~Cid Slot', least: 2, where: { 'Kind=NS': { Kind: 'NS' }, 'Kind=LC': { Kind: 'LC' } } },
    offers: { id: 'Offer', least: 3 },
  },
  refused: `
    400 PARAM_INVALID: clients?Per=0  clients?Per=101  clients?Standing=active  clients?Per=2&Per=3
      slots?From=2026-11-21  slots?From=02/30/2026
    400 STAMP_REQUIRED: clients?Page=2
    400 STAMP_UNKNOWN: clients?Page=2&Stamp=abc
    400 PARAM_UNKNOWN: clients?Limit=2
    400 PARAM_REQUIRED: slots  misses?From=02/02/2026
    400 SPAN_BACKWARDS: slots?From=02/02/2026&To=02/01/2026
    400 BODY_INVALID: POST ${slot}/blast []
    422 FIELD_UNKNOWN: POST ${slot}/blast {"Via":"TEXT","Words":"x","Subject":"x"}  FORM /staff/desk/${slot}/book Cid=C1&Extra=1
    422 FIELD_REQUIRED: FORM /staff/desk/${slot}/book  POST ${slot}/blast {"Via":"MAIL","Words":" "}
    422 TEXT_TOO_LONG: POST ${slot}/blast {"Via":"TEXT","Words":"${'x'.repeat(481)}"}
    409 SPOT_LEFT: FORM /staff/desk/slots/<slots?From=${dayAhead(9)}&To=${dayAhead(9)}|0.Slot>/queue Cid=<clients?Standing=OK|0.Cid>
    422 DAY_INVALID: FORM ${pass}/end On=2026-12-01
    422 CHOICE_INVALID: FORM ${pass}/swap Offer=<offers|1.Offer>&When=SOON
  `,
  names: `whoami  clients  clients/<clients|2.Cid>  ${wide}  slots/<${wide}|0.Slot>  offers  ${misses}`,
  shared: 0,
  looks: {
    [wide]: { Slot: /^S\d+$/, Day: /^\d\d\/\d\d\/\d{4}$/, Hour: /^\d{1,2}:\d\d [AP]M$/ },
    offers: { Fee: /^GH₵\d{1,3}(,\d{3})*\.\d\d$/, Ccy: 'GHS' },
    '=whoami': { Result: { Studio: 'Osu Strong', Role: 'ADMIN' } },
    [misses]: { Day: (day: string) => iso(day) <= iso(dayAhead(-2)) && iso(day) >= iso(dayAhead(-20)) },
    [`=${misses}`]: { Result: { UpTo: dayAhead(-2) } },
  },
  holds: {
    'clients|Passes.St': 7,
    'clients|Full': /.{81}/,
    'clients > clients/{Cid}|Result.Mail': /^$/,
    'clients > clients/{Cid}|Result.Tel': /^$/,
    [`${wide}|Led`]: /^$/,
    [`${wide}|Title`]: /.{101}/,
    [`${wide}|Hour`]: 8,
    [`slots?From=${dayAhead(-3)}&To=${dayAhead(3)} > slots/{Slot}|Result.Roster.St`]: ['IN', 'LC', 'NS', 'RSV', 'WL'],
  },
  change: (me) => me.form('/staff/desk/clients', { Full: 'Gone after the reset' }),
  strangers: `
    404 CLIENT_NOT_FOUND: clients/<clients|0.Cid>
      FORM /staff/desk/slots/<my ${ahead}|0.Slot>/book Cid=<clients|0.Cid>
    404 SLOT_NOT_FOUND: slots/<${wide}|0.Slot>  FORM /staff/desk/slots/<${wide}|0.Slot>/book Cid=<my clients|0.Cid>
    404 PASS_NOT_FOUND: FORM /staff/desk/clients/<my clients|0.Cid>/passes/<clients|0.Passes.0.Pid>/hold
      FORM /staff/desk/clients/<my clients|1.Cid>/passes/<my clients|0.Passes.0.Pid>/hold
    404 OFFER_NOT_FOUND: FORM ${pass.replaceAll('<', '<my ')}/swap Offer=<offers|1.Offer>
  `,
  kinds: {
    staff: `
      403 ADMIN_ONLY: ${misses}  /staff/desk/misses  FORM ${pass}/swap  FORM ${pass}/hold  FORM ${pass}/end
    `,
  },
  pages: {
    shows: 'Osu Strong',
    paths: `
      /staff/desk  /staff/desk/clients  /staff/desk/clients/<clients|0.Cid>  /staff/desk/slots/<${wide}|0.Slot>
      /staff/desk/offers  /staff/desk/misses  /staff/desk/sent
    `,
  },
}
