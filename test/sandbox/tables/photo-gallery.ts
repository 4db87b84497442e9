import { photoGallery } from '../../../sandbox/photo-gallery/app.ts'
import type { AppPerson } from '../open-app.ts'
import type { Pattern, Row, Table } from './table.ts'

interface Page {
  meta: { next_token: string | null }
}
const money = 'Ljósmyndir Sóley'
const newest = (row: Row): number => {
  const { made_ms, sent_ms } = row['attributes'] as Row
  return -Number(made_ms ?? sent_ms)
}
const make = (who: AppPerson, type: string, attributes: Row, relationships?: Row): Promise<Response> =>
  who.write('POST', `/api/${type}`, { data: { type, attributes, relationships } })
const data = async (who: AppPerson, path: string): Promise<{ id: string; attributes: Row }[]> =>
  (await who.read<{ data: { id: string; attributes: Row }[] }>(`/api/${path}`)).data

/** Rows that have a text in one of these fields, in upper and lower case alike. */
const searches = (...fields: string[]): Record<string, Pattern> =>
  Object.fromEntries(
    ['müller', 'ANNA', 'łukasz', '& sons', 'محمد'].map((text) => [
      `filter[q]=${encodeURIComponent(` ${text} `)}`,
      {
        attributes: (own: Row) => fields.some((field) => String(own[field]).toLowerCase().includes(text.toLowerCase())),
      },
    ]),
  )
const owing = (isOwing: boolean): Pattern => ({ attributes: ({ sum, settled }: Row) => (sum !== settled) === isOwing })
const big = '<galleries|1.id>'
const line = { label: 'x', each: '1,00' }
const frame = { type: 'frames', attributes: { source: 'https://cdn.example/a.jpg' } }
const person = (attributes: Row): string => `POST people ${JSON.stringify({ data: { type: 'people', attributes } })}`
const bill = (attributes: Row): string => {
  const relationships = { payer: { data: { type: 'people', id: '<people|0.id>' } } }
  return `POST bills ${JSON.stringify({ data: { type: 'bills', attributes, relationships } })}`
}

