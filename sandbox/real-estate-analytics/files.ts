import type { SignedIn } from '../platform/types.ts'
import { Refusal } from '../platform/types.ts'
import { count, number, text, type Row } from '../platform/rows.ts'
import { gradeOf, listAreas, needArea, placeOf, type Area } from './areas.ts'
import { matches, storedCriteria } from './criteria.ts'
import { dayLength, slashDay, usd } from './formats.ts'
import { betterPlan, cashIn, figures, homesIn, isIn, ownHome, plans, type Home } from './homes.ts'
import { choice, invalid, line, readBody, readForm } from './input.ts'
import { root } from './layout.ts'
import { readPage, type Page } from './paging.ts'
import { pdfOf } from './pdf.ts'
import { idOf, insertAll, nextSerial, ownDesk, ownRow } from './tables.ts'

const fileKinds = ['sheet', 'pdf'] as const
type FileKind = (typeof fileKinds)[number]

const allowed: Record<string, number> = { pro: 40, basic: 5, guest: 0 }

interface Allowance {
  used: number
  of: number
}

/** A month of a plan has 30 days; it began ten days before the first one was counted. */
export function planMonth(request: SignedIn): { from: number; until: number } {
  const { anchor } = ownDesk(request)
  const from = anchor + Math.floor((request.now - anchor) / (30 * dayLength)) * 30 * dayLength
  return { from, until: from + 29 * dayLength }
}

export function allowanceOf(request: SignedIn, kind: FileKind): Allowance {
  const { account, kind: plan } = request.viewer.account
  const { from } = planMonth(request)
  const used = count(request.db, 'files WHERE account = ? AND kind = ? AND made >= ?', account, kind, from)
  return { used, of: allowed[plan] ?? 0 }
}

/** The allowance as it is with one more file. */
function oneMore(request: SignedIn, kind: FileKind): Allowance {
  const { used, of } = allowanceOf(request, kind)
  if (used < of) return { used: used + 1, of }
  const code = kind === 'sheet' ? 'SHEETS_USED_UP' : 'PDFS_USED_UP'
  throw new Refusal(409, code, `Your plan's ${of} of this month are used up.`)
}

