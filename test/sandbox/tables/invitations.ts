import { invitations } from '../../../sandbox/invitations/app.ts'
import { guestsOf, partiesOf, type Card, type Guest, type Letter, type Party } from '../invitations-house.ts'
import type { AppPerson } from '../open-app.ts'
import type { Table } from './table.ts'

const out = '<parties?stage=OUT|0.partyNo>'
const draft = '<parties?stage=DRAFT|0.partyNo>'
const first = async (who: AppPerson, stage: string): Promise<number> => (await partiesOf(who, stage))[0]?.partyNo ?? 0
const text = (value: string): string => encodeURIComponent(value)
const own = `<parties/${out}/guests|0.guestNo>`
const guest = { calledAs: 'Good', mail: 'good@mail.example' }
const people = (all: unknown[]): string => `POST parties/${draft}/guests ${JSON.stringify({ people: all })}`

export const table: Table = {
  app: invitations,
  base: '/api/',
  token: ['/api/whoami', 'formKey'],
  size: 'pageSize',
  page: 25,
  next: ({ moreToken }: { moreToken: string | null }) => (moreToken === null ? null : `moreToken=${moreToken}`),
  lists: {
    parties: {
      id: 'partyNo',
      least: 180,
      order: ({ partyNo }: Party) => -partyNo,
      choices: { stage: ['DRAFT', 'OUT', 'QUEUED'] },
    },
    'parties?stage=DRAFT': {
      id: 'partyNo',
      meanwhile: (who) =>
        who.form('/parties', {
          headline: 'Meanwhile',
          format: 'CARD',
          startsMs: String(Date.now() + 9e8),
          zone: 'Europe/Lisbon',
        }),
    },
    'parties?stage=QUEUED': { id: 'partyNo' },
    [`parties/${out}/guests`]: {
      id: 'guestNo',
      where: (all: Guest[]) => {
        const label = all.find(({ track, labels }) => track === 'COMING' && labels.length > 0)?.labels[0] ?? ''
        const mobile = all.find((guest) => guest.mobile !== '')?.mobile ?? ''
        const labelled = (labels: string[]): boolean => labels.includes(label)
        return {
          ...Object.fromEntries(all.map(({ track }) => [`track=${track}`, { track }])),
          [`label=${text(label)}`]: { labels: labelled },
          [`track=COMING&label=${text(label)}`]: { track: 'COMING', labels: labelled },
          'find=ANNA': (guest: Guest) => /anna/i.test(`${guest.calledAs} ${guest.mail}`),
          [`find=${text(mobile)}`]: { mobile },
          [`find=${text(mobile.replaceAll(' ', ''))}`]: { mobile },
        }
      },
      none: ['label=nobody+has+it'],
    },
    [`parties/${draft}/guests`]: {
      id: 'guestNo',
      meanwhile: async (who) =>
        who.write('POST', `/api/parties/${await first(who, 'DRAFT')}/guests`, {
          people: [{ calledAs: 'Meanwhile', mobile: '+351 21 555 0000' }],
        }),
    },
    addressBook: {
      id: 'cardNo',
      order: ({ fullName }: Card) => Buffer.from(fullName.toLowerCase()).toString('hex'),
      where: { 'find=%20M%C3%BCLLer': { fullName: /Müller/ } },
      meanwhile: (who) => who.form('/address-book', { fullName: 'Aaron Meanwhile' }),
    },
    outbox: {
      id: '~batchNo guestNo recipient',
      where: (all: Letter[]) => {
        const batchNo = all.find(({ kind }) => kind === 'TO_ALL')?.batchNo ?? 0
        return { [`batchNo=${batchNo}`]: { batchNo, kind: 'TO_ALL' } }
      },
      by: 40,
      meanwhile: async (who) => {
        const no = await first(who, 'OUT')
        const [guest] = await guestsOf(who, no, '?track=COMING')
        return who.form(`/parties/${no}/guests/${guest?.guestNo}/note`, { body: 'Meanwhile' })
      },
    },
  },
  refused: `
    400 PARAMETER_INVALID: parties?stage=SENT  parties?pageSize=0  parties?pageSize=101  parties?stage=OUT&stage=OUT
      addressBook?find=${'x'.repeat(201)}
    400 PARAMETER_UNKNOWN: parties?limit=5
    400 MORE_TOKEN_UNKNOWN: parties?moreToken=abc
    400 BODY_INVALID: POST parties/${draft}/guests []
    422 PEOPLE_REQUIRED: ${people([])}
    422 TOO_MANY_PEOPLE: ${people(Array.from({ length: 201 }, () => guest))}
    422 PERSON_INVALID: ${people([guest, 'x'])}
    422 MAIL_OR_MOBILE: ${people([guest, { calledAs: 'x' }])}
    422 TEXT_INVALID: ${people([guest, { ...guest, calledAs: 5 }])}
    422 TEXT_TOO_LONG: ${people([guest, { ...guest, calledAs: 'x'.repeat(121) }])}
    422 SEATS_INVALID: ${people([guest, { ...guest, seats: 0 }])}
    422 FIELD_UNKNOWN: ${people([guest, { ...guest, name: 'x' }])}  FORM /parties/${draft}/dispatch when=now
    422 TIME_INVALID: FORM /parties/${draft}/dispatch atMs=2027-01-01
    422 FIELD_TWICE: FORM /parties/${out}/broadcast track=COMING&body=x&body=y
    422 TRACK_UNKNOWN: FORM /parties/${out}/broadcast track=attending&body=x
    422 TRACK_UNREACHABLE: FORM /parties/${out}/broadcast track=HELD&body=x
    422 PRESET_UNKNOWN: FORM /parties/${out}/broadcast track=COMING&body=x&preset=OTHER
    422 GUEST_TWICE: FORM /parties/${out}/labels label=x&guestNo=${own}&guestNo=${own}
  `,
  place: ['parties?stage=OUT', ['parties', 'addressBook'], '400 MORE_TOKEN_UNKNOWN'],
  names: `
    parties  parties/${out}  parties/${out}/guests
    parties/${out}/guests/<parties/${out}/guests?track=COMING|0.guestNo>  parties/${out}/sheet  whoami  addressBook
    outbox
  `,
  looks: {
    parties: { partyNo: Number.isInteger, startsMs: (ms: number) => ms > 1e12, format: /^(CARD|FLYER)$/ },
    outbox: (letter: Letter) => letter.gone === letter.goesMs <= Date.now(),
  },
  holds: {
    'parties|format': ['CARD', 'FLYER'],
    'parties|stage': ['OUT', 'DRAFT', 'QUEUED'],
    ...Object.fromEntries(
      ['OUT', 'DRAFT', 'QUEUED'].map((stage) => [`parties?stage=${stage}|standing`, ['HOST', 'COHOST']]),
    ),
    'parties > parties/{partyNo}|party.zone': 6,
    'parties > parties/{partyNo}|party.venue': [/^$/, /^.{301}/s],
    'parties > parties/{partyNo}|party.tally.HELD': 2,
    'addressBook|mail': /^$/,
    'addressBook|phones.length': 3,
    'outbox|kind': ['INVITE', 'TO_ALL', 'PERSONAL'],
  },
  change: (me) => me.form('/address-book', { fullName: 'Aaron, gone after the reset' }),
  strangers: `
    404 PARTY_NOT_FOUND: parties/${out}  parties/${out}/guests  parties/${out}/sheet
      parties/${out}/guests/<parties/${out}/guests|0.guestNo>  FORM /parties/${out}/dispatch body=x&label=x
      FORM /parties/${out}/broadcast body=x&label=x  FORM /parties/${out}/labels body=x&label=x
      FORM /parties/${out}/guests/<parties/${out}/guests|0.guestNo>/note body=x&label=x
    404 GUEST_NOT_FOUND: parties/${out.replace('<', '<my ')}/guests/<parties/${out}/guests|0.guestNo>
      FORM /parties/${out.replace('<', '<my ')}/labels label=X&guestNo=<parties/${out}/guests|0.guestNo>
  `,
  kinds: {
    cohost: `
      200: /  /parties  /parties?stage=DRAFT  /parties/${out}
        /parties/${out}/guests/<parties/${out}/guests|0.guestNo>  /outbox
    `,
  },
  pages: {
    shows: '',
    paths: `
      /  /parties  /parties?stage=DRAFT  /parties/${out}  /parties/${out}/guests/<parties/${out}/guests|0.guestNo>
      /outbox  /address-book?find=anna
    `,
    older: [`/parties/${out}`, /href="\/invitations(\/parties\/\d+\?moreToken=[^"]+)"/, /guests\/(\d+)"/g],
  },
}
