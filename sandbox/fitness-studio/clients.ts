import { all, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { formFields, invalid, queryChoice, queryWhole, readText } from './input.ts'
import { passesAt, standings, type Pass } from './passes.ts'
import { conflict, nextRev, nextSerial, ownStudio, serialIn } from './studio.ts'

export interface Client {
  serial: number
  full: string
  mail: string
  tel: string
}

const toClient = (row: Row): Client => ({
  serial: number(row, 'serial'),
  full: text(row, 'full'),
  mail: text(row, 'mail'),
  tel: text(row, 'tel'),
})

export function ownClient({ db, viewer }: SignedIn, id: unknown): Client {
  const sql = 'SELECT * FROM clients WHERE account = ? AND serial = ?'
  const row = one(db, sql, viewer.account.account, serialIn('C', id))
  if (!row) throw new Refusal(404, 'CLIENT_NOT_FOUND', 'There is no such client.', 'Cid')
  return toClient(row)
}

/** What a stamp says: the change and the day that a list is read as of. */
function readStamp(request: SignedIn, page: number): { rev: number; today: string } {
  const { rev, today } = ownStudio(request)
  const stamp = request.query.get('Stamp')
  if (stamp === null && page === 1) return { rev, today }
  if (stamp === null) throw new Refusal(400, 'STAMP_REQUIRED', 'From page 2 on, give the Stamp of page 1.', 'Stamp')
  const [, change, day] = /^(\d{1,9})-(\d{4}-\d{2}-\d{2})$/.exec(Buffer.from(stamp, 'base64url').toString()) ?? []
  if (change === undefined || day === undefined || Number(change) > rev || day > today) {
    throw new Refusal(400, 'STAMP_UNKNOWN', 'This is no stamp of this list.', 'Stamp')
  }
  return { rev: Number(change), today: day }
}

export interface Listed {
  rows: { client: Client; passes: Pass[] }[]
  page: number
  last: number
  of: number
  stamp: string
}

/** Those who were there, with the passes as they stood, when page 1 was read. */
export function listClients(request: SignedIn): Listed {
  const { db, query, viewer } = request
  const { account } = viewer.account
  const find = (query.get('Find') ?? '').trim().toLowerCase()
  if (find.length > 200) throw new Refusal(400, 'PARAM_INVALID', 'Find: 200 characters at most.', 'Find')
  const standing = queryChoice(query, 'Standing', standings)
  const per = queryWhole(query, 'Per', 50, 100)
  const page = queryWhole(query, 'Page', 1, 100_000)
  const { rev, today } = readStamp(request, page)
  const passes = Map.groupBy(passesAt(db, account, rev, today), ({ client }) => client)
  const found = all(db, 'SELECT * FROM clients WHERE account = ? AND rev <= ? ORDER BY serial', account, rev)
    .map(toClient)
    .filter(({ full, mail }) => full.toLowerCase().includes(find) || mail.toLowerCase().includes(find))
    .map((client) => ({ client, passes: passes.get(client.serial) ?? [] }))
    .filter((row) => standing === undefined || row.passes.some(({ st }) => st === standing))
  return {
    rows: found.slice((page - 1) * per, page * per),
    page,
    last: Math.max(1, Math.ceil(found.length / per)),
    of: found.length,
    stamp: Buffer.from(`${rev}-${today}`).toString('base64url'),
  }
}

export function join(request: SignedIn): Client {
  const { db, viewer } = request
  const { account } = viewer.account
  const fields = formFields(request.form, 'Full', 'Mail', 'Tel')
  const full = readText(fields['Full'], 'Full', 120)
  const mail = fields['Mail'] === undefined ? '' : readText(fields['Mail'], 'Mail', 254)
  const tel = fields['Tel'] === undefined ? '' : readText(fields['Tel'], 'Tel', 40)
  if (mail !== '' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(mail)) {
    throw invalid('MAIL_INVALID', 'Mail is no e-mail address.', 'Mail')
  }
  const taken = one(db, 'SELECT 1 FROM clients WHERE account = ? AND lower(mail) = lower(?)', account, mail)
  if (mail !== '' && taken) throw conflict('MAIL_TAKEN', 'Another client has this address.', 'Mail')
  const serial = nextSerial(request, 'clients')
  run(db, 'INSERT INTO clients VALUES (?, ?, ?, ?, ?, ?)', serial, account, full, mail, tel, nextRev(request))
  request.effect('client.join', { Cid: `C${serial}`, Full: full, Mail: mail, Tel: tel })
  return { serial, full, mail, tel }
}