const cell = (value: string | number): string => {
  const words = String(value)
  return /[",\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words
}

const headings = ['neighborhood', 'city', 'state', 'meter', 'homes_for_sale', 'average_ask', 'average_cash_on_cash_bp']

function sheetLine(area: Area, homes: readonly Home[]): (string | number)[] {
  const mean = (of: (home: Home) => number): number =>
    Math.round(homes.reduce((sum, home) => sum + of(home), 0) / homes.length)
  const coc = mean((home) => figures(home, betterPlan(home)).cocBp)
  return [area.name, area.cityName, area.st, gradeOf(area), homes.length, usd(mean(({ price }) => price)), coc]
}

/** A line for each neighborhood where the preset finds homes for sale. Answers the lines. */
function sheetLines(request: SignedIn, preset: Row, where: Area | undefined): (string | number)[][] {
  const { db, viewer } = request
  const { account } = viewer.account
  const criteria = storedCriteria(text(preset, 'crit'))
  const homes = homesIn(db, account, 'sale').filter((home) => matches(home, criteria))
  return listAreas(db, account)
    .filter(({ tier, city, serial }) => tier === 'hood' && (!where || where.serial === city || where.serial === serial))
    .map((area) => ({ area, inside: homes.filter((home) => isIn(home, area)) }))
    .filter(({ inside }) => inside.length > 0)
    .map(({ area, inside }) => sheetLine(area, inside))
}

export function exportSheet(request: SignedIn): { file: string; used: number; of: number; rows: number } {
  const preset = ownRow(request, 'presets', request.params['preset'])
  const words = line(readForm(request.form, { texts: ['where'] }), 'where', 200)
  const where = words === undefined ? undefined : needArea(request, words, 'where')
  const lines = sheetLines(request, preset, where)
  if (lines.length === 0) throw new Refusal(422, 'NOTHING_TO_EXPORT', 'No neighborhood has such homes for sale.')
  const allowance = oneMore(request, 'sheet')
  const body = [headings, ...lines].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
  const about = idOf('presets', number(preset, 'serial'))
  const file = insertFile(request, { kind: 'sheet', title: text(preset, 'title'), about, body })
  request.effect('sheet.export', { file, preset: about, where: where ? placeOf(where) : null, rows: lines.length })
  return { file, ...allowance, rows: lines.length }
}

function insertFile(request: SignedIn, file: { kind: FileKind; title: string; about: string; body: string }): string {
  const serial = nextSerial(request)
  insertAll(request.db, 'files', [{ serial, account: request.viewer.account.account, ...file, made: request.now }])
  return idOf('files', serial)
}

function readLogo(logo: string | undefined): string | undefined {
  if (logo === undefined) return undefined
  const url = URL.canParse(logo) ? new URL(logo) : undefined
  if (url?.protocol !== 'https:' || !url.hostname.includes('.') || !/\.(png|jpe?g|svg)$/i.test(url.pathname)) {
    throw invalid('LOGO_INVALID', 'logo must be the https address of a png, jpg or svg image.', 'logo')
  }
  return logo
}

/** The lines of a home's report. */
export function reportLines(home: Home): string[] {
  const words = plans.flatMap((plan) => {
    const { rev, opex, loan, flow, capBp, cocBp } = figures(home, plan)
    return [
      '',
      plan === 'nightly' ? 'Let by the night' : 'Let by the year',
      `A month: ${usd(rev)} revenue, ${usd(opex)} expenses, ${usd(loan)} loan, ${usd(flow)} left`,
      `Cap rate ${capBp / 100} %, cash on cash ${cocBp / 100} %`,
    ]
  })
  return [home.street, `${usd(home.price)}, ${home.br} br, ${home.ba} ba, ${usd(cashIn(home))} of cash`, ...words]
}

export function makeReport(request: SignedIn) {
  const { viewer } = request
  const home = ownHome(request)
  const fields = readBody(request.json, ['firm', 'logo'])
  const firm = line(fields, 'firm', 80)
  const logo = readLogo(line(fields, 'logo', 500))
  if (viewer.account.kind === 'basic' && (firm ?? logo) !== undefined) {
    throw new Refusal(403, 'BRANDING_NOT_IN_PLAN', 'Your own name and logo come with the pro plan.', 'firm')
  }
  const pdfs = oneMore(request, 'pdf')
  const about = idOf('homes', home.serial)
  const brand = [firm, logo].filter((part) => part !== undefined)
  const body = pdfOf(`${firm ?? 'Yieldwright'}: ${home.street}`, [...brand, ...reportLines(home)])
  const file = insertFile(request, { kind: 'pdf', title: home.street, about, body })
  request.effect('report.pdf', { file, home: about, firm: firm ?? null, logo: logo ?? null })
  return { ...fileOut(ownRow(request, 'files', file)), pdfs }
}

type FileOut = ReturnType<typeof fileOut>
export const fileNames = ['file', 'kind', 'title', 'about', 'href', 'made'] as const

export function fileOut(row: Row) {
  const file = idOf('files', number(row, 'serial'))
  return {
    file,
    kind: text(row, 'kind'),
    title: text(row, 'title'),
    about: text(row, 'about'),
    href: `${root}/files/${file}/download`,
    made: slashDay(number(row, 'made')),
  }
}

/** Newest first. */
export const listFiles = (request: SignedIn): Page<FileOut> =>
  readPage(
    request,
    'files',
    ['kind'],
    (fields) => ({
      from: 'files WHERE account = ?1 AND serial <= ?2 AND (?3 IS NULL OR kind = ?3)',
      values: [choice(fields, 'kind', fileKinds) ?? null],
    }),
    fileOut,
  )
