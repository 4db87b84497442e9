import { all, run, text } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { fetchFile } from './fetching.ts'
import { ownGood } from './goods.ts'
import { invalid, readForm, readOption, readText } from './input.ts'
import { post } from './mails.ts'
import { today, type AtDesk } from './shop.ts'

/** Those who bought a good, each once. */
const buyersOf = ({ db }: AtDesk, good: number): string[] =>
  all(db, 'SELECT DISTINCT mail FROM sold WHERE good = ? ORDER BY mail', good).map((row) => text(row, 'mail'))

interface Revised {
  revision: number
  told: number
  batch: string
}

/** A download gets another file, which past buyers get in its place; they are told if the seller wishes so. */
export function reviseFile(request: AtDesk, given: string): Revised {
  const { db, now } = request
  const good = ownGood(request, given)
  const fields = readForm(request, ['link', 'tell', 'note'])
  const tells = readOption(fields['tell'] ?? 'no', 'tell', ['no', 'yes']) === 'yes'
  const note = readText(fields['note'], 'note', 1000)
  if (note !== '' && !tells) throw invalid('NOTE_UNREAD', 'A note needs tell=yes: nobody would read it.', 'note')
  const fetched = fetchFile(fields['link'], 'link')
  if (good.sort !== 'download' || !good.part) {
    throw new Refusal(409, 'SORT_HAS_NO_FILE', 'Only a download has a file to replace.')
  }
  const revision = good.part.revision + 1
  const sql = 'UPDATE goods SET file = ?, kb = ?, made_as = ?, revision = ?, file_day = ? WHERE no = ?'
  run(db, sql, fetched.file, fetched.kb, JSON.stringify([fetched.format]), revision, today(request), good.no)
  const buyers = tells ? buyersOf(request, good.no) : []
  const words = `“${good.name}” has a new file.${note === '' ? '' : `\n\n${note}`}`
  const batch = buyers.length === 0 ? '' : post(request, { kind: 'file', about: good.no, words, leaves: now }, buyers)
  const told = buyers.length
  request.effect('good.file', {
    no: good.no,
    link: fields['link'],
    file: fetched.file,
    revision,
    tell: tells,
    note,
    told,
  })
  return { revision, told, batch }
}
