import { questionAnswer } from '../../../sandbox/question-answer/app.ts'
import type { AppPerson } from '../open-app.ts'
import { dotted } from './table.ts'
import type { Row, Table } from './table.ts'

const room = '<rooms|0.ref.no>'
const ask = (who: AppPerson): Promise<Response> => who.form('/ask', { wording: 'What is new about bread?' })
const newest =
  (name: string) =>
  (row: Row): number =>
    -Number(row[name])
const post =
  (timing: string) =>
  async (who: AppPerson): Promise<unknown> => {
    const { rows } = await who.read<{ rows: { ref: { no: number } }[] }>('/api/rooms')
    return who.write('POST', `/api/rooms/${rows[0]?.ref.no}/shelf`, { text: 'New', timing })
  }
const thumb = `FORM /thumbs on=post&no=<rooms/${room}/shelf|3.ref.no>&give=`

export const table: Table = {
  app: questionAnswer,
  base: '/api/',
  token: ['/api/self', 'seal'],
  size: 'count',
  most: 60,
  paged: /^(asks|my\/(replies|nudges|bells)|rooms\/\d+\/shelf)/,
  total: 'total',
  next: ({ total, until }: { total: number; until: string }, seen: Row[]) =>
    seen.length < total ? `start=${seen.length}&until=${until}` : null,
  lists: {
    asks: { id: 'ref.no', order: newest('asked'), meanwhile: ask },
    'asks?find=bread': { id: 'ref.no', least: 9, by: 1, meanwhile: ask },
    'my/replies': {
      id: 'ref.no',
      least: 80,
      order: newest('posted'),
      meanwhile: async (who, { count }) => {
        const { rows } = await who.read<{ rows: Row[] }>('/api/asks')
        return who.form(`${String(rows[count]?.['path'])}/replies`, { text: 'New' })
      },
    },
    'my/nudges': {
      id: 'ref.no',
      order: newest('sent'),
      kind: 'reader',
      meanwhile: (who, { before, count }: { before: Row[]; count: number }) =>
        who.form(`${String(dotted(before[40 + count], 'under.path'))}/replies`, { text: 'At last' }),
      adds: -1,
    },
    'my/bells': { id: 'ref.no', order: newest('sent'), meanwhile: ask },
    [`rooms/${room}/shelf`]: { id: 'ref.no', order: newest('live_at'), meanwhile: post('now') },
    [`rooms/${room}/shelf?standing=queued`]: {
      id: 'ref.no',
      least: 3,
      order: ({ live_at }: Row) => Number(live_at),
      by: 1,
      meanwhile: post('queue'),
    },
    [`rooms/${room}/desk?stage=any`]: { id: 'ref.no', least: 60, order: ({ handed_in }: Row) => Number(handed_in) },
    rooms: { id: 'ref.no', least: 3 },
    'rooms?mine=no': { id: 'ref.no', least: 1 },
  },
  refused: `
    400 PARAM_INVALID: asks?count=0  asks?count=61  asks?start=-1  asks?find=a&find=b  asks?find=${'x'.repeat(501)}
      asks/x?best=31  rooms?mine=all
    400 PARAM_UNKNOWN: my/replies?limit=5  my/entries?start=0
    400 UNTIL_UNKNOWN: my/nudges?until=made-up  my/nudges?until=99999999999.100100
    400 BODY_INVALID: POST rooms/${room}/shelf []
    422 TEXT_INVALID: POST rooms/${room}/shelf {"text":5}
    422 TEXT_TOO_LONG: POST rooms/${room}/shelf {"text":"x","headline":"${'x'.repeat(251)}"}
      FORM <asks|0.path>/replies text=${'x'.repeat(20_001)}  FORM /ask wording=${'x'.repeat(250)}?
    422 OPTION_INVALID: POST rooms/${room}/shelf {"text":"x","timing":null}  FORM /thumbs on=ask&no=1&give=yes
      POST desk/<rooms/${room}/desk|0.ref.no>/verdict {"verdict":"approve"}
    422 FIELD_UNKNOWN: POST rooms/${room}/shelf {"text":"x","at":5}  FORM <asks|0.path>/replies text=a&body=b
    422 FIELD_REPEATED: FORM <asks|0.path>/replies text=a&text=b
    422 NO_QUESTION_MARK: FORM /ask wording=No+mark
    409 OWN_WORDS: FORM /thumbs on=reply&no=<my/replies|0.ref.no>&give=yes
    404 REPLY_NOT_FOUND: FORM /thumbs on=reply&no=1&give=yes
  `,
  names: `
    asks  my/replies  rooms  my/nudges  my/bells  rooms/${room}/figures  rooms/${room}/desk  rooms/${room}/shelf
  `,
  shared: 0,
  looks: {
    asks: {
      ref: { kind: 'ask', no: Number.isInteger },
      asked: (at: number) => at < Date.now() / 1000 && at > 1_500_000_000,
    },
    'rooms?mine=no': { mine: null },
    rooms: { mine: (role: string | null) => role !== null },
  },
  holds: {
    'asks|wording': [/^.{2}$/, /^.{250}$/],
    'asks|replies': /^0$/,
    'my/replies|body': /^.{3001}/s,
    'rooms|mine': ['keeper', 'steward', 'warden', 'author', 'reader'],
    'rooms|takes_entries': [true, false],
    [`rooms/${room}/desk?stage=any|stage`]: ['waiting', 'published', 'lined_up', 'skipped'],
    [`rooms/${room}/desk?stage=any|sort`]: ['story', 'ask', 'reply'],
    [`rooms/${room}/desk?stage=any|headline`]: /^$/,
  },
  also: 'my/entries',
  markup: /teaser|body/,
  change: ask,
  strangers: `
    404 ROOM_NOT_FOUND: rooms/${room}/figures  rooms/${room}/desk  rooms/${room}/shelf
      FORM /ask wording=Here?&room=${room}
    404 ASK_NOT_FOUND: FORM <asks|0.path>/replies text=Hello
    404 ENTRY_NOT_FOUND: POST desk/<rooms/${room}/desk|0.ref.no>/verdict {"verdict":"publish"}
    200: <asks|0.path>
  `,
  kinds: {
    keeper: `
      303: FORM /rooms/${room}/shelf headline=By+form&text=x&timing=now
        FORM /desk/<rooms/${room}/desk|0.ref.no> verdict=skip  ${thumb}yes
      409 THUMB_GIVEN: ${thumb}yes
      303: ${thumb}no
      409 THUMB_NOT_GIVEN: ${thumb}no
    `,
  },
  pages: {
    shows: 'Élodie Marchand',
    paths: `/asks  /mine  /rooms  /rooms/${room}  /bells  <asks?find=bread|0.path>`,
    older: ['/asks', /href="\/question-answer(\/asks\?[^"]+)"/, /href="\/question-answer(\/q\/[^"?]+)"/g],
  },
}
