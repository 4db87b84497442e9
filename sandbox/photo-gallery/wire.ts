import { idOf, stageOf, type Bill, type Booking, type Frame, type Gallery, type Grab } from './entities.ts'
import type { Heart, Mail, Person, Table } from './entities.ts'
import { amount } from './money.ts'

interface Resource {
  type: string
  id: string
  attributes: Record<string, unknown>
  relationships?: Record<string, { data: { type: string; id: string } }>
}

const resource = (table: Table, serial: number, attributes: Record<string, unknown>): Resource => ({
  type: table === 'mails' ? 'mailings' : table,
  id: idOf(table, serial),
  attributes,
})

const toPerson = (serial: number): { data: { type: string; id: string } } => ({
  data: { type: 'people', id: idOf('people', serial) },
})

export const galleryRow = (g: Gallery, base: string): Resource =>
  resource('galleries', g.serial, {
    title: g.title,
    shoot_day: g.shootDay,
    frames: g.frames,
    public_link: `${base}/g/${g.key}`,
    made_ms: g.made,
  })

/** Whether there is a password and a PIN, never which. */
export function galleryFull(g: Gallery, base: string): Resource {
  const row = galleryRow(g, base)
  const attributes = { ...row.attributes, locked: g.password !== null, pin_needed: g.pin !== null, invited: g.invited }
  return { ...row, attributes }
}

export const frameOut = (f: Frame): Resource =>
  resource('frames', f.serial, { file: f.file, source: f.source, kb: f.kb, made_ms: f.made })

export const heartOut = (h: Heart): Resource =>
  resource('hearts', h.serial, { file: h.file, remark: h.remark, who: h.who, made_ms: h.made })

export const grabOut = (g: Grab): Resource =>
  resource('grabs', g.serial, { who: g.who, files: g.files, made_ms: g.made })

export const personOut = (p: Person): Resource =>
  resource('people', p.serial, {
    full_name: p.fullName,
    mail: p.mail,
    tel: p.tel,
    standing: p.standing,
    made_ms: p.made,
  })

export const bookingOut = (b: Booking): Resource => ({
  ...resource('bookings', b.serial, {
    kind: b.kind,
    begins_ms: b.begins,
    minutes: b.minutes,
    place: b.place,
    zone: b.zone,
  }),
  relationships: { sitter: toPerson(b.sitter) },
})

export const billRow = (b: Bill): Resource => ({
  ...resource('bills', b.serial, {
    number: b.number,
    stage: stageOf(b),
    sum: amount(b.cents),
    settled: amount(b.settled),
    money: b.money,
    due_day: b.dueDay,
    made_ms: b.made,
  }),
  relationships: { payer: toPerson(b.payer) },
})

/** With its lines, and with the link to pay by once it was sent. */
export function billFull(b: Bill, base: string): Resource {
  const row = billRow(b)
  const lines = b.lines.map(({ label, qty, cents }) => ({ label, qty, each: amount(cents) }))
  const pay_link = b.sent === null ? null : `${base}/pay/${b.key}`
  return { ...row, attributes: { ...row.attributes, lines, memo: b.memo, pay_link, sent_ms: b.sent } }
}

export function mailOut(m: Mail): Resource {
  const { batch, kind, recipient, subject, words, sent } = m
  const table = kind === 'bill' ? 'bills' : 'galleries'
  const id = idOf(table, Number(m.about.split(' ')[1]))
  return {
    ...resource('mails', m.serial, { batch, kind, recipient, subject, words, sent_ms: sent }),
    relationships: { about: { data: { type: table, id } } },
  }
}