export const table: Table = {
  app: photoGallery,
  base: '/api/',
  token: ['/api/me', 'meta.proof'],
  size: 'page[size]',
  paged: /^(galleries$|galleries\?|people|bills|mailings|galleries\/[^/]+\/frames)/,
  page: 30,
  total: 'meta.matching',
  next: ({ meta }: Page) =>
    meta.next_token === null || meta.next_token === undefined ? null : `page[token]=${meta.next_token}`,
  lists: {
    galleries: {
      id: 'id',
      least: 90,
      order: newest,
      where: searches('title'),
      same: ['filter[q]=%20'],
      none: ['filter[q]=no-such-thing'],
      meanwhile: (who) => make(who, 'galleries', { title: 'Meanwhile' }),
      first: { attributes: { title: 'Meanwhile' } },
    },
    people: {
      id: 'id',
      least: 120,
      order: newest,
      where: searches('full_name', 'mail'),
      same: ['filter[q]=%20'],
      none: ['filter[q]=no-such-thing'],
      meanwhile: (who, { count }) =>
        make(who, 'people', { full_name: 'Meanwhile', mail: `meanwhile.${count}@mail.example` }),
    },
    bills: {
      id: 'id',
      least: 140,
      order: newest,
      where: { 'filter[owing]=yes': owing(true), 'filter[owing]=no': owing(false) },
    },
    'bills?filter[owing]=yes': {
      id: 'id',
      least: 80,
      order: newest,
      meanwhile: async (who) => {
        const payer = { data: { type: 'people', id: (await data(who, 'people'))[0]?.id } }
        return make(who, 'bills', { lines: [{ label: 'Print', each: '10,00' }] }, { payer })
      },
    },
    mailings: { id: 'id', least: 100, order: newest },
    [`galleries/${big}/frames`]: {
      id: 'id',
      least: 5,
      by: 3,
      meanwhile: async (who) => {
        const gallery = (await data(who, 'galleries'))[1]?.id
        const source = 'https://pictures.example/new.jpg'
        return who.write('POST', `/api/galleries/${gallery}/frames`, {
          data: [{ type: 'frames', attributes: { source } }],
        })
      },
    },
  },
  refused: `
    400 PARAMETER_INVALID: galleries?page[size]=0  galleries?page[size]=101  people?page[size]=x
      people?filter[q]=a&filter[q]=b  people?filter[q]=${'x'.repeat(201)}  bills?filter[owing]=true
      calendar?filter[first]=2026-02-28  calendar?filter[first]=20260229
    400 PARAMETER_UNKNOWN: people?limit=5
    400 PAGE_TOKEN_UNKNOWN: bills?page[token]=abc
    400 SPAN_BACKWARDS: calendar?filter[first]=20260302&filter[last]=20260301
    400 BODY_INVALID: POST people {"data":{"type":"bills","attributes":{}}}
    422 ADDRESS_INVALID: ${person({ full_name: 'x', mail: 'a@b' })}
    422 TEXT_TOO_LONG: ${person({ full_name: 'x'.repeat(121), mail: 'a@b.example' })}
    422 TEXT_INVALID: ${person({ full_name: 'x', mail: 'a@b.example', tel: 5 })}
    422 STANDING_INVALID: ${person({ full_name: 'x', mail: 'a@b.example', standing: 'visitor' })}
    422 FIELD_UNKNOWN: ${person({ full_name: 'x', mail: 'a@b.example', name: 'x' })}
    422 DAY_INVALID: POST galleries {"data":{"type":"galleries","attributes":{"title":"x","shoot_day":"20260229"}}}
    422 LINES_REQUIRED: ${bill({ lines: [] })}
    422 TOO_MANY_LINES: ${bill({ lines: Array.from({ length: 51 }, () => line) })}
    422 LINE_INVALID: ${bill({ lines: ['x'] })}
    422 QTY_INVALID: ${bill({ lines: [{ ...line, qty: 1.5 }] })}
    422 MONEY_INVALID: ${bill({ lines: [line], money: 'euro' })}
    422 PAYER_REQUIRED: POST bills ${JSON.stringify({ data: { type: 'bills', attributes: { lines: [line] } } })}
    422 FRAMES_REQUIRED: POST galleries/${big}/frames {"data":[]}
    422 TOO_MANY_FRAMES: POST galleries/${big}/frames ${JSON.stringify({ data: Array.from({ length: 201 }, () => frame) })}
    422 TOO_MANY_ADDRESSES: FORM /studio/galleries/${big}/share ${Array.from({ length: 51 }, (_, at) => `to=g${at}@mail.example`).join('&')}
  `,
  place: ['people', ['people?filter[q]=a', 'bills'], '400 PAGE_TOKEN_UNKNOWN'],
  names: `
    me  galleries  people  calendar  bills  bills/<bills|3.id>  galleries/${big}  galleries/${big}/hearts
    galleries/${big}/grabs
  `,
  looks: { bills: { attributes: { sum: String, settled: String } } },
  holds: {
    'bills|attributes.stage': ['draft', 'sent', 'part_paid', 'paid'],
    'bills?filter[owing]=yes|attributes.stage': ['draft', 'sent', 'part_paid'],
    'bills|attributes.money': 2,
    'people|attributes.standing': ['lead', 'client', 'visitor'],
    'people|attributes.tel': /^$/,
    'people|attributes.mail': /^$/,
    'galleries|attributes.shoot_day': /^null$/,
    'galleries|attributes.frames': /^0$/,
    'galleries|attributes.title': /^.{200}$/,
    'galleries > galleries/{id}/hearts|data.attributes.remark': /^.{990}/s,
    'calendar?filter[first]=20000101&filter[last]=29991231|attributes.zone': 5,
  },
  also: 'calendar',
  change: (me) => make(me, 'galleries', { title: 'Gone after the reset' }),
  strangers: `
    404 GALLERY_NOT_FOUND: galleries/<galleries|0.id>  galleries/<galleries|0.id>/hearts
      galleries/<galleries|0.id>/frames  galleries/<galleries|0.id>/grabs
      POST galleries/<galleries|0.id>/frames ${JSON.stringify({ data: [frame] })}
      FORM /studio/galleries/<galleries|0.id>/share to=a@b.example
    404 BILL_NOT_FOUND: bills/<bills|0.id>  FORM /studio/bills/<bills|0.id>/send
    404 PERSON_NOT_FOUND: people/<people|0.id>  ${bill({ lines: [line] })}
  `,
  kinds: {
    studio: `
      303: FORM /studio/people full_name=By+form&mail=form@mail.example&tel=
        FORM /studio/galleries title=By+form&day=2026-05-17
    `,
  },
  pages: {
    shows: money,
    paths: `
      /studio/galleries  /studio/galleries/<galleries|0.id>  /studio/people  /studio/calendar  /studio/bills
      /studio/outbox
    `,
    older: ['/studio/people', /href="[^"]*(\/studio\/people\?page%5Btoken%5D=[^"]+)"/, /([\w.]+@mail\.example)/g],
  },
}
